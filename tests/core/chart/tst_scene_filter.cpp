// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include "core/chart/svg/svg_writer.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene_filter {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Scene filtered(const ChartFixture& fixture, const std::vector<std::uint32_t>& points,
               const SceneOptions& options = {}) {
    std::vector<bool> shown(fixture.analysis.points.size());
    for (const std::uint32_t point : points)
        shown[point] = true;
    return build_scene(fixture.profile, fixture.analysis, options, shown);
}

KernelFacts called(const char* name, double time) {
    KernelFacts kernel = three_levels();
    kernel.name = name;
    kernel.time = time;
    return kernel;
}

bool tells(const Scene& scene, std::string_view word) {
    std::string words = scene.caption + scene.summary + scene.empty_note;
    for (const LegendRow& row : scene.legend)
        words += row.text;
    for (const DotName& name : scene.names)
        words += name.text;
    return words.find(word) != std::string::npos;
}

}  // namespace

class TestSceneFilter : public QObject {
    Q_OBJECT

  private slots:
    void axes_and_roofs_stay_those_of_all_kernels() {
        const ChartFixture fixture(spread_kernels(40));
        const Scene all = fixture.scene();
        const Scene some = filtered(fixture, {30, 31});
        QCOMPARE(some.x.lo, all.x.lo);
        QCOMPARE(some.x.hi, all.x.hi);
        QCOMPARE(some.y.lo, all.y.lo);
        QCOMPARE(some.y.hi, all.y.hi);
        QCOMPARE(some.roofs.size(), all.roofs.size());
        for (const Dot& dot : some.dots)
            QVERIFY(dot.point == 30 || dot.point == 31);
        QCOMPARE(some.dots.size(), std::size_t{4});
    }
    void the_longest_of_the_shown_kernels_are_named() {
        const ChartFixture fixture(spread_kernels(40));
        std::vector<std::uint32_t> last_ten;
        for (std::uint32_t point = 30; point < 40; ++point)
            last_ten.push_back(point);
        const Scene scene = filtered(fixture, last_ten);
        QCOMPARE(lay_out(scene, whole(scene)).names.size(), std::size_t{8});
        QCOMPARE(scene.dots[scene.names[0].dot].point, 30U);
        QVERIFY2(scene.summary.starts_with("Roofline of 10 kernels on Test GPU"), scene.summary.c_str());
        QVERIFY(scene.summary.find("most time: spread::kernel_30") != std::string::npos);
    }
    void rails_legend_and_caption_tell_of_shown_kernels_only() {
        KernelFacts copy = called("copy", 9e-3);
        copy.work = {{fp32, 0}};
        const ChartFixture fixture(
            {copy, {"unknown", 8e-3, {}, {}}, called("heavy", 7e-3), called("light", 1e-3)});
        SceneOptions options;
        options.colour_by = ColourBy::kernel;
        const Scene all = fixture.scene(options);
        QVERIFY(!all.rails.empty() && tells(all, "not drawn") && tells(all, "copy") && tells(all, "heavy"));
        const Scene some = filtered(fixture, {3}, options);
        QVERIFY(some.rails.empty());
        QVERIFY(!tells(some, "not drawn") && !tells(some, "copy") && !tells(some, "heavy"));
        QVERIFY(tells(some, "light"));
        QCOMPARE(some.y.lo, all.y.lo);
    }
    void nothing_is_drawn_of_a_hidden_selection() {
        const ChartFixture fixture({called("hidden", 1e-3), called("shown", 1e-3)});
        SceneOptions options;
        options.selected = 0;
        options.also_selected = {0, 1};
        const Scene scene = filtered(fixture, {1}, options);
        QVERIFY(!scene.options.selected && scene.gaps.empty());
        QCOMPARE(scene.options.also_selected, std::vector<std::uint32_t>{1});
        QVERIFY(std::ranges::none_of(scene.roofs, &Roof::highlighted));
    }
    void an_empty_chart_says_that_the_filter_did_it() {
        const ChartFixture fixture({three_levels()});
        QCOMPARE(filtered(fixture, {}).empty_note, std::string("No kernel matches the filter"));
        QVERIFY(filtered(fixture, {0}).empty_note.empty());
    }
    void a_hidden_kernel_is_nowhere_in_the_file() {
        const ChartFixture fixture({called("secret_kernel", 5e-3), called("public_kernel", 1e-3)});
        SceneOptions options;
        options.gaps = 2;
        QVERIFY(to_svg(fixture.scene(options), fixture.analysis).find("secret") != std::string::npos);
        const std::string svg = to_svg(filtered(fixture, {1}, options), fixture.analysis);
        QCOMPARE(svg.find("secret"), std::string::npos);
        QVERIFY(svg.find("id=\"k1\"") != std::string::npos && svg.find("id=\"k0\"") == std::string::npos);
        const auto from = svg.find('{', svg.find("<metadata"));
        const QByteArray text = QByteArray::fromStdString(svg.substr(from, svg.find("</metadata>") - from));
        const QJsonObject data = QJsonDocument::fromJson(text).object();
        QCOMPARE(data["names"].toArray(), QJsonArray{"public_kernel"});
        QCOMPARE(data["kernels"].toArray().size(), 1);
        QCOMPARE(data["columns"].toArray().last().toString(), QString("dot"));
        QCOMPARE(data["kernels"][0].toArray().last().toInt(), 1);
    }
};

}  // namespace tst_scene_filter

ROOFWALK_TEST(tst_scene_filter, TestSceneFilter, NoApplication)
#include "tst_scene_filter.moc"
