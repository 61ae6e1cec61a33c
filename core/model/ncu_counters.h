// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/model/device.h"

/// Which counters a device has, where that depends on its architecture: rules over ranges of compute
/// capabilities, which hold for those that nobody knows yet.
namespace roofwalk {

/// The counter of data that L1 returns to registers: without shared memory from 7.5 to 8.9, with it on others
/// (where the older one never had a part for it).
[[nodiscard]] std::string_view l1_writeback_counter(std::optional<ComputeCapability> capability);

/// The counters of bytes that DRAM reads and writes.
struct DramCounters {
    std::string_view read;
    std::string_view write;
};
[[nodiscard]] DramCounters dram_counters(std::optional<ComputeCapability> capability);

/// Bytes of DRAM by the share of its peak [%] that was reached, an estimate; absent where that is no share.
[[nodiscard]] std::optional<Bytes> dram_bytes_of_share(double share, ByteRate peak, Seconds time);
/// What the formula of these bytes says of them.
inline constexpr std::string_view dram_share_note =
    " (approximate: dram__bytes was not collected, and this share counts other activity too)";

/// Whether one FP32 instruction may work on two pairs of operands (FADD2, FMUL2, FFMA2): data-centre
/// Blackwell.
[[nodiscard]] bool has_packed_fp32(std::optional<ComputeCapability> capability);

}  // namespace roofwalk
