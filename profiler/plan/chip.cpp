// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/chip.h"

#include <algorithm>
#include <array>

namespace roofwalk {

std::span<const Chip> planned_chips() {
    using enum ChipFamily;
    static constexpr auto chips = std::to_array<Chip>({
        {"GV100", volta},
        {"TU102", turing},
        {"TU104", turing},
        {"TU106", turing},
        {"TU116", turing_without_tensor},
        {"TU117", turing_without_tensor},
        {"GA100", ampere_100},
        {"GA102", ampere_10x},
        {"GA103", ampere_10x},
        {"GA104", ampere_10x},
        {"GA106", ampere_10x},
        {"GA107", ampere_10x},
        {"GA10B", ampere_10x, false},
        {"AD102", ada},
        {"AD103", ada},
        {"AD104", ada},
        {"AD106", ada},
        {"AD107", ada},
        {"GH100", hopper},
        {"GB100", blackwell_100},
        {"GB102", blackwell_100},
        {"GB110", blackwell_110},
        {"GB10B", blackwell_10b, false},
        {"GB202", blackwell_20x},
        {"GB203", blackwell_20x},
        {"GB205", blackwell_20x},
        {"GB206", blackwell_20x},
        {"GB207", blackwell_20x},
        {"GB20B", blackwell_20x, false},
    });
    return chips;
}

const Chip* find_chip(std::string_view name) {
    const auto chips = planned_chips();
    const auto found = std::ranges::find(chips, name, &Chip::name);
    return found == chips.end() ? nullptr : &*found;
}

}  // namespace roofwalk
