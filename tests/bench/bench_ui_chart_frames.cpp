// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of the chart: a pan, a zoom and a move of the pointer, by number of dots, at one and two device
// pixels to a pixel. Usage: bench_ui_chart_frames [RATIO]; without a ratio it measures both.
#include <fmt/format.h>

#include <QApplication>
#include <QMouseEvent>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/roofline_chart.h"

using namespace roofwalk;

namespace {

constexpr int repeats = 31;

/// Median milliseconds of one action with everything it causes to be painted.
template <class Action>
double frame(const Action& action) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const auto start = std::chrono::steady_clock::now();
        action(i);
        // The chart asks for its frame in the first turn and is painted in the second.
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();
        times.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::nth_element(times, times.begin() + repeats / 2);
    return times[repeats / 2];
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
    fmt::print("| chart of {} dots, DPR {}: pan, zoom, hover | {:.1f}, {:.1f}, {:.2f} ms | {} |\n", dots,
               ratio, pan, zoom, move, ratio[0] == '1' ? "≤ 16.7, 16.7, 1 ms" : "");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const char* ratio = argc > 1 ? argv[1] : "1";
    qputenv("QT_SCALE_FACTOR", ratio);
    QApplication app(argc, argv);
    for (const std::uint32_t dots : {100U, 10'000U, 100'000U, 1'000'000U})
        if (!measure(dots, ratio)) return 1;
    std::fflush(stdout);
    return argc > 1 ? 0 : QProcess::execute(QCoreApplication::applicationFilePath(), {"2"});
}
