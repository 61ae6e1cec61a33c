// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAccessible>
#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "tests/ui/chart/shown_chart.h"

namespace tst_chart_accessible {

using namespace roofwalk;
using test::ShownChart;

class TestChartAccessible : public QObject {
    Q_OBJECT

  private slots:
    void the_chart_tells_its_name_and_summary() {
        ShownChart s(test::small_scene());
        QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&s.chart);
        QVERIFY(chart);
        QCOMPARE(chart->role(), QAccessible::Chart);
        QCOMPARE(chart->text(QAccessible::Name), QStringLiteral("Roofline chart"));
        QCOMPARE(chart->text(QAccessible::Description), QStringLiteral("Roofline of a test device."));
    }

    void dots_are_children_largest_first() {
        Scene scene = test::small_scene();
        scene.options.selected = 0;
        ShownChart s(scene);
        s.chart.set_dot_titles([](std::span<const Dot> dots) {
            return DotTitle{"kernel " + std::to_string(dots.front().point), {}};
        });
        QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&s.chart);
        QCOMPARE(chart->childCount(), 4);
        QCOMPARE(chart->child(0)->text(QAccessible::Name), QStringLiteral("kernel 0"));
        QCOMPARE(chart->child(2)->text(QAccessible::Name), QStringLiteral("kernel 1"));
        QVERIFY(chart->child(0)->state().selected);
        QVERIFY(!chart->child(2)->state().selected);
        QVERIFY(!chart->child(4));
        QVERIFY(!chart->child(-1));
        QCOMPARE(chart->indexOfChild(chart->child(1)), 1);
        const QPoint place = s.chart.mapToGlobal(s.place_of(1));
        QVERIFY(chart->child(2)->rect().contains(place));
        QCOMPARE(chart->childAt(place.x(), place.y()), chart->child(2));
    }

    void every_selected_kernel_is_told_to_be() {
        Scene scene = test::small_scene();
        scene.options.selected = 0;
        scene.options.also_selected = {2};
        ShownChart s(scene);
        QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&s.chart);
        QVERIFY(chart->child(0)->state().selected);   // point 0
        QVERIFY(!chart->child(2)->state().selected);  // point 1
        QVERIFY(chart->child(3)->state().selected);   // point 2
    }

    void children_follow_the_scene_and_stay_few() {
        ShownChart s(test::small_scene());
        QAccessibleInterface* chart = QAccessible::queryAccessibleInterface(&s.chart);
        QVERIFY(chart->child(0)->isValid());
        s.chart.set_scene(ChartScene(std::make_shared<const Scene>(test::many_dots(5000))), false);
        QCOMPARE(chart->childCount(), 200);
        QVERIFY(chart->child(199)->isValid());
        s.chart.set_scene({}, false);
        QCOMPARE(chart->childCount(), 0);
    }
};

}  // namespace tst_chart_accessible

ROOFWALK_TEST(tst_chart_accessible, TestChartAccessible, QApplication)
#include "tst_chart_accessible.moc"
