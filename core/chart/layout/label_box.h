// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/chart/layout/layout.h"

namespace roofwalk {

/// From a point to the line from `a` to `b`.
[[nodiscard]] double distance_to_line(PointF point, PointF a, PointF b);

/// Of the way from one place to another what is before a circle, if that holds its end [px].
[[nodiscard]] double before_circle(PointF from, PointF to, PointF centre, double radius);

/// Whether the line from `a` to `b` and that from `c` to `d` cross, other than at their ends.
[[nodiscard]] bool lines_cross(PointF a, PointF b, PointF c, PointF d);

/// Each of its lines by itself.
[[nodiscard]] std::vector<PlacedText> lines_of(const PlacedText& text);

/// Of the longest of its lines.
[[nodiscard]] double width_of(const PlacedText& text);

/// From the baseline of its first line to that of its last.
[[nodiscard]] inline double second_line_drop(const PlacedText& text) {
    return text.second == 0 ? 0 : text_line * text.size;
}

/// A rectangle at any angle: the room that a label takes.
class LabelBox {
  public:
    explicit LabelBox(const PlacedText& text) : LabelBox(text, width_of(text)) {}
    /// The same, of a text that is `width` px wide.
    LabelBox(const PlacedText& text, double width);
    explicit LabelBox(const RectF& area);

    /// The same with `air` px more at both ends of the text.
    [[nodiscard]] LabelBox lengthened(double air) const;
    [[nodiscard]] bool overlaps(const LabelBox& other) const {
        return std::abs(other.centre_.x - centre_.x) < half_.x + other.half_.x &&
               std::abs(other.centre_.y - centre_.y) < half_.y + other.half_.y &&
               ((along_.y == 0 && other.along_.y == 0) || overlaps_on_a_slope(other));
    }
    /// Crossed or touched by the line from `a` to `b`.
    [[nodiscard]] bool crosses(PointF a, PointF b) const {
        return std::min(a.x, b.x) <= centre_.x + half_.x && std::max(a.x, b.x) >= centre_.x - half_.x &&
               std::min(a.y, b.y) <= centre_.y + half_.y && std::max(a.y, b.y) >= centre_.y - half_.y &&
               crosses_within(a, b);
    }
    /// Whether a line from `a` to `b` has nearly the direction of the text.
    [[nodiscard]] bool runs_along(PointF a, PointF b) const;
    /// To the line from `a` to `b`; 0 where they touch.
    [[nodiscard]] double distance(PointF a, PointF b) const;
    /// To the rim of a circle; 0 where they touch.
    [[nodiscard]] double distance_to_circle(PointF centre, double radius) const;
    [[nodiscard]] bool touches_circle(PointF centre, double radius) const {
        return std::abs(centre.x - centre_.x) < half_.x + radius &&
               std::abs(centre.y - centre_.y) < half_.y + radius && distance_to_circle(centre, 0) < radius;
    }
    /// The upright rectangle around the box.
    [[nodiscard]] RectF bounds() const {
        return {centre_.x - half_.x, centre_.y - half_.y, 2 * half_.x, 2 * half_.y};
    }
    /// In order around the box.
    [[nodiscard]] std::vector<PointF> corners() const;
    [[nodiscard]] bool inside(const RectF& area) const;
    [[nodiscard]] PointF centre() const { return centre_; }
    /// Where a leader to `end` begins: at the corner or edge that is nearest, or half-way up at the side of
    /// the words, a little apart, where it leaves them sideways, for along their foot it would be an
    /// underscore.
    [[nodiscard]] PointF leader_start(PointF end) const;

  private:
    void surround();
    [[nodiscard]] PointF to_local(PointF point) const;
    [[nodiscard]] bool crosses_within(PointF a, PointF b) const;
    [[nodiscard]] bool overlaps_on_a_slope(const LabelBox& other) const;

    PointF centre_;
    PointF along_{1, 0};  // unit vector of the text's direction
    double half_width_ = 0;
    double half_height_ = 0;
    PointF half_{};  // of the upright rectangle around it
};

}  // namespace roofwalk
