// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

class QPainter;

namespace roofwalk {

/// The bands at the bottom and right edges, for dots without work or without traffic, with the line that
/// parts them from the plot.
void paint_rails(QPainter& painter, const Scene& scene, const Layout& layout);
/// Their labels, outside the plot.
void paint_rail_labels(QPainter& painter, const Scene& scene, const Layout& layout);

}  // namespace roofwalk
