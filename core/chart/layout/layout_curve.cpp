// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/layout_curve.h"

#include <algorithm>
#include <cmath>

#include "core/chart/layout/roof_clip.h"

namespace roofwalk {

namespace {

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

std::vector<PointF> lay_out_curve(const RoofCurve& curve, const View& view) {
    const LogAxis x_axis(view.x, view.plot.x, view.plot.right());
    const LogAxis y_axis(view.y, view.plot.bottom(), view.plot.y);
    std::vector<PointF> line;
    std::optional<PointF> before;
    for (const double intensity : corner_intensities(curve, view.x)) {
        const PointF corner{x_axis.to_pixel(intensity),
                            y_axis.to_pixel(curve.roof.at(Intensity(intensity)).value())};
        const PointF start = before.value_or(corner);
        const auto piece = before ? clip_line(start, corner, view.plot) : std::nullopt;
        before = corner;
        if (!piece) continue;
        if (line.empty()) line.push_back(piece->from);
        line.push_back(piece->to);
    }
    return line;
}

}  // namespace roofwalk
