// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/dock_layout.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>

#include "core/devices/known_devices.h"
#include "tests/support/folder_tests.h"
#include "tests/ui/shown_window.h"
#include "ui/widgets/text_page_view.h"

namespace tst_dock_layout {

using namespace roofwalk;
using test::ShownWindow;

namespace {

QDockWidget& dock(ShownWindow& s, const char* name) {
    return *s.window.findChild<QDockWidget*>(name);
}

Scenario half_the_bytes() {
    Scenario scenario;
    scenario.name = "Fewer bytes";
    Move& move = scenario.moves.emplace_back();
    move.kernel.name = "stream_add(float const*, float*)";
    move.bytes[MemoryLevel::hbm] = 0.5;
    return scenario;
}

}  // namespace

class TestDockLayout : public QObject {
    Q_OBJECT

  private slots:
    void the_content_is_made_once_before_the_dock_is_laid_out() {
        QMainWindow window;
        int made = 0;
        auto* dock = new LazyDock(
            "Late",
            [&] {
                ++made;
                auto* content = new QWidget;
                content->setMinimumHeight(150);
                return content;
            },
            &window);
        window.setCentralWidget(new QWidget);
        window.addDockWidget(Qt::BottomDockWidgetArea, dock);
        window.resize(400, 400);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(!dock->isVisible());
        QCOMPARE(made, 0);
        dock->show();
        QVERIFY(dock->height() >= 150);
        dock->hide();
        dock->toggleViewAction()->trigger();
        QVERIFY(dock->isVisible());
        QCOMPARE(made, 1);
    }

    void a_window_opens_without_what_is_not_used() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        for (const char* name : {"dock_scenario", "dock_compare", "dock_elsewhere", "dock_notes"}) {
            QVERIFY2(!dock(s, name).isVisible(), name);
            QVERIFY2(dock(s, name).widget() == nullptr, name);
        }
        QVERIFY(s.window.findChild<QWidget*>("ceiling_hbm") == nullptr);
    }

    /// To lay out such a line takes minutes.
    void a_report_does_not_widen_the_window_of_a_small_screen() {
        ShownWindow s;
        s.window.resize(960, 516);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QCOMPARE(s.window.size(), QSize(960, 516));
    }
    void a_dock_below_does_not_heighten_the_window_of_a_small_screen() {
        ShownWindow s;
        s.window.resize(960, 516);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        test::set_scenario(s.document(), half_the_bytes());
        QTRY_VERIFY(dock(s, "dock_scenario").isVisible());
        QVERIFY(s.settle());
        QCOMPARE(s.window.size(), QSize(960, 516));
        QVERIFY(is_seen(dock(s, "dock_details")));
    }
    void a_small_screen_has_room_for_four_kernels_and_no_scroll_bar() {
        ShownWindow s;
        s.window.resize(960, 540);
        QVERIFY(s.open({test::write_many_kernels(s.folder, "many.json", 30)}));
        const auto rows = [&] {
            return s.table().viewport()->height() / s.table().verticalHeader()->defaultSectionSize();
        };
        QTRY_VERIFY2(rows() >= 4, qPrintable(QString::number(rows())));
        QCOMPARE(s.table().horizontalScrollBar()->maximum(), 0);
        QVERIFY(dock(s, "dock_details").height() > s.window.height() / 4);
    }
    void a_screen_too_low_for_both_has_table_and_details_in_tabs() {
        ShownWindow s;
        s.window.resize(683, 384);
        QVERIFY(s.open({test::write_many_kernels(s.folder, "many.json", 30)}));
        QVERIFY(s.window.tabifiedDockWidgets(&dock(s, "dock_kernels")).contains(&dock(s, "dock_details")));
        QTRY_VERIFY(is_seen(dock(s, "dock_details")));
        dock(s, "dock_kernels").raise();
        const auto rows = [&] {
            return s.table().viewport()->height() / s.table().verticalHeader()->defaultSectionSize();
        };
        QTRY_VERIFY2(rows() >= 4, qPrintable(QString::number(rows())));
        QTRY_COMPARE(s.table().horizontalScrollBar()->maximum(), 0);
    }
    void a_window_has_one_layout_at_each_size_data() {
        QTest::addColumn<QSize>("size");
        for (const QSize size :
             {QSize(2560, 1440), QSize(1920, 1080), QSize(1366, 768), QSize(960, 540), QSize(683, 384)})
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }
    void a_window_has_one_layout_at_each_size() {
        QFETCH(QSize, size);
        const auto layout_from = [&](QSize before) {
            ShownWindow s;
            s.window.resize(before);
            if (!s.open({test::write_many_kernels(s.folder, "many.json", 30)})) return QList<QRect>();
            // Again: side by side the panels may have asked for more width. They take their sizes after a
            // paint.
            for (int time = 0; time < 2; ++time) {
                s.window.resize(size);
                QTest::qWait(100);
            }
            QList<QRect> places;
            for (const QWidget* part :
                 {static_cast<QWidget*>(&dock(s, "dock_kernels")),
                  static_cast<QWidget*>(&dock(s, "dock_details")), static_cast<QWidget*>(&s.chart())})
                places.append(is_seen(*part) ? QRect(part->mapTo(&s.window, QPoint()), part->size())
                                             : QRect());
            if (is_seen(dock(s, "dock_kernels")) && s.table().rowAt(10) < 0) places.clear();
            return places;
        };
        const QList<QRect> opened = layout_from(size);
        QCOMPARE(opened.size(), 3);
        for (const QSize before : {QSize(640, 360), QSize(1000, 700), QSize(1900, 600), QSize(2300, 1300)}) {
            const QList<QRect> resized = layout_from(before);
            QVERIFY2(resized == opened, qPrintable(QDebug::toString(before) + QDebug::toString(resized) +
                                                   QDebug::toString(opened)));
        }
    }
    void a_larger_window_gives_the_chart_no_smaller_share() {
        ShownWindow s;
        QVERIFY(s.open({test::write_many_kernels(s.folder, "many.json", 30)}));
        for (const int width : {1366, 1920, 2199, 2200, 2560, 3840}) {
            s.window.resize(width, width * 9 / 16);
            QTest::qWait(100);  // the panels take their sizes after a paint
            QVERIFY2(s.chart().width() >= width * 6 / 10,
                     qPrintable(QStringLiteral("%1 of %2").arg(s.chart().width()).arg(width)));
            QCOMPARE(s.window.dockWidgetArea(&dock(s, "dock_details")) == Qt::RightDockWidgetArea,
                     width >= 2200);
        }
    }
    void docks_that_a_person_moved_stay_when_the_window_gets_another_size() {
        ShownWindow s;
        s.window.resize(1366, 768);
        QVERIFY(s.open({test::write_many_kernels(s.folder, "many.json", 30)}));
        dock(s, "dock_details").setFloating(true);
        dock(s, "dock_details").setFloating(false);
        s.window.addDockWidget(Qt::RightDockWidgetArea, &dock(s, "dock_details"));
        s.window.resize(1300, 760);
        QCOMPARE(s.window.dockWidgetArea(&dock(s, "dock_details")), Qt::RightDockWidgetArea);
    }
    void notes_of_one_very_long_line_are_kept_whole_and_shown_in_part() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QString line(10'000'000, QLatin1Char('n'));
        s.document().set_notes(line);
        dock(s, "dock_notes").toggleViewAction()->trigger();
        auto* page = s.window.findChild<QPlainTextEdit*>("notes");
        QVERIFY(page->isReadOnly() && page->toPlainText().size() < 200'000);
        QVERIFY(page->toPlainText().startsWith(QLatin1String("These notes are too long")));
        QCOMPARE(s.document().notes().size(), line.size());
        s.document().set_notes("Short");
        QVERIFY(!page->isReadOnly());
        QTest::keyClicks(page, "!");
        QCOMPARE(s.document().notes(), QString("!Short"));
    }
    void a_dock_shown_for_the_first_time_shows_what_the_document_has() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.document().set_notes("Before the change");
        s.document().change([](WorkspaceSpec& spec) { set_other_device(spec, &known_devices().front()); });
        test::set_scenario(s.document(), half_the_bytes());
        QVERIFY(dock(s, "dock_scenario").isVisible());  // the first move brings it
        QTRY_VERIFY(s.document().result().projection != nullptr);
        QVERIFY(s.settle());
        QCOMPARE(s.window.findChild<QLineEdit*>("scenario_name")->text(), QString("Fewer bytes"));
        QCOMPARE(s.window.findChild<QTableView*>("scenario_moves")->model()->rowCount(), 1);
        dock(s, "dock_notes").toggleViewAction()->trigger();
        QCOMPARE(s.window.findChild<QPlainTextEdit*>("notes")->toPlainText(), QString("Before the change"));
        dock(s, "dock_elsewhere").toggleViewAction()->trigger();
        QCOMPARE(s.window.findChild<QComboBox*>("other_device")->currentText(),
                 QString::fromStdString(known_devices().front().name));
        QCOMPARE(s.window.findChild<QTableView*>("projection_kernels")->model()->rowCount(), 3);
        dock(s, "dock_ceilings").raise();
        QCoreApplication::processEvents();
        auto* hbm = s.window.findChild<QAbstractButton*>("ceiling_hbm");
        QVERIFY(hbm != nullptr && hbm->isVisible() && hbm->isChecked());
    }

    void a_dock_that_was_closed_stays_closed_while_moves_are_made() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        test::set_scenario(s.document(), half_the_bytes());
        QVERIFY(s.settle());
        dock(s, "dock_scenario").hide();
        Scenario more = half_the_bytes();
        more.moves.push_back(more.moves.front());
        test::set_scenario(s.document(), more);
        QVERIFY(s.settle());
        QVERIFY(!dock(s, "dock_scenario").isVisible());
        test::set_scenario(s.document(), {});
        test::set_scenario(s.document(), more);
        QVERIFY(dock(s, "dock_scenario").isVisible());
    }

    void a_dock_that_opened_by_itself_is_low_and_goes_with_the_undo() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto move = [&] {
            QTest::keyClick(&s.window, Qt::Key_Period);
            QVERIFY(s.settle());
            QTest::keyClick(&s.chart(), Qt::Key_Right, Qt::ShiftModifier);
            QVERIFY(s.settle());
        };
        move();
        QDockWidget& scenario = dock(s, "dock_scenario");
        QVERIFY(scenario.isVisible());
        QTRY_VERIFY(scenario.height() <= s.window.height() / 4);
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(!scenario.isVisible());
        s.action("redo").trigger();
        QVERIFY(s.settle());
        QVERIFY(scenario.isVisible());
        scenario.toggleViewAction()->trigger();
        scenario.toggleViewAction()->trigger();  // now it was a person who opened it
        s.action("undo").trigger();
        QVERIFY(s.settle());
        QVERIFY(scenario.isVisible());
    }

    void an_empty_dock_that_was_opened_stays_when_a_report_is_added() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        for (const char* name : {"dock_notes", "dock_scenario"})
            dock(s, name).toggleViewAction()->trigger();
        s.chooser.to_open = {test::write_three_kernels(s.folder, "b.json")};
        s.action("add").trigger();
        QVERIFY(s.settle());
        QCOMPARE(s.document().files().size(), std::size_t{2});
        for (const char* name : {"dock_notes", "dock_scenario"})
            QVERIFY2(!dock(s, name).isHidden(), name);
        s.action("close_all").trigger();
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        for (const char* name : {"dock_notes", "dock_scenario"})  // the layout alone does not bring it back
            QVERIFY2(dock(s, name).isHidden(), name);
    }

    void a_layout_with_a_dock_comes_back_with_its_content() {
        ShownWindow s;
        const QString path = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({path}));
        test::set_scenario(s.document(), half_the_bytes());
        QVERIFY(s.settle());
        s.window.addDockWidget(Qt::LeftDockWidgetArea, &dock(s, "dock_scenario"));
        s.window.close();

        MainWindow again(s.settings, s.chooser, {}, QApplication::palette());
        again.show();
        again.open({path});
        QTRY_VERIFY(again.document().scene() != nullptr);
        auto* scenario = again.findChild<QDockWidget*>("dock_scenario");
        QVERIFY(!scenario->isVisible());  // without moves there is nothing to see
        test::set_scenario(again.document(), half_the_bytes());
        QVERIFY(scenario->isVisible());
        QCOMPARE(again.dockWidgetArea(scenario), Qt::LeftDockWidgetArea);
        QCOMPARE(again.findChild<QLineEdit*>("scenario_name")->text(), QString("Fewer bytes"));
        QVERIFY(again.findChild<QLineEdit*>("scenario_name")->isVisible());
    }

    void a_restored_layout_hides_no_content_that_is_made_later() {
        QMainWindow window;
        window.setCentralWidget(new QWidget);
        const auto add = [](QMainWindow& to) {
            auto* dock = new LazyDock(
                "Late", [] { return new QLabel("content"); }, &to);
            dock->setObjectName("late");
            to.addDockWidget(Qt::BottomDockWidgetArea, dock);
            return dock;
        };
        LazyDock* first = add(window);
        window.show();
        first->show();
        const QByteArray with_dock = window.saveState();
        first->hide();
        const QByteArray without = window.saveState();
        for (const QByteArray& state : {with_dock, without}) {
            QMainWindow again;
            again.setCentralWidget(new QWidget);
            LazyDock* dock = add(again);
            again.show();
            QVERIFY(again.restoreState(state));
            dock->hide();
            dock->show();
            QVERIFY(dock->widget() != nullptr && dock->widget()->isVisible());
            QVERIFY(again.restoreState(without));
            dock->show();
            QVERIFY(dock->widget()->isVisible());
        }
    }
};

}  // namespace tst_dock_layout

ROOFWALK_TEST(tst_dock_layout, TestDockLayout, QApplication)
#include "tst_dock_layout.moc"
