// SPDX-License-Identifier: GPL-3.0-or-later
// Operations and options counted by hand.
#include "tests/core/operations/modelled.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_models_other {

using namespace roofwalk;
using test::modelled;
using test::refusal;

namespace {

bool says(const std::vector<std::string>& sentences, std::string_view words) {
    for (const std::string& sentence : sentences)
        if (sentence.find(words) != std::string::npos) return true;
    return false;
}

}  // namespace

class TestOpModelsOther : public QObject {
    Q_OBJECT

  private slots:
    void amounts_data() {
        QTest::addColumn<double>("flops");
        QTest::addColumn<double>("read");
        QTest::addColumn<double>("written");
        const auto add = [](const char* text, double flops, double read, double written) {
            QTest::newRow(text) << flops << read << written;
        };
        add("gemm m=16 n=32 k=64 batch=3", 3 * 65536, 3 * (1024 + 2048) * 2, 3 * 512 * 2);
        add("gemm m=16 n=32 k=64 b=int4 c=fp32", 65536, 1024 * 2 + 2048 * 0.5, 512 * 4);
        add("gemm m=16 n=32 k=64 dtype=fp4", 65536, (1024 + 2048) * 0.5, 512 * 0.5);
        add("gemv m=100 n=200 dtype=fp32 beta=1", 40000, (20000 + 200 + 100) * 4, 400);
        add("prefill seq=4 kv_seq=10 head_dim=8 heads=4 kv_heads=2 batch=3", 4 * 8 * 4 * 10 * 12,
            (12 * 4 * 8 + 2 * 6 * 10 * 8) * 2, 12 * 4 * 8 * 2);
        add("prefill seq=4 kv_seq=10 head_dim=8 causal=yes", 4 * 8 * (7 + 8 + 9 + 10), (32 + 160) * 2, 64);
        add("decode context=100 head_dim=8 heads=4 kv_heads=2 batch=3 query_output=yes", 4 * 100 * 8 * 12,
            2 * 100 * 8 * 6 * 2 + 96 * 2, 96 * 2);
        add("decode context=100 head_dim=8 batch=3 shared_prefix=40", 4 * 100 * 8 * 3, 2 * 8 * (40 + 180) * 2,
            0);
        add("layernorm rows=10 cols=100", 5000, (1000 + 200) * 2, 2000);
        add("rmsnorm rows=10 cols=100 weight_dtype=fp32", 5000, 2000 + 400, 2000);
        add("softmax rows=10 cols=100 dtype=fp32 flops=8", 8000, 4000, 4000);
        add("softmax rows=10 cols=100 out_dtype=fp32", 5000, 2000, 4000);
        add("elementwise n=8192 broadcast=4096 dtype=fp16", 8192, 24576, 16384);
        add("reduction n=1000 outputs=10 indices=8 out_dtype=fp64", 990, 4000, 160);
        add("prefill seq=4 head_dim=8 v_dim=2", 2.0 * 16 * 10, (4 * 8 + 4 * 10) * 2, 4 * 2 * 2);
        // Eight triangles, one B for all of them, eight results.
        add("trsm m=128 n=64 batch=8 b_batch=1 dtype=fp32", 8388608, 264192 + 32768, 262144);
        add("rope tokens=10 heads=4 head_dim=64 table=yes", 3 * 2560, (2560 + 640) * 2, 5120);
        add("elementwise n=100 ops=3 inputs=2 outputs=2 flops=4", 1200, 800, 800);
        add("axpy n=100 dtype=fp64", 200, 1600, 800);
        add("copy n=100", 0, 400, 400);
        add("copy n=100 write_allocate=yes", 0, 800, 400);
        add("triad n=100 dtype=fp64", 200, 1600, 800);
        add("reduction n=1000 outputs=10", 990, 4000, 40);
        add("transpose rows=10 cols=20", 0, 800, 800);
        // out 56 x 56: an image, 64 filters of 64 x 3 x 3
        add("conv2d c=64 h=56 k=64 r=3 padding=1", 2.0 * 64 * 3136 * 576, (64 * 3136 + 64 * 576) * 2,
            64 * 3136 * 2);
        // depthwise
        add("conv2d c=64 h=56 k=64 r=3 padding=1 groups=64", 2.0 * 64 * 3136 * 9, (64 * 3136 + 64 * 9) * 2,
            64 * 3136 * 2);
        // a 1 x 1 kernel with stride 2 touches a quarter of the input
        add("conv2d n=2 c=64 h=56 k=128 r=1 stride=2", 2.0 * 2 * 128 * 784 * 64,
            (2 * 64 * 784 + 128 * 64) * 2, 2 * 128 * 784 * 2);
        // out = 4 at 0, 3, 6, 9 with two elements each: 0 1, 3 4, 6 7, 9 10 of 11
        add("conv2d c=1 h=11 k=1 r=2 stride=3", 2.0 * 16 * 4, (8 * 8 + 4) * 2, 16 * 2);
        // padding takes the first of them: -1 0, 2 3, 5 6, 8 9 of 10
        add("conv2d c=1 h=10 k=1 r=2 stride=3 padding=1", 2.0 * 16 * 4, (7 * 7 + 4) * 2, 16 * 2);
        // out = floor((10 - 2 * 2 - 1) / 1) + 1 = 6
        add("conv2d c=1 h=10 k=1 r=3 dilation=2", 2.0 * 36 * 9, (100 + 9) * 2, 36 * 2);
        // 10 - 3 + 1 = 8 rows of all 10; (10 + 2 - 3) / 2 + 1 = 5 columns, which touch all.
        add("conv2d c=1 h=10 k=1 r=3 stride_w=2 padding_w=1", 2.0 * 40 * 9, (100 + 9) * 2, 40 * 2);
        add("conv2d n=8 c=16 h=1 w=100 k=32 r=1 s=3 padding_w=1", 2.0 * 8 * 32 * 100 * 16 * 3,
            (8 * 16 * 100 + 32 * 16 * 3) * 2, 8 * 32 * 100 * 2);
        // (4 - 1) / 2 + 1 = 2 slices, 5 rows, 5 columns.
        add("conv3d c=1 d=4 h=5 k=1 t=1 r=1 stride=2 stride_h=1 stride_w=1", 2.0 * 50, (50 + 1) * 2, 50 * 2);
        add("conv3d c=2 d=4 h=8 w=6 k=3 t=3 r=3 s=1", 2.0 * 3 * 2 * 6 * 6 * 2 * 9, (2 * 192 + 3 * 2 * 9) * 2,
            3 * 72 * 2);
        // Gradients: 28 x 28 outputs of 128 filters, 28 x 28 of 56 x 56 inputs touched, all of them given one
        const double product = 2.0 * 2 * 128 * 784 * 64;
        add("conv2d n=2 c=64 h=56 k=128 r=1 stride=2 pass=data", product, (2 * 128 * 784 + 64 * 128) * 2,
            2 * 64 * 3136 * 2);
        add("conv2d n=2 c=64 h=56 k=128 r=1 stride=2 pass=weights", product, (2 * 64 + 2 * 128) * 784 * 2,
            64 * 128 * 2);
        // A transposed one from 28 to 56: its gradient, input and weights in, those of input and weights out.
        add("conv2d n=8 c=32 h=56 k=64 r=2 stride=2 pass=transposed_backward",
            2 * 2.0 * 8 * 64 * 784 * 32 * 4, (8 * 32 * 3136 + 8 * 64 * 784 + 64 * 32 * 4) * 2,
            (8 * 64 * 784 + 64 * 32 * 4) * 2);
        add("conv2d n=2 c=64 h=56 k=128 r=1 stride=2 pass=backward", 2 * product,
            ((2 * 64 + 2 * 128) * 784 + 64 * 128) * 2, (2 * 64 * 3136 + 64 * 128) * 2);
        add("elementwise n=100 dtype=int64", 100, 800, 800);
        add("stencil nx=10 ny=10 nz=10 points=7", 13000, 4000, 4000);
        add("stencil nx=100 ny=10 points=5 coefficients=equal coefficient_grids=2 dtype=fp64", 5000, 24000,
            8000);
        add("spmv rows=100 nnz=500 dtype=fp64", 1000, 500 * 12 + 101 * 4 + 800, 800);
        add("spmv rows=100 cols=1000 nnz=500 index=int64 beta=1", 1000, 500 * 12 + 101 * 8 + 2000 + 400, 400);
        add("fft n=1024 batch=10", 5.0 * 10 * 1024 * 10, 10 * 8192, 10 * 8192);
        add("fft n=1024 real=yes dtype=fp64", 2.5 * 1024 * 10, 8192, 2 * 513 * 8);
        add("custom flops=\"2*n*log2(n)\" read=\"4*n\" write=\"4*n\" n=1024", 20480, 4096, 4096);
        add("custom flops=0 bytes=100", 0, 100, 0);
    }
    void amounts() {
        const OperationModel model = modelled(QTest::currentDataTag());
        QTEST(model.total_work().value(), "flops");
        QTEST(model.read.value(), "read");
        QTEST(model.written.value(), "written");
    }
    void the_pipe_follows_the_types_or_the_user() {
        const auto pipe = [](std::string_view text) { return id_of(modelled(text).work.at(0).pipe); };
        QCOMPARE(pipe("gemm m=8 n=8 k=8"), std::string("tensor.fp16"));
        QCOMPARE(pipe("gemm m=8 n=8 k=8 b=int4"), std::string("tensor.fp16"));
        QCOMPARE(pipe("gemm m=8 n=8 k=8 dtype=int8"), std::string("tensor.int8"));
        QCOMPARE(pipe("gemm m=8 n=8 k=8 dtype=fp64"), std::string("fp64"));
        QCOMPARE(pipe("gemm m=8 n=8 k=8 dtype=fp64 pipe=tensor.fp64"), std::string("tensor.fp64"));
        QCOMPARE(pipe("gemv m=8 n=8"), std::string("fp32"));
        QCOMPARE(pipe("layernorm rows=8 cols=8"), std::string("fp32"));
        QCOMPARE(pipe("softmax rows=8 cols=8 pipe=fp16"), std::string("fp16"));
        QVERIFY(counts_integers(modelled("gemm m=8 n=8 k=8 dtype=int8")));
    }
    void softmax_of_attention_is_work_of_another_pipe() {
        const OperationModel model = modelled("prefill seq=64 head_dim=64 softmax_flops=5");
        QCOMPARE(model.work.size(), 2u);
        QCOMPARE(model.work[1].work.value(), 5 * 64 * 64.0);
        QCOMPARE(modelled("prefill seq=64 head_dim=64 softmax_flops=5 dtype=fp32").work.size(), 1u);
    }
    void conventions_are_said() {
        QVERIFY(
            says(modelled("layernorm rows=8 cols=8 flops=8").notes, "8 FLOP are counted for each element"));
        QVERIFY(says(modelled("axpy n=8 fma=1").notes, "An FMA counts as 1 FLOP"));
        QVERIFY(says(modelled("gemm m=8 n=8 k=8 b=int4").notes, "Scales"));
        QVERIFY(says(modelled("decode context=8 head_dim=8").notes, "a larger batch does not"));
        QVERIFY(says(modelled("decode context=8 head_dim=8").notes, "query_output=yes"));
        QVERIFY(says(modelled("fft n=8").notes, "radix-2"));
    }
    void dimensions_that_tensor_cores_must_pad_are_warned_of_S1_09() {
        QVERIFY(says(modelled("gemm m=7 n=4096 k=4096").warnings, "m=7 is no multiple of 8"));
        QVERIFY(modelled("gemm m=8 n=4096 k=4096").warnings.empty());
        QVERIFY(says(modelled("gemm m=8 n=4096 k=4096 dtype=int8").warnings, "multiple of 16"));
        QVERIFY(modelled("gemm m=7 n=7 k=7 dtype=fp32").warnings.empty());
        QVERIFY(says(modelled("conv2d c=3 h=224 k=64 r=7 padding=3").warnings, "k=147"));
    }
    void combinations_that_cannot_be_are_refused_data() {
        QTest::addColumn<QString>("words");
        const char* rows[][2] = {
            {"prefill seq=8 head_dim=8 heads=6 kv_heads=4", "6 heads cannot share 4 KV heads"},
            {"decode context=8 head_dim=8 heads=2 kv_heads=4", "2 heads cannot share 4 KV heads"},
            {"prefill seq=8 kv_seq=4 head_dim=8 causal=yes", "kv_seq=4 is less than seq=8"},
            {"decode context=8 head_dim=8 shared_prefix=9", "shared_prefix=9 is longer than context=8"},
            {"reduction n=5 outputs=6", "5 elements cannot reduce to 6"},
            {"conv2d c=3 h=4 k=8 r=7", "kernel_h=7 does not fit into height=4"},
            {"conv2d c=3 h=8 k=8 r=3 groups=2", "3 channels and 8 filters do not divide into 2 groups"},
            {"spmv rows=2 nnz=5", "5 non-zeros do not fit into 2 x 2"},
            {"custom flops=1 read=n-5 n=2", "The formula of read gives -3"},
            {"custom flops=1 read=0", "This operation moves no bytes"},
            {"custom flops=1/n read=4 n=0", "divides by zero (formula of flops, column 2)"},
            {"custom flops=m read=4 n=1", "uses 'm', which has no value"},
            {"custom flops=1e308 read=1e308 write=1e308", "out of range"}};
        for (const auto& [text, words] : rows)
            QTest::newRow(text) << QString(words);
    }
    void combinations_that_cannot_be_are_refused() {
        QFETCH(QString, words);
        const std::string said = refusal(QTest::currentDataTag());
        QVERIFY2(said.find(words.toStdString()) != std::string::npos, said.c_str());
    }
    void products_beyond_64_bits_stay_numbers() {
        const OperationModel gemm = modelled("gemm m=2^53 n=2^53 k=2^53");
        QCOMPARE(gemm.total_work().value(), 0x1p160);
        QCOMPARE(gemm.compulsory().value(), 3 * 0x1p107);
        const OperationModel many =
            modelled("conv3d n=2^53 c=2^53 d=2^53 h=2^53 k=2^53 t=2^53 r=2^53 padding=2^53");
        QVERIFY(std::isfinite(many.total_work().value()));
    }
};

}  // namespace tst_op_models_other

ROOFWALK_TEST(tst_op_models_other, TestOpModelsOther, NoApplication)
#include "tst_op_models_other.moc"
