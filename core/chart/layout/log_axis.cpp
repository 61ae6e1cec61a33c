// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/log_axis.h"

#include <algorithm>
#include <cmath>

namespace roofwalk {

namespace {

/// Room at each end of a range that holds data: at least a fifth of a decade, so that the largest dot and the
/// label of the highest roof stay inside.
constexpr double least_room = 0.2;
constexpr double share_of_room = 0.06;

}  // namespace

LogAxis::LogAxis(Range range, double pixel_lo, double pixel_hi)
    : range_(range),
      pixel_lo_(pixel_lo),
      log_lo_(std::log10(range.lo)),
      scale_((pixel_hi - pixel_lo) / (std::log10(range.hi) - std::log10(range.lo))) {}

double LogAxis::to_pixel(double value) const {
    return pixel_lo_ + (std::log10(value) - log_lo_) * scale_;
}

double LogAxis::to_value(double pixel) const {
    return std::pow(10.0, log_lo_ + (pixel - pixel_lo_) / scale_);
}

double LogAxis::pixels_per_decade() const {
    return std::abs(scale_);
}

Range padded(Range data, double min_decades) {
    const double lo = std::log10(data.lo);
    const double hi = std::log10(data.hi);
    const double room = std::max(least_room, (hi - lo) * share_of_room);
    const double missing = std::max(0.0, min_decades - (hi - lo + 2 * room));
    return Range{std::pow(10.0, lo - room - missing / 2), std::pow(10.0, hi + room + missing / 2)};
}

}  // namespace roofwalk
