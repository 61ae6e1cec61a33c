// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/scene/dot_pile.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_layout {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::vector<PlacedText> all_labels(const Layout& layout) {
    std::vector<PlacedText> all;
    for (const auto* part :
         {&layout.roof_labels, &layout.ridge_labels, &layout.gap_labels, &layout.target_labels,
          &layout.target_tick_labels, &layout.kernel_ceiling_labels, &layout.names})
        all.insert(all.end(), part->begin(), part->end());
    return all;
}

/// Nothing when no two labels overlap and all are inside `frame` but those of the bands, which stand outside,
/// else what is wrong.
QString faults(const Layout& layout, const RectF& frame) {
    const std::vector<PlacedText> labels = all_labels(layout);
    for (const PlacedRail& rail : layout.rails)
        if (LabelBox(rail.label).overlaps(LabelBox(frame)))
            return QString::fromStdString(rail.label.text + " stands in the plot");
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (!LabelBox(labels[i]).inside(frame))
            return QString::fromStdString(labels[i].text + " leaves the plot");
        for (std::size_t k = 0; k < i; ++k)
            if (LabelBox(labels[i]).overlaps(LabelBox(labels[k])))
                return QString::fromStdString(labels[i].text + " overlaps " + labels[k].text);
    }
    return {};
}

bool inside(const RectF& plot, PointF point) {
    constexpr double slack = 1e-6;
    return point.x >= plot.x - slack && point.x <= plot.right() + slack && point.y >= plot.y - slack &&
           point.y <= plot.bottom() + slack;
}

}  // namespace

class TestLayout : public QObject {
    Q_OBJECT

  private slots:
    void labels_never_overlap_at_any_size_and_zoom() {
        SceneOptions options;
        options.practical_roofs = true;
        options.extra_pipes = {fp64, tensor};
        options.selected = 3;
        options.gaps = 5;
        options.labelled = 30;
        auto kernels = spread_kernels(60);
        kernels[7].work = {{fp32, 0}};
        kernels[11].traffic = {{Boundary::hbm_dram_rw, 0}};
        for (std::size_t i = 0; i < 10; ++i)
            kernels[i].algorithm = "custom flops=1e9 read=1e" + std::to_string(i) + " write=1";
        const Scene scene = ChartFixture(kernels).scene(options);
        for (const RectF plot : {plot_area, RectF{40, 30, 330, 200}, RectF{0, 0, 2300, 1500}})
            for (const double zoom : {1.0, 3.0, 30.0}) {
                View view = whole(scene, plot);
                view.x.hi = view.x.lo * std::pow(view.x.hi / view.x.lo, 1 / zoom);
                view.y.lo = view.y.hi / std::pow(view.y.hi / view.y.lo, 1 / zoom);
                const QString fault = faults(lay_out(scene, view), plot);
                QVERIFY2(fault.isEmpty(), qPrintable(fault));
            }
    }
    void a_short_compute_roof_has_its_label_too() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        const Roof& compute = scene.roofs.back();
        QVERIFY(std::holds_alternative<Pipe>(compute.target));
        View view = whole(scene, plot_area);
        view.x.hi = 1.2 * compute.ends_at;
        const Layout layout = lay_out(scene, view);
        QVERIFY(std::ranges::any_of(layout.roof_labels, [&](const PlacedText& label) {
            return scene.roofs[label.index].id == compute.id;
        }));
    }
    void every_ridge_in_view_has_a_label_that_fits() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        for (const RectF& plot : {plot_area, RectF{50, 40, 320, 400}}) {
            const Layout layout = lay_out(scene, whole(scene, plot));
            QCOMPARE(layout.ridge_ticks.size(), std::size_t{3});
            QCOMPARE(layout.ridge_labels.size(), std::size_t{3});
        }
    }
    void a_label_over_small_dots_gets_a_ground_data() {
        QTest::addColumn<int>("kernels");
        QTest::newRow("few") << 400;
        QTest::newRow("more dots than labels are compared with") << 4000;
    }
    void a_label_over_small_dots_gets_a_ground() {
        QFETCH(const int, kernels);
        const Scene scene = ChartFixture(spread_kernels(static_cast<std::size_t>(kernels))).scene();
        const View view = whole(scene, {50, 40, 160, 60});
        std::size_t covering = 0;
        const Layout layout = lay_out(scene, view, {}, LabelSearch::quick);
        for (const PlacedText& label : layout.roof_labels) {
            const LabelBox box(label);
            if (std::ranges::none_of(scene.dots, [&](const Dot& dot) {
                    return box.touches_circle(dot_position(dot, view), static_cast<double>(dot.radius));
                }))
                continue;
            QVERIFY(label.covers);
            ++covering;
        }
        QVERIFY(covering > 0);
    }
    void lines_stay_inside_the_plot() {
        SceneOptions options;
        options.selected = 0;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        for (const Range x : {scene.x, Range{0.3, 2}, Range{100, 1000}, Range{1e-6, 1e-5}}) {
            const Layout layout = lay_out(scene, {plot_area, x, scene.y});
            for (const auto* lines : {&layout.roofs, &layout.gaps, &layout.targets, &layout.useful_parts,
                                      &layout.target_ticks, &layout.joins, &layout.ridge_ticks})
                for (const PlacedLine& line : *lines)
                    QVERIFY(inside(plot_area, line.from) && inside(plot_area, line.to));
            for (const auto* zone : {&layout.memory_zone, &layout.compute_zone})
                for (const PointF& corner : *zone)
                    QVERIFY(inside(plot_area, corner));
        }
    }
    void roofs_reach_the_edges_of_any_view() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        const View far_right{plot_area, {100, 1e6}, scene.y};
        const Layout layout = lay_out(scene, far_right);
        QCOMPARE(layout.roofs.size(), std::size_t{1});
        QCOMPARE(layout.roofs[0].from.x, plot_area.x);
        QCOMPARE(layout.roofs[0].to.x, plot_area.right());
        const View far_left{plot_area, {1e-4, 1e-2}, {1e8, 1e12}};
        const Layout left = lay_out(scene, far_left);
        QCOMPARE(left.roofs.size(), std::size_t{3});
        for (const PlacedLine& line : left.roofs)
            QVERIFY(std::abs(line.to.x - plot_area.right()) < 1e-6);
    }
    void slope_labels_follow_the_slope() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        const Layout layout = lay_out(scene, {plot_area, {0.01, 100}, {1e9, 1e14}});
        const double per_decade_x = plot_area.width / 4;
        const double per_decade_y = plot_area.height / 5;
        const double slope = std::atan2(per_decade_y, per_decade_x) * 180 / 3.14159265358979;
        int slopes = 0;
        for (const PlacedText& label : layout.roof_labels)
            if (scene.roofs[label.index].id != "roof-fp32") {
                QVERIFY(std::abs(label.angle - slope) < 1e-6);
                ++slopes;
            } else {
                QCOMPARE(label.angle, 0.0);
            }
        QCOMPARE(slopes, 3);
        QCOMPARE(layout.roof_labels.size(), std::size_t{4});
    }
    void coincident_roofs_share_a_label() {
        ChartFixture fixture({three_levels()});
        fixture.analysis.ceilings.bandwidth[1].rate = fixture.analysis.ceilings.bandwidth[0].rate * 1.01;
        const Scene scene = fixture.scene();
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.roofs.size(), std::size_t{4});
        QCOMPARE(layout.roof_labels.size(), std::size_t{3});
        QVERIFY(std::ranges::any_of(layout.roof_labels, [](const PlacedText& label) {
            return label.text == "DRAM 2.00 TB/s, L2 2.02 TB/s";
        }));
    }
    void a_displaced_name_has_a_leader_to_its_dot() {
        std::vector<KernelFacts> crowd;
        for (int i = 0; i < 8; ++i) {
            KernelFacts kernel = three_levels();
            kernel.name = "crowded_kernel_number_" + std::to_string(i);
            kernel.traffic.resize(1);
            kernel.traffic[0].second *= 1 + 0.03 * i;
            crowd.push_back(kernel);
        }
        const Scene scene = ChartFixture(crowd).scene();
        const Layout layout = lay_out(scene, whole(scene));
        QVERIFY(layout.names.size() > 4);
        QVERIFY(std::ranges::any_of(layout.names, &PlacedText::leader));
        for (const PlacedText& name : layout.names) {
            const Dot& dot = scene.dots[scene.names[name.index].dot];
            const PointF centre = dot_position(dot, whole(scene));
            const double apart = std::hypot(name.leader_to.x - centre.x, name.leader_to.y - centre.y) -
                                 static_cast<double>(dot.radius) - leader_air;
            // Up to 2 px farther out where outlines meet, and around a dot that stands for it, seen as one.
            if (name.leader) QVERIFY(apart > -1e-6 && apart < seen_as_one + 2);
        }
    }
    void no_leader_runs_through_a_name() {
        std::vector<KernelFacts> kernels(6, three_levels());
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            kernels[i].name = "kernel_of_nearly_the_same_place_" + std::to_string(i);
            kernels[i].time *= 1 + 0.02 * static_cast<double>(i);
        }
        const Scene scene = ChartFixture(kernels).scene();
        const Layout layout = lay_out(scene, whole(scene));
        QVERIFY(std::ranges::any_of(layout.names, &PlacedText::leader));
        for (const PlacedText& from : layout.names)
            for (const PlacedText& name : layout.names)
                if (from.leader && &from != &name) {
                    const PointF start = LabelBox(from).leader_start(from.leader_to);
                    QVERIFY2(!LabelBox(name).crosses(start, from.leader_to), name.text.c_str());
                }
    }
    void a_small_plot_names_all_of_a_few_kernels_that_stand_apart() {
        std::vector<KernelFacts> kernels(4);
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            kernels[i].name = "kernel_" + std::to_string(i);
            kernels[i].time = 1e-3;
            const double work = 1e6 * std::pow(10, i);
            kernels[i].work = {{fp32, work}};
            kernels[i].traffic = {{Boundary::hbm_dram_rw, work / (0.1 * std::pow(10, i))}};
        }
        const Scene scene = ChartFixture(kernels).scene();
        QCOMPARE(scene.dots.size(), kernels.size());
        QCOMPARE(lay_out(scene, whole(scene, {50, 40, 270, 130})).names.size(), kernels.size());
    }
    void a_small_plot_leaves_labels_out_rather_than_over_dots() {
        SceneOptions options;
        options.gaps = 5;
        options.labelled = 30;
        const Scene scene = ChartFixture(spread_kernels(20)).scene(options);
        const RectF small{50, 40, 320, 170};
        const Layout crowded = lay_out(scene, whole(scene, small));
        const Layout roomy = lay_out(scene, whole(scene, {0, 0, 2300, 1500}));
        const std::size_t told = crowded.names.size() + crowded.gap_labels.size();
        QVERIFY(told > 0 && told < 20);
        QCOMPARE(roomy.gap_labels.size(), roomy.gaps.size());
        QVERIFY(roomy.gaps.size() >= 4);
        std::vector<std::uint32_t> named;
        for (const PlacedText& label : roomy.gap_labels)
            named.push_back(scene.gaps[label.index].point);
        for (const PlacedText& label : roomy.names)
            named.push_back(scene.dots[scene.names[label.index].dot].point);
        std::ranges::sort(named);
        QCOMPARE(named.size(), std::size_t{20});
        QVERIFY(std::ranges::adjacent_find(named) == named.end());
        QCOMPARE(roomy.ridge_labels.size(), std::size_t{2});
        std::string roofs;
        for (const PlacedText& label : crowded.roof_labels)
            roofs += label.text + "; ";
        for (const PlacedLine& line : crowded.roofs)
            QVERIFY2(roofs.find(scene.roofs[line.index].name) != std::string::npos, roofs.c_str());
        for (const auto* labels : {&crowded.names, &crowded.gap_labels, &crowded.ridge_labels})
            for (const PlacedText& label : *labels)
                for (const Dot& dot : scene.dots)
                    QVERIFY(!LabelBox(label).touches_circle(dot_position(dot, whole(scene, small)),
                                                            static_cast<double>(dot.radius)));
    }
    void the_line_through_the_levels_never_strikes_a_label_out() {
        KernelFacts kernel = three_levels();
        kernel.time = 0.51e-3;  // just below the HBM roof: the gap is hidden by its own dot
        SceneOptions options;
        options.gaps = 1;
        for (const bool selected : {false, true}) {
            options.selected = selected ? std::optional(0U) : std::nullopt;
            const Scene scene = ChartFixture({kernel}).scene(options);
            const Layout layout = lay_out(scene, whole(scene));
            QCOMPARE(layout.joins.size(), std::size_t{1});
            QCOMPARE(layout.gap_labels.size(), std::size_t{1});
            QVERIFY(!LabelBox(layout.gap_labels[0]).crosses(layout.joins[0].from, layout.joins[0].to));
        }
    }
    void no_label_stands_where_the_legend_is() {
        const Scene scene = ChartFixture(spread_kernels(40)).scene();
        const RectF legend{plot_area.x + plot_area.width / 4, plot_area.y + plot_area.height / 4,
                           plot_area.width / 2, plot_area.height / 2};
        for (const PlacedText& label : all_labels(lay_out(scene, whole(scene), legend)))
            QVERIFY(!LabelBox(label).overlaps(LabelBox(legend)));
    }
    void captions_break_between_facts() {
        const std::string caption = "first fact; second fact; third";
        QCOMPARE(caption_lines(caption, 10, 1000, 2).lines, std::vector{caption});
        QVERIFY(!caption_lines(caption, 10, 1000, 2).cut);
        const double two = text_width("first fact; second fact", 10) + 1;
        QCOMPARE(caption_lines(caption, 10, two, 2).lines,
                 (std::vector<std::string>{"first fact; second fact", "third"}));
        const auto laid = caption_lines(caption, 10, text_width("second fact", 10), 2);
        QCOMPARE(laid.lines.size(), std::size_t{2});
        QVERIFY(laid.cut && laid.lines[1].ends_with("…"));
        QVERIFY(caption_lines("", 10, 100, 2).lines.empty());
    }
    void the_same_scene_gives_the_same_layout() {
        const Scene scene = ChartFixture(spread_kernels(30)).scene();
        const auto once = all_labels(lay_out(scene, whole(scene)));
        const auto twice = all_labels(lay_out(scene, whole(scene)));
        QCOMPARE(once.size(), twice.size());
        for (std::size_t i = 0; i < once.size(); ++i)
            QVERIFY(once[i].at.x == twice[i].at.x && once[i].at.y == twice[i].at.y &&
                    once[i].text == twice[i].text);
    }
    void dots_outside_the_view_have_no_name() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        QVERIFY(lay_out(scene, {plot_area, {100, 1e4}, scene.y}).names.empty());
        QCOMPARE(lay_out(scene, whole(scene)).names.size(), std::size_t{1});
    }
    void rails_are_laid_only_when_dots_stand_on_them() {
        QVERIFY(lay_out(ChartFixture({three_levels()}).scene(), {plot_area, {0.01, 100}, {1e9, 1e14}})
                    .rails.empty());
        KernelFacts copy = three_levels();
        copy.work = {{fp32, 0}};
        const Scene scene = ChartFixture({copy}).scene();
        const Layout layout = lay_out(scene, whole(scene));
        QCOMPARE(layout.rails.size(), std::size_t{1});
        const View view = whole(scene);
        QVERIFY(view.plot.bottom() < plot_area.bottom());
        QCOMPARE(layout.rails[0].band.y, view.plot.bottom());
        QCOMPARE(layout.rails[0].band.bottom(), plot_area.bottom());
        QCOMPARE(dot_position(scene.dots[0], view).y, (view.plot.bottom() + plot_area.bottom()) / 2);
    }
    void names_of_dots_without_work_stand_in_their_band_or_whole_over_it() {
        std::vector<KernelFacts> kernels(3, three_levels());
        for (std::size_t i = 0; i < kernels.size(); ++i) {
            kernels[i].name = "a_kernel_that_moves_bytes_only_" + std::to_string(i);
            kernels[i].work = {{fp32, 0}};
        }
        const Scene scene = ChartFixture(kernels).scene();
        for (const RectF& area : {plot_area, RectF{60, 20, 400, 500}}) {
            const Layout layout = lay_out(scene, whole(scene, area));
            QCOMPARE(layout.names.size(), std::size_t{3});
            for (const PlacedText& name : layout.names) {
                const bool whole_name = name.text == scene.names[name.index].text;
                QVERIFY(LabelBox(name).inside(layout.rails[0].band) ||
                        (whole_name && (name.angle == 90 || name.leader)));
                for (const Dot& dot : scene.dots)
                    QVERIFY(!LabelBox(name).touches_circle(dot_position(dot, whole(scene, area)),
                                                           static_cast<double>(dot.radius)));
            }
        }
    }
    void a_lone_name_in_the_band_has_all_of_it() {
        KernelFacts copy = three_levels();
        copy.name = "a_kernel_that_moves_bytes_only";
        copy.work = {{fp32, 0}};
        const Scene scene = ChartFixture({copy}).scene();
        const Layout layout = lay_out(scene, whole(scene, {60, 20, 300, 500}));
        QCOMPARE(layout.names.size(), std::size_t{1});
        QCOMPARE(layout.names.front().text, copy.name);
    }
    void text_widths_grow_with_text_and_size() {
        QVERIFY(std::abs(text_width("HBM 1.94 TB/s", 11) - 11 * 13885 / 2048.0) < 1e-9);
        QCOMPARE(text_width("ab", 22), 2 * text_width("ab", 11));
        QCOMPARE(text_width("", 11), 0.0);
        QVERIFY(text_width("漢字", 10) >= 20);
        QCOMPARE(elided("short", 11, 100), std::string("short"));
        QVERIFY(text_width(elided("a much longer text than fits", 11, 60), 11) <= 60);
        QVERIFY(elided("µµµµµµµµ", 11, 40).ends_with("…"));
    }
};

}  // namespace tst_layout

ROOFWALK_TEST(tst_layout, TestLayout, NoApplication)
#include "tst_layout.moc"
