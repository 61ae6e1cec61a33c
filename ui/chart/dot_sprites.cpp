// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/dot_sprites.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/chart/scene/nested_dots.h"
#include "ui/chart/chart_theme.h"

namespace roofwalk {

namespace {

constexpr double steps_per_pixel = 2;
constexpr double largest_radius = 100;
// Of a dot that stands back: its lines, or the edge of a filled one, keep a contrast of 3 on any ground.
constexpr double dimmed_opacity = 0.45;
constexpr double dimmed_line_opacity = 0.85;
constexpr int filled_alpha = static_cast<int>(255 * dot_opacity);
constexpr int faint_alpha = 205;  // which keeps a contrast of 3 without an edge
constexpr int hollow_alpha = 30;
constexpr double ring_gap = 2.5;  // px from a dot to its ring
constexpr double grounded_ring_gap = 4;
constexpr double outline_pen = 1.6;  // [px]
constexpr double edge_pen = 0.8;
constexpr double ring_pen = 1.5;
constexpr double grounded_ring_pen = 2;
constexpr double ground_pen = 5;

/// One that stands back: faint inside, with an edge that is seen on the ground.
void paint_dimmed(QPainter& painter, const Dot& dot, DotLook look, Colour colour, DotMark mark) {
    const bool lines = dot.is_hollow() || dot.modelled || look.ink == DotInk::outline;
    painter.setOpacity(lines ? dimmed_line_opacity : dimmed_opacity);
    paint_dot(painter, {0, 0}, dot, look, colour, lines ? mark : DotMark());
    if (lines || look.radius < static_cast<double>(faint_radius)) return;
    const Palette& palette = palette_of(look.theme);
    painter.setOpacity(dimmed_line_opacity);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_dot_mark(painter, mark, {}, look.radius, ink_on(palette.plot));  // the fill is nearly the ground
    painter.setPen(QPen(to_qt(palette.axis), edge_pen));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(dot_shape(dot.level, look.radius));
}

}  // namespace

QPainterPath dot_shape(MemoryLevel level, double radius) {
    QPainterPath path;
    QPolygonF outline;
    for (const PointF& corner : marker_corners(level, {}, radius))
        outline << to_qt(corner);
    if (outline.isEmpty()) path.addEllipse(QPointF(0, 0), radius, radius);
    path.addPolygon(outline);
    path.closeSubpath();
    return path;
}

DotLook look_of(const Scene& scene, std::uint32_t i, const View& view) {
    const bool around = dots_inside(scene.dots, i, view) > 0;
    return {around ? painted_radius(scene.dots, i, view) : view.marks.of(scene.dots[i].radius),
            around ? DotInk::outline : DotInk::filled, scene.options.theme};
}

void paint_dot_mark(QPainter& painter, DotMark mark, QPointF at, double radius, Colour ink) {
    painter.save();
    painter.setPen(QPen(to_qt(ink), mark_pen, Qt::SolidLine, Qt::RoundCap));
    const double reach = dot_mark_half_width(radius);
    for (const MarkStroke& stroke : mark)
        painter.drawLine(at + reach * QPointF(stroke.from_x, stroke.from_y),
                         at + reach * QPointF(stroke.to_x, stroke.to_y));
    painter.restore();
}

void paint_dot(QPainter& painter, QPointF at, const Dot& dot, DotLook look, Colour colour, DotMark mark) {
    const Colour line = line_colour(colour, look.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(at);
    const bool outline = look.ink == DotInk::outline;
    const bool faint = look.radius < static_cast<double>(faint_radius);
    const bool hollow = dot.is_hollow();
    QPen pen = outline || hollow ? QPen(to_qt(line), outline_pen)
               : faint           ? QPen(Qt::NoPen)
                                 : QPen(to_qt(palette_of(look.theme).axis), edge_pen);
    if (dot.modelled) {
        pen.setDashPattern({2.5 / outline_pen, 2 / outline_pen});
        pen.setCapStyle(Qt::FlatCap);
    }
    painter.setPen(pen);
    if (!outline)
        painter.setBrush(hollow  ? to_qt(colour, hollow_alpha)
                         : faint ? to_qt(line, faint_alpha)
                                 : to_qt(colour, filled_alpha));
    painter.drawPath(dot_shape(dot.level, look.radius));
    if (!outline) paint_dot_mark(painter, mark, {}, look.radius, hollow ? line : ink_on(colour));
    painter.restore();
}

void paint_ring(QPainter& painter, QPointF at, const Dot& dot, double radius, Colour colour) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(at);
    painter.setPen(QPen(to_qt(colour), ring_pen));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(dot_shape(dot.level, radius + ring_gap));
    painter.restore();
}

void paint_grounded_ring(QPainter& painter, QPointF at, const Dot& dot, double radius, Theme theme) {
    const Palette& palette = palette_of(theme);
    const QPainterPath shape = dot_shape(dot.level, radius + grounded_ring_gap);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(at);
    painter.setBrush(to_qt(palette.plot));
    painter.setPen(QPen(to_qt(palette.plot), ground_pen));
    painter.drawPath(shape);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(to_qt(palette.highlight), grounded_ring_pen));
    painter.drawPath(shape);
    painter.restore();
}

void DotSprites::prepare(const std::vector<Colour>& colours, Theme theme, double device_pixel_ratio,
                         std::vector<DotMark> marks) {
    if (colours == colours_ && theme == theme_ && ratio_ == device_pixel_ratio &&
        std::ranges::equal(marks, marks_, {}, &DotMark::data, &DotMark::data))
        return;
    colours_ = colours;
    marks_ = std::move(marks);
    theme_ = theme;
    ratio_ = device_pixel_ratio;
    sprites_.clear();
}

quint32 DotSprites::step_of(DotLook look) const {
    const double radius = std::clamp(look.radius, 1.0, largest_radius);
    return static_cast<quint32>(std::lround(radius * ratio_ * steps_per_pixel));
}

template <class Paint>
const QImage& DotSprites::picture(quint32 key, const Outline& outline, const Paint& paint) {
    if (const auto found = sprites_.constFind(key); found != sprites_.constEnd()) return *found;
    // No larger than needed: what is transparent takes as long to draw.
    const QRectF bounds = dot_shape(outline.level, outline.radius).boundingRect();
    const double reach = std::max(bounds.right(), -bounds.top()) + outline.pen / 2;
    const int side = 2 * static_cast<int>(std::ceil(reach * ratio_)) + 1;  // device pixels
    QImage image(side, side, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.translate(side / 2.0, side / 2.0);
    painter.scale(ratio_, ratio_);
    paint(painter);
    painter.end();
    return *sprites_.insert(key, image);
}

const QImage& DotSprites::sprite(const Dot& dot, DotLook look, bool dimmed) {
    constexpr quint32 is_outline = 1U << 5U;
    constexpr quint32 is_modelled = 1U << 6U;
    const quint32 step = step_of(look);
    const quint32 key = step << 16U | static_cast<quint32>(dot.colour) << 8U |
                        (look.ink == DotInk::outline ? is_outline : 0U) | (dot.modelled ? is_modelled : 0U) |
                        static_cast<quint32>(dot.level) << 2U | (dot.is_hollow() ? 2U : 0U) |
                        (dimmed ? 1U : 0U);
    const double radius = step / steps_per_pixel / ratio_;
    return picture(key, {dot.level, radius, outline_pen}, [&](QPainter& painter) {
        const Colour colour = dot.colour < colours_.size() ? colours_[dot.colour] : Colour{};
        const DotMark mark = dot.colour < marks_.size() ? marks_[dot.colour] : DotMark();
        if (dimmed)
            paint_dimmed(painter, dot, {radius, look.ink, theme_}, colour, mark);
        else
            paint_dot(painter, {0, 0}, dot, {radius, look.ink, theme_}, colour, mark);
    });
}

const QImage& DotSprites::ring(const Dot& dot, DotLook look, RingInk ink) {
    constexpr quint32 is_ring = 1U << 4U;
    const quint32 step = step_of(look);
    const double radius = step / steps_per_pixel / ratio_;
    const bool grounded = ink == RingInk::grounded;
    const Outline outline = grounded ? Outline{dot.level, radius + grounded_ring_gap, ground_pen}
                                     : Outline{dot.level, radius + ring_gap, ring_pen};
    const quint32 key = step << 16U | is_ring | static_cast<quint32>(dot.level) << 2U | (grounded ? 1U : 0U);
    return picture(key, outline, [&](QPainter& painter) {
        if (grounded)
            paint_grounded_ring(painter, {0, 0}, dot, radius, theme_);
        else
            paint_ring(painter, {0, 0}, dot, radius, palette_of(theme_).highlight);
    });
}

}  // namespace roofwalk
