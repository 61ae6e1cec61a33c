// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/roofline/roofline.h"
#include "tests/support/folder_tests.h"

namespace tst_roofline {

using namespace roofwalk;

namespace {

constexpr FlopRate a100_fp16(312e12);
constexpr ByteRate a100_hbm(2039e9);

bool near(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance;
}

double ridge(double peak, double bandwidth) {
    return ridge_point(FlopRate(peak), ByteRate(bandwidth)).value();
}

}  // namespace

class TestRoofline : public QObject {
    Q_OBJECT

  private slots:
    void intensity_is_work_over_bytes() {
        QCOMPARE((Flops(100) / Bytes(50)).value(), 2.0);
        QCOMPARE((Flops(100000) / Bytes(50)).value(), 2000.0);
    }
    void the_slope_is_one_on_logarithmic_axes() {
        for (const double bandwidth : {1e9, 2039e9, 7e12}) {
            const auto at = [&](double x) {
                return attainable(FlopRate(1e30), ByteRate(bandwidth), Intensity(x)).value();
            };
            QVERIFY(near(std::log10(at(100) / at(1)), 2, 1e-12));
        }
        QCOMPARE(attainable(a100_fp16, a100_hbm, Intensity(1e6)), a100_fp16);
    }
    void both_ceilings_meet_at_the_ridge() {
        const Intensity knee = ridge_point(a100_fp16, a100_hbm);
        QVERIFY(near(knee.value(), 153.02, 0.005));
        QVERIFY(near((a100_hbm * knee).value(), 312e12, 1));
        QVERIFY(near(ridge(312e12, 1555e9), 200.6, 0.05));
    }
    void time_has_two_lower_bounds() {
        const Seconds compute = time_bound(Flops(2e8), FlopRate(20e12));
        const Seconds memory = time_bound(Bytes(1.2e9), ByteRate(800e9));
        QCOMPARE(compute.value(), 10e-6);
        QCOMPARE(memory.value(), 1.5e-3);
        QVERIFY(near((Flops(2e8) / memory).value() / 1e9, 133.3, 0.05));
        QCOMPARE(ridge(20e12, 800e9), 25.0);
        const FlopRate ceiling = attainable(FlopRate(20e12), ByteRate(800e9), Flops(2e8) / Bytes(1.2e9));
        QVERIFY(near((Flops(2e8) / ceiling).value(), memory.value(), 1e-15));
    }
    void equality_has_a_tolerance() {
        QCOMPARE(side_of_ridge(Intensity(100.05), Intensity(100)), Side::at_ridge);
        QCOMPARE(side_of_ridge(Intensity(100.2), Intensity(100)), Side::compute);
        QCOMPARE(side_of_ridge(Intensity(99.8), Intensity(100)), Side::memory);
    }
};

}  // namespace tst_roofline

ROOFWALK_TEST(tst_roofline, TestRoofline, NoApplication)
#include "tst_roofline.moc"
