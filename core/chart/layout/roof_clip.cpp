// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/roof_clip.h"

#include <algorithm>
#include <cmath>

namespace roofwalk {

namespace {

PointF to_page(double x, double y, const View& view) {
    return {LogAxis(view.x, view.plot.x, view.plot.right()).to_pixel(x),
            LogAxis(view.y, view.plot.bottom(), view.plot.y).to_pixel(y)};
}

/// So many decades from its ridge point a curve is straight to the eye, however round its knee.
constexpr double knee_decades = 2;
constexpr int corners_in_knee = 64;

/// Where a curve needs corners [FLOP/byte], rising.
std::vector<double> corner_intensities(const RoofCurve& curve, const Range& seen) {
    const double ridge = curve.roof.peak.value() / curve.roof.slope.value();
    std::vector<double> corners{seen.lo};
    for (int i = 0; i <= corners_in_knee; ++i) {
        const double decades = knee_decades * (2.0 * i / corners_in_knee - 1);
        const double intensity = ridge * std::pow(10.0, decades);
        if (intensity > seen.lo && intensity < seen.hi) corners.push_back(intensity);
    }
    corners.push_back(seen.hi);
    return corners;
}

}  // namespace

std::optional<PlacedLine> clip_roof(const Roof& roof, const View& view) {
    if (std::holds_alternative<Pipe>(roof.target))
        return clip_horizontal(roof.rate, roof.ends_at, view.x.hi, view);
    return clip_slope(roof.rate, roof.ends_at, view);
}

std::optional<PlacedLine> clip_slope(double rate, double ends_at, const View& view) {
    const double from = std::max(view.x.lo, view.y.lo / rate);
    const double to = std::min({view.x.hi, view.y.hi / rate, ends_at});
    if (!(from < to)) return std::nullopt;
    return PlacedLine{to_page(from, rate * from, view), to_page(to, rate * to, view)};
}

std::optional<PlacedLine> clip_vertical(double x, double from, double to, const View& view) {
    const double begin = std::clamp(from, view.y.lo, view.y.hi);
    const double end = std::clamp(to, view.y.lo, view.y.hi);
    if (!view.x.holds(x) || begin == end) return std::nullopt;
    return PlacedLine{to_page(x, begin, view), to_page(x, end, view)};
}

std::optional<PlacedLine> clip_horizontal(double y, double from, double to, const View& view) {
    const double begin = std::max(from, view.x.lo);
    const double end = std::min(to, view.x.hi);
    if (!view.y.holds(y) || !(begin < end)) return std::nullopt;
    return PlacedLine{to_page(begin, y, view), to_page(end, y, view)};
}

std::optional<PlacedLine> clip_line(PointF from, PointF to, const RectF& plot) {
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    // Liang and Barsky: each edge cuts off the part of the line, from 0 to 1, that lies beyond it.
    double enter = 0;
    double leave = 1;
    const auto cut = [&](double into, double room) {
        if (into == 0 && room < 0) leave = -1;
        if (into > 0) leave = std::min(leave, room / into);
        if (into < 0) enter = std::max(enter, room / into);
    };
    cut(-dx, from.x - plot.x);
    cut(dx, plot.right() - from.x);
    cut(-dy, from.y - plot.y);
    cut(dy, plot.bottom() - from.y);
    if (!(enter < leave) || (dx == 0 && dy == 0) || !std::isfinite(dx) || !std::isfinite(dy))
        return std::nullopt;
    return PlacedLine{{from.x + enter * dx, from.y + enter * dy}, {from.x + leave * dx, from.y + leave * dy}};
}

std::vector<PointF> clip_curve(const RoofCurve& curve, const View& view) {
    std::vector<PointF> line;
    std::optional<PointF> before;
    for (const double intensity : corner_intensities(curve, view.x)) {
        const PointF corner = to_page(intensity, curve.roof.at(Intensity(intensity)).value(), view);
        const PointF start = before.value_or(corner);
        const auto piece = before ? clip_line(start, corner, view.plot) : std::nullopt;
        before = corner;
        if (!piece) continue;
        if (line.empty()) line.push_back(piece->from);
        line.push_back(piece->to);
    }
    return line;
}

std::vector<PointF> memory_zone(const Zones& zones, const View& view) {
    const double ridge = zones.peak / zones.bandwidth;
    const double left = std::max(view.x.lo, view.y.lo / zones.bandwidth);
    const double right = std::min(view.x.hi, ridge);
    if (!(left < right)) return {};
    const double at_top = std::clamp(view.y.hi / zones.bandwidth, left, right);
    std::vector<PointF> area;
    for (const double x : {left, at_top, right})
        area.push_back(to_page(x, std::clamp(zones.bandwidth * x, view.y.lo, view.y.hi), view));
    area.push_back(to_page(right, view.y.lo, view));
    area.push_back(to_page(left, view.y.lo, view));
    return area;
}

std::vector<PointF> compute_zone(const Zones& zones, const View& view) {
    const double left = std::max(view.x.lo, zones.peak / zones.bandwidth);
    const double top = std::min(zones.peak, view.y.hi);
    if (!(left < view.x.hi) || !(view.y.lo < top)) return {};
    return {to_page(left, top, view), to_page(view.x.hi, top, view), to_page(view.x.hi, view.y.lo, view),
            to_page(left, view.y.lo, view)};
}

}  // namespace roofwalk
