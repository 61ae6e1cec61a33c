// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/ceiling_comparison.h"

#include <QTest>
#include <cmath>

#include "core/devices/chip.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/measured_ceilings.h"
#include "core/devices/theoretical_ceilings.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_theory {

using namespace roofwalk;

namespace {

constexpr Boundary hbm = Boundary::hbm_dram_rw;
constexpr Boundary l2 = Boundary::l2_sm_sectors;
constexpr Pipe fp32{PipeKind::fp32};

Device h100() {
    Device device = hopper::measured().device.device;
    device.l2_size = Bytes(50 * 1024.0 * 1024.0);
    return device;
}

Device board(ComputeCapability capability, double mebibytes) {
    Device device;
    device.compute_capability = capability;
    device.l2_size = Bytes(mebibytes * 1024 * 1024);
    return device;
}

bool near(double value, double expected) {
    return std::abs(value - expected) <= 1e-6 * expected;
}

}  // namespace

class TestTheory : public QObject {
    Q_OBJECT

  private slots:
    void l2_has_the_bytes_a_cycle_that_counters_have_at_their_peak() {
        QCOMPARE(l2_bytes_per_cycle(board({7, 0}, 6)), std::optional(2048.0));
        QCOMPARE(l2_bytes_per_cycle(board({7, 5}, 4)), std::optional(1024.0));
        QCOMPARE(l2_bytes_per_cycle(board({8, 0}, 40)), std::optional(5120.0));
        QCOMPARE(l2_bytes_per_cycle(board({8, 6}, 6)), std::optional(1536.0));
        QCOMPARE(l2_bytes_per_cycle(board({9, 0}, 50)), std::optional(5120.0));
    }
    void l2_of_other_slices_is_not_known() {
        QVERIFY(!l2_bytes_per_cycle(board({9, 0}, 60)));
        QVERIFY(!l2_bytes_per_cycle(board({8, 9}, 72)));
        QVERIFY(!l2_bytes_per_cycle(hopper::measured().device.device));
    }
    void packed_bf16_is_half_as_fast_as_fp16_on_ga100_only() {
        QCOMPARE(architecture_of(ComputeCapability{8, 0})->packed_bf16, 256.0);
        QCOMPARE(architecture_of(ComputeCapability{9, 0})->packed_bf16, 512.0);
        QVERIFY(architecture_of(ComputeCapability{7, 5})->packed_bf16 == 0 &&
                architecture_of(ComputeCapability{10, 0})->packed_bf16 == 0);
    }
    void no_kernel_is_judged_by_the_theory_of_l2() {
        QVERIFY(ceilings_from_attributes(h100()).find(l2) == nullptr);
        QVERIFY(near(theory_from_attributes(h100()).find(l2)->rate.value(), 5120 * 1.709e9));
    }
    void l2_whose_clock_nobody_has_seen_is_taken_at_that_of_the_sms() {
        Device a100 = board({8, 0}, 40);
        a100.boost_clock = Hertz(1.41e9);
        const CeilingSet theory = theory_from_attributes(a100);
        QVERIFY(near(theory.find(l2)->rate.value(), 5120 * 1.41e9));
        QCOMPARE(*theory.find(l2)->provenance.clock, Hertz(1.41e9));
        // Hopper's has a clock of its own, with which that of the SMs has nothing to do.
        QVERIFY(!theory_from_attributes(h100()).find(l2)->provenance.clock);
        QVERIFY(near(theoretical_ceilings(h100()).find(l2)->rate.value(), 5120 * 1.709e9));
    }
    void what_was_measured_or_typed_is_no_theory() {
        Device device = h100();
        Provenance measured;
        measured.source = CeilingSource::benchmark;
        device.ceilings.compute = {{fp32, FlopRate(1e12), measured}};
        device.ceilings.bandwidth = {{hbm, ByteRate(1e12), {}}};  // typed
        const CeilingSet theory = theoretical_ceilings(device);
        QVERIFY(near(theory.find(fp32)->rate.value(), 132 * 1.98e9 * 256));
        QVERIFY(near(theory.find(hbm)->rate.value(), 2.619e9 * 1280));
    }
    void peaks_of_counters_go_before_attributes() {
        Device device = h100();
        Provenance counted;
        counted.source = CeilingSource::counters;
        device.ceilings.bandwidth = {{l2, ByteRate(9e12), counted}};
        QCOMPARE(theoretical_ceilings(device).find(l2)->rate.value(), 9e12);
    }
    void theory_stands_at_the_clock_that_the_measured_roof_holds_at() {
        const CeilingSet drawn = ceilings_from(hopper::measured());
        const CeilingSet theory = theory_beside(drawn, h100(), ClockBasis::measured);
        QVERIFY(near(theory.find(fp32)->rate.value(), 132 * 1.755e9 * 256));
        QCOMPARE(*theory.find(fp32)->provenance.clock, Hertz(1.755e9));
        QVERIFY(theory.find(fp32)->provenance.detail.ends_with("scaled from 1.980 GHz"));
        // The clock of the SMs is none of L2's and HBM's.
        QVERIFY(near(theory.find(l2)->rate.value(), 5120 * 1.709e9));
        QVERIFY(near(theory.find(hbm)->rate.value(), 2.619e9 * 1280));
        const CeilingSet boost = theory_beside(drawn, h100(), ClockBasis::boost);
        QVERIFY(near(boost.find(fp32)->rate.value(), 132 * 1.98e9 * 256));
    }
    void what_was_not_measured_has_no_theory_beside_it() {
        CeilingSet drawn = ceilings_from(hopper::measured());
        drawn.compute.front().provenance.source = CeilingSource::counters;
        const CeilingSet theory = theory_beside(drawn, h100(), ClockBasis::measured);
        QVERIFY(theory.find(drawn.compute.front().pipe) == nullptr);
        QCOMPARE(theory.compute.size() + 1, drawn.compute.size());
    }
    void of_a_gpu_that_nobody_knows_there_is_none() {
        Device unknown;
        unknown.name = "NVIDIA Something";
        QVERIFY(theory_beside(ceilings_from(hopper::measured()), unknown, ClockBasis::measured).empty());
    }
};

}  // namespace tst_theory

ROOFWALK_TEST(tst_theory, TestTheory, NoApplication)
#include "tst_theory.moc"
