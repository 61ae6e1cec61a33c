// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/chart/layout/label_box.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_layout_roofs {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::array widths{120.0, 160.0, 200.0, 260.0, 320.0, 500.0, 800.0};

const PlacedText* label_of_ridge(const Layout& layout, std::uint32_t ridge) {
    const auto label = std::ranges::find(layout.ridge_labels, ridge, &PlacedText::index);
    return label != layout.ridge_labels.end() ? &*label : nullptr;
}

bool is_bandwidth(const Scene& scene, std::uint32_t roof) {
    return std::holds_alternative<Boundary>(scene.roofs[roof].target);
}

double to_line(PointF at, const PlacedLine& line) {
    return distance_to_line(at, line.from, line.to);
}

}  // namespace

class TestLayoutRoofs : public QObject {
    Q_OBJECT

  private slots:
    void only_the_farthest_ridge_is_named_over_a_tick_without_a_label() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        for (const double width : widths) {
            const Layout layout = lay_out(scene, whole(scene, {50, 40, width, 300}));
            QVERIFY2(label_of_ridge(layout, 0) != nullptr, std::to_string(width).c_str());
            for (const PlacedText& label : layout.ridge_labels) {
                if (label.index == 0 && label.leader) continue;  // rather than none
                const RectF box = LabelBox(label).bounds();
                for (const PlacedLine& tick : layout.ridge_ticks) {
                    if (label_of_ridge(layout, tick.index) != nullptr) continue;
                    QVERIFY2(tick.to.x < box.x || tick.to.x > box.right(), label.text.c_str());
                }
            }
        }
    }
    void of_ridges_too_close_for_labels_the_farthest_has_one() {
        Scene scene = ChartFixture({three_levels()}).scene();
        for (std::uint32_t i = 1; i < scene.ridges.size(); ++i)
            scene.ridges[i].x = scene.ridges[0].x / (1 + 0.25 * i);
        std::size_t partly = 0;
        for (double width = 140; width < 300; width += 10) {
            const Layout layout = lay_out(scene, whole(scene, {50, 40, width, 300}));
            const PlacedText* label = label_of_ridge(layout, 0);
            QVERIFY2(label != nullptr, std::to_string(width).c_str());
            if (label->leader) QCOMPARE(label->leader_to.x, layout.ridge_ticks.front().to.x);
            partly += layout.ridge_labels.size() < 3 ? 1U : 0U;
        }
        QVERIFY(partly > 0);
    }
    void the_ridge_of_the_binding_roof_is_always_named() {
        KernelFacts kernel = three_levels();
        kernel.traffic[1].second *= 4;  // L2 binds now
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture({kernel}).scene(options);
        QCOMPARE(scene.ridges.size(), std::size_t{3});
        QVERIFY(!scene.ridges[0].binding && scene.ridges[1].binding && !scene.ridges[2].binding);
        for (const double width : widths) {
            const Layout layout = lay_out(scene, whole(scene, {50, 40, width, 300}));
            const PlacedText* label = label_of_ridge(layout, 1);
            QVERIFY2(label != nullptr, std::to_string(width).c_str());
            QVERIFY(label->text.starts_with("L2"));
        }
    }
    void ridges_close_together_are_named_in_fewer_words() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        const Layout wide = lay_out(scene, whole(scene, {50, 40, 800, 300}));
        const auto brief = [](const PlacedText& label) {
            return label.text.find("ridge") == std::string::npos;
        };
        QVERIFY(std::ranges::none_of(wide.ridge_labels, brief));
        int told_briefly = 0;
        for (double width = 130; width < 500; width += 10) {
            const Layout narrow = lay_out(scene, whole(scene, {50, 40, width, 300}));
            const auto count = std::ranges::count_if(narrow.ridge_labels, brief);
            QVERIFY(count == 0 || count == std::ssize(narrow.ridge_labels));
            told_briefly += count == std::ssize(scene.ridges) ? 1 : 0;
        }
        QVERIFY(told_briefly > 0);
    }
    void the_label_of_a_slope_is_nearest_to_its_own_line_data() {
        QTest::addColumn<double>("ratio");
        for (const double ratio : {1.15, 1.3, 1.5, 2.0, 3.0, 10.0})
            QTest::addRow("%g", ratio) << ratio;
    }
    void the_label_of_a_slope_is_nearest_to_its_own_line() {
        QFETCH(const double, ratio);
        Scene scene = ChartFixture({three_levels()}).scene();
        double rate = 1e12;
        for (std::uint32_t i = 0; i < scene.roofs.size(); ++i)
            if (is_bandwidth(scene, i)) {
                scene.roofs[i].rate = rate;
                rate *= ratio;
            }
        const Layout layout = lay_out(scene, whole(scene));
        for (const PlacedText& label : layout.roof_labels) {
            if (!is_bandwidth(scene, label.index)) continue;
            const PointF middle = LabelBox(label).centre();
            const auto own = std::ranges::find(layout.roofs, label.index, &PlacedLine::index);
            for (const PlacedLine& other : layout.roofs)
                if (other.index != label.index && is_bandwidth(scene, other.index))
                    QVERIFY2(to_line(middle, *own) + 4 <= to_line(middle, other), label.text.c_str());
        }
    }
    void a_roof_with_dots_upon_it_is_named_above_them() {
        std::vector<KernelFacts> kernels;
        for (int i = 0; i < 12; ++i)
            kernels.push_back({.name = "k" + std::to_string(i),
                               .time = 1e-3,
                               .work = {{fp32, 19.5e9}},
                               .traffic = {{Boundary::hbm_dram_rw, 19.5e9 / (20.0 * std::pow(1.5, i))}}});
        SceneOptions options;
        options.labelled = 0;
        const Scene scene = ChartFixture(kernels).scene(options);
        const View view = whole(scene);
        const Layout layout = lay_out(scene, view);
        const auto label = std::ranges::find_if(
            layout.roof_labels, [&](const PlacedText& text) { return !is_bandwidth(scene, text.index); });
        QVERIFY(label != layout.roof_labels.end());
        for (const Dot& dot : scene.dots)
            QVERIFY(
                !LabelBox(*label).touches_circle(dot_position(dot, view), static_cast<double>(dot.radius)));
    }
    void a_roof_under_large_markers_is_named_away_from_them() {
        const ChartFixture fixture({{.name = "near its roof",
                                     .work = {{tensor, 0.29e12}},
                                     .traffic = {{Boundary::hbm_dram_rw, 1e9},
                                                 {Boundary::l2_sm_sectors, 3e9},
                                                 {Boundary::smem_wavefronts, 9e9}}}});
        const Scene scene = fixture.scene();
        for (const double width : {220.0, 265.0, 320.0}) {
            const View view = whole(scene, {50, 40, width, 180});
            const Layout layout = lay_out(scene, view);
            QCOMPARE(layout.roof_labels.size(), std::size_t{4});
            for (const PlacedText& label : layout.roof_labels)
                for (const Dot& dot : scene.dots)
                    QVERIFY2(!LabelBox(label).touches_circle(dot_position(dot, view),
                                                             static_cast<double>(dot.radius)),
                             label.text.c_str());
        }
    }
    void a_roof_between_others_is_named_as_none_of_them() {
        std::vector<KernelFacts> kernels;
        for (int i = 0; i < 20; ++i)
            kernels.push_back({.name = "k" + std::to_string(i),
                               .time = 1e-3,
                               .work = {{i % 3 == 0   ? fp32
                                         : i % 3 == 1 ? fp64
                                                      : tensor,
                                         22e9 + 1e9 * i}},
                               .traffic = {{Boundary::hbm_dram_rw, 15e9 / (5.0 * std::pow(1.5, i))}}});
        Scene scene = ChartFixture(kernels).scene();
        double rate = 20e12;
        for (Roof& roof : scene.roofs)
            if (!std::holds_alternative<Boundary>(roof.target)) roof.rate = rate *= 1.25;
        std::size_t led = 0;
        std::size_t told = 0;
        for (double width = 200; width < 800; width += 40) {
            View view = whole(scene, {50, 40, width, 200});
            view.captioned = true;
            const Layout layout = lay_out(scene, view);
            for (const PlacedText& label : layout.roof_labels) {
                const LabelBox box(label);
                const RectF words = box.bounds();
                QVERIFY(std::ranges::none_of(scene.dots, [&](const Dot& dot) {
                    return box.touches_circle(dot_position(dot, view), view.marks.of(dot.radius) - 1);
                }));
                if (is_bandwidth(scene, label.index) || !label.leader) continue;
                ++led;
                for (const PlacedLine& other : layout.roofs)
                    if (other.index != label.index && !is_bandwidth(scene, other.index))
                        QVERIFY2(other.from.y < words.y || other.from.y > words.bottom() ||
                                     box.distance(other.from, other.to) > 30,
                                 label.text.c_str());
            }
            const std::string caption = names_left_out(scene, layout);
            for (const PlacedLine& line : layout.roofs) {
                const Roof& roof = scene.roofs[line.index];
                const bool in_caption = caption.find(roof.name + " " + roof.value) != std::string::npos;
                const auto own = std::ranges::find(layout.roof_labels, line.index, &PlacedText::index);
                QVERIFY2(in_caption != (own != layout.roof_labels.end() && !own->brief), roof.name.c_str());
                told += in_caption ? 1U : 0U;
            }
        }
        QVERIFY(led > 0 && told > 0);
    }
    void a_gap_to_a_roof_outside_the_view_says_so() {
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        const View all = whole(scene);
        const Layout seen = lay_out(scene, all);
        QVERIFY(!seen.gaps.front().cut);
        const std::string figure = scene.gaps.front().label + ", memory side";
        QCOMPARE(seen.gap_labels.front().text, figure);
        const Layout low = lay_out(scene, {all.plot, all.x, {1e10, scene.gaps.front().to / 1.5}});
        QVERIFY(low.gaps.front().cut);
        QCOMPARE(low.gap_labels.front().text, figure + ", beyond this view");
    }
};

}  // namespace tst_layout_roofs

ROOFWALK_TEST(tst_layout_roofs, TestLayoutRoofs, QCoreApplication)
#include "tst_layout_roofs.moc"
