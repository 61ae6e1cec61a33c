// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/chart/layout/label_box.h"
#include "core/chart/layout/label_owners.h"

namespace roofwalk {

/// What happens to a label when every place it could have is taken by dots or struck through by a line. All
/// but needed ones are left out after the first few hundred, whose places take a frame to find.
enum class LabelPriority : std::uint8_t {
    needed,  ///< it stands over them
    clear,   ///< needed, but there is something else to say: it stands over lines, but not over dots
    asked,   ///< it stands over two lines, but not over dots
    extra,   ///< it stands over one line, but not over dots
};

/// What a label asks for.
struct LabelRequest {
    /// That it could have, the most wanted first, of one text, which the first of them has at least.
    std::vector<PlacedText> places;
    LabelPriority priority = LabelPriority::extra;
    /// The kernel that it belongs to, whose dots its leader may end at: it stands where it can be taken for
    /// that of no other kernel.
    std::optional<std::uint32_t> owner = std::nullopt;
    std::optional<RectF> area = std::nullopt;  ///< to stand in, instead of the plot
    /// More places, all but the first of which have leaders. They are asked for only where none of `places`
    /// is clear of dots, and of a label with an owner of lines, as long as those before them leave something
    /// to gain.
    std::vector<std::function<std::vector<PlacedText>()>> farther = {};
    bool in_any_crowd = false;  ///< that of an owner may stand nearer to others
};

/// Finds places for labels, one after the other: the first asked gets the best place. A label never covers
/// another one, leaves the plot or touches its sides; it covers dots or lines only when every candidate does,
/// the fewest first. A leader runs through no arrow and no bar, and touches no dot of another unless it is
/// needed; none stands nearer to a dot of another than to its own but in_any_crowd.
class LabelPlacer {
  public:
    /// `owners` outlives the placer; null where no label belongs to a kernel.
    explicit LabelPlacer(const RectF& plot, const LabelOwners* owners = nullptr,
                         LabelSearch search = LabelSearch::thorough)
        : plot_{plot.x + air, plot.y, std::max(0.0, plot.width - 2 * air), plot.height},
          owners_(owners),
          search_(search) {}

    [[nodiscard]] LabelSearch search() const { return search_; }

    void add_line(PointF from, PointF to) { lines_.push_back({from, to}); }
    /// A line that labels leave to be seen before others.
    void add_roof(PointF from, PointF to) { lines_.push_back({from, to, false, true}); }
    /// A line with a meaning of its own: through a label it would be taken for a part of it, at any angle.
    void add_arrow(PointF from, PointF to) { lines_.push_back({from, to, true}); }
    /// A piece of a line, which a leader through it would make another mark of.
    void add_bar(PointF from, PointF to) { lines_.push_back({.from = from, .to = to, .is_bar = true}); }
    /// Leaders of the labels of its own kernel may end in it.
    void add_dot(PointF centre, double radius, std::optional<std::uint32_t> owner = {},
                 MemoryLevel level = MemoryLevel::hbm);
    void add_label(const PlacedText& label) { labels_.emplace_back(label); }
    /// No label stands here.
    void reserve(const RectF& area) { labels_.emplace_back(area); }

    /// Whether a line is there that is no roof.
    [[nodiscard]] bool is_struck(const LabelBox& box) const {
        return std::ranges::any_of(
            lines_, [&](const Line& line) { return !line.is_roof && box.crosses(line.from, line.to); });
    }
    /// Whether neither line nor dot is there.
    [[nodiscard]] bool is_bare(const RectF& area) const { return cost(LabelBox(area), 1) == 0; }
    /// Whether a label of this priority may stand there, but for its leader.
    [[nodiscard]] bool may_stand(const LabelBox& box, LabelPriority priority) const {
        const int limit = too_much(priority);
        return free(box, plot_) && cost(box, limit) < limit;
    }
    /// Whether something but the owner's own dots stands there, so that no leader of it can end there.
    [[nodiscard]] bool is_hidden(PointF point, std::uint32_t owner) const {
        return !leads({point, point}, owner, LabelPriority::extra);
    }
    /// From the centre of a dot with this radius out of all that are seen as one with it, along a unit
    /// vector.
    [[nodiscard]] double outer_rim(PointF centre, double radius, PointF way) const;
    /// Whether no label stands there.
    [[nodiscard]] bool has_room(const RectF& area) const { return free(LabelBox(area), plot_); }
    [[nodiscard]] bool is_over_dots(const PlacedText& label) const { return is_over_dots(LabelBox(label)); }
    [[nodiscard]] bool is_over_dots(const LabelBox& box) const {
        return std::ranges::any_of(dots_, [&](const Circle& dot) { return covers(box, dot); });
    }
    /// Whether the next label of this priority is not left out for those before it.
    [[nodiscard]] bool looks_for(LabelPriority priority) const {
        return priority <= LabelPriority::clear || extras_ < most_extras;
    }
    /// The best of its places, or nothing when all are taken; the place is kept for it.
    std::optional<PlacedText> place(const LabelRequest& request);

    /// How much is placed and reserved.
    struct Placed {
        std::size_t lines = 0;
        std::size_t labels = 0;
        int extras = 0;
    };
    [[nodiscard]] Placed placed() const { return {lines_.size(), labels_.size(), extras_}; }
    /// Forgets what was placed and reserved since `before`.
    void go_back(const Placed& before);

  private:
    static constexpr double air = 3;              // to the sides of the plot [px]
    static constexpr double air_around_dots = 1;  // [px]
    static constexpr int most_extras = 300;
    struct Line {
        PointF from;
        PointF to;
        bool strikes = false;  // at any angle
        bool is_roof = false;
        bool is_bar = false;
    };
    struct Circle {
        PointF centre;
        double radius = 0;
        MemoryLevel level = MemoryLevel::hbm;
        std::vector<std::uint32_t> owners;  // of all whose dots nothing tells from it
        double reach = 0;                   // with the air around it
        std::vector<PointF> corners;
    };
    struct Best {
        const PlacedText* place = nullptr;
        int cost = std::numeric_limits<int>::max();
    };
    /// Of the places that cost less than `than`; null when each of them is taken, covers more than the
    /// priority allows, or is nearer to others than to its owner.
    [[nodiscard]] Best best_of(const LabelRequest& request, const std::vector<PlacedText>& places,
                               Best than) const;
    [[nodiscard]] bool free(const LabelBox& box, const RectF& area) const;
    /// Of an arrow or a bar whether a leader crosses it, of a line that is no arrow whether it runs along it.
    [[nodiscard]] static bool leader_conflicts(const Line& line, const Line& leader);
    /// Whether it comes nearer to the outline of a dot, or with less than 0 so far into it.
    [[nodiscard]] static bool runs_through(const Line& leader, const Circle& dot, double air);
    /// Whether it ends at a dot that is seen as one with one of the owner's `centres`, or is no kernel's.
    [[nodiscard]] static bool ends_at_own(const Line& leader, const Circle& dot,
                                          std::span<const PointF> centres);
    [[nodiscard]] std::span<const PointF> centres_of(std::optional<std::uint32_t> owner) const;
    [[nodiscard]] static bool crosses_within(const Line& line, const Line& leader);
    /// Of a leader, from the label to the mark: no label, dot or arrow on its way but those that it ends at.
    /// That of a needed label of a kernel may touch the rims of dots.
    [[nodiscard]] bool leads(const Line& leader, std::optional<std::uint32_t> owner,
                             LabelPriority priority) const;
    [[nodiscard]] static bool covers(const LabelBox& box, const Circle& dot);
    /// What a label of this priority does not cover.
    [[nodiscard]] static int too_much(LabelPriority priority);
    /// What the box would cover, counted up to `enough`.
    [[nodiscard]] int cost(const LabelBox& box, int enough) const;

    RectF plot_;
    const LabelOwners* owners_;
    LabelSearch search_;
    std::vector<Line> lines_;
    std::vector<Circle> dots_;
    std::unordered_map<std::uint32_t, std::vector<PointF>> centres_;  // of the dots of each owner
    std::vector<LabelBox> labels_;
    int extras_ = 0;  // asked for so far
};

/// The first of `forms`, the longest first, that `place` finds room for: none has where the shortest has
/// none.
template <class Form, std::size_t extent, class Place>
std::optional<PlacedText> place_longest(std::span<const Form, extent> forms, LabelPlacer& placer,
                                        const Place& place) {
    const LabelPlacer::Placed before = placer.placed();
    std::optional<PlacedText> placed = place(forms.back());
    if (!placed || forms.size() == 1) return placed;
    placer.go_back(before);
    placed.reset();
    for (auto form = forms.begin(); !placed && form != forms.end(); ++form)
        placed = place(*form);
    return placed;
}

}  // namespace roofwalk
