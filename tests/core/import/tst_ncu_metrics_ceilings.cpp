// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "tests/core/import/fake_ncu_metrics.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_metrics_ceilings {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr double sm_clock = 1088497651.4929671;
constexpr double l2_clock = 1093816119.4263773;
constexpr double dram_clock = 1592680824.3868036;

/// The peaks of an H100 PCIe as Nsight Compute 2025.1.0 stored them.
FakeNcuMetrics h100() {
    FakeNcuMetrics metrics;
    metrics.values = {
        {"gpu__time_duration.sum", 408352},
        {"sm__cycles_elapsed.avg.per_second", sm_clock},
        {"l1tex__cycles_elapsed.avg.per_second", sm_clock},
        {"lts__cycles_elapsed.avg.per_second", l2_clock},
        {"dram__cycles_elapsed.avg.per_second", dram_clock},
        {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained", 114 * 64},
        {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 114 * 128},
        {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained", 114 * 128},
        {"dram__bytes.sum.peak_sustained", 1280},
        {"lts__t_sectors_srcunit_tex.avg.peak_sustained", 2},
        {"device__attribute_l2s_count", 80},
        {"l1tex__lsu_writeback_active_mem_lgds.sum.peak_sustained", 114},
        {"l1tex__m_xbar2l1tex_read_bytes.sum.peak_sustained", 14592},
    };
    return metrics;
}

bool close(const std::optional<double>& value, double expected) {
    return value && std::abs(*value / expected - 1) < 1e-6;
}

}  // namespace

class TestNcuMetricsCeilings : public QObject {
    Q_OBJECT

  private slots:
    void peaks_times_measured_clocks_are_ceilings() {
        const auto applied = apply(h100(), device_of(9, 0, 114));
        QVERIFY(close(applied.ceiling({PipeKind::fp64}), 15883357730585.377));
        QVERIFY(close(applied.ceiling({PipeKind::fp32}), 31766715461170.754));
        QVERIFY(close(applied.ceiling({PipeKind::fp16}), 63533430922341.51));
        QVERIFY(close(applied.ceiling(Boundary::hbm_dram_rw), 2038631455215.1086));
        QVERIFY(close(applied.ceiling(Boundary::l2_sm_sectors), 5600338531463.052));
        QVERIFY(close(applied.ceiling(Boundary::l2_sm_return), 14592 * l2_clock));
        QVERIFY(close(applied.ceiling(Boundary::l1_writeback), 15883357730585.377));
        QVERIFY(close(applied.ceiling(Boundary::l1_unified), 15883357730585.377));
        QVERIFY(close(applied.ceiling(Boundary::smem_wavefronts), 15883357730585.377));
    }

    void every_ceiling_says_where_it_comes_from() {
        const auto applied = apply(h100(), device_of(9, 0, 114));
        for (const ComputeCeiling& ceiling : applied.launch.ceilings->compute) {
            QCOMPARE(ceiling.provenance.source, CeilingSource::counters);
            QCOMPARE(ceiling.provenance.basis, ClockBasis::measured);
            QCOMPARE(ceiling.provenance.clock->value(), sm_clock);
            QVERIFY(!ceiling.provenance.detail.empty());
        }
        QCOMPARE(applied.launch.ceilings->find(Boundary::hbm_dram_rw)->provenance.clock->value(), dram_clock);
        QCOMPARE(applied.launch.ceilings->find(Boundary::l2_sm_sectors)->provenance.clock->value(), l2_clock);
    }

    void a_dram_clock_above_the_highest_makes_no_roof() {
        Device device = device_of(9, 0, 114);
        const auto roof_at = [&](double highest) {
            device.memory_clock = Hertz(highest);
            const auto applied = apply(h100(), device);
            const BandwidthCeiling* dram = applied.launch.ceilings->find(Boundary::hbm_dram_rw);
            return std::pair(dram->rate.value() / 1280, dram->provenance.clock->value());
        };
        for (const double factor : {0.5, 1.0, 1.04, 2.0, 4.0}) {  // from 2 on it is not the data rate
            QVERIFY(close(roof_at(dram_clock / factor).first, dram_clock));
            QCOMPARE(roof_at(dram_clock / factor).second, dram_clock);
        }
        for (const double factor : {1.06, 1.18, 1.6}) {
            QVERIFY(close(roof_at(dram_clock / factor).first, dram_clock / factor));
            QCOMPARE(roof_at(dram_clock / factor).second, dram_clock / factor);
        }
    }

    // A V100 as Nsight Compute of 2019 tells it: 610.2 GB/s are 34.4 % of twice 2 * 4096 bits * 866 MHz.
    void a_peak_of_twice_the_bus_loses_to_the_bus() {
        FakeNcuMetrics metrics;
        metrics.values = {{"dram__bytes_read.sum.per_second", 610178634752},
                          {"dram__bytes_read.sum.pct_of_peak_sustained_elapsed", 34.4075},
                          {"dram__cycles_elapsed.avg.per_second", 865913121}};
        Device device = device_of(7, 0, 80);
        QVERIFY(close(apply(metrics, device).ceiling(Boundary::hbm_dram_rw), 610178634752 / 0.344075));
        device.memory_bus_bits = 4096;
        QVERIFY(close(apply(metrics, device).ceiling(Boundary::hbm_dram_rw), 2 * 512 * 865913121.0));
    }

    void value_over_share_gives_a_peak_that_is_not_stored() {
        FakeNcuMetrics metrics;
        metrics.values = {{"lts__t_sectors_srcunit_tex.sum.per_second", 25642930180.873432},
                          {"lts__t_sectors_srcunit_tex.avg.pct_of_peak_sustained_elapsed", 32.0878}};
        const auto applied = apply(metrics, device_of(7, 0, 80));
        QVERIFY(close(applied.ceiling(Boundary::l2_sm_sectors), 32 * 25642930180.873432 / 0.320878));
    }

    void l2_cycles_over_time_serve_without_its_clock() {
        FakeNcuMetrics metrics;
        metrics.values = {{"gpu__time_duration.sum", 6133792},
                          {"lts__t_sectors_srcunit_tex.avg.peak_sustained", 1},
                          {"lts__cycles_elapsed.sum", 490180608}};
        QVERIFY(close(apply(metrics).ceiling(Boundary::l2_sm_sectors), 32.0 * 490180608 / 6133792e-9));
    }

    void charts_of_the_report_go_first() {
        FakeNcuMetrics metrics = h100();
        NcuRoof roof;
        roof.peak_work = 3e13;
        roof.work_expression =
            "(derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2) * sm__cycles_elapsed.avg.per_second";
        roof.peak_traffic = 5e12;
        roof.traffic_expression =
            "(derived__lts__lts2xbar_bytes.sum.peak_sustained) * lts__cycles_elapsed.avg.per_second";
        metrics.charts = {{"section", "label", {roof}, {}}};
        const auto applied = apply(metrics, device_of(9, 0, 114));
        QCOMPARE(applied.ceiling({PipeKind::fp32}), std::optional(3e13));
        QCOMPARE(applied.ceiling(Boundary::l2_sm_return), std::optional(5e12));
        QVERIFY(close(applied.ceiling({PipeKind::fp64}), 15883357730585.377));
    }

    void turing_moves_64_bytes_a_cycle_whatever_its_counters_have_for_a_peak() {
        FakeNcuMetrics metrics;
        NcuRoof roof;
        roof.peak_traffic = 128.0 * 40 * 585e6;
        roof.traffic_expression =
            "(derived__l1tex__lsu_writeback_bytes_mem_lg.sum.peak_sustained) * "
            "l1tex__cycles_elapsed.avg.per_second";
        metrics.charts = {{"section", "label", {roof}, {}}};
        metrics.values = {{"gpu__time_duration.sum", 1e6},
                          {"l1tex__cycles_elapsed.avg.per_second", 585e6},
                          {"l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained", 40},
                          {"l1tex__t_sectors.sum.peak_sustained", 160},
                          {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", 50}};
        const auto applied = apply(metrics, device_of(7, 5, 40));
        for (const Boundary boundary : {Boundary::l1_unified, Boundary::l1_writeback, Boundary::l1_tag,
                                        Boundary::smem_wavefronts, Boundary::smem_requested}) {
            QVERIFY(close(applied.ceiling(boundary), 64.0 * 40 * 585e6));
            QVERIFY(applied.launch.ceilings->find(boundary)->provenance.detail.starts_with("64 B * 40 SMs"));
        }
        // Bytes stay as counted: half of a wavefront a cycle and SM fills the stage.
        QVERIFY(close(applied.bytes(Boundary::l1_unified), 64.0 * 40 * 585e6 * 1e-3));
    }

    void half_peak_of_old_charts_is_not_believed() {
        FakeNcuMetrics metrics = h100();
        NcuRoof roof;
        roof.peak_work = 31766715461170.754;
        roof.work_expression =
            "(derived__sm__sass_thread_inst_executed_op_hfma_pred_on_x2) * sm__cycles_elapsed.avg.per_second";
        metrics.charts = {{"section", "label", {roof}, {}}};
        QVERIFY(close(apply(metrics, device_of(9, 0, 114)).ceiling({PipeKind::fp16}), 63533430922341.51));
    }

    void device_gets_the_same_ceilings_at_boost_clock() {
        Device device = device_of(9, 0, 114);
        device.boost_clock = Hertz(1755e6);
        device.memory_clock = Hertz(1593e6);
        const auto applied = apply(h100(), device);
        const CeilingSet& boosted = applied.profile.devices[0].ceilings;
        QVERIFY(close(boosted.find(Pipe{PipeKind::fp32})->rate.value(), 2.0 * 114 * 128 * 1755e6));
        QVERIFY(close(boosted.find(Boundary::hbm_dram_rw)->rate.value(), 1280 * 1593e6));
        QVERIFY(close(boosted.find(Boundary::smem_wavefronts)->rate.value(), 128.0 * 114 * 1755e6));
        QCOMPARE(boosted.find(Boundary::hbm_dram_rw)->provenance.basis, ClockBasis::boost);
        for (const Boundary boundary : {Boundary::l2_sm_sectors, Boundary::l2_sm_return}) {
            const BandwidthCeiling* l2 = boosted.find(boundary);
            QVERIFY(l2);
            QCOMPARE(l2->provenance.basis, ClockBasis::boost);
            QCOMPARE(l2->provenance.clock->value(), 1709e6);
            QVERIFY(close(l2->rate.value(), *applied.ceiling(boundary) * 1709e6 / l2_clock));
        }
    }

    /// Where no report has shown how high the clock of L2 goes.
    void l2_of_other_chips_goes_with_the_sms() {
        Device device = device_of(8, 0, 108);
        device.boost_clock = Hertz(1755e6);
        const auto applied = apply(h100(), device);
        const BandwidthCeiling* l2 = applied.profile.devices[0].ceilings.find(Boundary::l2_sm_sectors);
        QVERIFY(l2);
        QCOMPARE(l2->provenance.clock->value(), 1755e6);
        QVERIFY(l2->provenance.detail.ends_with(", scaled to the highest SM clock, taken for that of L2"));
    }

    void l2_without_a_clock_of_its_own_follows_the_sms_to_boost() {
        FakeNcuMetrics metrics = h100();
        metrics.values.erase("lts__cycles_elapsed.avg.per_second");
        metrics.values["lts__cycles_elapsed.sum"] = 490180608;
        Device device = device_of(9, 0, 114);
        device.boost_clock = Hertz(1755e6);
        const auto applied = apply(metrics, device);
        const double measured = 2 * 32.0 * 490180608 / 408352e-9;
        QVERIFY(close(applied.ceiling(Boundary::l2_sm_sectors), measured));
        const BandwidthCeiling* boosted = applied.profile.devices[0].ceilings.find(Boundary::l2_sm_sectors);
        QVERIFY(boosted);
        QVERIFY(close(boosted->rate.value(), measured * 1755e6 / sm_clock));
        QCOMPARE(boosted->provenance.basis, ClockBasis::boost);
    }

    /// Its rate tells the clock where the bytes of a cycle are known, of every boundary of L2.
    void l2_with_a_clock_of_its_own_does_not_follow_the_sms() {
        FakeNcuMetrics metrics = h100();
        metrics.values.erase("lts__cycles_elapsed.avg.per_second");
        const double clock = 1.5e9;
        metrics.values["lts__cycles_elapsed.sum"] = 5120 / (2 * 32.0) * clock * 408352e-9;
        Device device = device_of(9, 0, 114);
        device.boost_clock = Hertz(1980e6);
        device.l2_size = Bytes(50.0 * 1024 * 1024);
        const auto applied = apply(metrics, device);
        const CeilingSet& boosted = applied.profile.devices[0].ceilings;
        QVERIFY(close(applied.ceiling(Boundary::l2_sm_sectors), 5120 * clock));
        QVERIFY(close(boosted.find(Boundary::l2_sm_sectors)->rate.value(), 5120 * 1709e6));
        for (const BandwidthCeiling& ceiling : boosted.bandwidth)
            if (level_of(ceiling.boundary) == MemoryLevel::l2)
                QCOMPARE(ceiling.provenance.clock->value(), 1709e6);
    }

    /// A T4 with its SMs locked at 585 MHz, and L2 at 854 MHz: 4 MiB of it move 1,024 B a cycle.
    void l2_that_is_not_locked_with_the_sms_is_raised_by_its_own_clock() {
        FakeNcuMetrics metrics;
        metrics.values = {{"gpu__time_duration.sum", 1e6},
                          {"sm__cycles_elapsed.avg.per_second", 585e6},
                          {"lts__t_sectors_srcunit_tex.avg.peak_sustained", 1},
                          {"lts__cycles_elapsed.sum", 32 * 854e6 * 1e-3}};
        Device device = device_of(7, 5, 40);
        device.boost_clock = Hertz(1590e6);
        device.l2_size = Bytes(4.0 * 1024 * 1024);
        const auto applied = apply(metrics, device);
        QVERIFY(close(applied.ceiling(Boundary::l2_sm_sectors), 1024 * 854e6));
        const CeilingSet& boosted = applied.profile.devices[0].ceilings;
        QVERIFY(close(boosted.find(Boundary::l2_sm_sectors)->rate.value(), 1024 * 1590e6));
    }

    void a_clock_above_the_attribute_is_the_highest() {
        Device device = device_of(9, 0, 114);
        device.boost_clock = Hertz(sm_clock * 0.9);
        const auto applied = apply(h100(), device);
        const ComputeCeiling* boosted = applied.profile.devices[0].ceilings.find(Pipe{PipeKind::fp32});
        QVERIFY(boosted && close(boosted->rate.value(), *applied.ceiling({PipeKind::fp32})));
        QCOMPARE(boosted->provenance.clock->value(), sm_clock);
    }

    void second_launch_adds_nothing_twice_and_shares_equal_ceilings() {
        Profile profile;
        Device device = device_of(9, 0, 114);
        device.boost_clock = Hertz(1755e6);
        device.memory_clock = Hertz(1593e6);
        profile.devices.push_back(device);
        const FakeNcuMetrics metrics = h100();
        for (std::uint32_t i = 0; i < 2; ++i) {
            Launch launch;
            apply_ncu_metrics(metrics.metrics(), profile.devices[0], LaunchIndex{i}, launch, profile);
            profile.launches.push_back(launch);
        }
        QCOMPARE(profile.launches[0].ceilings.get(), profile.launches[1].ceilings.get());
        QCOMPARE(profile.devices[0].ceilings.compute.size(), std::size_t(3));
    }

    void attributes_make_a_device() {
        FakeNcuMetrics metrics;
        const auto set = [&](const std::string& name, double value) {
            metrics.values["device__attribute_" + name] = value;
        };
        set("chip", 370);
        set("compute_capability_major", 8);
        set("compute_capability_minor", 6);
        set("multiprocessor_count", 80);
        set("clock_rate", 1710000);
        set("memory_clock_rate", 6251000);
        set("global_memory_bus_width", 384);
        set("l2_cache_size", 6291456);
        set("total_memory", 23.5e9);
        const Device device = device_from_ncu_attributes(
            metrics.metrics(), [](std::string_view name) -> std::optional<std::string> {
                return name == "device__attribute_display_name" ? std::optional<std::string>("NVIDIA A10G")
                                                                : std::nullopt;
            });
        QCOMPARE(device.name, std::string("NVIDIA A10G"));
        QCOMPARE(device.chip, std::string("GA102"));
        QVERIFY((device.compute_capability == ComputeCapability{8, 6}));
        QCOMPARE(device.sm_count, std::optional(80));
        QCOMPARE(device.boost_clock->value(), 1.71e9);
        QCOMPARE(device.memory_clock->value(), 6.251e9);
        QCOMPARE(device.memory_bus_bits, std::optional(384));
        QCOMPARE(device.l2_size->value(), 6291456.0);
        QCOMPARE(device.memory_size->value(), 23.5e9);
    }

    void attributes_that_are_missing_or_absurd_are_absent() {
        FakeNcuMetrics metrics;
        metrics.values = {{"device__attribute_multiprocessor_count", 1e18},
                          {"device__attribute_chip", 99999}};
        const Device device = device_from_ncu_attributes(metrics.metrics(), {});
        QVERIFY(device.name.empty());
        QVERIFY(device.chip.empty());
        QVERIFY(!device.sm_count);
        QVERIFY(!device.compute_capability);
        QVERIFY(!device.boost_clock);
    }
};

}  // namespace tst_ncu_metrics_ceilings

ROOFWALK_TEST(tst_ncu_metrics_ceilings, TestNcuMetricsCeilings, NoApplication)
#include "tst_ncu_metrics_ceilings.moc"
