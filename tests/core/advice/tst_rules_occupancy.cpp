// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_rules_occupancy {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::string_view occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view active_threads = "smsp__thread_inst_executed_per_inst_executed.ratio";

}  // namespace

class TestRulesOccupancy : public QObject {
    Q_OBJECT

  private slots:
    void low_occupancy_says_what_limits_it() {
        const auto detail = [](double achieved, double possible) {
            return look("low_occupancy", with_metrics(below_memory_roof(),
                                                      {{occupancy, achieved},
                                                       {"sm__maximum_warps_per_active_cycle_pct", possible},
                                                       {"launch__occupancy_limit_registers", 2},
                                                       {"launch__occupancy_limit_shared_mem", 5}}))
                .detail;
        };
        QCOMPARE(detail(30, 33), std::string("Registers allow no more than 2 blocks on an SM."));
        QCOMPARE(
            detail(13, 100),
            std::string("The launch would allow 100.0 %: there are too few blocks, or they end unevenly."));
        QVERIFY(detail(6, 19).starts_with("Registers allow no more than 2 blocks on an SM. The launch"));
    }
    void nearly_all_of_an_occupancy_that_is_enough_is_not_low() {
        const auto found = [](double achieved, double possible) {
            return look("low_occupancy", with_metrics(below_memory_roof(),
                                                      {{occupancy, achieved},
                                                       {"sm__maximum_warps_per_active_cycle_pct", possible}}))
                .finding;
        };
        QCOMPARE(found(49.98, 50), Finding::ruled_out);
        QCOMPARE(found(39.9, 50), Finding::indicated);
        QCOMPARE(found(45, 58), Finding::indicated);
        QCOMPARE(found(49.9, 100), Finding::indicated);
        QCOMPARE(found(37, 37.5), Finding::indicated);
    }
    void blocks_below_a_warp_are_told_where_the_size_of_a_block_is_known() {
        const auto of_block = [](std::uint32_t threads, std::uint32_t blocks = 100) {
            Launch launch = below_memory_roof();
            launch.grid = {blocks, 1, 1};
            launch.block = {threads, 1, 1};
            return with_metrics(launch, {{active_threads, 8}});
        };
        QVERIFY(!look("blocks_below_a_warp", with_metrics(below_memory_roof(), {})).applies());
        QCOMPARE(look("blocks_below_a_warp", of_block(32)).finding, Finding::ruled_out);
        QCOMPARE(look("blocks_below_a_warp", of_block(8)).finding, Finding::indicated);
        QCOMPARE(look("blocks_below_a_warp", of_block(8)).worth->factor, 4.0);
        QVERIFY(!look("blocks_below_a_warp", of_block(1, 1)).worth);  // one thread needs its warp
        QVERIFY(!look("divergence", of_block(8)).applies());
        QCOMPARE(look("divergence", of_block(32)).finding, Finding::indicated);
    }
    void of_limits_that_are_as_tight_the_hardware_is_named() {
        const RuleOutcome found =
            look("low_occupancy",
                 with_metrics(below_memory_roof(), {{occupancy, 30},
                                                    {"sm__maximum_warps_per_active_cycle_pct", 33},
                                                    {"launch__occupancy_limit_blocks", 32},
                                                    {"launch__occupancy_limit_shared_mem", 32}}));
        QCOMPARE(found.detail, std::string("The hardware allows no more than 32 blocks on an SM."));
    }
};

}  // namespace tst_rules_occupancy

ROOFWALK_TEST(tst_rules_occupancy, TestRulesOccupancy, NoApplication)
#include "tst_rules_occupancy.moc"
