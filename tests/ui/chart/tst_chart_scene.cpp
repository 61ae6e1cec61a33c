// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/chart_scene.h"

namespace tst_chart_scene {

using namespace roofwalk;

class TestChartScene : public QObject {
    Q_OBJECT

  private slots:
    void everything_is_ready_and_copies_share_it() {
        const auto scene = std::make_shared<const Scene>(test::small_scene());
        const ChartScene ready(scene);
        const View view{.plot = {50, 20, 800, 500}, .x = scene->x, .y = scene->y};
        QCOMPARE(ready.scene(), scene);
        QCOMPARE(ready.field().dots_of(0).size(), std::size_t{2});
        QCOMPARE(ready.index().nearest(view, dot_position(scene->dots[1], view), 6), std::optional(1U));
        const ChartScene copy = ready;
        QCOMPARE(&copy.field(), &ready.field());
        QCOMPARE(&copy.index(), &ready.index());
    }

    void without_a_scene_it_is_empty() {
        for (const ChartScene& none : {ChartScene(), ChartScene(nullptr)}) {
            QVERIFY(!none.scene());
            QVERIFY(none.field().dots_of(0).empty());
            QVERIFY(!none.index().nearest({.plot = {0, 0, 100, 100}, .x = {1, 10}, .y = {1, 10}}, {1, 1}, 6));
            QVERIFY(!none.selected().others_are_dimmed());
        }
    }
};

}  // namespace tst_chart_scene

ROOFWALK_TEST(tst_chart_scene, TestChartScene, NoApplication)
#include "tst_chart_scene.moc"
