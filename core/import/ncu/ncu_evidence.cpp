// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_evidence.h"

#include <array>

#include "core/import/ncu/ncu_work.h"

namespace roofwalk {

namespace {

constexpr std::array<std::string_view, 61> evidence{
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__throughput.avg.pct_of_peak_sustained_active",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__maximum_warps_per_active_cycle_pct",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sm__inst_executed.avg.per_cycle_active",
    "launch__waves_per_multiprocessor",
    "launch__registers_per_thread",
    "launch__shared_mem_per_block",
    "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic",
    "launch__occupancy_limit_blocks",
    "launch__occupancy_limit_registers",
    "launch__occupancy_limit_shared_mem",
    "launch__occupancy_limit_warps",
    "l1tex__t_sector_hit_rate.pct",
    "lts__t_sector_hit_rate.pct",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio",
    "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio",
    "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "memory_l1_wavefronts_shared",
    "memory_l1_wavefronts_shared_ideal",
    "sm__cycles_active.avg",
    "gpc__cycles_elapsed.max",
    "sm__cycles_elapsed.avg.per_second",
    "smsp__cycles_elapsed.avg.per_second",
    "gpc__cycles_elapsed.avg.per_second",
    "lts__cycles_elapsed.avg.per_second",
    "l1tex__cycles_elapsed.avg.per_second",
    "dram__cycles_elapsed.avg.per_second",
    "sm__inst_executed.sum",
    "smsp__inst_executed.sum",
    "profiler__replayer_passes",
    "memory_l2_theoretical_sectors_global",
    "memory_l2_theoretical_sectors_global_ideal",
    "memory_l2_theoretical_sectors_local",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed",
    "smsp__thread_inst_executed_per_inst_executed.ratio",
    "smsp__average_warp_latency_per_inst_issued.ratio",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_drain_per_issue_active.ratio",
    "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "dram__bytes.max",
    "dram__bytes.avg",
};

/// What Nsight Compute of 2019 calls throughputs on GPUs before Volta, and their names since.
struct OldName {
    std::string_view old_name;
    std::string_view name;
};
constexpr std::array<OldName, 4> throughputs_of_2019{{
    {"sm__sol_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"ltc__sol_pct", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"fbpa__sol_pct", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"gpu__compute_memory_sol_pct", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
}};

}  // namespace

void keep_evidence(const NcuValues& values, Launch& launch, Profile& profile) {
    for (const std::string_view name : evidence)
        if (const auto number = values.source_counter(name))
            launch.metrics.push_back({profile.texts.intern(name), *number});
    for (const auto& [old_name, name] : throughputs_of_2019)
        if (const auto number = values.value(old_name); number && !values.value(name))
            launch.metrics.push_back({profile.texts.intern(name), *number});
    if (const auto additions = half_additions(values); additions && *additions > 0)
        launch.metrics.push_back(
            {profile.texts.intern("smsp__sass_thread_inst_executed_op_hadd_pred_on.sum"), *additions});
}

}  // namespace roofwalk
