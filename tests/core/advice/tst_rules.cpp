// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>
#include <set>

#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_rules {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::string_view sectors = "memory_l2_theoretical_sectors_global";
constexpr std::string_view ideal = "memory_l2_theoretical_sectors_global_ideal";
constexpr std::string_view local = "memory_l2_theoretical_sectors_local";
constexpr std::string_view load_bytes = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio";
constexpr std::string_view store_bytes = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio";
constexpr std::string_view load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view reductions = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
constexpr std::string_view atomics = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum";
constexpr std::string_view hit_rate = "lts__t_sector_hit_rate.pct";
constexpr std::string_view occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr std::string_view tensor_busy = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";
constexpr std::string_view active_threads = "smsp__thread_inst_executed_per_inst_executed.ratio";
constexpr std::string_view threads_on = "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio";

/// A launch whose metrics differ in the one number that the rule looks at.
struct Case {
    const char* rule;
    Launch launch;
    std::vector<std::pair<std::string_view, double>> common;
    std::string_view metric;
    double fires;
    double neighbour;
};

Launch l2_bound(double hbm_bytes) {
    return second_of(1e11, hbm_bytes, 4e12);
}

/// Less than the L2 of the round machine in a tenth of a millisecond.
Launch small_copy() {
    return launch(1e-4, {{fp32, 1e6}}, {{hbm, 30e6}, {l2, 40e6}, {smem, 0}});
}

Launch tensor_kernel() {
    return launch(1, {{tensor_fp16, 80e12}}, {{hbm, 1e10}, {l2, 2e10}, {smem, 0}});
}

bool near(double value, double expected) {
    return std::abs(value - expected) <= 0.001 * expected;
}

std::string stall(const char* reason) {
    return std::string("smsp__average_warps_issue_stalled_") + reason + "_per_issue_active.ratio";
}

const std::string long_scoreboard = stall("long_scoreboard");
const std::string short_scoreboard = stall("short_scoreboard");
const std::string mio_throttle = stall("mio_throttle");
const std::string lg_throttle = stall("lg_throttle");
const std::string barrier = stall("barrier");
const std::string wait_stall = stall("wait");
const std::string drain = stall("drain");

std::vector<Case> cases() {
    const std::pair<std::string_view, double> latency{"smsp__average_warp_latency_per_inst_issued.ratio", 10};
    return {
        {"uncoalesced_access", at_memory_roof(), {{store_bytes, 32}}, load_bytes, 27.9, 28},
        {"uncoalesced_access", at_memory_roof(), {{load_bytes, 32}}, store_bytes, 4, 32},
        {"uncoalesced_access", at_memory_roof(), {{ideal, 2800}}, sectors, 3200, 3199},
        {"l2_misses", small_copy(), {}, hit_rate, 29.9, 30},
        {"local_memory", at_memory_roof(), {{sectors, 1000}}, local, 50, 49},
        {"narrow_loads",
         below_memory_roof(),
         {{load_bytes, 32}, {load_requests, 100}},
         load_sectors,
         799,
         800},
        {"low_occupancy", below_memory_roof(), {}, occupancy, 49.9, 50},
        {"waits_for_memory", below_memory_roof(), {latency}, long_scoreboard, 3, 2.99},
        {"waits_at_barriers", below_memory_roof(), {latency}, barrier, 3, 2.99},
        {"load_queue_full", below_memory_roof(), {latency}, lg_throttle, 3, 2.99},
        {"dependency_chains", below_compute_roof(), {latency}, wait_stall, 3, 2.99},
        {"shared_memory_waits",
         below_compute_roof(),
         {latency, {mio_throttle, 0}},
         short_scoreboard,
         3,
         2.99},
        {"shared_memory_waits",
         below_compute_roof(),
         {latency, {short_scoreboard, 0}},
         mio_throttle,
         3,
         2.99},
        {"channel_imbalance", below_memory_roof(), {{"dram__bytes.avg", 100}}, "dram__bytes.max", 120, 119},
        {"other_pipe_busy",
         below_compute_roof(),
         {{"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 0},
          {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 0}},
         "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
         60,
         59.9},
        {"many_atomics", below_memory_roof(), {{load_requests, 1000}, {atomics, 0}}, reductions, 100, 99},
        {"many_atomics", below_memory_roof(), {{load_requests, 1000}, {reductions, 0}}, atomics, 100, 99},
        {"waits_at_exit", below_memory_roof(), {latency}, drain, 3, 2.99},
        {"bank_conflicts",
         below_compute_roof(),
         {{"memory_l1_wavefronts_shared_ideal", 1000}},
         "memory_l1_wavefronts_shared",
         1100,
         1099},
        {"divergence", below_compute_roof(), {}, active_threads, 23.9, 24},
        {"less_than_one_wave", below_compute_roof(), {}, "launch__waves_per_multiprocessor", 0.99, 1},
        {"masked_work", below_compute_roof(), {{active_threads, 30}}, threads_on, 26.9, 27},
    };
}

}  // namespace

class TestRules : public QObject {
    Q_OBJECT

  private slots:
    void a_kernel_that_touches_no_global_memory_is_told_so_first() {
        const auto told = [](double l2_bytes, const Metrics& metrics, double time = 2.2e-6) {
            return advice_on(
                with_metrics(launch(time, {{fp32, 1}}, {{hbm, 1e3}, {l2, l2_bytes}, {smem, 0}}), metrics));
        };
        const Metrics none{{load_requests, 0}, {load_sectors, 0}, {"launch__waves_per_multiprocessor", 0.1}};
        const KernelAdvice idle = told(0, none);
        QVERIFY(has_warning(idle, "no_global_access"));
        QVERIFY(idle.indicated.empty() && !has_warning(idle, "less_than_one_wave"));
        QVERIFY(!has_warning(told(0, {}), "no_global_access"));  // not measured is not zero
        QVERIFY(!has_warning(told(32, none), "no_global_access"));
        QVERIFY(!has_warning(told(0, none, 1), "no_global_access"));  // something takes its time
        QVERIFY(!has_warning(told(0, {{load_requests, 1}, {load_sectors, 4}}), "no_global_access"));
    }
    void a_rule_fires_beyond_its_threshold_and_not_just_within_data() {
        QTest::addColumn<std::size_t>("row");
        const auto all = cases();
        for (std::size_t row = 0; row < all.size(); ++row)
            QTest::addRow("%s %s", all[row].rule, std::string(all[row].metric).c_str()) << row;
    }
    void a_rule_fires_beyond_its_threshold_and_not_just_within() {
        QFETCH(std::size_t, row);
        const Case test = cases().at(row);
        const auto found = [&](std::optional<double> value) {
            Profile profile = profile_of(round_machine(), {test.launch});
            for (const auto& [name, number] : test.common)
                add_metrics(profile, 0, {{name, number}});
            if (value) add_metrics(profile, 0, {{test.metric, *value}});
            return look(test.rule, profile);
        };
        const RuleOutcome fires = found(test.fires);
        QCOMPARE(fires.finding, Finding::indicated);
        QVERIFY(!fires.evidence.empty());
        const RuleOutcome neighbour = found(test.neighbour);
        QCOMPARE(neighbour.finding, Finding::ruled_out);
        QVERIFY(neighbour.applies());
        const RuleOutcome unknown = found(std::nullopt);
        QCOMPARE(unknown.finding, Finding::not_measured);
        QVERIFY(!unknown.missing.empty() && unknown.missing[0].option != NcuOption{});
    }
    void rules_on_bytes_and_work_fire_beyond_their_threshold_and_not_just_within() {
        const auto finding = [](std::string_view rule, const Launch& launch) {
            return look(rule, profile_of(round_machine(), {launch})).finding;
        };
        const auto indicated = Finding::indicated;
        const auto ruled_out = Finding::ruled_out;
        QCOMPARE(finding("repeated_loads", l2_bound(0.5e12)), indicated);
        QCOMPARE(finding("repeated_loads", l2_bound(2.01e12)), ruled_out);
        // What is written crosses L2 all the same: 3e12 of the bytes are, and 1e12 read, of which HBM has
        // 0.2e12.
        Launch writes = l2_bound(0.3e12);
        for (TrafficSample& sample : writes.traffic) {
            if (sample.boundary == l2) sample.read = Bytes(1e12), sample.write = Bytes(3e12);
            if (sample.boundary == hbm) sample.read = Bytes(0.2e12), sample.write = Bytes(0.1e12);
        }
        const RuleOutcome told = look("repeated_loads", profile_of(round_machine(), {writes}));
        QVERIFY(told.worth && near(told.worth->factor, 4e12 / 3.2e12));
        QCOMPARE(told.evidence.front().value, 5.0);
        QCOMPARE(
            look("repeated_loads", profile_of(round_machine(), {second_of(1e11, 1e11, 0.6e12)})).applies(),
            false);  // L2 binds, far below its roof
        const auto reused = [](double hbm_bytes) { return second_of(1e7, hbm_bytes, 4e8); };
        QCOMPARE(finding("l2_resident", reused(39e6)), indicated);
        QCOMPARE(finding("l2_resident", reused(40e6)), ruled_out);
        const auto lasting = [](double seconds) { return launch(seconds, {{fp32, 1}}, {{hbm, 1}}); };
        QCOMPARE(finding("short_launch", lasting(9.9e-6)), indicated);
        QCOMPARE(finding("short_launch", lasting(10e-6)), ruled_out);
        const auto mixed = [](double second) {
            return launch(1, {{fp32, 90}, {tensor_fp16, second}}, {{hbm, 1}});
        };
        QCOMPARE(finding("mixed_precision", mixed(10)), indicated);
        QCOMPARE(finding("mixed_precision", mixed(9.9)), ruled_out);
    }
    void data_lives_in_l2_only_where_it_fits_and_its_roof_is_read_only_where_it_binds() {
        const auto found = [](const Launch& launch) {
            return look("l2_resident", profile_of(round_machine(), {launch}));
        };
        // A tenth of the bytes of L2 cross HBM, and L2 holds 40 MB.
        QVERIFY(!found(second_of(1e7, 41e6, 4.2e8)).applies());
        QVERIFY(!found(l2_bound(0.39e12)).applies());
        QCOMPARE(found(second_of(1e7, 39e6, 4e8)).detail, std::string("The L2 roof is the one to read."));
        QCOMPARE(found(second_of(9e12, 39e6, 4e8)).detail, std::string("What binds is FP32."));
        Profile unknown = profile_of(round_machine(), {second_of(1e7, 39e6, 4e8)});
        unknown.devices[0].l2_size.reset();
        QVERIFY(!look("l2_resident", unknown).applies());
    }
    void shared_memory_that_counts_more_than_l1_is_told() {
        const auto found = [](double l1_bytes) {
            Launch launch = below_memory_roof();
            launch.traffic[2].total = Bytes(8.55e6);
            launch.traffic.push_back(
                {.boundary = Boundary::l1_unified, .total = Bytes(l1_bytes), .read = {}, .write = {}});
            return look("shared_beyond_l1", profile_of(round_machine(), {launch}));
        };
        QCOMPARE(found(6.56e6).finding, Finding::indicated);
        QVERIFY(near(found(6.56e6).evidence.at(0).value, 1.303));
        QVERIFY(!found(8.55e6).applies());
    }
    void fewer_hbm_bytes_are_no_lever_where_another_roof_binds() {
        const double least = 2 * (4096.0 * 4096 + 2 * 4096);
        const auto found = [&](double smem_bytes) {
            Launch launch = second_of(33554432, 22 * least, 22 * least);
            launch.duration = Seconds(1e-3);
            launch.traffic[2].total = Bytes(smem_bytes);
            Profile profile = profile_of(round_machine(), {launch});
            profile.launches[0].algorithm = profile.texts.intern("gemv m=4096 n=4096 dtype=fp16");
            return look("more_bytes", profile);
        };
        QCOMPARE(found(0).finding, Finding::indicated);
        QVERIFY(!look("more_bytes", profile_of(round_machine(), {l2_bound(0.1e12)})).applies());
        QVERIFY(!found(18e9).applies());  // it does move more: that it gains nothing is told elsewhere
    }
    void where_shared_memory_binds_each_byte_has_to_feed_more_work() {
        const auto found = [](double flop, double smem_bytes) {
            Launch launch = second_of(flop, 1e10, 2e10);
            launch.traffic[2].total = Bytes(smem_bytes);
            return look("little_work_a_byte", profile_of(round_machine(), {launch}));
        };
        // 0.9 s of SMEM, 0.2 s of FP32: the ridge is at 0.5 FLOP/byte.
        const RuleOutcome binds = found(2e12, 18e12);
        QCOMPARE(binds.finding, Finding::indicated);
        QVERIFY(near(binds.worth->factor, 4.5));
        QVERIFY(binds.worth->of.ends_with("until FP32 binds"));
        // The SM is as busy, with what nobody knows.
        Launch busy = second_of(2e12, 1e10, 2e10);
        busy.traffic[2].total = Bytes(14e12);
        const RuleOutcome held =
            look("little_work_a_byte", with_metrics(std::move(busy), {{metric_of(HardwareUnit::sm), 69.4}}));
        QVERIFY(near(held.worth->factor, 3.5));
        QVERIFY2(held.worth->of.find("1.44x") != std::string::npos &&
                     held.worth->of.find("SM too (69.4 %") != std::string::npos,
                 held.worth->of.c_str());
        QCOMPARE(binds.evidence.at(0).threshold, std::optional(0.5));
        QVERIFY(!found(9.5e12, 18e12).applies());  // FP32 binds
        QVERIFY(!found(2e12, 6e12).applies());     // SMEM waits
    }
    void reuse_in_l2_is_told_up_to_the_next_roof() {
        const RuleOutcome found = look("repeated_loads", profile_of(round_machine(), {l2_bound(0.1e12)}));
        QVERIFY(near(found.worth->factor, 8));
        QVERIFY(found.worth->of.ends_with("until DRAM binds"));
    }
    void tensor_cores_are_named_where_the_device_has_faster_ones() {
        Launch fp16 = launch(1, {{{PipeKind::fp16}, 30e12}}, {{hbm, 1e10}, {l2, 2e10}, {smem, 0}});
        Device device = round_machine();
        device.ceilings.compute.push_back(compute_ceiling({PipeKind::fp16}, 40e12));
        const RuleOutcome found = look("no_tensor_cores", profile_of(device, {fp16}));
        QCOMPARE(found.finding, Finding::indicated);
        QCOMPARE(found.worth->factor, 4.0);
        fp16.work.push_back({.pipe = tensor_fp16, .work = Flops(1e12)});
        QCOMPARE(look("no_tensor_cores", profile_of(device, {fp16})).finding, Finding::ruled_out);
        // Memory binds: the pipe is not what takes the time.
        fp16.work.resize(1);
        fp16.traffic[0].total = Bytes(0.9e12);
        QVERIFY(!look("no_tensor_cores", profile_of(device, {fp16})).applies());
    }
    void the_tensor_pipe_is_judged_by_its_busy_time_or_else_by_its_work() {
        const auto found = [](double busy) {
            return look("tensor_pipe_idle", with_metrics(tensor_kernel(), {{tensor_busy, busy}})).finding;
        };
        QCOMPARE(found(79.9), Finding::indicated);
        QCOMPARE(found(80), Finding::ruled_out);
        const RuleOutcome by_work = look("tensor_pipe_idle", profile_of(round_machine(), {tensor_kernel()}));
        QCOMPARE(by_work.finding, Finding::indicated);
        QCOMPARE(by_work.evidence.at(0).value, 0.5);
        QVERIFY(!look("tensor_pipe_idle", with_metrics(below_compute_roof(), {{tensor_busy, 1}})).applies());
    }
    void coalescing_is_worth_32_bytes_over_those_used() {
        const auto worth = [](const Metrics& metrics) {
            return look("uncoalesced_access", with_metrics(at_memory_roof(), metrics)).worth->factor;
        };
        QCOMPARE(worth({{load_bytes, 16}, {store_bytes, 32}}), 2.0);
        QCOMPARE(worth({{load_bytes, 4}, {store_bytes, 32}}), 8.0);
        // Of 9e11 bytes of HBM coalesced accesses would ask for 2e10 sectors.
        QVERIFY(near(worth({{sectors, 8e10}, {ideal, 2e10}}), 9e11 / (2e10 * 32)));
        QCOMPARE(worth({{sectors, 8e9}, {ideal, 2e9}}), 9e11 / (9e11 - 6e9 * 32));
    }
    void spills_are_worth_the_sectors_that_local_memory_asks_for() {
        const auto worth = [](const Metrics& metrics) {
            return look("local_memory", with_metrics(at_memory_roof(), metrics)).worth;
        };
        // Of 9e11 bytes of HBM; what global accesses ask for stays.
        QCOMPARE(worth({{sectors, 2e10}, {ideal, 2e10}, {local, 2e9}})->factor, 9e11 / (9e11 - 2e9 * 32));
        QVERIFY(near(worth({{sectors, 2e10}, {ideal, 1e10}, {local, 2e10}})->factor, 9e11 / (2e10 * 32)));
        QVERIFY(!worth({{sectors, 2e10}, {local, 2e10}}));
    }
    void coalescing_is_worth_what_it_saves_at_the_level_that_binds() {
        const auto worth_of = [](double smem_bytes) {
            Device device = round_machine();
            device.ceilings.bandwidth.push_back(bandwidth_ceiling(Boundary::l1_unified, 10e12));
            Profile profile = profile_of(
                device,
                {launch(1, {{fp32, 1e11}},
                        {{hbm, 1e10}, {l2, 2e10}, {Boundary::l1_unified, 9e12}, {smem, smem_bytes}})});
            add_metrics(profile, 0,
                        {{sectors, 9e9},
                         {ideal, 1e9},
                         {"memory_l1_wavefronts_shared", 2},
                         {"memory_l1_wavefronts_shared_ideal", 1}});
            return std::array{look("uncoalesced_access", profile).worth.value_or(AdviceWorth{}).factor,
                              look("little_work_a_byte", profile).worth.value_or(AdviceWorth{}).factor};
        };
        // 0.9 s of L1, 0.01 s of FP32 and of HBM.
        QVERIFY(near(worth_of(0)[0], 9));
        QVERIFY(near(worth_of(0)[1], 90.0 / 9));
        QVERIFY(near(worth_of(4.5e12)[0], 9 / (4.5 + 4.5 / 9)));
        QVERIFY(near(worth_of(4.5e12)[1], 90 / (1.8 * 9 / (9 - 4.5 / 2))));
    }
    void few_bytes_of_a_sector_are_no_fault_where_no_sector_is_too_many() {
        const RuleOutcome broadcast =
            look("uncoalesced_access",
                 with_metrics(at_memory_roof(), {{load_bytes, 4}, {sectors, 100}, {ideal, 100}}));
        QCOMPARE(broadcast.finding, Finding::ruled_out);
    }
    void a_surplus_that_caches_catch_promises_no_hbm_bytes() {
        const double hbm_sectors = 0.9e12 / 32;
        const auto found = [&](double least) {
            return look("uncoalesced_access",
                        with_metrics(at_memory_roof(), {{sectors, least * 2}, {ideal, least}}));
        };
        QVERIFY(!found(hbm_sectors).worth);
        QVERIFY(found(hbm_sectors).detail.find("not DRAM") != std::string::npos);
        QVERIFY(found(hbm_sectors * 0.99).worth);
    }
    void bytes_beyond_those_of_the_operation_are_told() {
        // 32 MB for a matrix and two vectors of 4096 FP16 numbers.
        const auto found = [](double hbm_bytes, std::string_view operation) {
            Profile profile = profile_of(round_machine(), {second_of(33554432, hbm_bytes, hbm_bytes)});
            profile.launches[0].algorithm = profile.texts.intern(operation);
            return look("more_bytes", profile);
        };
        const double least = 2 * (4096.0 * 4096 + 2 * 4096);
        const std::string_view gemv = "gemv m=4096 n=4096 dtype=fp16";
        QCOMPARE(found(1.1 * least + 1, gemv).finding, Finding::indicated);
        QCOMPARE(found(1.1 * least + 1, gemv).evidence.at(0).threshold, std::optional(1.1));
        QCOMPARE(found(1.099 * least, gemv).finding, Finding::ruled_out);
        QCOMPARE(found(3 * least, gemv).worth->factor, 3.0);
        const RuleOutcome unbound = found(3 * least, "");
        QCOMPARE(unbound.finding, Finding::not_measured);
        QVERIFY(unbound.missing.at(0).label.find("none is bound") != std::string::npos);
    }
    void the_operation_tells_whether_its_data_fit_l2() {
        // 40 MB fit; HBM moved more, since L2 lost a part of them.
        Profile profile = with_metrics(second_of(33554432, 50e6, 60e6), {{hit_rate, 5}});
        QVERIFY(!look("l2_misses", profile).applies());
        profile.launches[0].algorithm = profile.texts.intern("gemv m=4096 n=4096 dtype=fp16");
        QCOMPARE(look("l2_misses", profile).finding, Finding::indicated);
    }
    void data_that_does_not_fit_l2_may_miss_it() {
        QVERIFY(!look("l2_misses", with_metrics(at_memory_roof(), {{hit_rate, 5}})).applies());
        Profile unknown_size = with_metrics(small_copy(), {{hit_rate, 5}});
        unknown_size.devices[0].l2_size.reset();
        QVERIFY(!look("l2_misses", unknown_size).applies());
    }
    void waits_that_are_hidden_are_ruled_out() {
        const Profile profile =
            with_metrics(below_memory_roof(), {{"smsp__average_warp_latency_per_inst_issued.ratio", 10},
                                               {long_scoreboard, 9},
                                               {"smsp__issue_active.avg.pct_of_peak_sustained_active", 80}});
        QCOMPARE(look("waits_for_memory", profile).finding, Finding::ruled_out);
    }
    void narrow_loads_are_not_told_of_loads_that_are_off_or_scattered() {
        const auto applies = [](const Metrics& metrics) {
            return look("narrow_loads", with_metrics(below_memory_roof(), metrics)).applies();
        };
        QVERIFY(applies({{load_sectors, 400}, {load_requests, 100}, {load_bytes, 32}}));
        QVERIFY(!applies({{load_sectors, 400}, {load_requests, 100}, {load_bytes, 8}}));
        QVERIFY(!applies({{load_sectors, 400}, {load_requests, 100}, {active_threads, 8}}));
        // Every thread reads one word, which is a sector of which 4 bytes are used; bytes fill theirs.
        const std::pair<std::string_view, double> least[]{{sectors, 1000}, {ideal, 1000}};
        QVERIFY(!applies({least[0], least[1], {load_sectors, 100}, {load_requests, 100}, {load_bytes, 4}}));
        QVERIFY(applies({least[0], least[1], {load_sectors, 100}, {load_requests, 100}, {load_bytes, 32}}));
        QVERIFY(!applies({least[0], least[1], {load_sectors, 199}, {load_requests, 100}}));
        QVERIFY(applies({least[0], least[1], {load_sectors, 200}, {load_requests, 100}}));
    }
    void a_kernel_on_its_roof_has_waves_enough() {
        QVERIFY(!look("less_than_one_wave",
                      with_metrics(at_compute_roof(), {{"launch__waves_per_multiprocessor", 0.2}}))
                     .applies());
    }
    void figures_that_are_no_counts_and_launches_that_failed_are_told() {
        Launch modelled = at_memory_roof();
        modelled.traffic[0].origin = Origin::modelled;
        const RuleOutcome found = look("not_exact", profile_of(round_machine(), {modelled}));
        QCOMPARE(found.finding, Finding::indicated);
        QCOMPARE(found.detail, std::string("Here: DRAM (modelled)."));
        QVERIFY(!look("not_exact", profile_of(round_machine(), {at_memory_roof()})).applies());
        Launch failed;
        failed.failed = true;
        QCOMPARE(look("failed_launches", profile_of(round_machine(), {at_memory_roof(), failed})).finding,
                 Finding::indicated);
        QVERIFY(!look("failed_launches", profile_of(round_machine(), {at_memory_roof()})).applies());
    }
    void fp16_work_of_one_instruction_a_thread_may_be_constants() {
        const auto warned = [](double half) {
            Profile profile = profile_of(round_machine(), {at_memory_roof()});
            profile.launches[0].grid = {100, 1, 1};
            profile.launches[0].block = {256, 1, 1};
            profile.launches[0].work.push_back({.pipe = {PipeKind::fp16}, .work = Flops(half)});
            return ids_of(advice_on(profile).warnings).find("half_constants") != std::string::npos;
        };
        QVERIFY(warned(4.0 * 25600));
        QVERIFY(!warned(4.1 * 25600));
        QVERIFY(!warned(0));
    }
    void fp16_additions_that_the_work_leaves_out_are_told() {
        const auto mixed = [](double half, double additions) {
            Profile profile = profile_of(round_machine(), {at_memory_roof()});
            profile.launches[0].work.push_back({.pipe = {PipeKind::fp16}, .work = Flops(half)});
            add_metrics(profile, 0, {{"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", additions}});
            return profile;
        };
        const Profile converted = mixed(0, 0.5e11);  // they would be as much as the FP32 work
        const RuleOutcome found = look("half_conversions", converted);
        QCOMPARE(found.finding, Finding::indicated);
        QCOMPARE(found.detail,
                 std::string("If they add, work, performance and intensity are up to 2.00x what is shown."));
        QVERIFY(!look("mixed_precision", converted).applies());
        const Profile multiplied = mixed(1e11, 0.1e11);
        QVERIFY(!look("half_conversions", multiplied).applies() &&
                look("mixed_precision", multiplied).applies());
        QVERIFY(!look("half_conversions", mixed(1e11, 0.5e11)).applies());
        QVERIFY(!look("half_conversions", mixed(0, 0)).applies());
    }
    void integer_kernels_are_told_to_count_integers() {
        Launch integers = second_of(0, 1e11, 1e11);
        integers.work.push_back({.pipe = {PipeKind::int32}, .work = Flops(1e12)});
        QCOMPARE(look("integer_work", profile_of(round_machine(), {integers})).finding, Finding::indicated);
        QVERIFY(!look("integer_work", profile_of(round_machine(), {at_memory_roof()})).applies());
    }
    void rules_have_names_of_their_own_and_nothing_is_left_out() {
        std::set<std::string_view> ids;
        std::size_t count = 0;
        for (const auto rules : {latency_rules(), compute_rules(), traffic_rules(), validity_rules()})
            for (const AdviceRule& rule : rules) {
                ++count;
                ids.insert(rule.id);
                QVERIFY(!rule.title.empty() && !rule.text.empty() && !rule.source.empty());
            }
        QCOMPARE(ids.size(), count);
    }
};

}  // namespace tst_rules

ROOFWALK_TEST(tst_rules, TestRules, NoApplication)
#include "tst_rules.moc"
