// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

class QPainter;

namespace roofwalk {

/// Where a vertical line meets a roof.
struct Crossing {
    std::uint32_t roof = 0;  ///< index into Scene::roofs
    double performance = 1;  ///< [FLOP/s]
};

/// The roofs met at intensity `x`, highest first. With a level, bandwidth roofs of other levels are left out:
/// a dot and a roof go together only when they count the same bytes.
[[nodiscard]] std::vector<Crossing> crossings(const Scene& scene, double x, std::optional<MemoryLevel> level);

/// What words about a place would leave half of to be read or seen: labels and the largest dots.
[[nodiscard]] std::vector<LabelBox> label_obstacles(const Scene& scene, const View& view,
                                                    const Layout& layout);

/// The middle of what is read out at `at`, as wide as twice `half_width` [px]: right or left of it, else
/// above or below these, over none of what is `taken` where there is such a place.
[[nodiscard]] PointF read_out_place(const RectF& plot, PointF at, double half_width,
                                    const std::vector<LabelBox>& taken);

/// A line through a dot, with the value of every roof it meets.
void paint_ruler(QPainter& painter, const Scene& scene, const View& view, const Dot& dot,
                 const Layout& layout);

/// The same at an intensity [FLOP/byte] that is asked about.
void paint_intensity_mark(QPainter& painter, const Scene& scene, const View& view, double intensity,
                          const Layout& layout);

void paint_crosshair(QPainter& painter, const Scene& scene, const View& view, PointF at,
                     const Layout& layout);

}  // namespace roofwalk
