// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/label_owners.h"

#include <QTest>
#include <algorithm>

#include "tests/core/chart/chart_fixture.h"

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// With HBM traffic only.
KernelFacts one_dot(std::string name, double intensity, double performance) {
    const double time = 1e-3;
    return {std::move(name),
            time,
            {{fp32, performance * time}},
            {{Boundary::hbm_dram_rw, performance * time / intensity}}};
}

LaidText beside(PointF at, double right) {
    return {.at = {at.x + right, at.y}, .text = "name"};
}

}  // namespace

class TestLabelOwners : public QObject {
    Q_OBJECT

  private slots:
    void a_label_belongs_to_the_dot_that_it_is_nearest_to() {
        const Scene scene = ChartFixture({one_dot("a", 1, 1e11), one_dot("b", 1.3, 1e11)}).scene();
        const View view = whole(scene);
        const LabelOwners owners(scene, view, lay_out(scene, view));
        const auto at = [&](std::uint32_t point) {
            return dot_position(*std::ranges::find(scene.dots, point, &Dot::point), view);
        };
        QVERIFY(owners.tell_whose(beside(at(1), 20), 1));
        QVERIFY(!owners.tell_whose(beside(at(1), 20), 0));
        LaidText led = beside(at(1), 60);
        QVERIFY(!owners.tell_whose(led, 0));
        led.leader = true;
        QVERIFY(owners.tell_whose(led, 0));
    }
    void dots_at_one_place_do_not_contest_a_label() {
        const Scene scene = ChartFixture({one_dot("a", 1, 1e11), one_dot("b", 1.001, 1e11)}).scene();
        const View view = whole(scene);
        const LabelOwners owners(scene, view, lay_out(scene, view));
        const LaidText label = beside(dot_position(scene.dots[0], view), 20);
        QVERIFY(owners.tell_whose(label, 0) && owners.tell_whose(label, 1));
    }
    void figures_of_kernels_that_are_not_selected_begin_with_the_name() {
        SceneOptions options;
        options.gaps = 2;
        options.selected = 1;
        const Scene scene =
            ChartFixture({one_dot("first", 1, 1e11), one_dot("second", 3, 1e11)}).scene(options);
        QCOMPARE(scene.gaps.size(), std::size_t{2});
        QCOMPARE(scene.gaps[0].label, std::string("60.0x below HBM (1.67 %)"));
        QCOMPARE(scene.gaps[1].label, std::string("first: 20.0x below HBM (5.00 %)"));
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.gap_labels.size(), std::size_t{2});
        QCOMPARE(layout.names.size(), std::size_t{1});
        QCOMPARE(scene.names[layout.names[0].index].text, std::string("second"));
    }
    void kernels_at_one_place_share_name_and_figure() {
        const std::vector kernels{one_dot("first", 1, 1e11), one_dot("second", 1.001, 1e11),
                                  one_dot("third", 1, 1e11), one_dot("apart", 1.1, 1e11)};
        const Scene named = ChartFixture(kernels).scene();
        QCOMPARE(named.names.size(), std::size_t{2});
        const auto pile = std::ranges::find_if(
            named.names, [](const DotName& name) { return name.text.ends_with(" and 2 more"); });
        QVERIFY(pile != named.names.end());
        QVERIFY(std::ranges::any_of(named.names, [](const DotName& name) { return name.text == "apart"; }));

        SceneOptions options;
        options.gaps = 4;
        const Scene scene = ChartFixture(kernels).scene(options);
        QCOMPARE(scene.gaps.size(), std::size_t{4});
        QCOMPARE(std::ranges::count_if(scene.gaps, [](const GapMark& gap) { return gap.label.empty(); }),
                 std::ptrdiff_t{2});
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.worded_gaps, std::size_t{2});
        QCOMPARE(figures_left_out(layout), std::string());
    }
};

QTEST_APPLESS_MAIN(TestLabelOwners)
#include "tst_label_owners.moc"
