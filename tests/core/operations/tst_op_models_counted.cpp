// SPDX-License-Identifier: GPL-3.0-or-later
// Formulas against counting: the loops of the algorithm are walked, and every step and byte is counted.
#include <fmt/format.h>

#include <set>
#include <vector>

#include "tests/core/operations/modelled.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_op_models_counted {

using namespace roofwalk;
using test::modelled;
using test::refusal;

namespace {

double work_of(const std::string& text) {
    return modelled(text).total_work().value();
}

struct Amounts {
    double work;
    double read;
    double written;
};

bool is(const std::string& text, const Amounts& amounts) {
    const OperationModel model = modelled(text);
    const Amounts found{model.total_work().value(), model.read.value(), model.written.value()};
    if (found.work == amounts.work && found.read == amounts.read && found.written == amounts.written)
        return true;
    qWarning("%s: work %g for %g, read %g for %g, written %g for %g", text.c_str(), found.work, amounts.work,
             found.read, amounts.read, found.written, amounts.written);
    return false;
}

constexpr int no_window = 1 << 20;

/// Pairs of a query and a key that it sees; queries are the last of the keys, or with `top_left` the first.
double pairs(int seq, int kv_seq, bool causal, int window = no_window, bool top_left = false) {
    double count = 0;
    for (int query = 0; query < seq; ++query)
        for (int key = 0; key < kv_seq; ++key) {
            const int place = (top_left ? 0 : kv_seq - seq) + query;
            if (!causal || (key <= place && key > place - window)) ++count;
        }
    return count;
}

}  // namespace

class TestOpModelsCounted : public QObject {
    Q_OBJECT

  private slots:
    void causal_and_windowed_attention_count_the_keys_that_are_seen() {
        for (const auto& [seq, kv_seq] : {std::pair(5, 5), std::pair(5, 9), std::pair(1, 7)}) {
            const std::string text = "attention_prefill head_dim=8 seq=" + std::to_string(seq) +
                                     " kv_seq=" + std::to_string(kv_seq) + " causal=yes";
            QCOMPARE(work_of(text), 4 * 8 * pairs(seq, kv_seq, true));
            for (int window = 1; window < 12; ++window)
                QCOMPARE(work_of(text + " window=" + std::to_string(window)),
                         4 * 8 * pairs(seq, kv_seq, true, window));
        }
        // Of 100 keys the last query and the 3 before it see those of two windows that overlap: 7.
        QCOMPARE(modelled("attention_prefill head_dim=8 seq=4 kv_seq=100 causal=yes window=4").read.value(),
                 2.0 * (4 * 8 + 2 * 7 * 8));
        QVERIFY(!refusal("attention_prefill head_dim=8 seq=4 window=4").empty());
        // A mask of a byte for each score of one head is read beside Q, K and V.
        QCOMPARE(modelled("attention_prefill head_dim=8 seq=4 heads=3 mask=16 mask_dtype=int8").read.value(),
                 2.0 * 3 * 3 * 4 * 8 + 16);
        QCOMPARE(modelled("attention_decode context=9 head_dim=8 mask=9").read.value(),
                 2.0 * (2 * 9 * 8 + 9));
    }
    void a_causal_mask_from_the_top_left_shows_the_first_query_one_key() {
        const auto text = [](std::string_view operation, int seq, int kv_seq) {
            return fmt::format("{} head_dim=8 seq={} kv_seq={} causal=yes diagonal=top_left", operation, seq,
                               kv_seq);
        };
        for (const auto& lengths : {std::pair(5, 8), std::pair(8, 5), std::pair(1, 7), std::pair(6, 6)}) {
            const int seq = lengths.first;
            const int kv_seq = lengths.second;
            const double seen = pairs(seq, kv_seq, true, no_window, true);
            QCOMPARE(work_of(text("attention_prefill", seq, kv_seq)), 4 * 8 * seen);
            QCOMPARE(work_of(text("attention_backward", seq, kv_seq)), 10 * 8 * seen);
            for (int window = 1; window < 10; ++window) {
                const double within = pairs(seq, kv_seq, true, window, true);
                const auto windowed = [&](std::string_view operation) {
                    return fmt::format("{} window={}", text(operation, seq, kv_seq), window);
                };
                QCOMPARE(work_of(windowed("attention_prefill")), 4 * 8 * within);
                QCOMPARE(work_of(windowed("attention_backward")), 10 * 8 * within);
            }
        }
        // Three of eight keys are seen by nobody: they are not read, and their gradients are zeros.
        QVERIFY(is(text("attention_prefill", 5, 8), {4 * 8 * 15.0, 2.0 * (5 * 8 + 2 * 5 * 8), 2.0 * 5 * 8}));
        QVERIFY(is(text("attention_backward", 5, 8),
                   {10 * 8 * 15.0, 2.0 * 8 * (3 * 5 + 2 * 5), 2.0 * 8 * (5 + 2 * 8)}));
    }
    void going_back_masks_and_bags_move_what_they_take() {
        // Q, K, V, the result and both of its gradients, or 3 of Q, K, V; a mask of bytes, and its gradient.
        QVERIFY(is("attention_backward head_dim=8 seq=4 mask=16 mask_gradient=16 mask_dtype=int8",
                   {10 * 8 * 16.0, 2.0 * 8 * 5 * 4 + 16, 2.0 * 8 * 3 * 4 + 16}));
        // Of 100 keys the last query and the 3 before it see 7.
        QCOMPARE(modelled("attention_backward head_dim=8 seq=4 kv_seq=100 causal=yes window=4").read.value(),
                 2.0 * 8 * (3 * 4 + 2 * 7));
        QVERIFY(!refusal("attention_backward head_dim=8 seq=4 window=4").empty());
        // 2 gradients of sums of 5 rows, by token a number of 8 bytes for its row, one for its sum, a weight.
        QVERIFY(is("embedding_backward tokens=5 dim=3 vocab=10 bags=2 dtype=fp32",
                   {15.0, 4.0 * 2 * 3 + 5 * 16, 4.0 * 10 * 3}));
        QVERIFY(is("embedding_backward tokens=5 dim=3 vocab=10 bags=2 weighted=yes dtype=fp32",
                   {30.0, 4.0 * (2 * 3 + 5) + 5 * 16, 4.0 * 10 * 3}));
    }
    void what_a_convolution_adds_is_read() {
        QVERIFY(is("conv2d c=2 h=4 k=3 r=1 beta=1", {2.0 * 16 * 2 * 3, 2.0 * (32 + 6 + 48), 2.0 * 48}));
        QVERIFY(!refusal("conv2d c=2 h=4 k=3 r=1 beta=1 pass=data").empty());
    }
    void a_convolution_reads_the_places_that_its_kernel_touches() {
        int shapes = 0;
        for (const int height : {5, 9, 11})
            for (const int kernel : {1, 2, 3})
                for (const int stride : {1, 2, 3, 4})
                    for (const int padding : {0, 1})
                        for (const int dilation : {1, 2, 3}) {
                            const int span = (kernel - 1) * dilation + 1;
                            if (span > height + 2 * padding) continue;
                            std::set<int> places;
                            for (int at = -padding; at + span <= height + padding; at += stride)
                                for (int tap = 0; tap < kernel; ++tap)
                                    if (const int place = at + tap * dilation; place >= 0 && place < height)
                                        places.insert(place);
                            if (places.empty()) continue;
                            const auto side = static_cast<double>(places.size());
                            const std::string text =
                                fmt::format("conv2d c=1 h={} k=1 r={} stride={} padding={} dilation={}",
                                            height, kernel, stride, padding, dilation);
                            QCOMPARE(modelled(text).read.value(), 2 * (side * side + kernel * kernel));
                            ++shapes;
                        }
        QCOMPARE(shapes, 212);
    }
    void sequences_of_different_lengths_are_summed() {
        double all = 0;
        double causal = 0;
        for (const int length : {3, 5, 8}) {
            all += pairs(length, length, false);
            causal += pairs(length, length, true);
        }
        const std::string text = "attention_varlen tokens=16 squares=98 head_dim=8 heads=4 kv_heads=2";
        QVERIFY(is(text, {4 * 8 * 4 * all, 2.0 * 16 * 8 * (4 + 2 + 2), 2.0 * 16 * 8 * 4}));
        QCOMPARE(work_of(text + " causal=yes"), 4 * 8 * 4 * causal);
        QVERIFY(!refusal("attention_varlen tokens=16 squares=300 head_dim=8").empty());
    }
    void latent_attention_reads_one_vector_a_token() {
        double work = 0;
        for (int head = 0; head < 3; ++head)
            for (int token = 0; token < 10; ++token)
                work += 2 * (16 + 4)  // score
                        + 2 * 16;     // output
        QVERIFY(is("mla context=10 heads=3 latent=16 rope=4 batch=2",
                   {2 * work, 2.0 * 2 * (10 * 20 + 3 * 20), 2.0 * 2 * 3 * 16}));
    }
    void backward_passes_are_their_products() {
        QVERIFY(is("gemm_backward m=2 n=3 k=5",
                   {2.0 * (2 * 5 * 3) + 2.0 * (5 * 3 * 2), 2.0 * (10 + 15 + 6), 2.0 * (10 + 15)}));
        // S = Q K^T, dP = dO V^T, dV = P^T dO, dQ = dS K, dK = dS^T Q
        QVERIFY(is("attention_backward seq=4 kv_seq=6 head_dim=8 heads=2 kv_heads=1",
                   {5 * 2.0 * 2 * pairs(4, 6, false) * 8, 2.0 * 8 * (3 * 2 * 4 + 2 * 6),
                    2.0 * 8 * (2 * 4 + 2 * 6)}));
        QCOMPARE(work_of("attention_backward seq=4 head_dim=8 causal=yes"), 10 * 8 * pairs(4, 4, true));
        // Of heads of V of 3: those of P and V, and Q K^T with its two gradients. Q, K, V, O and dO in.
        QVERIFY(is("attention_backward seq=4 kv_seq=6 head_dim=8 v_dim=3",
                   {2.0 * pairs(4, 6, false) * (3 * 8 + 2 * 3), 2.0 * (4 * (8 + 2 * 3) + 6 * (8 + 3)),
                    2.0 * (4 * 8 + 6 * (8 + 3))}));
        QVERIFY(is("norm_backward rows=4 cols=10", {13 * 40.0, 2.0 * (80 + 10), 2.0 * (40 + 20)}));
        QVERIFY(is("norm_backward rows=4 cols=10 weights=0", {13 * 40.0, 160, 80}));
    }
    void experts_that_have_tokens_read_their_weights() {
        QVERIFY(is("grouped_gemm tokens=4 experts=8 top_k=2 n=10 k=20",
                   {2.0 * 8 * 10 * 20, 2.0 * (4 * 20 + 8 * 200), 2.0 * 8 * 10}));
        QVERIFY(is("grouped_gemm tokens=1 experts=8 top_k=2 n=10 k=20",
                   {2.0 * 2 * 10 * 20, 2.0 * (20 + 2 * 200), 2.0 * 2 * 10}));
        QVERIFY(is("grouped_gemm tokens=64 experts=8 n=32 k=32 dtype=nvfp4 c=bf16",
                   {2.0 * 64 * 32 * 32, (64 + 8 * 32) * (32 / 2 + 32 / 16), 2.0 * 64 * 32}));
        QCOMPARE(
            modelled("moe tokens=4 experts=8 top_k=2 active=3 n=10 k=20 weight_dtype=int4").shared.value(),
            3 * 100.0);
        QVERIFY(!refusal("moe tokens=4 experts=2 top_k=3 n=10 k=20").empty());
        QVERIFY(!refusal("moe tokens=1 experts=8 top_k=2 active=3 n=10 k=20").empty());
    }
    void a_feed_forward_block_keeps_what_is_between_its_products() {
        const OperationModel gated = modelled("fused_mlp tokens=4 hidden=10 inner=30 fused=no");
        QCOMPARE(gated.total_work().value(), 2.0 * 4 * 10 * 30 * 3);
        QCOMPARE(gated.compulsory().value(), 2.0 * (40 + 3 * 300 + 40));
        QCOMPARE(gated.intermediates.value(), 2.0 * 2 * 3 * 120);
        QVERIFY(is("mlp tokens=4 hidden=10 inner=30 gated=no", {2.0 * 1200 * 2, 2.0 * (40 + 600), 80}));
    }
    void tokens_are_looked_up_and_drawn() {
        QVERIFY(is("embedding tokens=5 dim=8 vocab=3", {0, 3 * 8 * 2 + 5 * 8, 5 * 8 * 2}));
        // 3 sums of 5 rows: 2 of them are added to others; weighted each is multiplied before.
        QVERIFY(is("embedding tokens=5 dim=8 bags=3", {2 * 8, 5 * 8 * 2 + 8 * 8, 3 * 8 * 2}));
        QVERIFY(is("embedding tokens=5 dim=8 bags=3 weighted=yes",
                   {2 * 8 + 5 * 8, (5 * 8 + 5) * 2 + 8 * 8, 3 * 8 * 2}));
        QVERIFY(is("embedding tokens=5 dim=8 bags=7", {0, 5 * 8 * 2 + 12 * 8, 7 * 8 * 2}));
        QVERIFY(is("embedding tokens=5 dim=8 index=int32", {0, 5 * 8 * 2 + 5 * 4, 5 * 8 * 2}));
        QVERIFY(is("embedding_backward tokens=5 dim=8 vocab=30", {5 * 8, 5 * 8 * 2 + 5 * 8, 30 * 8 * 2}));
        QVERIFY(is("embedding_backward tokens=5 dim=8", {5 * 8, 5 * 8 * 2 + 5 * 8, 5 * 8 * 2}));
        QVERIFY(is("gather n=10 indices=2", {0, 40 + 160, 40}));
        QVERIFY(is("sampling batch=2 vocab=100", {1000, 800, 16}));
        QVERIFY(is("batchnorm channels=4 positions=10", {200, 80 + 16, 80}));
    }
    void scans_sorts_and_histograms_pass_once() {
        QVERIFY(is("scan n=10 rows=2", {8, 40, 40}));
        QVERIFY(is("sort n=10 payload=4 dtype=int32", {0, 80, 80}));
        QVERIFY(is("sort n=10 indices=8 dtype=int32", {0, 40, 120}));
        QCOMPARE(modelled("sort n=10 dtype=int32 passes=4").intermediates.value(), 2.0 * 3 * 40);
        QVERIFY(is("histogram n=10 bins=4", {10, 40, 16}));
        QVERIFY(counts_integers(modelled("histogram n=10 dtype=fp32")));
    }
    void factorisations_are_their_loops_data() {
        QTest::addColumn<int>("n");
        for (const int n : {1, 2, 5, 12})
            QTest::addRow("%d", n) << n;
    }
    void factorisations_are_their_loops() {
        QFETCH(int, n);
        double cholesky = 0;
        double lu = 0;
        for (int step = 0; step < n; ++step) {
            cholesky += 1;  // the root
            for (int row = step + 1; row < n; ++row) {
                cholesky += 1;  // the quotient
                lu += 1;
                for (int column = step + 1; column < n; ++column)
                    lu += 2;
                for (int column = step + 1; column <= row; ++column)
                    cholesky += 2;
            }
        }
        const std::string size = " n=" + std::to_string(n);
        QVERIFY(qFuzzyCompare(1 + work_of("cholesky" + size), 1 + cholesky));
        QVERIFY(qFuzzyCompare(1 + work_of("lu" + size), 1 + lu));
        QCOMPARE(modelled("cholesky" + size).read.value(), 8.0 * n * (n + 1) / 2);
        QCOMPARE(modelled("lu" + size).compulsory().value(), 16.0 * n * n);
        double solve = 0;
        for (int row = 0; row < n; ++row)
            solve += 2 * row + 1;  // the products with what is solved, and the quotient
        QVERIFY(is("trsm m=" + std::to_string(n) + " n=3",
                   {3 * solve, 8.0 * (n * (n + 1) / 2 + 3 * n), 8.0 * 3 * n}));
        double product = 0;
        for (int row = 0; row < n; ++row)
            for (int column = 0; column <= row; ++column)
                product += 2 * 7;
        QVERIFY(
            is("syrk k=7 beta=1" + size, {product, 8.0 * (n * 7 + n * (n + 1) / 2), 8.0 * n * (n + 1) / 2}));
    }
    void sparse_products_bodies_and_lattices() {
        QVERIFY(is("spmm rows=4 cols=6 nnz=8 n=3", {2.0 * 8 * 3, 8 * 8 + 5 * 4 + 6 * 3 * 4, 4 * 3 * 4}));
        QCOMPARE(work_of("spmm rows=4 cols=6 nnz=8 n=1"), work_of("spmv rows=4 cols=6 nnz=8"));
        QVERIFY(is("nbody n=10", {20 * 100, 160, 120}));
        QVERIFY(is("lbm cells=10 directions=9 flops=100", {1000, 360, 360}));
        QVERIFY(!refusal("lbm cells=10").empty());
    }
    void block_scaled_types_count_their_scales() {
        QCOMPARE(bytes_of(DataType::mxfp4), 0.5 + 1.0 / 32);
        QCOMPARE(packed_bytes(64, DataType::mxfp8), 66.0);
        QCOMPARE(packed_bytes(33, DataType::mxfp8), 35.0);
        QCOMPARE(packed_bytes(64, DataType::nvfp4), 32.0 + 4);
        QCOMPARE(packed_bytes(64, DataType::mxfp4), 32.0 + 2);
        QVERIFY(is("gemm m=32 n=64 k=96 dtype=nvfp4 c=bf16",
                   {2.0 * 32 * 64 * 96, (32 + 64) * 96 / 2.0 + (32 + 64) * 96 / 16.0, 32 * 64 * 2}));
        QCOMPARE(id_of(modelled("gemm m=32 n=32 k=32 dtype=mxfp4").work.front().pipe),
                 std::string("tensor.fp4"));
        QVERIFY(modelled("gemm m=32 n=32 k=32 dtype=mxfp4").warnings.empty());
    }
    void complex_products_are_four_real_ones() {
        QVERIFY(is("gemm m=2 n=3 k=5 dtype=complex64", {8.0 * 30, 8.0 * (10 + 15), 8.0 * 6}));
        QCOMPARE(work_of("gemv m=2 n=3 dtype=complex128"), 8.0 * 6);
        QCOMPARE(work_of("axpy n=10 dtype=complex64"), 80.0);
        QCOMPARE(work_of("cholesky n=4 dtype=complex128"), 4 * work_of("cholesky n=4"));
        QCOMPARE(id_of(modelled("gemm m=2 n=3 k=5 dtype=complex128").work.front().pipe), std::string("fp64"));
        QVERIFY(!refusal("fft n=8 dtype=complex64").empty());
    }
};

}  // namespace tst_op_models_counted

ROOFWALK_TEST(tst_op_models_counted, TestOpModelsCounted, NoApplication)
#include "tst_op_models_counted.moc"
