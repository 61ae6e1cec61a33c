// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/ceilings/ceiling_comparison.h"
#include "tests/core/ceilings/hopper.h"

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

QTEST_APPLESS_MAIN(TestCeilingComparison)
#include "tst_ceiling_comparison.moc"
