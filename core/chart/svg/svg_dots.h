// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/chart/layout/density.h"
#include "core/chart/layout/page.h"
#include "core/chart/svg/svg_canvas.h"

namespace roofwalk {

/// The marker of a level around a place: circle, square, diamond or triangle, all of the area of a circle of
/// `radius`. `attributes` and `content` go into the element.
void put_marker(SvgCanvas& canvas, MemoryLevel level, PointF at, double radius, std::string_view attributes,
                std::string_view content = {});

/// A mark in a dot at a place; `attributes` end the element.
void put_dot_mark(SvgCanvas& canvas, std::span<const MarkStroke> mark, PointF at, double radius, Colour ink,
                  std::string_view attributes = {});

enum class DotsOf : std::uint8_t { plot, rails };

enum class RingsOver : std::uint8_t { dots, crowd };

/// A ring around each dot of the selected kernels; over a crowd with the dot itself, which may lie under
/// others.
void put_rings(SvgCanvas& canvas, const Scene& scene, const PagePlacement& laid, RingsOver over);

/// The dots of the page that stand in the plot, or those that stand on rails. In a crowd those of one size,
/// colour and name share what they have in common, levels have no id of their own, and titles hold the name
/// only, cut to fewer characters the more of them there are.
void put_dots(SvgCanvas& canvas, const Scene& scene, const Analysis& analysis, const PagePlacement& laid,
              DotsOf part);

/// The paths of the scene: arrows and empty markers. Their labels stand among the others.
void put_paths(SvgCanvas& canvas, const Scene& scene, const Layout& layout);

/// The cells of a plot, a path for each shade whose title says how many dots such a cell holds; nothing where
/// none holds any.
void put_shading(SvgCanvas& canvas, const DensityMap& density, const View& view, const Palette& palette);

/// From thin to solid, for the legend.
void put_shading_sample(SvgCanvas& canvas, PointF centre, const Palette& palette);

}  // namespace roofwalk
