// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of a drag in the window: a dot is pressed and moved, by number of kernels and size. The effect is
// what the pointer's move costs before anything is painted; the frame is that with everything it causes to be
// painted.
#include <fmt/format.h>

#include <QApplication>
#include <QFile>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTest>
#include <utility>
#include <vector>

#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"
#include "ui/chart/roofline_chart.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/file_chooser.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr int frames = 61;
constexpr int longest_load = 300'000;  // [ms]

/// Whether the chart was painted since it was asked.
class Painted : public QObject {
  public:
    explicit Painted(const RooflineChart& chart) : chart_(chart) { qApp->installEventFilter(this); }
    bool take() { return std::exchange(painted_, false); }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint)
            for (const QObject* part = watched; part != nullptr; part = part->parent())
                painted_ = painted_ || part == &chart_;
        return false;
    }

  private:
    const RooflineChart& chart_;
    bool painted_ = false;
};

/// The HBM dot of a kernel that takes much time, so that it is drawn as a dot.
std::uint32_t longest_dot(const Scene& scene) {
    std::uint32_t longest = 0;
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
        if (scene.dots[i].level == MemoryLevel::hbm && scene.dots[i].radius > scene.dots[longest].radius)
            longest = i;
    return longest;
}

bool measure(std::uint32_t kernels, QSize size) {
    const QTemporaryDir home;
    QFile file(home.filePath(QStringLiteral("kernels.jsonl")));
    if (!file.open(QIODevice::WriteOnly)) return false;
    file.write(QByteArray::fromStdString(made_json_lines(kernels, kernels)));
    file.close();
    Settings settings(home.filePath(QStringLiteral("settings.json")));
    DesktopFileChooser chooser;
    MainWindow window(settings, chooser, {}, QApplication::palette());
    window.resize(size);
    window.show();
    window.open({file.fileName()});
    auto* chart = window.findChild<RooflineChart*>();
    const auto shown = [&] { return chart->scene() && chart->scene() == window.document().scene(); };
    if (!QTest::qWaitForWindowExposed(&window) || !QTest::qWaitFor(shown, longest_load)) return false;
    for (int i = 0; i < 20; ++i)
        QCoreApplication::processEvents();

    const QPointF start = chart->dot_position(longest_dot(*chart->scene()));
    int taken = 0;
    int carried = 0;
    QObject::connect(chart, &RooflineChart::dot_taken, chart, [&] { ++taken; });
    QObject::connect(chart, &RooflineChart::dot_dragged, chart, [&] { ++carried; });
    QTest::mousePress(chart, Qt::LeftButton, {}, start.toPoint());
    Painted painted(*chart);
    int paints = 0;
    std::vector<double> effects;
    std::vector<double> all;
    for (int i = 1; i <= frames; ++i) {
        const QPointF at = start + QPointF(10 + i, i % 7);
        QMouseEvent move(QEvent::MouseMove, at, chart->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
        double effect = 0;
        all.push_back(seconds_of([&] {
            effect = seconds_of([&] { QCoreApplication::sendEvent(chart, &move); });
            QCoreApplication::processEvents();    // in which the chart asks for its frame
            QEvent frame(QEvent::UpdateRequest);  // which a platform brings only after some time
            QCoreApplication::sendEvent(&window, &frame);
        }));
        if (painted.take()) ++paints;
        effects.push_back(effect);
    }
    QTest::mouseRelease(chart, Qt::LeftButton, {}, (start + QPointF(10 + frames, 0)).toPoint());
    if (taken != 1 || carried < frames || paints < frames ||
        window.document().spec().scenario.moves.size() != 1)
        return false;
    print_row(fmt::format("drag frame of {} kernels, {}x{}: effect, with painting", kernels, size.width(),
                          size.height()),
              fmt::format("{:.2f}, {:.1f} ms", 1e3 * median(effects), 1e3 * median(all)), "≤ 4, 16.7 ms");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    constexpr QSize laptop(1280, 800);
    constexpr QSize uhd(3840, 2160);
    return measure(10'000, laptop) && measure(1'000'000, laptop) && measure(10'000, uhd) ? 0 : 1;
}
