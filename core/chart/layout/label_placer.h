// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chart/layout/label_box.h"

namespace roofwalk {

/// What happens to a label when every place it could have is taken by dots or struck through by a line. All
/// but needed ones are left out after the first few hundred, whose places take a frame to find.
enum class LabelPriority : std::uint8_t {
    needed,  ///< it stands over them
    asked,   ///< it stands over two lines, but not over dots
    extra,   ///< it stands over one line, but not over dots
};

/// Finds places for labels, one after the other: the first asked gets the best place. A label never covers
/// another one, leaves the plot or touches its sides; it covers dots or lines only when every candidate does,
/// the fewest first. A leader runs through a dot only when every candidate's does, and through an arrow only
/// where the label is needed, too.
class LabelPlacer {
  public:
    explicit LabelPlacer(const RectF& plot)
        : plot_{plot.x + air, plot.y, std::max(0.0, plot.width - 2 * air), plot.height} {}

    void add_line(PointF from, PointF to) { lines_.push_back({from, to}); }
    /// A line with a meaning of its own: through a label it would be taken for a part of it, at any angle.
    void add_arrow(PointF from, PointF to) { lines_.push_back({from, to, true}); }
    void add_dot(PointF centre, double radius) { dots_.push_back({centre, radius}); }
    void add_label(const LaidText& label) { labels_.emplace_back(label); }
    /// No label stands here.
    void reserve(const RectF& area) { labels_.emplace_back(area); }

    /// Whether the next label of this priority is not left out for those before it.
    [[nodiscard]] bool looks_for(LabelPriority priority) const {
        return priority == LabelPriority::needed || extras_ < most_extras;
    }
    /// The best of the candidates, listed with the most wanted first, or nothing when all are taken; the
    /// place is kept for it.
    std::optional<LaidText> place(std::span<const LaidText> candidates, LabelPriority priority) {
        return place(candidates, priority, plot_);
    }
    /// The same inside another area than the plot.
    std::optional<LaidText> place(std::span<const LaidText> candidates, LabelPriority priority,
                                  const RectF& area);

  private:
    static constexpr double air = 3;  // to the sides of the plot [px]
    static constexpr int most_extras = 300;
    struct Line {
        PointF from;
        PointF to;
        bool strikes = false;  // at any angle
    };
    struct Circle {
        PointF centre;
        double radius = 0;
    };
    [[nodiscard]] bool free(const LabelBox& box, const RectF& area) const;
    /// Whether a leader crosses no label.
    [[nodiscard]] bool passes(const Line& leader) const;
    [[nodiscard]] std::ptrdiff_t arrows_crossed(const Line& leader) const;
    [[nodiscard]] static bool crosses_within(const Line& line, const Line& leader);
    /// Of a leader, from the label to the mark: dots and arrows on its way, but not those that it ends at.
    [[nodiscard]] int cost_of_leader(const Line& leader) const;
    /// What the box would cover, counted up to `enough`.
    [[nodiscard]] int cost(const LabelBox& box, int enough) const;

    RectF plot_;
    std::vector<Line> lines_;
    std::vector<Circle> dots_;
    std::vector<LabelBox> labels_;
    int extras_ = 0;  // asked for so far
};

}  // namespace roofwalk
