// SPDX-License-Identifier: GPL-3.0-or-later
// The names of kernels: beside their dots, clear of those of other kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"
#include "core/chart/scene/scene_parts.h"

namespace roofwalk {

namespace {

constexpr double name_size = 11;           // [px]
constexpr double ring = 4;                 // around the dots of a selection, past their rim [px]
constexpr double room_of_a_name = 20'000;  // a small plot names fewer kernels [px * px]
constexpr double least_cut_name = 48;      // a name cut shorter tells nothing [px]
constexpr double cut_step = 0.75;          // of its width, from one cut of a name to the next
constexpr double above_ridges = 21;        // from the foot of the plot past the ticks of ridges [px]
constexpr double before_next_dot = 16;     // from a name in the band to the dot that is not its own [px]
constexpr double farthest_name = 0.3;      // from its dot, of the plot's shorter side
constexpr double farthest_of_usual = 70;   // the same of a kernel that is not selected [px]
constexpr double farthest_of_selected =
    0.6;  // of the selected one, and in the clear; of the plot's shorter side

struct Direction {
    double x = 0;
    double y = 0;
};

PointF shifted(PointF point, double x, double y) {
    return {point.x + x, point.y + y};
}

/// Around a dot, then with a leader, no farther away than `most`.
std::vector<PlacedText> places_around(PointF centre, double radius, PlacedText label, double most) {
    constexpr std::array<Direction, 8> directions{
        {{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}};
    constexpr std::array distances{0.0, 22.0, 44.0, 66.0, 90.0, 120.0};
    std::vector<PlacedText> places;
    for (const double away : distances) {
        if (away > most) break;
        for (const Direction& direction : directions) {
            const double reach = (radius + label_air + away) / std::hypot(direction.x, direction.y);
            label.anchor = direction.x > 0   ? TextAnchor::start
                           : direction.x < 0 ? TextAnchor::end
                                             : TextAnchor::middle;
            const double up = text_descent * label.size + second_line_drop(label);
            const double down = text_ascent * label.size;
            const double drop = direction.y < 0 ? -up : direction.y > 0 ? down : (down - up) / 2;
            label.at = shifted(centre, direction.x * reach, direction.y * reach + drop);
            label.leader = away > 0;
            const double rim = (radius + leader_air) / std::hypot(direction.x, direction.y);
            label.leader_to = shifted(centre, direction.x * rim, direction.y * rim);
            places.push_back(label);
        }
    }
    return places;
}

/// Those in the middle above and below give way to the sides of the plot, where both lines begin or end.
void shift_into(const RectF& plot, std::vector<PlacedText>& places) {
    constexpr double air = 4;  // [px]
    for (PlacedText& place : places) {
        const double half = width_of(place) / 2 + air;
        if (place.anchor != TextAnchor::middle || 2 * half >= plot.width) continue;
        if (place.at.x < plot.x + half) {
            place.anchor = TextAnchor::start;
            place.at.x = plot.x + air;
        } else if (place.at.x > plot.right() - half) {
            place.anchor = TextAnchor::end;
            place.at.x = plot.right() - air;
        }
    }
}

/// From a line to the baseline of a label above it, and below it.
std::array<double, 2> offsets_of(const PlacedText& label) {
    return {-label_air - text_descent * label.size - second_line_drop(label), below_line(label.size)};
}

/// Above and below a dot, flush with its sides: where the plot ends, or the next dot stands, at one of them.
void add_flush_places(PointF centre, double radius, PlacedText label, std::vector<PlacedText>& places) {
    for (const double off : offsets_of(label))
        for (const double side : {-1.0, 1.0}) {
            label.anchor = side < 0 ? TextAnchor::start : TextAnchor::end;
            label.at = shifted(centre, side * radius, std::copysign(radius, off) + off);
            places.push_back(label);
        }
}

/// Above and below the middle of the line that joins the dots of a kernel.
void add_places_at_join(const PlacedLine& join, double radius, PlacedText label,
                        std::vector<PlacedText>& places) {
    label.anchor = TextAnchor::middle;
    for (const double off : offsets_of(label)) {
        label.at = {(join.from.x + join.to.x) / 2, join.from.y + std::copysign(radius, off) + off};
        places.push_back(label);
    }
}

/// The name of a kernel, and what it says of others at the same place.
struct NameWords {
    std::string name;
    std::string pile;        ///< true of the first dot only
    std::string figure;      ///< of its gap
    std::size_t broken = 0;  ///< where in the name its second line begins; 0: nowhere

    /// In one line, and in two where it says more than a name.
    [[nodiscard]] std::vector<PlacedText> in_lines(PlacedText label) const {
        label.cut = name != label.text;
        label.text = name + pile + figure;
        label.second = broken;
        std::vector<PlacedText> forms{label};
        if (broken > 0) return forms;
        const std::size_t space =
            label.text.find(' ', figure.empty() ? name.size() : name.size() + pile.size());
        if (space == std::string::npos) return forms;
        label.second = space + 1;
        forms.push_back(label);
        return forms;
    }
};

/// A dot on a band is seen with the part of the plot that the band lies along.
bool is_seen(const Dot& dot, PointF centre, const View& view) {
    const RectF plot = view.plot;
    if (dot.rail == Rail::no_work) return centre.x >= plot.x && centre.x <= plot.right();
    if (dot.rail == Rail::no_traffic) return centre.y >= plot.y && centre.y <= plot.bottom();
    return LabelBox(plot).touches_circle(centre, 1);
}

/// Of the dots of a kernel from `first` on the one that is seen first; absent where none is.
std::optional<std::uint32_t> first_seen(const Scene& scene, std::uint32_t first, const View& view) {
    const std::uint32_t point = scene.dots[first].point;
    for (std::uint32_t dot = first; dot < scene.dots.size() && scene.dots[dot].point == point; ++dot)
        if (is_seen(scene.dots[dot], dot_position(scene.dots[dot], view), view)) return dot;
    return std::nullopt;
}

/// For the name of a kernel whose dot `first`, the one of its farthest level in the plot, is there: at it,
/// and without others at the line through its dots and, where it must not be missing, at its other dots.
std::vector<PlacedText> places_of_name(const Scene& scene, const View& view, const Layout& layout,
                                       std::uint32_t first, const PlacedText& label, bool piled) {
    const Dot& dot = scene.dots[first];
    const bool selected = scene.options.selected == dot.point;
    const double side = std::min(view.plot.width, view.plot.height);
    const bool far = selected || scene.dots.size() <= dots_in_the_clear;
    const double farthest =
        far ? farthest_of_selected * side : std::min(farthest_name * side, farthest_of_usual);
    const double around = selected ? ring : 0;
    const PointF centre = dot_position(dot, view);
    const double radius = outermost_radius(scene.dots, first, view) + around;
    std::vector<PlacedText> places = places_around(centre, radius, label, farthest);
    add_flush_places(centre, radius, label, places);
    shift_into(view.plot, places);
    if (piled) return places;
    const auto join = std::ranges::find_if(
        layout.joins, [&](const PlacedLine& line) { return scene.joins[line.index].point == dot.point; });
    if (join != layout.joins.end()) add_places_at_join(*join, radius, label, places);
    if (!far) return places;
    for (std::uint32_t other = first + 1; other < scene.dots.size() && scene.dots[other].point == dot.point;
         ++other)
        if (const PointF at = dot_position(scene.dots[other], view); is_seen(scene.dots[other], at, view))
            std::ranges::copy(places_around(at, outermost_radius(scene.dots, other, view) + around, label, 0),
                              std::back_inserter(places));
    return places;
}

/// In all of a small plot, with leaders to the rims of the dots of a kernel, `first` being the first in it;
/// near them where dots are many.
std::vector<PlacedText> far_places_of_name(const Scene& scene, const View& view, std::uint32_t first,
                                           const PlacedText& label, bool piled, const LabelPlacer& placer,
                                           LabelPriority priority, bool anywhere) {
    const std::uint32_t point = scene.dots[first].point;
    const double around = scene.options.selected == point ? ring : 0;
    std::vector<LeaderEnd> ends;
    for (std::uint32_t dot = first; dot < scene.dots.size() && scene.dots[dot].point == point; ++dot) {
        const PointF at = dot_position(scene.dots[dot], view);
        if (!is_seen(scene.dots[dot], at, view)) continue;
        std::ranges::copy(
            ends_at(placer, at, outermost_radius(scene.dots, dot, view) + around, point, anywhere),
            std::back_inserter(ends));
        if (piled) break;
    }
    const bool near = !anywhere && scene.dots.size() > dots_in_the_clear && scene.options.selected != point &&
                      !scene.options.numbered;
    const bool far = scene.options.selected == point || scene.options.numbered;
    return places_anywhere(placer, view.plot, label, ends, priority,
                           near  ? farthest_of_usual
                           : far ? no_limit
                                 : longest_leader);
}

/// Right of a dot in the band under the plot, whole or cut to what is free before the next dot: in the middle
/// between two dots it could be either's. A number is so short that `left` of its dot it is not.
std::vector<PlacedText> places_in_band(PointF centre, double radius, PlacedText label, double room,
                                       bool whole, bool left) {
    const double half_text = (text_ascent - text_descent) * label.size / 2;
    const double free = room - 2 * radius - label_air - before_next_dot;
    std::vector<PlacedText> places;
    label.at = shifted(centre, radius + label_air, half_text);
    if (!whole) {
        std::string text = elided(label.text, label.size, free);
        label.cut = text != label.text;
        label.text = std::move(text);
    }
    if (whole ? text_width(label.text, label.size) <= free : free >= least_cut_name) places.push_back(label);
    if (!left) return places;
    label.anchor = TextAnchor::end;
    label.at = shifted(centre, -radius - label_air, half_text);
    places.push_back(std::move(label));
    return places;
}

/// Over the band, in the plot: upright over the dot, which leaves its neighbours room.
std::vector<PlacedText> upright_over_band(PointF centre, double radius, PlacedText label, const RectF& plot) {
    std::vector<PlacedText> places;
    label.angle = 90;
    label.leader_to = shifted(centre, 0, -radius - leader_air);
    for (const double away : {label_air, above_ridges, 40.0, 60.0, 90.0}) {
        label.leader = away > label_air;
        label.at = {centre.x + (text_ascent - text_descent) * label.size / 2, plot.bottom() - away};
        places.push_back(label);
    }
    return places;
}

/// Level with the page over it, with a leader down to the dot.
std::vector<PlacedText> led_over_band(PointF centre, double radius, PlacedText label, const RectF& plot) {
    std::vector<PlacedText> places;
    label.leader = true;
    label.leader_to = shifted(centre, 0, -radius - leader_air);
    for (const double away : {8.0, 24.0, 40.0, 60.0, 90.0, 130.0})
        for (const TextAnchor anchor : {TextAnchor::middle, TextAnchor::start, TextAnchor::end}) {
            label.anchor = anchor;
            label.at = {centre.x, plot.bottom() - away};
            places.push_back(label);
        }
    return places;
}

/// After the word nearest to the middle of a name, in which its second line can begin; 0 where there is none.
std::size_t middle_of(const std::string& name) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < name.size(); ++i)
        if (std::string_view("_:<,").find(name[i]) != std::string_view::npos &&
            std::max(i, name.size() - i) < std::max(best, name.size() - best))
            best = i;
    return best == 0 ? 0 : best + 1;
}

double leader_length(const PlacedText& label) {
    return label.leader ? LabelBox(label).distance_to_circle(label.leader_to, 0) : 0;
}

/// A name where `place` finds room for all of it, in two lines if it must not be missing, or would be far
/// from its dot.
template <class Place>
std::optional<PlacedText> place_whole(const NameWords& words, LabelPriority priority, LabelPlacer& placer,
                                      const Place& place) {
    constexpr double far = 100;  // [px]
    const LabelPlacer::Placed before = placer.placed();
    std::optional<PlacedText> placed = place(words, priority);
    const std::size_t middle = middle_of(words.name);
    if (middle == 0 || (placed ? leader_length(*placed) < far : priority == LabelPriority::extra))
        return placed;
    placer.go_back(before);
    auto broken = place({words.name, words.pile, words.figure, middle}, priority);
    if (!placed || (broken && leader_length(*broken) < far)) return broken;
    placer.go_back(before);
    return place(words, priority);
}

/// Whether names are cut to what there is: where no caption tells them, and they are not led from elsewhere.
bool cuts_names(const Scene& scene, const View& view, const LabelPlacer& placer, bool anywhere) {
    return !view.captioned_kernels && (anywhere || !leads_from_anywhere(scene, placer));
}

/// The same, else, where it must not be missing, cut.
template <class Place>
std::optional<PlacedText> place_in_plot(const NameWords& words, LabelPriority priority, LabelPlacer& placer,
                                        const Place& place, bool cuts) {
    std::optional<PlacedText> placed = place_whole(words, priority, placer, place);
    if (placed || priority == LabelPriority::extra || !cuts) return placed;
    std::vector<NameWords> cut;
    for (double room = text_width(words.name, name_size); room > least_cut_name;) {
        room = std::max(cut_step * room, least_cut_name);
        cut.push_back({elided(words.name, name_size, room), words.pile, words.figure, 0});
    }
    if (cut.empty()) return placed;
    return place_longest(std::span(std::as_const(cut)), placer,
                         [&](const NameWords& form) { return place(form, priority); });
}

/// From a dot in the band under the plot to the next one, or to what ends the band.
double room_in_band(const Scene& scene, const Layout& layout, const Dot& dot, const RectF& band) {
    const double step = scene.rail_step * band.width;
    // Among dots too close for names one alone would say that it is the one that matters.
    if (dot.x + scene.rail_step < rail_length || step < 2 * least_cut_name) return step;
    double end = band.right();
    for (const PlacedRail& rail : layout.rails)
        if (rail.rail == Rail::no_work && !rail.note.text.empty()) end = LabelBox(rail.note).bounds().x;
    return end - (band.x + dot.x * band.width);
}

/// Of a dot in the band under the plot: there, and where dots are few, or it must not be missing, over it,
/// where it finds room for all of it before it is cut.
std::optional<PlacedText> place_at_band(const Scene& scene, const View& view, const Layout& layout,
                                        std::uint32_t first, const PlacedText& label, LabelPriority priority,
                                        LabelPlacer& placer, bool anywhere) {
    const Dot& dot = scene.dots[first];
    const RectF band{view.plot.x, view.plot.bottom(), view.plot.width, view.below};
    const PointF centre = dot_position(dot, view);
    const bool selected = scene.options.selected == dot.point;
    const double radius = outermost_radius(scene.dots, first, view) + (selected ? ring : 0);
    // A number is short, and above the band a leader says whose it is.
    const bool numbered = scene.options.numbered || label.number;
    const double before_next =
        room_in_band(scene, layout, dot, band) + (numbered ? before_next_dot - label_air : 0);
    const bool over_it = selected || numbered || anywhere || scene.dots.size() <= dots_in_the_clear;
    const LabelPriority least = selected ? LabelPriority::asked : priority;
    const auto place_in_it = [&](bool whole) {
        return placer.place({places_in_band(centre, radius, label, before_next, whole, numbered && whole),
                             least, dot.point, band});
    };
    const auto place_over_it = [&](const NameWords& words, LabelPriority how_much) {
        PlacedText over = label;
        over.cut = words.name != label.text;
        over.text = words.name;
        over.second = words.broken;
        auto placed = placer.place({upright_over_band(centre, radius, over, view.plot), how_much, dot.point});
        if (placed) return placed;
        LabelRequest request{led_over_band(centre, radius, over, view.plot), how_much, dot.point};
        if (selected || numbered || anywhere)  // a leader across the plot is for what was asked for
            request.farther.emplace_back([&] {
                return places_anywhere(placer, view.plot, over,
                                       std::array{LeaderEnd{shifted(centre, 0, -radius - leader_air)}},
                                       how_much, selected || numbered ? no_limit : farthest_of_usual);
            });
        return placer.place(request);
    };
    auto placed = place_in_it(true);
    if (!placed && over_it) placed = place_over_it({label.text, {}, {}, 0}, least);
    const bool cuts = cuts_names(scene, view, placer, anywhere);
    if (!placed && cuts) placed = place_in_it(false);
    return placed || !over_it ? placed
                              : place_in_plot({label.text, {}, {}, 0}, priority, placer, place_over_it, cuts);
}

/// The gap whose words are those of a kernel's; null where it has none.
const PlacedLine* gap_for(const Scene& scene, const Layout& layout, std::uint32_t point) {
    const auto own = std::ranges::find_if(layout.gaps, [&](const PlacedLine& of) {
        return scene.gaps[of.index].point == point && !scene.gaps[of.index].selected;
    });
    if (own == layout.gaps.end()) return nullptr;
    return &*std::ranges::find(layout.gaps, first_with_words_of(scene, layout, *own), &PlacedLine::index);
}

/// Whether the figure of a gap is that of all at the place of its kernel.
bool is_of_all(const Scene& scene, const Layout& layout, const PlacedLine& gap, const DotPile& pile) {
    const std::vector<std::uint32_t> told = told_by_gap(scene, layout, gap.index);
    return std::ranges::all_of(
        pile.others, [&](std::uint32_t other) { return std::ranges::find(told, other) != told.end(); });
}

/// The kernels whose names stand at their figures.
std::vector<std::uint32_t> named_at_figures(const Scene& scene, const Layout& layout) {
    std::vector<std::uint32_t> points;
    for (const PlacedText& label : layout.gap_labels)
        if (!scene.gaps[label.index].selected)
            std::ranges::copy(told_by_gap(scene, layout, label.index), std::back_inserter(points));
    return points;
}

/// Words in the plot, at the dots of the kernel that `first` is the first of, in one line or two.
std::optional<PlacedText> place_at_dots(const Scene& scene, const View& view, const Layout& layout,
                                        std::uint32_t first, const PlacedText& label, const NameWords& words,
                                        LabelPriority priority, LabelPlacer& placer, bool anywhere) {
    const std::uint32_t point = scene.dots[first].point;
    const bool piled = !words.pile.empty();
    const std::vector<PlacedText> forms = words.in_lines(label);
    LabelRequest request{places_of_name(scene, view, layout, first, forms.front(), piled), priority, point};
    if (forms.size() > 1)
        request.farther.emplace_back(
            [&] { return places_of_name(scene, view, layout, first, forms.back(), piled); });
    if (scene.options.selected == point || scene.dots.size() <= dots_kept_clear(placer.search()))
        for (const PlacedText& form : forms)
            request.farther.emplace_back([&] {
                return far_places_of_name(scene, view, first, form, piled, placer, priority, anywhere);
            });
    return placer.place(request);
}

/// Of the kernels at the place of a dot, that of scene.names[own], the name of the one with most time.
std::uint32_t longest_at(const Scene& scene, const View& view, std::uint32_t own, std::uint32_t dot,
                         const std::vector<std::uint32_t>& told) {
    const DotPile pile = pile_at(scene, view, dot, told);
    std::uint32_t longest = own;
    for (std::uint32_t i = 0; i < scene.names.size(); ++i) {
        const std::uint32_t first = scene.names[i].dot;  // dots are in the order of their times
        if (first > scene.names[longest].dot &&
            std::ranges::find(pile.others, scene.dots[first].point) != pile.others.end())
            longest = i;
    }
    return longest;
}

void take_name(std::optional<PlacedText> placed, std::uint32_t point, Layout& layout) {
    if (!placed) {
        ++layout.unnamed;
        return;
    }
    layout.names.push_back(*std::move(placed));
    layout.told.push_back(point);
}

/// A label with the number of a kernel, which the caption has told before, or the next.
PlacedText number_for(const View& view, const Layout& layout, std::uint32_t point, PlacedText label) {
    const CaptionedKernel* before = in_caption(view, point);
    label.number = before ? before->number : 0;
    if (label.number == 0) {
        for (const auto* kernels : {&view.in_caption, &layout.captioned})
            for (const CaptionedKernel& kernel : *kernels)
                label.number = std::max(label.number, kernel.number);
        ++label.number;
    }
    label.text = std::to_string(label.number);
    return label;
}

/// In all of the plot, at the dots of the kernel that `first` is the first of.
std::optional<PlacedText> place_number_at_dots(const Scene& scene, const View& view, const Layout& layout,
                                               std::uint32_t first, const PlacedText& label,
                                               LabelPlacer& placer) {
    const PlacedText number = number_for(view, layout, scene.dots[first].point, label);
    return place_at_dots(scene, view, layout, first, number, {number.text, {}, {}, 0}, LabelPriority::asked,
                         placer, true);
}

/// How many kernels the caption tells by their places.
std::size_t by_place(const Layout& layout) {
    return static_cast<std::size_t>(std::ranges::count_if(
        layout.captioned, [](const CaptionedKernel& kernel) { return kernel.number == 0 && !kernel.named; }));
}

/// "2.90 FLOP/byte, 9.80 GFLOP/s"; of a mark at the edge "3.10 GB/s".
std::string words_of_place(const Scene& scene, const Dot& dot) {
    if (dot.rail == Rail::edge) return format(ByteRate(dot.y));
    return format(Intensity(dot.x), scene.unit + "/byte") + ", " + format(FlopRate(dot.y), scene.unit + "/s");
}

/// What the caption calls a kernel, which a key may have given a number: "dot 3".
std::string in_caption_words(const Scene& scene, const std::string& name) {
    return scene.options.numbered ? "dot " + name : name;
}

/// Of a number of a key: "dot 3 below the plot, mark 1 of 4".
std::string words_in_band(const Scene& scene, const Dot& dot, const std::string& name) {
    const auto marks = [&](double most) {
        return std::ranges::count_if(
            scene.dots, [&](const Dot& other) { return other.rail == Rail::no_work && other.x <= most; });
    };
    return fmt::format("{} below the plot, mark {} of {}", in_caption_words(scene, name), marks(dot.x),
                       marks(1));
}

/// With the number that stands at its dot; 0 where none does.
void caption_kernel(std::uint32_t point, std::size_t number, std::string words, const std::string& figure,
                    Layout& layout) {
    if (!figure.empty()) words += (number > 0 ? ", " : ": ") + figure;
    layout.captioned.push_back({.point = point, .number = number, .named = false, .words = std::move(words)});
}

/// The caption tells the figures of these kernels.
void add_figures(const std::vector<std::uint32_t>& points, Layout& layout) {
    layout.captioned_figures.insert(layout.captioned_figures.end(), points.begin(), points.end());
}

/// Whether a label or the caption tells the figure of a gap.
bool is_figure_told(const Layout& layout, std::uint32_t gap, std::uint32_t point) {
    return std::ranges::find(layout.gap_labels, gap, &PlacedText::index) != layout.gap_labels.end() ||
           std::ranges::find(layout.captioned_figures, point) != layout.captioned_figures.end();
}

/// The caption's kernels with numbers first, in their order and that of the key, and numbers without holes.
void number_from_one(const Scene& scene, Layout& layout) {
    std::ranges::sort(layout.captioned, {}, [&](const CaptionedKernel& kernel) {
        const auto row = std::ranges::find(scene.key, kernel.point, &KeyRow::point);
        return std::tuple(kernel.number == 0, kernel.number, row - scene.key.begin(), kernel.point);
    });
    std::size_t next = 0;
    for (CaptionedKernel& kernel : layout.captioned) {
        if (kernel.number == 0) continue;
        ++next;
        for (auto* labels : {&layout.names, &layout.gap_labels})
            for (PlacedText& label : *labels)
                if (label.number == kernel.number) {
                    label.number = next;
                    label.text = std::to_string(next);
                }
        kernel.number = next;
    }
}

/// Whether the caption tells the name of a kernel, if it has no room in all of the plot.
bool may_caption(const View& view, std::uint32_t point, bool anywhere) {
    const CaptionedKernel* before = in_caption(view, point);
    return (anywhere && view.captioned_kernels) || (before && !before->named);
}

/// By a number at its dot or, in a crowd, by its place.
void caption_name(const Scene& scene, const View& view, std::uint32_t first, const PlacedText& label,
                  const std::string& name, const std::string& figure, Layout& layout, LabelPlacer& placer) {
    const Dot& dot = scene.dots[first];
    const CaptionedKernel* before = in_caption(view, dot.point);
    std::optional<PlacedText> number;
    if (!scene.options.numbered && (!before || before->number > 0))
        number = place_number_at_dots(scene, view, layout, first, label, placer);
    const std::string called = in_caption_words(scene, name);
    caption_kernel(dot.point, number ? number->number : 0,
                   number ? called : called + " at " + words_of_place(scene, dot), figure, layout);
    if (number) layout.names.push_back(*std::move(number));
    layout.told.push_back(dot.point);
}

/// The name of a kernel whose dot `first` is in the plot, with the figure of its gap where that has no other
/// place.
void place_in_view(const Scene& scene, const View& view, std::uint32_t first, const PlacedText& label,
                   LabelPriority priority, Layout& layout, LabelPlacer& placer, bool anywhere) {
    std::vector<std::uint32_t>& told = layout.told;
    const std::uint32_t point = scene.dots[first].point;
    const DotPile pile = pile_at(scene, view, first, told);
    const std::string more = pile.words(scene);
    const auto place_words = [&](const NameWords& words, LabelPriority how_much) {
        return place_at_dots(scene, view, layout, first, label, words, how_much, placer, anywhere);
    };
    const auto words_with = [&](const std::string& figure) { return NameWords{label.text, more, figure, 0}; };
    std::optional<PlacedText> placed;
    const PlacedLine* gap = gap_for(scene, layout, point);
    if (gap && is_figure_told(layout, gap->index, point)) gap = nullptr;
    const bool of_all = gap && is_of_all(scene, layout, *gap, pile);
    const GapMark* mark = gap ? &scene.gaps[gap->index] : nullptr;
    const bool cuts = cuts_names(scene, view, placer, anywhere);
    if (of_all && !in_caption(view, point)) {
        const bool shorter = mark->brief != mark->label;
        for (const std::string& figure : {mark->label, mark->brief})
            if (!placed && (placed = place_words(words_with(": " + figure), LabelPriority::asked)))
                placed->brief = shorter && figure == mark->brief;
        if (!placed && cuts) placed = place_cut_gap_label(scene, view, *gap, placer);
        if (!placed && (placed = place_in_plot(words_with(": " + mark->brief), LabelPriority::asked, placer,
                                               place_words, cuts)))
            placed->brief = shorter;
    }
    if (placed) {
        placed->index = gap->index;
        layout.gap_labels.push_back(*std::move(placed));
        layout.worded_gaps -= told_by_gap(scene, layout, gap->index).size() - 1;
        told.push_back(point);
        told.insert(told.end(), pile.others.begin(), pile.others.end());
        return;
    }
    const CaptionedKernel* before = in_caption(view, point);
    if (!before || before->named) placed = place_in_plot(words_with({}), priority, placer, place_words, cuts);
    const bool captioned = !placed && may_caption(view, point, anywhere);
    if (placed || captioned) told.insert(told.end(), pile.others.begin(), pile.others.end());
    if (!captioned) return take_name(std::move(placed), point, layout);
    if (gap) add_figures(told_by_gap(scene, layout, gap->index), layout);
    const std::string name = label.text + (mark && !of_all ? " (" + mark->brief + ")" : "") + more;
    caption_name(scene, view, first, label, name, of_all ? mark->label : std::string(), layout, placer);
}

}  // namespace

void place_names(const Scene& scene, const View& view, std::span<const std::uint32_t> order, Layout& layout,
                 LabelPlacer& placer, bool anywhere) {
    const auto room = static_cast<std::size_t>(view.plot.width * view.plot.height / room_of_a_name);
    const std::size_t asked_for = scene.options.labelled + (scene.options.selected ? 1U : 0U);
    const bool in_the_clear = scene.dots.size() <= dots_in_the_clear;
    const std::size_t most = scene.dots.size() <= dots_kept_clear(placer.search()) || scene.options.numbered
                                 ? asked_for
                                 : std::min(std::max<std::size_t>(room, 1), asked_for);
    std::vector<std::uint32_t>& told = layout.told;
    if (!anywhere) told.clear();
    std::ranges::copy(named_at_figures(scene, layout), std::back_inserter(told));
    layout.unnamed = 0;
    bool first_is_ahead = true;  // that of the kernel with most to recover, after that of the selection
    for (const std::uint32_t i : order) {
        if (layout.names.size() + by_place(layout) >= most) break;
        const auto first = first_seen(scene, scene.names[i].dot, view);
        if (!first) continue;
        const Dot& dot = scene.dots[*first];
        const PointF centre = dot_position(dot, view);
        const bool selected = scene.options.selected == dot.point;
        const bool longest = dot.point == scene.dots.back().point;
        const bool foremost = (!selected && std::exchange(first_is_ahead, false)) || longest;
        const LabelPriority priority = selected ? LabelPriority::clear
                                       : foremost || in_the_clear || anywhere || scene.options.numbered
                                           ? LabelPriority::asked
                                           : LabelPriority::extra;
        if (std::ranges::find(told, dot.point) != told.end() || !placer.looks_for(priority)) continue;
        PlacedText label{.size = name_size, .text = scene.names[i].text, .index = i};
        std::optional<PlacedText> placed;
        if (dot.rail == Rail::no_work) {
            if (!in_caption(view, dot.point))
                placed = place_at_band(scene, view, layout, *first, label, priority, placer, anywhere);
            if (!placed && scene.options.numbered && may_caption(view, dot.point, anywhere)) {
                caption_kernel(dot.point, 0, words_in_band(scene, dot, label.text), {}, layout);
                told.push_back(dot.point);
                continue;
            }
            if (!placed && may_caption(view, dot.point, anywhere)) {
                label = number_for(view, layout, dot.point, label);
                placed =
                    place_at_band(scene, view, layout, *first, label, LabelPriority::asked, placer, true);
                if (placed) caption_kernel(dot.point, label.number, scene.names[i].text, {}, layout);
            }
        } else if (dot.rail == Rail::no_traffic) {
            const double farthest = farthest_name * std::min(view.plot.width, view.plot.height);
            placed =
                placer.place({places_around(centre, view.beside / 2, label, farthest), priority, dot.point});
        } else {
            const std::uint32_t speaker = selected ? i : longest_at(scene, view, i, *first, told);
            label.index = speaker;
            label.text = scene.names[speaker].text;
            place_in_view(scene, view, speaker == i ? *first : scene.names[speaker].dot, label, priority,
                          layout, placer, anywhere);
            continue;
        }
        take_name(std::move(placed), dot.point, layout);
    }
    const auto seen = [&](const DotName& name) { return first_seen(scene, name.dot, view).has_value(); };
    const auto is_told = [&](const DotName& name) {
        return seen(name) && std::ranges::find(told, scene.dots[name.dot].point) != told.end();
    };
    const auto all = static_cast<std::size_t>(std::ranges::count_if(scene.names, seen));
    const auto named = static_cast<std::size_t>(std::ranges::count_if(scene.names, is_told));
    layout.asked_names = std::min(all, asked_for);
    layout.unlabelled_names = layout.asked_names - std::min(layout.asked_names, named);
}

void caption_gaps(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    for (const PlacedLine& line : layout.gaps) {
        const GapMark& gap = scene.gaps[line.index];
        if (gap.selected || first_with_words_of(scene, layout, line) != line.index ||
            is_figure_told(layout, line.index, gap.point))
            continue;
        const auto dot = std::ranges::find(scene.dots, gap.point, &Dot::point);
        if (dot == scene.dots.end()) continue;
        const auto first = first_seen(scene, static_cast<std::uint32_t>(dot - scene.dots.begin()), view);
        if (!first) continue;
        const std::vector<std::uint32_t> told = told_by_gap(scene, layout, line.index);
        const std::string whose = in_caption_words(scene, gap.whose + and_more(told.size() - 1, scene.rows));
        const bool named = std::ranges::any_of(layout.names, [&](const PlacedText& label) {
            return label.number == 0 && scene.dots[scene.names[label.index].dot].point == gap.point;
        });
        std::optional<PlacedText> number;
        if (!named && !scene.options.numbered &&
            std::ranges::find(layout.told, gap.point) == layout.told.end())
            number = place_number_at_dots(scene, view, layout, *first,
                                          {.size = name_size, .text = {}, .index = line.index}, placer);
        const std::string place = named || number ? "" : " at " + words_of_place(scene, scene.dots[*first]);
        caption_kernel(gap.point, number ? number->number : 0, whose + place, gap.label, layout);
        layout.captioned.back().named = named;
        if (number) layout.gap_labels.push_back(*std::move(number));
        add_figures(told, layout);
    }
    layout.captioned_gaps =
        static_cast<std::size_t>(std::ranges::count_if(layout.gaps, [&](const PlacedLine& line) {
            return std::ranges::find(layout.captioned_figures, scene.gaps[line.index].point) !=
                       layout.captioned_figures.end() &&
                   std::ranges::find(layout.gap_labels, line.index, &PlacedText::index) ==
                       layout.gap_labels.end();
        }));
    number_from_one(scene, layout);
}

}  // namespace roofwalk
