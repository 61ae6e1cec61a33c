// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace roofwalk {

/// A power of thousand and its symbol: 1e9 and "G".
struct SiPrefix {
    double factor = 1;
    std::string_view symbol;
};

/// The prefix under which format_si() writes `value` with three digits; none for zero and for what is no
/// number.
[[nodiscard]] SiPrefix si_prefix_of(double value);

/// `number` times the SI prefix in `unit` (n, u, µ, m, k, K, M, G, T, P, E). `base` is the unit behind the
/// prefix ("s", "FLOP/s"); a prefix alone is enough ("1.2 T"), a number with neither is not.
[[nodiscard]] std::optional<double> scaled_value(double number, std::string_view unit, std::string_view base);

}  // namespace roofwalk
