// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QLabel>
#include <QScreen>
#include <QToolBar>
#include <QToolButton>

#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/widgets/text_page_view.h"

namespace tst_panel_rail {

using namespace roofwalk;
using test::ShownWindow;

namespace {

QDockWidget& dock(ShownWindow& s, const char* name) {
    return *s.window.findChild<QDockWidget*>(name);
}

}  // namespace

class TestPanelRail : public QObject {
    Q_OBJECT

  private slots:
    void the_chart_has_most_of_a_laptops_screen_with_table_and_details_open() {
        for (const QSize size : {QSize(1366, 744), QSize(1280, 776), QSize(960, 516)}) {
            ShownWindow s;
            s.window.resize(size);
            QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 30)}));
            QTRY_VERIFY2(s.chart().width() >= size.width() * 6 / 10,
                         qPrintable(QString::number(s.chart().width())));
            QTRY_VERIFY(is_seen(dock(s, "dock_kernels")));
            QTRY_VERIFY2(is_seen(dock(s, "dock_details")), qPrintable(QString::number(size.width())));
            QCOMPARE(s.window.size(), size);
        }
    }

    void a_new_window_fits_its_screen() {
        ShownWindow s;
        const MainWindow fresh(s.settings, s.chooser, {}, QApplication::palette());
        QVERIFY(fresh.height() < fresh.screen()->availableSize().height());
        const QSize least = fresh.minimumSizeHint();  // a screen of 1366x768 at a ratio of 2
        QVERIFY2(least.width() <= 683 && least.height() < 360, qPrintable(QString::number(least.height())));
    }

    void one_key_folds_the_panels_and_a_click_on_the_rail_brings_them_back() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* rail = s.window.findChild<QToolBar*>("panel_rail");
        QVERIFY(!rail->isVisible());
        const int narrow = s.chart().width();
        QTest::keyClick(&s.chart(), Qt::Key_P);
        QVERIFY(rail->isVisible());
        QCOMPARE(rail->actions().size(), 4);
        QCOMPARE(rail->actions().front()->text(), dock(s, "dock_kernels").windowTitle());
        QVERIFY(!dock(s, "dock_kernels").isVisible() && !dock(s, "dock_details").isVisible());
        QTRY_VERIFY(s.chart().width() > s.window.width() * 9 / 10);
        for (QAction* panel : rail->actions())
            if (panel->text() == "Ceilings") QTest::mouseClick(rail->widgetForAction(panel), Qt::LeftButton);
        QVERIFY(!rail->isVisible() && s.action("side_panels").isChecked());
        QTRY_VERIFY(is_seen(dock(s, "dock_ceilings")));
        QVERIFY(is_seen(dock(s, "dock_kernels")));
        QTRY_COMPARE(s.chart().width(), narrow);
    }

    void without_panels_the_foot_says_what_the_program_loses() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto* foot = s.window.findChild<QLabel*>("session_sentence");
        s.document().select(std::nullopt);
        QTRY_VERIFY(foot->text().isEmpty());  // the details say it
        QTest::keyClick(&s.chart(), Qt::Key_P);
        QTRY_VERIFY(!foot->text().isEmpty());
    }

    void unfolded_panels_have_the_sizes_that_they_had() {
        for (const QSize size : {QSize(1280, 800), QSize(1900, 1000)}) {
            ShownWindow s;
            s.window.resize(size);
            QVERIFY(s.open({test::write_many_kernels(s.folder, "a.json", 30)}));
            QTest::qWait(200);  // the docks take their sizes after the first paint
            const QSize kernels = dock(s, "dock_kernels").size();
            const QSize details = dock(s, "dock_details").size();
            QTest::keyClick(&s.chart(), Qt::Key_P);
            QTRY_VERIFY(s.chart().width() > size.width() * 9 / 10);
            QTest::keyClick(&s.chart(), Qt::Key_P);
            QTRY_COMPARE(dock(s, "dock_kernels").size(), kernels);
            QTRY_COMPARE(dock(s, "dock_details").size(), details);
        }
    }

    void a_folded_layout_is_kept_unfolded() {
        ShownWindow s;
        const QString path = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({path}));
        QTest::keyClick(&s.chart(), Qt::Key_P);
        s.action("close").trigger();
        QVERIFY(!s.window.findChild<QToolBar*>("panel_rail")->isVisible());
        QVERIFY(s.open({path}));
        QVERIFY(dock(s, "dock_kernels").isVisible() && dock(s, "dock_details").isVisible());
        QVERIFY(!s.window.findChild<QToolBar*>("panel_rail")->isVisible());
    }
};

}  // namespace tst_panel_rail

ROOFWALK_TEST(tst_panel_rail, TestPanelRail, QApplication)
#include "tst_panel_rail.moc"
