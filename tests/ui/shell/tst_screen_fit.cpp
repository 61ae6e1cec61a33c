// SPDX-License-Identifier: GPL-3.0-or-later
// The window on the screen of a laptop at a scale that is no whole number, in a process of its own.
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QScreen>
#include <QScrollBar>
#include <cmath>

#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
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
    void the_worth_of_the_first_step_is_in_sight() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        for (const char* name : {"2021.3.1_gtx1650_41kernels", "2024.3.2_rtx4080s-ada_51kernels",
                                 "2021.2.2_a100_4kernels", "2022.4.0_a100-dev1_14kernels"}) {
            ShownWindow s;
            s.window.resize(laptop / 1.5);
            QVERIFY(s.open({QString::fromStdString(test::sample(name).string())}));
            s.table().selectRow(0);
            QTest::qWait(200);
            const auto* page = s.window.findChild<QDockWidget*>("dock_details")->findChild<QScrollArea*>();
            const QList<QLabel*> labels = page->widget()->findChildren<QLabel*>();
            const auto first = std::ranges::find(labels, QString("What first?"), &QLabel::text);
            QVERIFY2(labels.end() - first > 2, name);
            const QLabel* worth = *(first + 2);  // behind what to do
            const int end = worth->mapTo(page->viewport(), QPoint()).y() + worth->height();
            QVERIFY2(
                end <= page->viewport()->height(),
                qPrintable(
                    QString("%1: %2 of %3").arg(worth->text()).arg(end).arg(page->viewport()->height())));
        }
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
