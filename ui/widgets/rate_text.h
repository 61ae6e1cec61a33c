// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringView>
#include <optional>

namespace roofwalk {

/// `number` times the SI prefix in `unit` (n, u, µ, m, k, K, M, G, T, P, E). `base` is the unit behind the
/// prefix ("s", "FLOP/s"); a prefix alone is enough ("1.2 T"), a number with neither is not.
[[nodiscard]] std::optional<double> scaled_value(double number, QStringView unit, QStringView base);

/// A rate as a person types it: "1.94 TB/s", "312T", "1940 GB/s". Absent when it is no positive, finite rate
/// of this unit.
[[nodiscard]] std::optional<double> parse_rate(const QString& text, QStringView base);

}  // namespace roofwalk
