// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_row.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "core/base/enum_array.h"
#include "ui/widgets/heading.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr int edge_width = 4;
constexpr int icon_size = 18;

QToolButton* make_button(Glyph glyph, const QString& name, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(glyph_icon(glyph));
    set_tooltip(*button, name);
    button->setAccessibleName(name);
    return button;
}

struct Look {
    const char* name;
    QColor WindowColours::*colour;
    Glyph glyph;
};

constexpr EnumArray<Severity, Look, 3> looks{{
    {QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Note"), &WindowColours::accent, Glyph::information},
    {QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Warning"), &WindowColours::warning, Glyph::warning},
    {QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Error"), &WindowColours::error, Glyph::error},
}};

}  // namespace

MessageRow::MessageRow(const Notice& notice, int times, QWidget* parent)
    : QFrame(parent), severity_(notice.severity) {
    const QString kind = tr(looks[severity_].name);
    const QString offer = to_qt(notice.action);
    QString what = to_qt(notice.text);
    if (times > 1) what = tr("%1 (%2 times)").arg(what).arg(times);
    setAccessibleName(tr("%1: %2").arg(kind, what));

    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* headline = new TextLabel(what, this);
    make_heading(*headline);
    headline->setObjectName("message_what");
    words->addWidget(headline);
    for (const std::string& line : {notice.where, notice.hint})
        if (!line.empty()) words->addWidget(new TextLabel(to_qt(line), this));

    QToolButton* copy = make_button(Glyph::copy, tr("Copy this message"), this);
    connect(copy, &QToolButton::clicked, this,
            [line = to_qt(to_line(notice))] { QGuiApplication::clipboard()->setText(line); });
    QToolButton* dismiss = make_button(Glyph::close, tr("Dismiss this message"), this);
    dismiss->setObjectName("dismiss_message");
    connect(dismiss, &QToolButton::clicked, this, &MessageRow::dismissed);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(edge_width + icon_size + 22, 8, 8, 8);
    row->addLayout(words, 1);
    if (!offer.isEmpty()) {
        auto* accept = new QPushButton(offer, this);
        accept->setObjectName("message_offer");
        accept->setAccessibleName(tr("%1: %2").arg(offer, what));
        connect(accept, &QPushButton::clicked, this, &MessageRow::accepted);
        row->addWidget(accept, 0, Qt::AlignTop);
    }
    row->addWidget(copy, 0, Qt::AlignTop);
    row->addWidget(dismiss, 0, Qt::AlignTop);
}

void MessageRow::paintEvent(QPaintEvent*) {
    const WindowColours& colours = window_colours(current_theme());
    const QColor& colour = colours.*looks[severity_].colour;
    QPainter painter(this);
    painter.fillRect(rect(), colours.raised);
    QColor tint = colour;
    tint.setAlphaF(0.10F);
    painter.fillRect(rect(), tint);
    painter.fillRect(0, 0, edge_width, height(), colour);
    painter.fillRect(0, height() - 1, width(), 1, colours.border);
    painter.setPen(colour);
    draw_glyph(painter, looks[severity_].glyph, QRectF(edge_width + 11, 10, icon_size, icon_size));
}

}  // namespace roofwalk
