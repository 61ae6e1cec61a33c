// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/text_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "core/chart/layout/label_box.h"
#include "ui/chart/chart_theme.h"

namespace roofwalk {

namespace {
constexpr double plate_text_size = 11;
constexpr int leader_alpha = 180;  // fainter than any arrow, with a contrast of 3

void paint_line(QPainter& painter, const PlacedText& text, const QColor& colour, const QColor& halo,
                QFont::Weight weight) {
    QFont font = chart_font(text.size);
    font.setWeight(weight);
    const QFontMetricsF metrics(font);
    const QString words = to_qt(text.text);
    const double width = metrics.horizontalAdvance(words);
    double left = 0;
    if (text.anchor == TextAnchor::middle) left = -width / 2;
    if (text.anchor == TextAnchor::end) left = -width;

    painter.save();
    painter.translate(to_qt(text.at));
    painter.rotate(-text.angle);
    painter.setFont(font);
    QColor ground = halo;
    if (halo.alpha() < 255)
        ground.setAlpha(halo.alpha() * 2 / 3);  // the line of a roof breaks under its name
    if (text.covers)
        painter.fillRect(QRectF(left - 2, -text_ascent * text.size - 1, width + 4, text.size + 2), ground);
    painter.setPen(halo);
    if (halo.alpha() > 0)
        for (const QPointF offset : {QPointF(-1, -1), QPointF(1, -1), QPointF(-1, 1), QPointF(1, 1)})
            painter.drawText(QPointF(left, 0) + offset, words);
    painter.setPen(colour);
    painter.drawText(QPointF(left, 0), words);
    painter.restore();
}

}  // namespace

void paint_text(QPainter& painter, const PlacedText& text, const QColor& colour, const QColor& halo,
                QFont::Weight weight) {
    if (text.text.empty()) return;
    if (text.leader) {
        QColor faint = colour;
        faint.setAlpha(leader_alpha);
        painter.setPen(QPen(faint, 0.8));
        painter.drawLine(to_qt(LabelBox(text).leader_start(text.leader_to)), to_qt(text.leader_to));
    }
    for (const PlacedText& line : lines_of(text))
        paint_line(painter, line, colour, halo, weight);
}

QSizeF plate_size(const QString& text) {
    return QFontMetricsF(chart_font(plate_text_size)).size(0, text) + QSizeF(10, 4);
}

void paint_plate(QPainter& painter, const QString& text, QPointF at, const QRectF& area,
                 const Palette& palette) {
    const QSizeF size = plate_size(text);
    const double x = std::clamp(at.x() - size.width() / 2, area.left(),
                                std::max(area.left(), area.right() - size.width()));
    const double y = std::clamp(at.y() - size.height() / 2, area.top(),
                                std::max(area.top(), area.bottom() - size.height()));
    const QRectF place(QPointF(x, y), size);
    painter.save();
    painter.setPen(QPen(to_qt(palette.axis), 1));
    painter.setBrush(to_qt(palette.background));
    painter.drawRoundedRect(place, 3, 3);
    painter.setFont(chart_font(plate_text_size));
    painter.setPen(to_qt(palette.text));
    const Qt::Alignment alignment = text.contains('\n') ? Qt::AlignVCenter | Qt::AlignLeft : Qt::AlignCenter;
    painter.drawText(place.adjusted(5, 0, -5, 0), static_cast<int>(alignment.toInt()), text);
    painter.restore();
}

}  // namespace roofwalk
