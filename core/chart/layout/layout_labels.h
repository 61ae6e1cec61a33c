// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "core/chart/layout/label_placer.h"

/// Where each kind of label would like to stand; the placer decides.
namespace roofwalk {

/// Of so few dots none stands in the way of a label that is led to its own.
inline constexpr std::size_t dots_in_the_clear = 16;
/// Of so few dots other orders of labels and higher pages are tried.
inline constexpr std::size_t dots_tried_again = 80;
/// Labels keep clear of so many of the largest dots.
[[nodiscard]] constexpr std::size_t dots_kept_clear(LabelSearch search) {
    return search == LabelSearch::quick ? dots_tried_again : 400;
}

/// Whether those that found no place are led to their own from all of the plot.
[[nodiscard]] inline bool leads_from_anywhere(const Scene& scene, const LabelPlacer& placer) {
    return placer.search() == LabelSearch::thorough &&
           scene.dots.size() <= dots_kept_clear(LabelSearch::thorough);
}

inline constexpr double label_air = 4;            ///< between a label and what it belongs to [px]
inline constexpr double farthest_from_roof = 30;  ///< its name is taken for that of what is nearer [px]

/// From a line to the baseline of a text of `size` that stands below it [px].
[[nodiscard]] inline double below_line(double size) {
    return label_air + text_ascent * size;
}

/// "saxpy and 2 more kernels: 1.20x below HBM"; of a selected kernel, which needs no name, the label alone.
[[nodiscard]] inline std::string figure_text(const std::string& whose, const std::string& more,
                                             const std::string& label) {
    return whose.empty() ? label : whose + more + ": " + label;
}

/// "2.22x below SM (45.0 % busy), compute side".
[[nodiscard]] inline std::string with_side(const GapMark& gap, const std::string& more = {}) {
    return gap.label + more + (gap.side.empty() ? "" : ", ") + gap.side;
}

/// Plots up to these sizes have labels that find no place near by [px * px].
inline constexpr double column_plot = 80'000;  ///< a few pixels decide
inline constexpr double largest_searched =
    400'000;  ///< labels stand anywhere, and are tried in several orders

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

/// Of a leader to a kernel that is not selected [px].
inline constexpr double longest_leader = 100;

/// From the rim of a dot to the end of a leader, at the outside of its outline: where dots stand so close
/// that their outlines meet, a leader reaches the one and touches no other [px].
inline constexpr double leader_air = 0.8;

/// What the caption has told of a kernel before; null where it has not.
[[nodiscard]] inline const CaptionedKernel* in_caption(const View& view, std::uint32_t point) {
    const auto kernel = std::ranges::find(view.in_caption, point, &CaptionedKernel::point);
    return kernel == view.in_caption.end() ? nullptr : &*kernel;
}

/// Where a leader may end: at the rim around a point.
struct LeaderEnd {
    PointF at;
    double rim = 0;  ///< [px]
};
// layout_gaps.cpp
/// Of the marks of a kernel at an intensity, where it is among the largest; those at the edge are not at
/// theirs [px].
[[nodiscard]] double rim_of_dot(const Scene& scene, const View& view, std::uint32_t point, double x,
                                double otherwise);
/// Of a dot of the owner: on the side of the label, and where dots of others cover a part of its rim, or in
/// any case, at the rest.
[[nodiscard]] std::vector<LeaderEnd> ends_at(const LabelPlacer& placer, PointF dot, double rim,
                                             std::uint32_t owner, bool in_any_case = false);
/// Where a label could stand in all of a plot, with a leader to one of these ends, the nearest first; none in
/// a large plot, or where the search is quick. Those that are taken are left out, and only the first has the
/// text: thousands would be looked at and copied for nothing.
[[nodiscard]] std::vector<PlacedText> places_anywhere(const LabelPlacer& placer, const RectF& plot,
                                                      PlacedText label, std::span<const LeaderEnd> to,
                                                      LabelPriority priority, double farthest = no_limit);
// layout_roof_labels.cpp
/// Labels of roofs whose lines are already laid; nearly coincident roofs share one label.
void place_roof_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);
/// Those whose values no label tells, without those of other devices.
[[nodiscard]] std::vector<std::uint32_t> unlabelled_roofs(const Scene& scene, const Layout& layout);
/// Those of Layout::unlabelled_roofs, with their values: "FP32 practical 9.10 TFLOP/s".
[[nodiscard]] std::string unlabelled_roof_words(const Scene& scene, const Layout& layout);
/// Of those that have none, in full, or, where no other label names the kernel, in brief.
void place_kernel_ceiling_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                                 bool brief = false);
// layout_ridges.cpp
/// Each beside its tick or with a leader to it. Where all do not find places, only that of the binding roof,
/// so that names of kernels have room; the others after those names.
void place_ridge_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);
/// The label of the ridge of the binding roof alone, in few words.
void place_binding_ridge_label(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);
/// False when that ridge is in view and has no label.
[[nodiscard]] bool binding_ridge_is_told(const Scene& scene, const View& view, const Layout& layout);
/// How many ridges in view no label speaks for.
[[nodiscard]] std::size_t count_unlabelled_ridges(const Scene& scene, const View& view, const Layout& layout);
/// Their names and numbers: "L1 2.00, SMEM 3.00".
[[nodiscard]] std::string unlabelled_ridges(const Scene& scene, const View& view, const Layout& layout);
void place_other_ridge_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);
// layout_gaps.cpp
enum class GapForm : std::uint8_t {
    whole,
    brief,  ///< with names cut and no shares
    clear,  ///< without those over lines, of kernels whose names can tell them
};
/// Gap labels of the selected kernel only, or of the others.
void place_gap_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                      bool selected, GapForm form);
/// Of few of the others, those that found no place: in fewer words, and anywhere with a leader.
void place_remaining_gap_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);
/// The figure of one of the others, after a cut name.
[[nodiscard]] std::optional<PlacedText> place_cut_gap_label(const Scene& scene, const View& view,
                                                            const PlacedLine& gap, LabelPlacer& placer);
/// The gap that speaks for those seen as one with it that have the same words: the first of them, by its
/// index.
[[nodiscard]] std::uint32_t first_with_words_of(const Scene& scene, const Layout& layout,
                                                const PlacedLine& gap);
/// The kernels that the figure of an unselected gap speaks for: its own and those of gaps that are seen as
/// one with it and have the same words.
[[nodiscard]] std::vector<std::uint32_t> told_by_gap(const Scene& scene, const Layout& layout,
                                                     std::uint32_t gap);
// layout.cpp
/// The bars of each LaunchRange that its mark does not hide, with a cap at each end, or the head of an arrow
/// where the plot ends before it.
void lay_out_whiskers(const Scene& scene, const View& view, Layout& layout);
// layout_targets.cpp
/// The lines of the horizontal gaps.
void lay_out_targets(const Scene& scene, const View& view, Layout& layout);
/// The labels of their arrows, of the selected kernel only, or of the others.
void place_target_labels(const Scene& scene, Layout& layout, LabelPlacer& placer, bool selected);
/// The same of the ticks at their ends.
void place_target_tick_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                              bool selected);
// layout_zones.cpp
/// Rows of OperationRange with their names, from the top of View::ranges down, without those whose names have
/// no room; returns their height.
double place_ranges_below(const Scene& scene, const View& view, Layout& layout);
/// In View::ranges, else rows of them in the plot with their names, where nothing else stands; those without
/// such a row are left out.
void place_operation_ranges(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);
/// Which side of the ridge the shaded areas are, in them.
void place_zone_labels(Layout& layout, LabelPlacer& placer);
// layout_names.cpp
/// Of as many kernels as the options ask for and the plot has room for, in this order of Scene::names.
/// Kernels that a figure names have no name of their own; those at one place share one. `anywhere`: those
/// that found no place are led to their dots from all of the plot.
void place_names(const Scene& scene, const View& view, std::span<const std::uint32_t> order, Layout& layout,
                 LabelPlacer& placer, bool anywhere = false);
/// What no label tells of gaps: with a number at the dot of a kernel that has no name in the plot.
void caption_gaps(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer);

}  // namespace roofwalk
