// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/dot_sprites.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ui/chart/chart_theme.h"

namespace roofwalk {

namespace {

constexpr double steps_per_pixel = 2;  // radii between them share a sprite
constexpr double largest_radius = 100;
constexpr double dimmed_opacity = 0.45;
constexpr int filled_alpha = 210;
constexpr int hollow_alpha = 30;

}  // namespace

QPainterPath dot_shape(MemoryLevel level, double radius) {
    QPainterPath path;
    switch (level) {
        case MemoryLevel::hbm:
            path.addEllipse(QPointF(0, 0), radius, radius);
            break;
        case MemoryLevel::l2: {
            const double half = radius * std::sqrt(std::numbers::pi) / 2;
            path.addRect(-half, -half, 2 * half, 2 * half);
            break;
        }
        case MemoryLevel::l1: {
            const double half = radius * std::sqrt(std::numbers::pi / 2);
            path.addPolygon(QPolygonF({{0, -half}, {half, 0}, {0, half}, {-half, 0}, {0, -half}}));
            break;
        }
        case MemoryLevel::smem: {
            const double reach = radius * std::sqrt(4 * std::numbers::pi / (3 * std::numbers::sqrt3));
            const double half = reach * std::numbers::sqrt3 / 2;
            path.addPolygon(QPolygonF({{0, -reach}, {half, reach / 2}, {-half, reach / 2}, {0, -reach}}));
            break;
        }
    }
    return path;
}

void paint_dot(QPainter& painter, QPointF at, const Dot& dot, double radius, Colour colour) {
    const QColor fill = to_qt(colour);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(at);
    painter.setPen(dot.other_device ? QPen(fill, 1.6) : QPen(fill.darker(150), 1));
    painter.setBrush(to_qt(colour, dot.other_device ? hollow_alpha : filled_alpha));
    painter.drawPath(dot_shape(dot.level, radius));
    painter.restore();
}

void DotSprites::prepare(const std::vector<Colour>& colours, double device_pixel_ratio) {
    if (colours == colours_ && ratio_ == device_pixel_ratio) return;
    colours_ = colours;
    ratio_ = device_pixel_ratio;
    sprites_.clear();
}

const QPixmap& DotSprites::sprite(const Dot& dot, bool dimmed) {
    const double radius = std::clamp(static_cast<double>(dot.radius), 1.0, largest_radius);
    const auto step = static_cast<quint32>(std::lround(radius * ratio_ * steps_per_pixel));
    const quint32 key = step << 16U | static_cast<quint32>(dot.colour) << 8U |
                        static_cast<quint32>(dot.level) << 2U | (dot.other_device ? 2U : 0U) |
                        (dimmed ? 1U : 0U);
    if (const auto found = sprites_.constFind(key); found != sprites_.constEnd()) return *found;

    const double drawn = step / steps_per_pixel;  // device pixels
    const int side = 2 * static_cast<int>(std::ceil(drawn * 1.6 + ratio_)) + 1;
    QPixmap picture(side, side);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    if (dimmed) painter.setOpacity(dimmed_opacity);
    painter.translate(side / 2.0, side / 2.0);
    painter.scale(ratio_, ratio_);
    paint_dot(painter, {0, 0}, dot, drawn / ratio_,
              dot.colour < colours_.size() ? colours_[dot.colour] : Colour{});
    painter.end();
    return *sprites_.insert(key, picture);
}

}  // namespace roofwalk
