// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/label_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/base/text.h"

namespace roofwalk {

namespace {

double dot(PointF a, PointF b) {
    return a.x * b.x + a.y * b.y;
}

PointF minus(PointF a, PointF b) {
    return {a.x - b.x, a.y - b.y};
}

/// Thousands of places are measured for a chart: std::hypot() takes several times as long.
double length_of(PointF way) {
    return std::sqrt(dot(way, way));
}

double from_start(TextAnchor anchor) {
    switch (anchor) {
        case TextAnchor::start:
            return 0.5;
        case TextAnchor::middle:
            return 0;
        case TextAnchor::end:
            return -0.5;
    }
    return 0;
}

}  // namespace

double distance_to_line(PointF point, PointF a, PointF b) {
    const PointF along = minus(b, a);
    const double square = dot(along, along);
    const double share = square > 0 ? std::clamp(dot(minus(point, a), along) / square, 0.0, 1.0) : 0;
    const PointF nearest{a.x + share * along.x, a.y + share * along.y};
    return length_of(minus(point, nearest));
}

double before_circle(PointF from, PointF to, PointF centre, double radius) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (std::hypot(centre.x - to.x, centre.y - to.y) >= radius || length <= 0) return length;
    const PointF apart{centre.x - from.x, centre.y - from.y};
    const double nearest = (apart.x * (to.x - from.x) + apart.y * (to.y - from.y)) / length;
    const double aside = apart.x * apart.x + apart.y * apart.y - nearest * nearest;
    return nearest - std::sqrt(std::max(0.0, radius * radius - aside));
}

bool lines_cross(PointF a, PointF b, PointF c, PointF d) {
    const auto side = [](PointF from, PointF to, PointF at) {
        return (to.x - from.x) * (at.y - from.y) - (to.y - from.y) * (at.x - from.x);
    };
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

std::vector<PlacedText> lines_of(const PlacedText& text) {
    std::vector<PlacedText> lines{text};
    if (text.second == 0) return lines;
    lines.push_back(text);
    lines.front().text = trimmed(std::string_view(text.text).substr(0, text.second));
    lines.back().text = text.text.substr(text.second);
    const double radians = text.angle * std::numbers::pi / 180;
    lines.back().at.x += std::sin(radians) * second_line_drop(text);
    lines.back().at.y += std::cos(radians) * second_line_drop(text);
    for (PlacedText& line : lines)
        line.second = 0;
    return lines;
}

double width_of(const PlacedText& text) {
    const std::string_view words = text.text;
    if (text.second == 0) return text_width(words, text.size);
    return std::max(text_width(trimmed(words.substr(0, text.second)), text.size),
                    text_width(words.substr(text.second), text.size));
}

LabelBox::LabelBox(const PlacedText& text, double width) {
    const double below = text.second == 0 ? 0 : text_line;
    if (text.angle != 0) {
        const double radians = text.angle * std::numbers::pi / 180;
        along_ = {std::cos(radians), -std::sin(radians)};
    }
    half_width_ = width / 2;
    half_height_ = (text_ascent + text_descent + below) * text.size / 2;
    // Up from the baseline in page coordinates is (along.y, -along.x).
    const double rise = (text_ascent - text_descent - below) * text.size / 2;
    const double shift = from_start(text.anchor) * width;
    centre_ = {text.at.x + shift * along_.x + rise * along_.y,
               text.at.y + shift * along_.y - rise * along_.x};
    surround();
}

LabelBox::LabelBox(const RectF& area)
    : centre_{area.x + area.width / 2, area.y + area.height / 2},
      half_width_(area.width / 2),
      half_height_(area.height / 2),
      half_{half_width_, half_height_} {}

void LabelBox::surround() {
    half_ = {half_width_ * std::abs(along_.x) + half_height_ * std::abs(along_.y),
             half_width_ * std::abs(along_.y) + half_height_ * std::abs(along_.x)};
}

PointF LabelBox::to_local(PointF point) const {
    const PointF offset = minus(point, centre_);
    return {dot(offset, along_), offset.y * along_.x - offset.x * along_.y};
}

LabelBox LabelBox::lengthened(double air) const {
    LabelBox box = *this;
    box.half_width_ += air;
    box.surround();
    return box;
}

bool LabelBox::overlaps_on_a_slope(const LabelBox& other) const {
    const PointF offset = minus(other.centre_, centre_);
    // Two rectangles are apart when one of their four edge directions parts them.
    const std::array<PointF, 4> directions{along_, PointF{-along_.y, along_.x}, other.along_,
                                           PointF{-other.along_.y, other.along_.x}};
    return std::ranges::none_of(directions, [&](PointF direction) {
        const auto half = [&](const LabelBox& box) {
            return box.half_width_ * std::abs(dot(box.along_, direction)) +
                   box.half_height_ * std::abs(dot({-box.along_.y, box.along_.x}, direction));
        };
        return std::abs(dot(offset, direction)) >= half(*this) + half(other);
    });
}

bool LabelBox::crosses_within(PointF a, PointF b) const {
    // Liang and Barsky's clipping in the frame of the box.
    const PointF from = to_local(a);
    const PointF to = to_local(b);
    double enter = 0;
    double leave = 1;
    const auto clip = [&](double start, double delta, double half) {
        if (delta == 0) return std::abs(start) <= half;
        const double first = (-half - start) / delta;
        const double second = (half - start) / delta;
        enter = std::max(enter, std::min(first, second));
        leave = std::min(leave, std::max(first, second));
        return enter <= leave;
    };
    return clip(from.x, to.x - from.x, half_width_) && clip(from.y, to.y - from.y, half_height_);
}

bool LabelBox::runs_along(PointF a, PointF b) const {
    constexpr double nearly = 0.25;  // sine of the angle between
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    return std::abs(along_.x * dy - along_.y * dx) < nearly * length_of({dx, dy});
}

double LabelBox::distance(PointF a, PointF b) const {
    if (crosses(a, b)) return 0;
    const auto to_box = [this](PointF point) { return distance_to_circle(point, 0); };
    double least = std::min(to_box(a), to_box(b));
    for (const PointF corner : corners())
        least = std::min(least, distance_to_line(corner, a, b));
    return least;
}

double LabelBox::distance_to_circle(PointF centre, double radius) const {
    const PointF local = to_local(centre);
    const double to_centre = length_of(
        {std::max(std::abs(local.x) - half_width_, 0.0), std::max(std::abs(local.y) - half_height_, 0.0)});
    return std::max(to_centre - radius, 0.0);
}

std::vector<PointF> LabelBox::corners() const {
    const auto corner = [&](double right, double down) {
        const double x = right * half_width_;
        const double y = down * half_height_;
        return PointF{centre_.x + x * along_.x - y * along_.y, centre_.y + x * along_.y + y * along_.x};
    };
    return {corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)};
}

bool LabelBox::inside(const RectF& area) const {
    const RectF own = bounds();
    return own.x >= area.x && own.right() <= area.right() && own.y >= area.y && own.bottom() <= area.bottom();
}

PointF LabelBox::leader_start(PointF end) const {
    constexpr double apart = 2;  // [px]
    const PointF local = to_local(end);
    const double aside = std::abs(local.x) - half_width_;
    const bool sideways = aside > std::max(std::abs(local.y) - half_height_, 0.0);
    const double reach = half_width_ + (sideways ? std::min(apart, aside) : 0);
    const double x = std::clamp(local.x, -reach, reach);
    const double y = sideways ? 0 : std::clamp(local.y, -half_height_, half_height_);
    return {centre_.x + x * along_.x - y * along_.y, centre_.y + x * along_.y + y * along_.x};
}

}  // namespace roofwalk
