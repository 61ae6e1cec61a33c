// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the chart: a pan, a zoom, a move of the pointer and a selection, by number of dots, at one and
// two device pixels to a pixel; then those of scenes that are dear in their own way. Usage:
// bench_ui_chart_frames [RATIO]; without a ratio it measures both.
#include <fmt/format.h>

#include <QApplication>
#include <QMouseEvent>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "tests/bench/bench.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/dot_painter.h"
#include "ui/chart/roofline_chart.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

/// Median milliseconds of one action with everything it causes to be painted.
template <class Action>
double frame(const Action& action) {
    int turn = 0;
    return 1e3 * median_seconds(31, [&] {
               action(turn++);
               // The chart asks for its frame in the first turn and is painted in the second.
               QCoreApplication::processEvents();
               QCoreApplication::processEvents();
           });
}

void hover(RooflineChart& chart, QPoint at) {
    QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QCoreApplication::sendEvent(&chart, &event);
}

ChartScene with_selection(Scene scene, std::vector<std::uint32_t> points) {
    scene.options.selected = points.back();
    points.pop_back();
    scene.options.also_selected = std::move(points);
    return ChartScene(std::make_shared<const Scene>(std::move(scene)));
}

/// `first` is shown; a selection is a change to `second`, whose dots stand in the same places, and back.
bool measure(const std::string& what, const ChartScene& first, const ChartScene& second, const char* ratio,
             QSize size = {1280, 800}) {
    RooflineChart chart;
    chart.resize(size);
    chart.set_scene(first, false);
    chart.show();
    if (!QTest::qWaitForWindowExposed(&chart)) return false;
    const double pan = frame([&](int i) { chart.pan(i % 2 == 0 ? 0.01 : -0.01, 0); });
    const double zoom = frame([&](int i) { chart.zoom(i % 2 == 0 ? 1.01 : 1 / 1.01); });
    const double move = frame([&](int i) { hover(chart, {300 + 10 * i, 300 + 5 * i}); });
    QTest::qWait(500);  // a view at rest: its labels are looked for thoroughly
    const double select = frame([&](int i) { chart.set_scene(i % 2 == 0 ? second : first, true); });
    print_row(fmt::format("chart of {}, DPR {}: pan, zoom, hover, select", what, ratio),
              fmt::format("{:.1f}, {:.1f}, {:.2f}, {:.1f} ms", pan, zoom, move, select),
              ratio[0] == '1' ? "≤ 16.7, 16.7, 1, 33 ms" : "");
    return true;
}

/// A kernel has a name, or a figure at its arrow: what a small chart finds no place for near by.
Scene with_labels(Scene scene) {
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i) {
        const Dot& dot = scene.dots[i];
        GapMark gap;
        gap.point = dot.point;
        gap.x = dot.x;
        gap.from = dot.y;
        gap.to = std::min(2e12 * dot.x, 20e12);
        gap.brief = fmt::format("{}.00x below HBM", i + 2);
        gap.label = gap.brief + " (50.0 %)";
        gap.whose = fmt::format("a_kernel_with_a_long_name_{}", i);
        scene.gaps.push_back(std::move(gap));
    }
    return scene;
}

bool measure_all(const char* ratio) {
    const Scene labelled = with_labels(test::many_dots(9));
    if (!measure("9 kernels, 460x340", ChartScene(std::make_shared<const Scene>(labelled)),
                 with_selection(labelled, {4}), ratio, {460, 340}))
        return false;
    for (const std::uint32_t dots : {100U, 10'000U, 100'000U, 1'000'000U}) {
        const Scene scene = test::many_dots(dots);
        if (!measure(fmt::format("{} dots", dots), ChartScene(std::make_shared<const Scene>(scene)),
                     with_selection(scene, {dots / 2}), ratio))
            return false;
    }
    constexpr std::uint32_t many = 1'000'000;
    const Scene rails = test::many_rail_dots(many);
    if (!measure(fmt::format("{} dots on rails", many), ChartScene(std::make_shared<const Scene>(rails)),
                 with_selection(rails, {many / 2}), ratio))
        return false;
    constexpr auto selected = static_cast<std::uint32_t>(DotPainter::sprite_limit);
    std::vector<std::uint32_t> all(selected);
    std::iota(all.begin(), all.end(), 0U);
    const Scene scene = test::many_dots(selected);
    return measure(fmt::format("{} dots, all selected", selected), with_selection(scene, all),
                   with_selection(scene, {0}), ratio);
}

}  // namespace

int main(int argc, char** argv) {
    const char* ratio = argc > 1 ? argv[1] : "1";
    qputenv("QT_SCALE_FACTOR", ratio);
    QApplication app(argc, argv);
    if (!measure_all(ratio)) return 1;
    return argc > 1 ? 0 : QProcess::execute(QCoreApplication::applicationFilePath(), {"2"});
}
