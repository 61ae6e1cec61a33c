// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <numeric>

#include "tests/support/folder_tests.h"
#include "tests/ui/chart/chart_scenes.h"
#include "ui/chart/chart_scene.h"

namespace tst_selected_dots {

using namespace roofwalk;

namespace {

View view_of(const Scene& scene) {
    return {.plot = {50, 20, 800, 500}, .x = scene.x, .y = {1e6, 1e15}};
}

using Dots = std::vector<std::uint32_t>;

/// The kernels from 0 to 99 of a hundred, and the smallest in front.
Scene all_of_a_hundred() {
    Scene scene = test::many_dots(100);
    scene.options.selected = 0;
    scene.options.also_selected.resize(99);
    std::iota(scene.options.also_selected.begin(), scene.options.also_selected.end(), 1U);
    return scene;
}

Dots largest(const Scene& scene, const View& view, std::size_t most) {
    const DotField field(scene);
    return SelectedDots(scene, field).largest_in(DotPlaces(scene, field, view), most);
}

}  // namespace

class TestSelectedDots : public QObject {
    Q_OBJECT

  private slots:
    void all_but_the_selected_stand_back() {
        Scene scene = test::small_scene();
        scene.options.selected = 1;
        scene.options.also_selected = {2};
        const SelectedDots selected(scene, DotField(scene));
        QVERIFY(selected.others_stand_back());
        QVERIFY(!selected.stands_back(scene.dots[0]));
        QVERIFY(!selected.stands_back(scene.dots[1]));
        QVERIFY(selected.stands_back(scene.dots[2]));
    }

    void nothing_stands_back_without_a_kernel_on_the_chart_data() {
        QTest::addColumn<std::optional<std::uint32_t>>("point");
        QTest::newRow("none") << std::optional<std::uint32_t>();
        QTest::newRow("not drawn") << std::optional<std::uint32_t>(99);
    }

    void nothing_stands_back_without_a_kernel_on_the_chart() {
        QFETCH(std::optional<std::uint32_t>, point);
        Scene scene = test::small_scene();
        scene.options.selected = point;
        const SelectedDots selected(scene, DotField(scene));
        QVERIFY(!selected.others_stand_back());
        QVERIFY(!selected.stands_back(scene.dots[2]));
        QVERIFY(largest(scene, view_of(scene), 500).empty());
    }

    void a_dot_on_a_rail_counts() {
        Scene scene = test::small_scene();
        scene.options.selected = 2;
        QCOMPARE(largest(scene, view_of(scene), 500), (Dots{0}));
    }

    void of_many_the_largest_are_kept_and_always_the_one_in_front() {
        const Scene scene = all_of_a_hundred();
        QCOMPARE(largest(scene, view_of(scene), 500).size(), std::size_t{100});
        QCOMPARE(largest(scene, view_of(scene), 4), (Dots{0, 97, 98, 99}));
    }

    void only_what_is_in_view_is_kept() {
        const Scene scene = all_of_a_hundred();
        View view = view_of(scene);
        view.y = {1e16, 1e17};
        QCOMPARE(largest(scene, view, 500), (Dots{0}));  // the one in front is not looked for
    }
};

}  // namespace tst_selected_dots

ROOFWALK_TEST(tst_selected_dots, TestSelectedDots, NoApplication)
#include "tst_selected_dots.moc"
