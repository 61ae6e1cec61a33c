// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string_view>

namespace roofwalk {

/// A rate as a person types it: "1.94 TB/s", "312T", "1940 GB/s". Absent when it is no positive, finite rate
/// of this unit.
[[nodiscard]] std::optional<double> parse_rate(const QString& text, std::string_view base);

}  // namespace roofwalk
