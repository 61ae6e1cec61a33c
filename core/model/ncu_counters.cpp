// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ncu_counters.h"

namespace roofwalk {

namespace {

/// 0.0 where the capability is not known.
ComputeCapability capability_of(const Device& device) {
    return device.compute_capability.value_or(ComputeCapability{});
}

}  // namespace

std::string_view l1_writeback_counter(const Device& device) {
    const ComputeCapability capability = capability_of(device);
    if (capability <= ComputeCapability{7, 2}) return "l1tex__lsu_writeback_active";
    if (capability < ComputeCapability{9, 0}) return "l1tex__lsu_writeback_active_mem_lg";
    return "l1tex__lsu_writeback_active_mem_lgds";
}

DramCounters dram_counters(const Device& device) {
    if (capability_of(device).major == 12) return {"dram__bytes_op_read", "dram__bytes_op_write"};
    return {"dram__bytes_read", "dram__bytes_write"};
}

bool has_packed_fp32(const Device& device) {
    return capability_of(device).major == 10;
}

}  // namespace roofwalk
