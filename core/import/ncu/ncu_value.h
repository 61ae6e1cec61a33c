// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace roofwalk::ncu {

/// What one value message holds; the file stays mapped while it is used.
struct Value {
    enum class Kind : std::uint8_t { none, number, text };

    Kind kind = Kind::none;  ///< none: the message is absent or empty ("n/a")
    double number = 0;       ///< may be NaN or infinite
    std::string_view text;

    /// The number, when there is one and it is finite.
    [[nodiscard]] std::optional<double> finite() const;
};

/// Reads a value message: string, float, double, uint32 or uint64. Throws protozero::exception.
[[nodiscard]] Value decode_value(std::string_view message);

}  // namespace roofwalk::ncu
