// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QStatusBar>
#include <algorithm>

#include "tests/support/folder_tests.h"
#include "tests/support/samples.h"
#include "tests/ui/shown_window.h"
#include "ui/shell/chart_menu.h"

namespace tst_chart_menu {

using namespace roofwalk;
using test::ShownWindow;

namespace {

/// Opens the menu of a place of a widget, as the right button does.
QMenu* menu_at(ShownWindow& s, QWidget& on, QPoint at) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, on.mapToGlobal(at));
    QApplication::sendEvent(&on, &event);
    return s.window.findChild<QMenu*>("chart_menu");
}

void choose(QMenu& menu, const char* action) {
    menu.findChild<QAction*>(action)->trigger();
    menu.close();
    QCoreApplication::sendPostedEvents(&menu, QEvent::DeferredDelete);
}

/// On the line of a roof, where no dot is.
QPoint on_roof(ShownWindow& s, const char* name) {
    const Scene& scene = *s.chart().scene();
    const auto roof = std::ranges::find(scene.roofs, name, &Roof::name);
    const Range x = s.chart().x_range();
    const Range y = s.chart().y_range();
    const QRectF plot = s.chart().plot_area();
    const bool flat = std::holds_alternative<Pipe>(roof->target);
    const double at_y = flat ? roof->rate : std::sqrt(y.lo * roof->rate * std::min(roof->ends_at, x.hi));
    const double at_x = flat ? x.hi / 1.5 : at_y / roof->rate;
    return QPointF(plot.left() + std::log(at_x / x.lo) / std::log(x.hi / x.lo) * plot.width(),
                   plot.bottom() - std::log(at_y / y.lo) / std::log(y.hi / y.lo) * plot.height())
        .toPoint();
}

}  // namespace

class TestChartMenu : public QObject {
    Q_OBJECT

  private slots:
    void a_click_on_a_roof_isolates_its_kernels_and_another_brings_all_back() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QVERIFY(s.chart().grab().width() > 0);  // the roofs have their places
        s.document().set_filter("time > 0ms");
        QVERIFY(s.settle());
        QTest::mouseClick(&s.chart(), Qt::LeftButton, {}, on_roof(s, "HBM"));
        QCOMPARE(s.document().filter_text(), QString("bound.roof = \"HBM\""));
        QTRY_VERIFY(s.table().model()->rowCount() < 3);
        QVERIFY(s.table().model()->rowCount() > 0);
        QVERIFY(s.settle());
        QVERIFY(s.chart().grab().width() > 0);
        QTest::mouseClick(&s.chart(), Qt::LeftButton, {}, on_roof(s, "HBM"));
        QCOMPARE(s.document().filter_text(), QString("time > 0ms"));
    }

    void a_roof_keeps_the_kernel_that_a_busier_unit_limits() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        QVERIFY(s.open({QString::fromStdString(test::sample("2023.1.1_a10g_sgemm").string())}));
        QVERIFY(s.chart().grab().width() > 0);
        const auto& points = s.document().analysis()->points;
        const auto binds = [&](const KernelPoint& point) {
            return point.binding == CeilingTarget(Boundary::l1_unified);
        };
        QVERIFY(unit_beyond_roof(points[0]) && binds(points[0]));
        QTest::mouseClick(&s.chart(), Qt::LeftButton, {}, on_roof(s, "L1"));
        QTRY_VERIFY(!s.document().filter_text().isEmpty());
        QTRY_COMPARE(s.table().model()->rowCount(), static_cast<int>(std::ranges::count_if(points, binds)));
        QVERIFY(s.settle() && s.document().result().matched(0));
    }

    void a_roof_leaves_out_the_kernel_that_a_unit_beside_it_binds_and_the_legend_names_its_class() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json"),
                        test::write_kernel_with_busy_sm(s.folder, "b.json")}));
        QVERIFY(s.chart().grab().width() > 0);
        const auto& points = s.document().analysis()->points;
        const auto issuing = static_cast<std::uint32_t>(
            std::ranges::find(points, "issuing", &KernelPoint::name) - points.begin());
        QVERIFY(points[issuing].binding == points[1].binding);
        QVERIFY(unit_beyond_roof(points[issuing]).has_value());
        s.document().select(issuing);
        QVERIFY(s.settle() && s.chart().grab().width() > 0);
        QTest::mouseClick(&s.chart(), Qt::LeftButton, {}, on_roof(s, "FP32"));
        QTRY_VERIFY(s.document().result().matched(1) && !s.document().result().matched(issuing));
        QTRY_COMPARE(s.document().selection(), std::optional<std::uint32_t>(1));  // that was hidden
        auto& menu = *s.window.findChild<ChartMenu*>();
        QVERIFY(menu.end_isolation());
        const auto row = [&] {
            const auto& legend = s.chart().scene()->legend;
            const auto found = std::ranges::find(legend, class_label(points[issuing]), &LegendRow::text);
            return static_cast<std::uint32_t>(found == legend.end() ? 99 : found - legend.begin());
        };
        QTRY_VERIFY(row() != 99);
        menu.isolate(ChartPart{.legend_row = row()});
        QCOMPARE(s.document().filter_text(), QStringLiteral("class = \"SM-bound\""));
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QTRY_COMPARE(s.document().selection(), std::optional(issuing));
    }

    void what_was_isolated_is_left_by_escape_and_by_a_click_on_nothing() {
        if (test::sample_reports().empty()) QSKIP("samples are not beside this checkout");
        ShownWindow s;
        QVERIFY(s.open({QString::fromStdString(test::sample("2023.1.1_a10g_sgemm").string())}));
        for (const bool by_key : {true, false}) {
            choose(*menu_at(s, s.chart(), s.chart().dot_position(0).toPoint()), "menu_isolate");
            QTRY_COMPARE(s.table().model()->rowCount(), 1);
            const QString name = QString::fromStdString(s.document().selected_point()->name);
            QVERIFY2(s.filter().text().size() < 60 && s.filter().text().size() < name.size(),
                     qPrintable(s.filter().text()));
            QVERIFY(s.settle() && s.chart().grab().width() > 0);
            s.window.activateWindow();  // the menu is gone
            QVERIFY(QTest::qWaitForWindowActive(&s.window));
            if (by_key)
                QTest::keyClick(&s.chart(), Qt::Key_Escape);
            else
                QTest::mouseClick(&s.chart(), Qt::LeftButton, {},
                                  (s.chart().plot_area().topLeft() + QPointF(8, 8)).toPoint());
            QTRY_COMPARE(s.table().model()->rowCount(), 4);
            QVERIFY(s.filter().text().isEmpty() && s.document().selection());
            QVERIFY(s.settle() && s.chart().grab().width() > 0);
        }
        QTest::keyClick(&s.chart(), Qt::Key_Escape);
        QVERIFY(!s.document().selection());
    }

    void a_level_and_a_kernel_isolated_together_are_left_one_after_the_other() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        auto& menu = *s.window.findChild<ChartMenu*>();
        const auto levels = [&] { return s.document().analysis_options().levels; };
        const auto shown = levels();
        const auto& legend = s.chart().scene()->legend;
        const auto level =
            std::ranges::find_if(legend, [](const LegendRow& row) { return row.shape.has_value(); });
        QVERIFY(level != legend.end());
        menu.isolate(ChartPart{.legend_row = static_cast<std::uint32_t>(level - legend.begin())});
        QVERIFY(s.settle());
        const auto alone = levels();
        QCOMPARE(std::ranges::count(alone, true), 1);
        QVERIFY(!s.document().analysis_options().l1_where_it_binds);
        menu.isolate(ChartPart{.point = 0U});
        QTRY_COMPARE(s.table().model()->rowCount(), 1);
        QVERIFY(menu.end_isolation());
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
        QVERIFY(levels() == alone);
        QVERIFY(menu.end_isolation() && levels() == shown);
        QVERIFY(s.document().analysis_options().l1_where_it_binds);
        QVERIFY(!menu.end_isolation());
    }

    void a_roof_that_binds_nothing_leaves_the_chart_as_it_is_and_says_so() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QVERIFY(s.chart().grab().width() > 0);
        const auto binds = [&](const Roof& roof) {
            return std::ranges::any_of(s.document().analysis()->points, [&](const KernelPoint& point) {
                return point.binding == roof.target;
            });
        };
        int idle = 0;
        for (const Roof& roof : s.chart().scene()->roofs) {
            if (binds(roof)) continue;
            ++idle;
            QTest::mouseClick(&s.chart(), Qt::LeftButton, {}, on_roof(s, roof.name.c_str()));
            QCOMPARE(s.document().filter_text(), QString());
            QVERIFY(s.window.statusBar()->currentMessage().contains(QString::fromStdString(roof.name)));
        }
        QVERIFY(idle > 0);
        QCOMPARE(s.table().model()->rowCount(), 3);
        QTest::mouseClick(&s.chart(), Qt::LeftButton, {}, s.chart().dot_position(0).toPoint());
        QTRY_VERIFY(s.window.statusBar()->currentMessage().isEmpty());  // its cause is gone
    }

    void a_kernel_is_hidden_and_isolated_from_the_menu_of_its_dot() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const Dot dot = s.chart().scene()->dots[0];
        QMenu* menu = menu_at(s, s.chart(), s.chart().dot_position(0).toPoint());
        QVERIFY(menu != nullptr);
        const std::uint32_t point = *s.document().selection();
        QCOMPARE(point, dot.point);
        const QString name = QString::fromStdString(s.document().analysis()->points[point].name);
        for (QAction* wanted : {&s.action("bind_operation"), &s.action("copy_row")})
            QVERIFY(menu->actions().contains(wanted));
        QVERIFY(menu->actions().contains(s.window.findChild<QMenu*>("what_if_menu")->menuAction()));
        choose(*menu, "menu_copy_name");
        QCOMPARE(QGuiApplication::clipboard()->text(), name);
        choose(*menu_at(s, s.chart(), s.chart().dot_position(0).toPoint()), "menu_hide");
        QTRY_VERIFY(!s.document().result().matched(point));
        QTRY_COMPARE(s.table().model()->rowCount(), 2);
    }

    void the_menu_of_a_row_shows_its_launches() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const QPoint first = s.table().visualRect(s.table().model()->index(1, 0)).center();
        QMenu* menu = nullptr;
        emit s.table().customContextMenuRequested(first);
        QVERIFY((menu = s.window.findChild<QMenu*>("chart_menu")) != nullptr);
        QVERIFY(menu->actions().contains(s.window.findChild<QAction*>("all_columns")));
        choose(*menu, "menu_launches");
        QCOMPARE(s.document().analysis_options().group_by, GroupBy::launch);
        QTRY_VERIFY(s.table().model()->rowCount() > 0 && s.table().model()->rowCount() < 3);
        s.action("clear_selection").trigger();  // Esc
        QCOMPARE(s.document().analysis_options().group_by, GroupBy::kernel);
        QVERIFY(s.document().filter_text().isEmpty());
        QTRY_COMPARE(s.table().model()->rowCount(), 3);
    }

    void launches_that_are_shown_are_left_by_undo_and_shown_again_by_redo() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        emit s.table().customContextMenuRequested(
            s.table().visualRect(s.table().model()->index(1, 0)).center());
        choose(*s.window.findChild<QMenu*>("chart_menu"), "menu_launches");
        const QString shown = s.document().filter_text();
        QVERIFY(!shown.isEmpty() && s.settle());
        s.action("undo").trigger();
        QCOMPARE(s.document().analysis_options().group_by, GroupBy::kernel);
        QVERIFY(s.document().filter_text().isEmpty() && s.settle());
        s.action("redo").trigger();
        QCOMPARE(s.document().analysis_options().group_by, GroupBy::launch);
        QCOMPARE(s.document().filter_text(), shown);
        // What a person did since stays.
        s.document().set_filter("time > 0");
        s.action("undo").trigger();
        QCOMPARE(s.document().filter_text(), QString("time > 0"));
        QCOMPARE(s.document().analysis_options().group_by, GroupBy::launch);
        QVERIFY(s.settle());
        emit s.table().customContextMenuRequested(
            s.table().visualRect(s.table().model()->index(0, 0)).center());
        choose(*s.window.findChild<QMenu*>("chart_menu"), "menu_launches");
        QVERIFY(s.document().filter_text() != "time > 0" && s.settle());
        s.action("undo").trigger();
        QCOMPARE(s.document().filter_text(), QString("time > 0"));
        QCOMPARE(s.document().analysis_options().group_by, GroupBy::launch);
    }

    void the_menu_of_a_legend_row_copies_numbers() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        const auto& legend = s.chart().scene()->legend;
        const auto copied = [&](auto is_wanted) {
            const auto row = std::ranges::find_if(legend, is_wanted) - legend.begin();
            s.window.findChild<ChartMenu*>()->open({.legend_row = static_cast<std::uint32_t>(row)}, {});
            choose(*s.window.findChild<QMenu*>("chart_menu"), "menu_copy_numbers");
            return QGuiApplication::clipboard()->text();
        };
        const QString level = copied([](const LegendRow& row) { return row.shape == MemoryLevel::hbm; });
        const std::string& note = std::ranges::find(s.chart().scene()->roofs, "HBM", &Roof::name)->note;
        QCOMPARE(level, QString::fromStdString(note));
        const QString of_class = copied([](const LegendRow& row) { return !row.classes.empty(); });
        QVERIFY2(of_class.contains(" of 3 kernels, "), qPrintable(of_class));
    }

    void a_roof_is_hidden_from_its_menu_and_nothing_has_none() {
        ShownWindow s;
        QVERIFY(s.open({test::write_three_kernels(s.folder, "a.json")}));
        QVERIFY(s.chart().grab().width() > 0);
        QVERIFY(menu_at(s, s.chart(), QPoint(1, 1)) == nullptr);
        choose(*menu_at(s, s.chart(), on_roof(s, "FP32")), "menu_hide");
        QTRY_VERIFY(std::ranges::find(s.chart().scene()->roofs, "FP32", &Roof::name) ==
                    s.chart().scene()->roofs.end());
    }
};

}  // namespace tst_chart_menu

ROOFWALK_TEST(tst_chart_menu, TestChartMenu, QApplication)
#include "tst_chart_menu.moc"
