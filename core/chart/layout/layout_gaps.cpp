// SPDX-License-Identifier: GPL-3.0-or-later
// The labels of vertical gaps: beside the arrow or at one of its ends.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <span>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/scene/dot_pile.h"
#include "core/chart/scene/nested_dots.h"

namespace roofwalk {

namespace {

constexpr double gap_label_size = 11;  // [px]
constexpr double gap_air = 6;          // from an arrow or the rim of a dot to the label [px]
/// Of kernels whose whole names leave their figures no room [px].
constexpr std::array cut_names{90.0, 63.0, 44.0};
constexpr double briefest_name = 56;  // of a gap that is told in brief [px]
constexpr int usual_columns = 12;     // of places anywhere in the plot
constexpr double fine_step = 8;       // between them in a plot of a column [px]
constexpr double near_step = 16;      // of those near the end of a leader [px]
constexpr double usual_radius = 4;    // of a dot that is not among the largest [px]

/// Where the label of one arrow may stand.
class GapPlaces {
  public:
    GapPlaces(const PlacedLine& arrow, double rim, const RectF& plot, PlacedText label)
        : arrow_(arrow),
          rim_(rim),
          plot_(plot),
          label_(std::move(label)),
          width_(width_of(label_)),
          fall_(second_line_drop(label_)) {}

    [[nodiscard]] std::vector<PlacedText> anywhere(const LabelPlacer& placer, LabelPriority priority,
                                                   std::uint32_t owner, double farthest) const {
        const PointF middle{arrow_.from.x, (arrow_.from.y + arrow_.to.y) / 2};
        std::vector<LeaderEnd> ends = ends_at(placer, arrow_.from, rim_, owner);
        ends.insert(ends.begin(), {LeaderEnd{middle}, LeaderEnd{arrow_.to}});
        return places_anywhere(placer, plot_, label_, ends, priority, farthest);
    }
    /// The nearest first; those farther away have a leader.
    std::vector<PlacedText> all() {
        constexpr std::array shares{0.5, 0.35, 0.65, 0.2, 0.8};
        const double way = arrow_.to.y - arrow_.from.y;
        // The dot hides the start of the arrow, or all of it.
        if (const double seen = std::abs(way) - rim_; seen > gap_label_size)
            for (const double share : shares)
                beside(gap_air, arrow_.from.y + std::copysign(rim_ + share * seen, way));
        const bool up = way <= 0;
        at({arrow_.to.x,
            up ? arrow_.to.y - gap_air - fall_ : arrow_.to.y + gap_air + text_ascent * gap_label_size},
           TextAnchor::middle);
        beside(rim_ + gap_air, arrow_.from.y);
        const double foot = up ? arrow_.from.y + rim_ + gap_air + text_ascent * gap_label_size
                               : arrow_.from.y - rim_ - gap_air - fall_;
        at({arrow_.from.x, foot}, TextAnchor::middle);
        at({arrow_.from.x - rim_, foot}, TextAnchor::start);
        at({arrow_.from.x + rim_, foot}, TextAnchor::end);
        add_farther();
        return std::move(places_);
    }

  private:
    void add_farther() {
        label_.leader = true;
        label_.leader_to = {arrow_.from.x, (arrow_.from.y + arrow_.to.y) / 2};
        for (const double away : {22.0, 40.0, 60.0, 90.0, 130.0})
            for (const double share : {0.5, 1.0, 0.0})
                beside(rim_ + away, arrow_.from.y + share * (arrow_.to.y - arrow_.from.y));
        label_.leader_to = arrow_.to;
        const double beyond = arrow_.to.y <= arrow_.from.y ? -1 : 1;
        for (const double away : {18.0, 34.0, 50.0, 75.0})
            for (const double aside : {1.0, -1.0})  // else the leader would read as the arrow's own end
                at({arrow_.to.x + aside * away, arrow_.to.y + beyond * away},
                   aside > 0 ? TextAnchor::start : TextAnchor::end);
    }
    /// A label in the middle gives way to the sides of the plot.
    void at(PointF place, TextAnchor anchor) {
        if (anchor == TextAnchor::middle) {
            const double half = width_ / 2 + gap_air;
            if (2 * half < plot_.width) place.x = std::clamp(place.x, plot_.x + half, plot_.right() - half);
        }
        label_.at = place;
        label_.anchor = anchor;
        places_.push_back(label_);
        label_.text.clear();  // the first of the places has it
    }
    /// Right and left of the arrow, `away` from it, about the height `y`.
    void beside(double away, double y) {
        const double base = y + ((text_ascent - text_descent) * gap_label_size - fall_) / 2;
        at({arrow_.from.x + away, base}, TextAnchor::start);
        at({arrow_.from.x - away, base}, TextAnchor::end);
    }

    const PlacedLine& arrow_;
    double rim_;
    const RectF& plot_;
    PlacedText label_;
    double width_;
    double fall_;  // to its second line
    std::vector<PlacedText> places_;
};

/// Arrows that are seen as one, of kernels that are not selected, with the same words.
bool shares_words(const Scene& scene, const PlacedLine& a, const PlacedLine& b) {
    const GapMark& first = scene.gaps[a.index];
    const GapMark& second = scene.gaps[b.index];
    return are_near(a.from, b.from) && are_near(a.to, b.to) && !first.selected && !second.selected &&
           first.label == second.label;
}

/// Whether one of the arrows `tellers` has the words of another.
bool is_told(const Scene& scene, const std::vector<PlacedLine>& gaps, const std::vector<std::size_t>& tellers,
             const PlacedLine& gap) {
    return std::ranges::any_of(tellers,
                               [&](std::size_t teller) { return shares_words(scene, gaps[teller], gap); });
}

/// The kernels whose arrows are told by the words of gaps[own]: its own first. `tellers` are the arrows
/// before it that have words.
std::vector<std::uint32_t> told_by(const Scene& scene, const std::vector<PlacedLine>& gaps,
                                   const std::vector<std::size_t>& tellers, std::size_t own) {
    std::vector<std::uint32_t> points{scene.gaps[gaps[own].index].point};
    for (const PlacedLine& other : std::span(gaps).subspan(own + 1))
        if (shares_words(scene, gaps[own], other) && !is_told(scene, gaps, tellers, other))
            points.push_back(scene.gaps[other.index].point);
    return points;
}

struct GapWords {
    std::string text;
    bool brief = false;  ///< without the share
};

/// What may be said of a gap, the most first.
std::vector<GapWords> words_of(const GapMark& gap, bool brief) {
    const GapWords briefest{gap.brief, gap.brief != gap.label};
    if (brief) return {briefest};
    std::vector<GapWords> words;
    if (gap.selected) words.push_back({with_side(gap)});
    words.push_back({gap.label});
    words.push_back(briefest);
    return words;
}

/// Then its figure can stand with that at a dot, before it is cut.
bool has_a_name(const Scene& scene, std::uint32_t point) {
    return scene.dots.size() <= dots_in_the_clear &&
           std::ranges::any_of(scene.names,
                               [&](const DotName& name) { return scene.dots[name.dot].point == point; });
}

enum class Where : std::uint8_t { near, both };

/// The label of one arrow, which tells of `more` kernels too.
class GapFigure {
  public:
    GapFigure(const Scene& scene, const View& view, const PlacedLine& arrow, std::string more,
              LabelPlacer& placer)
        : scene_(scene), view_(view), arrow_(arrow), more_(std::move(more)), placer_(placer) {}

    /// The first of the words that find a place, after a name; the last are the shortest. Those of the
    /// selection go as far as need be, but the shortest near their arrow sooner than the longest far from it.
    [[nodiscard]] std::optional<PlacedText> place(const std::string& whose, std::span<const GapWords> words,
                                                  Where where,
                                                  LabelPriority priority = LabelPriority::asked) const {
        const auto within = [&](double farthest) {
            return place_longest(words, placer_, [&](const GapWords& figure) {
                return place_words(whose, figure, where, priority, farthest);
            });
        };
        auto placed = within(longest_leader);
        if (!placed && where == Where::both && scene_.gaps[arrow_.index].selected) placed = within(no_limit);
        return placed;
    }

    /// The same with the name cut to less and less.
    [[nodiscard]] std::optional<PlacedText> place_cut(std::span<const GapWords> words, Where where) const {
        return place_longest(std::span(cut_names), placer_, [&](double room) {
            return place(elided(scene_.gaps[arrow_.index].whose, gap_label_size, room), words, where);
        });
    }

  private:
    [[nodiscard]] std::optional<PlacedText> place_words(const std::string& whose, const GapWords& figure,
                                                        Where where, LabelPriority priority,
                                                        double farthest) const {
        const GapMark& gap = scene_.gaps[arrow_.index];
        const std::string text =
            figure_text(whose, more_, figure.text) + (arrow_.cut ? ", beyond this view" : "");
        const auto places_of = [&](std::size_t second) {
            return GapPlaces(arrow_, rim_of_dot(scene_, view_, gap.point, gap.x, usual_radius), view_.plot,
                             {.size = gap_label_size,
                              .text = text,
                              .second = second,
                              .index = arrow_.index,
                              .cut = whose != gap.whose,
                              .brief = figure.brief});
        };
        const std::size_t second = !whose.empty() ? figure_text(whose, more_, {}).size()
                                   : figure.text.size() > gap.label.size() ? gap.label.size() + 2  // the side
                                                                           : 0;
        LabelRequest request{places_of(0).all(), priority, gap.point};
        request.in_any_crowd = priority == LabelPriority::needed;  // that of the selection
        if (second > 0) request.farther.emplace_back([&] { return places_of(second).all(); });
        if (where == Where::both)
            request.farther.emplace_back(
                [&] { return places_of(0).anywhere(placer_, priority, gap.point, farthest); });
        if (where == Where::both && second > 0)
            request.farther.emplace_back(
                [&] { return places_of(second).anywhere(placer_, priority, gap.point, farthest); });
        return placer_.place(request);
    }

    const Scene& scene_;
    const View& view_;
    const PlacedLine& arrow_;
    std::string more_;
    LabelPlacer& placer_;
};

}  // namespace

double rim_of_dot(const Scene& scene, const View& view, std::uint32_t point, double x, double otherwise) {
    constexpr std::size_t dots_looked_at = 1000;
    const std::size_t count = scene.dots.size();
    for (std::size_t i = count; i-- > count - std::min(count, dots_looked_at);)
        if (scene.dots[i].point == point && scene.dots[i].x == x && scene.dots[i].rail != Rail::edge)
            return outermost_radius(scene.dots, static_cast<std::uint32_t>(i), view);
    return otherwise;
}

std::uint32_t first_with_words_of(const Scene& scene, const Layout& layout, const PlacedLine& gap) {
    const auto first = std::ranges::find_if(layout.gaps, [&](const PlacedLine& other) {
        return other.index == gap.index || shares_words(scene, other, gap);
    });
    return first->index;
}

std::vector<std::uint32_t> told_by_gap(const Scene& scene, const Layout& layout, std::uint32_t gap) {
    const auto own = std::ranges::find(layout.gaps, gap, &PlacedLine::index);
    std::vector<std::size_t> tellers;
    for (std::size_t i = 0; i < static_cast<std::size_t>(own - layout.gaps.begin()); ++i)
        if (!is_told(scene, layout.gaps, tellers, layout.gaps[i])) tellers.push_back(i);
    return told_by(scene, layout.gaps, tellers, static_cast<std::size_t>(own - layout.gaps.begin()));
}

std::vector<LeaderEnd> ends_at(const LabelPlacer& placer, PointF dot, double rim, std::uint32_t owner,
                               bool in_any_case) {
    constexpr int directions = 16;
    constexpr std::array gaps{leader_air, leader_air + 1,
                              leader_air + 2};  // the wider where outlines meet [px]
    std::vector<LeaderEnd> ends{{dot, rim + leader_air}};
    bool bare = !in_any_case;
    for (int i = 0; i < directions; ++i) {
        const double angle = 2 * std::numbers::pi * i / directions;
        const PointF way{std::cos(angle), std::sin(angle)};
        const auto at = [&, out = placer.outer_rim(dot, rim, way)](double gap) {
            return PointF{dot.x + (out + gap) * way.x, dot.y + (out + gap) * way.y};
        };
        const auto gap =
            std::ranges::find_if(gaps, [&](double g) { return !placer.is_hidden(at(g), owner); });
        bare = bare && gap == gaps.begin();
        if (gap != gaps.end()) ends.push_back({at(*gap)});
    }
    if (bare) ends.resize(1);
    return ends;
}

namespace {

/// Around all ends.
RectF within_reach(std::span<const LeaderEnd> ends, double farthest) {
    double left = no_limit;
    double top = no_limit;
    double right = -no_limit;
    double bottom = -no_limit;
    for (const LeaderEnd& end : ends) {
        const double reach = end.rim + farthest;
        left = std::min(left, end.at.x - reach);
        top = std::min(top, end.at.y - reach);
        right = std::max(right, end.at.x + reach);
        bottom = std::max(bottom, end.at.y + reach);
    }
    return {left, top, right - left, bottom - top};
}

}  // namespace

std::vector<PlacedText> places_anywhere(const LabelPlacer& placer, const RectF& plot, PlacedText label,
                                        std::span<const LeaderEnd> to, LabelPriority priority,
                                        double farthest) {
    struct LeaderCandidate {
        double from_end = 0;  // length of the leader [px]
        PointF at{};
        PointF end{};
    };
    if (placer.search() == LabelSearch::quick) return {};
    const double width = width_of(label);
    const double room = plot.width - width - 2 * gap_air;
    const bool finely = plot.width * plot.height < column_plot;
    const bool near = farthest < no_limit;
    const double line = (label.size + 3) / (finely ? 2.5 : near ? 1.5 : 1);
    const double step_across = finely ? fine_step : near ? near_step : room / usual_columns;
    const int columns = std::max(1, static_cast<int>(room / step_across));
    std::vector<LeaderCandidate> places;
    label.leader = true;
    label.anchor = TextAnchor::start;
    const RectF reached = near ? within_reach(to, farthest) : plot;
    for (double y = plot.y + line; room > 0 && y < plot.bottom() - gap_air; y += line) {
        if (y + 2 * label.size < reached.y || y - label.size > reached.bottom()) continue;
        for (int step = 0; step <= columns; ++step) {
            label.at = {plot.x + gap_air + room * step / columns, y};
            if (label.at.x + width < reached.x || label.at.x > reached.right()) continue;
            const LabelBox box(label, width);
            if (!placer.may_stand(box, priority)) continue;
            for (const LeaderEnd& end : to) {
                const PointF start = box.leader_start(end.at);
                const PointF way{start.x - end.at.x, start.y - end.at.y};
                const double length = std::sqrt(way.x * way.x + way.y * way.y);
                if (length > end.rim + farthest || (end.rim > 0 && length <= end.rim + label_air)) continue;
                const double rim = end.rim > 0 ? end.rim / length : 0;
                places.push_back({length, label.at, {end.at.x + rim * way.x, end.at.y + rim * way.y}});
            }
        }
    }
    std::ranges::stable_sort(places, {}, &LeaderCandidate::from_end);
    PlacedText wordless = label;
    wordless.text.clear();
    std::vector<PlacedText> nearest_first(places.size(), wordless);
    for (std::size_t i = 0; i < places.size(); ++i) {
        nearest_first[i].at = places[i].at;
        nearest_first[i].leader_to = places[i].end;
    }
    if (!places.empty()) nearest_first.front().text = std::move(label.text);
    return nearest_first;
}

void place_gap_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer,
                      bool selected, GapForm form) {
    const bool brief = form == GapForm::brief;
    const LabelPriority priority = selected ? LabelPriority::needed : LabelPriority::asked;
    const Where where =
        selected || scene.dots.size() <= dots_kept_clear(placer.search()) ? Where::both : Where::near;
    std::vector<std::size_t> tellers;
    for (std::size_t i = 0; i < layout.gaps.size(); ++i) {
        const PlacedLine& line = layout.gaps[i];
        const GapMark& gap = scene.gaps[line.index];
        if (gap.selected != selected) continue;
        const bool looks = placer.looks_for(priority);
        if (looks && is_told(scene, layout.gaps, tellers, line)) continue;
        ++layout.worded_gaps;
        if (!looks) continue;
        const std::size_t more = told_by(scene, layout.gaps, tellers, i).size() - 1;
        tellers.push_back(i);
        const GapFigure figure(scene, view, line, and_more(more, scene.rows), placer);
        const std::vector<GapWords> words = words_of(gap, brief);
        std::vector<std::string> names{gap.whose};
        if (brief && !view.captioned_kernels)
            names.push_back(elided(gap.whose, gap_label_size, briefest_name));
        const bool captioned = !selected && in_caption(view, gap.point);
        std::optional<PlacedText> placed;
        const LabelPlacer::Placed before = placer.placed();
        for (const auto how_much : {LabelPriority::asked, LabelPriority::clear, LabelPriority::needed})
            for (const std::string& whose : names)
                if (!placed && !captioned && how_much >= priority)
                    placed = figure.place(whose, words, where, how_much);
        if (!placed && !selected && scene.dots.size() > dots_in_the_clear && !view.captioned_kernels)
            placed = figure.place_cut(words, Where::near);
        if (form == GapForm::clear && placed && placed->covers && has_a_name(scene, gap.point)) {
            placer.go_back(before);
            placed.reset();
        }
        if (placed)
            layout.gap_labels.push_back(*std::move(placed));
        else
            layout.worded_gaps += more;
    }
}

std::optional<PlacedText> place_cut_gap_label(const Scene& scene, const View& view, const PlacedLine& gap,
                                              LabelPlacer& placer) {
    return GapFigure(scene, view, gap, {}, placer)
        .place_cut(words_of(scene.gaps[gap.index], false), Where::both);
}

void place_remaining_gap_labels(const Scene& scene, const View& view, Layout& layout, LabelPlacer& placer) {
    constexpr std::size_t most_searched = 16;
    if (scene.dots.size() > dots_kept_clear(placer.search()) || layout.gaps.size() > most_searched) return;
    for (const PlacedLine& line : layout.gaps) {
        const GapMark& gap = scene.gaps[line.index];
        const std::vector<std::uint32_t> told = told_by_gap(scene, layout, line.index);
        const bool shares = std::ranges::any_of(layout.gaps, [&](const PlacedLine& other) {
            return &other < &line && shares_words(scene, line, other);
        });
        if (gap.selected || line.cut || shares || in_caption(view, gap.point) ||
            std::ranges::find(layout.gap_labels, line.index, &PlacedText::index) != layout.gap_labels.end())
            continue;
        const GapFigure figure(scene, view, line, and_more(told.size() - 1, scene.rows), placer);
        const std::vector<GapWords> words = words_of(gap, false);
        std::optional<PlacedText> placed;
        if (scene.dots.size() > dots_in_the_clear) placed = figure.place(gap.whose, words, Where::both);
        if (!placed && !has_a_name(scene, gap.point) && !view.captioned_kernels)
            placed = figure.place_cut(words, Where::both);
        if (!placed) continue;
        layout.gap_labels.push_back(*std::move(placed));
        layout.worded_gaps -= told.size() - 1;
    }
}

}  // namespace roofwalk
