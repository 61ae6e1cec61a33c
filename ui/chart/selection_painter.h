// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/chart/layout.h"
#include "core/chart/scene.h"
#include "ui/chart/dot_field.h"

class QPainter;

namespace roofwalk {

/// Draws a ring around each dot of one kernel. `strong` is for the selection,
/// otherwise the pointer is merely over it.
void paint_rings(QPainter& painter, const Scene& scene, const DotField& field, const View& view,
                 std::uint32_t point, bool strong);
/// Rings around every selected kernel.
void paint_selection(QPainter& painter, const Scene& scene, const DotField& field, const View& view);

}  // namespace roofwalk
