// SPDX-License-Identifier: GPL-3.0-or-later
// The window on the screen of a laptop at a scale that is no whole number, in a process of its own.
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QScreen>
#include <QScrollBar>
#include <cmath>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/widgets/text_page_view.h"

namespace tst_screen_fit {

using namespace roofwalk;
using test::ShownWindow;

namespace {

constexpr QSize laptop(1366, 768);  // [device px]

bool fits(const QWidget& window) {
    const double ratio = window.devicePixelRatioF();
    return std::ceil(window.width() * ratio) <= laptop.width() &&
           std::ceil(window.height() * ratio) <= laptop.height();
}

}  // namespace

class TestScreenFit : public QObject {
    Q_OBJECT

  private slots:
    void the_screen_has_a_fraction_of_a_pixel_less() {
        const QScreen& screen = *QGuiApplication::primaryScreen();
        QCOMPARE(screen.devicePixelRatio(), 1.5);
        QCOMPARE(screen.size(), QSize(911, 512));  // 1366 / 1.5, rounded up
    }
    void a_new_window_is_no_larger_than_the_screen_and_stays_so_with_a_report() {
        ShownWindow s;
        MainWindow fresh(s.settings, s.chooser, {}, QApplication::palette());
        QVERIFY2(fits(fresh), qPrintable(QString::number(fresh.width())));
        const QSize size = fresh.size();
        fresh.show();
        QVERIFY(QTest::qWaitForWindowExposed(&fresh));
        fresh.open({test::write_many_kernels(s.folder, "many.json", 30)});
        QTRY_VERIFY(fresh.document().scene() != nullptr);
        QTest::qWait(200);  // the docks take their sizes after the first paint
        QCOMPARE(fresh.size(), size);
        QVERIFY(fresh.findChild<QWidget*>("chart")->width() >= size.width() * 6 / 10);
        QCOMPARE(fresh.findChild<QTableView*>("kernel_view")->horizontalScrollBar()->maximum(), 0);
        QVERIFY(is_seen(*fresh.findChild<QDockWidget*>("dock_details")));
    }
};

int run_tests(int argc, char** argv) {
    const QTemporaryDir folder;
    QFile screens(folder.filePath("screens.json"));
    if (!screens.open(QIODevice::WriteOnly)) return 1;
    screens.write(R"({"screens": [{"name": "laptop", "x": 0, "y": 0, "width": 1366, "height": 768,
                                   "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})");
    screens.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + screens.fileName().toUtf8());
    qputenv("QT_SCALE_FACTOR", "1.5");
    QApplication app(argc, argv);
    TestScreenFit test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace tst_screen_fit

ROOFWALK_TEST_RUN_BY(tst_screen_fit, run_tests)
#include "tst_screen_fit.moc"
