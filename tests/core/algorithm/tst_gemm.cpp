// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/algorithm/gemm.h"

using namespace roofwalk;

namespace {

constexpr Intensity v100(138.89);
constexpr Intensity a100(312e12 / 2039e9);
constexpr Intensity h100(990e12 / 3350e9);
constexpr Intensity h200(990e12 / 4800e9);

bool near(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance;
}

double batch(double k, double n, Intensity ridge) {
    return std::ceil(gemm_batch_to_ridge(k, n, 2, ridge).value());
}

}  // namespace

class TestGemm : public QObject {
    Q_OBJECT

  private slots:
    void a_feed_forward_layer_of_256_tokens() {
        const GemmShape shape{.m = 256, .n = 11008, .k = 4096};
        QVERIFY(near(gemm_work(shape).value() / 1e9, 23.085, 0.0005));
        QVERIFY(near(gemm_bytes(shape).value() / 1e6, 97.91, 0.005));
        QVERIFY(near(gemm_intensity(shape).value(), 235.78, 0.005));
    }
    void a_gate_projection_of_64_tokens() {
        const GemmShape shape{.m = 64, .n = 11008, .k = 4096};
        QVERIFY(near(gemm_work(shape).value() / 1e9, 5.771, 0.0005));
        QVERIFY(near(gemm_bytes(shape).value() / 1e6, 92.11, 0.005));
        QVERIFY(near(gemm_intensity(shape).value(), 62.66, 0.005));
    }
    void a_square_gemm_has_a_third_of_its_side() {
        QVERIFY(near(gemm_intensity({.m = 4096, .n = 4096, .k = 4096}).value(), 1365.33, 0.005));
        QVERIFY(near(gemm_intensity({.m = 1024, .n = 1024, .k = 1024}).value(), 341.33, 0.005));
        QVERIFY(near(gemm_intensity({.m = 128, .n = 128, .k = 128}).value(), 42.67, 0.005));
        QVERIFY(near(gemm_intensity({.m = 4096, .n = 4096, .k = 4096, .element_bytes = 4}).value(), 682.67,
                     0.005));
    }
    void the_batch_is_nearly_the_intensity_at_first() {
        const auto intensity = [](double m) {
            return gemm_intensity({.m = m, .n = 4096, .k = 4096}).value();
        };
        QVERIFY(near(intensity(1), 0.9995, 5e-5));
        QVERIFY(near(intensity(8), 7.97, 0.005));
        QVERIFY(near(intensity(32), 31.51, 0.005));
        QVERIFY(near(intensity(256), 227.6, 0.05));
        QVERIFY(near(intensity(512), 409.6, 0.05));
    }
    void the_batch_that_reaches_the_ridge_is_exact() {
        QCOMPARE(batch(4096, 11008, v100), 146.0);
        QCOMPARE(batch(4096, 11008, a100), 162.0);
        QCOMPARE(batch(4096, 11008, h100), 328.0);
        QCOMPARE(batch(4096, 11008, h200), 222.0);
        QCOMPARE(batch(4096, 4096, h100), 346.0);
    }
    void the_exact_batch_stands_on_the_ridge() {
        const double m = gemm_batch_to_ridge(4096, 11008, 2, a100).value();
        QVERIFY(near(gemm_intensity({.m = m, .n = 11008, .k = 4096}).value(), a100.value(), 1e-9));
    }
    void a_thin_gemm_never_reaches_the_ridge() { QVERIFY(!gemm_batch_to_ridge(64, 64, 2, h100)); }
};

QTEST_APPLESS_MAIN(TestGemm)
#include "tst_gemm.moc"
