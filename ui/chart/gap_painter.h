// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/layout.h"
#include "core/chart/scene.h"

class QPainter;

/// What is said about single kernels, from a finished layout.
namespace roofwalk {

/// Arrows from dots up to their roofs and across to their algorithms; the selected kernel's stand out.
void paint_gaps(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_gap_labels(QPainter& painter, const Scene& scene, const Layout& layout);
/// The short compute ceilings above kernels with mixed pipes.
void paint_mixed_ceilings(QPainter& painter, const Scene& scene, const Layout& layout);
/// Thin lines through the dots of one kernel.
void paint_mixed_labels(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_joins(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_names(QPainter& painter, const Scene& scene, const Layout& layout);

}  // namespace roofwalk
