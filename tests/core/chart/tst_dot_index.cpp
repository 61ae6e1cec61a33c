// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <random>

#include "core/chart/layout/dot_index.h"
#include "tests/support/folder_tests.h"

namespace tst_dot_index {

using namespace roofwalk;

namespace {

const View view{.plot = {50, 20, 800, 500}, .x = {0.01, 1000}, .y = {1e9, 1e14}};

Dot dot_at(double x, double y, float radius = 4) {
    Dot dot;
    dot.x = x;
    dot.y = y;
    dot.radius = radius;
    return dot;
}

std::vector<Dot> scattered(std::size_t count) {
    std::mt19937 engine(7);  // the engine's sequence is the same everywhere, unlike the distributions'
    const auto uniform = [&] { return static_cast<double>(engine()) / 4294967296.0; };
    std::vector<Dot> dots;
    for (std::size_t i = 0; i < count; ++i)
        dots.push_back(dot_at(std::pow(10.0, -2 + 5 * uniform()), std::pow(10.0, 9 + 5 * uniform()),
                              static_cast<float>(4 + 8 * uniform())));
    return dots;
}

View with_bands() {
    View banded = view;
    banded.below = banded.beside = rail_band;
    return banded;
}

double rim_distance(const Dot& dot, PointF at) {
    const PointF place = dot_position(dot, view);
    return std::max(0.0, std::hypot(place.x - at.x, place.y - at.y) - static_cast<double>(dot.radius));
}

}  // namespace

class TestDotIndex : public QObject {
    Q_OBJECT

  private slots:
    void no_dots_no_answer() {
        QVERIFY(!DotIndex().nearest(view, {100, 100}, 20));
        QVERIFY(!DotIndex(std::span<const Dot>()).nearest(view, {100, 100}, 20));
        QVERIFY(DotIndex().inside(view, view.plot).empty());
    }
    void the_nearest_rim_wins_as_a_full_search_says() {
        const auto dots = scattered(3000);
        const DotIndex index(dots);
        for (double x = 40; x < 870; x += 23)
            for (double y = 10; y < 530; y += 17) {
                const auto found = index.nearest(view, {x, y}, 12);
                double best = 1e9;
                for (const Dot& dot : dots)
                    best = std::min(best, rim_distance(dot, {x, y}));
                QCOMPARE(found.has_value(), best <= 12);
                if (found) QCOMPARE(rim_distance(dots[*found], {x, y}), best);
            }
    }
    void beyond_the_reach_there_is_nothing() {
        const std::vector dots{dot_at(1, 1e11)};
        const DotIndex index(dots);
        const PointF place = dot_position(dots[0], view);
        QVERIFY(index.nearest(view, {place.x + 13.9, place.y}, 10));
        QVERIFY(!index.nearest(view, {place.x + 14.1, place.y}, 10));
    }
    void a_small_dot_inside_a_large_one_can_be_reached() {
        const std::vector dots{dot_at(1.02, 1e11, 4), dot_at(1, 1e11, 18)};
        const DotIndex index(dots);
        QCOMPARE(index.nearest(view, dot_position(dots[0], view), 5), std::optional(0U));
        QCOMPARE(index.nearest(view, dot_position(dots[1], view), 5), std::optional(1U));
    }
    void of_two_dots_in_one_place_the_one_on_top_answers() {
        const std::vector dots{dot_at(1, 1e11), dot_at(1, 1e11)};
        QCOMPARE(DotIndex(dots).nearest(view, dot_position(dots[0], view), 5), std::optional(1U));
    }
    void dots_on_rails_are_found_where_they_are_painted() {
        std::vector dots{dot_at(0.25, 1), dot_at(0.75, 1), dot_at(1, 1e12)};
        dots[0].rail = dots[1].rail = Rail::no_work;
        dots[2].rail = Rail::no_traffic;
        const View banded = with_bands();
        const DotIndex index(dots);
        for (std::uint32_t i = 0; i < dots.size(); ++i) {
            const PointF place = dot_position(dots[i], banded);
            QVERIFY(place.x > view.plot.right() || place.y > view.plot.bottom());
            QCOMPARE(index.nearest(banded, {place.x + 2, place.y - 2}, 5), std::optional(i));
        }
        QVERIFY(!index.nearest(banded, {300, 200}, 5));
        QCOMPARE(index.inside(banded, banded.frame()).size(), std::size_t{3});
        QVERIFY(index.inside(banded, banded.plot).empty());
    }
    void a_mark_at_the_edge_is_found_on_its_line_wherever_that_enters_the_view() {
        std::vector dots{dot_at(100, 1e9), dot_at(100, 1e11), dot_at(100, 1e14)};
        for (Dot& dot : dots)
            dot.rail = Rail::edge;
        const DotIndex index(dots);
        View moved = view;
        moved.x = {view.x.lo * 3, view.x.hi * 3};
        for (const View& seen : {view, moved})
            for (std::uint32_t i = 0; i < dots.size(); ++i) {
                const PointF place = dot_position(dots[i], seen);
                if (place.y > seen.plot.bottom()) continue;
                QVERIFY(place.x > seen.plot.x && place.x < seen.plot.right() && place.y > seen.plot.y);
                QCOMPARE(index.nearest(seen, {place.x + 2, place.y - 2}, 5), std::optional(i));
                QCOMPARE(index.inside(seen, {place.x - 1, place.y - 1, 2, 2}), std::vector{i});
            }
        QVERIFY(dot_position(dots[1], view).x != dot_position(dots[1], moved).x ||
                dot_position(dots[1], view).y != dot_position(dots[1], moved).y);
    }
    void a_part_of_a_rail_holds_its_own_dots_only() {
        std::vector dots{dot_at(0.25, 1), dot_at(0.75, 1), dot_at(1, 1e10), dot_at(1, 1e13)};
        dots[0].rail = dots[1].rail = Rail::no_work;
        dots[2].rail = dots[3].rail = Rail::no_traffic;
        const View banded = with_bands();
        const DotIndex index(dots);
        for (std::uint32_t i = 0; i < dots.size(); ++i) {
            const PointF place = dot_position(dots[i], banded);
            QCOMPARE(index.inside(banded, {place.x - 5, place.y - 5, 10, 10}), std::vector{i});
        }
    }
    void a_shape_that_reaches_into_an_area_is_visited() {
        auto dots = scattered(2000);
        for (std::size_t i = 0; i < 500; ++i) {
            dots[i].rail = i % 2 == 0 ? Rail::no_work : Rail::no_traffic;
            if (i % 2 == 0) dots[i].x = static_cast<double>(i) / 500;
        }
        const View banded = with_bands();
        const RectF area{view.plot.right() - 150, view.plot.bottom() - 90, 170, 100};
        constexpr double corner = 1.5;
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < dots.size(); ++i) {
            const PointF at = dot_position(dots[i], banded);
            const bool hidden =
                dots[i].rail == Rail::none && (at.x > banded.plot.right() || at.y > banded.plot.bottom());
            const double away = std::hypot(std::max({area.x - at.x, at.x - area.right(), 0.0}),
                                           std::max({area.y - at.y, at.y - area.bottom(), 0.0}));
            if (!hidden && away <= corner * static_cast<double>(dots[i].radius)) expected.push_back(i);
        }
        std::vector<std::uint32_t> visited;
        const DotIndex index(dots);
        index.visit_reaching(banded, area, corner, [&](std::uint32_t i) {
            visited.push_back(i);
            return true;
        });
        std::ranges::sort(visited);
        QVERIFY(std::ranges::adjacent_find(visited) == visited.end());
        QVERIFY(expected.size() > 20);
        QVERIFY(std::ranges::includes(visited, expected));
        int seen = 0;
        index.visit_reaching(banded, area, corner, [&](std::uint32_t) { return ++seen < 3; });
        QCOMPARE(seen, 3);
    }
    void a_dot_under_a_band_is_not_found_on_it_data() {
        QTest::addColumn<float>("radius");
        QTest::newRow("small") << 4.0F;
        QTest::newRow("large") << 16.0F;
    }
    void a_dot_under_a_band_is_not_found_on_it() {
        QFETCH(float, radius);
        const View banded = with_bands();
        // Just past the lower edge and just past the right edge of the plot.
        const std::vector dots{dot_at(1, view.y.lo * 0.9, radius), dot_at(view.x.hi * 1.1, 1e11, radius)};
        const DotIndex index(dots);
        for (const Dot& dot : dots) {
            const PointF place = dot_position(dot, banded);
            QVERIFY(!index.nearest(banded, place, 6));
            QVERIFY(index.nearest(view, place, 6));
            const RectF around{place.x - 5, place.y - 5, 10, 10};
            QVERIFY(index.inside(banded, around).empty());
            QCOMPARE(index.inside(view, around).size(), std::size_t{1});
        }
    }
    void in_a_crowd_on_a_rail_a_dot_under_the_pointer_is_found_data() {
        QTest::addColumn<int>("rail");
        QTest::newRow("bottom") << static_cast<int>(Rail::no_work);
        QTest::newRow("right") << static_cast<int>(Rail::no_traffic);
    }
    void in_a_crowd_on_a_rail_a_dot_under_the_pointer_is_found() {
        QFETCH(int, rail);
        constexpr std::uint32_t count = 20'000;
        std::vector<Dot> dots;
        for (std::uint32_t i = 0; i < count; ++i) {
            const double share = (i + 0.5) / count;
            dots.push_back(dot_at(share, std::pow(10.0, 9 + 5 * share)));
            dots.back().rail = static_cast<Rail>(rail);
        }
        const View banded = with_bands();
        const DotIndex index(dots);
        for (std::uint32_t i = 0; i < count; i += 997) {
            const PointF at = dot_position(dots[i], banded);
            const auto found = index.nearest(banded, at, 6);
            QVERIFY(found);
            const PointF place = dot_position(dots[*found], banded);
            QVERIFY(std::hypot(place.x - at.x, place.y - at.y) < 0.1);
        }
    }
    void a_rectangle_holds_what_a_full_search_says() {
        const auto dots = scattered(2000);
        const RectF area{200, 100, 333, 222};
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < dots.size(); ++i) {
            const PointF place = dot_position(dots[i], view);
            if (place.x >= area.x && place.x <= area.right() && place.y >= area.y && place.y <= area.bottom())
                expected.push_back(i);
        }
        QVERIFY(!expected.empty());
        std::vector<std::uint32_t> found = DotIndex(dots).inside(view, area);
        std::ranges::sort(found);
        QCOMPARE(found, expected);
    }
};

}  // namespace tst_dot_index

ROOFWALK_TEST(tst_dot_index, TestDotIndex, NoApplication)
#include "tst_dot_index.moc"
