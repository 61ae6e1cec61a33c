// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHelpEvent>
#include <QTest>
#include <QTextDocument>
#include <QToolTip>
#include <QWidget>

namespace roofwalk::test {

/// What a tooltip shows, read as Qt reads it.
[[nodiscard]] inline QString tip_words(const QString& tip) {
    if (!Qt::mightBeRichText(tip)) return QString(tip).replace(QChar(QChar::Nbsp), u' ');
    QTextDocument shown;
    shown.setHtml(tip);
    return shown.toPlainText().remove(QChar(0x200b));  // where long words break
}

/// What the tooltip says that is on screen while the pointer rests on a place of a widget; empty without one.
[[nodiscard]] inline QString shown_tip(QWidget& widget, QPoint place) {
    QToolTip::hideText();
    QHelpEvent event(QEvent::ToolTip, place, widget.mapToGlobal(place));
    QCoreApplication::sendEvent(&widget, &event);
    const auto visible = [] { return QToolTip::isVisible() && !QToolTip::text().isEmpty(); };
    return QTest::qWaitFor(visible, 2000) ? tip_words(QToolTip::text()) : QString();
}

}  // namespace roofwalk::test
