// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/rail_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

#include "ui/chart/chart_theme.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

namespace {

bool has(const Scene& scene, const DotField& field, Rail rail) {
    return std::ranges::any_of(field.rail_dots(),
                               [&](std::uint32_t dot) { return scene.dots[dot].rail == rail; });
}

PointF somewhere_on(Rail rail, const View& view) {
    Dot dot;
    dot.x = view.x.lo;
    dot.y = view.y.lo;
    dot.rail = rail;
    return dot_position(dot, view);
}

std::string caption(Rail rail, const Scene& scene) {
    if (rail == Rail::no_traffic)
        return QCoreApplication::translate("RooflineChart", "no traffic").toStdString();
    std::string unit = unit_of(scene.y_label);
    unit = unit.substr(0, unit.find('/'));
    return QCoreApplication::translate("RooflineChart", "no %1").arg(to_qt(unit)).toStdString();
}

}  // namespace

std::string unit_of(const std::string& title) {
    const auto open = title.rfind('[');
    const auto close = title.rfind(']');
    if (open == std::string::npos || close == std::string::npos || close < open) return {};
    return title.substr(open + 1, close - open - 1);
}

void paint_rails(QPainter& painter, const Scene& scene, const DotField& field, const View& view) {
    const Palette& palette = palette_of(scene.options.theme);
    const QColor text = to_qt(palette.faint_text);
    const QColor plate = to_qt(palette.plot, 220);
    painter.save();
    painter.setPen(QPen(to_qt(palette.axis), 1, Qt::DotLine));
    LaidText label;
    if (has(scene, field, Rail::no_work)) {
        const double y = somewhere_on(Rail::no_work, view).y;
        painter.drawLine(QPointF(view.plot.x, y), QPointF(view.plot.right(), y));
        label.at = {view.plot.x + 8, y + 4};
        label.text = caption(Rail::no_work, scene);
        paint_text(painter, label, text, plate);
    }
    if (has(scene, field, Rail::no_traffic)) {
        const double x = somewhere_on(Rail::no_traffic, view).x;
        painter.drawLine(QPointF(x, view.plot.y), QPointF(x, view.plot.bottom()));
        label.at = {x + 4, view.plot.y + 8};
        label.angle = 90;
        label.anchor = TextAnchor::end;
        label.text = caption(Rail::no_traffic, scene);
        paint_text(painter, label, text, plate);
    }
    painter.restore();
}

}  // namespace roofwalk
