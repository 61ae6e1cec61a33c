// SPDX-License-Identifier: GPL-3.0-or-later
// The window from the start of its process to its first frame with 1,000 kernels. Usage:
// bench_ui_first_frame; it runs itself as `bench_ui_first_frame FILE START`, once for each figure of the
// median.
#include <fmt/format.h>

#include <QApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <chrono>
#include <optional>
#include <utility>

#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"
#include "ui/chart/roofline_chart.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/file_chooser.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

/// Nanoseconds of a clock that all processes share.
qint64 now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Ends the program, with the time on standard output, once the window and its chart have been painted.
class FirstFrames : public QObject {
  public:
    FirstFrames(const MainWindow& window, const RooflineChart& chart, qint64 start)
        : window_(window), chart_(chart), start_(start) {}

    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() != QEvent::Paint || !object->isWidgetType()) return false;
        const auto* widget = static_cast<const QWidget*>(object);
        if (!window_painted_ && widget == &window_) QTimer::singleShot(0, this, [this] { note_window(); });
        if (chart_.scene() && (widget == &chart_ || chart_.isAncestorOf(widget)))
            QTimer::singleShot(0, this, [this] { end(); });
        return false;
    }

  private:
    void note_window() {
        if (!window_painted_) window_painted_ = now();
    }

    void end() {
        if (std::exchange(ended_, true)) return;
        const qint64 painted = now();
        fmt::print("{} {}\n", window_painted_.value_or(painted) - start_, painted - start_);
        QCoreApplication::quit();
    }

    const MainWindow& window_;
    const RooflineChart& chart_;
    qint64 start_;
    std::optional<qint64> window_painted_;
    bool ended_ = false;
};

int show_window(QApplication& application, const QString& file, qint64 start) {
    const QTemporaryDir home;
    Settings settings(home.filePath(QStringLiteral("settings.json")));
    DesktopFileChooser chooser;
    MainWindow window(settings, chooser, {}, QApplication::palette());
    const auto* chart = window.findChild<RooflineChart*>();
    if (!chart) return 1;
    FirstFrames frames(window, *chart, start);
    application.installEventFilter(&frames);
    QObject::connect(&window.document(), &Document::failed, &frames, [] { QCoreApplication::exit(1); });
    window.resize(1280, 800);
    window.open({file});
    window.show();
    return QApplication::exec();
}

struct Frames {
    double window = 0;  ///< [s]
    double chart = 0;   ///< [s]
};

std::optional<Frames> measure(const QString& file) {
    QProcess child;
    child.setStandardErrorFile(QProcess::nullDevice());
    child.start(QCoreApplication::applicationFilePath(), {file, QString::number(now())});
    if (!child.waitForFinished() || child.exitCode() != 0) return std::nullopt;
    const QList<QByteArray> words = child.readAllStandardOutput().simplified().split(' ');
    if (words.size() != 2) return std::nullopt;
    return Frames{1e-9 * words[0].toDouble(), 1e-9 * words[1].toDouble()};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3) {
        QApplication application(argc, argv);
        return show_window(application, QString::fromLocal8Bit(argv[1]), QByteArray(argv[2]).toLongLong());
    }
    const QCoreApplication application(argc, argv);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("thousand.jsonl")));
    if (!file.open(QIODevice::WriteOnly)) return 1;
    file.write(QByteArray::fromStdString(made_json_lines(1'000, 1'000)));
    file.close();

    std::vector<double> windows;
    std::vector<double> charts;
    for (int i = 0; i < 15; ++i) {
        const auto frames = measure(file.fileName());
        if (!frames) return 1;
        windows.push_back(frames->window);
        charts.push_back(frames->chart);
    }
    print_row("window from the start of its process: first frame",
              fmt::format("{:.0f} ms", 1e3 * median(windows)), "");
    print_row("the same: first frame with 1,000 kernels", fmt::format("{:.0f} ms", 1e3 * median(charts)),
              "≤ 150 ms");
}
