// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/change_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace roofwalk {

namespace {

constexpr std::size_t least_launches = 3;

/// Student's t for a two-sided 95 % interval, by degrees of freedom from 1; about 2 beyond.
double student_t(std::size_t freedom) {
    constexpr std::array table{12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
    return freedom <= table.size() ? table[freedom - 1] : 2.1;
}

/// Of the mean, with n - 1 degrees of freedom.
double standard_error(std::span<const double> values) {
    const auto count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / count;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / (count - 1) / count);
}

std::vector<double> logarithms(std::span<const double> values) {
    std::vector<double> logs;
    for (const double value : values)
        logs.push_back(std::log(value));
    return logs;
}

}  // namespace

std::optional<double> spread_of_ratio(std::span<const double> before, std::span<const double> after) {
    const std::size_t fewer = std::min(before.size(), after.size());
    const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
    if (fewer < least_launches || !std::ranges::all_of(before, positive) ||
        !std::ranges::all_of(after, positive))
        return std::nullopt;
    std::vector<double> old_logs = logarithms(before);
    const std::vector<double> new_logs = logarithms(after);
    if (before.size() == after.size()) {
        for (std::size_t i = 0; i < fewer; ++i)
            old_logs[i] = new_logs[i] - old_logs[i];
        return std::expm1(student_t(fewer - 1) * standard_error(old_logs));
    }
    return std::expm1(student_t(fewer - 1) * std::hypot(standard_error(old_logs), standard_error(new_logs)));
}

int direction_of(double ratio, double noise) {
    const double threshold = 1 + noise;
    if (ratio > threshold) return 1;
    return ratio < 1 / threshold ? -1 : 0;
}

}  // namespace roofwalk
