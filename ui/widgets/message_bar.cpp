// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/enum_array.h"
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

constexpr EnumArray<NoticeAction, const char*, 6> offers{
    nullptr,
    QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Join them"),
    QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Choose the GPU"),
    QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Back to mine"),
    QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Recover"),
    QT_TRANSLATE_NOOP("roofwalk::MessageRow", "Open it"),
};

constexpr int most_least_height = 140;  // that a long message may claim for itself [px]
constexpr int together_ms = 100;        // messages within it belong together
constexpr int least_height = 72;        // of a message with a line each for what, where and hint [px]

}  // namespace

MessageRow::MessageRow(const Notice& notice, int times, bool discards, QWidget* parent)
    : QFrame(parent), severity_(notice.severity) {
    const QString kind = tr(looks[severity_].name);
    const QString offer = tr(offers[notice.action]);
    QString what = to_qt(notice.text);
    if (times > 1) what = tr("%1 (said %2 times)").arg(what).arg(times);
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
    const auto add_button = [&](const char* name, const QString& text, void (MessageRow::*wanted)()) {
        auto* button = new QPushButton(text, this);
        name_control(*button, name, tr("%1: %2").arg(text, what));
        connect(button, &QPushButton::clicked, this, wanted);
        row->addWidget(button, 0, Qt::AlignTop);
    };
    if (!offer.isEmpty()) add_button("message_offer", offer, &MessageRow::accepted);
    if (discards) add_button("message_discard", tr("Discard…"), &MessageRow::discard_wanted);
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

MessageBar::MessageBar(QWidget* parent) : QScrollArea(parent) {
    setAccessibleName(tr("Messages"));
    setFocusPolicy(Qt::NoFocus);  // the buttons of a message bring it into view
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget;
    rows_ = new QVBoxLayout(content);
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(0);

    more_ = new QWidget(this);
    more_text_ = new PlainLabel(more_);
    auto* all = new QPushButton(tr("Dismiss all"), more_);
    all->setAccessibleName(tr("Dismiss all messages"));
    connect(all, &QPushButton::clicked, this, &MessageBar::dismiss_all);
    auto* more_layout = new QHBoxLayout(more_);
    more_layout->setContentsMargins(44, 4, 8, 4);
    more_layout->addWidget(more_text_, 1);
    more_layout->addWidget(all);
    setWidget(content);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &MessageBar::keep_rows_whole);
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, &MessageBar::show_arrived);
    arrival_.setSingleShot(true);
    arrival_.setInterval(together_ms);
    connect(&arrival_, &QTimer::timeout, this, [this] {
        show_arrived();
        arrived_.reset();
    });
    if (parent != nullptr) parent->installEventFilter(this);
    rebuild();
}

QSize MessageBar::sizeHint() const {
    return {widget()->minimumSizeHint().width(), wanted_};
}

QSize MessageBar::minimumSizeHint() const {
    const int one_whole = std::min(viewportMargins().top() + step_, most_least_height);
    return {widget()->minimumSizeHint().width(), std::min(wanted_, std::max(least_height, one_whole))};
}

QList<QWidget*> MessageBar::rows() const {
    QList<QWidget*> rows;
    for (int i = 0; i < rows_->count(); ++i)
        rows.append(rows_->itemAt(i)->widget());
    return rows;
}

int MessageBar::most_height() const {
    const QWidget* page = parentWidget();
    if (page == nullptr) return QWIDGETSIZE_MAX;
    const QLayout* layout = page->layout();
    int others = layout != nullptr ? std::max(layout->spacing(), 0) * (layout->count() - 1) : 0;
    for (int i = 0; layout != nullptr && i < layout->count(); ++i)
        if (layout->itemAt(i)->widget() != this) others += layout->itemAt(i)->minimumSize().height();
    return std::min(page->height() / 2, page->height() - others);
}

void MessageBar::fit_rows() {
    // Before it is laid out its own width says nothing.
    const int whole = isVisible() || parentWidget() == nullptr ? width() : parentWidget()->width();
    const int head = messages_.size() > most_shown ? more_->sizeHint().height() : 0;
    const auto height_of = [](QWidget* row, int width) {
        return std::max(row->layout()->totalHeightForWidth(width),
                        row->layout()->totalMinimumSize().height());
    };
    int all = head;
    for (QWidget* row : rows())
        all += height_of(row, whole);
    const int most = most_height();
    step_ = 0;
    if (all > most && rows().size() > 1) {
        const int narrow = whole - verticalScrollBar()->sizeHint().width();
        for (QWidget* row : rows())
            step_ = std::max(step_, height_of(row, narrow));
        const int count = std::clamp((most - head) / std::max(step_, 1), 1, static_cast<int>(rows().size()));
        all = head + count * step_;
        verticalScrollBar()->setSingleStep(step_);
    }
    for (QWidget* row : rows())
        row->setMinimumHeight(step_);
    setViewportMargins(0, head, 0, 0);
    more_->setGeometry(0, 0, step_ > 0 ? viewport()->width() : whole, head);
    if (all != std::exchange(wanted_, all)) updateGeometry();
}

void MessageBar::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fit_rows();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    const bool done = QScrollArea::eventFilter(watched, event);
    if ((watched == widget() && event->type() == QEvent::LayoutRequest) ||
        (watched == parentWidget() && event->type() == QEvent::Resize))
        fit_rows();
    return done;
}

bool MessageBar::event(QEvent* event) {
    if (event->type() == QEvent::ParentChange && parentWidget() != nullptr)
        parentWidget()->installEventFilter(this);
    return QScrollArea::event(event);
}

/// Of several that came together the oldest: those after it follow below.
void MessageBar::show_arrived() {
    const std::size_t first = messages_.size() - std::min(messages_.size(), most_shown);
    if (!arrived_) return;
    const std::size_t shown = std::max(*arrived_, first);
    verticalScrollBar()->setValue(static_cast<int>(shown - first) * step_);
}

void MessageBar::keep_rows_whole(int value) {
    if (step_ == 0 || viewport()->height() < step_) return;
    const int over = value % step_;
    const bool up = verticalScrollBar()->isSliderDown() ? 2 * over >= step_ : value > before_;
    before_ = value - over + (up && over > 0 ? step_ : 0);
    if (before_ != value) verticalScrollBar()->setValue(before_);
}

void MessageBar::show_notice(const Notice& notice) {
    offer(notice, {});
}

void MessageBar::show_error(const Error& error) {
    show_notice(notice_of(error));
}

void MessageBar::show_warning(const Error& warning) {
    show_notice(notice_of(warning, Severity::warning));
}

void MessageBar::offer(const Notice& notice, std::function<bool()> act, std::function<bool()> discard) {
    const auto same = std::ranges::find(messages_, notice, &Message::notice);
    const auto index = static_cast<std::size_t>(same - messages_.begin());
    if (same != messages_.end())
        ++same->times;
    else
        messages_.push_back({notice, std::move(act), std::move(discard)});
    arrival_.start();
    arrived_ = std::min(arrived_.value_or(index), index);
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

void MessageBar::withdraw(const std::function<bool(const Notice&)>& is_gone) {
    if (std::erase_if(messages_, [&](const Message& message) { return is_gone(message.notice); }) > 0)
        rebuild();
}

void MessageBar::accept(const Notice& notice, std::function<bool()> Message::*done) {
    const auto find = [&] { return std::ranges::find(messages_, notice, &Message::notice); };
    const auto accepted = find();
    if (accepted == messages_.end()) return;
    const std::function<bool()> act = *accepted.*done;
    if (!act()) return;
    if (const auto shown = find(); shown != messages_.end())
        dismiss(static_cast<std::size_t>(shown - messages_.begin()));
}

QWidget* MessageBar::make_row(std::size_t index) {
    const Message& message = messages_[index];
    auto* row = new MessageRow(message.notice, message.times, message.discard != nullptr, widget());
    connect(row, &MessageRow::dismissed, this, [this, index] { dismiss(index); });
    // Not from within its button: while a person is asked, other messages come and the rows are made anew.
    for (const auto& [wanted, done] : {std::pair(&MessageRow::accepted, &Message::act),
                                       std::pair(&MessageRow::discard_wanted, &Message::discard)})
        connect(
            row, wanted, this, [this, notice = message.notice, done = done] { accept(notice, done); },
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
    for (std::size_t i = messages_.size() - shown; i < messages_.size(); ++i)
        rows_->addWidget(make_row(i));
    const std::size_t waiting = messages_.size() - shown;
    more_text_->setText(tr("Older messages: %1").arg(waiting));
    more_->setVisible(waiting > 0);
    fit_rows();
    setVisible(!messages_.empty());
}

}  // namespace roofwalk
