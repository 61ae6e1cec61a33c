// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDockWidget>
#include <QDropEvent>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <set>

#include "tests/support/contrast.h"
#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_window.h"
#include "ui/widgets/theme.h"

namespace tst_main_window {

using namespace roofwalk;
using test::ShownWindow;

namespace {

bool shows_start_page(ShownWindow& s) {
    return s.window.findChild<QPushButton*>("start_open")->isVisible();
}

void drop(QWidget& on, const QStringList& paths, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls.append(QUrl::fromLocalFile(path));
    data.setUrls(urls);
    QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&on, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, modifiers);
    QApplication::sendEvent(&on, &event);
}

}  // namespace

class TestMainWindow : public QObject {
    Q_OBJECT

  private slots:
    void the_tools_stay_in_sight_in_a_small_window() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* tools = s.window.findChild<QToolBar*>("toolbar");
        auto* beyond = tools->findChild<QToolButton*>("qt_toolbar_ext_button");
        auto* open = qobject_cast<QToolButton*>(tools->widgetForAction(&s.action("open")));
        for (const QSize size : {QSize(1100, 720), QSize(960, 640), QSize(1366, 768)}) {
            s.window.resize(size);
            QTRY_VERIFY(!beyond->isVisible());
            QVERIFY(tools->widgetForAction(&s.action("next"))->isVisible());
            QVERIFY(tools->widgetForAction(&s.action("side_panels"))->isVisible());
            const bool wide = size.width() == 1366;
            QCOMPARE(open->toolButtonStyle(), wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
            QVERIFY(!open->toolTip().isEmpty());
        }
    }
    void without_a_file_the_start_page_is_shown() {
        ShownWindow s;
        QVERIFY(s.shown);
        QVERIFY(shows_start_page(s));
        QVERIFY(!s.action("export").isEnabled());
        QVERIFY(!s.table().isVisible());
        QCOMPARE(s.window.windowTitle(), QString("Roofwalk"));
    }

    void the_menu_tells_whether_runs_are_joined_also_after_a_load_that_failed() {
        ShownWindow s;
        const QString broken = test::write_broken_file(s.folder, "broken.json");
        QVERIFY(s.open(test::write_separate_runs(s.folder)));
        s.action("join").trigger();
        QVERIFY(s.settle());
        const auto told = [&] { return s.action("join").isChecked() && s.document().spec().joined; };
        QVERIFY(told());
        s.document().loader().open({broken}, ReportLoader::Opening::replace);
        s.action("join").trigger();
        QVERIFY(told());
        QVERIFY(s.settle());
        QVERIFY(told());
        s.action("join").trigger();
        s.document().loader().open({broken}, ReportLoader::Opening::replace);
        QVERIFY(s.settle());
        QVERIFY(told());
    }

    void of_several_files_one_is_closed_by_choice_or_all() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_many_kernels(s.folder, "b.json", 5)}));
        s.action("close").trigger();
        auto* menu = s.window.findChild<QMenu*>("close_menu");
        QVERIFY(menu != nullptr && menu->isVisible());
        QCOMPARE(menu->activeAction()->text(), QString("a.json"));
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QTRY_COMPARE(s.document().files().size(), std::size_t{1});
        QVERIFY(s.settle());
        QCOMPARE(s.table().model()->rowCount(), 3);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_many_kernels(s.folder, "b.json", 5)}));
        s.action("close_all").trigger();
        QVERIFY(shows_start_page(s));
    }

    void a_file_fills_table_chart_and_title() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "walk.json")}));
        QVERIFY(!shows_start_page(s));
        QVERIFY(s.chart().isVisible());
        QCOMPARE(s.table().model()->rowCount(), 3);
        QVERIFY(s.cell(0, 0).contains("sgemm"));
        QVERIFY(s.window.windowTitle().contains("walk.json"));
        QVERIFY(s.action("export").isEnabled());
    }

    void a_long_file_name_leaves_room_for_the_rest_of_the_title() {
        ShownWindow s;
        const QString name = QString("k").repeated(150) + ".json";
        QVERIFY(s.open({test::write_three_kernels(s.folder, name)}));
        QVERIFY2(s.window.windowTitle().size() < 80, qPrintable(s.window.windowTitle()));
        QVERIFY(s.window.windowTitle().startsWith("kkk"));
        QVERIFY(s.window.windowTitle().contains("k.json[*] – Roofwalk"));
        QCOMPARE(QFileInfo(s.window.windowFilePath()).fileName(), name);
        QStringList many{test::write_three_kernels(s.folder, name)};
        for (int i = 0; i < 5; ++i)
            many.append(test::write_many_kernels(s.folder, QString("%1.json").arg(i), 1));
        QVERIFY(s.open(many));
        QVERIFY2(s.window.windowTitle().contains("k.json and 5 more[*] – Roofwalk"),
                 qPrintable(s.window.windowTitle()));
    }

    void the_button_and_the_menu_open_what_the_person_chooses() {
        ShownWindow s;
        s.chooser.to_open = {test::write_three_kernels(s.folder, "a.json")};
        QTest::mouseClick(s.window.findChild<QPushButton*>("start_open"), Qt::LeftButton);
        QVERIFY(s.settle());
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
        s.chooser.to_open = {test::write_many_kernels(s.folder, "b.json", 2)};
        s.action("add").trigger();
        QTRY_COMPARE(s.table().model()->rowCount(), 5);
        s.action("open").trigger();
        QTRY_COMPARE(s.table().model()->rowCount(), 2);
    }

    void the_dialog_is_told_what_the_files_are_for() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        using Purpose = FileChooser::Purpose;
        s.action("compare_with").trigger();
        QCOMPARE(s.chooser.purpose, Purpose::compare);
        s.action("add").trigger();
        QCOMPARE(s.chooser.purpose, Purpose::add);
        s.action("open").trigger();
        QCOMPARE(s.chooser.purpose, Purpose::open);
    }

    void the_table_of_a_wide_window_gets_a_share_of_it() {
        ShownWindow s;
        s.window.resize(2400, 1000);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* dock = s.window.findChild<QDockWidget*>("dock_kernels");
        QTRY_VERIFY(dock->width() >= 570);
        const int wide = dock->width();
        QCOMPARE(s.window.dockWidgetArea(s.window.findChild<QDockWidget*>("dock_details")),
                 Qt::RightDockWidgetArea);
        const auto width_of = [&](const char* heading) {
            for (int i = 0; i < s.table().model()->columnCount(); ++i)
                if (s.table().model()->headerData(i, Qt::Horizontal) == heading)
                    return s.table().columnWidth(i);
            return 0;
        };
        const int names = width_of("Kernel");
        const auto fits = [&] {
            return s.table().horizontalHeader()->length() <= s.table().viewport()->width();
        };
        QVERIFY(fits());
        s.window.resize(1280, 800);
        QTRY_COMPARE(dock->width(), 1280 * 398 / 1000);  // above the details, as in one that opened so
        QTRY_VERIFY(fits());
        QVERIFY(width_of("Kernel") < names);
        s.window.resize(2400, 1000);
        QTRY_COMPARE(dock->width(), wide);
        const QPoint line(dock->geometry().right() + 1, dock->geometry().center().y());
        QTest::mousePress(&s.window, Qt::LeftButton, {}, line);
        QTest::mouseMove(&s.window, line - QPoint(40, 0));
        QTest::mouseMove(&s.window, line - QPoint(70, 0));
        QTRY_VERIFY(dock->width() < wide - 30);
        QTest::mouseRelease(&s.window, Qt::LeftButton, {}, line - QPoint(70, 0));
        const int drawn = dock->width();
        s.window.resize(2300, 1000);
        QCoreApplication::processEvents();
        QCOMPARE(dock->width(), drawn);
    }

    void changing_ones_mind_in_the_dialog_changes_nothing() {
        ShownWindow s;
        s.action("open").trigger();
        QVERIFY(!s.document().loader().job().running());
        QVERIFY(shows_start_page(s));
    }

    void dropped_files_open_and_with_shift_they_are_added() {
        ShownWindow s;
        drop(s.window, {test::write_three_kernels(s.folder, "a.json")});
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
        drop(s.window, {test::write_many_kernels(s.folder, "b.json", 2)}, Qt::ShiftModifier);
        QTRY_COMPARE(s.table().model()->rowCount(), 5);
    }

    void a_file_that_is_offered_to_be_moved_is_copied() {
        ShownWindow s;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(test::write_three_kernels(s.folder, "a.json"))});
        QDragEnterEvent enter({200, 200}, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QApplication::sendEvent(&s.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event({200, 200}, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
        event.setDropAction(Qt::MoveAction);
        QApplication::sendEvent(&s.window, &event);
        QCOMPARE(event.dropAction(), Qt::CopyAction);
        QDragEnterEvent only_move({200, 200}, Qt::MoveAction, &data, Qt::LeftButton, Qt::NoModifier);
        only_move.ignore();
        QApplication::sendEvent(&s.window, &only_move);
        QVERIFY(!only_move.isAccepted());
    }

    void closing_a_file_is_not_called_reading() {
        ShownWindow s;
        const QString first = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({first, test::write_many_kernels(s.folder, "b.json", 2)}));
        const auto says = [&](const char* word) {
            const QList<QLabel*> labels = s.window.statusBar()->findChildren<QLabel*>();
            return std::ranges::any_of(labels, [&](const QLabel* label) {
                return label->isVisible() && label->text().startsWith(word);
            });
        };
        s.document().loader().close(first);
        QVERIFY(s.document().loader().job().running());
        QVERIFY(!says("Reading") && says("Analysing"));
        s.document().loader().open({first}, ReportLoader::Opening::add);
        QVERIFY(says("Reading"));
        QVERIFY(s.settle());
    }

    void files_that_were_read_are_recent_and_broken_ones_are_not() {
        ShownWindow s;
        const QString good = test::write_three_kernels(s.folder, "good.json");
        QVERIFY(s.open({good}));
        QVERIFY(s.open({test::write_broken_file(s.folder, "broken.json")}));
        QCOMPARE(s.settings.recent_files(), QStringList{good});
        s.action("close").trigger();
        QVERIFY(shows_start_page(s));
        auto* list = s.window.findChild<QListWidget*>("recent_list");
        QCOMPARE(list->count(), 1);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
    }

    void the_mark_of_tools_without_room_stands_out_from_the_toolbar() {
        ShownWindow s;
        s.window.resize(760, 600);
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto* more = s.window.findChild<QToolButton*>("qt_toolbar_ext_button");
        QTRY_VERIFY(more->isVisible());
        for (const Theme theme : {Theme::light, Theme::dark}) {
            apply_theme(*qApp, theme);
            const QImage picture = more->grab().toImage();
            double darkest = 1;
            double lightest = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) {
                    const QColor pixel = picture.pixelColor(x, y);
                    const double light = test::luminance(pixel.redF(), pixel.greenF(), pixel.blueF());
                    darkest = std::min(darkest, light);
                    lightest = std::max(lightest, light);
                }
            QVERIFY2(test::contrast(lightest, darkest) >= 3,
                     qPrintable(QString::number(test::contrast(lightest, darkest))));
        }
        apply_theme(*qApp, Theme::light);
    }

    void closing_returns_to_the_start_page_and_opening_again_works() {
        ShownWindow s;
        const QString path = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({path}));
        s.action("close").trigger();
        QVERIFY(shows_start_page(s));
        QVERIFY(!s.window.findChild<QToolBar*>("toolbar")->isVisible());
        QVERIFY(s.open({path}));
        QVERIFY(s.chart().isVisible());
        QVERIFY(s.table().isVisible());
    }

    void docks_stay_where_they_were_put_when_a_document_closes_and_another_opens() {
        ShownWindow s;
        const QString path = test::write_three_kernels(s.folder, "a.json");
        QVERIFY(s.open({path}));
        auto* dock = s.window.findChild<QDockWidget*>("dock_kernels");
        QCOMPARE(s.window.dockWidgetArea(dock), Qt::LeftDockWidgetArea);
        s.window.addDockWidget(Qt::BottomDockWidgetArea, dock);
        s.action("close").trigger();
        s.window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        QVERIFY(s.open({path}));
        QCOMPARE(s.window.dockWidgetArea(dock), Qt::BottomDockWidgetArea);
        QVERIFY(dock->isVisible());
    }

    void levels_are_switched_on_chart_and_in_the_analysis() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto has_l2 = [&] {
            return std::ranges::any_of(s.chart().scene()->dots,
                                       [](const Dot& dot) { return dot.level == MemoryLevel::l2; });
        };
        QVERIFY(has_l2());
        s.action("level_l2").trigger();
        QVERIFY(s.settle());
        QVERIFY(!s.action("level_l2").isChecked());
        QTRY_VERIFY(!has_l2());
        s.action("level_l2").trigger();
        QTRY_VERIFY(has_l2());
        QVERIFY(s.action("level_smem").isEnabled());
        QVERIFY(!s.action("level_l1").isEnabled() && !s.action("level_l1").isChecked());  // no bytes there
    }

    void a_level_without_bytes_and_without_a_roof_cannot_be_shown() {
        const auto path = test::sample("2021.2.0_rtx2070");
        if (path.empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        QVERIFY(s.open({QString::fromStdString(path.string())}));
        QVERIFY(!s.action("level_l2").isEnabled() && s.action("level_hbm").isEnabled());
        s.action("level_hbm").trigger();
        QVERIFY(s.settle());
        QVERIFY(s.action("level_hbm").isEnabled());  // its roof comes back
    }

    void launches_are_grouped_as_chosen() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("group_launch").trigger();
        QTRY_COMPARE(s.table().model()->rowCount(), 4);
        s.action("group_kernel").trigger();
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
    }

    void gaps_of_the_longest_kernels_are_drawn_on_demand() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto gaps_of = [&] {
            std::set<std::uint32_t> points;
            for (const GapMark& gap : s.chart().scene()->gaps)
                points.insert(gap.point);
            return points.size();
        };
        s.document().select(std::nullopt);
        QVERIFY(s.settle());
        QCOMPARE(gaps_of(), std::size_t{0});
        s.action("gaps_3").trigger();
        QTRY_VERIFY(gaps_of() > 1);
        QVERIFY(s.action("gaps_3").isChecked());
        s.action("gaps_of_selection").trigger();
        QTRY_COMPARE(gaps_of(), std::size_t{0});
    }
    void a_number_of_gaps_that_the_menu_lacks_is_none_of_its_choices() {
        ShownWindow s;
        s.document().change_scene([](SceneOptions& options) { options.gaps = 7; });
        for (const char* name : {"gaps_of_selection", "gaps_3", "gaps_5"})
            QVERIFY(!s.action(name).isChecked());
    }

    void words_in_the_status_bar_keep_off_its_edges() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QPointF middle = s.chart().plot_area().center();
        QMouseEvent move(QEvent::MouseMove, middle, s.chart().mapToGlobal(middle), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(&s.chart(), &move);
        auto* pointer = s.window.findChild<QLabel*>("pointer_readout");
        QVERIFY(!pointer->text().isEmpty());
        QCoreApplication::processEvents();
        const QImage bar = s.window.statusBar()->grab().toImage();
        QSet<QRgb> seen;
        for (int y = 0; y < bar.height(); ++y)
            for (int x = 0; x < 4; ++x)
                seen << bar.pixel(x, y) << bar.pixel(bar.width() - 1 - x, y);
        QCOMPARE(seen.size(), 2);  // the ground and the line above it
    }

    void themes_dress_window_and_chart() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        s.action("appearance_dark").trigger();
        QTRY_COMPARE(s.chart().scene()->options.theme, Theme::dark);
        QVERIFY(s.window.palette().color(QPalette::Window).lightness() < 128);
        QCOMPARE(s.settings.appearance(), Appearance::dark);
        s.action("appearance_light").trigger();
        QTRY_COMPARE(s.chart().scene()->options.theme, Theme::light);
        QVERIFY(s.window.palette().color(QPalette::Window).lightness() > 128);
    }
};

}  // namespace tst_main_window

ROOFWALK_TEST(tst_main_window, TestMainWindow, QApplication)
#include "tst_main_window.moc"
