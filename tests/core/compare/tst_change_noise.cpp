// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/kernel_change.h"
#include "tests/support/folder_tests.h"

#include <QTest>
#include <array>
#include <cmath>
#include <limits>

namespace tst_change_noise {

using namespace roofwalk;

class TestChangeNoise : public QObject {
    Q_OBJECT

  private slots:
    void a_change_counts_alike_in_both_directions() {
        QCOMPARE(direction_of(1.021, 0.02), 1);
        QCOMPARE(direction_of(1 / 1.021, 0.02), -1);
        QCOMPARE(direction_of(1.019, 0.02), 0);
        QCOMPARE(direction_of(1 / 1.019, 0.02), 0);
        QCOMPARE(direction_of(1, 0), 0);
    }
    void launches_over_other_data_are_no_noise_when_each_changed_alike() {
        constexpr std::array before{1.0, 2.0, 4.0, 8.0};
        constexpr std::array after{0.5, 1.0, 2.0, 4.0};
        QVERIFY(*spread_of_ratio(before, after) < 1e-12);
    }
    void pairs_give_the_95_per_cent_interval() {
        // Ratios e^0, e^0.1, e^0.2: standard error 0.1 / sqrt(3), Student's t for two degrees 4.30.
        const std::array before{1.0, 1.0, 1.0};
        const std::array after{1.0, std::exp(0.1), std::exp(0.2)};
        QVERIFY(std::abs(*spread_of_ratio(before, after) - std::expm1(4.30 * 0.1 / std::sqrt(3.0))) < 1e-12);
    }
    void unequal_numbers_of_launches_are_two_samples() {
        const std::array before{1.0, std::exp(0.1), std::exp(0.2)};
        constexpr std::array after{3.0, 3.0, 3.0, 3.0};
        QVERIFY(std::abs(*spread_of_ratio(before, after) - std::expm1(4.30 * 0.1 / std::sqrt(3.0))) < 1e-12);
    }
    void few_launches_or_impossible_values_tell_nothing() {
        constexpr std::array two{1.0, 1.1};
        constexpr std::array three{1.0, 1.1, 1.2};
        constexpr std::array zero{1.0, 0.0, 1.2};
        const std::array infinite{1.0, std::numeric_limits<double>::infinity(), 1.2};
        QVERIFY(!spread_of_ratio(two, two));
        QVERIFY(!spread_of_ratio(three, two));
        QVERIFY(!spread_of_ratio(three, zero));
        QVERIFY(!spread_of_ratio(infinite, three));
        QVERIFY(spread_of_ratio(three, three).has_value());
    }
};

}  // namespace tst_change_noise

ROOFWALK_TEST(tst_change_noise, TestChangeNoise, NoApplication)
#include "tst_change_noise.moc"
