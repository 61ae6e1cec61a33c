// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/view_motion.h"

#include <algorithm>
#include <cmath>

namespace roofwalk {

namespace {

constexpr double narrowest = 0.02;  // decades
constexpr double unseen = 0.1;      // decades that a view may be off without anybody's minding

struct Decades {
    double lo;
    double hi;
};

Decades decades_of(Range range) {
    return {std::log10(range.lo), std::log10(range.hi)};
}

Range from(Decades d, Range limits) {
    const Decades edge = decades_of(limits);
    const double length = std::clamp(d.hi - d.lo, narrowest, edge.hi - edge.lo);
    const double middle = (d.lo + d.hi) / 2;
    const double lo = std::clamp(middle - length / 2, edge.lo, edge.hi - length);
    return {std::pow(10, lo), std::pow(10, lo + length)};
}

bool usable(Range range) {
    return std::isfinite(range.lo) && std::isfinite(range.hi) && range.lo > 0 && range.hi > range.lo;
}

/// A dot or a compute roof.
bool hides_something(const View& view, const Scene& scene) {
    return std::ranges::any_of(scene.dots,
                               [&](const Dot& dot) {
                                   return dot.rail == Rail::none &&
                                          !(view.x.holds(dot.x) && view.y.holds(dot.y));
                               }) ||
           std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
               return std::holds_alternative<Pipe>(roof.target) && !view.y.holds(roof.rate);
           });
}

bool other_roofs(const Scene& before, const Scene& after) {
    const auto has = [](const Scene& scene, const Roof& roof) {
        return std::ranges::find(scene.roofs, roof.id, &Roof::id) != scene.roofs.end();
    };
    const auto lacks = [&](const Scene& scene, const Roof& roof) {
        return std::holds_alternative<Boundary>(roof.target) && roof.line != RoofLine::practical &&
               roof.line != RoofLine::theory && !has(scene, roof);
    };
    if (std::ranges::any_of(after.roofs, [&](const Roof& roof) { return lacks(before, roof); }) ||
        std::ranges::any_of(before.roofs, [&](const Roof& roof) { return lacks(after, roof); }))
        return true;
    return std::ranges::any_of(after.roofs, [&](const Roof& roof) {
        const auto same = std::ranges::find(before.roofs, roof.id, &Roof::id);
        return same != before.roofs.end() && same->rate != roof.rate;
    });
}

}  // namespace

double decades_apart(Range a, Range b) {
    return std::max(std::abs(std::log10(a.lo / b.lo)), std::abs(std::log10(a.hi / b.hi)));
}

bool is_out_of_place(const View& view, const Scene& scene) {
    return std::max(decades_apart(view.x, limited(scene.x, intensity_limits)),
                    decades_apart(view.y, limited(scene.y, performance_limits))) > unseen;
}

bool must_fit(const View& view, const Scene& before, const Scene& now) {
    return hides_something(view, now) || (other_roofs(before, now) && is_out_of_place(view, now));
}

Range limited(Range range, Range limits) {
    if (!usable(range)) return limits;
    const Decades edge = decades_of(limits);
    const Decades d = decades_of(range);
    if (d.lo >= edge.lo && d.hi <= edge.hi && d.hi - d.lo >= narrowest) return range;
    return from(d, limits);
}

Range zoomed(Range range, double anchor, double factor, Range limits) {
    if (!(factor > 0) || !std::isfinite(factor) || !(anchor > 0) || !std::isfinite(anchor)) return range;
    const Decades d = decades_of(range);
    const Decades edge = decades_of(limits);
    const double length = std::clamp((d.hi - d.lo) / factor, narrowest, edge.hi - edge.lo);
    const double at = std::log10(anchor);
    const double share = (at - d.lo) / (d.hi - d.lo);
    return from({at - share * length, at + (1 - share) * length}, limits);
}

Range panned(Range range, double share, Range limits) {
    if (!std::isfinite(share)) return range;
    const Decades d = decades_of(range);
    const double step = share * (d.hi - d.lo);
    return from({d.lo + step, d.hi + step}, limits);
}

Range centred(Range range, double value, Range limits) {
    if (!(value > 0) || !std::isfinite(value)) return range;
    const Decades d = decades_of(range);
    return panned(range, (std::log10(value) - (d.lo + d.hi) / 2) / (d.hi - d.lo), limits);
}

Range framed(Range range, Range wanted, Range limits) {
    constexpr double room = 1.2;
    const double middle = std::sqrt(wanted.lo) * std::sqrt(wanted.hi);
    const double needed = room * std::log(wanted.hi / wanted.lo) / std::log(range.hi / range.lo);
    return zoomed(centred(range, middle, limits), middle, 1 / std::max(1.0, needed), limits);
}

LogAxis x_axis(const View& view) {
    return {view.x, view.plot.x, view.plot.right()};
}

LogAxis y_axis(const View& view) {
    return {view.y, view.plot.bottom(), view.plot.y};
}

}  // namespace roofwalk
