// SPDX-License-Identifier: GPL-3.0-or-later
// Where classes of operations usually stand: from one operation of the class to another, of usual sizes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/operations/op_parser.h"

namespace roofwalk {

namespace {

struct Source {
    std::string_view name;  ///< in a caption
    std::string_view reference;
};

struct UsualOperations {
    std::string_view name;
    std::string_view low;
    std::string_view high;
    Source source;                  ///< of the class and its sizes
    std::string_view between = {};  ///< one that is often told, be it by another convention
};

constexpr Source williams{"Williams et al. 2009",
                          "Williams, Waterman and Patterson, \"Roofline\", CACM 52(4), 2009"};
constexpr Source nvidia{"NVIDIA", "NVIDIA, \"GPU Performance Background User's Guide\""};
constexpr Source llama{"Llama 2", "Touvron et al., \"Llama 2\", 2023: the sizes of 7B"};
constexpr Source roformer{"RoFormer", "Su et al., \"RoFormer\", 2021; sizes of Llama 2 7B"};
constexpr Source flash{"FlashAttention", "Dao et al., \"FlashAttention\", 2022; head size of Llama 2"};
constexpr Source resnet{"ResNet", "He et al., \"Deep Residual Learning\", 2015: layers of ResNet"};

constexpr auto usual_operations = std::to_array<UsualOperations>({
    {"element-wise", "elementwise n=1e8 ops=1 inputs=2 dtype=fp32", "elementwise n=1e8 ops=8 dtype=fp16",
     nvidia},
    {"SpMV", "spmv rows=1e6 nnz=1e7 dtype=fp64", "spmv rows=1e6 nnz=5e7 dtype=fp32", williams},
    {"RoPE", "rope tokens=2048 heads=32 head_dim=128 dtype=fp32",
     "rope tokens=2048 heads=32 head_dim=128 dtype=fp16", roformer,
     "rope tokens=2048 heads=32 head_dim=128 flops=10 dtype=fp16"},
    {"GEMV, attention of a decode", "gemv m=4096 n=4096 dtype=fp32",
     "attention_decode context=4096 head_dim=128 heads=32 kv_heads=4 dtype=fp16", llama,
     "attention_decode context=4096 head_dim=128 heads=32 dtype=fp16"},
    {"softmax, norms", "softmax rows=4096 cols=4096 dtype=fp32",
     "layernorm rows=4096 cols=4096 flops=8 dtype=fp16", nvidia, "softmax rows=4096 cols=4096 dtype=fp16"},
    {"stencils", "stencil nx=512 ny=512 nz=512 points=7 dtype=fp64",
     "stencil nx=512 ny=512 nz=512 points=27 dtype=fp32", williams},
    {"FFT", "fft n=2^10 batch=4096", "fft n=2^24", williams},
    {"FFN of 1 to 256 tokens", "gemm m=1 n=11008 k=4096 dtype=fp16", "gemm m=256 n=11008 k=4096 dtype=fp16",
     llama, "gemm m=32 n=11008 k=4096 dtype=fp16"},
    {"GEMM", "gemm m=64 n=4096 k=4096 dtype=fp16", "gemm m=8192 n=8192 k=8192 dtype=fp16", nvidia,
     "gemm m=4096 n=4096 k=4096 dtype=fp16"},
    {"attention of a prompt", "attention_prefill seq=128 head_dim=128 heads=32 causal=yes dtype=fp16",
     "attention_prefill seq=16384 head_dim=128 heads=32 causal=yes dtype=fp16", flash,
     "attention_prefill seq=2048 head_dim=128 heads=32 dtype=fp16"},
    {"convolutions", "conv2d batch=32 channels=64 height=56 filters=64 kernel_h=3 padding=1 dtype=fp16",
     "conv2d batch=32 channels=512 height=14 filters=512 kernel_h=3 padding=1 dtype=fp16", resnet},
});

}  // namespace

void add_operation_ranges(Scene& scene) {
    if (!scene.options.operation_ranges || scene.unit != "FLOP") return;
    for (const UsualOperations& usual : usual_operations) {
        const auto low = model_operation(usual.low);
        const auto high = model_operation(usual.high);
        if (!low || !high) continue;  // a test finds those that cannot be read
        const auto between = model_operation(usual.between);
        scene.operation_ranges.push_back(
            {std::string(usual.name),
             {low->intensity().value(), high->intensity().value()},
             fmt::format("{}: typically {} to {} FLOP/byte, by formula from {} to {}{}; not measured ({})",
                         usual.name, format_number(low->intensity().value()),
                         format_number(high->intensity().value()), usual.low, usual.high,
                         between ? fmt::format(", {} of {}", format_number(between->intensity().value()),
                                               usual.between)
                                 : "",
                         usual.source.reference)});
    }
}

std::string operation_sources() {
    std::vector<std::string_view> names;
    for (const UsualOperations& usual : usual_operations)
        if (std::ranges::find(names, usual.source.name) == names.end()) names.push_back(usual.source.name);
    return fmt::format("{}", fmt::join(names, "; "));
}

}  // namespace roofwalk
