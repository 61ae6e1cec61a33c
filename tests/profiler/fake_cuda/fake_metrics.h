// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

/// Counters of the false device, a GH100: each follows from the name and the geometry of the kernel.
namespace roofwalk::fake {

inline constexpr const char* chip = "GH100";

/// Kernels with "gemm" in their name use tensor cores by mma.sync, those with "wgmma" by that.
[[nodiscard]] inline double metric_value(std::string_view metric, std::string_view kernel, double blocks,
                                         double threads_per_block) {
    const bool of_group = kernel.find("wgmma") != std::string_view::npos;
    const bool of_warp = kernel.find("gemm") != std::string_view::npos;
    const bool tensor = of_warp || of_group;
    const auto is = [&](std::string_view name) { return metric == name; };
    const auto has = [&](std::string_view part) { return metric.find(part) != std::string_view::npos; };
    if (is("gpu__time_duration.sum")) return 1000 * blocks;
    if (has(".per_second")) return 1.5e9;
    if (has(".peak_sustained")) return 100;
    if (has("cycles_elapsed")) return 1500 * blocks;
    if (is("dram__bytes_read.sum")) return 4096 * blocks;
    if (is("dram__bytes_write.sum")) return 2048 * blocks;
    if (is("lts__t_sectors_srcunit_tex.sum")) return 256 * blocks;
    if (is("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum")) return 96 * blocks;
    if (is("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_misc.sum")) return 32 * blocks;
    if (is("sm__inst_executed_pipe_tensor.sum")) return tensor ? 64 * blocks : 0;
    if (is("sm__inst_executed_pipe_tensor_op_hmma.sum")) return of_warp ? 64 * blocks : 0;
    if (has("sm__inst_executed_pipe_tensor")) return 0;
    if (is("sm__ops_path_tensor_op_hmma_src_bf16_dst_fp32_sparsity_off.sum"))
        return of_warp ? 1048576 * blocks : 0;
    if (is("sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off.sum"))
        return of_group ? 1048576 * blocks : 0;
    if (has("sm__ops_path_tensor")) return 0;
    if (has("sm__pipe_tensor_cycles_active")) return tensor ? 50 : 0;
    if (is("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")) return 2 * blocks * threads_per_block;
    if (is("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum")) return blocks * threads_per_block;
    if (has("_sass_")) return 0;
    return blocks;
}

}  // namespace roofwalk::fake
