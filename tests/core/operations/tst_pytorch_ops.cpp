// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges in the form that PyTorch writes, bound to the launches within them.
#include <QTest>
#include <algorithm>

#include "core/model/profile_builder.h"
#include "core/operations/op_binding.h"
#include "core/operations/op_model.h"
#include "core/operations/op_parser.h"
#include "core/operations/pytorch/pytorch_call.h"
#include "core/operations/pytorch/pytorch_executions.h"
#include "core/operations/pytorch/pytorch_operation.h"
#include "core/report/advice_report.h"
#include "core/report/kernel_page.h"
#include "core/roofline/analysis.h"
#include "core/roofline/verdict.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_pytorch_ops {

using namespace roofwalk;

namespace {

struct Made {
    std::string kernel;
    NvtxStack ranges;
    std::vector<WorkSample> work = {};
    double bytes = 0;
    std::uint32_t range_call = 0;
};

Profile profile_of(const std::vector<Made>& list) {
    ProfileBuilder builder;
    builder.profile().sources.emplace_back();
    builder.profile().devices.emplace_back();
    for (const Made& made : list) {
        Launch& launch = builder.profile().launches.emplace_back();
        launch.kernel = builder.kernel({made.kernel}, [&] { return Kernel{made.kernel, {}, {}}; });
        launch.nvtx = builder.nvtx(made.ranges);
        launch.range_call = made.range_call;
        launch.duration = Seconds(1e-5);
        launch.work = made.work;
        if (made.bytes > 0) launch.traffic.emplace_back().total = Bytes(made.bytes);
    }
    return builder.take();
}

/// What a range alone is read as; empty where it is nothing.
std::string read(const std::string& text) {
    const auto op = read_pytorch_call(text);
    const auto operation = op ? operation_of(*op) : std::nullopt;
    return operation ? operation->text : std::string();
}

std::string text_of(const LaunchOperations& operations, std::uint32_t launch) {
    const auto operation = operations.of(static_cast<LaunchIndex>(launch));
    return operation ? operation->text : "none";
}

Analysis by(GroupBy group_by, const Profile& profile) {
    AnalysisOptions options;
    options.group_by = group_by;
    options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile, {}));
    return analyse(profile, options);
}

const std::string sdpa =
    "aten::scaled_dot_product_attention, seq = 3, op_id = 10, sizes = [[2, 8, 128, 64], [2, 8, 128, 64], "
    "[2, 8, 128, 64], [], [], [], []]";

/// Two products and a softmax, which one attention calls.
Profile unfused_attention() {
    return profile_of(
        {{"qk", {sdpa, "aten::bmm, op_id = 11, sizes = [[16, 128, 64], [16, 64, 128]]"}, {}, 3e6},
         {"softmax", {sdpa, "aten::_softmax, op_id = 12, sizes = [[2, 8, 128, 128], [], []]"}, {}, 2e6},
         {"pv", {sdpa, "aten::bmm, op_id = 13, sizes = [[16, 128, 128], [16, 128, 64]]"}, {}, 3e6}});
}

}  // namespace

class TestPytorchOps : public QObject {
    Q_OBJECT

  private slots:
    void a_range_is_taken_apart() {
        const auto op = read_pytorch_call(
            "aten::add_, seq = 12, op_id = 5, sizes = [[64, 4096], [], [1]], input_op_ids = [(4,0), (0,-1), "
            "(3,1)], types = [c10::Half, Scalar, float]");
        QVERIFY(op.has_value());
        QCOMPARE(op->name, std::string("add"));
        QCOMPARE(op->id, std::optional<std::uint64_t>(5));
        QCOMPARE(op->sizes, (std::vector<PytorchCall::Sizes>{{64, 4096}, {}, {1}}));
        QCOMPARE(op->types, (std::vector<std::string>{"c10::Half", "Scalar", "float"}));
        QCOMPARE(op->made_by, (std::vector<std::uint64_t>{4, 0, 0}));
        QCOMPARE(op->text, std::string("aten::add_, sizes = [[64, 4096], [], [1]]"));
        for (const char* other : {"aten::mm, seq = 12, op_id = 5", "aten::mm, sizes = [[64, 4096]",
                                  "aten::mm, sizes = [[64, x]]", "gemm[m=8,n=8,k=8]", ""})
            QVERIFY2(!read_pytorch_call(other), other);
    }
    void operators_become_operations_data() {
        QTest::addColumn<QString>("text");
        const auto add = [](const char* range, const char* text) { QTest::newRow(range) << QString(text); };
        add("aten::mm, sizes = [[64, 4096], [4096, 11008]]", "gemm m=64 n=11008 k=4096");
        add("aten::mm, sizes = [[64, 4096], [4096, 8]], types = [c10::Half, c10::Half]",
            "gemm m=64 n=8 k=4096 dtype=fp16");
        add("aten::mm, sizes = [[64, 4096], [4095, 8]]", "");
        add("aten::addmm, sizes = [[8], [64, 32], [32, 8], [], []]", "gemm m=64 n=8 k=32");
        add("aten::addmm, sizes = [[64, 8], [64, 32], [32, 8], [], []]", "gemm m=64 n=8 k=32 beta=1");
        add("aten::bmm, sizes = [[12, 5, 6], [12, 6, 7]]", "gemm m=5 n=7 k=6 batch=12");
        add("aten::baddbmm, sizes = [[12, 5, 7], [12, 5, 6], [12, 6, 7], [], []]",
            "gemm m=5 n=7 k=6 batch=12 beta=1");
        add("aten::linear, sizes = [[2, 100, 64], [256, 64], [256]]", "gemm m=200 n=256 k=64");
        add("aten::_scaled_dot_product_flash_attention, sizes = [[2, 32, 512, 128], [2, 8, 512, 128], [2, 8, "
            "512, 128], [], [], [], []]",
            "attention_prefill seq=512 head_dim=128 heads=32 kv_heads=8 batch=2");
        add("aten::_flash_attention_forward, sizes = [[2, 512, 32, 128], [2, 700, 32, 128], [2, 700, 32, "
            "128]]",
            "attention_prefill seq=512 kv_seq=700 head_dim=128 heads=32 batch=2");
        add("aten::_scaled_dot_product_efficient_attention, sizes = [[1, 32, 1, 128], [1, 32, 900, 128], [1, "
            "32, 900, 128], [], [], []]",
            "attention_decode context=900 head_dim=128 heads=32 query_output=1");
        add("aten::native_layer_norm, sizes = [[4, 128, 768], [], [768], [768], []]",
            "layernorm rows=512 cols=768");
        add("aten::rms_norm, sizes = [[512, 768], [], [768], []]", "rmsnorm rows=512 cols=768");
        add("aten::native_batch_norm, sizes = [[32, 64, 56, 56], [64], [64], [64], [64], [], [], []]",
            "batchnorm channels=64 positions=100352");
        add("aten::_softmax, sizes = [[2, 8, 128, 100], [], []]", "softmax rows=2048 cols=100");
        add("aten::embedding, sizes = [[32000, 4096], [4, 128], [], [], []]",
            "embedding tokens=512 dim=4096 vocab=32000");
        add("aten::gather, sizes = [[4, 100], [], [4, 5], []]", "gather n=20");
        add("aten::index, sizes = [[10, 10], [7], [7]]", "gather n=7 indices=2");
        add("aten::index, sizes = [[10, 10], [7]]", "embedding tokens=7 dim=10 vocab=10");
        add("aten::index, sizes = [[1000, 64], [4, 128]]", "embedding tokens=512 dim=64 vocab=1000");
        add("aten::index, sizes = [[100, 64], [100]]", "");  // a mask, maybe
        add("aten::index, sizes = [[100, 64], [30]], types = [float, bool]", "");
        add("aten::index_select, sizes = [[1000, 64], [], [20]]", "embedding tokens=20 dim=64 vocab=1000");
        add("aten::index_select, sizes = [[1000, 64], [], [20]], inputs = [, -1, ]",
            "embedding tokens=20 dim=1000 vocab=64");
        add("aten::embedding_dense_backward, sizes = [[4, 128, 64], [4, 128], [], [], []], inputs = [, , 1000, -1, "
            "False]",
            "embedding_backward tokens=512 dim=64 vocab=1000");
        add("aten::embedding_dense_backward, sizes = [[4, 128, 64], [4, 128], [], [], []]",
            "embedding_backward tokens=512 dim=64");
        add("aten::cat, sizes = [[8, 64], [8, 32], []]", "copy n=768");
        add("aten::copy_, sizes = [[8, 64], [8, 64], []]", "copy n=512");
        add("aten::copy_, sizes = [[8, 64], [64], []]", "");
        add("aten::copy_, sizes = [[8, 64], [64], []], types = [float, float, Scalar]",
            "custom flops=0 read=256 write=2048");
        add("aten::copy_, sizes = [[8, 64], [8, 64], []], types = [c10::Half, float, Scalar]",
            "custom flops=0 read=2048 write=1024");
        add("aten::copy_, sizes = [[8, 64], [8, 64], []], types = [float, long int, Scalar]",
            "custom flops=0 read=4096 write=2048");
        add("aten::eq, sizes = [[8, 64], [8, 64]], types = [float, float]",
            "custom flops=512 read=4096 write=512");
        add("aten::gt, sizes = [[8, 64], []], types = [c10::Half, Scalar]",
            "custom flops=512 read=1024 write=512");
        add("aten::eq, sizes = [[8, 64], [8, 64]]", "");
        add("aten::where, sizes = [[8, 64], [8, 64], []], types = [bool, float, float]",
            "custom flops=0 read=2560 write=2048");
        add("aten::masked_fill_, sizes = [[8, 64], [8, 1], []], types = [c10::Half, bool, Scalar]",
            "custom flops=0 read=1032 write=1024");
        add("aten::bitwise_and, sizes = [[8, 64], [8, 64]], types = [bool, bool]",
            "elementwise n=512 inputs=2 dtype=int8");
        add("aten::native_dropout, sizes = [[8, 64], [], []], types = [c10::Half, Scalar, Scalar]",
            "custom flops=512 read=1024 write=1536");
        add("aten::_scaled_mm, sizes = [[64, 32], [32, 16], [], []], types = [c10::Float8_e4m3fn, "
            "c10::Float8_e4m3fn, float, float]",
            "gemm m=64 n=16 k=32 dtype=fp8 c=bf16");
        add("aten::_scaled_mm, sizes = [[64, 32], [32, 16], [], [], [], [], [], []], types = "
            "[c10::Float8_e4m3fn, c10::Float8_e4m3fn, float, float, , , Scalar, Scalar], inputs = [, , , , , , 5, "
            "False]",
            "gemm m=64 n=16 k=32 dtype=fp8 c=fp16");
        add("aten::_softmax, sizes = [[64, 32, 20], [], []], inputs = [, 1, False]",
            "softmax rows=1280 cols=32");
        add("aten::add, sizes = [[8, 64], [8, 64], []], types = [long int, long int, Scalar]",
            "elementwise n=512 inputs=2 dtype=int64");
        add("aten::add, sizes = [[8, 64], [8, 64], []], types = [short int, short int, Scalar]", "");
        add("aten::add_, sizes = [[], [], []], types = [long int, long int, Scalar]",
            "elementwise n=1 dtype=int64");
        add("aten::_foreach_add_, sizes = [[], [], []], types = [TensorList, TensorList, Scalar]", "");
        add("aten::fill_, sizes = [[], []], types = [float, Scalar]",
            "elementwise n=1 inputs=0 flops=0 dtype=fp32");
        add("aten::copy_, sizes = [[], [], []], types = [float, float, Scalar]", "copy n=1 dtype=fp32");
        add("aten::copy_, sizes = [[8, 64], [], []], types = [float, float, Scalar]",
            "elementwise n=512 inputs=0 flops=0 dtype=fp32");
        add("aten::gather, sizes = [[4, 100], [], [4, 5], []], types = [float, Scalar, int, Scalar]",
            "gather n=20 index=int32 dtype=fp32");
        add("aten::embedding, sizes = [[100, 64], [8], [], [], []], types = [float, int, Scalar, Scalar, Scalar]",
            "embedding tokens=8 dim=64 vocab=100 index=int32 dtype=fp32");
        add("aten::normal_, sizes = [[8, 64], [], [], []]", "");  // work of its own for random numbers
        add("aten::_int_mm, sizes = [[64, 32], [32, 16]], types = [signed char, signed char]",
            "gemm m=64 n=16 k=32 dtype=int8 c=int32");
        add("aten::_int_mm, sizes = [[64, 32], [32, 16]]", "gemm m=64 n=16 k=32 dtype=int8 c=int32");
        add("aten::_scaled_mm, sizes = [[64, 32], [32, 16], [], [], [], [], [], []]",
            "gemm m=64 n=16 k=32 dtype=fp8 c=bf16");
        add("aten::native_batch_norm_backward, sizes = [[32, 64, 56, 56], [32, 64, 56, 56], [64], [], [], [64], "
            "[64], [], [], []]",
            "norm_backward rows=100352 cols=64");
        add("aten::_fused_rms_norm_backward, sizes = [[512, 768], [512, 768], [], [512, 1], [768], []]",
            "norm_backward rows=512 cols=768 weights=1");
        add("aten::group_norm, sizes = [[16, 64, 56, 56], [], [], [], [], []], inputs = [, 8, , , 1e-05, True]",
            "layernorm rows=128 cols=25088 weights=0");
        add("aten::group_norm, sizes = [[16, 64, 56, 56], [], [], [], [], []]", "");
        add("aten::_softmax_backward_data, sizes = [[8, 64], [8, 64], [], []]",
            "elementwise n=512 inputs=2 flops=4");
        add("aten::native_dropout_backward, sizes = [[8, 64], [8, 64], []], types = [c10::Half, bool, Scalar]",
            "custom flops=1024 read=1536 write=1024");
        add("aten::nll_loss_forward, sizes = [[8, 64], [8], [], [], []], types = [float, long int, , Scalar, "
            "Scalar]",
            "custom flops=8 read=96 write=0");
        add("aten::nll_loss_backward, sizes = [[], [8, 64], [8], [], [], [], []], types = [float, float, long "
            "int, , Scalar, Scalar, float]",
            "custom flops=8 read=64 write=2048");
        add("aten::scatter_add_, sizes = [[8, 64], [], [8, 4], [8, 4]], types = [float, Scalar, long int, float]",
            "custom flops=32 read=512 write=128");
        add("aten::index_add_, sizes = [[100, 64], [], [8], [8, 64], []], types = [float, Scalar, long int, "
            "float, Scalar]",
            "custom flops=512 read=4160 write=2048");
        add("aten::topk, sizes = [[8, 64], [], [], [], []], types = [float, Scalar, Scalar, Scalar, Scalar], inputs "
            "= [, 10, -1, True, True]",
            "custom flops=0 read=2048 write=960");
        add("aten::sort, sizes = [[8, 64], [], []]", "sort n=512 indices=8");
        add("aten::constant_pad_nd, sizes = [[2, 8, 8], [], []], types = [float, ScalarList, Scalar], inputs = [, "
            "[1, 2, 0, 1], 0.]",
            "custom flops=0 read=512 write=792");
        // The gradient of padding: of 8 x 9 the margins, 1 below and 1 left and right, are not read.
        add("aten::constant_pad_nd, sizes = [[2, 8, 9], [], []], types = [float, ScalarList, Scalar], inputs = [, [-1, "
            "-1, 0, -1], 0.]",
            "custom flops=0 read=392 write=392");
        add("aten::upsample_nearest2d, sizes = [[1, 2, 8, 8], [], [], []], types = [float, ScalarList, , ], inputs = "
            "[, [16, 24], , ]",
            "custom flops=0 read=512 write=3072");
        add("aten::max_pool2d_with_indices, sizes = [[2, 4, 8, 8], [], [], [], [], []], types = [float, ScalarList, "
            "ScalarList, ScalarList, ScalarList, Scalar], inputs = [, [3, 3], [2, 2], [1, 1], [1, 1], False]",
            "custom flops=1024 read=2048 write=1536");
        add("aten::max_pool2d_with_indices_backward, sizes = [[2, 4, 4, 4], [2, 4, 8, 8], [], [], [], [], [], [2, 4, "
            "4, 4]], types = [float, float, , , , , , long int]",
            "custom flops=128 read=1536 write=2048");
        add("aten::_fft_c2c, sizes = [[10, 64], [], [], []], types = [c10::complex<float>, ScalarList, Scalar, "
            "Scalar], inputs = [, [1], 0, True]",
            "fft n=64 batch=10 dtype=fp32");
        add("aten::linalg_cholesky_ex, sizes = [[5, 64, 64], [], []]", "cholesky n=64 batch=5");
        add("aten::linalg_solve_triangular, sizes = [[64, 64], [64, 8], [], [], []]", "trsm m=64 n=8");
        add("aten::_foreach_addcmul_, sizes = [[1000], [1000], [1000], []], types = [TensorList, TensorList, "
            "TensorList, Scalar]",
            "elementwise n=1000 inputs=3");
        add("aten::_fused_adamw_, sizes = [[1000], [1000], [1000], [1000], [], [], []], types = [TensorList, "
            "TensorList, TensorList, TensorList, TensorList, TensorList, Scalar]",
            "elementwise n=1000 inputs=4 outputs=3 flops=14");
        add("aten::convolution_backward, sizes = [[2, 128, 28, 28], [2, 64, 56, 56], [128, 64, 3, 3], [], [], [], [], "
            "[], [], [], []], inputs = [, , , [0], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [True, False, False]]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 stride=2 padding=1 pass=data");
        add("aten::convolution_backward, sizes = [[2, 128, 28, 28], [2, 64, 56, 56], [128, 64, 3, 3], [], [], [], [], "
            "[], [], [], []]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 stride=2 padding=1 pass=backward");
        add("aten::conv_transpose2d, sizes = [[2, 64, 56, 56], [64, 32, 2, 2], [], [], [], [], [], []], inputs = [, , "
            ", [2, 2], [0, 0], [0, 0], 1, [1, 1]]",
            "conv2d batch=2 channels=32 height=112 filters=64 kernel_h=2 stride=2 pass=data");
        add("aten::conv_transpose2d, sizes = [[2, 64, 56, 56], [64, 32, 2, 2], [], [], [], [], [], []]", "");
        // What is True is cudnn's "benchmark"; the bias alone.
        add("aten::cudnn_convolution, sizes = [[2, 64, 56, 56], [128, 64, 3, 3], [], [], [], [], [], [], []], inputs "
            "= [, , [1, 1], [2, 2], [1, 1], 1, True, False, True]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 stride=2 padding=1");
        add("aten::convolution_backward, sizes = [[2, 128, 28, 28], [2, 64, 56, 56], [128, 64, 3, 3], [], [], [], [], "
            "[], [], [], []], inputs = [, , , [0], [2, 2], [1, 1], [1, 1], False, [0, 0], 1, [False, False, True]]",
            "");
        add("aten::convolution_backward, sizes = [[2, 32, 112, 112], [2, 64, 56, 56], [64, 32, 2, 2], [], [], [], "
            "[], [], [], [], []], inputs = [, , , [0], [2, 2], [0, 0], [1, 1], True, [0, 0], 1, [True, True, True]]",
            "conv2d batch=2 channels=32 height=112 filters=64 kernel_h=2 stride=2 pass=transposed_backward");
        add("aten::_foreach_zero_, sizes = [[]], types = [TensorList]", "");
        add("aten::_foreach_add_, sizes = [[512, 512], [512, 512], [512, 512], [512, 512], []]", "");
        add("aten::_foreach_copy_, sizes = [[1024], [1024], []], types = [TensorList, TensorList, Scalar]",
            "copy n=1024");
        add("aten::index, sizes = [[100], [100]]", "");
        add("aten::index, sizes = [[100], [7]]", "gather n=7 indices=1");
        add("aten::_efficient_attention_forward, sizes = [[1, 512, 8, 64], [1, 512, 8, 64], [1, 512, 8, "
            "64], [], [5], [5], [], []]",
            "");
        add("aten::add, sizes = [[8, 64], [8, 64], []]", "elementwise n=512 inputs=2");
        add("aten::add, sizes = [[8, 64], [8, 64], []], types = [c10::Half, float, Scalar]",
            "custom flops=512 read=3072 write=2048");
        add("aten::add_, sizes = [[8, 64], [8, 64], []], types = [c10::Half, float, Scalar]",
            "custom flops=512 read=3072 write=1024");
        add("aten::mul, sizes = [[8, 1, 64], [4, 1], []]", "elementwise n=2048 inputs=0 broadcast=516");
        add("aten::silu, sizes = [[8, 64]], types = [c10::BFloat16]", "elementwise n=512 dtype=bf16");
        add("aten::sum, sizes = [[8, 64], [], [], []]", "reduction n=512");
        add("aten::mean, sizes = [[4096, 2], [], [], []], inputs = [, [1], False, ]",
            "reduction n=8192 outputs=4096");
        add("aten::mean, sizes = [[16, 512, 7, 7], [], [], []], inputs = [, [-1, -2], True, ]",
            "reduction n=401408 outputs=8192");
        add("aten::argmax, sizes = [[64, 32000], [], []], inputs = [, -1, False]",
            "reduction n=2048000 outputs=64 out_dtype=int64");
        add("aten::argmax, sizes = [[64, 32000], [], []], inputs = [, , False]",
            "reduction n=2048000 out_dtype=int64");
        add("aten::max, sizes = [[64, 4096], [], []], types = [c10::Half, Scalar, Scalar], inputs = [, 1, False]",
            "reduction n=262144 outputs=64 indices=8 dtype=fp16");
        add("aten::cumsum, sizes = [[32, 1000], [], []], inputs = [, 1, ]", "scan n=32000 rows=32");
        add("aten::cumsum, sizes = [[1000], [], []]", "scan n=1000");
        add("aten::add, sizes = [[2, 4096], [4096], []], types = [c10::Half, c10::Half, Scalar]",
            "elementwise n=8192 broadcast=4096 dtype=fp16");
        add("aten::add, sizes = [[2, 4096], [4096], []], types = [c10::Half, float, Scalar]",
            "custom flops=8192 read=32768 write=32768");
        add("aten::mul, sizes = [[2, 8], [8]], types = [c10::Half, long int]",
            "custom flops=16 read=96 write=32");
        add("aten::addmm, sizes = [[64, 8], [64, 32], [32, 8], [], []], inputs = [, , , 0, 1]",
            "gemm m=64 n=8 k=32");
        add("aten::_softmax, sizes = [[64, 32], [], []], types = [c10::Half, Scalar, Scalar], inputs = [, -1, "
            "True]",
            "softmax rows=64 cols=32 dtype=fp16 out_dtype=fp32");
        add("aten::scaled_dot_product_attention, sizes = [[2, 8, 128, 64], [2, 8, 128, 64], [2, 8, 128, 32]]",
            "attention_prefill seq=128 head_dim=64 v_dim=32 heads=8 batch=2");
        add("aten::_scaled_dot_product_efficient_attention_backward, sizes = [[2, 8, 128, 32], [2, 8, 128, 64], [2, "
            "8, 128, 64], [2, 8, 128, 32]]",
            "attention_backward seq=128 head_dim=64 v_dim=32 heads=8 batch=2");
        add("flash_attn::_flash_attn_forward, sizes = [[2, 512, 32, 128], [2, 512, 8, 128], [2, 512, 8, 128], [], [], "
            "[], [], [], [], [], []], types = [c10::BFloat16, c10::BFloat16, c10::BFloat16, Scalar, Scalar, Scalar, "
            "Scalar, Scalar, Scalar, , Scalar], inputs = [, , , 0., 0.08, True, -1, -1, 0., , False]",
            "attention_prefill seq=512 head_dim=128 heads=32 kv_heads=8 batch=2 causal=1 dtype=bf16");
        add("flash_attn::_flash_attn_forward, sizes = [[2, 512, 32, 128], [2, 512, 8, 128], [2, 512, 8, 128], [], [], "
            "[], [], [], [], [], []], types = [c10::BFloat16, c10::BFloat16, c10::BFloat16, Scalar, Scalar, Scalar, "
            "Scalar, Scalar, Scalar, , Scalar], inputs = [, , , 0., 0.08, True, 127, 0, 0., , False]",
            "attention_prefill seq=512 head_dim=128 heads=32 kv_heads=8 batch=2 causal=1 window=128 dtype=bf16");
        // Of a step of 4 a window of one touches every fourth place: 14 of 56 in each direction.
        add("aten::avg_pool2d, sizes = [[32, 64, 56, 56], [], [], [], [], [], []], types = [c10::Half, ScalarList, "
            "ScalarList, ScalarList, Scalar, Scalar, ], inputs = [, [1, 1], [4, 4], [0, 0], False, True, ]",
            "custom flops=401408 read=802816 write=802816");
        // The places of strides of 2, a padding of 3 and a dilation of 2, where there is one.
        const auto places = [&](const char* name, const char* values, const char* text) {
            const bool deep = QString(name).contains("3d");
            const QString sizes =
                QString("[2, 64, %1], [128, %2, %3]")
                    .arg(deep ? "9, 9, 9" : "9, 9", QString(name).contains("depthwise") ? "1" : "64",
                         deep ? "3, 3, 3" : "3, 3");
            add(qPrintable(QString("aten::%1, sizes = [%2], inputs = [, , %3]").arg(name, sizes, values)),
                qPrintable(
                    QString(deep ? "conv3d batch=2 channels=64 depth=9 height=9 filters=128 kernel_d=3 "
                                   "kernel_h=3 stride=2 padding=3%1"
                                 : "conv2d batch=2 channels=64 height=9 filters=128 kernel_h=3 stride=2 "
                                   "padding=3%1")
                        .arg(text)));
        };
        places("cudnn_convolution", "[3, 3], [2, 2], [2, 2], 1, True, False, True", " dilation=2");
        places("miopen_convolution", ", [3, 3], [2, 2], [2, 2], 1, True, False", " dilation=2");
        places("miopen_depthwise_convolution", ", [3, 3], [2, 2], [2, 2], 64, True, False",
               " groups=64 dilation=2");
        for (const char* name :
             {"convolution", "conv2d", "cudnn_convolution_relu", "miopen_convolution_relu"})
            places(name, ", [2, 2], [3, 3], [2, 2], 1", " dilation=2");
        places("_conv_depthwise2d", "[3, 3], , [2, 2], [3, 3], [2, 2]", " groups=64 dilation=2");
        places("conv_depthwise3d", "[3, 3, 3], , [2, 2, 2], [3, 3, 3], [2, 2, 2]", " groups=64 dilation=2");
        places("slow_conv_dilated2d", "[3, 3], , [2, 2], [3, 3], [2, 2]", " dilation=2");
        places("slow_conv_dilated3d", "[3, 3, 3], , [2, 2, 2], [3, 3, 3], [2, 2, 2]", " dilation=2");
        for (const char* name : {"thnn_conv2d", "_slow_conv2d_forward"})
            places(name, "[3, 3], , [2, 2], [3, 3]", "");
        for (const char* name : {"slow_conv3d", "slow_conv3d_forward"})
            places(name, "[3, 3, 3], , [2, 2, 2], [3, 3, 3]", "");
        for (const char* name : {"cudnn_convolution_add_relu", "miopen_convolution_add_relu"})
            places(name, ", 1, , [2, 2], [3, 3], [2, 2], 1", " dilation=2 beta=1");
        // What is added is as large as the result, and tells stride and padding.
        add("aten::cudnn_convolution_add_relu, sizes = [[2, 64, 56, 56], [128, 64, 3, 3], [2, 128, 28, 28], [], "
            "[128], [], [], [], []]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 stride=2 padding=1 beta=1");
        // FP4 stands two in a byte along k. An E4M3 scale for 16 of them, or an E8M0 one for 32.
        const auto scaled = [&](const char* type, const char* scale, const char* k, const char* text) {
            add(qPrintable(
                    QString(
                        "aten::_scaled_mm, sizes = [[128, %3], [%3, 256], [512, 8], [1024, 8], [], [], "
                        "[], []], types = [%1, %1, %2, %2, , , Scalar, Scalar], inputs = [, , , , , , 15, ]")
                        .arg(type, scale, k)),
                qPrintable(QString("gemm m=128 n=256 k=512 dtype=%1 c=bf16").arg(text)));
        };
        scaled("c10::Float4_e2m1fn_x2", "c10::Float8_e4m3fn", "256", "nvfp4");
        scaled("c10::Float4_e2m1fn_x2", "c10::Float8_e8m0fnu", "256", "mxfp4");
        scaled("c10::Float8_e4m3fn", "c10::Float8_e8m0fnu", "512", "mxfp8");
        scaled("c10::Float8_e4m3fn", "float", "512", "fp8");
        add("aten::_scaled_mm_v2, sizes = [[128, 256], [256, 256], [4097], [], [], [8193], [], [], [], [], [], []], "
            "types = [c10::Float4_e2m1fn_x2, c10::Float4_e2m1fn_x2, TensorList, ScalarList, ScalarList, TensorList, "
            "ScalarList, ScalarList, , Scalar, ScalarList, Scalar], inputs = [, , , [2, 0], [1, 0], , [2, 0], [1, 0], "
            ", 15, [], False]",
            "gemm m=128 n=256 k=512 dtype=nvfp4 c=bf16");
        // Without types the number of scales tells it: of 512 bytes a row 64 of 16 elements, 32 of 32, or 16.
        const auto counted = [&](const char* scales, const char* text) {
            add(qPrintable(
                    QString("aten::_scaled_mm, sizes = [[100, 512], [512, 256], [%1], [%1], [], [], [], []]")
                        .arg(scales)),
                text);
        };
        counted("8192", "gemm m=100 n=256 k=1024 dtype=nvfp4 c=bf16");
        counted("4096", "gemm m=100 n=256 k=1024 dtype=mxfp4 c=bf16");
        counted("2048", "gemm m=100 n=256 k=512 dtype=mxfp8 c=bf16");
        counted("1", "gemm m=100 n=256 k=512 dtype=fp8 c=bf16");
        add("aten::copy_, sizes = [[8, 64], [8, 64], []], types = [c10::Float4_e2m1fn_x2, c10::Float4_e2m1fn_x2, "
            "Scalar]",
            "copy n=512 dtype=int8");
        add("aten::_scaled_grouped_mm, sizes = [[4096, 2048], [8, 2048, 1024], [4096], [8, 1024], [8], [], [], [], "
            "[]], types = [c10::Float8_e4m3fn, c10::Float8_e4m3fn, float, float, int, , , Scalar, Scalar], inputs = [, "
            ", , , , , , 15, False]",
            "grouped_gemm tokens=4096 experts=8 n=1024 k=2048 dtype=fp8 c=bf16");
        add("aten::_scaled_grouped_mm_v2, sizes = [[4096, 1024], [8, 1024, 1024], [4096], [], [], [8192], [], [], [8], "
            "[], [], [], []], types = [c10::Float4_e2m1fn_x2, c10::Float4_e2m1fn_x2, TensorList, ScalarList, "
            "ScalarList, TensorList, ScalarList, ScalarList, int, , Scalar, ScalarList, Scalar], inputs = [, , , [3], "
            "[1], , [3], [1], , , 15, [], False]",
            "grouped_gemm tokens=4096 experts=8 n=1024 k=2048 dtype=mxfp4 c=bf16");
        add("aten::_scaled_grouped_mm, sizes = [[4096, 2048], [8, 2048, 1024], [4096], [8, 1024], [8], [], [], [], "
            "[]]",
            "grouped_gemm tokens=4096 experts=8 n=1024 k=2048 dtype=fp8 c=bf16");
        add("aten::_embedding_bag, sizes = [[1000, 64], [5000], [200], [], [], [], [], [], []], types = [float, long "
            "int, long int, Scalar, Scalar, Scalar, , Scalar, Scalar], inputs = [, , , False, 0, False, , False, -1]",
            "embedding tokens=5000 dim=64 vocab=1000 bags=200 dtype=fp32");
        add("aten::_embedding_bag_forward_only, sizes = [[1000, 64], [5000], [201], [], [], [], [5000], [], []], types "
            "= [c10::Half, int, int, Scalar, Scalar, Scalar, c10::Half, Scalar, Scalar], inputs = [, , , False, 0, "
            "False, , True, -1]",
            "embedding tokens=5000 dim=64 vocab=1000 bags=200 weighted=1 index=int32 dtype=fp16");
        // 2 x 3 of 10 x 20 positions: each of 4 neighbours, 4 products and 3 sums; nearest ones are copied,
        // of cubic ones there are 16. The grid has two coordinates of each position.
        const auto grid = [&](const char* mode, const char* text) {
            add(qPrintable(
                    QString(
                        "aten::grid_sampler_2d, sizes = [[2, 3, 8, 8], [2, 10, 20, 2], [], [], []], types = "
                        "[float, float, Scalar, Scalar, Scalar], inputs = [, , %1, 0, False]")
                        .arg(mode)),
                text);
        };
        grid("0", "custom flops=8400 read=4736 write=4800");
        grid("1", "custom flops=0 read=4736 write=4800");
        grid("2", "custom flops=37200 read=4736 write=4800");
        add("aten::cudnn_grid_sampler, sizes = [[1, 1, 100, 100], [1, 2, 3, 2]], types = [float, float]",
            "custom flops=42 read=144 write=24");
        add("aten::grid_sampler_3d, sizes = [[1, 1, 4, 4, 4], [1, 2, 2, 2, 3], [], [], []], types = [c10::Half, "
            "c10::Half, Scalar, Scalar, Scalar], inputs = [, , 0, 0, True]",
            "custom flops=120 read=176 write=16");
        // The gradients: of 1,200 results a product and a sum for each of 4 neighbours of x and of two
        // coordinates; without that of x for the coordinates alone. Nearest positions have none.
        const auto grid_backward = [&](const char* mode, const char* wanted, const char* text) {
            add(qPrintable(
                    QString(
                        "aten::grid_sampler_2d_backward, sizes = [[2, 3, 10, 20], [2, 3, 8, 8], [2, 10, 20, 2], "
                        "[], [], [], []], types = [float, float, float, Scalar, Scalar, Scalar, ScalarList], "
                        "inputs = [, , , %1, 0, False, %2]")
                        .arg(mode, wanted)),
                text);
        };
        grid_backward("0", "[True, True]", "custom flops=28800 read=9536 write=4736");
        grid_backward("0", "[False, True]", "custom flops=19200 read=9536 write=3200");
        grid_backward("1", "[True, True]", "custom flops=1200 read=8000 write=4736");
        add("aten::cudnn_grid_sampler_backward, sizes = [[1, 1, 100, 100], [1, 2, 3, 2], [1, 1, 2, 3]], types = [float, "
            "float, float]",
            "custom flops=144 read=168 write=40048");
        // Gradients of 200 sums of 5,000 rows, and which sum each row belongs to.
        add("aten::_embedding_bag_dense_backward, sizes = [[200, 64], [5000], [5000], [200], [], [], [], [], [], []], "
            "types = [float, long int, long int, long int, long int, Scalar, Scalar, Scalar, , Scalar], inputs = [, , , "
            ", , 1000, False, 0, , -1]",
            "embedding_backward tokens=5000 dim=64 vocab=1000 bags=200 dtype=fp32");
        add("aten::_embedding_bag_backward, sizes = [[200, 64], [5000], [200], [5000], [200], [], [], [], [], [], "
            "[5000], []], types = [float, int, int, int, int, int, Scalar, Scalar, Scalar, Scalar, float, Scalar], "
            "inputs = [, , , , , , 1000, False, 0, False, , -1]",
            "embedding_backward tokens=5000 dim=64 vocab=1000 bags=200 weighted=1 index=int32 dtype=fp32");
        // A sparse gradient has the rows of these tokens alone, however large the table.
        add("aten::_embedding_bag_backward, sizes = [[200, 64], [5000], [200], [5000], [200], [], [], [], [], [], [], []], "
            "types = [float, int, int, int, int, int, Scalar, Scalar, Scalar, Scalar, , Scalar], inputs = [, , , , , , "
            "10000000, False, 0, True, , -1]",
            "embedding_backward tokens=5000 dim=64 bags=200 index=int32 dtype=fp32");
        add("aten::_embedding_bag_sparse_backward, sizes = [[200, 64], [5000], [200], [5000], [200], [], [], [], [], []], "
            "types = [float, int, int, int, int, Scalar, Scalar, Scalar, , Scalar], inputs = [, , , , , 10000000, False, "
            "0, , -1]",
            "embedding_backward tokens=5000 dim=64 bags=200 index=int32 dtype=fp32");
        // Masks of memory-efficient attention: 1 from the top left corner, 2 from the bottom right one.
        const auto efficient = [&](const char* kind, const char* text, int keys = 64) {
            add(qPrintable(
                    QString("aten::_efficient_attention_forward, sizes = [[1, 64, 8, 32], [1, %2, 8, 32], "
                            "[1, %2, 8, 32], [], [], [], [], [], [], [], [], [], [], []], inputs = [, , , , "
                            ", , , , 0., %1, False, , , ]")
                        .arg(kind)
                        .arg(keys)),
                text);
        };
        efficient("0", "attention_prefill seq=64 head_dim=32 heads=8 causal=0");
        efficient("1", "attention_prefill seq=64 head_dim=32 heads=8 causal=1");
        efficient("1", "attention_prefill seq=64 kv_seq=96 head_dim=32 heads=8 causal=1 diagonal=top_left",
                  96);
        efficient("2", "attention_prefill seq=64 kv_seq=96 head_dim=32 heads=8 causal=1", 96);
        add("aten::_efficient_attention_backward, sizes = [[1, 64, 8, 32], [1, 64, 8, 32], [1, 64, 8, 32], [1, 64, 8, "
            "32], [], [1, 64, 8, 32], [], [], [], [], [1, 8, 64], [], [], [], [], [], [], [], [], []], inputs = [, , , "
            ", , , , , 64, 64, , 0., , , 1, False, , , , False]",
            "attention_backward seq=64 head_dim=32 heads=8 causal=1");
        // The last value of memory-efficient attention is how many keys a query sees, its own among them; of
        // flash attention how many before its own. Of one without a mask it tells nothing.
        add("aten::_efficient_attention_forward, sizes = [[1, 64, 8, 32], [1, 64, 8, 32], [1, 64, 8, 32], [], [], [], "
            "[], [], [], [], [], [], [], []], inputs = [, , , , , , 64, 64, 0., 1, False, , , 16]",
            "attention_prefill seq=64 head_dim=32 heads=8 causal=1 window=16");
        const auto flash = [&](const char* rest, const char* text) {
            add(qPrintable(
                    QString(
                        "aten::_flash_attention_forward, sizes = [[1, 64, 8, 32], [1, 64, 8, 32], [1, 64, 8, "
                        "32], [], [], [], [], [], [], [], [], [], []], inputs = [, , , , , 64, 64, 0., %1]")
                        .arg(rest)),
                text);
        };
        flash("True, False, , 15, 0", "attention_prefill seq=64 head_dim=32 heads=8 causal=1 window=16");
        flash("True, False, , -1, -1", "attention_prefill seq=64 head_dim=32 heads=8 causal=1");
        flash("False, False, , 15, 0", "");
        add("aten::_flash_attention_backward, sizes = [[1, 64, 8, 32], [1, 64, 8, 32], [1, 64, 8, 32], [1, 64, 8, 32], "
            "[1, 64, 8, 32], [1, 8, 64], [], [], [], [], [], [], [], [], [], [], []], inputs = [, , , , , , , , 64, 64, "
            "0., True, , , , 15, 0]",
            "attention_backward seq=64 head_dim=32 heads=8 causal=1 window=16");
        // A bias that learns has a gradient for each head; the heads read one row of it.
        add("aten::_scaled_dot_product_efficient_attention_backward, sizes = [[2, 8, 64, 32], [2, 8, 64, 32], [2, 8, 64, "
            "32], [2, 8, 64, 32], [2, 8, 64, 64], [2, 8, 64, 32], [2, 8, 64], [], [], [], [], [], []], inputs = [, , , , "
            ", , , , , 0., [True, True, True, True], False, ]",
            "attention_backward seq=64 head_dim=32 heads=8 batch=2 causal=0 mask=4096 mask_gradient=65536");
        add("aten::_cudnn_attention_backward, sizes = [[2, 8, 64, 32], [2, 8, 64, 32], [2, 8, 64, 32], [2, 8, 64, 32], "
            "[2, 8, 64, 32], [2, 8, 64], [], [], [2, 1, 64, 64], [], [], [], [], [], [], []], inputs = [, , , , , , , , "
            ", , , 64, 64, 0., False, ]",
            "attention_backward seq=64 head_dim=32 heads=8 batch=2 causal=0 mask=4096");
        // Packed sequences, whose lengths nobody tells.
        add("aten::_cudnn_attention_forward, sizes = [[512, 8, 32], [512, 8, 32], [512, 8, 32], [], [5], [5], [], [], "
            "[], [], [], [], []], inputs = [, , , , , , 128, 128, False, 0., True, False, ]",
            "");
        const auto attend = [&](const char* name, const char* q, const char* k, const char* values,
                                const char* text) {
            add(qPrintable(QString("aten::%1, sizes = [[%2], [%3], [%3], [], [], [], []], inputs = [%4]")
                               .arg(name, q, k, values)),
                text);
        };
        const char* const is_causal = ", , , , 0., True, ";
        attend("scaled_dot_product_attention", "5, 64", "8, 64", is_causal,
               "attention_prefill seq=5 kv_seq=8 head_dim=64 heads=1 causal=1 diagonal=top_left");
        attend("scaled_dot_product_attention", "3, 8, 64", "3, 5, 64", is_causal,
               "attention_prefill seq=8 kv_seq=5 head_dim=64 heads=1 batch=3 causal=1 diagonal=top_left");
        attend("scaled_dot_product_attention", "3, 2, 1, 64", "3, 2, 9, 64", is_causal,
               "attention_prefill seq=1 kv_seq=9 head_dim=64 heads=2 batch=3 causal=1 diagonal=top_left");
        attend("_scaled_dot_product_flash_attention", "1, 2, 5, 64", "1, 2, 8, 64", ", , , 0., True, False, ",
               "attention_prefill seq=5 kv_seq=8 head_dim=64 heads=2 causal=1");
        add("aten::dot, sizes = [[4096], [4096]], types = [float, float]", "gemv m=1 n=4096 dtype=fp32");
        add("aten::logsumexp, sizes = [[4096, 128], [], []], inputs = [, [1], False]",
            "reduction n=524288 outputs=4096 flops=4");
        add("aten::addbmm, sizes = [[4, 5], [3, 4, 6], [3, 6, 5], [], []]", "gemm m=4 n=5 k=18 beta=1");
        add("aten::linear_backward, sizes = [[2, 32, 48], [2, 32, 16], [16, 48], []]",
            "gemm_backward m=64 n=16 k=48");
        add("aten::histc, sizes = [[4096], [], [], []], inputs = [, 64, 0, 0]", "histogram n=4096 bins=64");
        add("aten::histc, sizes = [[4096], [], [], []]", "histogram n=4096 bins=100");
        // A mask of one row for all heads, in bytes; within it is expanded, so no more than one is counted.
        add("aten::scaled_dot_product_attention, sizes = [[2, 8, 128, 64], [2, 8, 128, 64], [2, 8, 128, 64], [2, 1, "
            "128, 128], [], [], []], types = [c10::Half, c10::Half, c10::Half, bool, Scalar, Scalar, ], inputs = [, , "
            ", , 0., False, ]",
            "attention_prefill seq=128 head_dim=64 heads=8 batch=2 causal=0 mask=32768 dtype=fp16 mask_dtype=int8");
        add("aten::_scaled_dot_product_efficient_attention, sizes = [[2, 8, 1, 64], [2, 8, 900, 64], [2, 8, 900, 64], "
            "[2, 8, 1, 900], [], [], []]",
            "attention_decode context=900 head_dim=64 heads=8 batch=2 query_output=1 mask=900");
        // Windows of 3 in steps of 2 over 55: 27, or 28 with the one that reaches beyond the end. The last
        // one must not begin there: of windows of 2 in steps of 4 over 5, 2, over 4 only one.
        const auto pool = [&](const char* sizes, const char* values, const char* text) {
            add(qPrintable(
                    QString(
                        "aten::max_pool2d_with_indices, sizes = [%1, [], [], [], [], []], types = [float, "
                        "ScalarList, ScalarList, ScalarList, ScalarList, Scalar], inputs = [, %2]")
                        .arg(sizes, values)),
                text);
        };
        pool("[1, 1, 55, 55]", "[3, 3], [2, 2], [0, 0], [1, 1], False",
             "custom flops=5832 read=12100 write=8748");
        pool("[1, 1, 56, 56]", "[3, 3], [2, 2], [0, 0], [1, 1], False",
             "custom flops=5832 read=12100 write=8748");
        pool("[1, 1, 56, 56]", "[3, 3], [2, 2], [0, 0], [1, 1], True",
             "custom flops=6272 read=12544 write=9408");
        pool("[1, 1, 5, 5]", "[2, 2], [4, 4], [0, 0], [1, 1], True", "custom flops=12 read=36 write=48");
        pool("[1, 1, 4, 4]", "[2, 2], [4, 4], [0, 0], [1, 1], True", "custom flops=3 read=16 write=12");
        // Of every second element within 7: windows of 3 reach over 5, in steps of 2 two of them touch 0, 2,
        // 4 and 6.
        pool("[1, 1, 7, 7]", "[3, 3], [2, 2], [0, 0], [2, 2], False", "custom flops=32 read=64 write=48");
        add("aten::cudnn_convolution, sizes = [[8, 16, 1, 100], [32, 16, 1, 3], [], [], [], [], [], [], []], inputs = "
            "[, , [0, 1], [1, 1], [1, 1], 1, True, False, True]",
            "conv2d batch=8 channels=16 height=1 width=100 filters=32 kernel_h=1 kernel_w=3 padding_w=1");
        add("aten::convolution, sizes = [[8, 16, 100], [32, 16, 3], [], [], [], [], [], [], []], inputs = [, , , [2], "
            "[1], [1], False, [0], 1]",
            "conv2d batch=8 channels=16 height=1 width=100 filters=32 kernel_h=1 kernel_w=3 stride=2 padding_w=1");
        add("aten::convolution, sizes = [[2, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], [], [], []], inputs = [, , , "
            "[2, 1], [1, 1], [1, 1], False, [0, 0], 1]",
            "conv2d batch=2 channels=64 height=56 filters=64 kernel_h=3 stride=2 stride_w=1 padding=1");
        add("aten::convolution, sizes = [[1, 2, 8, 9, 9], [4, 2, 3, 3, 3], [], [], [], [], [], [], []], inputs = [, , , "
            "[1, 2, 2], [0, 1, 1], [1, 1, 2], False, [0, 0, 0], 1]",
            "conv3d channels=2 depth=8 height=9 filters=4 kernel_d=3 kernel_h=3 stride_h=2 stride_w=2 padding_h=1 "
            "padding_w=1 dilation_w=2");
        add("aten::conv_transpose1d, sizes = [[2, 64, 50], [64, 32, 2], [], [], [], [], [], []], inputs = [, , , [2], "
            "[0], [0], 1, [1]]",
            "conv2d batch=2 channels=32 height=1 width=100 filters=64 kernel_h=1 kernel_w=2 stride=2 pass=data");
        // A of 8 with one B for all; of 8 x 1 with B of 1 x 4: each triangle solves 4, all of which are read
        // once.
        add("aten::linalg_solve_triangular, sizes = [[8, 128, 128], [128, 64], [], [], []]",
            "trsm m=128 n=64 batch=8 b_batch=1");
        add("aten::linalg_solve_triangular, sizes = [[8, 1, 128, 128], [1, 4, 128, 64], [], [], []]",
            "trsm m=128 n=256 batch=8 b_batch=1");
        add("aten::linalg_solve_triangular, sizes = [[128, 128], [8, 128, 64], [], [], []]",
            "trsm m=128 n=512");
        add("aten::norm, sizes = [[8, 64], [], [], []], inputs = [, 2, [0], False]",
            "reduction n=512 outputs=64");
        add("aten::max, sizes = [[8, 64], [8, 64]]", "elementwise n=512 inputs=2");
        add("aten::conv2d, sizes = [[2, 64, 56, 56], [128, 64, 3, 3], [128], [], [], [], []]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 padding=1");
        add("aten::conv2d, sizes = [[2, 64, 56, 56], [128, 64, 3, 3], [128], [], [], [], []], inputs = [, , , "
            "[2, 2], [1, 1], [1, 1], 1]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 stride=2 padding=1");
        add("aten::cudnn_convolution, sizes = [[2, 64, 56, 56], [128, 64, 3, 3], [], [], [], []], inputs = [, "
            ", [4, 4], [1, 1], [2, 2], 1]",
            "conv2d batch=2 channels=64 height=56 filters=128 kernel_h=3 padding=4 dilation=2");
        add("aten::scaled_dot_product_attention, sizes = [[1, 8, 128, 64], [1, 8, 128, 64], [1, 8, 128, 64], "
            "[], [], [], []], inputs = [, , , , 0., True, ]",
            "attention_prefill seq=128 head_dim=64 heads=8 causal=1");
        add("aten::_scaled_dot_product_flash_attention, sizes = [[1, 8, 128, 64], [1, 8, 128, 64], [1, 8, "
            "128, 64], [], [], [], []], inputs = [, , , 0., False, False, ]",
            "attention_prefill seq=128 head_dim=64 heads=8 causal=0");
        add("aten::view, sizes = [[8, 64], []]", "");
        // Of 3 rows of 4, 1 + 2 + 3 stand on or below the diagonal, 2 + 3 + 4 below the next one; in place
        // only the others are written.
        add("aten::tril, sizes = [[2, 3, 4], []], types = [float, Scalar], inputs = [, 0]",
            "custom flops=0 read=48 write=96");
        add("aten::triu, sizes = [[3, 4], []], types = [c10::Half, Scalar], inputs = [, 2]",
            "custom flops=0 read=6 write=24");
        add("aten::tril_, sizes = [[3, 4], []], types = [float, Scalar], inputs = [, 1]",
            "custom flops=0 read=0 write=12");
        add("aten::triu, sizes = [[3, 4], []]", "custom flops=0 read=36 write=48");
        add("aten::arange, sizes = [[], [], [], [0]], types = [Scalar, Scalar, Scalar, long int], inputs = [4, 11, "
            "2, ]",
            "elementwise n=4 inputs=0 flops=2 dtype=int64");
        add("aten::arange, sizes = [[], [], [], [0]], types = [Scalar, Scalar, Scalar, float], inputs = [0., 1., "
            "0.25, ]",
            "elementwise n=4 inputs=0 flops=2 dtype=fp32");
        add("aten::arange, sizes = [[], [], [], [0]]", "");
        add("aten::index_put_, sizes = [[100, 64], [], [8, 64], []], types = [float, , float, Scalar], inputs = [, , "
            ", False]",
            "copy n=512 dtype=fp32");
        add("aten::_index_put_impl_, sizes = [[100, 64], [], [8, 64], [], []], types = [float, , float, Scalar, "
            "Scalar], inputs = [, , , True, True]",
            "elementwise n=512 inputs=2 dtype=fp32");
        add("aten::index_put_, sizes = [[100, 64], [8], [8, 64], []]", "copy n=512");
        add("aten::index_put_, sizes = [[100, 64], [8], [8], [], []]", "copy n=8");
        add("aten::index_put_, sizes = [[100, 64], [100], [30, 64], []]", "");  // a mask, maybe
        add("aten::index_put_, sizes = [[100, 64], [], [], []], inputs = [, , , False]", "");
        // 4 gates of 32 x 128; 8 reads of them and the state, the new states and 4 gates written.
        add("aten::_thnn_fused_lstm_cell, sizes = [[32, 512], [32, 512], [32, 128], [512], [512]]",
            "elementwise n=4096 inputs=9 outputs=6 flops=21");
        add("aten::_thnn_fused_gru_cell, sizes = [[32, 384], [32, 384], [32, 128], [], []]",
            "elementwise n=4096 inputs=7 outputs=6 flops=10");
        // 32 steps of 16: twice as many FLOP as weights of both products, 2 * 1024 * 256, for each.
        add("aten::_cudnn_rnn, sizes = [[16, 32, 256], [1024, 256], [1024, 256], [1024], [1024], [], [526336], [1, 16, "
            "256], [1, 16, 256], [], [], [], [], [], [], [], [], [], []], types = [float, TensorList, TensorList, "
            "TensorList, TensorList, Scalar, float, float, float], inputs = [, , 4, , , , 2, 256, 0, 1, True, 0., "
            "True, False, [], ]",
            "custom flops=536870912 read=2646016 write=524288");
        add("aten::_adaptive_avg_pool2d, sizes = [[2, 8, 14, 14], []], types = [float, ScalarList], inputs = [, [7, "
            "7]]",
            "custom flops=3136 read=12544 write=3136");
        add("aten::addmv, sizes = [[64], [64, 32], [32], [], []]", "gemv m=64 n=32");
        add("aten::native_group_norm_backward, sizes = [[16, 64, 56, 56], [16, 64, 56, 56], [16, 8], [16, 8], [64], "
            "[], [], [], [], []], inputs = [, , , , , 16, 64, 3136, 8, [True, True, True]]",
            "norm_backward rows=128 cols=25088 weights=0");
        // 8 arrays of 32 x 128 in, 4 gates among them; the gradients of 4 gates and of the state out.
        add("aten::_thnn_fused_lstm_cell_backward_impl, sizes = [[32, 128], [32, 128], [32, 128], [32, 128], [32, 512], "
            "[]]",
            "elementwise n=4096 inputs=8 outputs=5 flops=23");
        // 5 kept arrays and a gradient in; those of 3 gates of both products and of the state out.
        add("aten::_thnn_fused_gru_cell_backward, sizes = [[32, 128], [32, 640], []]",
            "elementwise n=4096 inputs=6 outputs=7 flops=16");
        // Of 16 x 24 gradients each is added once, or with 4 weights: 4 products, 4 sums.
        add("aten::upsample_nearest2d_backward, sizes = [[1, 2, 16, 24], [], [], [], []], types = [float, ScalarList, "
            "ScalarList, , ], inputs = [, [16, 24], [1, 2, 8, 8], , ]",
            "custom flops=768 read=3072 write=512");
        add("aten::upsample_bilinear2d_backward, sizes = [[1, 2, 16, 24], [], [], [], [], []], types = [float, "
            "ScalarList, ScalarList, Scalar, , ], inputs = [, [16, 24], [1, 2, 8, 8], False, , ]",
            "custom flops=6144 read=3072 write=512");
        add("aten::upsample_bilinear2d, sizes = [[1, 2, 8, 8], [], [], [], []], types = [float, ScalarList, Scalar, , "
            "], inputs = [, [16, 24], False, , ]",
            "custom flops=5376 read=512 write=3072");
        // Each of 4 x 4 is one of 8 x 8; the others are not read.
        add("aten::upsample_nearest2d, sizes = [[1, 1, 8, 8], [], [], []], types = [float, ScalarList, , ], inputs = "
            "[, [4, 4], , ]",
            "custom flops=0 read=64 write=64");
        add("aten::reflection_pad2d, sizes = [[1, 2, 8, 8], []], types = [float, ScalarList], inputs = [, [1, 1, 1, "
            "1]]",
            "custom flops=0 read=512 write=800");
        add("aten::adaptive_max_pool2d, sizes = [[2, 8, 14, 14], []], types = [float, ScalarList], inputs = [, [7, "
            "7]]",
            "custom flops=3136 read=12544 write=9408");
        add("aten::scatter_, sizes = [[8, 64], [], [8, 1], []], types = [float, Scalar, long int, Scalar]",
            "custom flops=0 read=64 write=32");
        // 2 (x - y) / n times the gradient.
        add("aten::mse_loss_backward, sizes = [[], [8, 64], [8, 64], []], types = [float, float, float, Scalar]",
            "custom flops=1536 read=4096 write=2048");
        add("aten::_grouped_mm, sizes = [[4096, 2048], [8, 2048, 1024], [8], [], []], types = [c10::BFloat16, "
            "c10::BFloat16, int, , ]",
            "grouped_gemm tokens=4096 experts=8 n=1024 k=2048 dtype=bf16");
        // Gradients of 8 matrices, the rows of which are as many together.
        add("aten::_grouped_mm, sizes = [[2048, 4096], [4096, 1024], [8], [], []], types = [c10::BFloat16, "
            "c10::BFloat16, int, , ]",
            "gemm m=2048 n=1024 k=512 batch=8 dtype=bf16");
        add("aten::_scaled_mm_v2, sizes = [[64, 32], [32, 16], [], [], [], [], [], [], [], [], [], []], types = "
            "[c10::Float8_e4m3fn, c10::Float8_e4m3fn, TensorList, ScalarList, ScalarList, TensorList, ScalarList, "
            "ScalarList, , Scalar, ScalarList, Scalar], inputs = [, , , , , , , , , 15, [], False]",
            "gemm m=64 n=16 k=32 dtype=fp8 c=bf16");
        // Of 4096 x 4096 weights: 8 bits each, or 4, of which [n / 8, k / 128, 32, 4] 32-bit words are made.
        add("aten::_weight_int8pack_mm, sizes = [[1, 4096], [4096, 4096], [4096]], types = [c10::BFloat16, signed char, "
            "c10::BFloat16]",
            "gemm m=1 n=4096 k=4096 dtype=bf16 b=int8");
        add("aten::_weight_int4pack_mm, sizes = [[1, 4096], [512, 32, 32, 4], [], [32, 4096, 2]], types = "
            "[c10::BFloat16, int, Scalar, c10::BFloat16]",
            "gemm m=1 n=4096 k=4096 dtype=bf16 b=int4");
        // What SyncBatchNorm is made of: sums of x and x^2; w (x - m) s + b; sums of dy and dy (x - m); and
        // (dy - mean - (x - m) f) g.
        add("aten::batch_norm_stats, sizes = [[8, 64], []], types = [float, Scalar]",
            "custom flops=1536 read=2048 write=0");
        add("aten::batch_norm_elemt, sizes = [[8, 64], [64], [64], [64], [64], []], types = [float, float, float, "
            "float, float, Scalar]",
            "custom flops=2048 read=2048 write=2048");
        add("aten::batch_norm_backward_reduce, sizes = [[8, 64], [8, 64], [64], [64], [64], [], [], []], types = "
            "[c10::Half, c10::Half, float, float, float, Scalar, Scalar, Scalar]",
            "custom flops=2048 read=2048 write=0");
        add("aten::batch_norm_backward_elemt, sizes = [[8, 64], [8, 64], [64], [64], [64], [64], [64], [1]], types = "
            "[c10::Half, c10::Half, float, float, float, float, float, int]",
            "custom flops=2560 read=2048 write=1024");
        add("aten::_foreach_norm, sizes = [[1000], [], []], types = [TensorList, Scalar, ]",
            "reduction n=1000");
        add("aten::_amp_foreach_non_finite_check_and_unscale_, sizes = [[1000], [1], [1]], types = [TensorList, float, "
            "float]",
            "elementwise n=1000 broadcast=2");
    }
    void operators_become_operations() {
        QFETCH(QString, text);
        QCOMPARE(read(QTest::currentDataTag()), text.toStdString());
    }

    void the_innermost_known_range_holds_and_its_pipe_tells_the_type() {
        const Profile profile = profile_of(
            {{"gemm",
              {"step", "aten::linear, op_id = 1, sizes = [[64, 32], [16, 32], []]",
               "aten::mm, op_id = 2, sizes = [[64, 32], [32, 16]]"},
              {{.pipe = {PipeKind::tensor_bf16}, .work = Flops(65536)}}},
             {"void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<c10::Half>>",
              {"aten::add, op_id = 3, sizes = [[64, 16], [64, 16], []]"}},
             {"other", {"aten::relu, op_id = 4, sizes = [[64, 16]]"}},
             {"none", {"aten::linear, op_id = 5"}},
             {"void at::native::CatArrayBatchedCopy<at::native::OpaqueType<2u>, unsigned int, 2, 64, 64>",
              {"aten::cat, op_id = 6, sizes = [[8, 64], [8, 32], []], types = [TensorList, TensorList, Scalar]"}},
             {"void at::native::CatArrayBatchedCopy<at::native::OpaqueType<16u>, unsigned int, 2, 64, 64>",
              {"aten::cat, op_id = 7, sizes = [[8, 64], [8, 32], []]"}}});
        const LaunchOperations operations = bind_operations(profile, {});
        QCOMPARE(text_of(operations, 0), std::string("gemm m=64 n=16 k=32 dtype=bf16"));
        QVERIFY(operations.of(LaunchIndex{0})->source == BindingSource::pytorch);
        QVERIFY(operations.of(LaunchIndex{0})->why.find("aten::mm") != std::string::npos);
        QCOMPARE(text_of(operations, 1), std::string("elementwise n=1024 inputs=2 dtype=fp16"));
        QCOMPARE(assumed_type(*operations.of(LaunchIndex{2})->model), std::string("dtype=fp32"));
        QCOMPARE(text_of(operations, 3), std::string("none"));
        QCOMPARE(text_of(operations, 4), std::string("copy n=768 dtype=fp16"));
        QCOMPARE(text_of(operations, 5), std::string("copy n=768"));
    }

    void a_product_of_no_counters_has_the_type_in_the_name_of_its_kernel_data() {
        QTest::addColumn<QString>("type");
        const auto add = [](const char* name, const char* type) { QTest::newRow(name) << QString(type); };
        add("ampere_sgemm_128x64_tn", "fp32");
        add("volta_dgemm_64x64_nn", "fp64");
        add("ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_32x5_nn", "fp16");
        add("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x5_tn", "bf16");
        add("ampere_h16816gemm_128x128_ldg8_stages_32x5_nn", "fp16");
        add("turing_s1688gemm_fp16_128x128_ldg8_f2f_tn", "fp16");
        add("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x256_16x3_nn_align4>(T1::Params)",
            "tf32");
        add("void cutlass::Kernel<cutlass_80_simt_sgemm_128x64_8x5_nn_align1>(T1::Params)", "fp32");
        add("cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8", "bf16");
        add("cutlass_80_tensorop_d884gemm_64x64_16x4_nn_align1", "fp64");
        add("cutlass3x_sm90_tensorop_s64x128x32gemm_e4m3_e4m3_f32_bf16_bf16_128x128x128", "fp8");
        add("sm80_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x128x16", "tf32");
        add("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize32x32x8", "fp32");
        add("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_cublas", "bf16");
        add("sm89_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n", "fp8");
        add("sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nchw", "tf32");
        add("void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816fprop_optimized_f16_128x128>(T1::Params)",
            "fp16");
        add("ampere_scudnn_128x64_relu_medium_nn_v1", "fp32");
        add("void gemmSN_NN_kernel<float, 128, 2, 4, 8, 3, 4, false>(cublasGemmSmallNParams)", "fp32");
        add("void gemv2T_kernel_val<int, int, __half, __half, __half, float, 128, 16, 4>(int)", "fp16");
        add("volta_sgemm_fp16_128x64_nn", "");  // halves on the FP32 pipe
        add("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_f16_knob_7", "");
        add("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_NNT", "bf16");
        add("nvjet_qqh_256x128", "fp8");
        add("nvjet_sm90_", "");
        add("gemm_kernel", "fp16");  // nothing but its default
        QTest::newRow("linear_splitk") << QString();
    }
    void a_product_of_no_counters_has_the_type_in_the_name_of_its_kernel() {
        QFETCH(QString, type);
        const std::string kernel = QTest::currentDataTag();
        const LaunchOperations operations = bind_operations(
            profile_of({{kernel, {"aten::mm, op_id = 2, sizes = [[64, 32], [32, 16]]"}}}), {});
        const BoundOperation& operation = *operations.of(LaunchIndex{0});
        const bool told = !type.isEmpty() && kernel != "gemm_kernel";
        QCOMPARE(operation.text, "gemm m=64 n=16 k=32" + (told ? " dtype=" + type.toStdString() : ""));
        QCOMPARE(why_words(operation).ends_with(told ? "by the name of its kernel" : "dtype=fp16 is assumed"),
                 true);
    }
    // PyTorch says float of what its libraries multiply as TF32.
    void a_name_tells_tf32_from_fp32_and_without_one_fp32_is_said_to_be_assumed() {
        const auto bound = [](const char* kernel, std::vector<WorkSample> work = {}) {
            const LaunchOperations operations = bind_operations(
                profile_of(
                    {{kernel,
                      {"aten::addmm, op_id = 2, sizes = [[64, 16], [64, 32], [32, 16], [], []], types = [float, "
                       "float, float, Scalar, Scalar]"},
                      std::move(work)}}),
                {});
            return *operations.of(LaunchIndex{0});
        };
        const BoundOperation fast = bound("sm80_xmma_gemm_f32f32_tf32f32_f32_nn");
        QCOMPARE(fast.text, std::string("gemm m=64 n=16 k=32 beta=1 dtype=tf32"));
        QVERIFY(fast.model->work.front().pipe == Pipe{PipeKind::tensor_tf32});
        QVERIFY(bound("ampere_sgemm_128x64_tn").assumed.empty());
        const BoundOperation open = bound("some_kernel");
        QVERIFY(open.text.ends_with("dtype=fp32 beta=1"));
        QVERIFY(open.assumed.find("TF32 is assumed") != std::string::npos);
        QVERIFY(bound("some_kernel", {{.pipe = {PipeKind::fp32}, .work = Flops(65536)}}).assumed.empty());
    }
    void the_result_tells_how_many_a_reduction_has_else_one_is_assumed() {
        const char* sum = "aten::sum, op_id = 1, sizes = [[8, 64], [], [], []]";
        const char* use = "aten::relu, op_id = 2, sizes = [[8]], input_op_ids = [(1,0)]";
        const LaunchOperations told = bind_operations(profile_of({{"k", {sum}}, {"k2", {use}}}), {});
        QCOMPARE(text_of(told, 0), std::string("reduction n=512 outputs=8"));
        const LaunchOperations open = bind_operations(profile_of({{"k", {sum}}}), {});
        QVERIFY(open.of(LaunchIndex{0})->assumed.ends_with("outputs=1 is assumed"));
    }

    void the_result_tells_along_which_dimension_an_index_picks_else_that_is_assumed() {
        const char* pick = "aten::index, op_id = 1, sizes = [[1000, 64], [20]]";
        const char* use = "aten::relu, op_id = 2, sizes = [[1000, 20]], input_op_ids = [(1,0)]";
        const LaunchOperations told = bind_operations(profile_of({{"k", {pick}}, {"k2", {use}}}), {});
        QCOMPARE(text_of(told, 0), std::string("embedding tokens=20 dim=1000 vocab=64"));
        const LaunchOperations open = bind_operations(profile_of({{"k", {pick}}}), {});
        QCOMPARE(text_of(open, 0), std::string("embedding tokens=20 dim=64 vocab=1000"));
        QVERIFY(open.of(LaunchIndex{0})->assumed.ends_with("dim=0 is assumed"));
        QVERIFY(told.of(LaunchIndex{0})->assumed.empty());
    }
    void of_indices_without_sizes_it_is_said_what_would_tell_them() {
        const Profile profile =
            profile_of({{"k", {"aten::index, sizes = [[2, 16, 32], []], types = [float, ]"}},
                        {"k", {"aten::index, sizes = [[2, 16, 32], [], [3]]"}},
                        {"k", {"aten::mm, sizes = [[2, 16], []]"}},
                        {"k", {"aten::_foreach_mul_, sizes = [[8], []], types = [TensorList, Scalar]"}},
                        {"k", {"step"}},
                        {"k", {}}});
        const Profile others = profile_of(
            {{"k", {"aten::_foreach_mul_, sizes = [[], []], types = [TensorList, Scalar]"}},
             {"k",
              {"triton_red_fused_native_layer_norm_relu6_1, sizes = [[512, 1024], []], types = [float, Scalar]"}}});
        QVERIFY(unsized_words(others, others.launches[0]).find("30 tensors") != std::string::npos);
        QVERIFY(unsized_words(others, others.launches[1]).find("a reduction, \"native_layer_norm_relu6\"") !=
                std::string::npos);
        // What no size tells is said too, and what would.
        const auto why = [](const char* range) {
            const Profile one = profile_of({{"k", {range}}});
            return unsized_words(one, one.launches[0]);
        };
        QVERIFY(why("aten::normal_, sizes = [[8, 64], [], [], []]").find("random numbers") !=
                std::string::npos);
        QVERIFY(why("aten::eq, sizes = [[8, 64], [8, 64]]").find("types") != std::string::npos);
        QVERIFY(why("aten::grid_sampler_2d, sizes = [[1, 3, 8, 8]]").find("grid_sampler_2d") !=
                std::string::npos);
        QCOMPARE(why("aten::relu, sizes = [[8, 64]]"), std::string());
        // And what a trace tells but nothing counts.
        QVERIFY(
            why("aten::conv_transpose2d, sizes = [[2, 64, 56, 56], [64, 32, 2, 2], [], [], [], [], [], []]")
                .find("trace") != std::string::npos);
        QVERIFY(why("aten::conv2d, sizes = [[2, 64, 17, 17], [64, 64, 1, 7]]").find("stride=1 padding=0x3") !=
                std::string::npos);
        QVERIFY(why("aten::cudnn_convolution, sizes = [[0, 1, 2, 2], [1, 1, 1, 1]]").find("no elements") !=
                std::string::npos);
        QVERIFY(why("aten::add, sizes = [[0, 64], [0, 64], []]").find("no elements") != std::string::npos);
        QVERIFY(why("aten::add, sizes = [[8], [8]], types = [short int, short int]").find("short int") !=
                std::string::npos);
        QVERIFY(why("aten::linalg_lu_factor_ex, sizes = [[8, 4], [], []], types = [float, Scalar, Scalar]")
                    .find("square") != std::string::npos);
        QVERIFY(
            why("aten::avg_pool2d, sizes = [[1, 1, 9, 9], [], [], [], [], [], []], types = [float, , , , , , ], "
                "inputs = [, [10, 10], [2, 2], [0, 0], True, True, ]")
                .find("windows") != std::string::npos);
        // Settings tell more only where sizes do not tell the operation.
        QCOMPARE(why("aten::addmm, sizes = [[8], [64, 32], [31, 8], [], []]"), std::string());
        QVERIFY(why("aten::topk, sizes = [[8, 64], [], [], [], []]").find("settings") != std::string::npos);
        QVERIFY(
            why("aten::cudnn_convolution, sizes = [[1, 1, 2, 2], [1, 1, 3, 3], [], [], [], []], types = [float, "
                "float], inputs = [, , [0, 0], [1, 1], [1, 1], 1]")
                .find("does not fit") != std::string::npos);
        const std::string words = unsized_words(profile, profile.launches[0]);
        QVERIFY(words.find("--pytorch") != std::string::npos && words.find("gather n=") != std::string::npos);
        for (std::size_t i = 1; i < profile.launches.size(); ++i)
            QCOMPARE(unsized_words(profile, profile.launches[i]), std::string());
        const Analysis analysis = by(GroupBy::launch, profile);
        const auto advice =
            QString::fromStdString(to_text(advise_ranked(profile, analysis, {}, 0), analysis, 0));
        QCOMPARE(advice.simplified().count(QString::fromStdString(words)), 1);
        const auto& blocks = kernel_page(profile, analysis, 0).blocks;
        QCOMPARE(std::ranges::count(blocks, words, &TextBlock::text), 1);
    }
    void a_gradient_whose_rows_nobody_tells_has_those_of_its_tokens_at_least() {
        const char* call = "aten::embedding_dense_backward, op_id = 1, sizes = [[8, 64], [8], [], [], []]";
        const char* use =
            "aten::add_, op_id = 2, sizes = [[1000, 64], [1000, 64]], input_op_ids = [(0,-1), (1,0)]";
        const LaunchOperations open = bind_operations(profile_of({{"k", {call}}}), {});
        QCOMPARE(text_of(open, 0), std::string("embedding_backward tokens=8 dim=64"));
        QVERIFY(open.of(LaunchIndex{0})->assumed.ends_with("is assumed"));
        const LaunchOperations told = bind_operations(profile_of({{"k", {call}}, {"k2", {use}}}), {});
        QCOMPARE(text_of(told, 0), std::string("embedding_backward tokens=8 dim=64 vocab=1000"));
    }
    // 8 x 96 elements, once in and once out, of a type that nobody told.
    void what_is_concatenated_moves_twice_and_its_type_is_said_to_be_assumed() {
        const Analysis analysis = by(
            GroupBy::kernel, profile_of({{"k", {"aten::cat, op_id = 7, sizes = [[8, 64], [8, 32], []]"}}}));
        const AlgorithmicTarget& target = *analysis.points.front().target;
        QCOMPARE(target.bytes.value(), 2.0 * 4 * 8 * 96);
        QCOMPARE(assumed_type(*target.operation->model), std::string("dtype=fp32"));
        QVERIFY(operation_sentence(target).find("dtype=fp32 is assumed") != std::string::npos);
    }

    void what_a_person_says_goes_first() {
        const Profile profile = profile_of({{"k", {"aten::mm, op_id = 2, sizes = [[64, 32], [32, 16]]"}},
                                            {"k2", {"aten::mm, op_id = 3, sizes = [[64, 32], [32, 16]]"}}});
        Bindings bindings;
        bindings.user = {{"k", std::nullopt, "copy n=9"}};
        bindings.rules = {{"k2", "copy n=10", RuleSubject::kernel_name}};
        const LaunchOperations operations = bind_operations(profile, bindings);
        QCOMPARE(text_of(operations, 0), std::string("copy n=9"));
        QCOMPARE(text_of(operations, 1), std::string("copy n=10"));
    }

    void several_kernels_of_one_operation_are_one_point_and_none_is_held_to_the_whole() {
        const Profile profile = unfused_attention();
        const Analysis kernels = by(GroupBy::kernel, profile);
        QCOMPARE(kernels.points.size(), std::size_t{3});
        for (const KernelPoint& point : kernels.points) {
            QVERIFY(point.target && point.target->in_part && !point.target->byte_gap);
            QCOMPARE(point.target->bound, 0U);
        }
        const Analysis operations = by(GroupBy::operation, profile);
        QCOMPARE(operations.points.size(), std::size_t{1});
        const KernelPoint& point = operations.points.front();
        QCOMPARE(point.name, std::string("attention_prefill seq=128 head_dim=64 heads=8 batch=2"));
        QCOMPARE(point.launches, 3U);
        QCOMPARE(point.time->value(), 3e-5);
        // Q, K, V in and the output out, FP16
        const double needed = 4.0 * 2 * 8 * 128 * 64 * 2;
        QCOMPARE(point.target->bytes.value(), needed);
        QCOMPARE(*point.target->byte_gap, 8e6 / needed);
    }
    void a_call_of_which_a_launch_is_bound_otherwise_is_left_out() {
        const Profile profile = unfused_attention();
        Bindings bindings;
        bindings.user = {{"softmax", std::nullopt, "copy n=9"}};
        const LaunchOperations operations = bind_operations(profile, bindings);
        QCOMPARE(text_of(operations, 1), std::string("copy n=9"));
        QVERIFY(operations.launches_of_execution.empty());
        QCOMPARE(text_of(operations, 0), std::string("none"));
    }
    void one_kernel_twice_in_numbered_calls_is_two_operations_of_one_row() {
        const auto call = [](int id) {
            return "aten::mm, op_id = " + std::to_string(id) + ", sizes = [[64, 32], [32, 16]]";
        };
        const Analysis analysis = by(GroupBy::operation, profile_of({{"gemm", {call(1)}, {}, 1e4},
                                                                     {"reduce", {call(1)}, {}, 1e4},
                                                                     {"gemm", {call(2)}, {}, 1e4},
                                                                     {"reduce", {call(2)}, {}, 1e4},
                                                                     {"plain", {}, {}, 1e4}}));
        QCOMPARE(analysis.points.size(), std::size_t{2});
        QCOMPARE(analysis.points[0].launches, 4U);
        QCOMPARE(analysis.points[0].target->bytes.value(), 2 * 2.0 * (64 * 32 + 32 * 16 + 64 * 16));
        QCOMPARE(analysis.points[1].name, std::string("plain"));
        QVERIFY(!analysis.points[1].target);
    }
    // 100 us each above what 92.1 MB take, the two kernels of a linear together.
    void what_several_carried_out_recovers_beside_what_one_did() {
        const std::string sizes = "sizes = [[64, 4096], [4096, 11008]], types = [c10::Half, c10::Half]";
        Profile profile = profile_of({{"split", {"aten::mm, op_id = 1, " + sizes}},
                                      {"reduce", {"aten::mm, op_id = 1, " + sizes}},
                                      {"gemm", {"aten::mm, op_id = 2, " + sizes}}});
        profile.devices.front().name = "machine";
        profile.devices.front().ceilings = {.compute = {{{PipeKind::tensor_fp16}, FlopRate(312e12), {}}},
                                            .bandwidth = {{Boundary::hbm_dram_rw, ByteRate(2.039e12), {}}}};
        for (Launch& launch : profile.launches)
            launch.duration = Seconds(100e-6);
        const Analysis analysis = by(GroupBy::operation, profile);
        QCOMPARE(analysis.points.size(), std::size_t{1});
        const Recoverable& recoverable = *analysis.points.front().recoverable;
        const double bound = 2.0 * (64 * 4096 + 4096 * 11008 + 64 * 11008) / 2.039e12;
        QCOMPARE(recoverable.launches, 3U);
        QVERIFY(std::abs(recoverable.time.value() - (300e-6 - 2 * bound)) < 1e-9);
        QVERIFY(std::abs(recoverable.of.value() - 300e-6) < 1e-12);
    }
    void the_kernels_of_one_operation_are_no_spread_of_it() {
        const auto call = [](int id) {
            return "aten::mm, op_id = " + std::to_string(id) + ", sizes = [[64, 32], [32, 16]]";
        };
        const auto part = [&](const char* kernel, int id, double work, double bytes) {
            return Made{kernel, {call(id)}, {{.pipe = {PipeKind::fp32}, .work = Flops(work)}}, bytes};
        };
        const Analysis one =
            by(GroupBy::operation, profile_of({part("gemm", 1, 65536, 1e4), part("sum", 1, 64, 1e4)}));
        QVERIFY(!one.points.front().launches_differ && !one.points.front().performance_spread);
        const Analysis two =
            by(GroupBy::operation, profile_of({part("gemm", 1, 65536, 1e4), part("sum", 1, 64, 1e4),
                                               part("gemm", 2, 65536, 1e4), part("sum", 2, 64, 1e4)}));
        QCOMPARE(two.points.front().performance_spread->min, 65600 / 2e-5);
        QCOMPARE(two.points.front().performance_spread->max, 65600 / 2e-5);
        QVERIFY(!two.points.front().launches_differ);
    }
    void calls_without_a_number_end_where_a_kernel_comes_again() {
        const std::string call = "aten::mm, sizes = [[64, 32], [32, 16]]";
        const LaunchOperations operations = bind_operations(
            profile_of({{"gemm", {call}}, {"reduce", {call}}, {"gemm", {call}}, {"reduce", {call}}}), {});
        QCOMPARE(operations.launches_of_execution, (std::vector<std::uint32_t>{2, 2}));
    }
    // On a GPU whose roofs are known: of 30 us that two products and a softmax took together.
    void each_kernel_of_one_operation_has_its_share_of_what_that_can_recover() {
        Profile profile = unfused_attention();
        profile.devices.front().name = "NVIDIA A100-SXM4-80GB";
        for (Launch& launch : profile.launches)
            launch.traffic.clear();
        profile.launches[0].duration = Seconds(2e-5);
        profile.launches[1].duration = Seconds(4e-6);
        profile.launches[2].duration = Seconds(6e-6);
        const Analysis operations = by(GroupBy::operation, profile);
        const auto whole = recoverable_with_operation(operations.points.front());
        const auto own = recoverable_time(operations.points.front());
        QVERIFY(own && own->value() > 0);
        const Seconds all = whole.value_or(*own);
        Seconds sum;
        for (const KernelPoint& part : by(GroupBy::kernel, profile).points) {
            const double share = *part.time / Seconds(3e-5);
            QVERIFY(std::abs(*part.target->shared_recoverable / all - share) < 1e-9);
            QVERIFY(std::abs(*part.target->whole_recoverable / all - 1) < 1e-9);
            sum += *part.target->shared_recoverable;
        }
        QVERIFY(std::abs(sum / all - 1) < 1e-9);
    }
    void one_kernel_for_two_parts_of_a_call_is_one_operation() {
        // The products of a mean square norm by its parts, as a trace has them: without numbers.
        const std::string norm = "aten::rms_norm, sizes = [[32, 64], [], [64], []]";
        const auto part = [&](const char* kernel, const char* inner) { return Made{kernel, {norm, inner}}; };
        const std::vector<Made> one{
            part("pow", "aten::pow, sizes = [[32, 64], []]"),
            {"cast", {norm, "aten::to, sizes = [[], [], []]", "aten::copy_, sizes = [[], [], []]"}},
            part("mul", "aten::mul, sizes = [[32, 64], [32, 1]]"),
            part("mul", "aten::mul, sizes = [[32, 64], [64]]")};
        std::vector<Made> two = one;
        two.insert(two.end(), one.begin(), one.end());
        const LaunchOperations operations = bind_operations(profile_of(two), {});
        QCOMPARE(operations.launches_of_execution, (std::vector<std::uint32_t>{3, 3}));
        const Analysis analysis = by(GroupBy::operation, profile_of(two));
        QCOMPARE(analysis.points[0].name, std::string("rmsnorm rows=32 cols=64"));
        QCOMPARE(analysis.points[0].launches, 6U);
    }
    void calls_that_read_alike_are_told_by_the_launch() {
        const std::string call = "aten::mm, sizes = [[64, 32], [32, 16]]";
        const auto launch = [&](const char* kernel, std::uint32_t range_call) {
            return Made{kernel, {call}, {}, 0, range_call};
        };
        const Profile apart = profile_of({launch("nn", 1), launch("nt", 2)});
        QVERIFY(bind_operations(apart, {}).launches_of_execution.empty());
        const Profile between =
            profile_of({launch("gemm", 1), {"other", {}}, launch("reduce", 1), launch("gemm", 2)});
        const LaunchOperations operations = bind_operations(between, {});
        QCOMPARE(operations.launches_of_execution, std::vector<std::uint32_t>{2});
        QCOMPARE(text_of(operations, 3), std::string("gemm m=64 n=16 k=32"));
    }
    void calls_without_a_number_end_where_the_stream_does_something_else() {
        const std::string call = "aten::mm, sizes = [[64, 32], [32, 16]]";
        const LaunchOperations operations =
            bind_operations(profile_of({{"nn", {call}}, {"other", {}}, {"nt", {call}}}), {});
        QVERIFY(operations.launches_of_execution.empty());
        QCOMPARE(text_of(operations, 0), std::string("gemm m=64 n=16 k=32"));
        QCOMPARE(text_of(operations, 2), std::string("gemm m=64 n=16 k=32"));
    }
    void a_call_goes_on_while_its_kernels_come_again() {
        const std::string call =
            "aten::cudnn_convolution, sizes = [[2, 64, 56, 56], [64, 64, 3, 3]], inputs = [, "
            ", [1, 1], [1, 1], [1, 1], 1]";
        const auto launch = [&](const char* kernel, std::uint32_t range_call) {
            return Made{kernel, {"aten::conv2d, sizes = [[2, 64, 56, 56]]", call}, {}, 0, range_call};
        };
        const LaunchOperations operations =
            bind_operations(profile_of({launch("nhwc", 1), launch("nhwc", 1), launch("conv", 1),
                                        launch("nhwc", 2), launch("nhwc", 2), launch("conv", 2)}),
                            {});
        QCOMPARE(operations.launches_of_execution, (std::vector<std::uint32_t>{3, 3}));
    }
    void sizes_of_a_sparse_matrix_tell_nothing() {
        const std::string call = "aten::addmv, sizes = [[64], [64, 64], [64], [], []]";
        const LaunchOperations operations =
            bind_operations(profile_of({{"void cusparse::csrmv_v3_kernel<float>(float*)", {call}}}), {});
        QCOMPARE(text_of(operations, 0), std::string("none"));
    }
    void a_whole_is_told_by_itself_and_not_by_what_it_calls() {
        const NvtxStack rows{"aten::index_select, sizes = [[100, 64], [], [7]], inputs = [, 0, ]",
                             "aten::gather, sizes = [[100, 64], [], [7, 64], [], [7, 64]]"};
        QCOMPARE(text_of(bind_operations(profile_of({{"k", rows}}), {}), 0),
                 std::string("embedding tokens=7 dim=64 vocab=100"));
    }
    void the_next_call_tells_the_output_of_a_convolution() {
        const NvtxStack conv{
            "aten::conv2d, op_id = 1, sizes = [[2, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], []]",
            "aten::cudnn_convolution, op_id = 2, sizes = [[2, 64, 56, 56], [64, 64, 3, 3], [], [], [], [], "
            "[], [], []]"};
        const NvtxStack norm{"aten::relu, op_id = 4, sizes = [[2, 64, 28, 28]], input_op_ids = [(1,0)]"};
        const LaunchOperations told = bind_operations(profile_of({{"c", conv}, {"r", norm}}), {});
        QCOMPARE(told.of(LaunchIndex{0})->model->operation, std::string("conv2d"));
        QVERIFY(text_of(told, 0).find("stride=2 padding=1") != std::string::npos);
        QVERIFY(told.of(LaunchIndex{0})->assumed.empty());
        // Alone it has to do what is assumed.
        const double assumed = 2.0 * 2 * 64 * 56 * 56 * 64 * 9;
        const auto that_did = [&](double work) {
            std::vector<WorkSample> samples;
            if (work > 0) samples.push_back({.pipe = {PipeKind::tensor_fp16}, .work = Flops(work)});
            return bind_operations(profile_of({{"c", conv, samples}}), {});
        };
        const LaunchOperations alone = that_did(assumed);
        QVERIFY(text_of(alone, 0).find("padding=1") != std::string::npos);
        QVERIFY(alone.of(LaunchIndex{0})->assumed.find("stride=1 padding=1 is assumed") != std::string::npos);
        QCOMPARE(text_of(that_did(assumed / 4), 0), std::string("none"));
        QCOMPARE(text_of(that_did(0), 0), std::string("none"));
    }
    void patches_are_a_convolution_whose_stride_is_its_kernel() {
        auto op = read_pytorch_call("aten::conv2d, sizes = [[1, 3, 224, 224], [768, 3, 16, 16]]");
        op->output = {1, 768, 14, 14};
        QVERIFY(operation_of(*op)->text.find("stride=16") != std::string::npos);
        auto vast = read_pytorch_call("aten::conv2d, sizes = [[1, 1, 9, 9], [1, 1, 1000000000000000, 1]]");
        vast->output = op->output;
        QVERIFY(!operation_of(*vast));
    }
    void conversions_of_autocast_are_no_part_of_the_operator() {
        const std::string outer =
            "aten::linear, op_id = 1, sizes = [[64, 32], [16, 32], []], types = [float, float, ]";
        const NvtxStack cast{outer, "aten::to, op_id = 2, sizes = [[64, 32], [], []], types = [float, , ]",
                             "aten::_to_copy, op_id = 3, sizes = [[64, 32], [], []], types = [float, , ]",
                             "aten::copy_, op_id = 4, sizes = [[64, 32], [64, 32], []]"};
        NvtxStack again = cast;
        again.back() = "aten::copy_, op_id = 7, sizes = [[64, 32], [64, 32], []]";
        const NvtxStack product{
            outer,
            "aten::linear, op_id = 5, sizes = [[64, 32], [16, 32], []], types = [c10::Half, c10::Half, ]",
            "aten::mm, op_id = 6, sizes = [[64, 32], [32, 16]], types = [c10::Half, c10::Half]"};
        const LaunchOperations operations =
            bind_operations(profile_of({{"cast", cast}, {"cast", again}, {"gemm", product}}), {});
        // Ranges tell no types of what autocast does: bytes of the usual ones, which is said.
        QCOMPARE(text_of(operations, 0), std::string("custom flops=0 read=8192 write=4096"));
        QVERIFY(operations.of(LaunchIndex{0})->assumed.find("is assumed") != std::string::npos);
        QCOMPARE(text_of(operations, 2), std::string("gemm m=64 n=16 k=32 dtype=fp16"));
        QVERIFY(operations.launches_of_execution.empty());
        const NvtxStack told{
            outer, cast[1], cast[2],
            "aten::copy_, sizes = [[64, 32], [64, 32], []], types = [c10::Half, float, Scalar]"};
        const LaunchOperations typed = bind_operations(profile_of({{"cast", told}, {"gemm", product}}), {});
        QCOMPARE(text_of(typed, 0), std::string("custom flops=0 read=8192 write=4096"));
        QCOMPARE(text_of(typed, 1), std::string("gemm m=64 n=16 k=32 dtype=fp16"));
    }
    void what_calls_of_attention_and_products_take_is_counted_by_hand() {
        const auto work = [](const std::string& range) {
            const auto model = model_operation(read(range));
            return model ? model->total_work().value() : 0;
        };
        const std::string is_causal = "inputs = [, , , , 0., True, ]";
        const std::string five_of_eight =
            "aten::scaled_dot_product_attention, sizes = [[5, 64], [8, 64], [8, 64], [], [], [], []], ";
        const std::string eight_of_five =
            "aten::scaled_dot_product_attention, sizes = [[8, 64], [5, 64], [5, 64], [], [], [], []], ";
        QCOMPARE(work(five_of_eight + is_causal), 4.0 * 64 * (1 + 2 + 3 + 4 + 5));
        QCOMPARE(work(eight_of_five + is_causal), 4.0 * 64 * (1 + 2 + 3 + 4 + 4 * 5));
        QCOMPARE(work("aten::addbmm, sizes = [[4, 5], [3, 4, 6], [3, 6, 5], [], []]"), 3 * 2.0 * 4 * 5 * 6);
        QCOMPARE(work("aten::dot, sizes = [[4096], [4096]]"), 2 * 4096.0);
        const auto deep = read_pytorch_call(
            "aten::scaled_dot_product_attention, sizes = [[2, 3, 4, 5, 6], [2, 3, 4, 5, 6], [2, 3, 4, 5, 6]]");
        QVERIFY(deep && !operation_of(*deep));
        QVERIFY(!unknown_words(*deep).empty());
    }
    void attention_that_did_half_the_work_is_causal() {
        const double full = 4.0 * 128 * 128 * 64 * 16;
        const auto with = [&](double share) {
            return text_of(
                bind_operations(
                    profile_of({{"flash",
                                 {sdpa},
                                 {{.pipe = {PipeKind::tensor_fp16}, .work = Flops(full * share)}}}}),
                    {}),
                0);
        };
        QVERIFY(with(1).find("causal") == std::string::npos);
        QVERIFY(with(0.6).find("causal=yes dtype=fp16") != std::string::npos);
        const LaunchOperations timed = bind_operations(profile_of({{"flash", {sdpa}}}), {});
        QVERIFY(timed.of(LaunchIndex{0})->assumed.find("causal=no is assumed") != std::string::npos);
        const LaunchOperations told =
            bind_operations(profile_of({{"flash", {sdpa + ", inputs = [, , , , 0., True, ]"}}}), {});
        QVERIFY(told.of(LaunchIndex{0})->assumed.empty());
        QCOMPARE(told.of(LaunchIndex{0})->model->total_work().value(), 4.0 * 129 * 64 * 64 * 16);
    }
};

}  // namespace tst_pytorch_ops

ROOFWALK_TEST(tst_pytorch_ops, TestPytorchOps, NoApplication)
#include "tst_pytorch_ops.moc"
