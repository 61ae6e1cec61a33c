// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace roofwalk
