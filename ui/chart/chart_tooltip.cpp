// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_tooltip.h"

#include <QToolTip>
#include <QWidget>

#include "ui/qt_text.h"

namespace roofwalk {

void show_tooltip(QWidget& widget, QPointF place, const std::string& words) {
    const QPointF beside(14, 14);
    QToolTip::showText(
        widget.mapToGlobal(place + beside).toPoint(),
        QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(to_qt(words).toHtmlEscaped()), &widget);
}

}  // namespace roofwalk
