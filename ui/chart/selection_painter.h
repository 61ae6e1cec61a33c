// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/chart/layout.h"
#include "core/chart/scene.h"

class QPainter;

namespace roofwalk {

/// Draws a ring around each of `dots`. `strong` is for the selection, otherwise the pointer is merely over
/// them.
void paint_rings(QPainter& painter, const Scene& scene, const View& view, std::span<const std::uint32_t> dots,
                 bool strong);

}  // namespace roofwalk
