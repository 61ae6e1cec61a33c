// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/dot_pile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/chart/layout/log_axis.h"
#include "core/model/kernel_group.h"

namespace roofwalk {

namespace {

constexpr std::size_t piled_dots_looked_at = 1000;  // the largest

bool is_first(const Scene& scene, std::size_t i) {
    return i == 0 || scene.dots[i - 1].point != scene.dots[i].point;
}

/// Two of a scale that are so many times each other are not seen as one, whatever is lost by rounding.
double ratio_apart(const LogAxis& axis) {
    constexpr double rounding = 0.01;  // [px]
    return std::pow(10.0, (seen_as_one + rounding) / axis.pixels_per_decade());
}

}  // namespace

std::string and_more(std::size_t more, GroupBy rows) {
    return more == 0 ? std::string() : fmt::format(" and {} more {}", more, noun_of(rows, more));
}

std::string DotPile::words(const Scene& scene) const {
    const GroupBy rows = scene.rows;
    std::string numbers;
    std::size_t numbered = 0;
    for (const KeyRow& row : scene.key)
        if (std::ranges::find(others, row.point) != others.end()) {
            numbers += fmt::format(", {}", row.number);
            ++numbered;
        }
    const std::size_t more = others.size() - numbered;
    if (counted || more == 0) return numbers + and_more(more, rows);
    return numbers + fmt::format(" and at least {} more {}", more, noun_of(rows, more));
}

DotPile pile_at(const Scene& scene, const View& view, std::uint32_t i,
                const std::vector<std::uint32_t>& told) {
    const Dot& own = scene.dots[i];
    const PointF centre = dot_position(own, view);
    const double apart_x = ratio_apart(LogAxis(view.x, view.plot.x, view.plot.right()));
    const double apart_y = ratio_apart(LogAxis(view.y, view.plot.bottom(), view.plot.y));
    const auto is_far = [&](const Dot& dot) {  // most are, and logarithms of each would take long
        return dot.rail == Rail::none && own.rail == Rail::none &&
               (dot.y > apart_y * own.y || own.y > apart_y * dot.y || dot.x > apart_x * own.x ||
                own.x > apart_x * dot.x);
    };
    const std::size_t count = scene.dots.size();
    const std::size_t first = count - std::min(count, piled_dots_looked_at);
    DotPile pile{.others = {}, .counted = first == 0};
    for (std::size_t k = first; k < count; ++k) {
        const Dot& dot = scene.dots[k];
        if (dot.point == own.point || is_band(dot.rail) || is_far(dot) || !is_first(scene, k)) continue;
        const PointF at = dot_position(dot, view);
        if (!are_near(at, centre)) continue;
        if (std::ranges::find(told, dot.point) == told.end()) pile.others.push_back(dot.point);
    }
    return pile;
}

}  // namespace roofwalk
