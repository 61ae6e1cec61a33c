// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_array.h"
#include "core/base/units.h"
#include "core/model/ceiling.h"

namespace roofwalk {

struct ComputeCapability {
    int major = 0;
    int minor = 0;

    friend constexpr auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// Who makes a GPU.
enum class Vendor : std::uint8_t { unknown, nvidia, amd, intel };
template <>
inline constexpr EnumIds<Vendor, 4> enum_ids<Vendor>{"unknown", "nvidia", "amd", "intel"};

/// As the first word of a name says it: "NVIDIA H100", "AMD Instinct MI300X", "Intel Data Center GPU Max
/// 1550".
[[nodiscard]] Vendor vendor_in_name(std::string_view name);
/// "NVIDIA"; empty for unknown.
[[nodiscard]] std::string_view label_of(Vendor vendor);

/// One GPU as a profile describes it. What the profile does not say is absent.
struct Device {
    Vendor vendor = Vendor::unknown;
    std::string name;  ///< "NVIDIA A100-PCIE-40GB"
    std::string chip;  ///< "GA100"
    std::string uuid;  ///< of this very board: "GPU-" and five groups of hexadecimal digits; empty: not known
    std::optional<ComputeCapability> compute_capability;
    std::optional<int> sm_count;
    std::optional<Hertz> boost_clock;   ///< highest SM clock
    std::optional<Hertz> memory_clock;  ///< highest DRAM clock; data moves twice a cycle
    std::optional<int> memory_bus_bits;
    std::optional<Bytes> l2_size;
    std::optional<Bytes> memory_size;
    CeilingSet ceilings;  ///< everything known about the device as a whole, best source first within a target

    friend bool operator==(const Device&, const Device&) = default;
};

/// Whose GPU this is by what else is known of it: its compute capability, which no other maker counts, or its
/// name.
[[nodiscard]] Vendor likely_vendor(const Device& device);

}  // namespace roofwalk
