// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "tests/profiler/fake_cuda/fake_interface.h"

/// Images of the false CUPTI, plain enough to be looked at.
namespace roofwalk::fake {

inline constexpr std::string_view config_magic = "FALSE CONFIG\n";
inline constexpr std::string_view availability_image = "FALSE AVAILABILITY";

/// The names of metrics, a line each.
[[nodiscard]] inline std::string config_image(const std::vector<std::string>& metrics) {
    std::string image(config_magic);
    for (const std::string& metric : metrics)
        image += metric + "\n";
    return image;
}

/// Patched instructions share no pass with counters of the hardware.
[[nodiscard]] inline std::size_t passes_of(std::string_view config) {
    std::size_t patched = 0;
    std::size_t others = 0;
    config.remove_prefix(std::min(config.size(), config_magic.size()));
    while (!config.empty()) {
        const std::string_view name = config.substr(0, config.find('\n'));
        ++(name.find("_sass_") != std::string_view::npos ? patched : others);
        config.remove_prefix(std::min(config.size(), name.size() + 1));
    }
    return patched > 0 && others > 0 ? 2 : 1;
}

struct CounterImage {
    static constexpr std::uint64_t right_magic = 0x0041544144455346U;

    std::uint64_t magic = right_magic;
    std::uint32_t most_ranges = 0;
    std::uint32_t ranges = 0;
    std::uint32_t passes = 1;      ///< in which each of their kernels ran
    std::uint32_t has_values = 1;  ///< 0: each metric is NaN

    [[nodiscard]] static std::size_t size_for(std::size_t ranges) {
        return sizeof(CounterImage) + ranges * sizeof(Kernel);
    }
    [[nodiscard]] Kernel* kernels() { return reinterpret_cast<Kernel*>(this + 1); }
    [[nodiscard]] const Kernel* kernels() const { return reinterpret_cast<const Kernel*>(this + 1); }
};

}  // namespace roofwalk::fake
