// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/former_metrics.h"

#include <fmt/format.h>

#include <array>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr std::size_t shortest_word = 4;
constexpr std::size_t most_meant = 5;

/// The names of nvprof as the documentation of Nsight Compute maps them.
constexpr std::array table{
    FormerMetric{"l2__throughput_percentage", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    FormerMetric{"sm__throughput_percentage", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    FormerMetric{"dram__throughput_percentage", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    FormerMetric{"l1tex__average_t_sectors_per_request",
                 "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    FormerMetric{"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.avg",
                 "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"},
    FormerMetric{"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.avg",
                 "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"},
    FormerMetric{
        "sm__inst_executed_pipe_tensor",
        "sm__ops_path_tensor_* from Ampere on, by type (sm__inst_executed_pipe_tensor.sum is of Volta and "
        "Turing)"},
    FormerMetric{"dram_read_bytes", "dram__bytes_read.sum"},
    FormerMetric{"dram_write_bytes", "dram__bytes_write.sum"},
    FormerMetric{"dram_read_throughput", "dram__bytes_read.sum.per_second"},
    FormerMetric{"dram_write_throughput", "dram__bytes_write.sum.per_second"},
    FormerMetric{"dram_read_transactions", "dram__sectors_read.sum"},
    FormerMetric{"dram_write_transactions", "dram__sectors_write.sum"},
    FormerMetric{"dram_utilization", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    FormerMetric{"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    FormerMetric{"sm_efficiency", "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"},
    FormerMetric{"ipc", "smsp__inst_executed.avg.per_cycle_active"},
    FormerMetric{"warp_execution_efficiency", "smsp__thread_inst_executed_per_inst_executed.ratio"},
    FormerMetric{"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
    FormerMetric{"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"},
    FormerMetric{"gld_transactions_per_request",
                 "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    FormerMetric{"gst_transactions_per_request",
                 "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
    FormerMetric{"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    FormerMetric{"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    FormerMetric{"gld_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"},
    FormerMetric{"gst_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second"},
    FormerMetric{"tex_cache_hit_rate", "l1tex__t_sector_hit_rate.pct"},
    FormerMetric{"l2_tex_hit_rate", "lts__t_sector_hit_rate.pct"},
    FormerMetric{"l2_utilization", "lts__t_sectors.avg.pct_of_peak_sustained_elapsed"},
    FormerMetric{"l2_read_transactions",
                 "lts__t_sectors_op_read.sum, lts__t_sectors_op_atom.sum, lts__t_sectors_op_red.sum"},
    FormerMetric{"l2_write_transactions",
                 "lts__t_sectors_op_write.sum, lts__t_sectors_op_atom.sum, lts__t_sectors_op_red.sum"},
    FormerMetric{"shared_load_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    FormerMetric{"shared_store_transactions", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    FormerMetric{"shared_efficiency", "smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct"},
    FormerMetric{"flop_count_sp",
                 "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum, "
                 "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum, "
                 "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum (which counts twice)"},
    FormerMetric{"flop_count_dp",
                 "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum, "
                 "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum, "
                 "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum (which counts twice)"},
    FormerMetric{"flop_count_hp",
                 "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum, "
                 "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum, "
                 "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum (which counts twice)"},
    FormerMetric{"tensor_precision_fu_utilization",
                 "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"},
    FormerMetric{"inst_executed", "smsp__inst_executed.sum"},
};

/// In small letters, without the "$", "^" and backslashes of a pattern.
std::string plain(std::string_view word) {
    std::string text;
    for (const char c : word)
        if (std::string_view("^$\\ ").find(c) == std::string_view::npos)
            text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

/// Whether `typed` is the name, with a suffix such as ".sum" or without one. A name that has one of its own
/// is only that name.
bool is_named(const FormerMetric& metric, std::string_view typed) {
    const bool whole = metric.name.find('.') != std::string_view::npos;
    return metric.name == (whole ? typed : typed.substr(0, typed.find('.')));
}

}  // namespace

std::vector<FormerMetric> former_metrics_in(std::string_view word) {
    const std::string meant = plain(word);
    std::vector<FormerMetric> found;
    for (const FormerMetric& metric : table)
        if (is_named(metric, meant)) found.push_back(metric);
    if (!found.empty() || meant.size() < shortest_word) return found;
    for (const FormerMetric& metric : table)
        if (found.size() < most_meant && !metric.today.starts_with(meant) && contains(metric.name, meant))
            found.push_back(metric);
    return found;
}

std::string today_sentence(std::string_view word) {
    std::string text;
    for (const FormerMetric& metric : former_metrics_in(word))
        text += fmt::format("{}{} is {} today.", text.empty() ? "" : " ", metric.name, metric.today);
    return text;
}

}  // namespace roofwalk
