// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>

#include "core/chart/layout/layout.h"

class QPainter;

namespace roofwalk {

/// A label where the layout put it, turned with its line, with a rim of `halo` that parts it from what is
/// below.
void paint_text(QPainter& painter, const PlacedText& text, const QColor& colour, const QColor& halo,
                QFont::Weight weight = QFont::Normal);

/// How large paint_plate() makes a plate.
[[nodiscard]] QSizeF plate_size(const QString& text);

/// A read-out: one line or several on a framed plate whose middle is near `at`, kept inside `area`.
void paint_plate(QPainter& painter, const QString& text, QPointF at, const QRectF& area,
                 const Palette& palette);

}  // namespace roofwalk
