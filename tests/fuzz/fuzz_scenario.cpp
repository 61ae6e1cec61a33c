// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/scenario/scenario_json.h"

/// What is written reads back as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data),
                                size);  // NOLINT: bytes seen as characters
    const auto scenario = roofwalk::read_scenario(text, "fuzz.json");
    if (!scenario && scenario.error().what.empty()) __builtin_trap();
    if (!scenario) return 0;
    const std::string written = roofwalk::to_json(*scenario);
    const auto again = roofwalk::read_scenario(written, "again.json");
    if (!again || roofwalk::to_json(*again) != written) __builtin_trap();
    return 0;
}
