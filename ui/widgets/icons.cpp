// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>

namespace roofwalk {

namespace {

constexpr double grid = 16;  // every glyph is drawn on 16 x 16

QPainterPath polyline(std::initializer_list<QPointF> points, bool closed = false) {
    QPainterPath path(*points.begin());
    for (const QPointF& point : points)
        path.lineTo(point);
    if (closed) path.closeSubpath();
    return path;
}

QPainterPath exclamation() {
    QPainterPath path = polyline({{8, 6.5}, {8, 9.5}});
    path.addEllipse(QPointF(8, 11.7), 0.3, 0.3);
    return path;
}

QPainterPath shape_of(Glyph glyph) {
    QPainterPath path;
    switch (glyph) {
        case Glyph::open:
            return polyline({{1.5, 13}, {1.5, 3}, {6, 3}, {7.5, 5}, {14.5, 5}, {14.5, 13}}, true);
        case Glyph::save:
            path = polyline({{8, 2}, {8, 10}});
            path.addPath(polyline({{5, 7}, {8, 10}, {11, 7}}));
            path.addPath(polyline({{2, 10.5}, {2, 13.5}, {14, 13.5}, {14, 10.5}}));
            return path;
        case Glyph::fit:
            path = polyline({{2, 6}, {2, 2}, {6, 2}});
            path.addPath(polyline({{10, 2}, {14, 2}, {14, 6}}));
            path.addPath(polyline({{14, 10}, {14, 14}, {10, 14}}));
            path.addPath(polyline({{6, 14}, {2, 14}, {2, 10}}));
            return path;
        case Glyph::reload:
            path.arcMoveTo(QRectF(3, 3, 10, 10), 60);
            path.arcTo(QRectF(3, 3, 10, 10), 60, 300);
            path.addPath(polyline({{10.5, 0.8}, {10.5, 3.8}, {13.5, 3.8}}));
            return path;
        case Glyph::copy:
            path.addRoundedRect(QRectF(5.5, 5.5, 8, 8), 1, 1);
            path.addPath(polyline({{3.5, 10.5}, {2.5, 10.5}, {2.5, 2.5}, {10.5, 2.5}, {10.5, 3.5}}));
            return path;
        case Glyph::close:
            path = polyline({{4, 4}, {12, 12}});
            path.addPath(polyline({{12, 4}, {4, 12}}));
            return path;
        case Glyph::information:
            path.addEllipse(QRectF(1.5, 1.5, 13, 13));
            path.addPath(polyline({{8, 7}, {8, 11.5}}));
            path.addEllipse(QPointF(8, 4.5), 0.3, 0.3);
            return path;
        case Glyph::warning:
            path = polyline({{8, 2}, {14.5, 13.5}, {1.5, 13.5}}, true);
            path.addPath(exclamation());
            return path;
        case Glyph::error:
            path.addEllipse(QRectF(1.5, 1.5, 13, 13));
            path.addPath(polyline({{8, 4.5}, {8, 9}}));
            path.addEllipse(QPointF(8, 11.5), 0.3, 0.3);
            return path;
        case Glyph::previous:
            return polyline({{10, 3}, {5, 8}, {10, 13}});
        case Glyph::next:
            return polyline({{6, 3}, {11, 8}, {6, 13}});
        case Glyph::more:
            path = polyline({{3, 4}, {7, 8}, {3, 12}});
            path.addPath(polyline({{8, 4}, {12, 8}, {8, 12}}));
            return path;
        case Glyph::circle:
            path.addEllipse(QRectF(3, 3, 10, 10));
            return path;
        case Glyph::square:
            path.addRect(QRectF(3.5, 3.5, 9, 9));
            return path;
        case Glyph::diamond:
            return polyline({{8, 2}, {14, 8}, {8, 14}, {2, 8}}, true);
        case Glyph::triangle:
            return polyline({{8, 2.5}, {14, 13}, {2, 13}}, true);
    }
    return path;
}

bool is_filled(Glyph glyph) {
    return glyph >= Glyph::circle;
}

/// Paints on demand at any size and pixel ratio.
class GlyphEngine : public QIconEngine {
  public:
    explicit GlyphEngine(Glyph glyph) : glyph_(glyph) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        painter->save();
        painter->setPen(QApplication::palette().color(group, QPalette::ButtonText));
        draw_glyph(*painter, glyph_, QRectF(rect));
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    [[nodiscard]] QIconEngine* clone() const override { return new GlyphEngine(*this); }

  private:
    Glyph glyph_;
};

}  // namespace

Glyph glyph_of(MemoryLevel level) {
    constexpr EnumArray<MarkerShape, Glyph> glyphs{Glyph::circle, Glyph::square, Glyph::diamond,
                                                   Glyph::triangle};
    return glyphs[memory_levels[level].marker];
}

QIcon glyph_icon(Glyph glyph) {
    return QIcon(new GlyphEngine(glyph));
}

void draw_glyph(QPainter& painter, Glyph glyph, const QRectF& area) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen = painter.pen();
    pen.setWidthF(1.3);
    pen.setJoinStyle(Qt::RoundJoin);
    pen.setCapStyle(Qt::RoundCap);
    painter.setPen(pen);
    painter.setBrush(is_filled(glyph) ? QBrush(pen.color()) : QBrush(Qt::NoBrush));
    const double side = std::min(area.width(), area.height());
    painter.translate(area.center() - QPointF(side, side) / 2);
    painter.scale(side / grid, side / grid);
    painter.drawPath(shape_of(glyph));
    painter.restore();
}

}  // namespace roofwalk
