// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/roofline/roofline.h"

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
    void attainable_on_an_a100_data() {
        QTest::addColumn<double>("intensity");
        QTest::addColumn<double>("tflops");
        const double rows[][2] = {{0.5, 1.02},  {1, 2.04},    {2, 4.08},   {4, 8.16},     {8, 16.31},
                                  {16, 32.62},  {32, 65.25},  {64, 130.5}, {128, 260.99}, {153, 311.97},
                                  {256, 312.0}, {512, 312.0}, {10, 20.39}, {100, 203.9}};
        for (const auto& row : rows)
            QTest::addRow("AI %g", row[0]) << row[0] << row[1];
    }
    void attainable_on_an_a100() {
        QFETCH(double, intensity);
        QFETCH(double, tflops);
        const double attained = attainable(a100_fp16, a100_hbm, Intensity(intensity)).value() / 1e12;
        QVERIFY2(near(attained, tflops, 0.0051), qPrintable(QString::number(attained)));
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
    void ridges_of_four_generations_theoretical_and_practical() {
        QVERIFY(near(ridge(125e12, 900e9), 138.89, 0.005));
        QVERIFY(near(ridge(990e12, 3350e9), 295.52, 0.005));
        QVERIFY(near(ridge(990e12, 4800e9), 206.25, 0.005));
        const auto practical = [](double peak, double bandwidth) {
            return ridge(0.80 * peak, 0.88 * bandwidth);
        };
        QVERIFY(near(practical(125e12, 900e9), 126.26, 0.005));
        QVERIFY(near(practical(312e12, 2039e9), 139.11, 0.005));
        QVERIFY(near(practical(990e12, 3350e9), 268.66, 0.005));
        QVERIFY(near(practical(990e12, 4800e9), 187.50, 0.005));
    }
    void a_kernel_changes_sides_from_one_gpu_to_the_next() {
        const Intensity kernel(235.78);
        QCOMPARE(side_of_ridge(kernel, Intensity(138.89)), Side::compute);
        QCOMPARE(side_of_ridge(kernel, Intensity(153.02)), Side::compute);
        QCOMPARE(side_of_ridge(kernel, Intensity(295.52)), Side::memory);
    }
    void measured_streams_reach_their_share_of_the_peak() {
        const auto percent = [](double reached, double peak) { return 100 * reached / peak; };
        QVERIFY(near(percent(210, 281.57), 74.6, 0.05));
        QVERIFY(near(percent(340, 409.6), 83.0, 0.05));
        QVERIFY(near(percent(820, 900), 91.1, 0.05));
        QVERIFY(near(percent(1800, 2039), 88.3, 0.05));
        QVERIFY(near(percent(2900, 3350), 86.6, 0.05));
    }
    void a_faster_level_moves_the_ridge_left() {
        const double hbm = ridge(312e12, 2039e9);
        const double l2 = ridge(312e12, 6000e9);
        const double smem = ridge(312e12, 19000e9);
        const double registers = ridge(312e12, 80000e9);
        QVERIFY(near(hbm, 153.0, 0.05));
        QVERIFY(near(l2, 52.0, 0.05));
        QVERIFY(near(smem, 16.4, 0.05));
        QVERIFY(near(registers, 3.9, 0.05));
        QVERIFY(l2 < hbm);
    }
    void shared_memory_of_an_a100_is_19_5_terabytes_a_second() {
        QVERIFY(near(108 * 128 * 1.41, 19491.8, 0.1));
    }
    void the_h100_has_a_ridge_for_each_type() {
        QVERIFY(near(ridge(990e12, 3.35e12), 295.5, 0.05));
        QVERIFY(near(ridge(1979e12, 3.35e12), 590.7, 0.05));
    }
    void three_points_of_a_round_machine() {
        const auto reached = [](double intensity) {
            return attainable(FlopRate(100e12), ByteRate(1e12), Intensity(intensity)).value();
        };
        QCOMPARE(ridge(100e12, 1e12), 100.0);
        QCOMPARE(reached(0.25), 0.25e12);
        QCOMPARE(reached(20), 20e12);
        QCOMPARE(reached(200), 100e12);
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
    void an_ideal_gemm_crosses_the_ridge_at_n_240() {
        const Intensity knee = ridge_point(FlopRate(120e12), ByteRate(1.5e12));
        QCOMPARE(knee.value(), 80.0);
        QCOMPARE(side_of_ridge(Intensity(128.0 / 3), knee), Side::memory);
        QCOMPARE(side_of_ridge(Intensity(240.0 / 3), knee), Side::at_ridge);
        QCOMPARE(side_of_ridge(Intensity(512.0 / 3), knee), Side::compute);
        QCOMPARE(attainable(FlopRate(120e12), ByteRate(1.5e12), Intensity(128.0 / 3)).value(), 64e12);
    }
    void equality_has_a_tolerance() {
        QCOMPARE(side_of_ridge(Intensity(100.05), Intensity(100)), Side::at_ridge);
        QCOMPARE(side_of_ridge(Intensity(100.2), Intensity(100)), Side::compute);
        QCOMPARE(side_of_ridge(Intensity(99.8), Intensity(100)), Side::memory);
    }
    void the_share_of_fused_instructions_lowers_the_ceiling() {
        const double peak = 80 * 32 * 2 * 1.312e9;  // FP64 of a V100 at its base clock
        QVERIFY(near(peak / 1e12, 6.717, 0.0005));
        QVERIFY(near(fma_mix_ceiling(FlopRate(6.7e12), 0.58).value() / 1e12, 5.293, 0.0005));
        QVERIFY(near(3.7 / 6.7, 0.552, 0.0005));
        QVERIFY(near(3.7e12 / fma_mix_ceiling(FlopRate(6.7e12), 0.58).value(), 0.699, 0.0005));
        QCOMPARE(fma_mix_ceiling(FlopRate(1e12), 1).value(), 1e12);
        QCOMPARE(fma_mix_ceiling(FlopRate(1e12), 0).value(), 0.5e12);
    }
};

QTEST_APPLESS_MAIN(TestRoofline)
#include "tst_roofline.moc"
