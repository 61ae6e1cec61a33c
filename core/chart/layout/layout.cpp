// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/layout.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/chart/layout/label_placer.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/layout/layout_paths.h"
#include "core/chart/layout/roof_clip.h"
#include "core/chart/scene/nested_dots.h"
#include "core/chart/scene/scene_parts.h"

namespace roofwalk {

namespace {

constexpr double ridge_tick = 8;   // [px]
constexpr double half_piece = 26;  // of the short piece of a roof of one kernel [px]
constexpr double ring_reach = 4;   // of the ring around a selected dot, past its rim [px]
constexpr std::size_t dots_looked_at = 1000;
constexpr std::ptrdiff_t most_covered_dots = 3;
constexpr double rail_label_size = 11;
constexpr double rail_label_gap = 6;  // from the band [px]
constexpr double band_per_radius = 3.2;
constexpr double rail_note_size = 10;
constexpr double air_before_note = 40;  // else it would take the room of the last dot's name [px]
constexpr std::string_view rail_note = "no intensity";

PlacedText bottom_rail_note(const RectF& band) {
    const double room = band.width * (1 - rail_length) - 2 * rail_label_gap - air_before_note;
    if (text_width(rail_note, rail_note_size) > room) return {};
    return {.at = {band.right() - rail_label_gap,
                   band.y + band.height / 2 + (text_ascent - text_descent) * rail_note_size / 2},
            .anchor = TextAnchor::end,
            .size = rail_note_size,
            .text = std::string(rail_note)};
}

PlacedRail bottom_rail(const View& view, std::string_view text) {
    const RectF band{view.plot.x, view.plot.bottom(), view.plot.width, view.below};
    const double half_text = (text_ascent - text_descent) * rail_label_size / 2;
    PlacedText label{.at = {band.x - rail_label_gap, band.y + band.height / 2 + half_text},
                     .anchor = TextAnchor::end,
                     .size = rail_label_size,
                     .text = std::string(text)};
    return {Rail::no_work, band, std::move(label), bottom_rail_note(band)};
}

/// A level that is not shown, such as L1, may have some.
PlacedRail right_rail(const View& view) {
    const RectF band{view.plot.right(), view.plot.y, view.beside, view.plot.height};
    PlacedText label{
        .at = {band.right() + rail_label_gap / 2 + text_ascent * rail_label_size, band.y + band.height / 2},
        .angle = 90,
        .anchor = TextAnchor::middle,
        .size = rail_label_size,
        .text = "no bytes at the levels shown"};
    return {Rail::no_traffic, band, std::move(label), {}};
}

void lay_out_rails(const Scene& scene, const View& view, Layout& layout) {
    for (const Rail rail : scene.rails) {
        if (rail == Rail::no_work && view.below > 0)
            layout.rails.push_back(bottom_rail(view, scene.no_work_label));
        if (rail == Rail::no_traffic && view.beside > 0) layout.rails.push_back(right_rail(view));
    }
}

template <class Item, class Clip>
std::vector<PlacedLine> clipped(const std::vector<Item>& items, const Clip& clip) {
    std::vector<PlacedLine> lines;
    for (std::uint32_t i = 0; i < items.size(); ++i)
        if (std::optional<PlacedLine> line = clip(items[i])) {
            line->index = i;
            lines.push_back(*line);
        }
    return lines;
}

std::optional<PlacedLine> mixed_piece(const KernelCeiling& mixed, const View& view) {
    const double per_decade = LogAxis(view.x, view.plot.x, view.plot.right()).pixels_per_decade();
    const double spread = std::pow(10.0, half_piece / per_decade);
    return clip_horizontal(mixed.y, mixed.x / spread, mixed.x * spread, view);
}

/// The piece of roof that a gap ends at where no drawn roof is as high.
std::optional<PlacedLine> binding_roof_piece(const GapMark& gap, const View& view) {
    if (gap.binding_roof_piece == BindingRoofPiece::none) return std::nullopt;
    const LogAxis x_axis(view.x, view.plot.x, view.plot.right());
    const LogAxis y_axis(view.y, view.plot.bottom(), view.plot.y);
    const PointF end{x_axis.to_pixel(gap.x), y_axis.to_pixel(gap.to)};
    const double steepness = gap.binding_roof_piece == BindingRoofPiece::slope
                                 ? y_axis.pixels_per_decade() / x_axis.pixels_per_decade()
                                 : 0;
    const double dx = half_piece / std::hypot(1, steepness);
    const double dy = std::abs(steepness) * dx;
    return clip_line({end.x - dx, end.y + dy}, {end.x + dx, end.y - dy}, view.plot);
}

std::optional<PlacedLine> ridge_mark(const RidgeMark& ridge, const View& view) {
    if (!view.x.holds(ridge.x)) return std::nullopt;
    const double x = LogAxis(view.x, view.plot.x, view.plot.right()).to_pixel(ridge.x);
    return PlacedLine{{x, view.plot.bottom()}, {x, view.plot.bottom() - ridge_tick}};
}

/// Roofs that are seen as one line.
bool lies_on(const PlacedLine& a, const PlacedLine& b) {
    return std::hypot(a.from.x - b.from.x, a.from.y - b.from.y) < 1 &&
           std::hypot(a.to.x - b.to.x, a.to.y - b.to.y) < 1;
}

void add_obstacles(const Scene& scene, const View& view, const Layout& layout, LabelPlacer& placer) {
    for (auto roof = layout.roofs.begin(); roof != layout.roofs.end(); ++roof)
        if (std::none_of(layout.roofs.begin(), roof,
                         [&](const PlacedLine& other) { return lies_on(*roof, other); }))
            placer.add_roof(roof->from, roof->to);
    for (std::size_t i = 1; i < layout.measured_roof.size(); ++i)
        placer.add_roof(layout.measured_roof[i - 1], layout.measured_roof[i]);
    for (const auto* lines : {&layout.own_roofs, &layout.target_ticks, &layout.joins, &layout.kernel_lines})
        for (const PlacedLine& line : *lines)
            placer.add_line(line.from, line.to);
    for (const auto* bars : {&layout.kernel_ceilings, &layout.whiskers})
        for (const PlacedLine& bar : *bars)
            placer.add_bar(bar.from, bar.to);
    for (const auto* arrows : {&layout.gaps, &layout.targets})
        for (const PlacedLine& arrow : *arrows)
            placer.add_arrow(arrow.from, arrow.to);
    for (const PlacedLeg& leg : layout.path_legs)
        placer.add_arrow(leg.from, leg.to);
    for (const PlacedGhost& ghost :
         std::span(layout.ghosts).first(std::min(layout.ghosts.size(), dots_kept_clear(placer.search()))))
        placer.add_dot(ghost.at, ghost.radius);
    for (const PlacedLine& tick : layout.ridge_ticks)
        placer.add_dot({tick.from.x, (tick.from.y + tick.to.y) / 2}, ridge_tick / 2);
    const std::size_t first =
        scene.dots.size() - std::min(scene.dots.size(), dots_kept_clear(placer.search()));
    for (std::size_t i = first; i < scene.dots.size(); ++i) {
        const Dot& dot = scene.dots[i];
        const PointF at = dot_position(dot, view);
        const double radius = painted_radius(scene.dots, static_cast<std::uint32_t>(i), view) +
                              (is_selected(scene.options, dot.point) ? ring_reach : 0);
        placer.add_dot(at, radius, dot.point, dot.level);
    }
}

/// Labels keep clear of large dots only. Over small ones they get a ground; over a crowd of them they would
/// be noise, and only roofs and the selected kernel keep their own.
class SmallDots {
  public:
    SmallDots(const Scene& scene, const View& view) {
        const std::size_t first = scene.dots.size() - std::min(scene.dots.size(), dots_looked_at);
        for (std::size_t i = first; i < scene.dots.size(); ++i)
            dots_.push_back({dot_position(scene.dots[i], view), view.marks.of(scene.dots[i].radius)});
        more_than_looked_at_ = first > 0;
    }

    /// Leaves out the labels over a crowd, but for those of which `is_needed(index)`.
    template <class Needed>
    void clear(std::vector<PlacedText>& labels, const Needed& is_needed) const {
        std::erase_if(labels, [&](PlacedText& label) {
            const auto covered = covered_by(label);
            label.covers = label.covers || covered > 0 || more_than_looked_at_;
            return covered > most_covered_dots && !is_needed(label.index);
        });
    }

  private:
    struct DotCircle {
        PointF at;
        double radius = 0;
    };

    [[nodiscard]] std::ptrdiff_t covered_by(const PlacedText& text) const {
        const LabelBox box(text);
        return std::ranges::count_if(
            dots_, [&](const DotCircle& dot) { return box.touches_circle(dot.at, dot.radius); });
    }

    std::vector<DotCircle> dots_;
    bool more_than_looked_at_ = false;
};

void clear_figures(const Scene& scene, const SmallDots& dots, Layout& layout) {
    const auto selected_in = [](const auto& marks) {
        return [&marks](std::uint32_t i) { return marks[i].selected; };
    };
    dots.clear(layout.gap_labels, selected_in(scene.gaps));
    dots.clear(layout.target_labels, selected_in(scene.targets));
    dots.clear(layout.target_tick_labels, selected_in(scene.targets));
}

void clear_other_labels(const Scene& scene, const SmallDots& dots, Layout& layout) {
    const auto never = [](std::uint32_t) { return false; };
    dots.clear(layout.names, [&](std::uint32_t i) {
        return scene.options.selected == scene.dots[scene.names[i].dot].point;
    });
    dots.clear(layout.roof_labels, [&](std::uint32_t i) { return !scene.roofs[i].is_beside(); });
    dots.clear(layout.path_labels, [&](std::uint32_t i) { return scene.paths[i].selected; });
    dots.clear(layout.kernel_ceiling_labels, never);
    dots.clear(layout.ridge_labels, never);
    dots.clear(layout.zone_labels, never);
}

/// Wide enough for the largest dot on a rail, which is the last one.
double band_of(const Scene& scene, Rail rail) {
    const auto largest = std::find_if(scene.dots.rbegin(), scene.dots.rend(),
                                      [&](const Dot& dot) { return dot.rail == rail; });
    const double radius = largest != scene.dots.rend() ? static_cast<double>(largest->radius) : 0;
    return std::clamp(std::ceil(band_per_radius * radius), narrowest_rail_band, rail_band);
}

/// Whether a roof has its label away from its line, or the leader of a figure runs through it.
bool some_roof_gave_way(const Layout& layout) {
    return std::ranges::any_of(layout.roof_labels, [&](const PlacedText& label) {
        const LabelBox box(label);
        const auto roof = std::ranges::find(layout.roofs, label.index, &PlacedLine::index);
        return roof == layout.roofs.end() || box.distance(roof->from, roof->to) > farthest_from_roof ||
               std::ranges::any_of(layout.gap_labels, [&](const PlacedText& figure) {
                   return figure.leader &&
                          box.crosses(LabelBox(figure).leader_start(figure.leader_to), figure.leader_to);
               });
    });
}

/// Which labels come first.
enum class LabelOrder : std::uint8_t { usual, ridges_first, paths_first, names_first, brief, at_dots };

/// When roofs get their names.
enum class RoofTurn : std::uint8_t {
    either,  ///< after the figures of the selection, before them where a name then stands gives way
    before,
    after,
};

bool some_figure_is_over_dots(const Layout& layout, const LabelPlacer& placer) {
    return std::ranges::any_of(layout.gap_labels,
                               [&](const PlacedText& figure) { return placer.is_over_dots(figure); });
}

/// Of gaps, targets and roofs. A figure can be led to its arrow: it does not drive a roof's name away, unless
/// it would stand over a dot.
void place_labels_of_lines(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                           LabelOrder order, RoofTurn turn = RoofTurn::either) {
    const bool paths_first = order == LabelOrder::paths_first;
    for (auto* labels : {&layout.gap_labels, &layout.target_labels, &layout.target_tick_labels,
                         &layout.roof_labels, &layout.kernel_ceiling_labels})
        labels->clear();
    layout.unlabelled_ticks.clear();
    layout.worded_gaps = layout.worded_ticks = 0;
    const LabelPlacer::Placed before = placer.placed();
    if (turn == RoofTurn::before) place_roof_labels(scene, view, layout, placer);
    if (paths_first) place_target_tick_labels(scene, view, layout, placer, true);
    place_gap_labels(scene, view, layout, placer, true, paths_first ? GapForm::brief : GapForm::whole);
    place_target_labels(scene, layout, placer, true);
    if (!paths_first) place_target_tick_labels(scene, view, layout, placer, true);
    if (turn != RoofTurn::before) place_roof_labels(scene, view, layout, placer);
    if (turn == RoofTurn::either && !layout.gap_labels.empty() && some_roof_gave_way(layout)) {
        const bool over_dots = some_figure_is_over_dots(layout, placer);
        placer.go_back(before);
        place_labels_of_lines(scene, view, layout, placer, order, RoofTurn::before);
        // A turn that leaves the selection no figure, or puts one over a dot, is taken back.
        const bool kept = std::ranges::any_of(
            layout.gap_labels, [&](const PlacedText& label) { return scene.gaps[label.index].selected; });
        if (kept && (over_dots || !some_figure_is_over_dots(layout, placer))) return;
        placer.go_back(before);
        place_labels_of_lines(scene, view, layout, placer, order, RoofTurn::after);
        return;
    }
    place_gap_labels(scene, view, layout, placer, false,
                     order == LabelOrder::brief     ? GapForm::brief
                     : order == LabelOrder::at_dots ? GapForm::clear
                                                    : GapForm::whole);
    place_target_labels(scene, layout, placer, false);
    place_target_tick_labels(scene, view, layout, placer, false);
    place_kernel_ceiling_labels(scene, view, layout, placer);
}

/// So far into the plot, along the line, that all of the mark is seen; at the end of a shorter line beside
/// it.
PointF edge_position(const Dot& dot, const View& view) {
    const RectF& plot = view.plot;
    const auto line = clip_slope(dot.y, dot.x, view);
    if (!line) return {plot.x, 2 * plot.bottom() + 1000};
    const double reach = marker_reach(dot.level) * (view.marks.of(dot.radius) + ring_reach);
    const double dx = line->to.x - line->from.x;
    const double dy = line->to.y - line->from.y;
    const double share =
        std::max((plot.x + reach - line->from.x) / dx, (plot.bottom() - reach - line->from.y) / dy);
    const double along = std::clamp(share, 0.0, 1.0);
    return {std::max(plot.x + reach, std::min(line->from.x + along * dx, plot.right() - reach)),
            std::max(plot.y + reach, std::min(line->from.y + along * dy, plot.bottom() - reach))};
}

/// From the rim of its mark to its end, or a short piece of it; all of one that its mark, which is hollow,
/// covers.
std::optional<PlacedLine> beyond_mark(const KernelLine& line, const View& view) {
    constexpr double piece = 9;  // [px]
    const auto seen = clip_slope(line.rate, line.ends_at, view);
    if (!seen) return std::nullopt;
    const PointF mark = dot_position(dot_of(line), view);
    const double dx = seen->to.x - mark.x;
    const double dy = seen->to.y - mark.y;
    const double length = std::hypot(dx, dy);
    const double rim = view.marks.of(line.radius);
    if (dx < 0 || length < rim + piece) return line.whole ? seen : std::nullopt;
    const double from = rim / length;
    const double to = line.whole ? 1 : std::min(1.0, (rim + piece) / length);
    return PlacedLine{{mark.x + from * dx, mark.y + from * dy}, {mark.x + to * dx, mark.y + to * dy}};
}

void place_labels(const Scene& scene, const View& view, LabelOrder order,
                  std::span<const std::uint32_t> names, Layout& layout, LabelPlacer& placer) {
    if (order == LabelOrder::names_first) place_names(scene, view, names, layout, placer);
    if (order == LabelOrder::ridges_first) place_other_ridge_labels(scene, view, layout, placer);
    const LabelPlacer::Placed before = placer.placed();
    place_labels_of_lines(scene, view, layout, placer, order);
    if (order != LabelOrder::ridges_first) place_ridge_labels(scene, view, layout, placer);
    if (!binding_ridge_is_told(scene, view, layout)) {
        placer.go_back(before);
        place_binding_ridge_label(scene, view, layout, placer);
        place_labels_of_lines(scene, view, layout, placer, order);
    }
    const SmallDots small_dots(scene, view);
    clear_figures(scene, small_dots, layout);
    place_remaining_gap_labels(scene, view, layout, placer);
    if (order == LabelOrder::paths_first) place_path_labels(scene, view, layout, placer);
    if (order != LabelOrder::names_first) place_names(scene, view, names, layout, placer);
    place_other_ridge_labels(scene, view, layout, placer);
    if (order != LabelOrder::paths_first) place_path_labels(scene, view, layout, placer);
    if (leads_from_anywhere(scene, placer)) {
        if (layout.unnamed > 0) place_names(scene, view, names, layout, placer, true);
        if (view.captioned_kernels) caption_gaps(scene, view, layout, placer);
    }
    place_kernel_ceiling_labels(scene, view, layout, placer, true);
    place_operation_ranges(scene, view, layout, placer);
    place_zone_labels(layout, placer);
    const std::size_t named = layout.names.size();
    clear_other_labels(scene, small_dots, layout);
    layout.unlabelled_names += named - layout.names.size();
    layout.unlabelled_ridges = unlabelled_ridges(scene, view, layout);
    layout.unlabelled_roofs = unlabelled_roofs(scene, layout);
}

/// What has no label, what stands over dots or is cut, and what stands away from its own, which counts least:
/// a figure or a name counts more than a ridge.
std::size_t label_cost(const Scene& scene, const View& view, const Layout& layout,
                       const LabelPlacer& placer) {
    constexpr std::size_t worth = 8;  // of a figure or a name, in leaders
    const auto led = [](const std::vector<PlacedText>& labels) {
        return static_cast<std::size_t>(std::ranges::count_if(labels, &PlacedText::leader));
    };
    std::size_t over_dots = 0;
    for (const auto* labels : {&layout.roof_labels, &layout.names, &layout.gap_labels, &layout.path_labels})
        for (const PlacedText& label : *labels)
            over_dots += placer.is_over_dots(label) ? 1U : 0U;
    std::size_t brief = 0;
    std::size_t over_roofs = 0;  // which its ground makes fainter
    for (const auto* labels : {&layout.gap_labels, &layout.names})
        for (const PlacedText& label : *labels) {
            const LabelBox box(label);
            for (const PlacedLine& roof : layout.roofs)
                if (box.crosses(roof.from, roof.to))
                    over_roofs += box.runs_along(roof.from, roof.to) ? 4U : 2U;
            brief += label.brief ? 1U : 0U;
        }
    const std::size_t left_out = labels_left_out(layout) - layout.unlabelled_names;
    return 2 * count_unlabelled_ridges(scene, view, layout) + led(layout.names) + led(layout.gap_labels) +
           4 * labels_cut(layout) + (worth - 1) * layout.captioned.size() + over_roofs + 3 * brief +
           worth * (layout.unnamed + left_out + over_dots);
}

/// With as many labels as a few orders of them find places for, in a small plot with few dots: the figures
/// that found none come first in the next order.
Layout best_labelled(const Scene& scene, const View& view, Layout lines, LabelPlacer& placer) {
    const bool figures = !scene.gaps.empty() || !scene.targets.empty();
    const bool looks_again =
        placer.search() == LabelSearch::thorough &&
        (scene.options.numbered ||
         (scene.dots.size() <= (scene.paths.empty() ? dots_in_the_clear : dots_tried_again) &&
          view.plot.width * view.plot.height <= largest_searched));
    const LabelPlacer::Placed obstacles = placer.placed();
    std::vector<std::uint32_t> names(scene.names.size());
    std::iota(names.begin(), names.end(), 0U);
    // The largest dot is looked at first: only the selection and the first of the names come before its own.
    std::ranges::stable_sort(names, std::ranges::greater(), [&](std::uint32_t name) {
        const std::uint32_t point = scene.dots[scene.names[name].dot].point;
        return scene.options.selected == point || name == 0 ? 2 : point == scene.dots.back().point ? 1 : 0;
    });
    std::optional<Layout> best;
    std::size_t least = 0;
    bool moved = false;
    for (const LabelOrder order :
         {LabelOrder::usual, LabelOrder::usual, LabelOrder::usual, LabelOrder::ridges_first,
          LabelOrder::paths_first, figures ? LabelOrder::brief : LabelOrder::names_first,
          LabelOrder::at_dots}) {
        if (best && order == LabelOrder::usual && !moved) continue;
        if (order == LabelOrder::paths_first && scene.paths.empty() && scene.targets.empty()) continue;
        if (order == LabelOrder::at_dots && std::ranges::none_of(best->gap_labels, &PlacedText::covers))
            continue;
        Layout layout = lines;
        placer.go_back(obstacles);
        place_labels(scene, view, order, names, layout, placer);
        const std::size_t cost = label_cost(scene, view, layout, placer);
        if (cost < 2 || !looks_again) return layout;
        const auto is_unlabelled = [&](const PlacedLine& gap) {
            const auto label = std::ranges::find_if(layout.gap_labels, [&](const PlacedText& figure) {
                const std::vector<std::uint32_t> told = told_by_gap(scene, layout, figure.index);
                return std::ranges::find(told, scene.gaps[gap.index].point) != told.end();
            });
            return label == layout.gap_labels.end() || label->cut || label->brief || label->number;
        };
        const auto is_unnamed = [&](std::uint32_t name) {
            const auto label = std::ranges::find(layout.names, name, &PlacedText::index);
            return scene.options.selected == scene.dots[scene.names[name].dot].point ||
                   label == layout.names.end() || label->cut || label->number;
        };
        moved = !std::ranges::is_partitioned(lines.gaps, is_unlabelled) ||
                !std::ranges::is_partitioned(names, is_unnamed);
        std::stable_partition(lines.gaps.begin(), lines.gaps.end(), is_unlabelled);
        std::stable_partition(names.begin(), names.end(), is_unnamed);
        if (best && cost >= least) continue;
        best = std::move(layout);
        least = cost;
    }
    return *std::move(best);
}

/// How many labels of a kind stand.
struct LabelCount {
    std::size_t told = 0;
    std::size_t all = 0;
    std::string_view what;
    std::span<const std::string> words = {};  ///< of all that found no room, for the caption
    std::string_view before_words = {};
};

std::array<LabelCount, 4> counts_of(const Layout& layout) {
    return {{{layout.gap_labels.size() + layout.target_labels.size() + layout.captioned_gaps,
              layout.worded_gaps, "gap figures"},
             {layout.target_tick_labels.size(), layout.worded_ticks, "algorithm names",
              layout.unlabelled_ticks, "algorithm: "},
             {layout.path_labels.size(), layout.labelled_paths, "arrow labels", layout.unlabelled_paths,
              "arrows without labels: "},
             {layout.operation_range_labels.size(), layout.seen_ranges, "typical ranges"}}};
}

}  // namespace

View view_in(const RectF& area, const Scene& scene) {
    View view{.plot = area, .x = scene.x, .y = scene.y};
    for (const Rail rail : scene.rails)
        (rail == Rail::no_work ? view.below : view.beside) = band_of(scene, rail);
    view.plot.width = std::max(1.0, area.width - view.beside);
    view.plot.height = std::max(1.0, area.height - view.below);
    return view;
}

double marker_reach(MemoryLevel level) {
    constexpr EnumArray<MarkerShape, double> reach{1, 1.2533, 1.2533, 1.5551};
    return reach[memory_levels[level].marker];
}

std::vector<PointF> marker_corners(MemoryLevel level, PointF at, double radius) {
    constexpr double right_angle = std::numbers::pi / 2;
    constexpr EnumArray<MarkerShape, int> counts{0, 4, 4, 3};
    constexpr EnumArray<MarkerShape, double> first{0, right_angle / 2, 0, -right_angle};
    const MarkerShape shape = memory_levels[level].marker;
    radius *= marker_reach(level);
    std::vector<PointF> corners;
    for (int i = 0; i < counts[shape]; ++i) {
        const double angle = first[shape] + 4 * right_angle * i / counts[shape];
        corners.push_back({at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)});
    }
    return corners;
}

PointF dot_position(const Dot& dot, const View& view) {
    const RectF& plot = view.plot;
    if (dot.rail == Rail::no_work) return {plot.x + dot.x * plot.width, plot.bottom() + view.below / 2};
    if (dot.rail == Rail::edge) return edge_position(dot, view);
    const double y = LogAxis(view.y, plot.bottom(), plot.y).to_pixel(dot.y);
    if (dot.rail == Rail::no_traffic) return {plot.right() + view.beside / 2, y};
    return {LogAxis(view.x, plot.x, plot.right()).to_pixel(dot.x), y};
}

bool is_bare(const Scene& scene, const View& view, const Layout& layout, const RectF& area) {
    LabelPlacer placer(view.plot);
    add_obstacles(scene, view, layout, placer);
    return placer.is_bare(area);
}

std::string figures_left_out(const Layout& layout, bool in_few_words) {
    const std::size_t few = in_few_words ? 0 : 4;
    std::string words;
    for (const LabelCount& told : counts_of(layout)) {
        if (told.told >= told.all) continue;
        words += words.empty() ? "" : "; ";
        if (told.all - told.told == told.words.size() && told.words.size() <= few)
            words += fmt::format("{}{}", told.before_words, fmt::join(told.words, ", "));
        else
            words += fmt::format("{} of {} {}: no room", told.all - told.told, told.all, told.what);
    }
    return words;
}

std::size_t labels_cut(const Layout& layout) {
    return static_cast<std::size_t>(std::ranges::count_if(layout.names, &PlacedText::cut) +
                                    std::ranges::count_if(layout.gap_labels, &PlacedText::cut));
}

std::size_t labels_left_out(const Layout& layout) {
    std::size_t count = layout.unlabelled_names;
    for (const LabelCount& told : counts_of(layout))
        count += told.all - std::min(told.told, told.all);
    return count;
}

std::string names_left_out(const Scene& scene, const Layout& layout) {
    std::string words;
    if (layout.unlabelled_names > 0)
        words = fmt::format("{} of {} {} {}: no room", layout.unlabelled_names, layout.asked_names,
                            noun_of(scene.rows, 1), scene.options.numbered ? "numbers" : "names");
    if (!layout.unlabelled_ridges.empty())
        words += (words.empty() ? "" : "; ") + ("ridge " + layout.unlabelled_ridges);
    if (const std::string roofs = unlabelled_roof_words(scene, layout); !roofs.empty())
        words += (words.empty() ? "" : "; ") + ("roof " + roofs);
    return words;
}

void lay_out_whiskers(const Scene& scene, const View& view, Layout& layout) {
    constexpr double half_cap = 4;  // [px]
    constexpr double head = 6;      // [px]
    const LogAxis x(view.x, view.plot.x, view.plot.right());
    const LogAxis y(view.y, view.plot.bottom(), view.plot.y);
    for (std::uint32_t i = 0; i < scene.launch_ranges.size(); ++i) {
        const LaunchRange& range = scene.launch_ranges[i];
        const auto add = [&](PointF from, PointF to) {
            std::optional<PlacedLine> line = clip_line(from, to, view.plot);
            if (!line) return false;
            line->index = i;
            layout.whiskers.push_back(*line);
            return true;
        };
        const PointF dot{x.to_pixel(range.x), y.to_pixel(range.y)};
        const double rim = rim_of_dot(scene, view, range.point, range.x, 0);
        const auto is_hidden = [&](PointF end) { return std::hypot(end.x - dot.x, end.y - dot.y) < rim; };
        const auto bar = [&](double lo, double hi, const Range& seen, const auto& at) {
            if (is_hidden(at(lo, half_cap)) && is_hidden(at(hi, half_cap))) return;
            if (!add(at(lo, 0), at(hi, 0))) return;
            for (const double end : {lo, hi}) {
                const double tip = std::clamp(end, seen.lo, seen.hi);
                const double foot = end == tip ? end : tip + std::copysign(head, tip - end);
                if (end == tip) add(at(end, -half_cap), at(end, half_cap));
                for (const double aside : {-half_cap, half_cap})
                    if (end != tip) add(at(foot, aside), at(tip, 0));
            }
        };
        if (range.intensity)
            bar(x.to_pixel(range.intensity->lo), x.to_pixel(range.intensity->hi),
                {view.plot.x, view.plot.right()}, [&](double end, double aside) {
                    return PointF{end, dot.y + aside};
                });
        if (range.performance)
            bar(y.to_pixel(range.performance->lo), y.to_pixel(range.performance->hi),
                {view.plot.y, view.plot.bottom()}, [&](double end, double aside) {
                    return PointF{dot.x + aside, end};
                });
    }
}

Layout lay_out(const Scene& scene, const View& view, const std::optional<RectF>& reserved,
               LabelSearch search) {
    Layout layout;
    layout.roofs = clipped(scene.roofs, [&](const Roof& roof) { return clip_roof(roof, view); });
    if (scene.measured_roof) layout.measured_roof = clip_curve(*scene.measured_roof, view);
    layout.ridge_ticks =
        clipped(scene.ridges, [&](const RidgeMark& ridge) { return ridge_mark(ridge, view); });
    layout.joins = clipped(scene.joins, [&](const LevelJoin& join) {
        return clip_horizontal(join.y, join.from, join.to, view);
    });
    lay_out_whiskers(scene, view, layout);
    layout.kernel_lines =
        clipped(scene.lines, [&](const KernelLine& line) { return beyond_mark(line, view); });
    layout.gaps =
        clipped(scene.gaps, [&](const GapMark& gap) { return clip_vertical(gap.x, gap.from, gap.to, view); });
    for (PlacedLine& gap : layout.gaps)
        gap.cut = !view.y.holds(scene.gaps[gap.index].to);
    layout.own_roofs = clipped(scene.gaps, [&](const GapMark& gap) { return binding_roof_piece(gap, view); });
    lay_out_targets(scene, view, layout);
    layout.kernel_ceilings =
        clipped(scene.kernel_ceilings, [&](const KernelCeiling& mixed) { return mixed_piece(mixed, view); });
    lay_out_rails(scene, view, layout);
    lay_out_paths(scene, view, layout);
    if (scene.zones) {
        layout.memory_zone = memory_zone(*scene.zones, view);
        layout.compute_zone = compute_zone(*scene.zones, view);
    }

    const LabelOwners owners(scene, view, layout);
    LabelPlacer placer(view.plot, &owners, search);
    if (reserved) placer.reserve(*reserved);
    add_obstacles(scene, view, layout, placer);
    return best_labelled(scene, view, std::move(layout), placer);
}

}  // namespace roofwalk
