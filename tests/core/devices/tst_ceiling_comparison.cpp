// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/devices/ceiling_comparison.h"
#include "tests/core/devices/hopper.h"
#include "tests/support/folder_tests.h"

namespace tst_ceiling_comparison {

using namespace roofwalk;

namespace {

CeilingComparison row(const std::string& id, const MeasuredCeilings& measured = hopper::measured()) {
    const auto rows = compare_ceilings(measured);
    return *std::ranges::find(rows, id, [](const CeilingComparison& each) { return each.measured.id; });
}

bool near(double value, double expected) {
    return std::abs(value - expected) <= 1e-6 * expected;
}

}  // namespace

class TestCeilingComparison : public QObject {
    Q_OBJECT

  private slots:
    void theory_of_hbm_comes_from_clock_and_bus() {
        const CeilingComparison hbm = row("hbm.read");
        QVERIFY(near(*hbm.theoretical, 2.619e9 * 5120 * 2 / 8));
        QVERIFY(near(*hbm.theoretical_held, *hbm.theoretical));
        QVERIFY(near(*hbm.share_of_theory(), 3.2e12 / (2.619e9 * 1280)));
        QVERIFY(hbm.roof);
        QVERIFY(!row("hbm.copy").roof);
    }
    void theory_of_a_pipe_is_compared_at_the_clock_held() {
        const CeilingComparison bf16 = row("wgmma.bf16");
        QVERIFY(near(*bf16.theoretical, 132 * 1.98e9 * 4096));
        QVERIFY(near(*bf16.theoretical_held, 132 * 1.755e9 * 4096));
        QVERIFY(near(*bf16.share_of_theory(), 880e12 / (132 * 1.755e9 * 4096)));
        QVERIFY(near(*bf16.published, 989.4e12) || std::abs(*bf16.published - 989e12) < 2e12);
    }
    void theory_of_l2_comes_from_the_bytes_that_its_slices_pass() {
        MeasuredCeilings measured = hopper::measured();
        measured.device.device.l2_size = Bytes(50 * 1024.0 * 1024.0);
        const CeilingComparison l2 = row("l2.read", measured);
        QVERIFY(near(*l2.theoretical, 5120 * 1.709e9));
        QVERIFY(near(*l2.share_of_theory(), 8.1e12 / (5120 * 1.709e9)));
        QVERIFY(l2.theory_source.starts_with("5120 B a cycle") && l2.theory_missing.empty());
    }
    void packed_bf16_has_a_theory_though_no_pipe() {
        MeasuredCeilings measured = hopper::measured();
        MeasuredRate bf16 = measured.rates.back();
        bf16.id = "fma.bf16";
        bf16.target.reset();
        bf16.rate = 110e12;
        measured.rates.push_back(bf16);
        const CeilingComparison compared = row("fma.bf16", measured);
        QVERIFY(near(*compared.share_of_theory(), 110e12 / (132 * 1.755e9 * 512)));
        QCOMPARE(compared.theory_source, std::string("132 SMs * 512 FLOP a cycle"));
        measured.device.device.compute_capability = ComputeCapability{12, 0};
        QCOMPARE(row("fma.bf16", measured).theory_missing,
                 std::string("its rate a cycle is not known for compute capability 12.0"));
    }
    void what_theory_lacks_is_named() {
        QCOMPARE(row("l2.read").theory_missing, std::string("no size of L2"));
        MeasuredCeilings measured = hopper::measured();
        measured.device.device.l2_size = Bytes(60 * 1024.0 * 1024.0);
        QCOMPARE(row("l2.read", measured).theory_missing,
                 std::string("the bytes a cycle of L2 are not known for compute capability 9.0 with 60 MiB"));
        measured.device.device.memory_clock.reset();
        QCOMPARE(row("hbm.read", measured).theory_missing, std::string("no memory clock"));
        measured.device.device.boost_clock.reset();
        QCOMPARE(row("fma.fp32", measured).theory_missing, std::string("no boost clock of the SMs"));
    }
    void sources_of_theory_and_what_it_lacks_stand_under_the_table() {
        const std::string text = ceiling_comparison_text(hopper::measured());
        for (const char* part : {"Theory of hbm.read, hbm.copy: memory clock 2.619 GHz * 5120 bits * 2 / 8.",
                                 "No theory of l2.read: no size of L2.", "Theory is at the boost clock"})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }
    void the_plateau_of_l2_and_its_fall_are_told() {
        MeasuredCeilings measured = hopper::measured();
        double megabytes = 8;
        for (MeasuredRate& rate : measured.rates)
            if (rate.id == "l2.read") rate.footprint = Bytes(1e6 * (megabytes *= 2));
        const auto told = measurement_notes(measured);
        QCOMPARE(told.front(),
                 std::string("L2 reads: a plateau of 8.60 TB/s up to 32.0 MB, 4.00 TB/s at 64.0 MB."));
        measured.rates.resize(3);  // one footprint
        QVERIFY(!measurement_notes(measured).front().starts_with("L2"));
    }
    void only_what_the_maker_prints_is_published() {
        QVERIFY(row("hbm.read").published && row("fma.fp32").published);
        QVERIFY(!row("l2.read").published);
    }
    void one_other_process_is_one() {
        MeasuredCeilings measured = hopper::measured();
        measured.device.other_processes = 1;
        const std::string text = ceiling_comparison_text(measured);
        QVERIFY(text.find("1 other process was on the GPU; what it did") != std::string::npos);
    }
    void what_nobody_says_is_absent() {
        QVERIFY(!row("l2.read").theoretical);
        MeasuredCeilings unknown = hopper::measured();
        unknown.device.device.name = "NVIDIA Something";
        unknown.device.device.compute_capability = ComputeCapability{99, 0};
        const CeilingComparison fp32 = row("fma.fp32", unknown);
        QVERIFY(!fp32.theoretical && !fp32.published && !fp32.share_of_theory());
    }
    void the_table_says_what_a_person_should_know() {
        MeasuredCeilings measured = hopper::measured();
        measured.complete = false;
        measured.device.other_processes = 2;
        measured.rates.back().throttled = {"power limit"};
        const std::string text = ceiling_comparison_text(measured);
        for (const char* part :
             {"wgmma.bf16", "880 TFLOP/s", hopper::uuid, "power limit 700 W", "2 other processes",
              "clock was held down by: power limit", "was cut", "Operands are random"})
            QVERIFY2(text.find(part) != std::string::npos, part);
    }
};

}  // namespace tst_ceiling_comparison

ROOFWALK_TEST(tst_ceiling_comparison, TestCeilingComparison, NoApplication)
#include "tst_ceiling_comparison.moc"
