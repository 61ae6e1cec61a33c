// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <numeric>

#include "core/chart/layout/page.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_page_dots {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// `count` kernels with a dot at HBM each; point i is dot i and has the more time the larger i is.
Scene crowd(std::uint32_t count, bool cut = false) {
    ChartFixture fixture(spread_kernels(6));
    SourceInfo& source = fixture.profile.sources.emplace_back();
    source.path = "cut.json";
    source.format = SourceFormat::roofwalk_json;
    source.partial = cut;
    Scene scene = fixture.scene();
    scene.dots.clear();
    scene.names.clear();
    scene.gaps.clear();
    scene.targets.clear();
    scene.kernel_ceilings.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        Dot dot;
        dot.point = i;
        dot.x = scene.x.lo * std::pow(scene.x.hi / scene.x.lo, (i % 97 + 0.5) / 97);
        dot.y = scene.y.lo * std::pow(scene.y.hi / scene.y.lo, (i % 89 + 0.5) / 89);
        scene.dots.push_back(dot);
    }
    return scene;
}

/// The first `count` points, which have least time, stand on the bottom rail instead.
void put_on_rail(Scene& scene, std::uint32_t count) {
    scene.rails = {Rail::no_work};
    for (std::uint32_t i = 0; i < count; ++i) {
        scene.dots[i].rail = Rail::no_work;
        scene.dots[i].x = (count - i - 0.5) / count;
    }
}

std::size_t drawn(const PageDots& dots) {
    return static_cast<std::size_t>(std::ranges::count(dots.drawn, true));
}

}  // namespace

class TestPageDots : public QObject {
    Q_OBJECT

  private slots:
    void up_to_5000_dots_each_is_drawn() {
        const PageDots dots = page_dots(crowd(5000));
        QVERIFY(dots.draws(0) && dots.draws(4999));
        QCOMPARE(dots.shaded(), std::size_t{0});
        QVERIFY(page_dots_words(crowd(5000), dots).empty());
    }
    void of_more_the_500_longest_are_drawn_and_the_others_shaded() {
        const Scene scene = crowd(5001);
        const PageDots dots = page_dots(scene);
        QCOMPARE(drawn(dots), std::size_t{500});
        QVERIFY(dots.draws(5000) && dots.draws(4501) && !dots.draws(4500));
        QCOMPARE(dots.shaded(), std::size_t{4501});
        const std::string words = page_dots_words(scene, dots);
        QVERIFY2(words.find("4,501 of 5,001 dots") != std::string::npos, words.c_str());
        QVERIFY2(words.find("500 longest kernels") != std::string::npos, words.c_str());
    }
    void every_level_of_a_long_kernel_is_drawn() {
        Scene scene = crowd(6000);
        for (std::size_t i = 0; i < scene.dots.size(); ++i) {
            scene.dots[i].point = static_cast<std::uint32_t>(i / 3);
            scene.dots[i].level = static_cast<MemoryLevel>(i % 3);
        }
        const PageDots dots = page_dots(scene);
        QCOMPARE(drawn(dots), std::size_t{500});
        QCOMPARE(dots.shaded(), std::size_t{4500});
    }
    void a_selected_kernel_is_drawn_whatever_its_time() {
        Scene scene = crowd(6000);
        scene.options.selected = 17;
        scene.options.also_selected = {3, 18};
        const PageDots dots = page_dots(scene);
        QVERIFY(dots.draws(17) && dots.draws(3) && dots.draws(18) && !dots.draws(19));
        QCOMPARE(dots.shaded(), std::size_t{6000 - 503});
        QCOMPARE(dots.unringed, std::size_t{0});
    }
    void of_a_selection_of_thousands_the_longest_are_ringed_and_the_caption_says_so() {
        Scene scene = crowd(6000);
        scene.options.also_selected.resize(2000);
        std::iota(scene.options.also_selected.begin(), scene.options.also_selected.end(), 0U);
        const PageDots dots = page_dots(scene);
        QVERIFY(dots.draws(1999) && dots.draws(1500) && !dots.draws(1499));
        QCOMPARE(dots.unringed, std::size_t{1500});
        QVERIFY(page_dots_words(scene, dots).find("1,500 not") != std::string::npos);
    }
    void kernels_with_a_gap_a_target_a_path_or_a_name_are_drawn() {
        Scene scene = crowd(6000);
        scene.gaps.emplace_back().point = 1;
        scene.targets.emplace_back().point = 2;
        scene.paths.emplace_back().point = 3;
        scene.kernel_ceilings.emplace_back().point = 4;
        scene.names.push_back({5, "named"});
        const PageDots dots = page_dots(scene);
        for (std::uint32_t point = 1; point <= 5; ++point)
            QVERIFY(dots.draws(point));
        QVERIFY(!dots.draws(0) && !dots.draws(6));
    }
    void on_a_rail_the_longest_of_each_place_is_drawn() {
        Scene scene = crowd(20'000);
        put_on_rail(scene, 10'000);
        const PageDots dots = page_dots(scene);
        const auto on_rail = std::count(dots.drawn.begin(), dots.drawn.begin() + 10'000, true);
        QCOMPARE(on_rail, 1000);
        QCOMPARE(dots.off_rails, std::size_t{9000});
        QVERIFY(dots.draws(9999) && !dots.draws(0));
        QCOMPARE(dots.shaded(), std::size_t{9500});
        QVERIFY(page_dots_words(scene, dots).find("9,000 dots on the bands") != std::string::npos);
    }
    void the_cells_hold_every_dot_that_is_shaded() {
        const Scene scene = crowd(50'000);
        const PagePlacement laid = lay_out_page(scene, {900, 600});
        QCOMPARE(laid.density.inside, laid.dots.shaded());
        QCOMPARE(std::accumulate(laid.density.counts.begin(), laid.density.counts.end(), std::size_t{0}),
                 laid.dots.shaded());
    }
    void a_page_of_any_shape_has_a_bounded_number_of_cells_data() {
        QTest::addColumn<double>("width");
        QTest::addColumn<double>("height");
        QTest::addColumn<bool>("usual");
        QTest::newRow("usual") << 900.0 << 600.0 << true;
        QTest::newRow("poster") << 3600.0 << 2400.0 << true;
        QTest::newRow("flat") << 10'000.0 << 500.0 << false;
        QTest::newRow("high") << 300.0 << 10'000.0 << false;
    }
    void a_page_of_any_shape_has_a_bounded_number_of_cells() {
        QFETCH(double, width);
        QFETCH(double, height);
        QFETCH(bool, usual);
        const PagePlacement laid = lay_out_page(crowd(6000), {width, height});
        QVERIFY(laid.density.counts.size() <= 210'000);
        QCOMPARE(laid.density.inside, laid.dots.shaded());
        PageDots many;
        many.log_x.assign(200'000, 0);
        many.log_y.assign(200'000, 25);
        const DensityMap fine = density_of(many, laid.page.view);
        QCOMPARE(fine.cell == density_cell, usual);
        QVERIFY(fine.counts.size() <= 210'000);
        QVERIFY(usual ? laid.density.cell > fine.cell : laid.density.cell >= fine.cell);
    }
    void legend_and_caption_say_what_is_shaded() {
        const PagePlacement laid = lay_out_page(crowd(6000), {900, 600});
        QVERIFY(laid.page.legend.front().row.shading);
        const std::string& row = laid.page.legend.front().row.text;
        QVERIFY2(row.find("5,500 dots") != std::string::npos, row.c_str());
        QVERIFY2(row.find("1 to " + std::to_string(laid.density.max)) != std::string::npos, row.c_str());
        QVERIFY(laid.page.caption.front().text.starts_with("Test GPU; 5,500 of 6,000 dots"));
        const PagePlacement cut = lay_out_page(crowd(6000, true), {900, 600});
        QVERIFY2(cut.page.caption.front().text.starts_with(
                     "cut.json is incomplete; Test GPU; 5,500 of 6,000 dots"),
                 cut.page.caption.front().text.c_str());
        const PagePlacement few = lay_out_page(crowd(50), {900, 600});
        QVERIFY(std::ranges::none_of(few.page.legend,
                                     [](const PlacedLegendRow& placed) { return placed.row.shading; }));
    }
};

}  // namespace tst_page_dots

ROOFWALK_TEST(tst_page_dots, TestPageDots, NoApplication)
#include "tst_page_dots.moc"
