// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cmath>

#include "core/operations/gemm.h"
#include "tests/support/folder_tests.h"

namespace tst_gemm {

using namespace roofwalk;

namespace {

constexpr Intensity v100(125e12 / 900e9);
constexpr Intensity a100(312e12 / 2039e9);
constexpr Intensity h100(990e12 / 3350e9);
constexpr Intensity h200(990e12 / 4800e9);

bool near(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance;
}

double batch(double k, double n, Intensity ridge) {
    return std::ceil(gemm_batch_to_ridge({.n = n, .k = k}, ridge).value());
}

}  // namespace

class TestGemm : public QObject {
    Q_OBJECT

  private slots:
    void a_square_gemm_has_a_third_of_its_side() {
        QVERIFY(near(gemm_intensity({.m = 4096, .n = 4096, .k = 4096}).value(), 1365.33, 0.005));
        GemmShape single{.m = 4096, .n = 4096, .k = 4096};
        single.a = single.b = single.c = DataType::fp32;
        QVERIFY(near(gemm_intensity(single).value(), 682.67, 0.005));
    }
    void every_operand_has_a_type_of_its_own() {
        const GemmShape shape{.m = 16,
                              .n = 32,
                              .k = 64,
                              .a = DataType::fp16,
                              .b = DataType::int4,
                              .c = DataType::fp32,
                              .reads_c = true};
        QCOMPARE(gemm_read(shape).value(), 16 * 64 * 2.0 + 64 * 32 * 0.5 + 16 * 32 * 4.0);
        QCOMPARE(gemm_written(shape).value(), 16 * 32 * 4.0);
    }
    void a_batch_multiplies_work_and_bytes() {
        const GemmShape one{.m = 16, .n = 32, .k = 64};
        GemmShape ten = one;
        ten.batch = 10;
        QCOMPARE(gemm_work(ten).value(), 10 * gemm_work(one).value());
        QCOMPARE(gemm_read(ten).value(), 10 * gemm_read(one).value());
        QCOMPARE(gemm_intensity(ten), gemm_intensity(one));
    }
    void the_batch_that_reaches_the_ridge_is_exact_data() {
        QTest::addColumn<double>("k");
        QTest::addColumn<double>("n");
        QTest::addColumn<double>("ridge");
        QTest::addColumn<double>("m");
        QTest::newRow("S0-22 V100") << 4096.0 << 11008.0 << v100.value() << 146.0;
        QTest::newRow("S0-22 A100") << 4096.0 << 11008.0 << a100.value() << 162.0;
        QTest::newRow("S0-22 H100") << 4096.0 << 11008.0 << h100.value() << 328.0;
        QTest::newRow("S0-22 H200") << 4096.0 << 11008.0 << h200.value() << 222.0;
        QTest::newRow("S0-22 H100, square; S2-05") << 4096.0 << 4096.0 << h100.value() << 346.0;
    }
    void the_batch_that_reaches_the_ridge_is_exact() {
        QFETCH(double, k);
        QFETCH(double, n);
        QFETCH(double, ridge);
        QTEST(batch(k, n, Intensity(ridge)), "m");
    }
    void the_exact_batch_stands_on_the_ridge_with_any_types() {
        GemmShape shape{.n = 11008, .k = 4096};
        for (const bool reads_c : {false, true})
            for (const DataType weights : {DataType::fp16, DataType::int4}) {
                shape.reads_c = reads_c;
                shape.b = weights;
                shape.m = gemm_batch_to_ridge(shape, a100).value();
                QVERIFY(near(gemm_intensity(shape).value(), a100.value(), 1e-4));
            }
    }
    void a_thin_gemm_never_reaches_the_ridge() { QVERIFY(!gemm_batch_to_ridge({.n = 64, .k = 64}, h100)); }
    void unaligned_dimensions_are_named() {
        QVERIFY(unaligned_dimensions({.m = 64, .n = 4096, .k = 4096}).empty());
        const auto warnings = unaligned_dimensions({.m = 7, .n = 4096, .k = 4100});
        QCOMPARE(warnings.size(), 2u);
        QVERIFY2(warnings[0].starts_with("m=7 is no multiple of 8 (16 bytes of fp16)"), warnings[0].c_str());
        QVERIFY2(warnings[1].starts_with("k=4100"), warnings[1].c_str());
    }
    void narrow_types_need_longer_multiples() {
        QCOMPARE(tensor_alignment(DataType::fp16), 8.0);
        QCOMPARE(tensor_alignment(DataType::int8), 16.0);
        QCOMPARE(tensor_alignment(DataType::fp4), 32.0);
        QCOMPARE(tensor_alignment(DataType::tf32), 4.0);
    }
};

}  // namespace tst_gemm

ROOFWALK_TEST(tst_gemm, TestGemm, NoApplication)
#include "tst_gemm.moc"
