// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QTest>
#include <algorithm>
#include <functional>

#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_advise {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Every fault at once.
const Metrics everything_wrong{
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 8},
    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
    {"memory_l2_theoretical_sectors_local", 50},
    {"memory_l2_theoretical_sectors_global", 100},
    {"lts__t_sector_hit_rate.pct", 10},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", 20},
    {"memory_l1_wavefronts_shared", 300},
    {"memory_l1_wavefronts_shared_ideal", 100},
    {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 70},
    {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 70},
    {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 70},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", 4},
    {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
    {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 6},
    {"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", 6},
    {"smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio", 6},
    {"smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio", 6},
    {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 6},
    {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 6},
    {"smsp__average_warps_issue_stalled_drain_per_issue_active.ratio", 6},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 50},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 50},
    {"dram__bytes.max", 200},
    {"dram__bytes.avg", 100}};

std::string indicated_for(const Launch& launch) {
    return ids_of(advice_on(with_metrics(launch, everything_wrong)).indicated);
}

}  // namespace

class TestAdvise : public QObject {
    Q_OBJECT

  private slots:
    void on_the_memory_roof_only_fewer_bytes_help() {
        QCOMPARE(indicated_for(at_memory_roof()), std::string("uncoalesced_access local_memory"));
    }
    void below_the_memory_roof_transfers_come_before_their_number() {
        QCOMPARE(indicated_for(below_memory_roof()),
                 std::string("uncoalesced_access local_memory waits_for_memory low_occupancy "
                             "waits_at_barriers load_queue_full many_atomics waits_at_exit channel_imbalance "
                             "divergence"));
    }
    void a_kernel_that_only_waits_has_the_causes_of_the_nearer_roof() {
        QCOMPARE(indicated_for(far_below_memory_roof()),
                 std::string("local_memory waits_for_memory low_occupancy waits_at_barriers load_queue_full "
                             "many_atomics waits_at_exit channel_imbalance divergence uncoalesced_access"));
        // What only waits gains nothing by what a cause is worth below its roof: it keeps the order to look.
        QCOMPARE(indicated_for(second_of(3e12, 1e10, 2e10)),
                 std::string("low_occupancy other_pipe_busy bank_conflicts divergence dependency_chains "
                             "shared_memory_waits waits_for_memory waits_at_barriers"));
    }
    void causes_of_known_worth_come_by_it() {
        const KernelAdvice advice = advice_on(with_metrics(below_compute_roof(), everything_wrong));
        std::vector<double> worth;
        for (const Advice& cause : advice.indicated)
            if (cause.worth) worth.push_back(cause.worth->factor);
        QVERIFY(worth.size() > 1 && std::ranges::is_sorted(worth, std::ranges::greater()));
        QVERIFY(worth.front() > worth.back());
    }
    void remedies_for_memory_come_in_their_order_data() {
        QTest::addColumn<double>("bytes_per_sector");
        QTest::addColumn<QString>("order");
        QTest::newRow("scattered") << 8.0
                                   << "uncoalesced_access l2_misses more_bytes waits_for_memory "
                                      "low_occupancy";
        QTest::newRow("coalesced but narrow")
            << 32.0 << "narrow_loads l2_misses more_bytes waits_for_memory low_occupancy";
    }
    void remedies_for_memory_come_in_their_order() {
        QFETCH(double, bytes_per_sector);
        QFETCH(QString, order);
        // 30 MB at 70 % of the roof of HBM: they would fit into L2, and half of them are too many.
        Launch kernel = launch(30e6 / 0.7e12, {{fp32, 1e6}}, {{hbm, 30e6}, {l2, 33e6}, {smem, 0}});
        Profile profile = with_metrics(
            std::move(kernel),
            {{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", bytes_per_sector},
             {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
             {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 400},
             {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
             {"lts__t_sector_hit_rate.pct", 10},
             {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
             {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 6},
             {"sm__warps_active.avg.pct_of_peak_sustained_active", 20}});
        profile.launches[0].algorithm = profile.texts.intern("custom flops=1e6 read=15e6 write=0");
        QCOMPARE(QString::fromStdString(ids_of(advice_on(profile).indicated)), order);
    }
    void fewer_bits_are_advised_where_wide_numbers_wait_for_hbm() {
        const auto look_at = [](const Device& device, const Launch& kernel, double needed) {
            Profile profile = profile_of(device, {kernel});
            double flop = 0;
            for (const WorkSample& sample : kernel.work)
                flop += sample.work.value();
            if (needed > 0)
                profile.launches[0].algorithm =
                    profile.texts.intern(fmt::format("custom flops={} read={} write=0", flop, needed));
            return look("wide_values", profile);
        };
        const auto found_of = [&](Pipe narrow, double fp32_work, double narrow_work, double l2_bytes) {
            Launch kernel = launch(1, {{fp32, fp32_work}, {narrow, narrow_work}},
                                   {{hbm, 0.7e12}, {l2, l2_bytes}, {smem, 0}});
            Device device = round_machine();
            device.ceilings.compute.push_back(compute_ceiling(Pipe{PipeKind::tensor_fp8}, 320e12));
            device.ceilings.compute.push_back(compute_ceiling(Pipe{PipeKind::tensor_any}, 160e12));
            return look_at(device, kernel, 0.7e12);
        };
        const auto found = [&](double fp32_work, double fp8_work, double l2_bytes) {
            return found_of({PipeKind::tensor_fp8}, fp32_work, fp8_work, l2_bytes);
        };
        const RuleOutcome half = found(5e10, 5e10, 1e12);
        QCOMPARE(half.finding, Finding::indicated);
        QCOMPARE(half.evidence.at(0).value, 0.5);
        QVERIFY(half.evidence.at(0).label.ends_with("for the width of stored values"));
        QCOMPARE(half.worth->factor, 1 / (1 - 0.5 / 2));  // half of the bytes become half as many
        QVERIFY(half.detail.starts_with("The width of the stored values was not measured"));
        QCOMPARE(found(1e11, 0, 1e12).worth->factor, 2.0);
        QCOMPARE(found(4.9e10, 5.1e10, 1e12).finding, Finding::ruled_out);
        const RuleOutcome halves =
            found_of(tensor_fp16, 1e6, 1e11, 1e12);  // 16 bits are many where 8 would do
        QCOMPARE(halves.finding, Finding::indicated);
        QCOMPARE(halves.worth->factor, 2.0);
        QVERIFY(!found_of({PipeKind::tensor_any}, 1e6, 1e11, 1e12).applies());  // of any width
        QCOMPARE(found(1e11, 0, 2e12).worth->factor, 2.0);                      // what crosses L2 shrinks too
        const RuleOutcome until_compute = found(5e12, 0, 1e12);
        QCOMPARE(until_compute.worth->factor, 0.7 / 0.5);
        QVERIFY(until_compute.worth->of.ends_with("until FP32 binds"));
        const Launch quantised =
            launch(1, {{fp32, 1e6}, {tensor_int8, 1e10}}, {{hbm, 0.7e12}, {l2, 1e12}, {smem, 0}});
        QCOMPARE(look_at(round_machine(), quantised, 0.7e12).finding, Finding::ruled_out);
        QVERIFY(!found(1e11, 0, 4e12).applies());                                       // L2 binds
        QVERIFY(!look_at(round_machine(), far_below_memory_roof(), 0.3e12).applies());  // waits
        QVERIFY(!look_at(round_machine(), second_of(0, 0.9e12, 1e12), 0.9e12).applies());
        // Of a kernel that moves more than it needs other bytes go first; without an operation nobody knows.
        QCOMPARE(look_at(round_machine(), at_memory_roof(), 0.85e12).finding, Finding::indicated);
        QVERIFY(!look_at(round_machine(), at_memory_roof(), 0.45e12).applies());
        QVERIFY(!look_at(round_machine(), at_memory_roof(), 0).applies());
    }
    void remedies_for_compute_come_in_their_order() {
        Launch kernel = launch(1, {{tensor_fp16, 110e12}}, {{hbm, 1e10}, {l2, 2e10}, {smem, 0}});
        const Profile profile = with_metrics(
            std::move(kernel), {{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", 70},
                                {"sm__warps_active.avg.pct_of_peak_sustained_active", 20},
                                {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 70},
                                {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 10},
                                {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 10}});
        QCOMPARE(ids_of(advice_on(profile).indicated),
                 std::string("tensor_pipe_idle low_occupancy other_pipe_busy"));
    }
    void on_the_compute_roof_bytes_are_no_lever() {
        QCOMPARE(indicated_for(at_compute_roof()), std::string());
    }
    void below_the_compute_roof_the_pipe_is_fed() {
        QCOMPARE(indicated_for(below_compute_roof()),
                 std::string("low_occupancy other_pipe_busy divergence bank_conflicts dependency_chains "
                             "shared_memory_waits waits_for_memory waits_at_barriers"));
    }
    void below_both_roofs_parallelism_comes_first() {
        QVERIFY(indicated_for(below_both_roofs())
                    .starts_with("low_occupancy waits_for_memory waits_at_barriers"));
    }
    void where_shared_memory_binds_its_conflicts_come_first() {
        Launch launch = below_memory_roof();
        launch.traffic[2].total = Bytes(18e12);
        QCOMPARE(indicated_for(launch),
                 std::string("bank_conflicts uncoalesced_access local_memory little_work_a_byte"));
    }
    void a_busy_cache_is_not_given_more_requests() {
        Profile profile = with_metrics(far_below_memory_roof(), everything_wrong);
        add_metrics(profile, 0, {{metric_of(HardwareUnit::l2), 90}});
        QCOMPARE(ids_of(advice_on(profile).indicated),
                 std::string("uncoalesced_access local_memory many_atomics waits_at_exit load_queue_full"));
    }
    void above_the_roof_nothing_is_advised() {
        const KernelAdvice advice = advice_on(with_metrics(second_of(1e11, 1.5e12, 1e12), everything_wrong));
        QVERIFY(!advice.position);
        QVERIFY(advice.indicated.empty() && advice.not_measured.empty() && advice.ruled_out.empty());
    }
    void without_a_position_only_plain_faults_are_named() {
        const auto plain =
            std::string("uncoalesced_access local_memory low_occupancy bank_conflicts divergence");
        QCOMPARE(indicated_for(launch(1, {}, {})), plain);
    }
    void without_metrics_nothing_is_indicated_and_every_cause_says_how_to_collect() {
        const KernelAdvice advice = advice_on(profile_of(round_machine(), {far_below_memory_roof()}));
        QVERIFY(advice.indicated.empty() && advice.ruled_out.empty() && advice.warnings.empty());
        QVERIFY(ids_of(advice.not_measured).starts_with("uncoalesced_access narrow_loads local_memory"));
        for (const Advice& rule : advice.not_measured) {
            QVERIFY(rule.evidence.empty() && !rule.worth);
            if (rule.id != "more_bytes")
                for (const MissingEvidence& missing : rule.missing)
                    QVERIFY2(missing.option != NcuOption{}, missing.label.c_str());
        }
    }
    void counters_that_contradict_each_other_are_told_first() {
        Profile profile = with_metrics(below_memory_roof(), {{"launch__waves_per_multiprocessor", 0.5}});
        const Error mixed{ErrorCode::contradiction, "Time is that of another kernel", "kernel 0",
                          "Profile again."};
        profile.warnings.push_back({mixed, {}});
        QCOMPARE(ids_of(advice_on(profile).warnings), std::string("less_than_one_wave"));
        profile.warnings.push_back({mixed, {LaunchIndex{0}}});
        const KernelAdvice advice = advice_on(profile);
        QCOMPARE(ids_of(advice.warnings), std::string("contradicting_counters less_than_one_wave"));
        QVERIFY(advice.warnings[0].text.ends_with("Time is that of another kernel. Profile again."));
    }
    void thresholds_decide() {
        const Profile profile = with_metrics(far_below_memory_roof(),
                                             {{"sm__warps_active.avg.pct_of_peak_sustained_active", 45}});
        QCOMPARE(ids_of(advice_on(profile).indicated), std::string("low_occupancy"));
        AdviceThresholds lower;
        lower.occupancy = 0.4;
        const KernelAdvice advice = advice_on(profile, lower);
        QVERIFY(advice.indicated.empty());
        QCOMPARE(to_text(advice.ruled_out.at(0).evidence.at(0)),
                 std::string("achieved occupancy: 45.0 % (threshold 40.0 %)"));
    }
    void a_value_next_to_its_limit_is_told_apart_from_it() {
        QCOMPARE(to_text(AdviceEvidence{"occupancy", "m", 0.49998, "share", 0.5}),
                 std::string("occupancy: 49.998 % (threshold 50.000 %)"));
    }
    void advice_names_its_metric_value_limit_axis_and_worth() {
        const KernelAdvice advice = advice_on(with_metrics(
            at_memory_roof(), {{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 16},
                               {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32}}));
        const Advice& first = advice.indicated.at(0);
        QCOMPARE(first.axis, AdviceAxis::right);
        QCOMPARE(first.list, AdviceList::traffic);
        QCOMPARE(first.evidence.at(0).metric,
                 std::string("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"));
        QCOMPARE(first.evidence[0].value, 16.0);
        QCOMPARE(first.evidence[0].threshold, std::optional(28.0));
        QCOMPARE(first.worth->factor, 2.0);
    }
    void nothing_speaks_of_what_is_wrong_or_gone() {
        for (const auto rules : {latency_rules(), compute_rules(), traffic_rules(), validity_rules()})
            for (const AdviceRule& rule : rules)
                for (const char* gone : {"artition camping", "32x", "32 times", "KV cache"})
                    QVERIFY2(rule.text.find(gone) == std::string_view::npos, rule.id.data());
    }
};

}  // namespace tst_advise

ROOFWALK_TEST(tst_advise, TestAdvise, NoApplication)
#include "tst_advise.moc"
