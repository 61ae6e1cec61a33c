// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/selection_painter.h"

#include <QPainter>

#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_sprites.h"

namespace roofwalk {

void paint_rings(QPainter& painter, const Scene& scene, const View& view, std::span<const std::uint32_t> dots,
                 bool strong) {
    const Palette& palette = palette_of(scene.options.theme);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(to_qt(strong ? palette.highlight : palette.text), 1.5));
    for (const std::uint32_t index : dots) {
        const Dot& dot = scene.dots[index];
        const QPointF at = to_qt(dot_position(dot, view));
        painter.drawPath(dot_shape(dot.level, static_cast<double>(dot.radius) + 2.5).translated(at));
    }
    painter.restore();
}

}  // namespace roofwalk
