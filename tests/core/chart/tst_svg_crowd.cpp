// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include "core/chart/svg/svg_writer.h"
#include "core/scenario/scenario_effect.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_svg_crowd {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::size_t most_bytes = 2'000'000;

/// Spread kernels with a dot at HBM each; every `share` of them have one name.
std::vector<KernelFacts> one_level(std::size_t count, std::size_t share) {
    std::vector<KernelFacts> kernels = spread_kernels(count);
    for (std::size_t i = 0; i < count; ++i) {
        kernels[i].traffic.resize(1);
        kernels[i].name = "solver_" + std::to_string(i / share);
    }
    return kernels;
}

struct Drawn {
    explicit Drawn(const std::vector<KernelFacts>& kernels, const SceneOptions& options = {},
                   PageSpec size = {})
        : fixture(kernels), svg(svg_of(options, size)) {}

    [[nodiscard]] std::string svg_of(const SceneOptions& options, const PageSpec& size) const {
        return to_svg(fixture.scene(options), fixture.analysis, size);
    }
    /// How many elements have an id of a kernel: its dot, or the group of its dots.
    [[nodiscard]] qsizetype dots() const {
        static const QRegularExpression id(QStringLiteral("id=\"k\\d+\""));
        return QString::fromStdString(svg).count(id);
    }
    [[nodiscard]] bool has_dot(std::size_t point) const {
        return svg.find("id=\"k" + std::to_string(point) + "\"") != std::string::npos;
    }
    [[nodiscard]] QJsonObject data() const {
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        QByteArray json;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement &&
                reader.attributes().value("id") == QLatin1String("roofwalk-data"))
                json = reader.readElementText().toUtf8();
        return reader.hasError() ? QJsonObject() : QJsonDocument::fromJson(json).object();
    }

    ChartFixture fixture;
    std::string svg;
};

/// How many cells the paths of the shading cover.
int cells_of(const std::string& svg) {
    static const QRegularExpression run(QStringLiteral("[Mm]-?\\d+ -?\\d+h(\\d+)"));
    const QString text = QString::fromStdString(svg);
    const qsizetype from = text.indexOf("<g id=\"shading\"");
    if (from < 0) return 0;
    int cells = 0;
    auto match = run.globalMatch(text.mid(from, text.indexOf("</g>", from) - from));
    while (match.hasNext())
        cells += match.next().captured(1).toInt();
    return cells;
}

}  // namespace

class TestSvgCrowd : public QObject {
    Q_OBJECT

  private slots:
    void a_thousand_dots_stay_within_150_kb_data() {
        QTest::addColumn<int>("share");
        QTest::addColumn<bool>("same_time");
        QTest::addColumn<Theme>("theme");
        QTest::newRow("launches of ten kernels") << 100 << false << Theme::print;
        QTest::newRow("launches of ten kernels, equally long") << 100 << true << Theme::print;
        QTest::newRow("a thousand kernels") << 1 << false << Theme::print;
        QTest::newRow("a thousand kernels in the dark") << 1 << false << Theme::dark;
        QTest::newRow("a thousand kernels in the light") << 1 << false << Theme::light;
        QTest::newRow("a thousand kernels, equally long") << 1 << true << Theme::print;
    }
    void a_thousand_dots_stay_within_150_kb() {
        QFETCH(int, share);
        QFETCH(bool, same_time);
        QFETCH(Theme, theme);
        std::vector<KernelFacts> kernels = one_level(1000, static_cast<std::size_t>(share));
        for (KernelFacts& kernel : kernels)
            if (same_time) kernel.time = 1e-4;
        SceneOptions options;
        options.theme = theme;
        const Drawn drawn(kernels, options);
        QCOMPARE(drawn.dots(), 1000);
        QVERIFY2(drawn.svg.size() <= 150'000, std::to_string(drawn.svg.size()).c_str());
    }
    /// Whole names stand once, in the metadata; titles are cut.
    void long_names_stand_once_and_all_else_stays_within_150_kb_data() {
        QTest::addColumn<int>("dots");
        QTest::addColumn<int>("length");
        QTest::newRow("75 characters") << 1000 << 75;
        QTest::newRow("200 characters") << 1000 << 200;
        QTest::newRow("no crowd") << 500 << 75;
    }
    void long_names_stand_once_and_all_else_stays_within_150_kb() {
        QFETCH(int, dots);
        QFETCH(int, length);
        std::vector<KernelFacts> kernels = one_level(static_cast<std::size_t>(dots), 1);
        for (KernelFacts& kernel : kernels) {
            kernel.name += "<cutlass::epilogue<float>>";
            while (kernel.name.size() < static_cast<std::size_t>(length))
                kernel.name += "::threadblock";
        }
        const Drawn drawn(kernels);
        QCOMPARE(drawn.dots(), dots);
        std::size_t names = 0;
        const QJsonArray whole = drawn.data()["names"].toArray();
        QCOMPARE(whole.size(), dots);
        for (const QJsonValue& name : whole) {
            const std::string escaped =
                name.toString().replace(QLatin1Char('<'), QLatin1String("\\u003c")).toStdString();
            names += escaped.size();
            const auto first = drawn.svg.find(escaped);
            QVERIFY(first != std::string::npos);
            QCOMPARE(drawn.svg.find(escaped, first + 1), std::string::npos);
        }
        QVERIFY2(drawn.svg.size() - names <= 150'000, std::to_string(drawn.svg.size() - names).c_str());
    }
    void three_levels_of_333_launches_stay_within_150_kb() {
        std::vector<KernelFacts> kernels = spread_kernels(333);
        for (KernelFacts& kernel : kernels) {
            kernel.traffic.push_back({Boundary::smem_wavefronts, kernel.traffic.front().second * 0.01});
            kernel.name += "<cutlass::gemm::threadblock::Mma<float, cutlass::RowMajor>>";
        }
        const Drawn drawn(kernels);
        QCOMPARE(drawn.dots(), 333);
        QVERIFY2(drawn.svg.size() <= 150'000, std::to_string(drawn.svg.size()).c_str());
    }
    /// Of a thousand launches at three levels that are 3,000 dots.
    void three_thousand_dots_of_as_many_names_as_launches_stay_within_255_kb() {
        std::vector<KernelFacts> kernels = spread_kernels(1000);
        std::size_t names = 0;
        for (KernelFacts& kernel : kernels) {
            kernel.traffic.push_back({Boundary::smem_wavefronts, kernel.traffic.front().second * 0.01});
            names += kernel.name.size();
        }
        const Drawn drawn(kernels);
        QCOMPARE(drawn.dots(), 1000);
        QVERIFY2(drawn.svg.size() - names <= 255'000, std::to_string(drawn.svg.size() - names).c_str());
    }
    void each_dot_of_a_crowd_has_its_name_and_colour() {
        const Drawn drawn(one_level(1000, 100));
        const Scene scene = drawn.fixture.scene();
        QXmlStreamReader reader(QByteArray::fromStdString(drawn.svg));
        QStringList fills;
        QStringList titles;
        int dots = 0;
        while (!reader.atEnd()) {
            const auto token = reader.readNext();
            if (token == QXmlStreamReader::StartElement) {
                const QString id = reader.attributes().value("id").toString();
                const bool names_itself = reader.attributes().hasAttribute("fill");
                fills.append(names_itself ? reader.attributes().value("fill").toString()
                                          : fills.value(fills.size() - 1));
                if (reader.name() == QLatin1String("title")) {
                    titles.last() = reader.readElementText();
                    fills.removeLast();
                    continue;
                }
                titles.append(titles.value(titles.size() - 1));
                static const QRegularExpression kernel(QStringLiteral("^k(\\d+)$"));
                const auto match = kernel.match(id);
                if (!match.hasMatch()) continue;
                ++dots;
                const auto point = match.captured(1).toUInt();
                const KernelPoint& measured = drawn.fixture.analysis.points[point];
                const Colour fill = colour_of(measured.verdict.kernel_class, Theme::light);
                const bool faint = std::ranges::find(scene.dots, point, &Dot::point)->radius < faint_radius;
                QCOMPARE(fills.last().toStdString(), to_hex(faint ? line_colour(fill, Theme::light) : fill));
                // The title of its group came before; its own comes next.
                if (reader.readNext() == QXmlStreamReader::StartElement &&
                    reader.name() == QLatin1String("title"))
                    titles.last() = reader.readElementText();
                else if (reader.isEndElement()) {
                    QCOMPARE(titles.last().toStdString(), measured.name);
                    titles.removeLast();
                    fills.removeLast();
                    continue;
                }
                QCOMPARE(titles.last().toStdString(), measured.name);
            } else if (token == QXmlStreamReader::EndElement) {
                fills.removeLast();
                titles.removeLast();
            }
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(dots, 1000);
    }
    void more_than_5000_dots_are_shaded_but_for_the_500_longest() {
        const Drawn drawn(one_level(6000, 1));
        QCOMPARE(drawn.dots(), 500);
        for (const std::size_t point : {std::size_t{0}, std::size_t{499}})  // the first has most time
            QVERIFY(drawn.has_dot(point));
        QVERIFY(!drawn.has_dot(500));
        QVERIFY(cells_of(drawn.svg) > 1000);
        const Drawn fewer(one_level(5000, 1));
        QCOMPARE(fewer.dots(), 5000);
        QCOMPARE(cells_of(fewer.svg), 0);
    }
    void the_numbers_are_those_of_the_dots_and_the_shading_is_counted() {
        const Drawn drawn(one_level(6000, 1));
        const QJsonObject data = drawn.data();
        const QJsonArray rows = data["kernels"].toArray();
        QCOMPARE(rows.size(), 500);
        QCOMPARE(data["names"].toArray().size(), 500);
        QCOMPARE(data["shading"].toObject()["dots"].toInt(), 5500);
        const auto column = data["columns"].toArray().toVariantList().indexOf("dot");
        QVERIFY(column >= 0);
        for (const QJsonValue& row : rows)
            QVERIFY(drawn.has_dot(static_cast<std::size_t>(row[static_cast<int>(column)].toInt())));
    }
    void the_selected_kernel_keeps_its_dot_and_its_ring() {
        SceneOptions options;
        options.selected = 5900;
        const Drawn drawn(one_level(6000, 1), options);
        QVERIFY(drawn.has_dot(5900));
        QVERIFY(drawn.svg.find("class=\"ring\"") != std::string::npos);
    }
    void kernels_that_a_scenario_moves_keep_their_dots() {
        const ChartFixture fixture(one_level(6000, 1));
        Scenario scenario;
        for (const std::size_t point : {5000U, 5001U}) {
            Move& move = scenario.moves.emplace_back();
            move.kernel = key_of(fixture.profile, fixture.analysis, fixture.analysis.points[point]);
            move.bytes[MemoryLevel::hbm] = 0.5;
        }
        const Analysis moved =
            moved_analysis(fixture.analysis, effect_of(scenario, fixture.profile, fixture.analysis));
        Scene scene = build_scene(fixture.profile, moved, {});
        add_ghosts(scene, fixture.analysis, moved, "Half the bytes.");
        const std::string svg = to_svg(scene, moved);
        for (const char* id : {"\"k5000\"", "\"k5001\"", "\"ghost-k5000-hbm-0\"", "\"ghost-k5001-hbm-0\""})
            QVERIFY2(svg.find(id) != std::string::npos, id);
    }
    void no_page_is_larger_than_2_mb_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::newRow("usual") << 900.0 << 600.0;
        QTest::newRow("poster") << 10'000.0 << 6'600.0;
        QTest::newRow("flat") << 10'000.0 << 600.0;
    }
    /// Dots at three levels all over the plot, with long names.
    void no_page_is_larger_than_2_mb() {
        QFETCH(double, width);
        QFETCH(double, height);
        std::vector<KernelFacts> kernels = spread_kernels(30'000);
        for (KernelFacts& kernel : kernels)
            kernel.traffic.push_back({Boundary::smem_wavefronts, kernel.traffic.front().second * 0.01});
        const Drawn drawn(kernels, {}, {width, height});
        QCOMPARE(drawn.dots(), 500);
        QVERIFY2(drawn.svg.size() <= most_bytes, std::to_string(drawn.svg.size()).c_str());
        QVERIFY(cells_of(drawn.svg) > 15'000);
    }
    void an_idle_sm_leaves_no_figure_that_is_none() {
        ChartFixture fixture({{"copy", 1e-3, {}, {{Boundary::hbm_dram_rw, 1e9}}},
                              {"copy", 1e-3, {}, {{Boundary::hbm_dram_rw, 1e8}}}});
        fixture.profile.launches[1].kernel = fixture.profile.launches[0].kernel;
        for (Launch& launch : fixture.profile.launches)
            launch.metrics.push_back({fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 0});
        fixture.analysis = analyse(fixture.profile, {});
        QVERIFY(fixture.analysis.points.at(0).launches_differ);
        SceneOptions options;
        options.selected = 0;
        const std::string svg = to_svg(fixture.scene(options), fixture.analysis, {});
        static const QRegularExpression no_number(QStringLiteral("[\"\\s,](-?nan|-?inf)[\"\\s,]"));
        QVERIFY(!no_number.match(QString::fromStdString(svg)).hasMatch());
    }
};

}  // namespace tst_svg_crowd

ROOFWALK_TEST(tst_svg_crowd, TestSvgCrowd, NoApplication)
#include "tst_svg_crowd.moc"
