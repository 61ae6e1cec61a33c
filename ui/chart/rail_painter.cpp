// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/rail_painter.h"

#include <QPainter>

#include "ui/chart/chart_theme.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

void paint_rails(QPainter& painter, const Scene& scene, const Layout& layout) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    const Palette& palette = palette_of(scene.options.theme);
    painter.setPen(QPen(to_qt(palette.grid), 1));
    painter.setBrush(to_qt(palette.background));
    for (const PlacedRail& rail : layout.rails)
        painter.drawRect(to_qt(rail.band));
    painter.setPen(QPen(to_qt(palette.axis), 1));
    for (const PlacedRail& rail : layout.rails)
        painter.drawLine(to_qt(rail.band).topLeft(), rail.rail == Rail::no_work
                                                         ? to_qt(rail.band).topRight()
                                                         : to_qt(rail.band).bottomLeft());
    painter.restore();
}

void paint_rail_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const PlacedRail& rail : layout.rails) {
        paint_text(painter, rail.label, to_qt(palette.text), Qt::transparent);
        paint_text(painter, rail.note, to_qt(palette.faint_text), Qt::transparent);
    }
}

}  // namespace roofwalk
