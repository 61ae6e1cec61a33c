// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace roofwalk {

/// How windows, as the kernel of a convolution, go over one dimension.
struct WindowSteps {
    double stride = 1;
    double padding = 0;
    double dilation = 1;
};

/// Of `length` positions those that so many windows of `size` elements read: strides may skip some, dilation
/// others, and padding holds none.
[[nodiscard]] double touched_by(const WindowSteps& steps, double windows, double size, double length);

}  // namespace roofwalk
