// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_tooltip.h"

#include <QRegularExpression>
#include <QWidget>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

void show_tooltip(QWidget& widget, QPointF place, const std::string& words) {
    const QPointF beside(14, 14);
    // A number and its unit stay on one line.
    static const QRegularExpression before_unit(QStringLiteral("(?<=\\d) (?=[A-Za-zµ%/])"));
    const QString text = to_qt(words).replace(before_unit, QString(QChar::Nbsp));
    show_tooltip_at(widget.mapToGlobal(place + beside).toPoint(), text, widget);
}

}  // namespace roofwalk
