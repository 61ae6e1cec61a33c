// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_measured_roof.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_scene_measured_roof {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

Scene scene_with(const ChartFixture& fixture, const MeasuredCeilings& measured,
                 const SceneOptions& options = {}) {
    Scene scene = fixture.scene(options);
    add_measured_roof(scene, fixture.analysis, measured);
    return scene;
}

bool has_legend_row(const Scene& scene) {
    return std::ranges::any_of(scene.legend, &LegendRow::curve);
}

bool near(double a, double b, double share = 1e-3) {
    return std::abs(a / b - 1) < share;
}

}  // namespace

class TestSceneMeasuredRoof : public QObject {
    Q_OBJECT

  private slots:
    void the_curve_stands_with_its_legend_and_caption() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = scene_with(fixture, swept_device());
        QVERIFY(scene.measured_roof.has_value());
        QVERIFY(near(scene.measured_roof->roof.slope.value(), 1.9e12));
        QVERIFY(near(scene.measured_roof->roof.peak.value(), 19e12));
        QVERIFY(has_legend_row(scene));
        QVERIFY(scene.caption.find("15.9 % below the straight ones") != std::string::npos);
        QVERIFY(scene.measured_roof->note.find("GPU-1") != std::string::npos);
        QVERIFY(scene.measured_roof->note.find("2026-11-22") != std::string::npos);
    }
    void it_can_be_switched_off() {
        SceneOptions options;
        options.measured_roof = false;
        const Scene scene = scene_with(ChartFixture({three_levels()}), swept_device(), options);
        QVERIFY(!scene.measured_roof && !has_legend_row(scene));
    }
    void it_is_not_drawn_without_its_straight_roofs() {
        const ChartFixture fixture({three_levels()});
        SceneOptions no_fp32;
        no_fp32.hidden_pipes = {fp32};
        QVERIFY(!scene_with(fixture, swept_device(), no_fp32).measured_roof);
        SceneOptions no_hbm;
        no_hbm.levels[MemoryLevel::hbm] = false;
        QVERIFY(!scene_with(fixture, swept_device(), no_hbm).measured_roof);
    }
    void integer_work_has_no_such_roof() {
        AnalysisOptions options;
        options.operations = OperationClass::integer;
        KernelFacts kernel = three_levels();
        kernel.work = {{Pipe{PipeKind::int32}, 1e9}};
        QVERIFY(!scene_with(ChartFixture({kernel}, options), swept_device()).measured_roof);
    }
    void a_sweep_of_one_side_shows_no_knee() {
        MeasuredCeilings cut = swept_device();
        cut.sweep.resize(4);
        QVERIFY(!scene_with(ChartFixture({three_levels()}), cut).measured_roof);
    }
    void roofs_of_another_clock_take_the_flat_side_with_them() {
        MeasuredCeilings measured = swept_device();
        MeasuredRate rate;
        rate.id = "fma.fp32";
        rate.target = fp32;
        rate.unit = RateUnit::flop_per_second;
        rate.rate = 19e12;
        rate.clock = Hertz(1e9);
        measured.rates.push_back(rate);
        ChartFixture fixture({three_levels()});
        fixture.analysis.ceilings.compute = {
            {fp32,
             FlopRate(9.5e12),
             {CeilingSource::benchmark, ClockBasis::measured, Hertz(0.5e9), {}, {}, {}}}};
        Scene scene = build_scene(fixture.profile, fixture.analysis, {});
        add_measured_roof(scene, fixture.analysis, measured);
        QVERIFY(scene.measured_roof.has_value());
        QVERIFY(near(scene.measured_roof->roof.peak.value(), 9.5e12));
        QVERIFY(near(scene.measured_roof->roof.slope.value(), 1.9e12));
        QVERIFY(scene.measured_roof->note.find("taken to " + format(Hertz(0.5e9))) != std::string::npos);
    }
    void the_line_stays_in_the_plot_and_under_the_straight_roofs() {
        const ChartFixture fixture({three_levels()});
        const Scene scene = scene_with(fixture, swept_device());
        View view = whole(scene);
        const auto inside = [&](const PointF& at) {
            return at.x >= view.plot.x - 0.01 && at.x <= view.plot.right() + 0.01 &&
                   at.y >= view.plot.y - 0.01 && at.y <= view.plot.bottom() + 0.01;
        };
        const Layout layout = lay_out(scene, view);
        QVERIFY(layout.measured_roof.size() > 20);
        QVERIFY(std::ranges::all_of(layout.measured_roof, inside));
        const LogAxis x_axis(view.x, view.plot.x, view.plot.right());
        const LogAxis y_axis(view.y, view.plot.bottom(), view.plot.y);
        for (const PointF& at : layout.measured_roof) {
            const double intensity = x_axis.to_value(at.x);
            QVERIFY(y_axis.to_value(at.y) <= std::min(1.9e12 * intensity, 19e12) * 1.001);
        }
        view.x = {0.001, 0.01};
        view.y = {1e12, 1e13};
        QVERIFY(lay_out(scene, view).measured_roof.empty());
    }
};

}  // namespace tst_scene_measured_roof

ROOFWALK_TEST(tst_scene_measured_roof, TestSceneMeasuredRoof, NoApplication)
#include "tst_scene_measured_roof.moc"
