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
        const auto detail = [](double achieved, double possible, double by_shared_memory = 5,
                               double by_hardware = 16) {
            return look("low_occupancy",
                        with_metrics(below_memory_roof(),
                                     {{occupancy, achieved},
                                      {"sm__maximum_warps_per_active_cycle_pct", possible},
                                      {"launch__occupancy_limit_blocks", by_hardware},
                                      {"launch__occupancy_limit_registers", 2},
                                      {"launch__occupancy_limit_shared_mem", by_shared_memory}}))
                .detail;
        };
        QCOMPARE(detail(30, 33), std::string("At most 2 blocks on an SM, limited by registers."));
        QCOMPARE(detail(30, 33, 2),
                 std::string("At most 2 blocks on an SM, limited by registers and shared memory."));
        QCOMPARE(detail(30, 33, 1), std::string("At most 1 block on an SM, limited by shared memory."));
        QCOMPARE(detail(30, 33, 2, 2), std::string("At most 2 blocks on an SM, limited by the hardware."));
        QCOMPARE(
            detail(13, 100),
            std::string("The launch would allow 100.0 %: there are too few blocks, or they end unevenly."));
        QVERIFY(detail(6, 19).starts_with("At most 2 blocks on an SM, limited by registers. The launch"));
    }
    void blocks_for_many_waves_that_leave_few_warps_are_short() {
        const auto found = [](std::string_view rule, double waves) {
            return look(rule,
                        with_metrics(below_memory_roof(), {{occupancy, 44.7},
                                                           {"sm__maximum_warps_per_active_cycle_pct", 100},
                                                           {"launch__waves_per_multiprocessor", waves}}));
        };
        QCOMPARE(found("short_blocks", 409.6).finding, Finding::indicated);  // init_matrix_half on a T4
        QVERIFY(!found("low_occupancy", 409.6).applies());
        QVERIFY(!found("short_blocks", 4.9).applies());  // a last wave of a tenth may be what is missing
        QCOMPARE(found("low_occupancy", 4.9).finding, Finding::indicated);
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
        QVERIFY(!look("blocks_below_a_warp", of_block(1, 1)).applies());  // one thread needs its warp
        QVERIFY(!look("divergence", of_block(8)).applies());
        QCOMPARE(look("divergence", of_block(32)).finding, Finding::indicated);
    }
    void threads_of_different_launches_share_no_warp() {
        const auto told = [](std::uint32_t blocks) {
            Launch launch = below_memory_roof();
            launch.grid = {blocks, 1, 1};
            launch.block = {1, 1, 1};
            return advice_on(profile_of(round_machine(), {launch, launch, launch}));
        };
        QVERIFY(ids_of(told(1).indicated).find("blocks_below_a_warp") == std::string::npos);
        const KernelAdvice four = told(4);
        const auto rule = std::ranges::find(four.indicated, "blocks_below_a_warp", &Advice::id);
        QVERIFY(rule != four.indicated.end());
        QCOMPARE(rule->worth->factor, 4.0);
    }
    void nothing_is_said_about_the_launch_of_a_graph() {
        const auto said_of = [](LaunchKind kind) {
            Launch launch = far_below_memory_roof();
            launch.kind = kind;
            launch.block = {8, 1, 1};
            launch.grid = {4, 1, 1};
            const KernelAdvice advice =
                advice_on(with_metrics(launch, {{occupancy, 5}, {"launch__waves_per_multiprocessor", 0.1}}),
                          {.shortest_time = 10});
            return ids_of(advice.warnings) + " " + ids_of(advice.indicated) + " " + ids_of(advice.ruled_out) +
                   " " + ids_of(advice.not_measured);
        };
        for (const char* rule :
             {"less_than_one_wave", "short_launch", "blocks_below_a_warp", "low_occupancy"}) {
            QVERIFY2(said_of(LaunchKind::kernel).find(rule) != std::string::npos, rule);
            QVERIFY2(said_of(LaunchKind::graph).find(rule) == std::string::npos, rule);
            QVERIFY2(said_of(LaunchKind::range).find(rule) == std::string::npos, rule);
        }
        QVERIFY(said_of(LaunchKind::graph).starts_with("several_kernels "));
        QVERIFY(said_of(LaunchKind::kernel).find("several_kernels") == std::string::npos);
    }
    void of_a_graph_and_a_kernel_of_one_name_the_graph_is_counted() {
        std::vector<Launch> launches(3, below_memory_roof());
        launches[1].kind = LaunchKind::graph;
        Profile profile = profile_of(round_machine(), {launches[0], launches[1], launches[2]});
        const Analysis analysis = analyse(profile, {});
        const KernelAdvice advice = advise(profile, analysis, analysis.points.at(0), {});
        const auto found = std::ranges::find(advice.warnings, "several_kernels", &Advice::id);
        QVERIFY(found != advice.warnings.end());
        QCOMPARE(found->evidence.at(0).value, 1.0);
        // What can be recovered is that of its kernels alone.
        QCOMPARE(analysis.points.at(0).recoverable->launches, 2U);
        const Profile graph = profile_of(round_machine(), {launches[1]});
        QVERIFY(!analyse(graph, {}).points.at(0).recoverable);
    }
    void of_limits_that_are_as_tight_the_hardware_is_named() {
        const RuleOutcome found =
            look("low_occupancy",
                 with_metrics(below_memory_roof(), {{occupancy, 30},
                                                    {"sm__maximum_warps_per_active_cycle_pct", 33},
                                                    {"launch__occupancy_limit_blocks", 32},
                                                    {"launch__occupancy_limit_shared_mem", 32}}));
        QCOMPARE(found.detail, std::string("At most 32 blocks on an SM, limited by the hardware."));
    }
};

}  // namespace tst_rules_occupancy

ROOFWALK_TEST(tst_rules_occupancy, TestRulesOccupancy, NoApplication)
#include "tst_rules_occupancy.moc"
