// SPDX-License-Identifier: GPL-3.0-or-later
// Usage: moved_window SETTINGS REPORT
// The program's window: opens REPORT, makes a move, says when (steady clock, in ns), and goes on until it is
// killed.
#include <QApplication>
#include <QTest>
#include <chrono>
#include <cstdio>

#include "tests/ui/shown_window.h"

using namespace roofwalk;

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (argc < 3) return 2;
    Settings settings(QString::fromLocal8Bit(argv[1]));
    test::PreparedChooser chooser;
    MainWindow window(settings, chooser, {}, QApplication::palette(), {}, {});
    window.show();
    window.open({QString::fromLocal8Bit(argv[2])});
    Document& document = window.document();
    const auto opened = [&] {
        return document.scene() && !document.loader().job().running() && !document.analysing().running();
    };
    if (!QTest::qWaitFor(opened, 60'000)) return 3;
    Scenario scenario;
    scenario.name = "Half";
    scenario.moves.emplace_back().kernel.name = "stream_add(float const*, float*)";
    scenario.moves.back().bytes[MemoryLevel::hbm] = 0.5;
    const std::chrono::nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    test::set_scenario(document, scenario);
    std::printf("%lld\n", static_cast<long long>(now.count()));
    std::fflush(stdout);
    return QApplication::exec();
}
