// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/ncu_counters.h"

namespace roofwalk {

std::string_view l1_writeback_counter(std::optional<ComputeCapability> capability) {
    if (capability <= ComputeCapability{7, 2}) return "l1tex__lsu_writeback_active";
    if (capability < ComputeCapability{9, 0}) return "l1tex__lsu_writeback_active_mem_lg";
    return "l1tex__lsu_writeback_active_mem_lgds";
}

DramCounters dram_counters(std::optional<ComputeCapability> capability) {
    if (capability && capability->major == 12) return {"dram__bytes_op_read", "dram__bytes_op_write"};
    return {"dram__bytes_read", "dram__bytes_write"};
}

std::optional<Bytes> dram_bytes_of_share(double share, ByteRate peak, Seconds time) {
    constexpr double most = 200;  // [%]: more is no share of a peak
    if (share < 0 || share > most) return std::nullopt;
    return Bytes(share / 100 * peak.value() * time.value());
}

bool has_packed_fp32(std::optional<ComputeCapability> capability) {
    return capability && capability->major == 10;
}

}  // namespace roofwalk
