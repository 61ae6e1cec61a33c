// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>

#include "core/roofline/point_bounds.h"
#include "tests/core/advice/kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_guide {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

struct Guided {
    KernelAdvice advice;
    KernelGuide guide;

    [[nodiscard]] bool names(std::string_view rule) const {
        return std::ranges::find(guide.remedies, rule) != guide.remedies.end();
    }
    [[nodiscard]] std::string first() const {
        return guide.remedies.empty() ? std::string() : std::string(guide.remedies.front());
    }
};

Guided guided(const Profile& profile) {
    const Analysis analysis = analysed(profile);
    const KernelPoint& point = analysis.points.at(0);
    KernelAdvice advice = advise(profile, analysis, point);
    KernelGuide guide = kernel_guide(advice, point, {});
    return {std::move(advice), std::move(guide)};
}

Guided guided(Launch launch, const Metrics& metrics, std::string_view operation = {}) {
    Profile profile = with_metrics(std::move(launch), metrics);
    if (!operation.empty()) profile.launches[0].algorithm = profile.texts.intern(operation);
    return guided(profile);
}

/// Accesses as good as can be, and enough warps.
const Metrics nothing_wrong{{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 32},
                            {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
                            {"memory_l2_theoretical_sectors_local", 0},
                            {"memory_l2_theoretical_sectors_global", 100},
                            {"memory_l2_theoretical_sectors_global_ideal", 100},
                            {"sm__warps_active.avg.pct_of_peak_sustained_active", 80}};

Metrics with(Metrics metrics, const Metrics& more) {
    metrics.insert(metrics.end(), more.begin(), more.end());
    return metrics;
}

}  // namespace

class TestGuide : public QObject {
    Q_OBJECT

  private slots:
    void a_launch_that_fills_nothing_needs_more_to_do_and_no_wider_loads() {
        constexpr double time = 2.9e-6;
        const Guided found = guided(
            launch(time, {{fp32, 1e11 * time}}, {{hbm, 0.02e12 * time}, {l2, 0.1e12 * time}, {smem, 0}}),
            with(nothing_wrong, {{"launch__waves_per_multiprocessor", 0.08},
                                 {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 400},
                                 {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100}}));
        QCOMPARE(found.advice.position, std::optional(RoofPosition::below_both));
        QCOMPARE(found.first(), std::string("less_than_one_wave"));
        QVERIFY(found.names("short_launch"));
        QVERIFY(!found.names("uncoalesced_access") && !found.names("narrow_loads"));
        QVERIFY(ids_of(found.advice.indicated).find("narrow_loads") == std::string::npos);
        QVERIFY(ids_of(found.advice.ruled_out).find("uncoalesced_access") != std::string::npos);
    }
    void more_warps_are_not_ruled_out_where_few_are_there() {
        const auto next = [](double waves, double occupancy) {
            return guided(second_of(1e11, 0.7e12, 0.8e12),
                          {{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 32},
                           {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
                           {"memory_l2_theoretical_sectors_local", 0},
                           {"memory_l2_theoretical_sectors_global", 100},
                           {"memory_l2_theoretical_sectors_global_ideal", 100},
                           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1600},
                           {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
                           {"launch__waves_per_multiprocessor", waves},
                           {"sm__warps_active.avg.pct_of_peak_sustained_active", occupancy}})
                .guide.secondary;
        };
        const std::string full = next(4, 80);
        for (const std::string& sparse : {next(0.471, 80), next(4, 16.5)})
            QVERIFY(!sparse.empty() && full.starts_with(sparse) && sparse.size() < full.size());
    }
    void a_long_launch_that_waits_is_not_told_to_batch() {
        const Guided found = guided(far_below_memory_roof(), nothing_wrong);
        QCOMPARE(found.advice.position, std::optional(RoofPosition::below_both));
        QVERIFY(!found.names("short_launch") && !found.names("less_than_one_wave"));
        QVERIFY(!found.names("uncoalesced_access") && !found.names("low_occupancy"));
        QVERIFY(found.names("waits_for_memory"));
    }
    void what_fills_the_gpu_is_not_said_to_be_too_little() {
        const auto meaning = [](const Metrics& more) {
            return guided(far_below_memory_roof(), with(nothing_wrong, more)).guide.meaning;
        };
        const std::string either(position_guide(RoofPosition::below_both).meaning);
        QCOMPARE(meaning({}), either);
        QCOMPARE(meaning({{"launch__waves_per_multiprocessor", 0.9}}), either);
        QVERIFY(meaning({{"launch__waves_per_multiprocessor", 1}}) != either);
        QCOMPARE(guided(far_below_memory_roof(), {{"launch__waves_per_multiprocessor", 1},
                                                  {"sm__warps_active.avg.pct_of_peak_sustained_active", 20}})
                     .guide.meaning,
                 either);
    }
    void wider_loads_do_not_help_where_atomics_hold_it() {
        const auto narrow = [](double atomics) {
            return guided(far_below_memory_roof(),
                          with(nothing_wrong, {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 400},
                                               {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 100},
                                               {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", atomics},
                                               {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 0}}));
        };
        QVERIFY(narrow(0).names("narrow_loads"));
        QCOMPARE(narrow(50).first(), std::string("many_atomics"));
        QVERIFY(!narrow(50).names("narrow_loads"));
    }
    void what_is_indicated_goes_before_what_may_be() {
        const Guided found =
            guided(far_below_memory_roof(),
                   {{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 8},
                    {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 32},
                    {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
                    {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 6}});
        QCOMPARE(found.first(), std::string("waits_for_memory"));
        QVERIFY(found.names("uncoalesced_access") && !found.names("low_occupancy"));
    }
    void what_to_do_first_comes_with_the_numbers_that_say_so() {
        const Metrics waiting{
            {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
            {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 6}};
        const std::string numbers = guided(far_below_memory_roof(), waiting).guide.numbers;
        QVERIFY2(numbers.starts_with("Stall Long Scoreboard") && numbers.find("60.0 %") != std::string::npos,
                 numbers.c_str());
        // Where no counter tells which cause it is, no list stands as if it were known.
        const Guided open = guided(below_memory_roof(), {});
        QVERIFY(open.advice.indicated.empty() && !open.guide.numbers.empty());
        QVERIFY(open.guide.numbers.find('%') == std::string::npos);
    }
    // A kernel that waits gains nothing by fewer bytes, as scenarios say.
    void what_promises_nothing_does_not_come_first() {
        const Metrics waiting{
            {"memory_l2_theoretical_sectors_global", 130},
            {"memory_l2_theoretical_sectors_global_ideal", 100},
            {"smsp__average_warp_latency_per_inst_issued.ratio", 10},
            {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", 5.7},
            {"smsp__thread_inst_executed_per_inst_executed.ratio", 14.9}};
        const Guided found = guided(far_below_memory_roof(), waiting);
        QCOMPARE(ids_of(found.advice.indicated),
                 std::string("waits_for_memory divergence uncoalesced_access"));
        QCOMPARE(found.guide.remedies, (std::vector<std::string_view>{"waits_for_memory", "divergence"}));
        QCOMPARE(guided(below_memory_roof(), waiting).first(), std::string("uncoalesced_access"));
    }
    // L2 takes longest, at 40 %: bytes of DRAM gain nothing there, however many there are.
    void an_operation_does_not_put_bytes_first_that_gain_nothing() {
        const auto with_operation = [](std::string_view operation) {
            return guided(second_of(3e12, 0.3e12, 2e12), nothing_wrong, operation);
        };
        const Guided bound = with_operation("custom flops=3e12 read=2e11 write=0");
        QVERIFY(bound.advice.position == RoofPosition::below_both);
        QVERIFY(ids_of(bound.advice.ruled_out).find("more_bytes") == std::string::npos);
        QVERIFY(!bound.names("more_bytes"));
        QCOMPARE(bound.guide.primary, with_operation("").guide.primary);
    }
    // S4-07: attention that is not fused moves 33 times the bytes that it needs.
    void bytes_that_nobody_needs_come_first_near_the_ridge() {
        const Guided found = guided(below_both_roofs(), nothing_wrong, "custom flops=3e12 read=9e9 write=0");
        QVERIFY(found.advice.position == RoofPosition::below_both);
        QCOMPARE(std::string(found.advice.indicated.at(0).id), std::string("more_bytes"));
        QVERIFY(found.advice.indicated[0].evidence.at(0).value > 33);
        QCOMPARE(found.first(), std::string("more_bytes"));
    }
    void a_gap_that_no_roof_promises_waits_for_what_weighs_more() {
        // 1.50x and 5.00x the bytes; the FP32 roof is 3.33x away.
        for (const char* operation :
             {"custom flops=3e12 read=2e11 write=0", "custom flops=3e12 read=6e10 write=0"}) {
            const Guided found =
                guided(below_both_roofs(),
                       with(nothing_wrong,
                            {{"smsp__average_warp_latency_per_inst_issued.ratio", 10},
                             {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 6}}),
                       operation);
            QCOMPARE(ids_of(found.advice.indicated), std::string("waits_at_barriers more_bytes"));
            QCOMPARE(found.first(), std::string("waits_at_barriers"));
        }
    }
    void the_bytes_of_a_kernel_that_keeps_a_cache_busy_are_told() {
        Profile profile = with_metrics(far_below_memory_roof(), {{metric_of(HardwareUnit::l2), 90}});
        profile.launches[0].algorithm = profile.texts.intern("custom flops=1e11 read=1e10 write=0");
        QVERIFY(ids_of(guided(profile).advice.indicated).find("more_bytes") != std::string::npos);
    }
    void few_rows_of_weights_are_batched_first() {
        // 4096 x 4096 in FP16 at 87 % of HBM: 33.6 MB in 38.6 us.
        const double flop = 2.0 * 4096 * 4096;
        const double bytes = flop + 2 * 2 * 4096;
        const Guided found =
            guided(launch(bytes / 0.87e12, {{tensor_fp16, flop}}, {{hbm, bytes}, {l2, bytes}, {smem, 0}}), {},
                   "gemm m=1 n=4096 k=4096 dtype=fp16");
        QCOMPARE(found.advice.position, std::optional(RoofPosition::at_memory_roof));
        QCOMPARE(found.first(), std::string("small_batch"));
        const Advice& first = found.advice.indicated.at(0);
        QCOMPARE(std::string(first.id), std::string("small_batch"));
        QCOMPARE(first.evidence.at(0).value, 1.0);
        // M* = R d K N / (2 K N - R d (K + N)) with R = 160 FLOP/byte, d = 2, K = N = 4096.
        QCOMPARE(first.evidence.at(0).threshold.value(), std::ceil(160 * 2 * 4096.0 / (2 * 4096 - 160 * 4)));
        QCOMPARE(first.worth->factor, 160 * bytes / flop);
        const auto wide = std::ranges::find(found.advice.indicated, "wide_values", &Advice::id);
        QVERIFY(wide != found.advice.indicated.end());
        QCOMPARE(wide->evidence.at(0).value, 16.0);
    }
    void what_was_only_timed_is_measured_or_bound() {
        const auto first = [](const Launch& one, std::string_view tool) {
            Profile profile = profile_of(round_machine(), {one});
            profile.sources.resize(1);
            profile.sources[0].tool = tool;
            const Analysis analysis = analysed(profile);
            return first_step(profile, analysis.points.at(0), analysis, advice_on(profile));
        };
        const std::string timed = first(launch(1, {}, {}), "Nsight Compute 2024.1");
        QVERIFY2(timed.starts_with("Measure its bytes and FLOP."), timed.c_str());
        QVERIFY(timed.find("name its operation") != std::string::npos);
        QVERIFY(first(at_memory_roof(), "").starts_with("Move fewer bytes"));
    }
    void weights_of_four_bits_are_not_wide() {
        const double flop = 2.0 * 4096 * 4096;
        const double bytes = flop / 4 + 2 * 2 * 4096;
        const Guided found =
            guided(launch(bytes / 0.87e12, {{tensor_fp16, flop}}, {{hbm, bytes}, {l2, bytes}, {smem, 0}}), {},
                   "gemm m=1 n=4096 k=4096 dtype=fp16 b=int4");
        QVERIFY(ids_of(found.advice.ruled_out).find("wide_values") != std::string::npos);
        QCOMPARE(found.first(), std::string("small_batch"));
    }
    // 7 % of HBM, the SM busy with warps of one thread.
    void blocks_below_a_warp_come_before_the_pipes_that_are_not_full() {
        Profile profile = with_metrics(second_of(1e11, 0.1e12, 0.1e12),
                                       {{metric_of(HardwareUnit::sm), 63},
                                        {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 38},
                                        {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 0},
                                        {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", 19},
                                        {"sm__warps_active.avg.pct_of_peak_sustained_active", 24}});
        profile.launches[0].grid = {10000, 1, 1};
        profile.launches[0].block = {1, 1, 1};
        const Guided found = guided(profile);
        QVERIFY(ids_of(found.advice.ruled_out).find("other_pipe_busy") != std::string::npos);
        QCOMPARE(found.first(), std::string("blocks_below_a_warp"));
        QVERIFY(found.names("low_occupancy"));
        QVERIFY(!found.names("other_pipe_busy"));
        QVERIFY(found.guide.meaning.find("pipes that do no FLOP is full") == std::string::npos);
    }
    // The busiest part of the SM is named: what its throughput is the share of, and nothing that is less
    // busy.
    void a_busy_sm_is_explained_by_its_busiest_part() {
        const auto guided_with = [](double issue, double lsu) {
            return guided(
                with_metrics(second_of(1e11, 0.1e12, 0.1e12),
                             {{metric_of(HardwareUnit::sm), 83},
                              {"sm__issue_active.avg.pct_of_peak_sustained_elapsed", issue},
                              {"sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", 61},
                              {"sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed", 17},
                              {"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed", lsu}}));
        };
        const Guided issuing = guided_with(82.6, 43);
        QCOMPARE(issuing.advice.busiest_of_sm, std::optional(AdviceMetric::issue_slots));
        QVERIFY(issuing.guide.meaning.find("issue slots") != std::string::npos);
        QVERIFY(issuing.guide.primary.starts_with("Issue fewer instructions"));
        QVERIFY(issuing.guide.primary.find("FP16") == std::string::npos);
        const Guided loading = guided_with(50, 82);
        QCOMPARE(loading.advice.busiest_of_sm, std::optional(AdviceMetric::lsu_use));
        QVERIFY(loading.guide.meaning.find("(LSU)") != std::string::npos);
        QVERIFY(!guided_with(50, 43).advice.busiest_of_sm);
    }
    // 1.03x of HBM bytes are to be gained before FP32 binds, 1.4x by the way up.
    void near_the_ridge_the_way_up_comes_before_bytes_that_gain_little() {
        const auto guide_at = [](double flop) {
            const KernelPoint point =
                point_of(profile_of(round_machine(), {second_of(flop, 0.715e12, 0.8e12)}));
            return guide_without_counters(RoofPosition::below_memory_roof, point);
        };
        const KernelGuide ridge = guide_at(6.95e12);
        const auto place_of_rule = [](const KernelGuide& guide, std::string_view rule) {
            return std::ranges::find(guide.remedies, rule) - guide.remedies.begin();
        };
        QVERIFY(place_of_rule(ridge, "narrow_loads") < place_of_rule(ridge, "wide_values"));
        QVERIFY(ridge.meaning.find("1.03x") != std::string::npos);
        const KernelGuide left = guide_at(1e11);
        QVERIFY(place_of_rule(left, "wide_values") < place_of_rule(left, "narrow_loads") ||
                place_of_rule(left, "narrow_loads") == std::ssize(left.remedies));
    }
    // 62 % of L1 in 10 s: 3.8 s up to its roof. Without its bytes HBM takes 2 of 6.2 s: 10 (1 - 2 / 6.2) s.
    void what_saves_most_of_what_is_indicated_comes_first() {
        Profile profile = profile_of(
            machine({compute_ceiling(fp32, 10e12)},
                    {bandwidth_ceiling(hbm, 1e12), bandwidth_ceiling(Boundary::l1_unified, 10e12)}),
            {launch(10, {{fp32, 1e12}}, {{hbm, 2e12}, {Boundary::l1_unified, 62e12}})});
        add_metrics(profile, 0, {{"sm__warps_active.avg.pct_of_peak_sustained_active", 20}});
        const Analysis analysis = analysed(profile);
        const KernelPoint& point = analysis.points.at(0);
        const Guided found = guided(profile);
        QCOMPARE(found.advice.position, std::optional(RoofPosition::below_memory_roof));
        QCOMPARE(found.first(), std::string("little_work_a_byte"));
        QVERIFY(found.names("low_occupancy") && found.guide.then);
        const auto saves = [&](const StepEffect& step) {
            return saving_of(step, point, Seconds(10)).time->value();
        };
        QVERIFY(std::abs(saves(found.guide.first) - 10 * (1 - 2 / 6.2)) < 1e-9);
        QCOMPARE(saves(found.guide.first), saved_by_fewer_bytes(point)->time.value());
        QVERIFY(std::abs(saves(*found.guide.then) - 3.8) < 1e-9);
    }
    // 62 % of L2, which asks HBM for nearly as much: 380 ms up to its roof, 1 - 0.16 / 0.62 s without its
    // bytes.
    void why_what_saves_more_is_not_first_is_told() {
        Profile profile = profile_of(machine({compute_ceiling(fp32, 10e12)},
                                             {bandwidth_ceiling(hbm, 10e12), bandwidth_ceiling(l2, 5e12)}),
                                     {second_of(1e10, 1.6e12, 3.1e12)});
        add_metrics(profile, 0, {{"sm__warps_active.avg.pct_of_peak_sustained_active", 20}});
        const Analysis analysis = analysed(profile);
        const Guided found = guided(profile);
        QCOMPARE(found.first(), std::string("low_occupancy"));
        const std::string worth = first_step_worth(found.guide, analysis.points.at(0), Seconds(1)).words;
        QVERIFY2(worth.find("380 ms") < worth.find("742 ms") && worth.find("742 ms") != std::string::npos,
                 worth.c_str());
    }
    void a_large_batch_is_not_asked_for_a_larger_one() {
        const double flop = 2.0 * 512 * 4096 * 4096;
        const double bytes = 2.0 * (4096.0 * 4096 + 2 * 512 * 4096);
        const Profile profile = [&] {
            Profile made =
                with_metrics(launch(1, {{tensor_fp16, flop}}, {{hbm, bytes}, {l2, bytes}, {smem, 0}}), {});
            made.launches[0].algorithm = made.texts.intern("gemm m=512 n=4096 k=4096 dtype=fp16");
            return made;
        }();
        QCOMPARE(look("small_batch", profile).finding, Finding::ruled_out);
    }
};

}  // namespace tst_guide

ROOFWALK_TEST(tst_guide, TestGuide, NoApplication)
#include "tst_guide.moc"
