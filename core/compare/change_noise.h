// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

namespace roofwalk {

/// What a difference must exceed to count, as a share: 0.02 is 2 %. In real reports the launches of one
/// kernel over the same data differ by a standard deviation of 0.1 to 1.6 % in time and of up to 1.4 % in
/// DRAM bytes; counts of two profilers of the same run agree within 1 %.
inline constexpr double default_noise = 0.02;

/// How well the ratio of two sums over launches is known: half of its 95 % interval (Student's t), as a
/// share. Equally many launches are taken in pairs, in their order, so that launches over different data do
/// not count as noise; else the two sets count by themselves. Absent below three launches a side, or where a
/// value is not positive.
[[nodiscard]] std::optional<double> spread_of_ratio(std::span<const double> before,
                                                    std::span<const double> after);

/// Whether a ratio new / old is a change: 1 up, -1 down, 0 within the noise. Multiplying and dividing by the
/// same factor count alike.
[[nodiscard]] int direction_of(double ratio, double noise);

}  // namespace roofwalk
