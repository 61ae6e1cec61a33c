// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/rail_painter.h"

#include <QPainter>

#include "ui/chart/chart_theme.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

void paint_rails(QPainter& painter, const Scene& scene, const Layout& layout) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(to_qt(palette_of(scene.options.theme).axis), 1, Qt::DotLine));
    for (const LaidRail& rail : layout.rails)
        painter.drawLine(to_qt(rail.from), to_qt(rail.to));
    painter.restore();
}

void paint_rail_labels(QPainter& painter, const Scene& scene, const Layout& layout) {
    const Palette& palette = palette_of(scene.options.theme);
    for (const LaidRail& rail : layout.rails)
        paint_text(painter, rail.label, to_qt(palette.faint_text), to_qt(palette.plot, 200));
}

}  // namespace roofwalk
