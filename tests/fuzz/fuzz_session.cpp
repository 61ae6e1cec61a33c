// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/workspace/session_json.h"

/// What is written reads back as the same, and is known for what it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data),
                                size);  // NOLINT: bytes seen as characters
    const auto session = roofwalk::read_session(text, "fuzz.roofwalk");
    if (!session && session.error().what.empty()) __builtin_trap();
    if (!session) return 0;
    const std::string written = roofwalk::to_json(*session);
    const auto again = roofwalk::read_session(written, "again.roofwalk");
    if (!again || roofwalk::to_json(*again) != written) __builtin_trap();
    if (!roofwalk::looks_like_session(written)) __builtin_trap();
    return 0;
}
