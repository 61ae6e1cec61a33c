// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>
#include <fstream>
#include <locale>
#include <sstream>

#include "core/chart/scene/scene_measured_roof.h"
#include "core/chart/svg/svg_writer.h"
#include "core/scenario/scenario_effect.h"
#include "core/scenario/scenario_json.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"
#include "tests/support/samples.h"

namespace tst_svg_writer {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// "1.234,5"
class GermanNumbers : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

struct Case {
    std::vector<KernelFacts> kernels;
    SceneOptions options;
    PageSpec size;
    std::vector<double> hbm_factors{};  ///< of a scenario: one move for each of the first kernels
    bool swept = false;                 ///< with the measured roof
    bool unlike = false;                ///< the launches of the last kernel differ
    double measured = 0;                ///< roofs that reach this share of theory; 0: typed ones
};

KernelFacts hostile() {
    KernelFacts kernel = three_levels();
    kernel.name = "void a<b, \"c\" & 'd'>]]>::run</title><script>alert(1)</script>(int)\xFF\x01";
    return kernel;
}

Case golden_case(const QString& name) {
    Case one{{three_levels()}, {}, {}, {}};
    if (name == "selected") {
        one.options.selected = 0;
        one.options.title = "Three levels of one kernel";
    } else if (name == "spread") {
        one = {spread_kernels(24), {}, {}, {}};
        one.options.theme = Theme::print;
        one.options.gaps = 3;
    } else if (name == "rails") {
        KernelFacts copy = three_levels();
        copy.name = "copy(char const*, char*)";
        copy.work = {{fp32, 0}};
        KernelFacts registers = three_levels();
        registers.name = "registers_only(float)";
        registers.traffic = {{Boundary::hbm_dram_rw, 0}, {Boundary::l2_sm_sectors, 0}};
        one.kernels = {copy, registers, three_levels()};
        one.unlike = true;
        one.options.theme = Theme::dark;
    } else if (name == "lines") {
        one.kernels = {
            {"transpose(float*)", 2e-3, {}, {{Boundary::hbm_dram_rw, 1e9}}},
            {"gather(float*)", 1e-3, {}, {{Boundary::hbm_dram_rw, 1e8}, {Boundary::l2_sm_sectors, 3e9}}}};
        one.options.selected = 1;
    } else if (name == "gaps") {
        KernelFacts cached = far_from_algorithm();
        cached.name = "served_from_cache(float*)";
        cached.work = {{fp32, 5e9}};
        cached.algorithm = "custom flops=5e9 read=2e9 write=1e9";
        KernelFacts product = far_from_algorithm();
        product.name = "gemm_tiled(half const*, half const*, half*)";
        product.time = 4e-3;
        product.work = {{tensor, 137438953472.0}};
        product.traffic = {{Boundary::hbm_dram_rw, 3e9}, {Boundary::l2_sm_sectors, 6e9}};
        product.algorithm = "gemm m=4096 n=4096 k=4096";
        one.kernels = {far_from_algorithm(), cached, product};
        one.options.selected = 2;
        one.options.gaps = 3;
        one.options.title = "Both gaps";
    } else if (name == "names") {
        KernelFacts endless = three_levels();
        endless.name = "void " + std::string(40, 'n') + "::kernel<" + std::string(250, 'T') + ">(int)";
        one.kernels = {hostile(), endless};
        one.kernels[1].time = 4e-3;
        one.size = {400, 300};
    } else if (name == "scenario") {
        one = {spread_kernels(6), {}, {}, {0.25, 0.5, 4}};
        one.options.theme = Theme::print;
        one.options.selected = 0;
    } else if (name == "measured_roof") {
        one = {spread_kernels(6), {}, {}, {}, true};
        one.options.theme = Theme::print;
    } else if (name == "theory") {
        one.measured = 0.9;
        one.options.theme = Theme::print;
        one.options.practical_roofs = true;
    } else if (name == "empty") {
        one.kernels = {{"unknown", 1e-3, {}, {}}};
    }
    return one;
}

std::string svg_of(const Case& one) {
    ChartFixture fixture(one.kernels);
    if (one.unlike) add_unlike_launch(fixture);
    if (one.measured > 0) measure_device(fixture, one.measured);
    if (one.hbm_factors.empty()) {
        Scene scene = fixture.scene(one.options);
        if (one.swept) add_measured_roof(scene, fixture.analysis, swept_device());
        return to_svg(scene, fixture.analysis, one.size);
    }
    Scenario scenario{"Fewer bytes", {}, {}};
    for (std::size_t i = 0; i < one.hbm_factors.size(); ++i) {
        Move& move = scenario.moves.emplace_back();
        move.kernel = key_of(fixture.profile, fixture.analysis, fixture.analysis.points[i]);
        move.bytes[MemoryLevel::hbm] = one.hbm_factors[i];
    }
    const ScenarioEffect effect = effect_of(scenario, fixture.profile, fixture.analysis);
    const Analysis moved = moved_analysis(fixture.analysis, effect);
    Scene scene = build_scene(fixture.profile, moved, one.options);
    add_ghosts(scene, fixture.analysis, moved, scenario_sentence(scenario, effect));
    return to_svg(scene, moved, one.size, to_json(scenario));
}

/// Text of the first element with this id, and an empty text when the file is not well-formed.
QString text_of(const std::string& svg, const QString& id) {
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    QString found;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.attributes().value("id") == id)
            found = reader.readElementText();
    return reader.hasError() ? QString() : found;
}

}  // namespace

/// Run with ROOFWALK_UPDATE_GOLDEN=1 to write tests/golden/svg anew; look at the difference before
/// committing.
class TestSvgWriter : public QObject {
    Q_OBJECT

  private slots:
    void the_moves_of_a_scenario_can_be_read_back() {
        Case one = golden_case("scenario");
        one.kernels.front().name = "void f<a & b>(</metadata>)";
        const std::string svg = svg_of(one);
        const QJsonDocument data =
            QJsonDocument::fromJson(text_of(svg, QStringLiteral("roofwalk-data")).toUtf8());
        const QByteArray moves = QJsonDocument(data["moves"].toObject()).toJson();
        const Result<Scenario> scenario = read_scenario(moves.toStdString(), "moves");
        if (!scenario) QFAIL(to_line(scenario.error()).c_str());
        QCOMPARE(scenario->name, std::string("Fewer bytes"));
        QCOMPARE(scenario->moves.size(), one.hbm_factors.size());
        QCOMPARE(scenario->moves.front().kernel.name, one.kernels.front().name);
        QVERIFY(scenario->moves.front().on);
        for (std::size_t i = 0; i < scenario->moves.size(); ++i)
            QCOMPARE(scenario->moves[i].bytes[MemoryLevel::hbm], one.hbm_factors[i]);
        QVERIFY(svg_of(golden_case("one")).find("\"moves\"") == std::string::npos);
    }

    void charts_are_as_they_were_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"one", "selected", "spread", "gaps", "rails", "lines", "names", "scenario",
                                 "measured_roof", "theory", "empty"})
            QTest::newRow(name) << name;
    }
    void charts_are_as_they_were() {
        QFETCH(QString, name);
        const auto file = data_folder().parent_path() / "golden" / "svg" / (name.toStdString() + ".svg");
        const std::string svg = svg_of(golden_case(name));
        if (qEnvironmentVariableIsSet("ROOFWALK_UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << svg;
        std::ostringstream golden;
        golden << std::ifstream(file, std::ios::binary).rdbuf();
        QVERIFY2(!golden.str().empty(), "no golden file");
        QCOMPARE(svg, golden.str());
    }
    void the_line_of_a_selected_kernel_is_dashed_and_in_no_colour_of_a_roof() {
        const QString svg = QString::fromStdString(svg_of(golden_case("lines")));
        const QString lines = svg.section("<g id=\"kernel-lines\"", 1).section("</g>", 0, 0);
        const auto highlight = QString::fromStdString(to_hex(palette_of(Theme::light).highlight));
        QVERIFY(lines.contains("stroke-dasharray=\"3 2\"") && lines.count("class=\"kernel-line\"") == 3);
        QVERIFY(svg.contains(highlight) && !lines.contains(highlight));
        QCOMPARE(svg.count("stroke-dasharray=\"3 2\""), 2);  // of the lines, and of their sample
    }
    void a_golden_chart_has_whiskers() {
        const QString legend = QStringLiteral("whiskers: launches that differ");
        QVERIFY(QString::fromStdString(svg_of(golden_case("rails"))).contains(legend));
        QVERIFY(!QString::fromStdString(svg_of(golden_case("one"))).contains(legend));
    }
    void the_same_scene_gives_the_same_bytes_in_any_locale() {
        const std::string before = svg_of(golden_case("spread"));
        const std::locale classic =
            std::locale::global(std::locale(std::locale::classic(), new GermanNumbers));
        const std::string after = svg_of(golden_case("spread"));
        std::locale::global(classic);
        QCOMPARE(after, before);
    }
    void every_chart_is_well_formed() {
        for (const char* name : {"one", "selected", "spread", "gaps", "rails", "lines", "names", "scenario",
                                 "measured_roof", "theory", "empty"}) {
            QXmlStreamReader reader(QByteArray::fromStdString(svg_of(golden_case(name))));
            while (!reader.atEnd())
                reader.readNext();
            QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        }
    }
    void names_of_strangers_stay_text() {
        const std::string svg = svg_of(golden_case("names"));
        QCOMPARE(svg.find("<script"), std::string::npos);
        QVERIFY(svg.find("]]>") == std::string::npos);
    }
    void nothing_leaks_into_an_embedding_page() {
        const std::string svg = svg_of(golden_case("selected"));
        QCOMPARE(svg.find("<style"), std::string::npos);
        QVERIFY(svg.find("clip-path=\"url(#plot-clip)\"") != std::string::npos);
    }
    void the_numbers_are_inside() {
        const QString text = text_of(svg_of(golden_case("selected")), "roofwalk-data");
        const QJsonObject data = QJsonDocument::fromJson(text.toUtf8()).object();
        QCOMPARE(data["format"].toString(), QString("roofwalk-chart"));
        QCOMPARE(data["roofs"].toArray().size(), 4);
        const QJsonArray row = data["kernels"].toArray()[0].toArray();
        QCOMPARE(row.size(), data["columns"].toArray().size());
        QCOMPARE(data["names"].toArray()[row[0].toInt()].toString(),
                 QString("three_levels(float const*, float*)"));
        QCOMPARE(row[1].toDouble(), 1e-3);
        QCOMPARE(row[2].toDouble(), 1e9);
        QCOMPARE(row[4].toDouble(), 1e9);
        QCOMPARE(row[6].toDouble(), 4e9);
    }
    void the_numbers_of_drawn_targets_are_inside() {
        const auto targets_of = [](const Case& one) {
            const QString text = text_of(svg_of(one), "roofwalk-data");
            return QJsonDocument::fromJson(text.toUtf8()).object()["targets"].toArray();
        };
        Case gaps = golden_case("gaps");
        const ChartFixture fixture(gaps.kernels);
        const QJsonArray targets = targets_of(gaps);
        QCOMPARE(targets.size(), 3);
        for (const QJsonValue& value : targets) {
            const QJsonObject target = value.toObject();
            const KernelPoint& point =
                fixture.analysis.points[static_cast<std::size_t>(target["dot"].toInt())];
            QCOMPARE(target["operation"].toString().toStdString(), point.target->operation->text);
            QCOMPARE(target["operation_source"].toString(), QString("profile"));
            const auto near = [&](const char* key, double expected) {
                return std::abs(target[key].toDouble() / expected - 1) < 1e-5;
            };
            QVERIFY(near("work", point.target->work.value()));
            QVERIFY(near("bytes", point.target->bytes.value()));
            QVERIFY(near("intensity", point.target->intensity->value()));
            QVERIFY(near("vertical_gap", point.gap->factor));
            QVERIFY(near("horizontal_gap", *point.target->gap));
            QVERIFY(near("byte_gap", *point.target->byte_gap));
            QVERIFY(near("useful_gap", *point.target->useful));
            QVERIFY(near("potential", *point.target->potential));
        }
        gaps.options.gaps = 0;
        QCOMPARE(targets_of(gaps).size(), 1);  // of the selection
        QVERIFY(targets_of(golden_case("selected")).isEmpty());
    }
    void hostile_names_come_back_from_the_metadata() {
        const QString text = text_of(svg_of(golden_case("names")), "roofwalk-data");
        const QJsonArray names = QJsonDocument::fromJson(text.toUtf8()).object()["names"].toArray();
        QCOMPARE(names[0].toString(),
                 QString::fromUtf8(
                     "void a<b, \"c\" & 'd'>]]>::run</title><script>alert(1)</script>(int)\uFFFD\u0001"));
    }
    void a_large_chart_is_scaled_up() {
        Case one = golden_case("one");
        one.size = {2400, 1600};
        QVERIFY(svg_of(one).find("width=\"2400\" height=\"1600\" viewBox=\"0 0 1200 800\"") !=
                std::string::npos);
        one.size = {400, 300};
        QVERIFY(svg_of(one).find("viewBox=\"0 0 400 300\"") != std::string::npos);
    }
    void a_lower_bound_says_so_in_titles_and_numbers() {
        ChartFixture fixture({three_levels(), three_levels()});
        fixture.profile.launches[0].uncounted.tensor = true;
        fixture.analysis = analyse(fixture.profile, {});
        const Scene scene = fixture.scene();
        const auto smem = std::ranges::find_if(
            scene.dots, [](const Dot& dot) { return dot.point == 0 && dot.level == MemoryLevel::smem; });
        const std::string title = dot_title(fixture.analysis, *smem);
        QVERIFY2(title.find("; SMEM ≥ 0.250 FLOP/byte, ≥ 1.00 TFLOP/s; SMEM 4.00 GB at 4.00 TB/s (20.0 %); "
                            "1.00 ms, ") != std::string::npos,
                 title.c_str());
        const std::string svg = to_svg(scene, fixture.analysis, {});
        QVERIFY(
            svg.find(
                "; DRAM ≥ 1.00, L2 ≥ 0.500, SMEM ≥ 0.250 FLOP/byte, ≥ 1.00 TFLOP/s; DRAM 1.00 GB at 1.00 TB/s "
                "(50.0 %), L2 2.00 GB at 2.00 TB/s (40.0 %), SMEM 4.00 GB at 4.00 TB/s (20.0 %); 1.00 ms, "
                "50.0 % of the time</title>") != std::string::npos);
        const QJsonObject data = QJsonDocument::fromJson(text_of(svg, "roofwalk-data").toUtf8()).object();
        const auto column = data["columns"].toArray().toVariantList().indexOf("work_is_lower_bound");
        QVERIFY(column > 0);
        QVERIFY(data["kernels"][0][static_cast<int>(column)].toBool());
    }
    void several_reports_stand_in_titles_and_numbers() {
        ChartFixture fixture({three_levels(), three_levels()});
        fixture.profile.sources.resize(2);
        fixture.profile.sources[0].path = "a.json";
        fixture.profile.sources[1].path = "b<c>.json";
        fixture.profile.launches[1].source = SourceIndex{1};
        fixture.analysis = analyse(fixture.profile, {});
        const std::string svg = to_svg(fixture.scene(), fixture.analysis, {});
        QVERIFY(svg.find("<title>three_levels, a.json: ") != std::string::npos);
        QVERIFY(svg.find("<title>three_levels, b&lt;c&gt;.json: ") != std::string::npos);
        const QJsonObject data = QJsonDocument::fromJson(text_of(svg, "roofwalk-data").toUtf8()).object();
        QCOMPARE(data["sources"].toArray().toVariantList(), (QVariantList{"a.json", "b<c>.json"}));
        const auto column = static_cast<int>(data["columns"].toArray().toVariantList().indexOf("source"));
        QVERIFY(column > 0);
        QCOMPARE(data["kernels"][1][column].toInt(), 1);
    }
    void what_was_measured_is_inside_too() {
        const QString text = text_of(svg_of(golden_case("scenario")), "roofwalk-data");
        const QJsonObject data = QJsonDocument::fromJson(text.toUtf8()).object();
        const QJsonArray paths = data["paths"].toArray();
        QVERIFY(paths.size() >= 3);
        const QJsonArray path = paths.last().toArray();
        QCOMPARE(path.size(), 4);  // dot, level, two places
        const QJsonArray place = path[2].toArray();
        const ChartFixture fixture(spread_kernels(6));
        const KernelPoint& point = fixture.analysis.points[static_cast<std::size_t>(path[0].toInt())];
        const auto level = enum_from_id<MemoryLevel>(path[1].toString().toStdString());
        QVERIFY(std::abs(place[0].toDouble() / point.at(*level)->intensity->value() - 1) < 1e-5);
        QVERIFY(std::abs(place[1].toDouble() / point.performance->value() - 1) < 1e-5);
    }
    void roofs_and_the_selected_kernel_are_seen_over_a_crowd() {
        Case few = golden_case("one");
        QVERIFY(svg_of(few).find("id=\"roofs\"") < svg_of(few).find("id=\"dots\""));
        SceneOptions options;
        options.selected = 7;
        const ChartFixture fixture(spread_kernels(400));
        const std::string svg = to_svg(fixture.scene(options), fixture.analysis, {});
        const auto dots = svg.find("id=\"dots\"");
        const auto roofs = svg.find("id=\"roofs\"");
        QVERIFY(dots < roofs && roofs < svg.find("class=\"ring\""));
    }
    void dots_have_titles() {
        const std::string svg = svg_of(golden_case("one"));
        QVERIFY(
            svg.find(
                "50.0 % of DRAM; DRAM 1.00, L2 0.500, SMEM 0.250 FLOP/byte, 1.00 TFLOP/s; DRAM 1.00 GB at 1.00 "
                "TB/s (50.0 %), L2 2.00 GB at 2.00 TB/s (40.0 %), SMEM 4.00 GB at 4.00 TB/s (20.0 %); 1.00 ms, "
                "100.0 % of the time</title>") != std::string::npos);
    }
};

}  // namespace tst_svg_writer

ROOFWALK_TEST(tst_svg_writer, TestSvgWriter, NoApplication)
#include "tst_svg_writer.moc"
