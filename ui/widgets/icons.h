// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

#include "core/model/memory_level.h"

class QPainter;
class QRectF;

namespace roofwalk {

/// Pictures on buttons, drawn in the text colour of the moment so that they follow the theme.
enum class Glyph : std::uint8_t {
    open,
    save,
    fit,
    reload,
    copy,
    close,
    information,
    warning,
    error,
    previous,
    next,
    more,  ///< of a toolbar than there is room for
    circle,
    square,
    diamond,
    triangle,  ///< filled: the shapes of the memory levels on the chart
};

/// The shape that stands for a memory level on the chart.
[[nodiscard]] Glyph glyph_of(MemoryLevel level);
[[nodiscard]] QIcon glyph_icon(Glyph glyph);
/// Draws in the painter's pen colour.
void draw_glyph(QPainter& painter, Glyph glyph, const QRectF& area);

}  // namespace roofwalk
