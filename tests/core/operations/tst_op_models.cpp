// SPDX-License-Identifier: GPL-3.0-or-later
// Figures that others have published for operations of language models and of textbooks, computed again. The
// names of the rows are those of the list of what must be true.
#include "tests/core/operations/modelled.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_models {

using namespace roofwalk;
using test::modelled;
using test::near;

namespace {

/// `digits` is half a unit of the last digit that is published.
struct IntensityRow {
    const char* name;
    const char* text;
    double intensity;
    double digits;
};

constexpr IntensityRow intensities[] = {
    {"S0-11 FP16", "attention_decode context=4096 head_dim=128", 1, 0},
    {"S0-11 INT8", "attention_decode context=4096 head_dim=128 kv_dtype=int8", 2, 0},
    {"S0-12 a batch does not raise it", "decode context=4096 head_dim=128 heads=32 batch=32", 1, 0},
    {"S0-12 grouping by 4 does", "decode context=4096 head_dim=128 heads=32 kv_heads=8 batch=32", 4, 0},
    {"S0-12 a shared prefix does", "decode context=4096 head_dim=128 batch=32 shared_prefix=4096", 32, 0},
    {"S0-13 N=2048", "attention_prefill seq=2048 head_dim=128", 1024, 0},
    {"S0-13 N=128", "attention_prefill seq=128 head_dim=128", 64, 0},
    {"S0-13 causal", "attention_prefill seq=2048 head_dim=128 causal=yes", 512.25, 0},
    {"S0-15", "gemm m=256 k=4096 n=11008", 235.78, 0.005},
    {"S0-17 LayerNorm 5N", "layernorm rows=4096 cols=4096 weights=0", 1.25, 0},
    {"S0-17 softmax 5N", "softmax rows=4096 cols=4096", 1.25, 0},
    {"S0-18 decode B=1", "gemv m=4096 n=4096", 1, 0.001},
    {"S0-18 prefill 2048 is 1024, not 500-1000", "prefill seq=2048 head_dim=64", 1024, 0},
    {"S0-18 prefill 128", "prefill seq=128 head_dim=64", 64, 0},
    {"S0-18 FFN B=256", "gemm m=256 k=4096 n=11008", 235.78, 0.005},
    {"S0-18 RoPE", "rope tokens=2048 heads=32 head_dim=128 flops=8", 2, 0},
    {"S0-18 FFN B=1", "gemm m=1 k=4096 n=11008", 1, 0.001},
    {"S0-19 RMSNorm", "rmsnorm rows=4096 cols=4096 weights=0", 1.25, 0},
    {"S0-20", "gemm m=4096 n=4096 k=4096", 1365.33, 0.005},
    {"S0-21", "gemm m=1 n=4096 k=4096", 0.9995, 0.00005},
    {"S0-21 M=B", "gemm m=64 n=4096 k=4096", 62.06, 0.005},
    {"S1-03 element-wise, FP32", "elementwise n=1e6 ops=2", 0.25, 0},
    {"S1-03 GEMM b=5 is where 5 begins", "gemm m=5 n=4096 k=4096", 4.99, 0.005},
    {"S1-03 GEMM b=30 is where 30 ends", "gemm m=30 n=4096 k=4096", 29.57, 0.005},
    {"S1-03 fused attention of 100", "prefill seq=100 head_dim=64", 50, 0},
    {"S0-18, S2-16 RoPE without sines", "rope tokens=2048 heads=32 head_dim=128", 0.75, 0},
    {"S2-16 GEMV of 32 rows", "gemm m=32 n=4096 k=4096", 31.51, 0.005},
    {"S2-16 LayerNorm", "layernorm rows=4096 cols=4096", 1.25, 0.0005},
    {"S2-16 fused attention of 100 to 400", "prefill seq=400 head_dim=64", 200, 0},
    {"S0-23", "gemm m=64 k=4096 n=11008", 62.66, 0.005},
    {"S0-43 INT4 weights", "gemm m=1 n=4096 k=4096 b=int4", 4, 0.01},
    {"S0-43 SiLU and product", "elementwise n=11008 ops=3 inputs=2 dtype=fp16", 0.5, 0},
    {"S0-43 B=32", "gemm m=32 n=4096 k=4096", 31.5, 0.05},
    {"S0-43 B=256", "gemm m=256 n=4096 k=4096", 227.6, 0.05},
    {"S2-04 prefill 512", "gemm m=512 n=4096 k=4096", 409.6, 0},
    {"S2-06 LayerNorm 8N, weights per row",
     "layernorm rows=64 cols=4096 flops=8 weights=1 weights_per_row=yes", 4.0 / 3, 1e-12},
    {"S2-06 LayerNorm 8N, large batch", "layernorm rows=4096 cols=4096 flops=8", 2, 0.001},
    {"S2-07 M=8", "gemm m=8 n=4096 k=4096", 7.97, 0.005},
    {"S2-07 M=32", "gemm m=32 n=4096 k=4096", 31.51, 0.005},
    {"S2-07 RoPE", "rope tokens=2048 heads=32 head_dim=128 flops=10", 2.5, 0},
    {"S3-14 M=300", "gemm m=300 n=300 k=300", 100, 0},
    {"S4-03 line", "axpy n=16", 1.0 / 6, 1e-12},
    {"S4-03 write-allocate", "saxpy n=16 write_allocate=yes", 0.125, 0},
    {"S4-03 FMA as one, no store", "axpy n=16 fma=1 store=no", 0.125, 0},
    {"S4-05 N=1024", "gemm m=1024 n=1024 k=1024", 341.3, 0.05},
    {"S4-05 N=128", "gemm m=128 n=128 k=128", 42.7, 0.05},
    {"S4-06 tile of 16", "custom flops=2*b^3 read=2*4*b^2 b=16", 4, 0},
    {"S4-06 tile of 32", "custom flops=2*b^3 read=2*4*b^2 b=32", 8, 0},
    {"S4-07 decode", "decode context=4096 head_dim=128", 1, 0},
    {"S4-07 fused", "prefill seq=4096 head_dim=128", 2048, 0},
    {"S4-E3 T=1000 d=64", "decode context=1000 head_dim=64", 1, 0},
    {"S4-E3 T=8192 d=256", "decode context=8192 head_dim=256", 1, 0}};

constexpr IntensityRow variants[] = {
    {"S2-06 s=128", "prefill seq=128 head_dim=128 fused=no score_passes=2", 42.7, 0.05},
    {"S2-06 s=512", "prefill seq=512 head_dim=128 fused=no score_passes=2", 85.3, 0.05},
    {"S2-06 s=2048", "prefill seq=2048 head_dim=128 fused=no score_passes=2", 113.8, 0.05},
    {"S2-06 s=8192", "prefill seq=8192 head_dim=128 fused=no score_passes=2", 124.1, 0.05},
    {"S4-07 scores once", "prefill seq=4096 head_dim=128 fused=no score_passes=2", 120.5, 0.05},
    {"S4-07 scores written and read", "prefill seq=4096 head_dim=128 fused=no", 62.1, 0.05},
    {"S4-04 three kernels", "elementwise n=1e6 ops=3 inputs=2 fused=no", 3.0 / 28, 1e-12},
    {"S4-04 one kernel", "elementwise n=1e6 ops=3 inputs=2", 3.0 / 12, 1e-12}};

void add_rows(std::span<const IntensityRow> rows) {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("intensity");
    QTest::addColumn<double>("digits");
    for (const IntensityRow& row : rows)
        QTest::newRow(row.name) << QString(row.text) << row.intensity << row.digits;
}

}  // namespace

class TestOpModels : public QObject {
    Q_OBJECT

  private slots:
    void intensity_data() { add_rows(intensities); }
    void intensity() {
        QFETCH(QString, text);
        QFETCH(double, intensity);
        QFETCH(double, digits);
        const double found = modelled(text.toStdString()).intensity().value();
        QVERIFY2(near(found, intensity, digits), qPrintable(QString::number(found, 'g', 12)));
    }
    void intensity_of_the_unfused_variant_data() { add_rows(variants); }
    void intensity_of_the_unfused_variant() {
        QFETCH(QString, text);
        QFETCH(double, intensity);
        QFETCH(double, digits);
        const double found = modelled(text.toStdString()).variant_intensity().value();
        QVERIFY2(near(found, intensity, digits), qPrintable(QString::number(found, 'g', 12)));
    }
    void amounts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("flops");
        QTest::addColumn<double>("bytes");
        const auto add = [](const char* name, const char* text, double flops, double bytes) {
            QTest::newRow(name) << QString(text) << flops << bytes;
        };
        add("S0-11", "decode context=4096 head_dim=128", 2097152, 2097152);
        add("S0-13", "prefill seq=2048 head_dim=128", 2147483648, 2097152);
        add("S0-14", "gemm m=2 n=3 k=4 dtype=fp32", 48, 104);
        add("S0-14 beta", "gemm m=2 n=3 k=4 dtype=fp32 beta=1", 48, 128);
        add("S0-15", "gemm m=256 k=4096 n=11008", 23085449216, 97910784);
        add("S0-23", "gemm m=64 k=4096 n=11008", 5771362304, 92110848);
        add("S2-04 decode", "gemm m=1 n=4096 k=4096", 33554432, 33570816);
        add("S2-04 prefill", "gemm m=512 n=4096 k=4096", 17179869184, 41943040);
        add("S2-06 attention of 4 heads, 2 sequences", "prefill seq=128 head_dim=64 heads=4 batch=2",
            4.0 * 2 * 4 * 128 * 128 * 64, 4.0 * 2 * 4 * 128 * 64 * 2);
        add("S4-03 SAXPY 1e8", "axpy n=1e8", 2e8, 1.2e9);
        add("S4-03 line", "axpy n=16", 32, 192);
        add("S4-03 line, write-allocate", "axpy n=16 write_allocate=yes", 32, 256);
        add("S4-06 tile", "custom flops=2*b^3 read=2*4*b^2 b=16", 8192, 2048);
        add("S4-07 decode", "decode context=4096 head_dim=128", 2097152, 2097152);
        add("S4-07 prefill", "prefill seq=4096 head_dim=128", 8589934592, 4194304);
    }
    void amounts() {
        QFETCH(QString, text);
        const OperationModel model = modelled(text.toStdString());
        QTEST(model.total_work().value(), "flops");
        QTEST(model.compulsory().value(), "bytes");
    }
    void the_unfused_variant_moves_its_intermediates_besides_S2_06_S4_04_S4_07() {
        const OperationModel scores = modelled("prefill seq=4096 head_dim=128 fused=no score_passes=2");
        QCOMPARE(scores.intermediates.value(), 67108864.0);
        QCOMPARE(scores.compulsory().value(), 4194304.0);
        // bh (3sd + 2s^2 + sd) * bytes of an element
        const OperationModel heads =
            modelled("prefill seq=128 head_dim=64 heads=4 batch=3 fused=no score_passes=2");
        QCOMPARE(heads.bytes_moved().value(), 12 * (4 * 128 * 64 + 2 * 128 * 128) * 2.0);
        QCOMPARE(modelled("elementwise n=1 ops=3 inputs=2 fused=no").bytes_moved().value(), 28.0);
        QCOMPARE(modelled("elementwise n=1 ops=3 inputs=2").bytes_moved().value(), 12.0);
        QCOMPARE(modelled("elementwise n=1 ops=2 fused=no").intermediates.value(), 8.0);
        QVERIFY(modelled("elementwise n=1 ops=1 fused=no").intermediates_of.empty());
    }
    void fused_against_unfused_is_a_horizontal_gap_of_17_to_33_S4_07() {
        const auto gap = [](std::string_view text) {
            const OperationModel model = modelled(text);
            return model.bytes_moved() / model.compulsory();
        };
        QVERIFY(near(gap("prefill seq=4096 head_dim=128 fused=no score_passes=2"), 17, 0.05));
        QVERIFY(near(gap("prefill seq=4096 head_dim=128 fused=no"), 33, 0.05));
    }
};

}  // namespace tst_op_models

ROOFWALK_TEST(tst_op_models, TestOpModels, NoApplication)
#include "tst_op_models.moc"
