// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/nested_dots.h"

#include <algorithm>
#include <cmath>

namespace roofwalk {

namespace {

constexpr double near = 0.6;      // of a radius, between the middles of dots that cannot be told apart
constexpr double nearest = 4;     // the same, at most: large dots can be told apart while they overlap [px]
constexpr double growth = 0.25;   // of the radius, from one outline to the next
constexpr double nested_air = 3;  // between them [px]
constexpr double far_apart = 2;   // ratio of intensities that no view brings together

/// Of neighbours of one kernel, which have one performance.
bool cover_each_other(const Dot& a, const Dot& b, const View& view) {
    if (a.rail != Rail::none || b.rail != Rail::none) return false;
    if (a.x > far_apart * b.x || b.x > far_apart * a.x) return false;
    const double distance = std::abs(std::log(a.x / b.x)) * view.plot.width / std::log(view.x.hi / view.x.lo);
    return distance < std::min(near * view.marks.of(a.radius), nearest);
}

bool of_one_kernel(std::span<const Dot> dots, std::uint32_t a, std::uint32_t b) {
    return b < dots.size() && dots[a].point == dots[b].point;
}

double grown(double radius, std::uint32_t inside) {
    return radius * (1 + growth * inside) + nested_air * inside;
}

}  // namespace

std::uint32_t dots_inside(std::span<const Dot> dots, std::uint32_t i, const View& view) {
    std::uint32_t inside = 0;
    for (std::uint32_t k = i; k-- > 0 && of_one_kernel(dots, i, k);)
        if (cover_each_other(dots[k], dots[i], view)) ++inside;
    return inside;
}

bool has_nested_dots(std::span<const Dot> dots, const View& view) {
    constexpr std::size_t looked_at = 1000;
    for (std::size_t i = dots.size() - std::min(dots.size(), looked_at); i < dots.size(); ++i)
        if (dots_inside(dots, static_cast<std::uint32_t>(i), view) > 0) return true;
    return false;
}

double painted_radius(std::span<const Dot> dots, std::uint32_t i, const View& view) {
    return grown(view.marks.of(dots[i].radius), dots_inside(dots, i, view));
}

double outermost_radius(std::span<const Dot> dots, std::uint32_t i, const View& view) {
    double radius = painted_radius(dots, i, view);
    for (std::uint32_t k = i + 1; of_one_kernel(dots, i, k); ++k)
        if (cover_each_other(dots[i], dots[k], view)) radius = painted_radius(dots, k, view);
    return radius;
}

std::uint32_t painted_at(std::span<const Dot> dots, std::uint32_t turn) {
    std::uint32_t first = turn;
    while (first > 0 && of_one_kernel(dots, turn, first - 1))
        --first;
    std::uint32_t last = turn;
    while (of_one_kernel(dots, turn, last + 1))
        ++last;
    for (std::uint32_t binding = first; binding < last; ++binding)
        if (dots[binding].binds && turn >= binding) return turn == last ? binding : turn + 1;
    return turn;
}

std::vector<std::uint32_t> dots_together(std::span<const Dot> dots, std::uint32_t i, const View& view) {
    std::uint32_t first = i;
    while (first > 0 && of_one_kernel(dots, i, first - 1))
        --first;
    std::vector<std::uint32_t> together;
    for (std::uint32_t k = first; of_one_kernel(dots, i, k); ++k)
        if (k == i || cover_each_other(dots[i], dots[k], view)) together.push_back(k);
    return together;
}

}  // namespace roofwalk
