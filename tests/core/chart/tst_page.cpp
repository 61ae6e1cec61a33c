// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/page.h"
#include "core/roofline/summary.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_page {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Kernels without work and without traffic among others.
Scene full_scene() {
    auto kernels = spread_kernels(12);
    kernels[3].work = {{fp32, 0}};
    kernels[5].traffic = {{Boundary::hbm_dram_rw, 0}};
    SceneOptions options;
    options.practical_roofs = true;
    options.gaps = 1;
    options.title = "A title that is long enough to be cut where the page is narrow";
    return ChartFixture(kernels).scene(options);
}

std::vector<PlacedText> texts_of(const Page& page, const Scene& scene) {
    std::vector<PlacedText> texts = page.tick_labels;
    const Layout layout = lay_out(scene, page.view);
    for (const auto* part :
         {&layout.roof_labels, &layout.ridge_labels, &layout.gap_labels, &layout.target_labels,
          &layout.target_tick_labels, &layout.kernel_ceiling_labels, &layout.names, &page.caption, &page.key})
        texts.insert(texts.end(), part->begin(), part->end());
    for (const PlacedRail& rail : layout.rails)
        texts.push_back(rail.label);
    for (const PlacedLegendRow& row : page.legend)
        texts.push_back({.at = {row.at.x + page_sample_width, row.at.y}, .text = row.row.text});
    for (const PlacedText& text : {page.title, page.x_label, page.y_label})
        if (!text.text.empty()) texts.push_back(text);
    return texts;
}

}  // namespace

class TestPage : public QObject {
    Q_OBJECT

  private slots:
    void no_text_overlaps_another_or_leaves_the_page_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::newRow("smallest") << 200.0 << 200.0;
        QTest::newRow("narrow") << 200.0 << 900.0;
        QTest::newRow("flat") << 900.0 << 200.0;
        QTest::newRow("small") << 400.0 << 300.0;
        QTest::newRow("a column of a paper") << 340.0 << 260.0;
        QTest::newRow("usual") << 900.0 << 600.0;
        QTest::newRow("poster") << 3600.0 << 2400.0;
    }
    void no_text_overlaps_another_or_leaves_the_page() {
        QFETCH(double, width);
        QFETCH(double, height);
        const Scene scene = full_scene();
        const Page page = plan_page(scene, {width, height});
        QVERIFY(page.view.plot.height >= 40);
        const RectF whole{0, 0, page.drawing.width, page.drawing.height};
        const std::vector<PlacedText> texts = texts_of(page, scene);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            QVERIFY2(LabelBox(texts[i]).inside(whole), texts[i].text.c_str());
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY2(!LabelBox(texts[i]).overlaps(LabelBox(texts[k])),
                         (texts[i].text + " over " + texts[k].text).c_str());
        }
    }
    void a_figure_has_letters_of_7_to_9_points_and_whole_words() {
        const Scene scene = full_scene();
        for (const FigureUse& use : figure_uses) {
            const Page page = lay_out_page(scene, use.page).page;
            QCOMPARE(page.size().width, use.page.width);
            for (const double size : {page_text_size, page_small_size, page.title.size}) {
                const double points = size * page.scale / page_pixels_per_point;
                QVERIFY2(points >= 6.99 && points <= 9.01, use.id.data());
            }
            std::string caption;
            for (const PlacedText& line : page.caption)
                caption += (caption.empty() ? "" : " ") + line.text;
            const std::size_t device = scene.caption.find("; ");
            QVERIFY2(caption.starts_with(scene.caption.substr(0, device)), caption.c_str());
            std::string rest = scene.caption.substr(device);
            for (std::string* words : {&caption, &rest})  // a line may end instead
                std::erase(*words, ';');
            QVERIFY2(caption.ends_with(rest), caption.c_str());
            QCOMPARE(lasting_rows(page.legend), lasting_rows(scene.legend));
            const RectF whole{0, 0, page.drawing.width, page.drawing.height};
            for (const PlacedText& text : texts_of(page, scene))
                QVERIFY2(LabelBox(text).inside(whole), text.text.c_str());
        }
        const PageSpec& slide = figure_uses.back().page;
        QCOMPARE(lay_out_page(scene, slide).page.size().height * 16, slide.width * 9);
    }
    void numbers_stand_for_the_rows_of_a_key() {
        auto kernels = spread_kernels(12);
        kernels[3].work = {{fp32, 0}};
        SceneOptions options;
        options.numbered = true;
        options.labelled = 10;
        options.names = {{kernels[1].name, "my <label>"}};
        const ChartFixture fixture(kernels);
        const Scene scene = fixture.scene(options);
        QCOMPARE(scene.key.size(), std::size_t{10});
        const std::vector<std::uint32_t> ranking = ranked_points(fixture.analysis);
        for (const KeyRow& row : scene.key)
            QCOMPARE(ranking[row.number - 1], row.point);
        for (std::size_t i = 0; i < scene.key.size(); ++i)
            QCOMPARE(scene.key[i].number, i + 1);
        QVERIFY(scene.caption.find("2 kernels have no number") != std::string::npos);
        QCOMPARE(std::ranges::find(scene.key, 1U, &KeyRow::point)->name, std::string("my <label>"));
        QCOMPARE(std::ranges::find(scene.key, 3U, &KeyRow::point)->intensity, std::string("–"));
        for (const FigureUse& use : figure_uses) {
            const PagePlacement laid = lay_out_page(scene, use.page);
            std::multiset<std::string> cells;
            for (const PlacedText& cell : laid.page.key)
                cells.insert(cell.text);
            for (const KeyRow& row : scene.key)
                QVERIFY2(cells.contains(std::to_string(row.number)) && cells.contains(row.name),
                         use.id.data());
            std::size_t told = laid.layout.unlabelled_names;
            for (const PlacedText& label : laid.layout.names)
                told += static_cast<std::size_t>(std::ranges::count(label.text, ',')) + 1;
            QCOMPARE(told, scene.key.size());
            const RectF whole{0, 0, laid.page.drawing.width, laid.page.drawing.height};
            const std::vector<PlacedText> texts = texts_of(laid.page, scene);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                QVERIFY2(LabelBox(texts[i]).inside(whole), texts[i].text.c_str());
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY2(!LabelBox(texts[i]).overlaps(LabelBox(texts[k])),
                             (texts[i].text + " over " + texts[k].text).c_str());
            }
        }
        PageSpec without = figure_uses.front().page;
        without.key = false;
        QVERIFY(plan_page(scene, without).key.empty());
        // A page that does not grow counts what it has no room for.
        QVERIFY(plan_page(scene, {336, 252}).fits && plan_page(scene, *page_of_size("89x70mm")).fits);
        const Page flat = plan_page(scene, {400, 200});
        QVERIFY(std::ranges::any_of(flat.key,
                                    [](const PlacedText& cell) { return cell.text.ends_with(" more"); }));
    }
    void of_equal_kernels_the_first_rows_have_the_numbers() {
        const KernelFacts one{"k", 1e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}}};
        std::vector<KernelFacts> kernels(4, one);
        for (std::size_t i = 0; i < kernels.size(); ++i)
            kernels[i].name += std::to_string(i);
        SceneOptions options;
        options.numbered = true;
        options.labelled = 3;
        options.gaps = 0;
        const Scene scene = ChartFixture(kernels).scene(options);
        QCOMPARE(scene.key.size(), std::size_t{3});
        QCOMPARE(scene.key.back().number, std::size_t{3});
        QVERIFY(scene.caption.find("1 kernel has no number") != std::string::npos);
    }
    void letters_of_a_given_size_leave_the_texts_a_place() {
        const Scene scene = full_scene();
        QCOMPARE(plan_page(scene, {900, 600, 22}).scale, 2.0);
        const Page page = plan_page(scene, {200, 200, 50});
        QVERIFY(page.drawing.width >= 240 && page.drawing.height >= 180);
    }
    void letters_without_room_are_smaller_and_that_is_told() {
        const std::array scenes{full_scene(), ChartFixture({three_levels()}).scene()};
        for (const std::string_view size : {"336x252", "80x60mm", "7x4in"})
            for (const double points : {5.0, 9.0, 12.0, 14.0})
                for (const Scene& scene : scenes) {
                    const PageSpec spec = with_letters(*page_of_size(size), points);
                    const PagePlacement laid = lay_out_page(scene, spec);
                    const double letters = laid.page.letters();
                    QVERIFY2(letters < points + 0.01 && letters > 4.99, size.data());
                    QCOMPARE(lack_of_room(spec, laid.page).empty(), letters > points - 0.01);
                    PageSpec range = spec;
                    range.least_letters = 8 * page_pixels_per_point;
                    QCOMPARE(lack_of_room(range, laid.page).empty(), letters > 8 - 0.01);
                    QVERIFY2(laid.page.whole && laid.page.fits, size.data());
                    std::vector<PlacedText> texts = laid.page.tick_labels;
                    texts.insert(texts.end(), laid.page.caption.begin(), laid.page.caption.end());
                    for (const PlacedLegendRow& row : laid.page.legend)
                        texts.push_back(
                            {.at = {row.at.x + page_sample_width, row.at.y}, .text = row.row.text});
                    texts.insert(texts.end(), {laid.page.x_label, laid.page.y_label});
                    const RectF whole{0, 0, laid.page.drawing.width, laid.page.drawing.height};
                    for (std::size_t i = 0; i < texts.size(); ++i) {
                        QVERIFY2(LabelBox(texts[i]).inside(whole), texts[i].text.c_str());
                        for (std::size_t k = 0; k < i; ++k)
                            QVERIFY2(!LabelBox(texts[i]).overlaps(LabelBox(texts[k])),
                                     (texts[i].text + " over " + texts[k].text).c_str());
                    }
                }
        PageSpec bare = with_letters(*page_of_size("3.5x2.6in"), 11);
        bare.legend = LegendPlace::off;
        bare.caption = false;
        QVERIFY(lack_of_room(bare, lay_out_page(scenes[1], bare).page).empty());
        // A series has one size of letters.
        std::set<double> sizes;
        for (const Scene& scene : scenes) {
            PageSpec spec = with_letters(*page_of_size("3.5x2.6in"), 12);
            spec.x = Range{0.1, 1000};
            spec.y = Range{1e9, 1e14};
            Scene untitled = scene;
            untitled.options.title.clear();
            sizes.insert(lay_out_page(untitled, spec).page.letters());
        }
        QCOMPARE(sizes.size(), std::size_t(1));
    }
    void axes_that_are_asked_for_are_drawn_and_what_is_outside_is_counted() {
        const Scene scene = full_scene();
        PageSpec spec;
        spec.x = Range{1, 4};
        spec.y = Range{1e9, 1e13};
        const PagePlacement laid = lay_out_page(scene, spec);
        QCOMPARE(laid.page.view.x, *spec.x);
        QCOMPARE(laid.page.view.y, *spec.y);
        std::set<std::uint32_t> inside;
        std::set<std::uint32_t> outside;
        for (const Dot& dot : scene.dots)
            (dot.rail == Rail::none && !(spec.x->holds(dot.x) && spec.y->holds(dot.y)) ? outside : inside)
                .insert(dot.point);
        std::erase_if(outside, [&](std::uint32_t point) { return inside.contains(point); });
        QVERIFY(!outside.empty());
        const std::string words = std::to_string(outside.size()) + " kernel";
        QVERIFY(std::ranges::any_of(laid.page.caption, [&](const PlacedText& line) {
            return line.text.find(words) != std::string::npos;
        }));
        const auto longest =
            std::ranges::find_if(scene.dots.rbegin(), scene.dots.rend(),
                                 [&](const Dot& dot) { return outside.contains(dot.point); });
        const auto name = std::ranges::find(scene.names, longest->point,
                                            [&](const DotName& of) { return scene.dots[of.dot].point; });
        QVERIFY(name != scene.names.end());
        QVERIFY2(laid.outside.find("outside the axes: " + name->text) != std::string::npos,
                 laid.outside.c_str());
    }
    void figures_of_a_series_have_one_frame() {
        Scene full = full_scene();
        full.options.title.clear();
        const std::array scenes{full, ChartFixture({three_levels()}).scene(),
                                ChartFixture(spread_kernels(60)).scene()};
        for (const std::string_view use : {"column", "page", "slide", "336x252", "89x70mm", "600x400"})
            for (const LegendPlace legend : {LegendPlace::above, LegendPlace::beside, LegendPlace::off})
                for (const bool caption : {true, false}) {
                    PageSpec spec = *page_named(use);
                    spec.legend = legend;
                    spec.caption = caption;
                    spec.x = Range{0.1, 1000};
                    spec.y = Range{1e9, 1e14};
                    std::set<std::array<double, 5>> frames;
                    for (const Scene& scene : scenes) {
                        const Page page = lay_out_page(scene, spec).page;
                        const RectF frame = page.view.plot;  // bands stand beside it
                        frames.insert({frame.x, spec.grows ? 0 : frame.y, page.view.frame().width,
                                       frame.height, page.scale});
                        if (!spec.grows) QVERIFY(std::abs(page.size().height / spec.height - 1) < 1e-9);
                        if (caption) QVERIFY(page.view.frame().bottom() < page.caption.front().at.y);
                        for (const PlacedLegendRow& row : page.legend)
                            QVERIFY(row.at.y < page.drawing.height);
                    }
                    QVERIFY2(frames.size() == 1, use.data());
                }
    }
    void a_legend_tells_of_whiskers_that_are_seen() {
        ChartFixture fixture({three_levels()});
        add_unlike_launch(fixture);
        Scene scene = fixture.scene();
        const auto tells = [&] {
            return std::ranges::any_of(lay_out_page(scene, {}).page.legend,
                                       [](const PlacedLegendRow& row) { return row.row.whiskers; });
        };
        QVERIFY(tells());
        LaunchRange& range = scene.launch_ranges.at(0);
        range.intensity = Range{range.x * 0.999, range.x * 1.001};
        range.performance = Range{range.y * 0.999, range.y * 1.001};
        QVERIFY(!tells());
        QVERIFY(lay_out_page(scene, {}).layout.whiskers.empty());
    }
    void a_kernel_with_a_dot_inside_the_axes_is_not_outside() {
        const Scene scene = ChartFixture({three_levels()}).scene();
        const auto [left, right] = std::ranges::minmax(scene.dots, {}, &Dot::x);
        QVERIFY(left.point == right.point && left.x < right.x);
        PageSpec spec;
        spec.x = Range{std::sqrt(left.x * right.x), right.x * 2};
        const PagePlacement laid = lay_out_page(scene, spec);
        const auto out =
            std::ranges::count_if(scene.dots, [&](const Dot& dot) { return !spec.x->holds(dot.x); });
        QVERIFY(out > 0);
        QVERIFY2(laid.outside.starts_with(std::to_string(out) + " dot") &&
                     laid.outside.find("kernel outside") == std::string::npos,
                 laid.outside.c_str());
        QVERIFY(laid.page.caption.front().text.find(laid.outside.substr(0, 18)) != std::string::npos);
        QCOMPARE(laid.layout.names.size(), std::size_t(1));
        spec.x = Range{right.x * 2, right.x * 4};
        QVERIFY(std::ranges::any_of(lay_out_page(scene, spec).page.caption, [](const PlacedText& line) {
            return line.text.find("1 kernel outside") != std::string::npos;
        }));
    }
    void a_legend_stands_where_it_is_asked_for() {
        const Scene scene = full_scene();
        const auto laid_with = [&](LegendPlace place) {
            PageSpec spec;
            spec.legend = place;
            return lay_out_page(scene, spec);
        };
        const Page above = laid_with(LegendPlace::above).page;
        const Page off = laid_with(LegendPlace::off).page;
        QVERIFY(off.legend.empty() && off.view.plot.height > above.view.plot.height);
        const Page beside = laid_with(LegendPlace::beside).page;
        QCOMPARE(lasting_rows(beside.legend), lasting_rows(scene.legend));
        for (const PlacedLegendRow& row : beside.legend)
            QVERIFY(row.at.x > beside.view.frame().right());
        const PagePlacement inside = laid_with(LegendPlace::inside);
        QVERIFY(inside.page.legend_ground);
        const LabelBox ground(*inside.page.legend_ground);
        QVERIFY(ground.inside(inside.page.view.plot));
        QCOMPARE(lasting_rows(inside.page.legend), lasting_rows(scene.legend));
        for (const PlacedLegendRow& row : inside.page.legend) {
            const double sample = row.row.has_sample() ? page_sample_width : 0;
            QVERIFY(LabelBox(PlacedText{.at = {row.at.x + sample, row.at.y}, .text = row.row.text})
                        .inside(*inside.page.legend_ground));
        }
        const Layout& layout = inside.layout;
        for (const auto* labels : {&layout.roof_labels, &layout.names, &layout.gap_labels})
            for (const PlacedText& label : *labels)
                QVERIFY2(!LabelBox(label).overlaps(ground), label.text.c_str());
    }
    void a_legend_that_finds_no_empty_corner_stands_above() {
        std::vector<KernelFacts> kernels = spread_kernels(60);
        const Scene scene = ChartFixture(kernels).scene();
        PageSpec spec = figure_uses[0].page;
        spec.legend = LegendPlace::inside;
        const PagePlacement laid = lay_out_page(scene, spec);
        QVERIFY(laid.legend_moved && !laid.page.legend_ground);
        spec.legend = LegendPlace::above;
        QCOMPARE(laid.page.legend.size(), lay_out_page(scene, spec).page.legend.size());
        QVERIFY(!lay_out_page(full_scene(), {}).legend_moved);
    }
    void a_column_has_its_legend_above_where_one_beside_leaves_no_plot() {
        for (const FigureUse& use : figure_uses) {
            PageSpec spec = use.page;
            spec.legend = LegendPlace::beside;
            const PagePlacement laid = lay_out_page(full_scene(), spec);
            QCOMPARE(laid.legend_moved, use.id == "column");
            QVERIFY2(laid.legend_moved || laid.page.view.plot.width >= 240, use.id.data());
        }
    }
    void a_wrapped_name_of_the_key_is_whole_in_its_column() {
        std::vector<KernelFacts> kernels = spread_kernels(4);
        for (KernelFacts& kernel : kernels)
            kernel.name +=
                "_with<a_template, that, wraps, in, the, column, of, a, page, for, its, many, words>";
        SceneOptions options;
        options.numbered = true;
        const Scene scene = ChartFixture(kernels).scene(options);
        PageSpec spec = figure_uses[1].page;
        spec.key = true;
        double top_of_right = 0;
        std::string first_of_right;
        const Page page = lay_out_page(scene, spec).page;
        for (const PlacedText& text : page.key)
            if (text.at.x > page.drawing.width / 2 && text.text == "kernel") top_of_right = text.at.y;
        double least = 1e9;
        for (const PlacedText& text : page.key)
            if (text.at.x > page.drawing.width / 2 && text.at.y > top_of_right && text.at.y < least + 0.1) {
                if (text.at.y < least - 0.1) first_of_right.clear();
                least = text.at.y;
                if (text.anchor == TextAnchor::end && first_of_right.empty()) first_of_right = text.text;
            }
        QVERIFY(top_of_right > 0);
        QVERIFY2(
            !first_of_right.empty() && first_of_right.find_first_not_of("0123456789") == std::string::npos,
            first_of_right.c_str());
    }
    void roofs_outside_the_axes_are_named() {
        PageSpec spec;
        const Scene scene = ChartFixture({three_levels()}).scene();
        QVERIFY(lay_out_page(scene, spec).outside.empty());
        spec.y = Range{1e9, 1e12};  // below the FP32 roof of 20 TFLOP/s
        const PagePlacement laid = lay_out_page(scene, spec);
        QCOMPARE(laid.outside, std::string("roof outside the axes: FP32"));
        QVERIFY(laid.page.caption.front().text.find("FP32") != std::string::npos);
        for (const PlacedLine& line : laid.layout.roofs)
            QVERIFY(scene.roofs[line.index].name != "FP32");
    }
    void a_page_without_caption_has_more_plot() {
        const Scene scene = full_scene();
        PageSpec spec;
        const Page with = lay_out_page(scene, spec).page;
        spec.caption = false;
        const Page without = lay_out_page(scene, spec).page;
        QVERIFY(without.caption.empty() && !with.caption.empty());
        QVERIFY(without.view.plot.height > with.view.plot.height);
    }
    void a_long_title_gets_smaller_before_it_is_cut() {
        Scene scene = full_scene();
        scene.options.title = "A title that is too long";
        QCOMPARE(plan_page(scene, {400, 300}).title.size, page_title_size);
        scene.options.title = "A title that does not fit into four hundred pixels of width";
        const Page page = plan_page(scene, {400, 300});
        QCOMPARE(page.title.text, scene.options.title);
        QVERIFY(page.title.size < page_title_size);
        scene.options.title += " although it was made smaller";
        QVERIFY(plan_page(scene, {400, 300}).title.text.ends_with("…"));
    }
    void the_note_of_an_empty_chart_stands_on_no_label() {
        KernelFacts unknown = three_levels();
        unknown.work.clear();
        unknown.traffic.clear();
        const Scene scene = ChartFixture({unknown}).scene();
        for (const PageSpec& size : {PageSpec{400, 300}, figure_uses[0].page, figure_uses[1].page}) {
            const Page page = plan_page(scene, size);
            QVERIFY(page.reserved());
            const Layout layout = lay_out(scene, page.view, page.reserved());
            std::string note;
            for (const PlacedText& line : page.empty_note) {
                note += (note.empty() ? "" : " ") + line.text;
                QVERIFY(LabelBox(line).inside(page.view.plot));
                for (const PlacedText& label : layout.roof_labels)
                    QVERIFY(!LabelBox(label).overlaps(LabelBox(line)));
                for (const PlacedLine& roof : layout.roofs)
                    QVERIFY(!LabelBox(line).crosses(roof.from, roof.to));
            }
            QCOMPARE(note, scene.empty_note);
        }
    }
    void marks_are_smaller_in_a_column_and_no_smaller_than_the_least() {
        const Scene scene = full_scene();
        const MarkScale column = plan_page(scene, figure_uses[0].page).view.marks;
        QVERIFY(column.of(16) >= 10 && column.of(16) <= 12);
        QCOMPARE(column.of(4), 4.0);
        QVERIFY(std::abs(column.of(16) / column.of(12) - 16.0 / 12) < 1e-6);
        for (const PageSpec& large : {figure_uses[1].page, figure_uses[2].page, PageSpec{}})
            QCOMPARE(plan_page(scene, large).view.marks.of(16), 16.0);
    }
    void the_highest_roof_has_its_label_above_it() {
        const Scene scene = full_scene();
        const Page page = plan_page(scene, {400, 300});
        const Layout layout = lay_out(scene, page.view);
        double highest = page.view.plot.bottom();
        for (const PlacedLine& roof : layout.roofs)
            highest = std::min(highest, roof.to.y);
        QVERIFY(highest - page.view.plot.y >= page_text_size);
    }
    void a_practical_roof_on_its_own_roof_is_told_by_the_label_of_that() {
        SceneOptions options;
        options.practical_roofs = true;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        const View flat{.plot = {0, 0, 900, 300}, .x = {1e-3, 1e4}, .y = {1e7, 1e15}};
        const Layout layout = lay_out(scene, flat);
        QVERIFY(std::ranges::any_of(layout.roof_labels, [](const PlacedText& label) {
            return label.text.find(" practical ") != std::string::npos &&
                   label.text.find(", ") != std::string::npos;
        }));
    }
    void each_practical_roof_of_a_figure_is_told() {
        SceneOptions options;
        options.practical_roofs = true;
        options.selected = 0;
        const Scene scene = ChartFixture({three_levels()}).scene(options);
        for (const char* size : {"column", "page", "slide", "89x70mm"}) {
            const PagePlacement laid = lay_out_page(scene, *page_named(size));
            std::string words;
            for (const PlacedText& label : laid.layout.roof_labels)
                words += label.text + "; ";
            for (const PlacedText& line : laid.page.caption)
                words += line.text + " ";
            for (const Roof& roof : scene.roofs)
                QVERIFY2(words.find(roof.name + " " + roof.value) != std::string::npos,
                         (size + (": " + roof.name)).c_str());
        }
    }
    void a_legend_takes_more_height_or_smaller_letters_before_it_is_cut() {
        Scene scene = full_scene();
        while (scene.legend.size() < 14)
            scene.legend.emplace_back().text = "a row of the legend of two reports";
        for (const char* size : {"89x70mm", "90x60mm"}) {
            const PagePlacement laid = lay_out_page(scene, *page_of_size(size));
            QVERIFY2(laid.page.whole && laid.page.fits, size);
            QVERIFY(laid.page.letters() > 4.99);
            QVERIFY(laid.page.view.frame().height > 0.3 * laid.page.drawing.height);
        }
    }
};

}  // namespace tst_page

ROOFWALK_TEST(tst_page, TestPage, NoApplication)
#include "tst_page.moc"
