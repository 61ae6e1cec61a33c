// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/message_row.h"

namespace roofwalk {

namespace {
constexpr int least_height = 72;  // of a message with a line each for what, where and hint [px]
}

MessageBar::MessageBar(QWidget* parent) : QScrollArea(parent) {
    setAccessibleName(tr("Messages"));
    setFocusPolicy(Qt::NoFocus);  // the buttons of a message bring it into view
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    rows_ = new QVBoxLayout;
    rows_->setSpacing(0);
    layout->addLayout(rows_);

    more_ = new QWidget(content);
    more_text_ = new QLabel(more_);
    auto* all = new QPushButton(tr("Dismiss all"), more_);
    all->setAccessibleName(tr("Dismiss all messages"));
    connect(all, &QPushButton::clicked, this, &MessageBar::dismiss_all);
    auto* more_layout = new QHBoxLayout(more_);
    more_layout->setContentsMargins(44, 4, 8, 4);
    more_layout->addWidget(more_text_, 1);
    more_layout->addWidget(all);
    layout->addWidget(more_);
    setWidget(content);
    rebuild();
}

QSize MessageBar::sizeHint() const {
    const QLayout& rows = *widget()->layout();
    // Before it is laid out its own width says nothing.
    const QWidget* sized = isVisible() || parentWidget() == nullptr ? this : parentWidget();
    const int height =
        rows.hasHeightForWidth() ? rows.totalHeightForWidth(sized->width()) : widget()->sizeHint().height();
    return {widget()->minimumSizeHint().width(), height};
}

QSize MessageBar::minimumSizeHint() const {
    return {widget()->minimumSizeHint().width(), std::min(sizeHint().height(), least_height)};
}

void MessageBar::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) updateGeometry();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest) updateGeometry();
    return QScrollArea::eventFilter(watched, event);
}

void MessageBar::show_message(Severity severity, const Error& message, const Offer& offer) {
    const auto same = std::ranges::find_if(messages_, [&](const Message& shown) {
        return shown.severity == severity && shown.error == message;
    });
    if (same != messages_.end())
        ++same->times;
    else
        messages_.push_back({severity, message, offer});
    rebuild();
}

void MessageBar::dismiss_all() {
    messages_.clear();
    rebuild();
}

void MessageBar::dismiss(std::size_t index) {
    messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(index));
    rebuild();
}

void MessageBar::accept(const Error& error) {
    const auto find = [&] { return std::ranges::find(messages_, error, &Message::error); };
    const auto accepted = find();
    if (accepted == messages_.end()) return;
    const std::function<bool()> act = accepted->offer.act;
    if (!act()) return;
    if (const auto shown = find(); shown != messages_.end())
        dismiss(static_cast<std::size_t>(shown - messages_.begin()));
}

QWidget* MessageBar::make_row(std::size_t index) {
    const Message& message = messages_[index];
    auto* row = new MessageRow(message.severity, message.error, message.times, message.offer.text, widget());
    connect(row, &MessageRow::dismissed, this, [this, index] { dismiss(index); });
    // Not from within its button: while a person is asked, other messages come and the rows are made anew.
    connect(
        row, &MessageRow::accepted, this, [this, error = message.error] { accept(error); },
        Qt::QueuedConnection);
    return row;
}

void MessageBar::rebuild() {
    while (QLayoutItem* item = rows_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();  // the row may be the sender of the signal that led here
        delete item;
    }
    const std::size_t shown = std::min(messages_.size(), most_shown);
    for (std::size_t i = 0; i < shown; ++i)
        rows_->addWidget(make_row(messages_.size() - 1 - i));
    const std::size_t waiting = messages_.size() - shown;
    more_text_->setText(tr("Older messages: %1").arg(waiting));
    more_->setVisible(waiting > 0);
    setVisible(!messages_.empty());
}

}  // namespace roofwalk
