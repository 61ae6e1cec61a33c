// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/dot_field.h"

namespace tst_dot_field {

using namespace roofwalk;

class TestDotField : public QObject {
    Q_OBJECT

  private slots:
    void dots_of_a_kernel_come_by_level() {
        const Scene scene = test::small_scene();
        const DotField field(scene);
        const auto dots = field.dots_of(0);
        QCOMPARE(dots.size(), std::size_t{2});
        QCOMPARE(dots[0], 2U);
        QCOMPARE(dots[1], 3U);
        QCOMPARE(field.dots_of(1).size(), std::size_t{1});
        QVERIFY(field.dots_of(3).empty());
        QVERIFY(field.dots_of(4'000'000'000U).empty());
    }

    void rail_dots_are_kept_apart() {
        const Scene scene = test::small_scene();
        const DotField field(scene);
        const RailDots& bottom = field.on_rail(Rail::no_work);
        QCOMPARE(bottom.dots, std::vector<std::uint32_t>{0});
        QCOMPARE(bottom.along, std::vector<float>{0.5F});
        QVERIFY(field.on_rail(Rail::no_traffic).dots.empty());
        QCOMPARE(field.placed(), std::size_t{3});
        QVERIFY(!std::isfinite(field.log_x()[0]));
        QVERIFY(std::isfinite(field.log_x()[1]));
    }

    void a_scene_without_dots_has_none() {
        const Scene scene = test::empty_scene();
        const DotField field(scene);
        QVERIFY(field.dots_of(0).empty());
        QVERIFY(DotField().dots_of(0).empty());
    }
};

}  // namespace tst_dot_field

ROOFWALK_TEST(tst_dot_field, TestDotField, NoApplication)
#include "tst_dot_field.moc"
