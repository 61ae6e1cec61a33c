// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/chart/layout/text_metrics.h"
#include "core/chart/scene/scene.h"

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
    friend bool operator==(const RectF&, const RectF&) = default;
};

/// Width of the bands at the plot's edges where dots without work or without traffic stand, at most and at
/// least [px].
inline constexpr double rail_band = 40;
inline constexpr double narrowest_rail_band = 24;

/// How large marks are in a view, of the radii that a scene has for them.
struct MarkScale {
    double share = 1;
    double least = 0;  ///< what is no larger stays as it is [px]

    [[nodiscard]] double of(float radius) const {
        const auto whole = static_cast<double>(radius);
        return std::max(std::min(whole, least), share * whole);
    }
    friend bool operator==(const MarkScale&, const MarkScale&) = default;
};

/// What a caption tells of a kernel for which the plot has no room.
struct CaptionedKernel {
    std::uint32_t point = 0;
    std::size_t number = 0;  ///< that stands at its dot, from 1 on; 0: none does
    bool named = false;      ///< its name stands there; without name and number the words tell the place
    std::string words{};     ///< "sgemm_naive, 3.20x below HBM"

    friend bool operator==(const CaptionedKernel&, const CaptionedKernel&) = default;
};

/// Which part of the data is seen, and where on the page [px].
struct View {
    RectF plot;  ///< inside the axes
    Range x;
    Range y;
    double below = 0;   ///< height of the band under the plot, for dots without work
    double beside = 0;  ///< width of the band at its right, for dots without traffic
    MarkScale marks{};
    RectF ranges{};  ///< under the plot, for OperationRange, as high as their rows; empty: they stand in the
                     ///< plot
    bool captioned = false;          ///< a caption names the roofs that find no room for it clear of dots
    bool captioned_values = false;   ///< it tells their values too, before words stand over other roofs
    bool captioned_kernels = false;  ///< it tells what finds no room of kernels, before words are cut
    std::vector<CaptionedKernel> in_caption{};  ///< these in any case: it has told them before

    /// The plot with its bands.
    [[nodiscard]] RectF frame() const { return {plot.x, plot.y, plot.width + beside, plot.height + below}; }
    friend bool operator==(const View&, const View&) = default;
};

/// A piece of line, already clipped to the plot.
struct PlacedLine {
    PointF from;
    PointF to;
    /// Of its Roof, RidgeMark, GapMark, TargetMark, LevelJoin, LaunchRange, KernelLine, KernelCeiling or
    /// OperationRange.
    std::uint32_t index = 0;
    bool cut = false;  ///< of a GapMark or TargetMark: what it points at is outside the plot
};

enum class TextAnchor : std::uint8_t { start, middle, end };

/// A label that overlaps no other.
struct PlacedText {
    PointF at{};       ///< on the baseline, of two lines on that of the first
    double angle = 0;  ///< degrees, counter-clockwise
    TextAnchor anchor = TextAnchor::start;
    double size = 11;  ///< font size [px]
    std::string text;
    std::size_t second = 0;  ///< where in the text a second line begins; 0: it is one line
    /// Of its Roof, RidgeMark, DotName, GapMark, TargetMark, KernelCeiling or ScenePath.
    std::uint32_t index = 0;
    bool covers = false;  ///< lies over dots or lines: paint a translucent ground behind it
    bool leader = false;  ///< a thin line joins the label to `leader_to`
    PointF leader_to{};
    bool cut = false;                     ///< the name in it is
    bool brief = false;                   ///< a gap without its share, a roof without its value
    std::size_t number = 0;               ///< that of a CaptionedKernel
    std::optional<std::uint32_t> step{};  ///< the name of this ghost of a ScenePath
};

/// The band outside the plot where dots without work or without traffic stand, so that none can be taken for
/// a measured performance or intensity. Its label stands where the labels of the axis stand, its note in the
/// part of the band that no dot uses.
struct PlacedRail {
    Rail rail = Rail::no_work;
    RectF band;
    PlacedText label;
    PlacedText note;  ///< what the places on the band mean; empty without room
};

/// One arrow of a path, clipped to the plot.
struct PlacedLeg {
    PointF from;
    PointF to;
    std::uint32_t index = 0;  ///< of its ScenePath
    std::uint32_t step = 0;   ///< from this place of the path to the next
    bool has_head = false;    ///< its end is inside the plot
};

/// An empty marker: a place of a path without a dot.
struct PlacedGhost {
    PointF at;
    double radius = 4;
    std::uint32_t index = 0;  ///< of its ScenePath
    std::uint32_t step = 0;   ///< which place of the path it is
};

/// A Scene under one View: everything but dots, in pixels. Cheap enough for every frame of a pan with a
/// quick LabelSearch.
struct Layout {
    std::vector<PlacedLine> roofs;
    std::vector<PointF> measured_roof;  ///< corners of its line, clipped
    std::vector<PlacedText> roof_labels;
    std::vector<PlacedLine> ridge_ticks;
    std::vector<PlacedText> ridge_labels;
    std::vector<PlacedLine> joins;
    std::vector<PlacedLine>
        whiskers;  ///< of a LaunchRange, one or two each, and caps across their ends that are seen
    std::vector<PlacedLine> kernel_lines;  ///< from the rims of their marks
    std::vector<PlacedLine> gaps;          ///< from the dot to the roof; either end may be clipped
    std::vector<PlacedLine> own_roofs;     ///< of a GapMark; across its end
    std::vector<PlacedText> gap_labels;
    std::vector<PlacedLine> targets;       ///< from the dot to its algorithm; either end may be clipped
    std::vector<PlacedLine> useful_parts;  ///< of the same, from the dot to where it is no lever any more
    std::vector<PlacedLine> target_ticks;  ///< across the end of a target that is seen
    std::vector<PlacedText> target_labels;
    std::vector<PlacedText> target_tick_labels;
    std::vector<PlacedLine> kernel_ceilings;
    std::vector<PlacedText> kernel_ceiling_labels;
    std::vector<PlacedText> names;
    std::vector<std::uint32_t> told;  ///< the kernels that names and figures tell
    std::vector<CaptionedKernel> captioned;
    std::vector<std::uint32_t> captioned_figures;  ///< kernels whose gaps the caption tells
    std::size_t captioned_gaps = 0;                ///< of these without a label
    std::size_t unnamed = 0;  ///< of names or numbers that were looked for, those without a place
    /// Kernels in view whose names or numbers were asked for, and those of them that no label tells.
    std::size_t asked_names = 0;
    std::size_t unlabelled_names = 0;
    std::vector<std::uint32_t> unlabelled_roofs;  ///< whose values no label tells
    std::string unlabelled_ridges;                ///< "L1 2.00, SMEM 3.00"; empty where all have labels
    /// Arrows of gaps and targets, and ticks of targets, that are seen: those that share their words count
    /// once.
    std::size_t worded_gaps = 0;
    std::size_t worded_ticks = 0;
    std::vector<std::string> unlabelled_ticks;  ///< "gemm (rule) at 4.00 FLOP/byte"
    std::vector<PlacedLeg> path_legs;
    std::vector<PlacedGhost> ghosts;
    std::vector<PlacedText> path_labels;
    std::size_t labelled_paths = 0;  ///< with empty markers; that are seen, and have words for a label
    std::vector<std::string> unlabelled_paths;  ///< "silu fused: 2.00x faster": of those that found no room
    std::vector<std::string> brief_paths;       ///< whole labels of those that stand in brief
    std::vector<PlacedRail> rails;              ///< only those with dots and a band in the view
    std::vector<PointF> memory_zone;            ///< polygon, clipped
    std::vector<PointF> compute_zone;           ///< polygon, clipped
    std::vector<PlacedText> zone_labels;
    std::vector<PlacedLine> operation_ranges;  ///< rows under the plot or above its foot
    std::vector<PlacedText> operation_range_labels;
    std::size_t seen_ranges = 0;  ///< with those that found no row
};

/// How long places for labels are looked for.
enum class LabelSearch : std::uint8_t {
    thorough,  ///< of a small plot in all of it, and in several orders of labels
    quick,     ///< for a frame of a view that moves
};

/// No label stands in `reserved` (where a legend is).
[[nodiscard]] Layout lay_out(const Scene& scene, const View& view, const std::optional<RectF>& reserved = {},
                             LabelSearch search = LabelSearch::thorough);

/// Whether no line of the layout and none of the largest dots touches the area.
[[nodiscard]] bool is_bare(const Scene& scene, const View& view, const Layout& layout, const RectF& area);

/// How many figures of gaps and arrows and names of targets found no place, and what few arrows would say,
/// for the caption: "2 of 5 gap figures: no room; arrows without labels: silu 2.00x faster"; empty where all
/// stand.
[[nodiscard]] std::string figures_left_out(const Layout& layout, bool in_few_words = false);

/// How many names of kernels, at dots and of figures, are cut.
[[nodiscard]] std::size_t labels_cut(const Layout& layout);

/// How many of those and of names of kernels found none.
[[nodiscard]] std::size_t labels_left_out(const Layout& layout);

/// The same words of names and numbers of kernels, of ridges and of roofs, with what these are: "2 of 5
/// kernel names: no room; ridge L1 2.00".
[[nodiscard]] std::string names_left_out(const Scene& scene, const Layout& layout);

/// A view of the plot with the bands that a scene needs taken from `area`.
[[nodiscard]] View view_in(const RectF& area, const Scene& scene);

/// From the middle of a marker to what is farthest from it, in radii of a circle of its area.
[[nodiscard]] double marker_reach(MemoryLevel level);
/// In order around a marker of the area of a circle of `radius`; none of a circle.
[[nodiscard]] std::vector<PointF> marker_corners(MemoryLevel level, PointF at, double radius);

/// Where a dot is painted: at its place in the plot, in the middle of its band, or on its line where that
/// enters the plot, whole and with room for its ring. Of a line that is not seen it is far outside.
[[nodiscard]] PointF dot_position(const Dot& dot, const View& view);

}  // namespace roofwalk
