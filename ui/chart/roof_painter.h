// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

class QPainter;

/// Roofs, rails and what belongs to them, from a finished layout.
namespace roofwalk {

void paint_zones(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_zone_labels(QPainter& painter, const Scene& scene, const Layout& layout);
/// Behind roofs that are painted over dots.
void paint_roof_grounds(QPainter& painter, const Scene& scene, const Layout& layout);
/// Under the roofs.
void paint_measured_roof(QPainter& painter, const Scene& scene, const Layout& layout);
[[nodiscard]] QPen measured_roof_pen(const Palette& palette);
/// Of a straight roof that binds no selected kernel.
[[nodiscard]] QPen roof_pen(RoofLine line, const Palette& palette);
void paint_roofs(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_roof_labels(QPainter& painter, const Scene& scene, const Layout& layout);
/// Ticks on the intensity axis with the ridge points' values.
void paint_ridges(QPainter& painter, const Scene& scene, const Layout& layout);

/// The bands at the bottom and right edges, for dots without work or without traffic, with the line that
/// parts them from the plot.
void paint_rails(QPainter& painter, const Scene& scene, const Layout& layout);
/// Their labels, outside the plot.
void paint_rail_labels(QPainter& painter, const Scene& scene, const Layout& layout);

}  // namespace roofwalk
