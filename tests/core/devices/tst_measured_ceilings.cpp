// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "core/devices/measured_ceilings.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_measured_ceilings {

using namespace roofwalk;

class TestMeasuredCeilings : public QObject {
    Q_OBJECT

  private slots:
    void reads_are_the_roof_of_hbm_and_the_plateau_that_of_l2() {
        const CeilingSet set = ceilings_from(hopper::measured());
        QCOMPARE(set.find(Boundary::hbm_dram_rw)->rate.value(), 3.2e12);
        QCOMPARE(set.find(Boundary::hbm_dram_rw)->provenance.mix, std::string("read"));
        QCOMPARE(set.find(Boundary::l2_sm_sectors)->rate.value(), 8.6e12);
        QCOMPARE(set.bandwidth.size(), std::size_t(2));
    }
    void wgmma_is_the_tensor_roof_of_hopper() {
        const CeilingSet set = ceilings_from(hopper::measured());
        QCOMPARE(set.find(Pipe{PipeKind::tensor_bf16})->rate.value(), 880e12);
        QCOMPARE(set.find(Pipe{PipeKind::tensor_fp64})->rate.value(), 60e12);
    }
    void mma_is_no_roof_where_it_cannot_reach_the_peak() {
        MeasuredCeilings measured = hopper::measured();
        measured.rates.pop_back();  // cut before wgmma
        QVERIFY(ceilings_from(measured).find(Pipe{PipeKind::tensor_bf16}) == nullptr);
        measured.device.device.compute_capability = ComputeCapability{10, 0};
        QVERIFY(ceilings_from(measured).find(Pipe{PipeKind::tensor_bf16}) == nullptr);
        measured.device.device.compute_capability = ComputeCapability{8, 0};
        QCOMPARE(ceilings_from(measured).find(Pipe{PipeKind::tensor_bf16})->rate.value(), 620e12);
        measured.device.device.compute_capability.reset();
        QVERIFY(ceilings_from(measured).find(Pipe{PipeKind::tensor_bf16}) == nullptr);
    }
    void provenance_says_all_that_the_number_rests_on() {
        MeasuredCeilings measured = hopper::measured();
        measured.rates.back().throttled = {"power limit"};
        const CeilingSet set = ceilings_from(measured);
        const Provenance& provenance = set.find(Pipe{PipeKind::tensor_bf16})->provenance;
        QCOMPARE(provenance.source, CeilingSource::benchmark);
        QCOMPARE(provenance.date, std::string("2026-11-22"));
        QCOMPARE(*provenance.clock, Hertz(1.755e9));
        for (const char* part : {hopper::uuid, "driver 580.95.05", "power limit 700 W", "benchmarks 4",
                                 "dense", "random", "spread 0.400 %", "clock held down by: power limit"})
            QVERIFY2(provenance.detail.find(part) != std::string::npos,
                     (std::string(part) + " in " + provenance.detail).c_str());
    }
    void what_holds_has_no_reason_to_be_stale() {
        const MeasuredCeilings kept = hopper::measured();
        QVERIFY(why_stale(kept, kept.device).empty());
        QVERIFY(why_stale(kept, MeasuredDevice{}).empty());
    }
    void a_change_of_the_machine_makes_it_stale() {
        const MeasuredCeilings kept = hopper::measured();
        const auto reasons = [&](auto change) {
            MeasuredDevice now = kept.device;
            change(now);
            return why_stale(kept, now);
        };
        QCOMPARE(reasons([](MeasuredDevice& now) { now.driver = "590.1"; }).front(),
                 std::string("The driver was 580.95.05 and is 590.1 now."));
        QCOMPARE(reasons([](MeasuredDevice& now) { now.power_limit = 500; }).front(),
                 std::string("The power limit was 700 W and is 500 W now."));
        QCOMPARE(reasons([](MeasuredDevice& now) { now.application_clock = Hertz(1.2e9); }).size(),
                 std::size_t(1));
        QCOMPARE(reasons([](MeasuredDevice& now) { now.highest_clock = Hertz(1.2e9); }).size(),
                 std::size_t(1));
        QCOMPARE(reasons([](MeasuredDevice& now) { now.device.uuid = "GPU-0"; }).size(), std::size_t(1));
        QVERIFY(reasons([](MeasuredDevice& now) { now.power_limit = 700.4; }).empty());
    }
    void older_benchmarks_make_it_stale() {
        MeasuredCeilings kept = hopper::measured();
        kept.benchmark_version = current_benchmarks + 1;
        QCOMPARE(why_stale(kept, MeasuredDevice{}).size(), std::size_t(1));
    }
};

}  // namespace tst_measured_ceilings

ROOFWALK_TEST(tst_measured_ceilings, TestMeasuredCeilings, NoApplication)
#include "tst_measured_ceilings.moc"
