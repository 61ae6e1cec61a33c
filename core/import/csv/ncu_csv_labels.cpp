// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_csv_labels.h"

#include <algorithm>
#include <array>

namespace roofwalk {

namespace {

struct Label {
    std::string_view label;
    std::string_view metric;
};

/// "SM Frequency" is that of gpc in today's sections and that of smsp in older ones, so that it gets the name
/// that is looked up last.
constexpr std::array<Label, 22> labels{{
    {"Duration", "gpu__time_duration.sum"},
    {"Elapsed Cycles", "gpc__cycles_elapsed.max"},
    {"SM Frequency", "gpc__cycles_elapsed.avg.per_second"},
    {"DRAM Frequency", "dram__cycles_elapsed.avg.per_second"},
    {"DRAM Throughput", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Hit Rate", "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", "lts__t_sector_hit_rate.pct"},
    {"Achieved Occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"Theoretical Occupancy", "sm__maximum_warps_per_active_cycle_pct"},
    {"Executed Ipc Active", "sm__inst_executed.avg.per_cycle_active"},
    {"Registers Per Thread", "launch__registers_per_thread"},
    {"Waves Per SM", "launch__waves_per_multiprocessor"},
    {"Static Shared Memory Per Block", "launch__shared_mem_per_block_static"},
    {"Dynamic Shared Memory Per Block", "launch__shared_mem_per_block_dynamic"},
    {"Block Limit SM", "launch__occupancy_limit_blocks"},
    {"Block Limit Registers", "launch__occupancy_limit_registers"},
    {"Block Limit Shared Mem", "launch__occupancy_limit_shared_mem"},
    {"Block Limit Warps", "launch__occupancy_limit_warps"},
    {"# SMs", "device__attribute_multiprocessor_count"},
}};

}  // namespace

std::string_view ncu_metric_of_label(std::string_view label, std::string_view unit) {
    if (label == "Memory Throughput")
        return unit == "%" ? "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
                           : "dram__bytes.sum.per_second";
    const auto known = std::ranges::find(labels, label, &Label::label);
    return known == labels.end() ? label : known->metric;
}

}  // namespace roofwalk
