// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout.h"
#include "core/chart/scene/nested_dots.h"
#include "core/operations/op_binding.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scene_targets {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

SceneOptions selecting(std::uint32_t point) {
    SceneOptions options;
    options.selected = point;
    return options;
}

TargetMark mark_of(const KernelFacts& kernel) {
    const Scene scene = ChartFixture({kernel}).scene(selecting(0));
    if (scene.targets.size() != 1) qFatal("%zu targets", scene.targets.size());
    return scene.targets.front();
}

}  // namespace

class TestSceneTargets : public QObject {
    Q_OBJECT

  private slots:
    void the_horizontal_gap_goes_from_the_dot_to_its_algorithm() {
        const TargetMark mark = mark_of(far_from_algorithm());
        QCOMPARE(mark.y, 1e12);
        QCOMPARE(mark.from, 1.0);
        QCOMPARE(mark.to, 4.0);
        QCOMPARE(mark.useful_to, 2.5);
        QVERIFY(mark.selected);
        QCOMPARE(
            mark.label,
            std::string("4.00x left of its algorithm, 2.50x useful until L2 binds; both gaps: 5.00x faster"));
        QCOMPARE(mark.tick_label, std::string("custom (profile)"));
        QCOMPARE(mark.note,
                 std::string("algorithmic AI 4.00 FLOP/byte of custom flops=1e9 read=1.5e8 write=1e8 "
                             "(algorithm field of the profile)"));
    }

    void the_legend_names_the_dashed_lines_that_are_seen() {
        const auto dashed = [](const KernelFacts& kernel, const SceneOptions& options) {
            const Scene scene = ChartFixture({kernel}).scene(options);
            QStringList rows;
            for (const LegendRow& row : scene.legend)
                if (row.text.starts_with("dashed")) rows.append(QString::fromStdString(row.text));
            return rows.join('|');
        };
        KernelFacts kernel = far_from_algorithm();
        QCOMPARE(dashed(kernel, selecting(0)),
                 QString("dashed arrow across: to its algorithm, solid where that gains"));
        QCOMPARE(dashed(kernel, {}), QString(""));
        SceneOptions without_its_roof = selecting(0);
        without_its_roof.levels[MemoryLevel::hbm] = false;
        QCOMPARE(dashed(kernel, without_its_roof), QString("dashed line where an arrow ends: its limit"));
        kernel.algorithm = "custom flops=1e9 read=1e9 write=1e9";
        QCOMPARE(dashed(kernel, selecting(0)), QString("dashed arrow across: to its algorithm"));
        kernel.algorithm = "custom flops=1e9 read=5e8 write=5e8";
        QCOMPARE(dashed(kernel, selecting(0)), QString(""));
    }

    void the_tick_says_who_names_the_operation_or_that_it_is_assumed() {
        KernelFacts kernel = far_from_algorithm();
        UserBinding binding{kernel.name, std::nullopt, kernel.algorithm};
        kernel.algorithm.clear();
        ChartFixture fixture({kernel});
        for (const auto& [assumption, label] :
             {std::pair("", "custom (user)"), std::pair("none is asked for twice", "custom (assumed)")}) {
            binding.assumption = assumption;
            AnalysisOptions options;
            options.launch_operations =
                std::make_shared<const LaunchOperations>(bind_operations(fixture.profile, {{binding}, {}}));
            fixture.analysis = analyse(fixture.profile, options);
            QCOMPARE(fixture.scene(selecting(0)).targets.at(0).tick_label, std::string(label));
        }
    }

    void a_gap_that_is_useful_to_its_end_says_its_factor_alone() {
        KernelFacts kernel = far_from_algorithm();
        kernel.traffic.pop_back();
        const TargetMark mark = mark_of(kernel);
        QCOMPARE(mark.label, std::string("4.00x left of its algorithm; both gaps: 8.00x faster"));
        QCOMPARE(mark.useful_to, 4.0);
    }

    void a_kernel_on_its_roof_has_one_gap_only() {
        KernelFacts kernel = far_from_algorithm();
        kernel.time = 1e9 / 2e12;
        QCOMPARE(mark_of(kernel).label,
                 std::string("4.00x left of its algorithm, 2.50x useful until L2 binds"));
    }

    void a_kernel_past_its_ridge_has_no_useful_part() {
        KernelFacts kernel = far_from_algorithm();
        kernel.work = {{fp32, 16e9}};
        kernel.algorithm = "custom flops=16e9 read=1.5e8 write=1e8";
        const TargetMark mark = mark_of(kernel);
        QCOMPARE(mark.from, 16.0);
        QCOMPARE(mark.useful_to, 16.0);
        QCOMPARE(mark.label,
                 std::string("4.00x left of its algorithm, fewer DRAM bytes alone gain nothing: FP32 binds"));
    }

    void a_kernel_right_of_its_algorithm_is_drawn_leftwards() {
        KernelFacts kernel = far_from_algorithm();
        kernel.algorithm = "custom flops=1e9 read=1e9 write=1e9";
        const Scene scene = ChartFixture({kernel}).scene(selecting(0));
        QCOMPARE(scene.targets.at(0).label, std::string("2.00x right of its algorithm"));
        QCOMPARE(scene.targets.at(0).to, 0.5);
        const Layout layout = lay_out(scene, {plot_area, scene.x, scene.y});
        QVERIFY(layout.targets.at(0).to.x < layout.targets.at(0).from.x);
        QVERIFY(layout.useful_parts.empty());
    }

    void a_kernel_at_its_algorithm_says_so() {
        KernelFacts kernel = far_from_algorithm();
        kernel.algorithm = "custom flops=1e9 read=1e9 write=0";
        QCOMPARE(mark_of(kernel).label, std::string("at its algorithm"));
    }

    void the_others_are_drawn_on_demand() {
        const ChartFixture fixture({far_from_algorithm(), far_from_algorithm(), three_levels()});
        QVERIFY(fixture.scene().targets.empty());
        SceneOptions options;
        options.gaps = 3;
        QCOMPARE(fixture.scene(options).targets.size(), std::size_t{2});
        QVERIFY(!fixture.scene(options).targets[0].selected);
    }

    void without_hbm_on_the_chart_nothing_is_drawn() {
        SceneOptions options = selecting(0);
        options.levels[MemoryLevel::hbm] = false;
        QVERIFY(ChartFixture({far_from_algorithm()}).scene(options).targets.empty());
    }

    void the_axis_holds_every_target() {
        KernelFacts kernel = far_from_algorithm();
        kernel.algorithm = "custom flops=1e9 read=1000 write=0";
        const ChartFixture fixture({kernel});
        QVERIFY(fixture.scene().x.hi > 1e6);
        QVERIFY(fixture.scene(selecting(0)).x.hi == fixture.scene().x.hi);
    }

    void a_target_outside_the_view_keeps_its_line_and_loses_its_tick() {
        const Scene scene = ChartFixture({far_from_algorithm()}).scene(selecting(0));
        View view{plot_area, scene.x, scene.y};
        view.x.hi = 2;
        const Layout layout = lay_out(scene, view);
        QVERIFY(layout.target_ticks.empty() && layout.target_tick_labels.empty());
        QCOMPARE(layout.targets.size(), std::size_t{1});
        QVERIFY(std::abs(layout.targets[0].to.x - plot_area.right()) < 1e-6);
        view.y.lo = 2e12;
        view.y.hi = 2e13;
        QVERIFY(lay_out(scene, view).targets.empty());
    }

    void the_labels_of_a_selection_are_always_there() {
        const Scene scene = ChartFixture({far_from_algorithm()}).scene(selecting(0));
        for (const RectF plot : {plot_area, RectF{40, 30, 420, 260}}) {
            const Layout layout = lay_out(scene, {plot, scene.x, scene.y});
            QCOMPARE(layout.target_labels.size(), std::size_t{1});
            QCOMPARE(layout.target_tick_labels.size(), std::size_t{1});
            QCOMPARE(layout.gap_labels.size(), std::size_t{1});
        }
    }

    void a_dot_on_its_tick_leaves_the_name_clear_of_its_ring() {
        constexpr double ring = 4;  // [px]
        KernelFacts kernel = far_from_algorithm();
        kernel.algorithm = "custom flops=1e9 read=5e8 write=4.5e8";
        const Scene scene = ChartFixture({kernel}).scene(selecting(0));
        const View view{plot_area, scene.x, scene.y};
        const Layout layout = lay_out(scene, view);
        QCOMPARE(layout.target_tick_labels.size(), std::size_t{1});
        for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
            QVERIFY(LabelBox(layout.target_tick_labels[0])
                        .distance_to_circle(dot_position(scene.dots[i], view),
                                            painted_radius(scene.dots, i, view) + ring) > 2);
    }

    void the_summary_says_both_gaps() {
        QVERIFY(ChartFixture({far_from_algorithm()})
                    .scene(selecting(0))
                    .summary.ends_with("moves 4.00x as many DRAM bytes as its operation needs."));
    }
};

}  // namespace tst_scene_targets

ROOFWALK_TEST(tst_scene_targets, TestSceneTargets, NoApplication)
#include "tst_scene_targets.moc"
