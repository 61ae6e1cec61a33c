// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/chart/layout/density.h"
#include "tests/support/folder_tests.h"

namespace tst_density {

using namespace roofwalk;

namespace {

const View view{.plot = {10, 10, 40, 21}, .x = {1, 100}, .y = {1, 100}};

float log_of(double value) {
    return static_cast<float>(std::log(value));
}

}  // namespace

class TestDensity : public QObject {
    Q_OBJECT

  private slots:
    void cells_are_two_pixels_wide() {
        DensityMap map;
        count_density({}, {}, view, map);
        QCOMPARE(map.columns, 20);
        QCOMPARE(map.rows, 11);
        QCOMPARE(map.counts.size(), std::size_t{220});
        QCOMPARE(map.max, 0U);
    }
    void the_top_row_comes_first() {
        DensityMap map;
        const std::vector x{log_of(1.01), log_of(1.01), log_of(99)};
        const std::vector y{log_of(99), log_of(99), log_of(1.01)};
        count_density(x, y, view, map);
        QCOMPARE(map.counts.front(), 2U);
        QCOMPARE(map.counts.back(), 1U);
        QCOMPARE(map.max, 2U);
    }
    void what_is_outside_or_not_a_number_is_not_counted() {
        DensityMap map;
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float infinite = std::numeric_limits<float>::infinity();
        const std::vector x{log_of(0.5), log_of(200), nan, infinite, -infinite, log_of(10)};
        const std::vector y{log_of(10), log_of(10), log_of(10), log_of(10), log_of(10), log_of(10)};
        count_density(x, y, view, map);
        QCOMPARE(std::accumulate(map.counts.begin(), map.counts.end(), 0U), 1U);
        QCOMPARE(map.inside, std::size_t{1});
    }
    void every_dot_of_many_is_counted_once() {
        DensityMap map;
        const std::vector x(1300, log_of(10));
        const std::vector y(1300, log_of(10));
        count_density(x, y, view, map);
        QCOMPARE(map.max, 1300U);
        QCOMPARE(map.inside, std::size_t{1300});
    }
    void larger_cells_hold_the_same_dots() {
        DensityMap map;
        map.cell = 4;
        const std::vector x{log_of(1.01), log_of(99)};
        const std::vector y{log_of(99), log_of(1.01)};
        count_density(x, y, view, map);
        QCOMPARE(map.columns, 10);
        QCOMPARE(map.rows, 6);
        QCOMPARE(map.inside, std::size_t{2});
    }
    void the_fuller_a_cell_the_darker_its_shade() {
        QCOMPARE(shade_share(812, 812), 1.0F);
        QVERIFY(shade_share(1, 812) > 0 && shade_share(1, 812) < shade_share(2, 812));
        const Palette& print = palette_of(Theme::print);
        QCOMPARE(shade_at(0, print).colour, print.faint_text);
        QCOMPARE(shade_at(1, print).colour, print.text);
        QCOMPARE(shade_at(1, print).opacity, 1.0);
        QVERIFY(shade_at(0, print).opacity < shade_at(0.5, print).opacity);
    }
    void memory_is_reused_and_old_counts_are_gone() {
        DensityMap map;
        const std::vector at{log_of(10)};
        count_density(at, at, view, map);
        const auto* memory = map.counts.data();
        count_density(at, at, view, map);
        QCOMPARE(map.counts.data(), memory);
        QCOMPARE(map.max, 1U);
    }
};

}  // namespace tst_density

ROOFWALK_TEST(tst_density, TestDensity, NoApplication)
#include "tst_density.moc"
