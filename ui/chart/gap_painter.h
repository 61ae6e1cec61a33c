// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <cstdint>
#include <optional>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/palette.h"
#include "core/chart/scene/scene.h"

class QPainter;

/// What is said about single kernels, from a finished layout.
namespace roofwalk {

/// Arrows from dots up to their roofs and across to their algorithms; the selected kernel's stand out. Those
/// of a kernel that is `dragged` are left to paint_dragged_gap().
void paint_gaps(QPainter& painter, const Scene& scene, const Layout& layout,
                std::optional<std::uint32_t> dragged = {});
void paint_gap_labels(QPainter& painter, const Scene& scene, const Layout& layout,
                      std::optional<std::uint32_t> dragged = {});
/// One arrow of a kernel in hand: solid up to its roof, dashed across to its algorithm.
void paint_dragged_gap(QPainter& painter, const QLineF& gap, const Palette& palette);
/// The short compute ceilings above kernels with mixed pipes.
void paint_kernel_ceilings(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_kernel_ceiling_labels(QPainter& painter, const Scene& scene, const Layout& layout);
/// Thin and dashed, also where its kernel is selected: a strong red line would be read as a roof that binds.
[[nodiscard]] QPen kernel_line_pen(Colour colour, bool other_device);
void paint_kernel_lines(QPainter& painter, const Scene& scene, const Layout& layout);
/// Thin lines through the dots of one kernel, and the whiskers of launches that differ.
void paint_joins(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_names(QPainter& painter, const Scene& scene, const Layout& layout,
                 std::optional<std::uint32_t> dragged = {});

}  // namespace roofwalk
