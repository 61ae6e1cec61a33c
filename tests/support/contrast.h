// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>

namespace roofwalk::test {

/// Relative luminance, from 0 to 1, as WCAG 2.1 defines it, of a colour in sRGB; its parts from 0 to 1.
inline double luminance(double red, double green, double blue) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/// Contrast ratio of two luminances, from 1 to 21.
inline double contrast(double a, double b) {
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

}  // namespace roofwalk::test
