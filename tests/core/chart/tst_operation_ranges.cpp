// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/page.h"
#include "core/chart/svg/svg_writer.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_operation_ranges {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::size_t classes = 11;

Scene asked_for(const AnalysisOptions& analysis = {}) {
    SceneOptions options;
    options.operation_ranges = true;
    return ChartFixture({three_levels()}, analysis).scene(options);
}

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

}  // namespace

class TestOperationRanges : public QObject {
    Q_OBJECT

  private slots:
    void each_class_reaches_from_one_operation_to_another() {
        const Scene scene = asked_for();
        QCOMPARE(scene.operation_ranges.size(), classes);  // every operation of the table can be read
        for (const OperationRange& range : scene.operation_ranges)
            QVERIFY2(range.x.lo > 0 && range.x.lo < range.x.hi, range.name.c_str());
        const auto gemm = std::ranges::find(scene.operation_ranges, "GEMM", &OperationRange::name);
        QCOMPARE(gemm->x.hi, 8192.0 / 3);  // 2 n^3 / (3 * 2 n^2)
        const auto spmv = std::ranges::find(scene.operation_ranges, "SpMV", &OperationRange::name);
        QVERIFY(spmv->x.hi < 0.25);  // two FLOP for a value and its index
    }
    // 000: FFN 1 to 235.8, RoPE below the elements' two FLOP a byte; prompts of 128 from (128 + 1) / 4.
    void classes_of_language_models_stand_where_their_formulas_say_S0_18_S0_19_S1_03() {
        const Scene scene = asked_for();
        const auto range = [&](const char* name) {
            return std::ranges::find(scene.operation_ranges, name, &OperationRange::name)->x;
        };
        const Range ffn = range("FFN of 1 to 256 tokens");
        QVERIFY(std::abs(ffn.lo - 0.9997) < 1e-4 && std::abs(ffn.hi - 235.78) < 0.01);
        // 3 FLOP for an element that is read and written; the table of its angles is small.
        const Range rope = range("RoPE");
        QVERIFY(rope.lo <= 3.0 / 8 && rope.lo > 0.37 && rope.hi <= 3.0 / 4 && rope.hi > 0.74);
        QVERIFY(std::abs(range("attention of a prompt").lo - 129.0 / 4) < 1e-9);
        QCOMPARE(range("softmax, norms").lo, 5.0 / 8);
    }
    void what_is_often_told_stands_in_the_note_of_its_class_S0_19() {
        const Scene scene = asked_for();
        for (const auto& [name, words] : {std::pair("FFN of 1 to 256 tokens", ", 31.7 of gemm m=32"),
                                          {"GEMM", ", 1365 of gemm m=4096"},
                                          {"attention of a prompt", ", 1024 of attention_prefill seq=2048"},
                                          {"softmax, norms", ", 1.25 of softmax"},
                                          {"RoPE", ", 2.50 of rope"},
                                          {"GEMV, attention of a decode", " of attention_decode"}}) {
            const auto range = std::ranges::find(scene.operation_ranges, name, &OperationRange::name);
            QVERIFY2(range->note.find(words) != std::string::npos, range->note.c_str());
        }
    }
    void each_says_that_it_is_typical_and_whose_it_is() {
        const Scene scene = asked_for();
        for (const OperationRange& range : scene.operation_ranges) {
            QVERIFY2(range.note.find("typical") != std::string::npos, range.note.c_str());
            QVERIFY2(
                range.note.find(" 20") != std::string::npos || range.note.find("NVIDIA") != std::string::npos,
                range.note.c_str());
        }
        const auto count_of = [](const Scene& drawn) {
            return count(drawn.caption, "by formula, not measured (");
        };
        QCOMPARE(count_of(scene), std::size_t{1});
        QCOMPARE(count_of(ChartFixture({three_levels()}).scene()), std::size_t{0});
    }
    void nobody_sees_them_unasked_nor_on_an_axis_of_other_operations() {
        QVERIFY(ChartFixture({three_levels()}).scene().operation_ranges.empty());
        AnalysisOptions integer;
        integer.operations = OperationClass::integer;
        QVERIFY(asked_for(integer).operation_ranges.empty());
    }
    void bars_stand_at_their_intensities_and_names_overlap_nothing() {
        const Scene scene = asked_for();
        View view = whole(scene);
        view.x = {0.01, 1e4};
        const Layout layout = lay_out(scene, view);
        QCOMPARE(layout.operation_ranges.size(), classes);
        QCOMPARE(layout.operation_range_labels.size(), classes);
        for (const PlacedLine& line : layout.operation_ranges) {
            const Range& x = scene.operation_ranges[line.index].x;
            const double decades = std::log10(x.hi / x.lo);
            QVERIFY(std::abs((line.to.x - line.from.x) - decades / 6 * view.plot.width) < 0.01);
            QVERIFY(line.from.y > view.plot.y && line.from.y < view.plot.bottom());
        }
        for (const PlacedText& name : layout.operation_range_labels) {
            const LabelBox box(name);
            for (const auto* others : {&layout.operation_range_labels, &layout.zone_labels, &layout.names,
                                       &layout.roof_labels, &layout.ridge_labels})
                for (const PlacedText& other : *others)
                    QVERIFY2(&other == &name || !box.overlaps(LabelBox(other)),
                             (name.text + " / " + other.text).c_str());
        }
        for (const Dot& dot : scene.dots)
            for (const PlacedLine& bar : layout.operation_ranges) {
                const PointF at = dot_position(dot, view);
                QVERIFY(at.x < bar.from.x || at.x > bar.to.x || std::abs(at.y - bar.from.y) > 4);
            }
        view.x = {0.3, 1000};  // some begin before it, GEMM ends after it
        const Layout cut = lay_out(scene, view);
        QVERIFY(cut.seen_ranges > 4);
        QCOMPARE(cut.operation_ranges.size(), cut.seen_ranges);
        view.x = {1e5, 1e6};
        QVERIFY(lay_out(scene, view).operation_ranges.empty());
    }
    void in_a_column_they_give_way_to_everything_else() {
        const Scene scene = asked_for();
        const View view = whole(scene, {80, 60, 270, 165});
        const Layout layout = lay_out(scene, view);
        QVERIFY(!layout.operation_ranges.empty() && layout.operation_ranges.size() < layout.seen_ranges);
        QCOMPARE(layout.operation_ranges.size(), layout.operation_range_labels.size());
        QVERIFY(figures_left_out(layout).find("typical ranges") != std::string::npos);
        Scene without = scene;
        without.operation_ranges.clear();
        QCOMPARE(layout.names.size(), lay_out(without, view).names.size());
        for (const auto* labels :
             {&layout.names, &layout.roof_labels, &layout.ridge_labels, &layout.gap_labels})
            for (const PlacedText& label : *labels) {
                for (const PlacedLine& bar : layout.operation_ranges)
                    QVERIFY2(!LabelBox(label).crosses(bar.from, bar.to), label.text.c_str());
                for (const PlacedText& name : layout.operation_range_labels)
                    QVERIFY2(!LabelBox(label).overlaps(LabelBox(name)), label.text.c_str());
            }
        for (const PlacedText& name : layout.operation_range_labels) {
            const auto struck = std::ranges::count_if(layout.roofs, [&](const PlacedLine& roof) {
                return LabelBox(name).crosses(roof.from, roof.to);
            });
            QVERIFY2(struck <= 1, name.text.c_str());
        }
    }
    void a_figure_has_all_of_them_in_rows_of_their_own_under_the_plot() {
        Scene scene = asked_for();
        scene.x = {0.2, 1e3};
        for (const FigureUse& use : figure_uses) {
            const PagePlacement laid = lay_out_page(scene, use.page);
            const Layout& layout = laid.layout;
            QVERIFY(layout.seen_ranges == classes && figures_left_out(layout).empty());
            QVERIFY(laid.page.view.plot.height >=
                        0.9 * lay_out_page(ChartFixture({three_levels()}).scene(), use.page)
                                  .page.view.plot.height ||
                    !use.page.grows);
            for (const PlacedText& name : layout.operation_range_labels) {
                const LabelBox box(name);
                QVERIFY(box.inside(laid.page.view.ranges));
                QVERIFY(!box.overlaps(LabelBox(laid.page.x_label)));
                for (const PlacedText& line : laid.page.caption)
                    QVERIFY(!box.overlaps(LabelBox(line)));
                for (const PlacedText& other : layout.operation_range_labels)
                    QVERIFY(&other == &name || !box.overlaps(LabelBox(other)));
                for (const PlacedLine& bar : layout.operation_ranges)
                    QVERIFY2(!box.crosses(bar.from, bar.to), name.text.c_str());
            }
        }
        // Too low for rows beside a plot.
        QCOMPARE(lay_out_page(scene, {340, 260}).page.view.ranges.height, 0.0);
    }
    void a_name_that_fits_beside_no_bar_and_in_none_is_left_out_and_counted() {
        Scene scene = asked_for();
        scene.x = {0.2, 1e3};
        scene.operation_ranges.front().name = std::string(400, 'm');
        for (const FigureUse& use : figure_uses) {
            const Layout layout = lay_out_page(scene, use.page).layout;
            QCOMPARE(layout.seen_ranges, classes);
            QCOMPARE(layout.operation_range_labels.size(), classes - 1);
            QVERIFY(figures_left_out(layout).find("typical ranges") != std::string::npos);
            for (const PlacedLine& bar : layout.operation_ranges)
                QVERIFY(bar.index != 0 && bar.from.x < bar.to.x);
        }
    }
    void a_file_has_them_with_the_operations_at_their_ends() {
        const ChartFixture fixture({three_levels()});
        SceneOptions options;
        options.operation_ranges = true;
        Scene scene = fixture.scene(options);
        scene.x = {0.01, 1e4};
        const std::string svg = to_svg(scene, fixture.analysis, {});
        QCOMPARE(count(svg, "class=\"operation-range\""), classes);
        QCOMPARE(count(svg, "class=\"operation-range-label\""), classes);
        QVERIFY(svg.find("gemm m=8192 n=8192 k=8192 dtype=fp16") != std::string::npos);
    }
};

}  // namespace tst_operation_ranges

ROOFWALK_TEST(tst_operation_ranges, TestOperationRanges, NoApplication)
#include "tst_operation_ranges.moc"
