// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/devices/device_ceilings.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_resolve_ceilings {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

ComputeCeiling fp32_from(CeilingSource source, ClockBasis basis, double rate) {
    ComputeCeiling ceiling = compute_ceiling(fp32, rate);
    ceiling.provenance.source = source;
    ceiling.provenance.basis = basis;
    return ceiling;
}

/// 128 FLOP * 108 SMs * 1.41 GHz = 19.49 TFLOP/s by attributes, 19.5 in the table.
Device a100() {
    Device device;
    device.name = "NVIDIA A100-SXM4-80GB";
    device.compute_capability = ComputeCapability{8, 0};
    device.sm_count = 108;
    device.boost_clock = Hertz(1.41e9);
    return device;
}

ComputeCeiling resolved(const Device& device, const CeilingSet* of_launch, ClockBasis basis,
                        const CeilingSet& overrides = {}) {
    return *resolve_ceilings(device, of_launch, basis, overrides).find(fp32);
}

}  // namespace

class TestResolveCeilings : public QObject {
    Q_OBJECT

  private slots:
    void the_best_source_wins_at_the_measured_clock() {
        CeilingSet counters;
        counters.compute.push_back(fp32_from(CeilingSource::counters, ClockBasis::measured, 14e12));
        Device device = a100();
        QCOMPARE(resolved(device, nullptr, ClockBasis::measured).provenance.source,
                 CeilingSource::attributes);
        QCOMPARE(resolved(device, &counters, ClockBasis::measured).rate.value(), 14e12);

        device.ceilings.compute.push_back(fp32_from(CeilingSource::benchmark, ClockBasis::measured, 13e12));
        QCOMPARE(resolved(device, &counters, ClockBasis::measured).rate.value(), 13e12);

        CeilingSet typed;
        typed.compute.push_back(fp32_from(CeilingSource::user, ClockBasis::boost, 12e12));
        QCOMPARE(resolved(device, &counters, ClockBasis::measured, typed).rate.value(), 12e12);
    }
    void what_a_benchmark_found_goes_to_the_clock_of_the_launch_but_for_hbm() {
        Device device = a100();
        ComputeCeiling measured = fp32_from(CeilingSource::benchmark, ClockBasis::measured, 19e12);
        measured.provenance.clock = Hertz(1.4e9);
        device.ceilings.compute.push_back(measured);
        BandwidthCeiling memory = bandwidth_ceiling(Boundary::hbm_dram_rw, 1.8e12);
        memory.provenance = measured.provenance;
        device.ceilings.bandwidth.push_back(memory);
        BandwidthCeiling cache = bandwidth_ceiling(Boundary::l2_sm_sectors, 6e12);
        cache.provenance = measured.provenance;
        device.ceilings.bandwidth.push_back(cache);
        ComputeCeiling counted = fp32_from(CeilingSource::counters, ClockBasis::measured, 9e12);
        counted.provenance.clock = Hertz(0.7e9);
        CeilingSet of_launch;
        of_launch.compute.push_back(counted);
        const ComputeCeiling slow = resolved(device, &of_launch, ClockBasis::measured);
        QCOMPARE(slow.rate.value(), 9.5e12);
        QVERIFY(*slow.provenance.clock == Hertz(0.7e9));
        QCOMPARE(slow.provenance.detail, std::string("measured at 1.400 GHz"));
        const CeilingSet all = resolve_ceilings(device, &of_launch, ClockBasis::measured, {});
        QCOMPARE(all.find(Boundary::hbm_dram_rw)->rate.value(), 1.8e12);
        QCOMPARE(all.find(Boundary::l2_sm_sectors)->rate.value(), 3e12);  // goes with the SMs
        QCOMPARE(resolved(device, &of_launch, ClockBasis::boost).rate.value(), 19e12);
    }
    void at_boost_a_ceiling_of_another_clock_says_so() {
        Device device = machine({}, {});
        CeilingSet of_launch;
        of_launch.compute.push_back(fp32_from(CeilingSource::counters, ClockBasis::measured, 9e12));
        const auto detail = [&](ClockBasis basis) {
            return resolve_ceilings(device, &of_launch, basis, {}).compute.at(0).provenance.detail;
        };
        QVERIFY(detail(ClockBasis::boost).ends_with("no figure at the boost clock is known"));
        QVERIFY(detail(ClockBasis::measured).find("boost") == std::string::npos);
    }
    void at_boost_the_launch_counts_last() {
        CeilingSet counters;
        counters.compute.push_back(fp32_from(CeilingSource::counters, ClockBasis::measured, 14e12));
        QCOMPARE(resolved(a100(), &counters, ClockBasis::boost).provenance.source, CeilingSource::attributes);
        Device device = a100();
        device.ceilings.compute.push_back(fp32_from(CeilingSource::counters, ClockBasis::boost, 19.4e12));
        QCOMPARE(resolved(device, &counters, ClockBasis::boost).rate.value(), 19.4e12);
    }
    void what_is_known_at_the_measured_clock_only_is_kept_and_labelled() {
        CeilingSet counters;
        counters.bandwidth.push_back(bandwidth_ceiling(Boundary::l2_sm_return, 3e12));
        counters.bandwidth[0].provenance.basis = ClockBasis::measured;
        const CeilingSet set = resolve_ceilings(a100(), &counters, ClockBasis::boost, {});
        QCOMPARE(set.find(Boundary::l2_sm_return)->rate.value(), 3e12);
        QCOMPARE(set.find(Boundary::l2_sm_return)->provenance.basis, ClockBasis::measured);
    }
    void attributes_follow_the_clock_of_a_launch_without_peaks() {
        CeilingSet clocks_only;
        clocks_only.bandwidth.push_back(bandwidth_ceiling(Boundary::smem_wavefronts, 128 * 108 * 1.095e9));
        clocks_only.bandwidth[0].provenance.basis = ClockBasis::measured;
        clocks_only.bandwidth[0].provenance.clock = Hertz(1.095e9);
        const ComputeCeiling measured = resolved(a100(), &clocks_only, ClockBasis::measured);
        QCOMPARE(measured.rate.value(), 128 * 108 * 1.095e9);
        QCOMPARE(measured.provenance.source, CeilingSource::attributes);
        QCOMPARE(measured.provenance.basis, ClockBasis::measured);
        QCOMPARE(resolved(a100(), &clocks_only, ClockBasis::boost).rate.value(), 128 * 108 * 1.41e9);
    }
    void the_table_follows_the_clock_of_a_launch_but_for_hbm() {
        CeilingSet clocks_only;
        clocks_only.bandwidth.push_back(bandwidth_ceiling(Boundary::smem_wavefronts, 128 * 108 * 0.705e9));
        clocks_only.bandwidth[0].provenance.basis = ClockBasis::measured;
        clocks_only.bandwidth[0].provenance.clock = Hertz(0.705e9);
        Device device;
        device.name = "A100 SXM 80 GB";
        const CeilingSet slow = resolve_ceilings(device, &clocks_only, ClockBasis::measured, {});
        const CeilingSet table = resolve_ceilings(device, nullptr, ClockBasis::boost, {});
        const BandwidthCeiling* l2 = slow.find(Boundary::l2_sm_sectors);
        QCOMPARE(l2->provenance.source, CeilingSource::table);
        QCOMPARE(l2->provenance.basis, ClockBasis::measured);
        QVERIFY(std::abs(l2->rate / table.find(Boundary::l2_sm_sectors)->rate - 0.5) < 1e-12);
        QVERIFY(l2->provenance.detail.ends_with("scaled from 1.410 GHz"));
        QCOMPARE(slow.find(Boundary::hbm_dram_rw)->rate, table.find(Boundary::hbm_dram_rw)->rate);
    }
    void a_name_alone_is_enough_for_the_table() {
        Device device;
        device.name = "A100 80GB SXM";
        const CeilingSet set = resolve_ceilings(device, nullptr, ClockBasis::measured, {});
        QCOMPARE(set.find(Boundary::hbm_dram_rw)->rate.value(), 2039e9);
        QCOMPARE(set.find(tensor_fp16)->rate.value(), 312e12);
        QCOMPARE(set.find(tensor_fp16)->provenance.source, CeilingSource::table);
        QCOMPARE(set.find(tensor_fp16)->provenance.basis, ClockBasis::boost);
    }
    void tensor_work_of_unknown_type_takes_the_dense_fp16_ceiling() {
        const Pipe unknown{PipeKind::tensor_any};
        const CeilingSet set = resolve_ceilings(a100(), nullptr, ClockBasis::boost, {});
        QCOMPARE(set.find(unknown)->rate, set.find(tensor_fp16)->rate);
        QVERIFY(set.find(unknown)->provenance.detail.starts_with(
            "FP16 dense taken for tensor work of unknown type: "));

        CeilingSet typed;
        typed.compute.push_back(compute_ceiling(unknown, 1e12));
        const CeilingSet overridden = resolve_ceilings(a100(), nullptr, ClockBasis::boost, typed);
        QCOMPARE(overridden.find(unknown)->rate.value(), 1e12);
        QVERIFY(!resolve_ceilings(Device{}, nullptr, ClockBasis::boost, {}).find(unknown));
    }
    void each_target_comes_once() {
        CeilingSet counters;
        counters.compute.push_back(fp32_from(CeilingSource::counters, ClockBasis::measured, 14e12));
        const CeilingSet set = resolve_ceilings(a100(), &counters, ClockBasis::measured, {});
        for (const ComputeCeiling& ceiling : set.compute)
            QCOMPARE(std::ranges::count(set.compute, ceiling.pipe, &ComputeCeiling::pipe), 1);
        for (const BandwidthCeiling& ceiling : set.bandwidth)
            QCOMPARE(std::ranges::count(set.bandwidth, ceiling.boundary, &BandwidthCeiling::boundary), 1);
    }
    void a_memory_clock_that_is_not_the_data_rate_is_not_believed() {
        Device device;
        device.name = "NVIDIA GeForce RTX 4090";
        device.memory_bus_bits = 384;
        device.memory_clock = Hertz(10.501e9);
        const auto dram = [&] {
            return *resolve_ceilings(device, nullptr, ClockBasis::boost, {}).find(Boundary::hbm_dram_rw);
        };
        QCOMPARE(dram().provenance.source, CeilingSource::attributes);
        device.memory_clock = Hertz(5.25e9);
        QCOMPARE(dram().provenance.source, CeilingSource::table);
        QCOMPARE(dram().rate.value(), 1008e9);
    }
    void a_ceiling_of_zero_is_no_ceiling() {
        CeilingSet counters;
        counters.compute.push_back(fp32_from(CeilingSource::counters, ClockBasis::measured, 0));
        QCOMPARE(resolved(a100(), &counters, ClockBasis::measured).provenance.source,
                 CeilingSource::attributes);
    }
};

}  // namespace tst_resolve_ceilings

ROOFWALK_TEST(tst_resolve_ceilings, TestResolveCeilings, NoApplication)
#include "tst_resolve_ceilings.moc"
