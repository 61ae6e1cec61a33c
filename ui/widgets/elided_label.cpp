// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <algorithm>

namespace roofwalk {

namespace {
constexpr int least_width = 32;
constexpr int air = 2;  // a width in whole pixels may be a part of one short [px]
}  // namespace

QString elided_at_word(const QString& text, const QFontMetrics& metrics, int width) {
    const QString cut = metrics.elidedText(text, Qt::ElideRight, width);
    if (cut == text) return text;
    qsizetype end = cut.lastIndexOf(u' ');
    if (end < cut.size() / 2) return metrics.elidedText(text, Qt::ElideMiddle, width);
    while (end > 0 && QStringLiteral(" ,;:.").contains(cut[end - 1]))
        --end;
    return cut.left(end) + QStringLiteral(" …");
}

ElidedLabel::ElidedLabel(const QString& text, Qt::TextElideMode mode, QWidget* parent)
    : PlainLabel(parent), mode_(mode) {
    set_full_text(text);
}

void ElidedLabel::set_full_text(const QString& text) {
    full_text_ = text;
    setAccessibleName(text);
    updateGeometry();
    fit();
}

void ElidedLabel::set_note(const QString& note) {
    note_ = note;
    fit();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {std::min(least_width, sizeHint().width()), sizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
    const QMargins margins = contentsMargins();
    return {fontMetrics().horizontalAdvance(full_text_) + margins.left() + margins.right() + air,
            fontMetrics().height() + margins.top() + margins.bottom()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
    PlainLabel::resizeEvent(event);
    fit();
}

void ElidedLabel::fit() {
    const int room = contentsRect().width() - air;
    const QString shown = width() >= sizeHint().width() ? full_text_
                          : mode_ == Qt::ElideRight     ? elided_at_word(full_text_, fontMetrics(), room)
                                                        : fontMetrics().elidedText(full_text_, mode_, room);
    setText(shown);
    const QString tip = !note_.isEmpty() ? note_ : shown != full_text_ ? full_text_ : QString();
    set_tooltip(*this, tip);
}

}  // namespace roofwalk
