// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QTest>
#include <array>
#include <tuple>

#include "core/roofline/unit_throughput.h"
#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_metrics_traffic {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr auto wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared";

std::string shared(const char* suffix) {
    return std::string(wavefronts) + suffix + ".sum";
}

}  // namespace

class TestNcuMetricsTraffic : public QObject {
    Q_OBJECT

  private slots:
    void dram_reads_and_writes_are_kept_apart() {
        FakeNcuMetrics metrics;
        metrics.values = {{"dram__bytes_read.sum", 491620096}, {"dram__bytes_write.sum", 251153664}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.bytes(Boundary::hbm_dram_rw), std::optional(742773760.0));
        QCOMPARE(applied.launch.find(Boundary::hbm_dram_rw)->read->value(), 491620096.0);
        QCOMPARE(applied.launch.find(Boundary::hbm_dram_rw)->write->value(), 251153664.0);
        QCOMPARE(applied.source(Boundary::hbm_dram_rw),
                 std::string("dram__bytes_read.sum + dram__bytes_write.sum"));
    }

    void dram_reads_or_writes_alone_are_kept_as_a_part() {
        const auto part = [](const char* counter, double count) {
            FakeNcuMetrics metrics;
            metrics.values = {{counter, count}};
            AppliedLaunch applied = apply(metrics);
            applied.profile.launches = {applied.launch};
            const std::array launches{LaunchIndex{0}};
            const auto half = StoredThroughput(applied.profile).hbm_at_least(launches);
            return std::tuple(applied.bytes(Boundary::hbm_dram_rw),
                              half ? std::optional(half->bytes) : std::nullopt);
        };
        QVERIFY(part("dram__bytes_read.sum", 7) == std::tuple(std::nullopt, std::optional(Bytes(7))));
        QVERIFY(part("dram__bytes_op_write.sum", 5) == std::tuple(std::nullopt, std::optional(Bytes(5))));
        QVERIFY(part("dram__sectors_read.sum", 2) == std::tuple(std::nullopt, std::optional(Bytes(64))));
        QVERIFY(part("dram__bytes.sum", 7) == std::tuple(std::optional(7.0), std::nullopt));
    }

    void shares_of_bytes_stand_for_units_that_nothing_else_tells() {
        const std::array launches{LaunchIndex{0}};
        const auto share = [&](HardwareUnit unit, FakeNcuMetrics metrics) {
            metrics.values["gpu__time_duration.sum"] = 1000;
            AppliedLaunch applied = apply(metrics);
            applied.profile.launches = {applied.launch};
            return StoredThroughput(applied.profile).of(launches)[unit];
        };
        for (const auto& [unit, metric] : shares_of_bytes) {
            FakeNcuMetrics metrics;
            metrics.values = {{std::string(metric), 50}};
            QCOMPARE(share(unit, metrics), std::optional(0.5));
            metrics.values[std::string(metric_of(unit))] = 60;
            QCOMPARE(share(unit, metrics), std::optional(0.6));
        }
        for (const char* other : {"dram__throughput.max.pct_of_peak_sustained_elapsed",
                                  "dram__bytes.sum.pct_of_peak_sustained_active",
                                  "dram__bytes_read.sum.pct_of_peak_sustained_elapsed"}) {
            FakeNcuMetrics metrics;
            metrics.values = {{other, 50}};
            QVERIFY2(!share(HardwareUnit::dram, metrics), other);
        }
    }

    void dram_bytes_come_back_from_the_rate() {
        FakeNcuMetrics metrics;
        metrics.values = {{"gpu__time_duration.sum", 408352},
                          {"dram__bytes.sum.per_second", 1818954627380.2993}};
        QCOMPARE(apply(metrics).bytes(Boundary::hbm_dram_rw), std::optional(742773760.0));
    }

    void dram_sectors_serve_without_bytes() {
        FakeNcuMetrics metrics;
        metrics.values = {{"dram__sectors_read.sum", 10}, {"dram__sectors_write.sum", 1}};
        QCOMPARE(apply(metrics).bytes(Boundary::hbm_dram_rw), std::optional(352.0));
    }

    void dram_share_of_peak_is_an_estimate() {
        FakeNcuMetrics metrics;
        metrics.values = {{"gpu__time_duration.sum", 1e6},
                          {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 50},
                          {"dram__cycles_elapsed.avg.per_second", 1e9}};
        Device device;
        device.memory_bus_bits = 4096;
        const auto applied = apply(metrics, device);
        QCOMPARE(applied.bytes(Boundary::hbm_dram_rw), std::optional(0.5 * 1024e9 * 1e-3));
        QCOMPARE(applied.launch.find(Boundary::hbm_dram_rw)->origin, Origin::estimated);
        QCOMPARE(applied.launch.ceilings->find(Boundary::hbm_dram_rw)->provenance.source,
                 CeilingSource::attributes);
    }

    void names_of_2019_tell_the_share_of_dram_too() {
        const auto bytes_at = [](double rate) {
            FakeNcuMetrics metrics;
            metrics.values = {
                {"gpu__time_duration.sum", 1e6}, {"fbpa__sol_pct", 50}, {"dram__frequency", rate}};
            Device device;
            device.memory_bus_bits = 256;
            device.memory_clock = Hertz(4e9);
            return apply(metrics, device).bytes(Boundary::hbm_dram_rw);
        };
        QCOMPARE(bytes_at(7e9), std::optional(0.5 * 32 * 7e9 * 1e-3));
        QCOMPARE(bytes_at(8.5e9), std::optional(0.5 * 32 * 8e9 * 1e-3));  // as fast as it can be
        QVERIFY(!bytes_at(4e9));                                          // not its data rate
        QVERIFY(!bytes_at(16e9));
    }

    void samples_within_the_launch_stand_for_an_sm_without_its_share() {
        // One each 10 ns, 40 % within the launch from 1000 ns on and 0 outside.
        const auto share_of_sm = [](double end, double last, const char* counted) {
            NcuMetrics metrics;
            metrics.value = [=](std::string_view name) -> std::optional<double> {
                if (name == "gpu__time_duration.sum") return end - 1000;
                return name == counted ? std::optional(70.0) : std::nullopt;
            };
            metrics.for_each_sample = [=](std::string_view name, const auto& visit) {
                if (name == "profiler__timestamp_workload_start_0") visit(1000, 0);
                if (name == "profiler__timestamp_workload_end_0") visit(end, 0);
                if (name == "pmsampling:sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed")
                    for (double time = 500; time <= last; time += 10)
                        visit(time, time > 1000 && time <= end ? 40 : 0);
            };
            AppliedLaunch applied = apply(metrics, {});
            applied.profile.launches = {applied.launch};
            const std::array launches{LaunchIndex{0}};
            const StoredThroughput stored(applied.profile);
            return std::tuple(stored.of(launches)[HardwareUnit::sm], stored.sampled(launches).samples,
                              stored.sampled(launches).units[HardwareUnit::sm]);
        };
        QVERIFY(share_of_sm(1500, 2000, "") == std::tuple(std::optional(0.4), 50.0, true));
        QVERIFY(share_of_sm(1490, 2000, "") == std::tuple(std::nullopt, 49.0, false));
        QVERIFY(share_of_sm(2000, 1510, "") == std::tuple(std::optional(0.4), 51.0, true));
        QVERIFY(share_of_sm(2200, 1510, "") == std::tuple(std::nullopt, 51.0, false));  // 43 % of its time
        const auto counter = metric_of(HardwareUnit::sm);
        QVERIFY(share_of_sm(1500, 2000, counter.data()) == std::tuple(std::optional(0.7), 0.0, false));
    }
    void samples_have_to_cover_the_passes_that_they_were_taken_in() {
        struct Sampled {
            double from, to, step;
        };
        // Two passes of the launch, from 1000 and from 3000 ns on, each 1000 ns long.
        const auto share_of_sm = [](const std::vector<Sampled>& sampled) {
            NcuMetrics metrics;
            metrics.value = [](std::string_view name) {
                return name == "gpu__time_duration.sum" ? std::optional(1000.0) : std::nullopt;
            };
            metrics.for_each_sample = [&](std::string_view name, const auto& visit) {
                for (const int pass : {0, 1})
                    for (const auto& [event, time] : {std::pair("start", 1000), std::pair("end", 2000)})
                        if (name == fmt::format("profiler__timestamp_workload_{}_{}", event, pass))
                            visit(time + 2000 * pass, 0);
                if (name != "pmsampling:sm__inst_executed_realtime.avg.pct_of_peak_sustained_elapsed") return;
                for (const Sampled& part : sampled)
                    for (double time = part.from; time <= part.to; time += part.step)
                        visit(time, 90);
            };
            AppliedLaunch applied = apply(metrics, {});
            applied.profile.launches = {applied.launch};
            return StoredThroughput(applied.profile).of(std::array{LaunchIndex{0}})[HardwareUnit::sm];
        };
        QCOMPARE(share_of_sm({{1010, 1600, 10}}), std::optional(0.9));
        QCOMPARE(share_of_sm({{1010, 1600, 10}, {3010, 3600, 10}}), std::optional(0.9));
        // 30 % of each pass, and all of one of them in a gap between two samples.
        QCOMPARE(share_of_sm({{1005, 1300, 5}, {3005, 3300, 5}}), std::nullopt);
        QCOMPARE(share_of_sm({{1001, 1060, 1}, {2000, 2000, 1}}), std::nullopt);
    }
    void instructions_of_the_active_cycles_stand_for_an_sm_without_its_share() {
        FakeNcuMetrics metrics;
        metrics.values = {{"gpu__time_duration.sum", 1e6},
                          {"sm__instruction_throughput.avg.pct_of_peak_sustained_active", 50},
                          {"sm__inst_executed.avg.per_cycle_active", 2},
                          {"sm__inst_executed.avg.per_cycle_elapsed", 0.5}};
        const auto share_of_sm = [&] {
            AppliedLaunch applied = apply(metrics);
            applied.profile.launches = {applied.launch};
            const std::array launches{LaunchIndex{0}};
            return StoredThroughput(applied.profile).of(launches)[HardwareUnit::sm];
        };
        QCOMPARE(share_of_sm(), std::optional(0.125));
        // Nothing stands under a name of ncu's that the file does not hold.
        const auto stored = [&](std::string_view name) {
            const AppliedLaunch applied = apply(metrics);
            return applied.profile.metric(applied.launch, name);
        };
        QCOMPARE(stored(sm_instruction_throughput), std::nullopt);
        QCOMPARE(stored(sm_instruction_throughput_scaled), std::optional(12.5));
        metrics.values[std::string(sm_instruction_throughput)] = 20;
        QCOMPARE(share_of_sm(), std::optional(0.2));
        QCOMPARE(stored(sm_instruction_throughput_scaled), std::nullopt);
        metrics.values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = 30;
        QCOMPARE(share_of_sm(), std::optional(0.3));
        // No kernel runs without an instruction: a counter that overflowed or failed.
        metrics.values["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = 0;
        QVERIFY(!share_of_sm());
    }

    void integrated_chips_have_no_dram_level() {
        FakeNcuMetrics metrics;
        metrics.values = {{"dram__bytes_read.sum", 1},
                          {"dram__bytes_write.sum", 1},
                          {"dram__bytes.sum.peak_sustained", 64},
                          {"dram__cycles_elapsed.avg.per_second", 1e9}};
        const auto applied = apply(metrics, device_of(8, 7, 16));
        QVERIFY(!applied.launch.find(Boundary::hbm_dram_rw));
        QVERIFY(!applied.ceiling(Boundary::hbm_dram_rw));
    }

    void dram_counters_that_disagree_are_told() {
        FakeNcuMetrics metrics;
        metrics.values = {
            {"dram__bytes.sum", 3e9}, {"dram__bytes_read.sum", 1e9}, {"dram__bytes_write.sum", 1e9}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.profile.warnings.at(0).message.code, ErrorCode::contradiction);
        metrics.values["dram__bytes.sum"] = 2e9;
        QVERIFY(apply(metrics).profile.warnings.empty());
    }

    void l2_counts_what_the_sms_ask_for() {
        FakeNcuMetrics metrics;
        metrics.values = {{"lts__t_sectors_srcunit_tex.sum", 24944532},
                          {"lts__t_sectors_srcunit_tex_op_read.sum", 16555924},
                          {"lts__t_sectors_srcunit_tex_op_write.sum", 8388608},
                          {"lts__t_sectors.sum", 37296989}};
        const auto applied = apply(metrics);
        const TrafficSample* traffic = applied.launch.find(Boundary::l2_sm_sectors);
        QCOMPARE(traffic->total.value(), 32.0 * 24944532);
        QCOMPARE(traffic->read->value(), 32.0 * 16555924);
        QCOMPARE(traffic->write->value(), 32.0 * 8388608);
        QCOMPARE(applied.bytes(Boundary::l2_all), std::optional(32.0 * 37296989));
    }

    void chart_boundaries_follow_the_chip() {
        FakeNcuMetrics metrics;
        metrics.values = {{"l1tex__lsu_writeback_active.sum", 1},
                          {"l1tex__lsu_writeback_active_mem_lg.sum", 2},
                          {"l1tex__lsu_writeback_active_mem_lgds.sum", 3},
                          {"l1tex__m_xbar2l1tex_read_bytes.sum", 64}};
        QCOMPARE(apply(metrics, device_of(7, 0, 80)).bytes(Boundary::l1_writeback), std::optional(128.0));
        QCOMPARE(apply(metrics, device_of(8, 6, 80)).bytes(Boundary::l1_writeback), std::optional(256.0));
        QCOMPARE(apply(metrics, device_of(9, 0, 80)).bytes(Boundary::l1_writeback), std::optional(384.0));
        QCOMPARE(apply(metrics).bytes(Boundary::l2_sm_return), std::optional(64.0));
        metrics.values["lts__lts2xbar_cycles_active.sum"] = 3;
        QCOMPARE(apply(metrics).bytes(Boundary::l2_sm_return), std::optional(96.0));
    }

    void nersc_boundaries_come_from_their_totals() {
        FakeNcuMetrics metrics;
        metrics.values = {{"lts__t_bytes.sum", 640}, {"l1tex__t_bytes.sum", 320}};
        QCOMPARE(apply(metrics).bytes(Boundary::l2_all), std::optional(640.0));
        QCOMPARE(apply(metrics).bytes(Boundary::l1_tag), std::optional(320.0));
    }

    void unified_l1_comes_from_its_count_or_its_share_of_peak() {
        FakeNcuMetrics metrics;
        metrics.values = {{"l1tex__data_pipe_lsu_wavefronts.sum", 7}};
        QCOMPARE(apply(metrics).bytes(Boundary::l1_unified), std::optional(896.0));
        metrics.values = {{"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", 25},
                          {"l1tex__cycles_elapsed.avg.per_second", 1e9},
                          {"gpu__time_duration.sum", 1000}};
        QCOMPARE(apply(metrics, device_of(8, 0, 10)).bytes(Boundary::l1_unified),
                 std::optional(0.25 * 128 * 10 * 1000));
    }

    void source_counter_gives_shared_memory_wavefronts() {
        FakeNcuMetrics metrics;
        metrics.instance_sums = {{"memory_l1_wavefronts_shared", 209190912}};
        metrics.values = {{wavefronts + std::string(".sum"), 214076352}};
        QCOMPARE(apply(metrics).bytes(Boundary::smem_wavefronts), std::optional(128.0 * 209190912));
    }

    void loads_stores_and_atomics_serve_without_source_counter() {
        FakeNcuMetrics metrics;
        metrics.values = {
            {shared("_op_ld"), 165150720}, {shared("_op_st"), 44040192}, {shared("_op_atom"), 0}};
        QCOMPARE(apply(metrics).bytes(Boundary::smem_wavefronts), std::optional(128.0 * 209190912));
    }

    void asynchronous_copies_make_that_sum_an_estimate() {
        FakeNcuMetrics metrics;
        metrics.values = {{shared("_op_ld"), 1}, {shared("_op_st"), 1}, {shared("_op_atom"), 0}};
        metrics.opcodes = {{"LDGSTS", 5}};
        QCOMPARE(apply(metrics).launch.find(Boundary::smem_wavefronts)->origin, Origin::estimated);
    }

    void wavefronts_of_instructions_hold_asynchronous_copies_too() {
        FakeNcuMetrics metrics;
        metrics.values = {{shared("_op_ld"), 1}, {shared("_op_st"), 1}, {shared("_op_atom"), 0}};
        metrics.values["sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"] = 7;
        QCOMPARE(apply(metrics).bytes(Boundary::smem_wavefronts), std::optional(128.0 * 7));
    }

    void hardware_total_counts_only_without_its_odd_ones() {
        FakeNcuMetrics metrics;
        metrics.values = {{shared(""), 65536}};
        QVERIFY(!apply(metrics).launch.find(Boundary::smem_wavefronts));
        metrics.values[shared("_op_misc")] = 65000;
        QCOMPARE(apply(metrics).bytes(Boundary::smem_wavefronts), std::optional(128.0 * 536));
        metrics.values["l1tex__data_pipe_tc_wavefronts_mem_shared.sum"] = 64;
        QCOMPARE(apply(metrics).bytes(Boundary::smem_wavefronts), std::optional(128.0 * 600));
    }

    void kernel_without_shared_memory_instructions_has_measured_zero() {
        FakeNcuMetrics metrics;
        metrics.values = {{shared(""), 65536}};
        metrics.opcodes = {{"FFMA", 20971520}, {"SHFL", 7168000}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.bytes(Boundary::smem_wavefronts), std::optional(0.0));
        QCOMPARE(applied.launch.find(Boundary::smem_wavefronts)->origin, Origin::measured);

        metrics.opcodes = {{"LDS", 1}};
        QVERIFY(!apply(metrics).launch.find(Boundary::smem_wavefronts));
    }

    void hardware_that_saw_no_access_contradicts_the_source_counter() {
        FakeNcuMetrics metrics;
        metrics.instance_sums = {{"memory_l1_wavefronts_shared", 12952289280.0}};
        metrics.values = {
            {shared(""), 8200}, {shared("_op_ld"), 0}, {shared("_op_st"), 0}, {shared("_op_atom"), 0}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.bytes(Boundary::smem_wavefronts), std::optional(128.0 * 12952289280.0));
        QCOMPARE(applied.profile.warnings.at(0).message.code, ErrorCode::contradiction);
        QVERIFY(applied.profile.warnings.at(0).message.what.find("12,952,289,280") != std::string::npos);
    }

    void requested_bytes_are_a_boundary_of_their_own() {
        FakeNcuMetrics metrics;
        metrics.values = {{"sm__sass_data_bytes_mem_shared.sum", 4096}};
        QCOMPARE(apply(metrics).bytes(Boundary::smem_requested), std::optional(4096.0));
        QVERIFY(!apply(metrics).launch.find(Boundary::smem_wavefronts));
    }

    void evidence_is_kept_when_present() {
        FakeNcuMetrics metrics;
        metrics.values = {{"launch__registers_per_thread", 51}};
        metrics.instance_sums = {{"memory_l1_wavefronts_shared_ideal", 12}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.profile.metric(applied.launch, "launch__registers_per_thread"), std::optional(51.0));
        QCOMPARE(applied.profile.metric(applied.launch, "memory_l1_wavefronts_shared_ideal"),
                 std::optional(12.0));
        QVERIFY(!applied.profile.metric(applied.launch, "launch__waves_per_multiprocessor"));
    }

    void parts_of_memory_tell_how_busy_it_was() {
        FakeNcuMetrics metrics;
        const auto stored = [&] {
            const auto applied = apply(metrics);
            return applied.profile.metric(applied.launch,
                                          "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed");
        };
        metrics.values = {{"gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed", 47.5}};
        QVERIFY(!stored());
        metrics.values["gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"] = 89.2;
        QCOMPARE(stored(), std::optional(89.2));
    }

    void instances_that_repeat_an_average_are_no_parts_of_it() {
        FakeNcuMetrics metrics;
        metrics.values = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 16.66}};
        metrics.instance_sums = {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", 80 * 16.66}};
        const auto applied = apply(metrics);
        QCOMPARE(applied.profile.metric(applied.launch, "sm__throughput.avg.pct_of_peak_sustained_elapsed"),
                 std::optional(16.66));
    }
};

}  // namespace tst_ncu_metrics_traffic

ROOFWALK_TEST(tst_ncu_metrics_traffic, TestNcuMetricsTraffic, NoApplication)
#include "tst_ncu_metrics_traffic.moc"
