// SPDX-License-Identifier: GPL-3.0-or-later
// What ties a label to the mark that it belongs to.
#include <QTest>
#include <cmath>
#include <set>
#include <string>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout.h"
#include "core/chart/layout/page.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_layout_labels {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::string words_of(const RidgeMark& ridge) {
    return ridge.name + " ridge " + ridge.number + ridge.whose;
}

}  // namespace

class TestLayoutLabels : public QObject {
    Q_OBJECT

  private slots:
    void one_of_many_dots_of_a_band_is_named_over_it() {
        std::vector<KernelFacts> kernels;
        for (int i = 0; i < 6; ++i) {
            KernelFacts kernel = three_levels();
            kernel.name = "works" + std::to_string(i);
            kernel.time *= 1 + 0.7 * i;
            kernels.push_back(kernel);
        }
        for (int i = 0; i < 9; ++i)
            kernels.push_back({.name = "moves" + std::to_string(i),
                               .time = 1e-3 + 1e-5 * i,
                               .work = {{fp32, 0}},
                               .traffic = {{Boundary::hbm_dram_rw, 1e9}}});
        SceneOptions options;
        options.labelled = 30;
        const Scene scene = ChartFixture(kernels).scene(options);
        const View view = view_in({50, 40, 600, 300}, scene);
        QVERIFY(view.plot.width * scene.rail_step < 2 * 48 && scene.dots.size() > 16);
        const Layout layout = lay_out(scene, view);
        const auto over_band = [&](const PlacedText& name) {
            return scene.dots[scene.names[name.index].dot].rail == Rail::no_work && name.leader &&
                   !name.cut && name.at.y < view.plot.bottom();
        };
        QVERIFY(std::ranges::any_of(layout.names, over_band));
    }
    void a_ridge_label_belongs_to_one_tick() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        std::size_t with_leader = 0;
        for (const double width : {200.0, 320.0, 500.0, 800.0, 1600.0}) {
            const Layout layout = lay_out(scene, whole(scene, {50, 40, width, 300}));
            for (const PlacedText& label : layout.ridge_labels) {
                const RectF box = LabelBox(label).bounds();
                for (const PlacedLine& tick : layout.ridge_ticks) {
                    const bool own = tick.index == label.index;
                    const double apart = std::max({box.x - tick.to.x, tick.to.x - box.right(), 0.0});
                    if (label.leader)
                        QVERIFY(!own || (label.leader_to.x == tick.to.x && label.leader_to.y == tick.to.y));
                    else
                        QVERIFY(own ? apart <= 6 : apart >= 14);
                }
                with_leader += label.leader ? 1U : 0U;
            }
        }
        QVERIFY(with_leader > 0);
    }
    void ridges_at_one_place_share_a_label() {
        Scene scene = ChartFixture({three_levels()}).scene();
        QCOMPARE(scene.ridges.size(), std::size_t{3});
        scene.ridges[2].x = scene.ridges[1].x;
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.ridge_ticks.size(), std::size_t{3});
        QCOMPARE(layout.ridge_labels.size(), std::size_t{2});
        QVERIFY(std::ranges::any_of(layout.ridge_labels, [&](const PlacedText& label) {
            return label.text == words_of(scene.ridges[1]) + ", " + words_of(scene.ridges[2]);
        }));
    }
    void ridges_of_other_devices_at_one_place_keep_their_whole_names() {
        Scene scene = ChartFixture({three_levels()}).scene();
        scene.ridges.resize(2);
        scene.ridges[1] = scene.ridges[0];
        scene.ridges[0].whose = " of A100 SXM 80 GB";
        scene.ridges[1].whose = " of A800 SXM 80 GB";
        const std::string both = words_of(scene.ridges[0]) + ", " + words_of(scene.ridges[1]);
        const Layout apart = lay_out(scene, whole(scene));
        QCOMPARE(apart.ridge_labels.size(), std::size_t{1});
        QCOMPARE(apart.ridge_labels.front().text, both);
        scene.ridges[1].name = "L2";
        scene.ridges[1].whose = scene.ridges[0].whose;
        const Layout shared = lay_out(scene, whole(scene));
        QCOMPARE(shared.ridge_labels.size(), std::size_t{1});
        QCOMPARE(shared.ridge_labels.front().text,
                 scene.ridges[0].name + " ridge, " + words_of(scene.ridges[1]));
    }
    void the_same_ridge_of_another_device_is_told_in_few_words() {
        Scene scene = ChartFixture({three_levels()}).scene();
        scene.ridges.resize(1);
        scene.ridges.push_back(scene.ridges[0]);
        scene.ridges[0].whose = ", boost clock";
        scene.ridges[1].whose = " of H100 SXM, boost clock";
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.ridge_labels.size(), std::size_t{1});
        QCOMPARE(layout.ridge_labels.front().text,
                 scene.ridges[0].name + " ridge " + scene.ridges[0].number + ", also of H100 SXM");
    }
    void a_quick_search_looks_near_by_only() {
        SceneOptions options;
        options.gaps = 8;
        const Scene scene = ChartFixture(spread_kernels(8)).scene(options);
        const View view = whole(scene, {50, 40, 300, 200});
        const Layout quick = lay_out(scene, view, {}, LabelSearch::quick);
        const Layout thorough = lay_out(scene, view);
        QVERIFY(quick.gap_labels.size() + quick.names.size() <
                thorough.gap_labels.size() + thorough.names.size());
        QCOMPARE(quick.roof_labels.size(), thorough.roof_labels.size());
    }
    void labels_keep_clear_of_the_sides_of_the_plot() {
        SceneOptions options;
        options.gaps = 8;
        options.selected = 3;
        const Scene scene = ChartFixture(spread_kernels(30)).scene(options);
        for (const double width : {320.0, 500.0, 800.0}) {
            const RectF plot{50, 40, width, 300};
            const Layout layout = lay_out(scene, whole(scene, plot));
            for (const auto* labels : {&layout.names, &layout.gap_labels, &layout.ridge_labels})
                for (const PlacedText& label : *labels) {
                    const RectF box = LabelBox(label).bounds();
                    QVERIFY2(box.x >= plot.x + 3 && box.right() <= plot.right() - 3, label.text.c_str());
                }
        }
    }
    void the_longest_kernel_has_its_name_in_a_narrow_plot() {
        KernelFacts kernel = three_levels();
        kernel.name = "SimSearch::FindPairsKernel";
        const Scene scene = ChartFixture({kernel}).scene();
        std::size_t cut = 0;
        for (double width = 130; width < 500; width += 10) {
            const RectF plot{50, 40, width, 300};
            const Layout layout = lay_out(scene, whole(scene, plot));
            QVERIFY2(layout.names.size() == 1, std::to_string(width).c_str());
            const PlacedText& name = layout.names.front();
            QVERIFY(LabelBox(name).inside(plot));
            const bool whole_name = name.text == scene.names.front().text;
            QVERIFY2(whole_name || name.text.ends_with("…"), name.text.c_str());
            cut += whole_name ? 0U : 1U;
        }
        QVERIFY2(cut < 10, std::to_string(cut).c_str());
    }
    void shaded_areas_say_what_they_are() {
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        const View view = whole(scene);
        const Layout layout = lay_out(scene, view);
        QCOMPARE(layout.zone_labels.size(), std::size_t{2});
        const double ridge = layout.compute_zone.front().x;
        QCOMPARE(layout.zone_labels[0].text, std::string("memory side"));
        QVERIFY(LabelBox(layout.zone_labels[0]).bounds().right() < ridge);
        QCOMPARE(layout.zone_labels[1].text, std::string("compute side"));
        QVERIFY(LabelBox(layout.zone_labels[1]).bounds().x > ridge);
        const View compute_only{plot_area, {100, 1e4}, scene.y};
        QCOMPARE(lay_out(scene, compute_only).zone_labels.size(), std::size_t{1});
        SceneOptions without = options;
        without.zones = false;
        QVERIFY(lay_out(ChartFixture({three_levels()}).scene(without), view).zone_labels.empty());
    }
    void the_words_of_both_areas_stand_at_one_height() {
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture(spread_kernels(24)).scene(options);
        int pairs = 0;
        for (double width = 300; width < 1000; width += 50)
            for (double height = 200; height < 700; height += 50) {
                const Layout layout = lay_out(scene, whole(scene, {50, 40, width, height}));
                if (layout.zone_labels.size() < 2) continue;
                ++pairs;
                QCOMPARE(layout.zone_labels[0].at.y, layout.zone_labels[1].at.y);
            }
        QVERIFY(pairs > 50);
    }
    void a_gap_ends_at_a_roof_that_is_drawn_or_at_a_piece_of_its_own() {
        SceneOptions options;
        options.gaps = 1;
        ChartFixture fixture({three_levels()});
        const Scene same = fixture.scene(options);
        QVERIFY(same.gaps.front().binding_roof_piece == BindingRoofPiece::none);
        QVERIFY(lay_out(same, whole(same)).own_roofs.empty());
        // The drawn roofs are of a lower clock than the kernel's.
        for (BandwidthCeiling& ceiling : fixture.analysis.ceilings.bandwidth)
            ceiling.rate = ceiling.rate * 0.8;
        const Scene scene = fixture.scene(options);
        const GapMark& gap = scene.gaps.front();
        QVERIFY(gap.binding_roof_piece == BindingRoofPiece::slope);
        QCOMPARE(gap.label, std::string("2.00x below DRAM at 1.410 GHz (50.0 %)"));
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.own_roofs.size(), std::size_t{1});
        const PlacedLine& piece = layout.own_roofs.front();
        const PointF end = layout.gaps.front().to;
        QVERIFY(std::abs((piece.from.x + piece.to.x) / 2 - end.x) < 1e-6);
        QVERIFY(std::abs((piece.from.y + piece.to.y) / 2 - end.y) < 1e-6);
        const PlacedLine& roof = layout.roofs.front();
        QVERIFY(std::abs((piece.to.y - piece.from.y) / (piece.to.x - piece.from.x) -
                         (roof.to.y - roof.from.y) / (roof.to.x - roof.from.x)) < 1e-6);
    }
    void gap_figures_without_room_are_counted() {
        SceneOptions options;
        options.gaps = 8;
        const Scene scene = ChartFixture(spread_kernels(24)).scene(options);
        const Layout roomy = lay_out(scene, whole(scene, {0, 0, 2300, 1500}));
        const Layout small = lay_out(scene, whole(scene, {50, 40, 250, 130}));
        QVERIFY(roomy.gap_labels.size() > small.gap_labels.size());
        const std::size_t all = small.gaps.size();
        const std::size_t missing = all - small.gap_labels.size();
        QVERIFY(missing > 0);
        const std::string words =
            std::to_string(missing) + " of " + std::to_string(all) + " gap figures: no room";
        QVERIFY2(figures_left_out(small).starts_with(words), figures_left_out(small).c_str());
        options.gaps = 1;
        const Scene one = ChartFixture({three_levels()}).scene(options);
        QCOMPARE(figures_left_out(lay_out(one, whole(one))), std::string());
    }
    void what_has_no_room_of_kernels_stands_in_the_caption() {
        SceneOptions options;
        options.gaps = 8;
        const Scene scene = ChartFixture(spread_kernels(24)).scene(options);
        const PagePlacement laid = lay_out_page(scene, figure_uses[0].page);
        QVERIFY(laid.page.whole);
        QVERIFY(!laid.layout.captioned.empty());
        std::string caption;
        for (const PlacedText& line : laid.page.caption)
            caption += line.text + " ";
        std::set<std::uint32_t> told;
        for (const PlacedText& figure : laid.layout.gap_labels)
            told.insert(scene.gaps[figure.index].point);
        std::set<std::string> numbers;
        for (const auto* labels : {&laid.layout.names, &laid.layout.gap_labels})
            for (const PlacedText& label : *labels)
                if (label.number > 0) numbers.insert(label.text);
        for (const CaptionedKernel& kernel : laid.layout.captioned) {
            told.insert(kernel.point);
            QVERIFY2(caption.find(kernel.words) != std::string::npos, caption.c_str());
            QVERIFY(kernel.number == 0 || numbers.erase(std::to_string(kernel.number)) == 1);
        }
        QVERIFY(numbers.empty());
        for (const GapMark& gap : scene.gaps)
            QVERIFY2(told.contains(gap.point), gap.whose.c_str());
    }
    void figures_of_kernels_at_one_place_are_told_once() {
        SceneOptions options;
        options.gaps = 12;
        auto kernels = spread_kernels(6);
        const auto alike = kernels;
        kernels.insert(kernels.end(), alike.begin(), alike.end());
        const Scene scene = ChartFixture(kernels).scene(options);
        for (const PageSpec& page : {PageSpec{300, 240}, PageSpec{400, 300}, figure_uses[0].page}) {
            const Layout layout = lay_out_page(scene, page).layout;
            QVERIFY(layout.gap_labels.size() + layout.captioned_gaps <= layout.worded_gaps);
            QVERIFY(layout.worded_gaps <= layout.gaps.size());
            std::set<std::uint32_t> told;
            for (const CaptionedKernel& kernel : layout.captioned)
                QVERIFY2(told.insert(kernel.point).second, kernel.words.c_str());
        }
    }
    void every_target_tick_has_its_name_or_is_counted() {
        SceneOptions options;
        options.gaps = 10;
        auto kernels = spread_kernels(10);
        for (KernelFacts& kernel : kernels)
            kernel.algorithm = "custom flops=1e9 read=1e6 write=1";
        const Scene scene = ChartFixture(kernels).scene(options);
        const Layout roomy = lay_out(scene, whole(scene, {0, 0, 2300, 1500}));
        QVERIFY(!roomy.target_ticks.empty());
        QCOMPARE(roomy.target_tick_labels.size(), roomy.target_ticks.size());
        const Layout small = lay_out(scene, whole(scene, {50, 40, 250, 130}));
        const std::size_t missing = small.target_ticks.size() - small.target_tick_labels.size();
        QVERIFY(missing > 0);
        const std::string words = std::to_string(missing) + " of " +
                                  std::to_string(small.target_ticks.size()) + " algorithm names: no room";
        QVERIFY2(figures_left_out(small).ends_with(words), figures_left_out(small).c_str());
    }
    void few_targets_without_a_label_are_told_with_their_intensity() {
        SceneOptions options;
        options.gaps = 10;
        auto kernels = spread_kernels(10);
        for (std::size_t i = 0; i < kernels.size(); ++i)
            kernels[i].algorithm = "custom flops=1e9 read=1e" + std::to_string(4 + i % 4) + " write=1";
        const Scene scene = ChartFixture(kernels).scene(options);
        std::size_t told = 0;
        for (double width = 900; width >= 200; width *= 0.9) {
            const Layout layout = lay_out(scene, whole(scene, {50, 40, width, 0.6 * width}));
            const std::size_t missing = layout.worded_ticks - layout.target_tick_labels.size();
            QCOMPARE(layout.unlabelled_ticks.size(), missing);
            if (missing == 0 || missing > 4) continue;
            ++told;
            for (const std::string& words : layout.unlabelled_ticks) {
                QVERIFY2(words.find("FLOP/byte") != std::string::npos, words.c_str());
                QVERIFY(figures_left_out(layout).find(words) != std::string::npos);
                QVERIFY(figures_left_out(layout, true).find(words) == std::string::npos);
            }
        }
        QVERIFY(told > 0);
    }
    void labels_in_a_row_do_not_touch() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        for (const double decades : {4.0, 6.0, 9.0, 12.0, 15.0}) {
            const View view{plot_area, {1e-6, 1e-6 * std::pow(10.0, decades)}, scene.y};
            const Layout layout = lay_out(scene, view);
            for (const PlacedText& label : layout.ridge_labels)
                for (const PlacedText& other : layout.ridge_labels) {
                    const RectF box = LabelBox(label).bounds();
                    const RectF right = LabelBox(other).bounds();
                    if (label.index == other.index || box.x > right.x) continue;
                    QVERIFY(right.x - box.right() > 5 ||
                            !LabelBox(label).lengthened(5).overlaps(LabelBox(other)));
                }
        }
    }
    void ridge_labels_name_the_compute_roof_among_several() {
        SceneOptions options;
        const ChartFixture fixture({three_levels()});
        const auto names_pipe = [&](const Scene& scene) {
            const Layout layout = lay_out(scene, whole(scene, {0, 0, 1600, 800}));
            return std::ranges::all_of(layout.ridge_labels, [&](const PlacedText& label) {
                return label.text.ends_with("(" + scene.ridges[label.index].pipe + ")");
            });
        };
        QVERIFY(!names_pipe(fixture.scene(options)));
        options.extra_pipes = {fp64};
        QVERIFY(names_pipe(fixture.scene(options)));
    }
    void no_arrow_runs_through_a_label_that_may_be_left_out() {
        SceneOptions options;
        options.gaps = 8;
        options.practical_roofs = true;
        auto kernels = spread_kernels(12);
        for (KernelFacts& kernel : kernels)
            kernel.algorithm = "custom flops=1e9 read=1e6 write=1";
        const Scene scene = ChartFixture(kernels).scene(options);
        for (const RectF& plot : {plot_area, RectF{50, 40, 320, 140}}) {
            const Layout layout = lay_out(scene, whole(scene, plot));
            for (const auto* labels : {&layout.names, &layout.ridge_labels, &layout.gap_labels})
                for (const PlacedText& label : *labels)
                    for (const auto* arrows : {&layout.gaps, &layout.targets})
                        for (const PlacedLine& arrow : *arrows)
                            QVERIFY2(!LabelBox(label).crosses(arrow.from, arrow.to), label.text.c_str());
        }
    }
    void a_gap_label_stands_at_its_arrow_or_has_a_leader() {
        SceneOptions options;
        options.gaps = 12;
        options.selected = 4;
        const Scene scene = ChartFixture(spread_kernels(24)).scene(options);
        for (const RectF& plot : {plot_area, RectF{50, 40, 320, 140}}) {
            const View view = whole(scene, plot);
            const Layout layout = lay_out(scene, view);
            QVERIFY(!layout.gap_labels.empty());
            for (const PlacedText& label : layout.gap_labels) {
                const auto arrow = std::ranges::find(layout.gaps, label.index, &PlacedLine::index);
                const double apart = LabelBox(label).distance(arrow->from, arrow->to);
                QVERIFY2(label.leader || apart < 30, label.text.c_str());
            }
        }
    }
    void the_band_below_says_that_its_places_are_no_intensities() {
        std::vector<KernelFacts> kernels(9, three_levels());
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            kernels[i].name = "copy_" + std::to_string(i) + "_with_a_name_too_long_for_its_place";
            if (i > 0) kernels[i].work = {{fp32, 0}};
        }
        const Scene scene = ChartFixture(kernels).scene();
        const View view = whole(scene);
        const Layout layout = lay_out(scene, view);
        const PlacedText& note = layout.rails.at(0).note;
        QCOMPARE(note.text, std::string("no intensity"));
        QVERIFY(LabelBox(note).inside(layout.rails[0].band));
        for (const Dot& dot : scene.dots)
            QVERIFY(!LabelBox(note).touches_circle(dot_position(dot, view), static_cast<double>(dot.radius)));
        const View narrow = whole(scene, {60, 20, 300, 300});
        QVERIFY(lay_out(scene, narrow).rails.at(0).note.text.empty());
    }
    void a_name_in_the_band_is_nearer_to_its_own_dot_than_to_the_next() {
        std::vector<KernelFacts> kernels(5, three_levels());
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            kernels[i].name = "a_kernel_that_moves_bytes_only_" + std::to_string(i);
            kernels[i].work = {{fp32, 0}};
        }
        const Scene scene = ChartFixture(kernels).scene();
        for (const RectF& area : {plot_area, RectF{60, 20, 400, 500}, RectF{0, 0, 2000, 900}}) {
            const View view = whole(scene, area);
            for (const PlacedText& name : lay_out(scene, view).names) {
                const RectF box = LabelBox(name).bounds();
                const Dot& own = scene.dots[scene.names[name.index].dot];
                if (name.leader) continue;
                const double apart = name.angle == 0 ? 10 : 0;
                for (const Dot& dot : scene.dots)
                    if (const double x = dot_position(dot, view).x; x > dot_position(own, view).x)
                        QVERIFY(x - static_cast<double>(dot.radius) - box.right() > apart);
            }
        }
    }
    void a_crowd_of_dots_leaves_only_labels_that_are_needed() {
        SceneOptions options;
        options.gaps = 10;
        options.selected = 300;
        options.practical_roofs = true;
        const Scene scene = ChartFixture(spread_kernels(600)).scene(options);
        const View view = whole(scene, {50, 40, 180, 90});
        const Layout layout = lay_out(scene, view);
        const auto covers_many = [&](const PlacedText& label) {
            return std::ranges::count_if(scene.dots, [&](const Dot& dot) {
                       return LabelBox(label).touches_circle(dot_position(dot, view),
                                                             static_cast<double>(dot.radius));
                   }) > 3;
        };
        QVERIFY(layout.gap_labels.size() < layout.gaps.size());
        QVERIFY(std::ranges::any_of(
            layout.gap_labels, [&](const PlacedText& label) { return scene.gaps[label.index].selected; }));
        for (const PlacedText& name : layout.names)
            QVERIFY(!covers_many(name) || scene.dots[scene.names[name.index].dot].point == 300);
        for (const PlacedText& label : layout.gap_labels)
            QVERIFY(!covers_many(label) || scene.gaps[label.index].selected);
        for (const PlacedText& label : layout.roof_labels)
            QVERIFY(!covers_many(label) || !scene.roofs[label.index].is_beside());
    }
};

}  // namespace tst_layout_labels

ROOFWALK_TEST(tst_layout_labels, TestLayoutLabels, NoApplication)
#include "tst_layout_labels.moc"
