// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/chart/scene/scene.h"

/// Scenes by hand, so that the chart is tested on its own.
namespace roofwalk::test {

/// HBM and L2 slopes of 2 and 6 TB/s under an FP32 roof of 20 TFLOP/s, and no dots.
[[nodiscard]] Scene empty_scene();
/// Three kernels: one with dots at HBM and L2, one at HBM only, and one without FLOP on the bottom rail.
/// Points are 0, 1 and 2; the dots are, in painting order, of the points 2, 1, 0 (HBM), 0 (L2).
[[nodiscard]] Scene small_scene();
/// A kernel without counted work: a mark at the edge and its line, an eighth of HBM, up to 0.5 TFLOP/s.
[[nodiscard]] Scene line_scene();
/// `count` kernels with a dot at HBM each, spread below the roofs, always the same and of the sizes that a
/// profile would give them; point i is dot i.
[[nodiscard]] Scene many_dots(std::uint32_t count);
/// `count` kernels on the rails, every second without work, the others without traffic; point i is dot i.
[[nodiscard]] Scene many_rail_dots(std::uint32_t count);

}  // namespace roofwalk::test
