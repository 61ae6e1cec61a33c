// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/chart/scene.h"

namespace roofwalk {

struct PointF {
    double x = 0;
    double y = 0;
};

struct RectF {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
};

/// Which part of the data is seen, and where on the page [px].
struct View {
    RectF plot;  ///< inside the axes
    Range x;
    Range y;
};

/// A piece of line, already clipped to the plot.
struct LaidLine {
    PointF from;
    PointF to;
    std::uint32_t index = 0;  ///< of its Roof, GapMark or MixedCeiling
};

enum class TextAnchor : std::uint8_t { start, middle, end };

/// A label that overlaps no other.
struct LaidText {
    PointF at;         ///< on the baseline
    double angle = 0;  ///< degrees, counter-clockwise
    TextAnchor anchor = TextAnchor::start;
    double size = 11;  ///< font size [px]
    std::string text;
    std::uint32_t index = 0;  ///< of its Roof, DotName or GapMark
    bool leader = false;      ///< a thin line joins the label to `leader_to`
    PointF leader_to;
};

/// A Scene under one View: everything but dots, in pixels. Cheap enough for every frame of a pan.
struct Layout {
    std::vector<LaidLine> roofs;
    std::vector<LaidText> roof_labels;
    std::vector<LaidLine> ridge_ticks;
    std::vector<LaidText> ridge_labels;
    std::vector<LaidLine> gaps;
    std::vector<LaidText> gap_labels;
    std::vector<LaidLine> mixed;
    std::vector<LaidText> names;
    std::vector<PointF> memory_zone;   ///< polygon, clipped
    std::vector<PointF> compute_zone;  ///< polygon, clipped
};

[[nodiscard]] Layout lay_out(const Scene& scene, const View& view);

/// Where a dot is painted: at its place, or on its rail inside the plot.
[[nodiscard]] PointF dot_position(const Dot& dot, const View& view);

/// Width of a text in the chart's font at `size` [px], from a width table: close, never short.
[[nodiscard]] double text_width(std::string_view text, double size);

}  // namespace roofwalk
