// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/tensor_metrics.h"

#include <initializer_list>
#include <string_view>

namespace roofwalk {

namespace {

constexpr std::string_view sparse = "2:4 sparse operations";

/// Sums over dense and sparse operations need passes of their own, so that only the dense ones are asked for.
std::vector<std::string> dense(std::initializer_list<std::string_view> paths,
                               std::initializer_list<std::string_view> never_sparse) {
    std::vector<std::string> names;
    for (const std::string_view path : paths)
        names.push_back("sm__ops_path_tensor_" + std::string(path) + "_sparsity_off.sum");
    for (const std::string_view path : never_sparse)
        names.push_back("sm__ops_path_tensor_" + std::string(path) + ".sum");
    return names;
}

std::string with_sparse(std::string_view others) {
    return std::string(sparse) + ", " + std::string(others);
}

}  // namespace

std::optional<TensorMetrics> tensor_metrics(ChipFamily family) {
    switch (family) {
        case ChipFamily::pascal:
        case ChipFamily::turing_without_tensor:
            return std::nullopt;
        case ChipFamily::volta:
            return TensorMetrics{dense({}, {"src_fp16_dst_fp16", "src_fp16_dst_fp32"}), "FP16", ""};
        case ChipFamily::turing:
            return TensorMetrics{dense({}, {"src_fp16_dst_fp16", "src_fp16_bf16_tf32_dst_fp32", "src_int8",
                                            "src_int4", "src_int1"}),
                                 "FP16, INT8, INT4, INT1", ""};
        case ChipFamily::ampere_100:
        case ChipFamily::ampere_10x:
            return TensorMetrics{dense({"src_bf16_dst_fp32", "src_fp16_dst_fp16", "src_fp16_dst_fp32",
                                        "src_tf32_dst_fp32", "src_int8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, INT8, FP64", with_sparse("INT4, INT1")};
        case ChipFamily::ada:
            return TensorMetrics{dense({"src_bf16_dst_fp32", "src_fp16_dst_fp16", "src_fp16_dst_fp32",
                                        "src_tf32_dst_fp32", "src_int8", "src_fp8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, INT8, FP8, FP64", with_sparse("INT4, INT1")};
        case ChipFamily::hopper:
            return TensorMetrics{dense({"op_hgmma_src_bf16_dst_fp32", "op_hgmma_src_fp16",
                                        "op_hgmma_src_tf32_dst_fp32", "src_fp8", "op_igmma_src_int8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, FP8, INT8 of wgmma, FP64",
                                 with_sparse("INT1, mma.sync (plan D)")};
        case ChipFamily::blackwell_100:
        case ChipFamily::blackwell_10b:
            return TensorMetrics{dense({"op_utchmma_src_bf16_dst_fp32", "op_utchmma_src_fp16_dst_fp32",
                                        "op_utchmma_src_tf32_dst_fp32", "op_utcqmma_src_fp4_fp6_fp8_dst_fp32",
                                        "op_utcomma_src_fp4_dst_fp32", "op_utcimma_src_int8"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, FP8/FP6/FP4, INT8 of tcgen05, FP64",
                                 with_sparse("accumulation in FP16, mma.sync (plan D)")};
        case ChipFamily::blackwell_110:
            return TensorMetrics{dense({"op_utchmma_src_bf16_dst_fp32", "op_utchmma_src_fp16_dst_fp32",
                                        "op_utchmma_src_tf32_dst_fp32", "op_utcqmma_src_fp8_dst_fp32",
                                        "op_utcqmma_src_fp4_fp6_dst_fp32", "op_utcomma_src_fp4_dst_fp32"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, FP8, FP6/FP4 of tcgen05, FP64",
                                 with_sparse("accumulation in FP16, mma.sync (plan D)")};
        case ChipFamily::blackwell_20x:
            return TensorMetrics{dense({"op_hmma_src_bf16_dst_fp32", "op_hmma_src_fp16_dst_fp16",
                                        "op_hmma_src_fp16_dst_fp32", "op_hmma_src_tf32_dst_fp32",
                                        "op_imma_src_int8", "src_fp8_dst_fp32", "src_fp4_dst_fp32"},
                                       {"src_fp64"}),
                                 "dense BF16, FP16, TF32, INT8, FP8, FP4, FP64",
                                 with_sparse("FP6, accumulation of FP8 in FP16")};
    }
    return std::nullopt;
}

std::optional<TensorMetrics> warp_tensor_metrics(ChipFamily family) {
    switch (family) {
        case ChipFamily::hopper:
        case ChipFamily::blackwell_100:
        case ChipFamily::blackwell_110:
        case ChipFamily::blackwell_10b:
            return TensorMetrics{
                dense({"op_hmma_src_bf16_dst_fp32", "op_hmma_src_fp16_dst_fp16", "op_hmma_src_fp16_dst_fp32",
                       "op_hmma_src_tf32_dst_fp32", "op_imma_src_int8"},
                      {"src_fp64"}),
                "dense BF16, FP16, TF32, INT8 of mma.sync, FP64", std::string(sparse)};
        default:
            return std::nullopt;
    }
}

}  // namespace roofwalk
