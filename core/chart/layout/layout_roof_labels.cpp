// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of roofs and of the ceilings of mixed pipes: along their lines.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <span>
#include <utility>

#include "core/chart/layout/layout_labels.h"

namespace roofwalk {

namespace {

constexpr double roof_label_size = 11;   // [px]
constexpr double mixed_label_size = 10;  // [px]
constexpr double slide = 24;             // from one place along a roof to the next [px]
constexpr double fine_slide = 8;         // the same where no label finds room [px]
constexpr int near_slides = 6;
constexpr int slides = 4 * near_slides;
constexpr double coincident_roofs = 3;   // roofs nearer than this share a label [px]
constexpr double strip_of_one = 26;      // between roofs, for one label to be nearer to its own [px]
constexpr double strip_of_two = 48;      // the same for two [px]
constexpr double near_theory = 16;       // between a measured roof and theory, too little for a label [px]
constexpr double short_leader = 15;      // to a label that could stand over another roof [px]
constexpr std::array lifts{18.0, 12.0};  // from a roof to its label with a leader [px]

bool is_slope(const Scene& scene, const PlacedLine& line) {
    return std::holds_alternative<Boundary>(scene.roofs[line.index].target);
}

/// From one roof to another of its kind, measured across the lines: positive when the other is above.
double offset(const PlacedLine& from, const PlacedLine& to) {
    const double dx = from.to.x - from.from.x;
    const double dy = from.to.y - from.from.y;
    const double length = std::hypot(dx, dy);
    return length > 0 ? ((to.from.x - from.from.x) * dy - (to.from.y - from.from.y) * dx) / length : 0;
}

double distance(const PlacedLine& a, const PlacedLine& b) {
    return std::abs(offset(a, b));
}

/// A roof of theory near the measured one, whose label tells how much of it was reached.
bool speaks_in_other_label(const Scene& scene, const std::vector<PlacedLine>& roofs, const PlacedLine& line) {
    const Roof& roof = scene.roofs[line.index];
    return roof.line == RoofLine::theory && std::ranges::any_of(roofs, [&](const PlacedLine& other) {
               const Roof& measured = scene.roofs[other.index];
               return !measured.is_beside() && measured.target == roof.target &&
                      distance(line, other) < near_theory;
           });
}

bool is_theory_of(const Roof& roof, const Roof& measured) {
    return roof.line == RoofLine::theory && !measured.is_beside() && roof.target == measured.target;
}

/// On which sides of a roof a label can be taken for no other roof's: the strip above it holds one label, so
/// that below it must have room for its own and that of the next roof.
struct Sides {
    bool above = true;
    bool below = true;
    double lift = 0;  ///< of a label above: over the roof of theory that it speaks of too [px]
};

/// From a measured roof up to the near one of theory; 0 where there is none.
double lift_over_theory(const Scene& scene, const std::vector<PlacedLine>& roofs, const PlacedLine& own) {
    double lift = 0;
    for (const PlacedLine& other : roofs) {
        if (is_theory_of(scene.roofs[other.index], scene.roofs[own.index]) &&
            speaks_in_other_label(scene, roofs, other))
            lift = std::max(lift, offset(own, other));
    }
    return lift;
}

Sides free_sides(const Scene& scene, const std::vector<PlacedLine>& roofs, const PlacedLine& own) {
    Sides sides{.lift = lift_over_theory(scene, roofs, own)};
    for (const PlacedLine& other : roofs) {
        if (is_slope(scene, other) != is_slope(scene, own) || speaks_in_other_label(scene, roofs, other) ||
            is_theory_of(scene.roofs[other.index], scene.roofs[own.index]))
            continue;
        const double apart = offset(own, other);
        if (apart >= coincident_roofs && apart < strip_of_one + sides.lift) sides.above = false;
        if (-apart >= coincident_roofs && -apart < strip_of_two) sides.below = false;
    }
    return sides;
}

/// Calls `add(start, off)` for places along a line of `length` px for a text of `width` px: near the start
/// above the line, then below it, then farther away; without room at its sides upon it; then closer together,
/// and upon it too. `off` is from the line up to the baseline.
template <class Add>
void slide_along(double length, double width, Sides sides, double size, const Add& add) {
    struct Row {
        double off = 0;
        double first = 0;
    };
    const Row upon{-(text_ascent - text_descent) * size / 2, 2 * label_air};
    std::vector<Row> rows;
    if (sides.above) rows.push_back({label_air + sides.lift, label_air});
    if (sides.below) rows.push_back({-below_line(size), 2 * label_air});
    if (!sides.above) rows.push_back(upon);
    for (int begin = 0; begin < slides; begin += near_slides)
        for (const Row& row : rows)
            for (int i = begin; i < begin + near_slides; ++i)
                if (const double start = row.first + i * slide; start + width <= length) add(start, row.off);
    if (sides.above) rows.push_back(upon);
    for (const Row& row : rows)
        for (double start = row.first; start + width <= length; start += fine_slide)
            add(start, row.off);
}

/// Along the slope, from the left end up.
std::vector<PlacedText> slope_places(const PlacedLine& line, Sides sides, PlacedText label) {
    const double dx = line.to.x - line.from.x;
    const double dy = line.to.y - line.from.y;
    const double length = std::hypot(dx, dy);
    const PointF along{dx / length, dy / length};
    label.angle = std::atan2(-dy, dx) * 180 / std::numbers::pi;
    std::vector<PlacedText> places;
    slide_along(length, text_width(label.text, label.size), sides, label.size, [&](double start, double off) {
        label.at = {line.from.x + along.x * start + along.y * off,
                    line.from.y + along.y * start - along.x * off};
        places.push_back(label);
    });
    return places;
}

/// At the right end of a compute roof, then farther left; a roof shorter than its label keeps it at that end.
/// Then away from the roof, with a leader.
std::vector<PlacedText> flat_places(const PlacedLine& line, Sides sides, PlacedText label) {
    label.anchor = TextAnchor::end;
    std::vector<PlacedText> places;
    const double width = text_width(label.text, label.size);
    const double length = std::max(line.to.x - line.from.x, width + 2 * label_air);
    slide_along(length, width, sides, label.size, [&](double end, double off) {
        label.at = {line.to.x - end, line.to.y - off};
        places.push_back(label);
    });
    if (!sides.above) return places;
    label.leader = true;
    for (const double lift : lifts)
        for (int i = 0; i < slides && label_air + i * slide + width <= length; ++i) {
            label.leader_to = {line.to.x - label_air - i * slide - width / 2, line.to.y};
            label.at = {line.to.x - label_air - i * slide, line.to.y - lift - sides.lift};
            places.push_back(label);
        }
    return places;
}

/// What the label of a roof may do to other lines, less first; who may do more may do this too.
enum class RoofRoom : std::uint8_t {
    bare,    ///< nothing
    across,  ///< its leader crosses other roofs
    struck,  ///< it stands over lines of kernels
    over,    ///< it stands over other roofs, near its own
    any,     ///< the same, farther away
};

/// Where a label could stand, and what it does to other lines there.
struct RoofPlaces {
    std::vector<PlacedText> places;
    std::vector<RoofRoom> rooms;

    /// Those where it does no more than `room`, the first with the words.
    [[nodiscard]] std::vector<PlacedText> within(RoofRoom room, const std::string& words) const {
        std::vector<PlacedText> some;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (rooms[i] <= room) some.push_back(places[i]);
        if (!some.empty()) some.front().text = words;
        return some;
    }
};

/// Of the places for a label of `width` px those where it is taken for that of no other roof. That of a flat
/// roof neither stands with a leader in the row of another nor has a leader through one.
RoofPlaces clear_of_other_roofs(const Scene& scene, const std::vector<PlacedLine>& roofs,
                                const PlacedLine& own, double width, const LabelPlacer& placer,
                                std::vector<PlacedText> places) {
    std::vector<PlacedLine> others;
    std::ranges::copy_if(roofs, std::back_inserter(others), [&](const PlacedLine& other) {
        const bool parallel = is_slope(scene, other) == is_slope(scene, own);
        return !(parallel && distance(own, other) < coincident_roofs) &&
               !is_theory_of(scene.roofs[other.index], scene.roofs[own.index]);
    });
    const bool own_is_flat = own.from.y == own.to.y;
    RoofPlaces clear;
    for (PlacedText& place : places) {
        const LabelBox box(place, width);
        const double to_own = box.distance(own.from, own.to);
        RoofRoom room = to_own > short_leader ? RoofRoom::any : RoofRoom::bare;
        const RectF words = box.bounds();
        const PointF from = box.leader_start(place.leader_to);
        const double nearest = place.leader ? label_air : to_own - 1;
        const auto misleads = [&](const PlacedLine& other) {
            const bool flat = own_is_flat && other.from.y == other.to.y;
            const double away = box.distance(other.from, other.to);
            const bool crosses = place.leader && lines_cross(from, place.leader_to, other.from, other.to);
            if (crosses) room = std::max(room, RoofRoom::across);
            if (away == 0 || away < nearest) room = std::max(room, RoofRoom::over);
            return flat && (crosses || (place.leader && other.from.y >= words.y &&
                                        other.from.y <= words.bottom() && away <= farthest_from_roof));
        };
        if (std::ranges::any_of(others, misleads)) continue;
        if (room < RoofRoom::struck && placer.is_struck(box)) room = RoofRoom::struck;
        clear.places.push_back(std::move(place));
        clear.rooms.push_back(room);
    }
    return clear;
}

/// Level with the page on either side of a roof, with a leader, in a small plot anywhere near: for a roof of
/// which so little is seen that no label finds room along it.
std::vector<PlacedText> led_places(const PlacedLine& line, PlacedText label, const RectF& plot,
                                   const LabelPlacer& placer, LabelPriority priority) {
    const double farthest = priority == LabelPriority::needed ? no_limit : farthest_from_roof;
    constexpr std::array shares{0.5, 0.3, 0.7, 0.1, 0.9};
    std::vector<PlacedText> places;
    std::vector<LeaderEnd> ends;
    const auto at = [&](double share) {
        return PointF{std::lerp(line.from.x, line.to.x, share), std::lerp(line.from.y, line.to.y, share)};
    };
    label.angle = 0;
    label.leader = true;
    for (const double away : {12.0, 24.0, 40.0, 60.0, 90.0})
        for (const double share : shares)
            for (const double side : {1.0, -1.0})
                for (const double rise : {0.0, -1.0, 1.0}) {
                    label.leader_to = at(share);
                    label.anchor = side > 0 ? TextAnchor::start : TextAnchor::end;
                    label.at = {
                        label.leader_to.x + side * away,
                        label.leader_to.y + rise * away + (text_ascent - text_descent) * label.size / 2};
                    places.push_back(label);
                }
    for (const double share : shares)
        ends.push_back({at(share)});
    std::ranges::copy(places_anywhere(placer, plot, label, ends, priority, farthest),
                      std::back_inserter(places));
    const double width = text_width(label.text, label.size);
    std::erase_if(places, [&](const PlacedText& place) {
        return LabelBox(place, width).distance(line.from, line.to) > farthest;
    });
    return places;
}

enum class RoofWords : std::uint8_t {
    whole,
    own,   ///< without those of other devices, which the caption tells
    bare,  ///< nor those of practical roofs that lie on others
    name,
};

std::string roof_text(const Roof& roof, RoofWords words) {
    if (words == RoofWords::name) return roof.name;
    return roof.name + " " + roof.value + (roof.of_theory.empty() ? "" : ", " + roof.of_theory);
}

/// The text for a roof and those that lie on it; empty when another roof speaks for it. `order` tells who
/// speaks first.
std::string shared_text(const Scene& scene, const std::vector<PlacedLine>& roofs,
                        const std::vector<std::size_t>& order, std::size_t own, RoofWords words) {
    if (speaks_in_other_label(scene, roofs, roofs[own])) return {};
    std::string text;
    bool practical = true;
    const Roof& speaker = scene.roofs[roofs[own].index];
    for (const std::size_t i : order) {
        const bool same_kind = is_slope(scene, roofs[i]) == is_slope(scene, roofs[own]);
        if (!same_kind || distance(roofs[own], roofs[i]) >= coincident_roofs) continue;
        if (text.empty() && i != own) return {};
        const Roof& roof = scene.roofs[roofs[i].index];
        const bool assumed = roof.line == RoofLine::practical;
        const bool elsewhere = roof.line == RoofLine::other_device && speaker.line != roof.line;
        if (elsewhere && (words == RoofWords::own || words == RoofWords::bare)) continue;
        if (roof.line == RoofLine::theory ? i != own : assumed && !practical && words >= RoofWords::bare)
            continue;
        practical = practical && assumed;
        const bool equal = elsewhere && roof.value == speaker.value && roof.name.starts_with(speaker.name);
        text += (text.empty() ? "" : ", ") +
                (equal ? "also" + roof.name.substr(speaker.name.size()) : roof_text(roof, words));
    }
    return text;
}

/// Of the roofs of a layout, who speaks first for those at one place.
std::vector<std::size_t> speaking_order(const Scene& scene, const Layout& layout) {
    std::vector<std::size_t> order(layout.roofs.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
        const Roof& roof = scene.roofs[layout.roofs[i].index];
        return roof.highlighted ? 0 : roof.is_beside() ? 2 : 1;
    });
    return order;
}

bool is_extra(const Roof& roof) {
    return roof.line == RoofLine::practical || roof.line == RoofLine::theory;
}

/// Some words for a roof, and where they could stand, found where it is asked for.
struct RoofForm {
    PlacedText label;
    bool joint = false;  ///< with those of a practical roof that lies on it: it stands at both
    std::optional<RoofPlaces> along{};
    std::optional<RoofPlaces> led{};
};

/// The label of one of the roofs, that of `own`: with its value, else, before it covers a dot, with its name
/// alone. Absent where it finds no room; `order` as of shared_text(), which is not empty.
std::optional<PlacedText> place_roof_label(const Scene& scene, const std::vector<PlacedLine>& roofs,
                                           const std::vector<std::size_t>& order, std::size_t own,
                                           const View& view, LabelPlacer& placer) {
    const PlacedLine& line = roofs[own];
    const Roof& roof = scene.roofs[line.index];
    const Sides sides = free_sides(scene, roofs, line);
    std::vector<RoofForm> forms;
    const std::string bare = shared_text(scene, roofs, order, own, RoofWords::bare);
    const bool has_joint = shared_text(scene, roofs, order, own, RoofWords::own) != bare;
    for (const RoofWords words : {RoofWords::whole, RoofWords::own, RoofWords::bare, RoofWords::name}) {
        const PlacedText label{.size = roof_label_size,
                               .text = shared_text(scene, roofs, order, own, words),
                               .index = line.index,
                               .brief = words >= RoofWords::bare};
        if (forms.empty() || words == RoofWords::name || forms.back().label.text != label.text)
            forms.push_back({label, has_joint && words < RoofWords::bare});
    }
    const auto place = [&](RoofForm& form, LabelPriority priority, RoofRoom room) {
        const PlacedText& label = form.label;
        const auto clear = [&](std::vector<PlacedText> places) {
            const double width = text_width(label.text, label.size);
            return clear_of_other_roofs(scene, roofs, line, width, placer, std::move(places));
        };
        if (!form.along)
            form.along = clear(is_slope(scene, line) ? slope_places(line, sides, label)
                                                     : flat_places(line, sides, label));
        LabelRequest request{form.along->within(room, label.text), priority};
        if (roof.line != RoofLine::theory && !form.joint)
            request.farther.emplace_back([&] {
                if (!form.led) form.led = clear(led_places(line, label, view.plot, placer, priority));
                return form.led->within(room, label.text);
            });
        return placer.place(request);
    };
    if (roof.line == RoofLine::theory) return place(forms.front(), LabelPriority::extra, RoofRoom::any);
    std::optional<PlacedText> placed;
    const bool in_caption = roof.line == RoofLine::other_device || (view.captioned && !roof.highlighted);
    const auto first_of = [&](RoofRoom room, std::span<RoofForm> some, LabelPriority priority) {
        for (RoofForm& form : some)
            if (!placed) placed = place(form, priority, room);
    };
    if (roof.line == RoofLine::practical) {
        for (const RoofRoom room : {RoofRoom::struck, RoofRoom::over})
            first_of(room, forms, LabelPriority::extra);
        return placed;
    }
    // A leader over another roof hides less than words over it, and these less than a plate over a dot.
    for (const LabelPriority priority : {LabelPriority::clear, LabelPriority::needed}) {
        if (in_caption && priority == LabelPriority::needed) break;
        for (RoofForm& form : forms)
            form.led.reset();
        const std::span all(forms);
        const auto values = all.first(all.size() - 1);
        for (const RoofRoom room : {RoofRoom::bare, RoofRoom::across, RoofRoom::struck})
            first_of(room, view.captioned_values ? all : values, priority);
        for (const std::span<RoofForm> some : {values, all.last(1)})
            for (const RoofRoom room : {RoofRoom::over, RoofRoom::any})
                first_of(room, some, priority);
    }
    return placed;
}

/// Of a label away from its roof, how far it is led to it [px]; more without its value, and where it is
/// missing.
double unfitness(const Roof& roof, const std::optional<PlacedText>& placed) {
    constexpr double missing = 400;
    constexpr double valueless = 40;
    constexpr double near = 24;
    if (is_extra(roof)) return 0;
    if (!placed) return missing;
    const double led = placed->leader ? LabelBox(*placed).distance_to_circle(placed->leader_to, near) : 0;
    return led + (placed->brief ? valueless : 0);
}

}  // namespace

void place_roof_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    constexpr int most_turns = 3;
    const std::vector<std::size_t> order = speaking_order(scene, layout);
    std::vector<std::size_t> first_come;
    for (const std::size_t i : order)
        if (!shared_text(scene, layout.roofs, order, i, RoofWords::whole).empty()) first_come.push_back(i);
    const LabelPlacer::Placed before = placer.placed();
    std::vector<std::size_t> unfit;
    const auto place_in = [&](const std::vector<std::size_t>& turn) {
        placer.go_back(before);
        layout.roof_labels.clear();
        unfit.clear();
        double cost = 0;
        for (const std::size_t i : turn) {
            auto placed = place_roof_label(scene, layout.roofs, order, i, view, placer);
            const double own = unfitness(scene.roofs[layout.roofs[i].index], placed);
            if (own > 0) unfit.push_back(i);
            cost += own;
            if (placed) layout.roof_labels.push_back(*std::move(placed));
        }
        return cost;
    };
    // One without room at its roof comes first in the next turn.
    std::vector<std::size_t> best = first_come;
    double cost = place_in(first_come);
    double least = cost;
    const auto is_unfit = [&](std::size_t i) { return std::ranges::find(unfit, i) != unfit.end(); };
    for (int turn = 1; turn < most_turns && !std::ranges::is_partitioned(first_come, is_unfit); ++turn) {
        std::stable_partition(first_come.begin(), first_come.end(), is_unfit);
        cost = place_in(first_come);
        if (cost < least) best = first_come;
        least = std::min(cost, least);
    }
    if (cost > least) place_in(best);
}

std::vector<std::uint32_t> unlabelled_roofs(const Scene& scene, const Layout& layout) {
    const std::vector<std::size_t> order = speaking_order(scene, layout);
    std::vector<std::uint32_t> roofs;
    for (const std::size_t i : order) {
        const std::uint32_t index = layout.roofs[i].index;
        if (scene.roofs[index].line != RoofLine::other_device &&
            !shared_text(scene, layout.roofs, order, i, RoofWords::own).empty() &&
            std::ranges::none_of(layout.roof_labels, [&](const PlacedText& label) {
                return label.index == index && !label.brief;
            }))
            roofs.push_back(index);
    }
    return roofs;
}

std::string unlabelled_roof_words(const Scene& scene, const Layout& layout) {
    const std::vector<std::size_t> order = speaking_order(scene, layout);
    std::string words;
    for (const std::size_t i : order) {
        if (std::ranges::find(layout.unlabelled_roofs, layout.roofs[i].index) ==
            layout.unlabelled_roofs.end())
            continue;
        const std::string text = shared_text(scene, layout.roofs, order, i, RoofWords::own);
        words += (words.empty() || text.empty() ? "" : ", ") + text;
    }
    return words;
}

void place_kernel_ceiling_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                                 bool brief) {
    const auto place = [&](const PlacedLine& piece, const std::string& words) {
        PlacedText label{.size = mixed_label_size, .text = words, .index = piece.index};
        const double base = piece.from.y + label.size * (text_ascent - text_descent) / 2;
        std::vector<PlacedText> places;
        label.at = {piece.to.x + label_air, base};
        places.push_back(label);
        label.anchor = TextAnchor::end;
        label.at = {piece.from.x - label_air, base};
        places.push_back(label);
        const double middle_x = (piece.from.x + piece.to.x) / 2;
        std::vector<std::pair<TextAnchor, double>> flush{{TextAnchor::middle, middle_x}};
        if (scene.options.selected ==
            scene.kernel_ceilings[piece.index].point)  // names need the room of others
            flush.insert(flush.end(), {{TextAnchor::start, piece.from.x}, {TextAnchor::end, piece.to.x}});
        for (const auto& [anchor, x] : flush)
            for (const double off : {-label_air, below_line(label.size)}) {
                label.anchor = anchor;
                label.at = {x, piece.from.y + off};
                places.push_back(label);
            }
        LabelRequest request{places};
        label.anchor = TextAnchor::start;
        if (scene.gaps.empty()) {  // figures of gaps need the room more
            request.owner = scene.kernel_ceilings[piece.index].point;
            request.farther.emplace_back([&] {
                const PointF centre{middle_x, piece.from.y};
                return places_anywhere(placer, view.plot, label, std::array{LeaderEnd{centre}},
                                       LabelPriority::extra);
            });
        }
        return placer.place(request);
    };
    // A name at the far end of the line is none of the bar.
    constexpr double beside = 160;
    const auto is_named = [&](std::uint32_t point, PointF end) {
        return std::ranges::any_of(layout.names,
                                   [&](const PlacedText& name) {
                                       return scene.dots[scene.names[name.index].dot].point == point &&
                                              std::hypot(name.at.x - end.x, name.at.y - end.y) < beside;
                                   }) ||
               std::ranges::any_of(layout.gap_labels, [&](const PlacedText& figure) {
                   return scene.gaps[figure.index].point == point;
               });
    };
    for (const PlacedLine& piece : layout.kernel_ceilings) {
        const KernelCeiling& ceiling = scene.kernel_ceilings[piece.index];
        if (ceiling.label.empty() || (brief && is_named(ceiling.point, piece.to)) ||
            std::ranges::find(layout.kernel_ceiling_labels, piece.index, &PlacedText::index) !=
                layout.kernel_ceiling_labels.end())
            continue;
        if (auto placed = place(piece, brief ? ceiling.brief : ceiling.label))
            layout.kernel_ceiling_labels.push_back(std::move(*placed));
    }
}

}  // namespace roofwalk
