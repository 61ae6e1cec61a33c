// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/measured_roof.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/roofline/roofline.h"

namespace roofwalk {

namespace {

constexpr std::size_t fewest_points = 4;
/// So far to both sides of the ridge point there must be points.
constexpr double both_sides = 1.5;
/// Below 1 a knee would be rounder than with no overlap at all, where times add up; above 64 nobody sees it.
constexpr double roundest = 1;
constexpr double sharpest = 64;

double squared_error(const MeasuredRoof& roof, std::span<const SweepPoint> points) {
    double sum = 0;
    for (const SweepPoint& point : points) {
        const double difference = std::log(roof.at(point.intensity) / point.rate);
        sum += difference * difference;
    }
    return sum;
}

/// The lowest place of a function between two numbers, by the golden section.
template <class Function>
double lowest(double low, double high, Function function) {
    constexpr double section = 1 / std::numbers::phi;
    constexpr int turns = 40;
    for (int turn = 0; turn < turns; ++turn) {
        const double left = high - section * (high - low);
        const double right = low + section * (high - low);
        if (function(left) < function(right))
            high = right;
        else
            low = left;
    }
    return (low + high) / 2;
}

/// The slope of the first points and the height of the last: where to look for the fit.
MeasuredRoof first_guess(std::span<const SweepPoint> points) {
    MeasuredRoof roof{ByteRate(0), FlopRate(0), 4, 0};
    for (const SweepPoint& point : points) {
        roof.slope = std::max(roof.slope, point.rate / point.intensity);
        roof.peak = std::max(roof.peak, point.rate);
    }
    return roof;
}

}  // namespace

FlopRate MeasuredRoof::at(Intensity intensity) const {
    const FlopRate on_slope = slope * intensity;
    const FlopRate straight = attainable(peak, slope, intensity);
    const FlopRate other = std::max(on_slope, peak);
    return straight * std::pow(1 + std::pow(straight / other, sharpness), -1 / sharpness);
}

double MeasuredRoof::loss_at_ridge() const {
    return 1 - std::pow(2.0, -1 / sharpness);
}

std::optional<MeasuredRoof> fit_roof(std::span<const SweepPoint> points) {
    if (points.size() < fewest_points) return std::nullopt;
    const auto usable = [](const SweepPoint& point) {
        return point.intensity > Intensity(0) && point.rate > FlopRate(0);
    };
    if (!std::ranges::all_of(points, usable)) return std::nullopt;
    const MeasuredRoof guess = first_guess(points);
    const Intensity ridge = ridge_point(guess.peak, guess.slope);
    const auto [least, most] = std::ranges::minmax_element(points, {}, &SweepPoint::intensity);
    if (least->intensity * both_sides > ridge || most->intensity < ridge * both_sides) return std::nullopt;

    MeasuredRoof roof = guess;
    constexpr int rounds = 12;
    constexpr double room = 1.25;
    for (int round = 0; round < rounds; ++round) {
        roof.sharpness = std::exp(lowest(std::log(roundest), std::log(sharpest), [&](double n) {
            MeasuredRoof tried = roof;
            tried.sharpness = std::exp(n);
            return squared_error(tried, points);
        }));
        roof.slope =
            ByteRate(lowest(guess.slope.value() / room, guess.slope.value() * room, [&](double slope) {
                MeasuredRoof tried = roof;
                tried.slope = ByteRate(slope);
                return squared_error(tried, points);
            }));
        roof.peak = FlopRate(lowest(guess.peak.value() / room, guess.peak.value() * room, [&](double peak) {
            MeasuredRoof tried = roof;
            tried.peak = FlopRate(peak);
            return squared_error(tried, points);
        }));
    }
    roof.error = std::sqrt(squared_error(roof, points) / static_cast<double>(points.size()));
    return roof;
}

}  // namespace roofwalk
