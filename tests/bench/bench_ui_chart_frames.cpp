// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the chart: a pan, a zoom and a move of the pointer, by number of dots, at one and two device
// pixels to a pixel. Usage: bench_ui_chart_frames [RATIO]; without a ratio it measures both.
#include <fmt/format.h>

#include <QApplication>
#include <QMouseEvent>
#include <QProcess>
#include <QTest>
#include <memory>

#include "tests/bench/bench.h"
#include "tests/ui/chart/chart_scenes.h"
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

bool measure(std::uint32_t dots, const char* ratio) {
    RooflineChart chart;
    chart.resize(1280, 800);
    chart.set_scene(std::make_shared<const Scene>(test::many_dots(dots)), false);
    chart.show();
    if (!QTest::qWaitForWindowExposed(&chart)) return false;
    const double pan = frame([&](int i) { chart.pan(i % 2 == 0 ? 0.01 : -0.01, 0); });
    const double zoom = frame([&](int i) { chart.zoom(i % 2 == 0 ? 1.01 : 1 / 1.01); });
    const double move = frame([&](int i) { hover(chart, {300 + 10 * i, 300 + 5 * i}); });
    print_row(fmt::format("chart of {} dots, DPR {}: pan, zoom, hover", dots, ratio),
              fmt::format("{:.1f}, {:.1f}, {:.2f} ms", pan, zoom, move),
              ratio[0] == '1' ? "≤ 16.7, 16.7, 1 ms" : "");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const char* ratio = argc > 1 ? argv[1] : "1";
    qputenv("QT_SCALE_FACTOR", ratio);
    QApplication app(argc, argv);
    for (const std::uint32_t dots : {100U, 10'000U, 100'000U, 1'000'000U})
        if (!measure(dots, ratio)) return 1;
    return argc > 1 ? 0 : QProcess::execute(QCoreApplication::applicationFilePath(), {"2"});
}
