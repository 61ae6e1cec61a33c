// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace roofwalk {

/// Chips whose counters have the same names and share passes in the same way.
enum class ChipFamily {
    volta,
    turing,
    turing_without_tensor,  ///< GeForce 16: FP16 units in the place of tensor cores
    ampere_100,
    ampere_10x,
    ada,
    hopper,
    blackwell_100,
    blackwell_110,
    blackwell_10b,
    blackwell_20x,
};

struct Chip {
    std::string_view name;  ///< as CUPTI calls it
    ChipFamily family;
    bool counts_dram = true;  ///< false where the memory is the host's, which has no counters on the GPU
};

/// Every chip that there are plans for.
[[nodiscard]] std::span<const Chip> planned_chips();

/// Null when there is none of that name.
[[nodiscard]] const Chip* find_chip(std::string_view name);

}  // namespace roofwalk
