// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/label_owners.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/chart/layout/layout_labels.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_label_owners {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// With HBM traffic only.
KernelFacts one_dot(std::string name, double intensity, double performance, double time = 1e-3) {
    return {std::move(name),
            time,
            {{fp32, performance * time}},
            {{Boundary::hbm_dram_rw, performance * time / intensity}}};
}

PlacedText beside(PointF at, double right) {
    return {.at = {at.x + right, at.y}, .text = "name"};
}

bool tells_whose(const LabelOwners& owners, const PlacedText& label, std::uint32_t point) {
    return owners.is_nearest_to_own(label, LabelBox(label), point);
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
        QVERIFY(tells_whose(owners, beside(at(1), 20), 1));
        QVERIFY(!tells_whose(owners, beside(at(1), 20), 0));
        PlacedText led = beside(at(1), 60);
        for (const bool leader : {false, true}) {
            led.leader = leader;
            QVERIFY(!tells_whose(owners, led, 0) && tells_whose(owners, led, 1));
        }
    }
    void words_in_the_row_of_a_dot_are_not_those_of_one_above() {
        const Scene scene =
            ChartFixture({one_dot("above", 1, 1e11), one_dot("row", 0.98, 7e10, 1e-4)}).scene();
        const View view = whole(scene);
        const LabelOwners owners(scene, view, lay_out(scene, view));
        const auto dot_of = [&](std::uint32_t point) {
            return *std::ranges::find(scene.dots, point, &Dot::point);
        };
        const PointF above = dot_position(dot_of(0), view);
        const PointF row = dot_position(dot_of(1), view);
        PlacedText label = beside({above.x, row.y + 4}, static_cast<double>(dot_of(0).radius) + 2);
        const LabelBox box(label);
        const double own = box.distance_to_circle(above, static_cast<double>(dot_of(0).radius));
        const double other = box.distance_to_circle(row, static_cast<double>(dot_of(1).radius));
        QVERIFY2(own < other, qPrintable(QString("%1 %2").arg(own).arg(other)));
        QVERIFY(!tells_whose(owners, label, 0));
        label.leader = true;
        QVERIFY(tells_whose(owners, label, 0));
        label.leader = false;
        label.at.y = above.y + 4;
        QVERIFY(tells_whose(owners, label, 0));
    }
    void dots_at_one_place_do_not_contest_a_label() {
        const Scene scene = ChartFixture({one_dot("a", 1, 1e11), one_dot("b", 1.001, 1e11)}).scene();
        const View view = whole(scene);
        const LabelOwners owners(scene, view, lay_out(scene, view));
        const PlacedText label = beside(dot_position(scene.dots[0], view), 20);
        QVERIFY(tells_whose(owners, label, 0) && tells_whose(owners, label, 1));
    }
    void arrows_at_one_place_do_not_contest_a_figure() {
        SceneOptions options;
        options.gaps = 2;
        const Scene scene =
            ChartFixture({one_dot("first", 1, 1e11), one_dot("second", 1.001, 1e11, 0.9e-3)}).scene(options);
        QCOMPARE(scene.gaps.size(), std::size_t{2});
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.gap_labels.size(), std::size_t{1});
        QCOMPARE(layout.gap_labels[0].text,
                 std::string("first and 1 more kernel: 20.0x below DRAM (5.00 %)"));
        QVERIFY(!layout.gap_labels[0].leader);
    }
    void every_figure_of_a_row_of_arrows_is_told_or_counted() {
        SceneOptions options;
        options.gaps = 3;
        for (const double step : {1.0, 1.002, 1.004, 1.006, 1.008, 1.01, 1.012, 1.02, 1.05}) {
            const auto at = [&](std::string name, int steps) {
                const double factor = std::pow(step, steps);
                return one_dot(std::move(name), factor, 1e11 * factor, 1e-3 - 1e-4 * steps);
            };
            const Scene scene = ChartFixture({at("a", 0), at("b", 1), at("c", 2)}).scene(options);
            const Layout layout = lay_out(scene, whole(scene));
            std::size_t told = 0;
            for (const PlacedText& label : layout.gap_labels)
                told += told_by_gap(scene, layout, label.index).size();
            QCOMPARE(told + (layout.worded_gaps - layout.gap_labels.size()), std::size_t{3});
        }
    }
    void figures_of_kernels_that_are_not_selected_begin_with_the_name() {
        SceneOptions options;
        options.gaps = 2;
        options.selected = 1;
        const Scene scene =
            ChartFixture({one_dot("first", 1, 1e11), one_dot("second", 3, 1e11)}).scene(options);
        QCOMPARE(scene.gaps.size(), std::size_t{2});
        QCOMPARE(scene.gaps[0].label, std::string("60.0x below DRAM (1.67 %)"));
        QCOMPARE(scene.gaps[0].whose, std::string());
        QCOMPARE(scene.gaps[1].label, std::string("20.0x below DRAM (5.00 %)"));
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.gap_labels.size(), std::size_t{2});
        QCOMPARE(layout.gap_labels[0].text, std::string("60.0x below DRAM (1.67 %), memory side"));
        QCOMPARE(layout.gap_labels[1].text, std::string("first: 20.0x below DRAM (5.00 %)"));
        QCOMPARE(layout.names.size(), std::size_t{1});
        QCOMPARE(scene.names[layout.names[0].index].text, std::string("second"));
    }
    void kernels_at_one_place_share_name_and_figure() {
        const std::vector kernels{one_dot("first", 1, 1e11), one_dot("second", 1.001, 1e11, 0.9e-3),
                                  one_dot("third", 1, 1e11, 0.8e-3), one_dot("apart", 1.1, 1e11, 0.7e-3)};
        const auto texts_of = [](const std::vector<PlacedText>& labels) {
            std::vector<std::string> texts;
            for (const PlacedText& label : labels)
                texts.push_back(label.text);
            return texts;
        };
        const Scene named = ChartFixture(kernels).scene();
        QCOMPARE(texts_of(lay_out(named, whole(named)).names),
                 (std::vector<std::string>{"first and 2 more kernels", "apart"}));

        SceneOptions options;
        options.gaps = 4;
        const Scene scene = ChartFixture(kernels).scene(options);
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.gaps.size(), std::size_t{4});
        QCOMPARE(layout.worded_gaps, std::size_t{2});
        QCOMPARE(texts_of(layout.gap_labels),
                 (std::vector<std::string>{"first and 2 more kernels: 20.0x below DRAM (5.00 %)",
                                           "apart: 22.0x below DRAM (4.55 %)"}));
        QVERIFY(layout.names.empty());
        QCOMPARE(figures_left_out(layout), std::string());

        // What a figure does not speak for has a name of its own.
        options.gaps = 2;
        const Scene some = ChartFixture(kernels).scene(options);
        const Layout partly = lay_out(some, whole(some));
        QCOMPARE(texts_of(partly.gap_labels),
                 (std::vector<std::string>{"first and 1 more kernel: 20.0x below DRAM (5.00 %)"}));
        QCOMPARE(texts_of(partly.names), (std::vector<std::string>{"third", "apart"}));
    }
    void zooming_in_parts_kernels_that_shared_a_name() {
        const Scene scene = ChartFixture({one_dot("first", 1, 1e11), one_dot("second", 1.01, 1e11)}).scene();
        QCOMPARE(lay_out(scene, whole(scene)).names.size(), std::size_t{1});
        const View close{plot_area, {0.9, 1.2}, {0.9e11, 1.1e11}};
        QCOMPARE(lay_out(scene, close).names.size(), std::size_t{2});
    }
    void a_cut_name_keeps_its_count() {
        std::vector<KernelFacts> kernels;
        double time = 1e-3;
        for (const char* name : {"a_kernel_with_a_long_name_here", "another_kernel_with_a_long_name",
                                 "a_third_with_a_long_name"})
            kernels.push_back(one_dot(name, 1, 1e11, time /= 2));
        const Scene scene = ChartFixture(kernels).scene();
        const Layout narrow = lay_out(scene, whole(scene, {60, 20, 130, 300}));
        QCOMPARE(narrow.names.size(), std::size_t{1});
        QVERIFY2(narrow.names[0].text.ends_with("… and 2 more kernels"), narrow.names[0].text.c_str());
    }
    void kernels_at_one_place_are_named_by_that_of_most_time_though_its_name_is_cut() {
        const Scene scene = ChartFixture({one_dot("a_kernel_with_a_long_name_here", 1, 1e11, 2e-3),
                                          one_dot("another", 1, 1e11, 1e-3)})
                                .scene();
        const auto name_in = [&](const RectF& area) {
            const Layout layout = lay_out(scene, whole(scene, area));
            return layout.names.size() == 1 ? layout.names[0].text : std::string();
        };
        const std::string cut = name_in({60, 20, 130, 300});
        QVERIFY2(cut.starts_with("a_kernel") && cut.ends_with("… and 1 more kernel"), cut.c_str());
        QCOMPARE(name_in({60, 20, 700, 300}),
                 std::string("a_kernel_with_a_long_name_here and 1 more kernel"));
    }
    void kernels_at_one_place_are_named_by_that_of_most_time_whichever_comes_first() {
        Scene scene = ChartFixture({one_dot("longest", 1, 1e11, 3e-3), one_dot("apart", 9, 1e12, 1e-3),
                                    one_dot("short", 1, 1e11, 1e-3)})
                          .scene();
        std::ranges::reverse(scene.names);
        const Layout layout = lay_out(scene, whole(scene));
        QVERIFY(std::ranges::any_of(
            layout.names, [](const PlacedText& name) { return name.text == "longest and 1 more kernel"; }));
    }
    void launches_of_one_kernel_are_counted_as_launches() {
        const std::vector<KernelFacts> kernels(3, one_dot("saxpy", 1, 1e11));
        AnalysisOptions each;
        each.group_by = GroupBy::launch;
        const Scene scene = ChartFixture(kernels, each).scene();
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.names.size(), std::size_t{1});
        QCOMPARE(layout.names[0].text, std::string("saxpy and 2 more launches"));
    }
};

}  // namespace tst_label_owners

ROOFWALK_TEST(tst_label_owners, TestLabelOwners, NoApplication)
#include "tst_label_owners.moc"
