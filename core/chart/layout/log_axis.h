// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace roofwalk {

/// A range of positive values.
struct Range {
    double lo = 1;
    double hi = 10;

    /// Both ends too.
    [[nodiscard]] constexpr bool holds(double value) const { return value >= lo && value <= hi; }
    friend bool operator==(const Range&, const Range&) = default;
};

/// Maps positive values to pixels and back, logarithmically. `pixel_lo` belongs to `range.lo`; on a y axis it
/// is the larger number.
class LogAxis {
  public:
    LogAxis(Range range, double pixel_lo, double pixel_hi);

    [[nodiscard]] double to_pixel(double value) const;
    [[nodiscard]] double to_value(double pixel) const;
    [[nodiscard]] Range range() const { return range_; }
    [[nodiscard]] double pixels_per_decade() const;

  private:
    Range range_;
    double pixel_lo_;
    double log_lo_;
    double scale_;
};

struct Tick {
    double value = 1;
    bool major = true;
    std::string label;  ///< empty on minor ticks
};

enum class TickLabels {
    plain,  ///< 0.01, 0.1, 1, 10, 100, 1 k
    si,     ///< 1 G, 10 G, 100 G, 1 T
};

/// Ticks of a logarithmic axis that is `pixels` long: decades with minor ticks 2 to 9; 1-2-5 steps or finer
/// when zoomed below two decades; every second or third decade when crowded. Never an exponent.
[[nodiscard]] std::vector<Tick> log_ticks(Range range, double pixels, TickLabels labels);

/// The range that holds `data` with room at both ends, at least `min_decades` wide.
[[nodiscard]] Range padded(Range data, double min_decades);

}  // namespace roofwalk
