// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace roofwalk::wire {

/// "GPU-ef5c8d02-6a54-3a5e-9c1d-2d0c3c6f1a77": as nvidia-smi shows it. `prefix` is "GPU", or "MIG" for a
/// slice.
template <class Byte>
[[nodiscard]] std::string uuid_text(std::string_view prefix, std::span<const Byte, 16> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text(prefix);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const bool begins_group = i == 0 || i == 4 || i == 6 || i == 8 || i == 10;
        if (begins_group) text += '-';
        const auto value = static_cast<unsigned char>(bytes[i]);
        text += digits[value >> 4U];
        text += digits[value & 0xFU];
    }
    return text;
}

}  // namespace roofwalk::wire
