// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <numbers>

#include "core/chart/layout/page.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/chart/svg/svg_writer.h"
#include "tests/core/chart/chart_fixture.h"
#include "tests/support/folder_tests.h"

namespace tst_nested_dots {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

const View view{.plot = {50, 20, 800, 500}, .x = {0.01, 1000}, .y = {1e9, 1e14}};

/// A kernel's HBM, L2 and SMEM dots at these intensities.
std::vector<Dot> levels_at(double hbm, double l2, double smem) {
    std::vector<Dot> dots(3);
    for (Dot& dot : dots)
        dot.y = 1e12;
    dots[0].x = hbm;
    dots[1].x = l2;
    dots[2].x = smem;
    dots[1].level = MemoryLevel::l2;
    dots[2].level = MemoryLevel::smem;
    return dots;
}

}  // namespace

class TestNestedDots : public QObject {
    Q_OBJECT

  private slots:
    void dots_apart_stand_for_themselves() {
        const auto dots = levels_at(1, 0.5, 0.25);
        for (std::uint32_t i = 0; i < 3; ++i) {
            QCOMPARE(dots_inside(dots, i, view), 0U);
            QCOMPARE(painted_radius(dots, i, view), static_cast<double>(dots[i].radius));
            QCOMPARE(dots_together(dots, i, view), std::vector{i});
        }
    }
    void dots_of_one_intensity_stand_around_each_other() {
        const auto dots = levels_at(1, 1, 1.01);
        QCOMPARE(dots_inside(dots, 0, view), 0U);
        QCOMPARE(dots_inside(dots, 1, view), 1U);
        QCOMPARE(dots_inside(dots, 2, view), 2U);
        QVERIFY(painted_radius(dots, 1, view) > painted_radius(dots, 0, view) + 2);
        QVERIFY(painted_radius(dots, 2, view) > painted_radius(dots, 1, view) + 2);
        QCOMPARE(outermost_radius(dots, 0, view), painted_radius(dots, 2, view));
        QCOMPARE(dots_together(dots, 1, view), (std::vector{0U, 1U, 2U}));
    }
    void the_legend_tells_what_an_outline_is_where_there_is_one() {
        const auto rows = [](const KernelFacts& kernel) {
            const Page page = lay_out_page(ChartFixture({kernel}).scene(), figure_uses[0].page).page;
            return std::ranges::count_if(page.legend,
                                         [](const PlacedLegendRow& placed) { return placed.row.outlines; });
        };
        KernelFacts kernel = three_levels();
        QCOMPARE(rows(kernel), 0);
        kernel.traffic[1].second = kernel.traffic[0].second;  // nothing is used twice
        QCOMPARE(rows(kernel), 1);
    }
    void large_dots_that_overlap_are_both_drawn() {
        auto dots = levels_at(108, 17.3, 21.3);
        for (Dot& dot : dots)
            dot.radius = 16;
        for (const double width : {320.0, 440.0, 800.0}) {
            View narrow = view;
            narrow.plot.width = width;
            QCOMPARE(dots_inside(dots, 2, narrow), 0U);
        }
        dots[2].x = 17.5;
        QCOMPARE(dots_inside(dots, 2, view), 1U);
    }
    void a_nearer_view_parts_them() {
        const auto dots = levels_at(1, 1.03, 0.25);
        QCOMPARE(dots_inside(dots, 1, view), 1U);
        View near = view;
        near.x = {0.8, 1.3};
        QCOMPARE(dots_inside(dots, 1, near), 0U);
    }
    void dots_of_other_kernels_and_on_rails_do_not_count() {
        auto dots = levels_at(1, 1, 1);
        dots[1].point = 1;
        dots[2].point = 2;
        QCOMPARE(dots_inside(dots, 1, view), 0U);
        auto rails = levels_at(1, 1, 1);
        for (Dot& dot : rails)
            dot.rail = Rail::no_work;
        QCOMPARE(dots_inside(rails, 1, view), 0U);
    }
    void a_kernel_without_reuse_in_l2_shows_both_levels_in_svg() {
        KernelFacts kernel = three_levels();
        kernel.traffic = {{Boundary::hbm_dram_rw, 1e9}, {Boundary::l2_sm_sectors, 1e9}};
        const ChartFixture fixture({kernel});
        const QString svg = QString::fromStdString(to_svg(fixture.scene(), fixture.analysis, {900, 600}));
        const auto element = [&](const char* id) {
            for (const QString& line : svg.split('\n'))
                if (line.contains(QStringLiteral("id=\"%1\"").arg(id))) return line;
            return QString();
        };
        QVERIFY(element("k0-hbm").contains("<circle") && !element("k0-hbm").contains("fill=\"none\""));
        QVERIFY(element("k0-l2").contains("<path") && element("k0-l2").contains("fill=\"none\""));
    }
    void the_dot_of_the_binding_level_is_painted_last_of_its_kernel() {
        std::vector<Dot> dots(6);
        for (std::uint32_t i = 0; i < 6; ++i)
            dots[i].point = i < 2 ? 0 : i < 5 ? 1 : 2;
        dots[3].binds = true;
        std::vector<std::uint32_t> painted;
        for (std::uint32_t turn = 0; turn < 6; ++turn)
            painted.push_back(painted_at(dots, turn));
        QCOMPARE(painted, (std::vector<std::uint32_t>{0, 1, 2, 4, 3, 5}));
    }
    void a_pile_holds_the_dots_that_are_seen_as_one() {
        const LogAxis x(view.x, view.plot.x, view.plot.right());
        const LogAxis y(view.y, view.plot.bottom(), view.plot.y);
        const auto dot_at = [&](double right, double down, std::uint32_t point) {
            Dot dot;
            dot.x = x.to_value(400 + right);
            dot.y = y.to_value(300 + down);
            dot.point = point;
            return dot;
        };
        Scene scene;
        scene.dots.push_back(dot_at(0, 0, 0));
        std::vector<std::uint32_t> near;
        for (std::uint32_t i = 1; i <= 32; ++i) {
            const double angle = std::numbers::pi / 16 * i;
            const double away = i % 2 == 0 ? 0.999 * seen_as_one : 1.001 * seen_as_one;
            scene.dots.push_back(dot_at(away * std::cos(angle), away * std::sin(angle), i));
            if (i % 2 == 0) near.push_back(i);
        }
        QCOMPARE(pile_at(scene, view, 0, {}).others, near);
    }
};

}  // namespace tst_nested_dots

ROOFWALK_TEST(tst_nested_dots, TestNestedDots, NoApplication)
#include "tst_nested_dots.moc"
