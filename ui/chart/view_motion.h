// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/layout/layout.h"
#include "core/chart/layout/log_axis.h"

/// Moving a View: values in, values out. No result is inverted, empty, infinite or outside the limits.
namespace roofwalk {

/// How far the chart can be moved: intensity [FLOP/byte] and performance [FLOP/s].
inline constexpr Range intensity_limits{1e-6, 1e12};
inline constexpr Range performance_limits{1e-3, 1e21};

/// One press of a key, whichever key it is.
inline constexpr double zoom_step = 1.25;
inline constexpr double pan_step = 0.1;  ///< of the view

/// How far the ends of two ranges are from each other, whichever is farther.
[[nodiscard]] double decades_apart(Range a, Range b);
/// Whether what a scene asks for is farther from what is seen than anybody would leave it.
[[nodiscard]] bool is_out_of_place(const View& view, const Scene& scene);
/// Whether a view that nobody chose has to change with the scene: a part of it would not be seen; or a roof
/// of both is of another height, as on another device, or memory levels came or went, and it lies elsewhere.
[[nodiscard]] bool must_fit(const View& view, const Scene& before, const Scene& now);
/// The nearest range inside `limits` that is neither too narrow to read nor wider than the limits.
[[nodiscard]] Range limited(Range range, Range limits);
/// Nearer by `factor`; `anchor` stays at the same pixel unless a limit is in the way.
[[nodiscard]] Range zoomed(Range range, double anchor, double factor, Range limits);
/// Moved by a share of its own length: positive towards larger values.
[[nodiscard]] Range panned(Range range, double share, Range limits);
/// Moved so that `value` is in the middle.
[[nodiscard]] Range centred(Range range, double value, Range limits);
/// Moved so that `wanted` is in the middle, and widened when it would not fit.
[[nodiscard]] Range framed(Range range, Range wanted, Range limits);

[[nodiscard]] LogAxis x_axis(const View& view);
[[nodiscard]] LogAxis y_axis(const View& view);

}  // namespace roofwalk
