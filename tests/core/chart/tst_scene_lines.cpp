// SPDX-License-Identifier: GPL-3.0-or-later
// What stands for a kernel without counted work: its marks at the edge, its line and its arrow to what is
// nearest.
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_scene_lines {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;
constexpr Boundary l1 = Boundary::l1_unified;

/// Without it the SM may be what is nearer to its limit.
void know_sm(ChartFixture& fixture) {
    for (Launch& launch : fixture.profile.launches)
        launch.metrics.push_back({fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 0.1});
    fixture.analysis = analyse(fixture.profile, {});
}

}  // namespace

class TestSceneLines : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_without_counted_work_is_a_line_as_far_below_its_roof_as_it_is() {
        ChartFixture fixture(
            {{"line", 1e-3, {}, {{hbm, 1e9}, {l2, 2e9}}}, {"dot", 1e-4, {{fp32, 1e8}}, {{hbm, 1e8}}}});
        Scene scene = fixture.scene();
        QCOMPARE(std::ranges::count(scene.lines, true, &KernelLine::whole), 1);
        QCOMPARE(scene.lines.size(), std::size_t{2});
        std::ranges::sort(scene.lines, {}, &KernelLine::level);
        QVERIFY(scene.lines[0].whole);
        QCOMPARE(scene.lines[0].rate, 1e12);
        QCOMPARE(scene.lines[0].ends_at, 20.0);  // at the FP32 roof of 20 TFLOP/s
        QCOMPARE(std::ranges::count(scene.dots, Rail::edge, &Dot::rail), 2);
        SceneOptions selected;
        selected.selected = 0;
        scene = fixture.scene(selected);
        QCOMPARE(std::ranges::count(scene.lines, true, &KernelLine::whole), 2);  // of each level
        QCOMPARE(scene.gaps.size(), std::size_t{1});
        QCOMPARE(scene.gaps[0].to / scene.gaps[0].from, 2.0);
        QVERIFY(roof(scene, "roof-hbm")->highlighted);
    }
    void the_arrow_of_a_line_goes_to_the_level_nearest_to_its_limit() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}, {l1, 8e9}}}});
        fixture.profile.devices.front().ceilings.bandwidth.push_back({l1, ByteRate(10e12), {}});
        know_sm(fixture);
        SceneOptions options;
        options.selected = 0;
        options.levels = fixture.analysis.options.levels;
        QVERIFY(options.levels[MemoryLevel::l1]);
        Scene scene = fixture.scene(options);
        QCOMPARE(scene.gaps.at(0).to / scene.gaps.at(0).from, 1.25);
        QCOMPARE(scene.gaps.at(0).label, std::string("1.25x below L1 (80.0 %)"));
        QVERIFY(roof(scene, "roof-l1")->highlighted && !roof(scene, "roof-hbm")->highlighted);
        options.levels[MemoryLevel::l1] = false;
        scene = fixture.scene(options);
        QCOMPARE(scene.gaps.at(0).label, std::string("1.25x below L1 by bytes (80.0 %)"));
        QCOMPARE(scene.gaps.at(0).brief, std::string("1.25x below L1 by bytes"));
    }
    void the_arrow_of_a_line_ends_at_the_unit_that_is_nearer_to_its_limit() {
        const auto label_with = [](double busy) {
            ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}}}});
            fixture.profile.launches.front().metrics.push_back(
                {fixture.profile.texts.intern(metric_of(HardwareUnit::l1tex)), busy});
            know_sm(fixture);
            SceneOptions options;
            options.selected = 0;
            const Scene scene = fixture.scene(options);
            const GapMark& gap = scene.gaps.at(0);
            if (roof(scene, "roof-hbm")->highlighted != (busy < 50)) qFatal("Another roof limits the line");
            // As fast as the limit that the words name allows.
            const double share = std::max(busy / 100, 0.5);
            return std::abs(gap.to / gap.from * share - 1) < 1e-9 ? gap.label : std::string();
        };
        QCOMPARE(label_with(80), std::string("1.25x below L1TEX (80.0 % busy)"));  // one factor
        QCOMPARE(label_with(40), std::string("2.00x below DRAM (50.0 %)"));
    }
    void the_arrow_of_bytes_alone_is_as_long_as_it_can_be() {
        const ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}}}});  // the SM may be nearer to its limit
        SceneOptions options;
        options.selected = 0;
        QVERIFY(fixture.scene(options).gaps.at(0).label.starts_with("≤ 2.00x below DRAM"));
    }
    void the_arrow_of_a_busy_sm_ends_at_a_mark_as_high_as_the_compute_roof() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 0.1e9}}}});
        fixture.profile.launches.front().metrics.push_back(
            {fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 80});
        fixture.analysis = analyse(fixture.profile, {});
        SceneOptions options;
        options.selected = 0;
        const Scene scene = fixture.scene(options);
        const GapMark& gap = scene.gaps.at(0);
        QCOMPARE(gap.label, std::string("1.25x below SM (80.0 % busy)"));
        QCOMPARE(gap.brief, std::string("1.25x below SM"));
        QVERIFY(std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
            return std::holds_alternative<Pipe>(roof.target) && std::abs(roof.rate / gap.to - 1) < 1e-9;
        }));
        // FLOP were not counted: what keeps the SM busy may be other work than that of the roof.
        QVERIFY(gap.binding_roof_piece == BindingRoofPiece::flat);
        QVERIFY(std::ranges::none_of(scene.roofs, &Roof::highlighted));
        const auto line = std::ranges::find(scene.lines, 0U, &KernelLine::point);
        QVERIFY(line != scene.lines.end() && std::abs(gap.x / line->ends_at - 1) < 1e-9);
    }
    void the_arrow_tells_the_factor_of_the_limit_whatever_a_launch_takes_at_least() {
        // 4 GB/s of 2 TB/s, in twice the usual least time.
        ChartFixture fixture({{"short", 4e-6, {}, {{hbm, 1.6e4}}}, {"long", 1e-3, {}, {{hbm, 1e9}}}});
        know_sm(fixture);
        SceneOptions options;
        options.selected = 0;
        const GapMark gap = fixture.scene(options).gaps.at(0);
        QVERIFY(std::abs(gap.to / gap.from / 500 - 1) < 1e-9);  // which the arrow spans
        QVERIFY(gap.label.starts_with("500x below DRAM") && gap.brief.find("500x") != std::string::npos);
        options.selected = 1;
        QCOMPARE(fixture.scene(options).gaps.at(0).label, std::string("2.00x below DRAM (50.0 %)"));
    }
    void where_launches_bind_the_arrow_ends_at_what_they_allow() {
        // 4 GB/s of 2 TB/s, in 1.2 times the usual least time: no roof is in reach.
        ChartFixture fixture({{"short", 2.4e-6, {}, {{hbm, 9.6e3}}}});
        know_sm(fixture);
        SceneOptions options;
        options.selected = 0;
        const GapMark gap = fixture.scene(options).gaps.at(0);
        QVERIFY(std::abs(gap.to / gap.from - 1.2) < 1e-9);
        QVERIFY(gap.label.starts_with("1.20x below launch limit") && gap.side.empty());
        QVERIFY(gap.binding_roof_piece == BindingRoofPiece::flat);
    }
    void a_unit_that_the_class_rests_on_ends_the_arrow_of_a_dot() {
        ChartFixture fixture({{"dot", 1e-3, {{fp32, 1e9}}, {{hbm, 0.5e9}, {l2, 0.5e9}}}});
        for (const auto unit : {HardwareUnit::l1tex, HardwareUnit::sm})
            fixture.profile.launches.front().metrics.push_back(
                {fixture.profile.texts.intern(metric_of(unit)), unit == HardwareUnit::sm ? 80.0 : 20.0});
        fixture.analysis = analyse(fixture.profile, {});
        SceneOptions options;
        options.selected = 0;
        const KernelPoint& point = fixture.analysis.points.front();
        QVERIFY(point.verdict.busy && point.gap);
        const Scene scene = fixture.scene(options);
        QVERIFY(std::abs(scene.gaps.at(0).to / scene.gaps[0].from - 1.25) < 1e-9);
        QCOMPARE(scene.gaps[0].label, std::string("1.25x below SM (80.0 % busy)"));
        QVERIFY(scene.gaps[0].binding_roof_piece == BindingRoofPiece::flat);
    }
    void where_no_pipe_has_a_ceiling_the_roof_is_above_the_dots_and_the_arrow_goes_to_what_is_nearest() {
        // 1 TFLOP/s at 1 and 0.5 FLOP/byte: HBM at 50 % and L2 at 40 %.
        ChartFixture fixture({{"dot", 1e-3, {{fp32, 1e9}}, {{hbm, 1e9}, {l2, 2e9}}}});
        fixture.profile.devices.front().ceilings.compute.clear();
        const auto gap_with = [&](double busy) {
            fixture.profile.launches.front().metrics = {
                {fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), busy}};
            fixture.analysis = analyse(fixture.profile, {});
            SceneOptions options;
            options.selected = 0;
            const Scene scene = fixture.scene(options);
            if (fixture.analysis.points.front().gap || !scene.y.holds(2e12) || !scene.y.holds(2.5e12))
                qFatal("No roof above the dot, or one that decides");
            return scene.gaps.at(0);
        };
        const GapMark unit = gap_with(80);
        QCOMPARE(unit.x, 1.0);
        QVERIFY(std::abs(unit.to / unit.from - 1.25) < 1e-9);
        QCOMPARE(unit.label, std::string("1.25x below SM (80.0 % busy)"));
        QVERIFY(unit.binding_roof_piece == BindingRoofPiece::flat);
        const GapMark level = gap_with(40);
        QVERIFY(std::abs(level.to - 2e12) < 1);
        QVERIFY(level.binding_roof_piece == BindingRoofPiece::none);
    }
    void arrows_of_lines_stand_side_by_side_where_they_are_seen() {
        ChartFixture fixture({{"long", 2e-3, {}, {{hbm, 2e9}}}, {"short", 1e-3, {}, {{hbm, 0.5e9}}}});
        SceneOptions options;
        options.gaps = 2;
        Scene scene = fixture.scene(options);
        QCOMPARE(scene.gaps.size(), std::size_t{2});
        QVERIFY(scene.gaps[1].x < 0.9 * scene.gaps[0].x);
        // The line of a nearly idle SM ends near the left of the chart.
        fixture.profile.launches.front().metrics.push_back(
            {fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 1});
        fixture.analysis = analyse(fixture.profile, {});
        scene = fixture.scene(options);
        const auto line = std::ranges::find(scene.lines, 0U, &KernelLine::point);
        QVERIFY(line != scene.lines.end() && scene.x.holds(line->ends_at));
        QVERIFY(scene.gaps[0].x > scene.x.lo && scene.gaps[0].x < line->ends_at);
    }
    void launches_of_a_line_that_differ_are_told_in_its_title_without_a_whisker() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}}}});
        Launch other = fixture.profile.launches.back();
        other.traffic[0].total = Bytes(0.25e9);
        fixture.profile.launches.push_back(other);
        fixture.analysis = analyse(fixture.profile, {});
        const Scene scene = fixture.scene();
        QVERIFY(scene.launch_ranges.empty());
        QVERIFY(std::ranges::none_of(scene.legend,
                                     [](const LegendRow& row) { return row.text.starts_with("whiskers"); }));
        QVERIFY(dot_title(fixture.analysis, dot_of(scene.lines.at(0)))
                    .find("2 launches, 0.250 to 1.00 TB/s at DRAM") != std::string::npos);
    }
    void where_several_lines_end_each_end_tells_its_kernel() {
        const auto labels_of = [](const std::vector<KernelFacts>& kernels) {
            ChartFixture fixture(kernels);
            for (Launch& launch : fixture.profile.launches)
                launch.metrics.push_back({fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 25});
            fixture.analysis = analyse(fixture.profile, {});
            std::vector<std::string> labels;
            for (const KernelCeiling& end : fixture.scene().kernel_ceilings)
                labels.push_back(end.label);
            return labels;
        };
        const KernelFacts first{"first", 2e-3, {}, {{hbm, 2e9}}};
        const std::vector<std::string> alone = labels_of({first});
        QCOMPARE(alone.size(), std::size_t{1});
        const std::vector<std::string> both = labels_of({first, {"second", 1e-3, {}, {{hbm, 0.5e9}}}});
        QCOMPARE(both.size(), std::size_t{2});
        for (const std::string name : {"first", "second"}) {
            QVERIFY(!alone[0].starts_with(name));
            QCOMPARE(std::ranges::count(both, name + ": " + alone[0]), 1);
        }
    }
    void a_bar_ends_each_line_of_the_selected_kernel_and_one_has_the_words() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}, {l2, 2e9}}}});
        fixture.profile.launches.front().metrics.push_back(
            {fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 25});
        fixture.analysis = analyse(fixture.profile, {});
        SceneOptions options;
        options.selected = 0;
        const Scene scene = fixture.scene(options);
        QCOMPARE(scene.kernel_ceilings.size(), std::size_t{2});
        QCOMPARE(scene.kernel_ceilings[0].y, scene.kernel_ceilings[1].y);
        QCOMPARE(std::ranges::count(scene.kernel_ceilings, std::string(), &KernelCeiling::label), 1);
        QVERIFY(lay_out(scene, whole(scene)).kernel_ceiling_labels.size() <= 1);
    }
    void the_roofs_of_one_gpu_hold_no_share_of_another() {
        ChartFixture fixture({{"own", 2e-3, {}, {{hbm, 1e9}}}, {"other", 1e-3, {}, {{hbm, 1e9}}}});
        fixture.profile.devices.push_back(fixture.profile.devices.front());
        fixture.profile.devices.back().name = "Other GPU";
        Launch& other = fixture.profile.launches.back();
        other.device = DeviceIndex{1};
        other.metrics.push_back({fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 25});
        fixture.analysis = analyse(fixture.profile, {});
        const Scene scene = fixture.scene();
        QCOMPARE(scene.lines.size(), std::size_t{2});
        QCOMPARE(std::ranges::count(scene.lines, true, &KernelLine::other_device), 1);
        const auto line = std::ranges::find(scene.lines, true, &KernelLine::other_device);
        QCOMPARE(line->ends_at * line->rate, 20e12);  // the roof that is drawn
        QVERIFY(scene.kernel_ceilings.empty());
    }
    void the_line_ends_where_the_sm_was_no_busier() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}}}});
        fixture.profile.launches.front().metrics.push_back(
            {fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 25});
        fixture.analysis = analyse(fixture.profile, {});
        const Scene scene = fixture.scene();
        QCOMPARE(scene.lines.at(0).ends_at, 5.0);
        QCOMPARE(scene.kernel_ceilings.at(0).y, 5e12);
        QVERIFY(scene.y.lo <= 5e11);  // a decade of it is seen
    }
    void the_line_of_tensor_work_that_nothing_counted_reaches_to_a_roof_of_tensor_cores() {
        ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}}}});
        Launch& launch = fixture.profile.launches.front();
        launch.metrics.push_back({fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), 25});
        fixture.profile.devices.front().ceilings.compute.push_back(
            {Pipe{PipeKind::tensor_any}, FlopRate(100e12), {}});
        fixture.analysis = analyse(fixture.profile, {});
        QCOMPARE(fixture.scene().lines.at(0).ends_at, 5.0);  // FP32, as none ran
        launch.uncounted.tensor = true;
        fixture.analysis = analyse(fixture.profile, {});
        QCOMPARE(fixture.scene().lines.at(0).ends_at, 25.0);
        const auto has = [](const Scene& scene, Pipe pipe) {
            return std::ranges::find(scene.roofs, CeilingTarget(pipe), &Roof::target) != scene.roofs.end();
        };
        const Pipe int8{PipeKind::tensor_int8};
        fixture.profile.devices.front().ceilings.compute.push_back({int8, FlopRate(200e12), {}});
        AnalysisOptions integer;
        integer.operations = OperationClass::integer;
        fixture.analysis = analyse(fixture.profile, integer);
        QVERIFY(has(fixture.scene(), int8));
        // The name of the kernel tells the type: integer products are no FLOP.
        fixture.profile.kernels.front().name = "cutlass_80_tensorop_i16832gemm_s8_128x64_128x3_tn_align4";
        fixture.analysis = analyse(fixture.profile, {});
        QVERIFY(!has(fixture.scene(), Pipe{PipeKind::tensor_any}) && !has(fixture.scene(), int8));
        fixture.analysis = analyse(fixture.profile, integer);
        QVERIFY(has(fixture.scene(), int8));
    }
    void every_mark_of_a_line_is_hollow_and_begins_its_line() {
        ChartFixture fixture(
            {{"line", 1e-3, {}, {{hbm, 1e9}, {l2, 2e9}}}, {"dot", 1e-4, {{fp32, 1e8}}, {{hbm, 1e8}}}});
        const Scene scene = fixture.scene();
        for (const Dot& dot : scene.dots)
            QCOMPARE(dot.is_hollow(), dot.rail == Rail::edge);
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.kernel_lines.size(), std::size_t{2});
        for (const PlacedLine& placed : layout.kernel_lines) {
            const KernelLine& line = scene.lines[placed.index];
            const PointF mark = dot_position(dot_of(line), whole(scene));
            const double rim = std::hypot(placed.from.x - mark.x, placed.from.y - mark.y);
            QVERIFY(std::abs(rim - static_cast<double>(line.radius)) < 1e-6);
            QCOMPARE(std::hypot(placed.to.x - mark.x, placed.to.y - mark.y) > 40, line.whole);
        }
    }
    void a_line_that_its_mark_covers_is_drawn_whole() {
        const Scene scene = ChartFixture({{"line", 1e-3, {}, {{hbm, 1e9}}}}).scene();
        const KernelLine& line = scene.lines.at(0);
        for (const double share : {1.02, 1.1, 1.3}) {  // of the way to its end is outside
            const View view{plot_area, {line.ends_at / share, 1e3 * line.ends_at}, scene.y};
            const std::vector<PlacedLine> lines = lay_out(scene, view).kernel_lines;
            QCOMPARE(lines.size(), std::size_t{1});
            QCOMPARE(lines[0].from.x, plot_area.x);
            const LogAxis x(view.x, plot_area.x, plot_area.right());
            QVERIFY(std::abs(lines[0].to.x - x.to_pixel(line.ends_at)) < 1e-6);
        }
    }
    void the_legend_explains_a_line_and_the_bar_at_its_end() {
        const auto row_of = [](double busy) {
            ChartFixture fixture({{"line", 1e-3, {}, {{hbm, 1e9}}}});
            if (busy > 0)
                fixture.profile.launches.front().metrics.push_back(
                    {fixture.profile.texts.intern(metric_of(HardwareUnit::sm)), busy});
            fixture.analysis = analyse(fixture.profile, {});
            const Scene scene = fixture.scene();
            const auto row = std::ranges::find(scene.legend, true, &LegendRow::kernel_line);
            return row != scene.legend.end() ? *row : LegendRow{};
        };
        QVERIFY(row_of(0).kernel_line && !row_of(0).bar);
        QVERIFY(row_of(25).bar && row_of(25).text != row_of(0).text);
    }
    void with_many_kernels_without_work_the_longest_and_the_selected_have_lines() {
        std::vector<KernelFacts> kernels;
        for (int i = 0; i < 40; ++i)
            kernels.push_back({"k" + std::to_string(i), 1e-3 / (i + 1), {}, {{hbm, 1e8}}});
        SceneOptions options;
        options.selected = 39;
        const Scene scene = ChartFixture(kernels).scene(options);
        QCOMPARE(scene.dots.size(), std::size_t{40});
        QCOMPARE(std::ranges::count(scene.lines, true, &KernelLine::whole), 4);
        QVERIFY(std::ranges::any_of(scene.lines,
                                    [](const KernelLine& line) { return line.point == 39 && line.whole; }));
    }
};

}  // namespace tst_scene_lines

ROOFWALK_TEST(tst_scene_lines, TestSceneLines, NoApplication)
#include "tst_scene_lines.moc"
