// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "core/devices/measured_ceilings.h"

namespace roofwalk {

/// The roof as it was measured: two straight lines and a round knee between them,
/// P(I) = ((beta * I)^-n + pi^-n)^(-1/n). With n without bound this is min(beta * I, pi); what a device
/// reaches is lower near the ridge point, where loads and arithmetic have to overlap.
struct MeasuredRoof {
    ByteRate slope;        ///< beta
    FlopRate peak;         ///< pi
    double sharpness = 0;  ///< n, at least 1
    double error = 0;      ///< root mean square of ln(fit / measured)

    [[nodiscard]] FlopRate at(Intensity intensity) const;
    /// What is lost against the straight roof at the ridge point: 1 - 2^(-1/n).
    [[nodiscard]] double loss_at_ridge() const;
};

/// The roof that lies nearest to the points, in logarithms. Absent with fewer than four points, or where they
/// show one side of the knee only.
[[nodiscard]] std::optional<MeasuredRoof> fit_roof(std::span<const SweepPoint> points);

}  // namespace roofwalk
