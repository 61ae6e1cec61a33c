// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_page_view.h"

#include <QClipboard>
#include <QFrame>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr QSize page_usual_size(362, 500);  // holds the bounds table

bool is_heading(const TextBlock& block) {
    return block.kind == BlockKind::title || block.kind == BlockKind::section ||
           block.kind == BlockKind::heading || block.kind == BlockKind::fold ||
           block.kind == BlockKind::question || block.kind == BlockKind::action;
}

constexpr int short_word = 72;  // [px]: what is no wider is never elided

/// A click into it selects what is proposed, as the tabulator does, so that typing takes its place.
class ProposalEdit : public QLineEdit {
  public:
    using QLineEdit::QLineEdit;

  protected:
    void mousePressEvent(QMouseEvent* event) override {
        const bool begins = std::exchange(untouched_, false) && !isModified();
        QLineEdit::mousePressEvent(event);
        if (begins) selectAll();
    }

  private:
    bool untouched_ = true;
};

QLabel* make_cell(const FactCell& cell, QWidget* parent) {
    auto* label = new PlainLabel(to_qt(cell.text), parent);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    if (!cell.note.empty()) set_tooltip(*label, to_qt(cell.note));
    return label;
}

QLabel* make_word(const FactCell& cell, QWidget* parent) {
    if (cell.text.find('\n') != std::string::npos) {
        QLabel* lines = make_cell(cell, parent);
        lines->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        return lines;
    }
    auto* label = new ElidedLabel(to_qt(cell.text), Qt::ElideMiddle, parent);
    label->set_note(to_qt(cell.note));
    label->setMinimumWidth(std::min(label->sizeHint().width(), short_word));
    return label;
}

/// One line, "name, report: figure": the name gives way in its middle, then the report, the figure never.
class ElidedButton : public QPushButton {
  public:
    ElidedButton(const QString& text, QWidget* parent)
        : QPushButton(menu_text(text), parent), whole_(text), shown_(text) {}

    [[nodiscard]] QSize sizeHint() const override {
        return QPushButton::sizeHint() + QSize(wide(whole_) - wide(shown_), 0);
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QPushButton::resizeEvent(event);
        if (text() != menu_text(shown_)) return;  // it says something else for now
        const int room = wide(whole_) - std::max(sizeHint().width() - width(), 0);
        const qsizetype figure_at = whole_.lastIndexOf(QStringLiteral(": "));
        const QString figure = figure_at < 0 ? QString() : whole_.mid(figure_at);
        const QString before = whole_.left(figure_at);
        const qsizetype report_at = before.lastIndexOf(QStringLiteral(", "));
        const QString report = report_at < 0 ? QString() : before.mid(report_at);
        const QString name = fontMetrics().elidedText(before.left(report_at), Qt::ElideMiddle,
                                                      std::max(room - wide(report + figure), short_word));
        shown_ = room == wide(whole_)
                     ? whole_
                     : name + fontMetrics().elidedText(report, Qt::ElideMiddle, room - wide(name + figure)) +
                           figure;
        setText(menu_text(shown_));
    }

  private:
    [[nodiscard]] int wide(const QString& text) const { return fontMetrics().horizontalAdvance(text); }

    QString whole_;
    QString shown_;
};

/// Its size is that of the view around it, to which its own wish, that lays out all texts, says nothing.
class PageContent : public QWidget {
  public:
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }
};

void make_strong(QLabel& label) {
    QFont font = label.font();
    font.setWeight(QFont::DemiBold);
    label.setFont(font);
}

}  // namespace

QWidget* make_fact_grid(const FactTable& table, QWidget* parent) {
    auto* widget = new QWidget(parent);
    auto* grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    const auto make = [&](const FactCell& cell, std::size_t column) {
        return column == 0 || column == table.wide_column ? make_word(cell, widget) : make_cell(cell, widget);
    };
    int row = 0;
    for (std::size_t column = 0; column < table.headers.size(); ++column) {
        QLabel* header = make({table.headers[column]}, column);
        header->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(header, row, static_cast<int>(column));
    }
    if (!table.headers.empty()) {
        auto* line = new QFrame(widget);
        line->setFrameShape(QFrame::HLine);
        line->setFrameShadow(QFrame::Plain);
        line->setForegroundRole(QPalette::Mid);
        grid->addWidget(line, ++row, 0, 1, -1);
        ++row;
    }
    for (const FactRow& fact : table.rows) {
        for (std::size_t column = 0; column < fact.cells.size(); ++column) {
            QLabel* label = make(fact.cells[column], column);
            if (column == 0 && table.wide_column > 0) label->setForegroundRole(QPalette::PlaceholderText);
            if (fact.strong) make_strong(*label);
            grid->addWidget(label, row, static_cast<int>(column));
        }
        ++row;
    }
    grid->setColumnStretch(static_cast<int>(table.wide_column), 1);
    return widget;
}

bool is_seen(const QWidget& panel) {
    const QWidget* window = panel.window();
    return panel.isVisible() && window->rect().intersects(QRect(panel.mapTo(window, QPoint()), panel.size()));
}

TextPageView::TextPageView(const QString& name, QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setAccessibleName(name);
}

QSize TextPageView::sizeHint() const {
    return page_usual_size;
}

void TextPageView::show_page(const TextPage& page, const QPixmap& sign) {
    const bool same = page.subject == subject_;
    const int place = same ? verticalScrollBar()->value() : 0;
    const QString typed = same && input_ && input_->isModified() ? input_->text() : QString();
    const bool typing = same && input_ && input_->hasFocus();
    subject_ = page.subject;
    content_ = new PageContent;
    column_ = new QVBoxLayout(content_);
    // Dense: on the screen of a laptop the worth of the first step is to be in sight.
    column_->setContentsMargins(12, 7, 12, 16);
    column_->setSpacing(4);
    for (auto block = page.blocks.begin(); block != page.blocks.end();) {
        auto next = block + 1;
        if (block->kind == BlockKind::fold) {
            next = std::find_if(next, page.blocks.end(), is_heading);
            add_fold(std::vector<TextBlock>(block, next));
        } else {
            add(*block, sign);
        }
        block = next;
    }
    column_->addStretch(1);
    setWidget(content_);
    verticalScrollBar()->setValue(place);
    if (input_ && !typed.isEmpty()) {
        input_->setText(typed);
        input_->setModified(true);
    }
    if (typing && !focus_input()) setFocus();
}

bool TextPageView::focus_input() {
    if (!input_) return false;
    input_->setFocus(Qt::ShortcutFocusReason);
    const auto first_open = input_->text().indexOf(QStringLiteral("= "));
    input_->setCursorPosition(static_cast<int>(first_open < 0 ? input_->text().size() : first_open + 1));
    ensureWidgetVisible(input_);
    return true;
}

void TextPageView::show_input_fault(const QString& fault) {
    if (!input_) return;
    auto* words = input_->parentWidget()->findChild<TextLabel*>("input_fault");
    words->show_text(fault);
    // Once the page has grown by it.
    if (!fault.isEmpty()) QTimer::singleShot(0, words, [this, words] { ensureWidgetVisible(words); });
    input_->setAccessibleDescription(fault);
    mark_invalid(*input_, !fault.isEmpty());
}

void TextPageView::add(const TextBlock& block, const QPixmap& sign) {
    const QString text = to_qt(block.text);
    const QString label = to_qt(block.label);
    switch (block.kind) {
        case BlockKind::title:
            return add_title(text, sign);
        case BlockKind::section: {
            column_->addSpacing(14);
            auto* line = new QFrame(content_);
            line->setFrameShape(QFrame::HLine);
            line->setFrameShadow(QFrame::Plain);
            line->setForegroundRole(QPalette::Mid);
            column_->addWidget(line);
            return make_heading(*add_label(text), 1.08);
        }
        case BlockKind::heading:
        case BlockKind::fold:
            return add_heading(text);
        case BlockKind::text:
        case BlockKind::figure: {
            QLabel* words = add_label(text);
            if (!block.detail.empty()) set_tooltip(*words, to_qt(block.detail));
            return;
        }
        case BlockKind::note:
            return add_faint(text);
        case BlockKind::question:
        case BlockKind::entry:
        case BlockKind::step:
            add_heading(label);
            add_label(text);
            return;
        case BlockKind::item:
            add_label(label.isEmpty() ? text : QStringLiteral("%1: %2").arg(label, text));
            return;
        case BlockKind::minor_item:
            return add_faint(QStringLiteral("%1: %2").arg(label, text));
        case BlockKind::finding:
            add_heading(label);
            if (!block.detail.empty()) add_faint(to_qt(block.detail));
            add_label(text);
            return;
        case BlockKind::source:
            return;  // stands in what is written, and in the help
        case BlockKind::facts:
            return column_->addWidget(make_fact_grid(block.facts, content_));
        case BlockKind::command:
            if (!label.isEmpty()) add_faint(label);
            return add_copy_button("copy_command", tr("Copy the command"), text);
        case BlockKind::input:
            return add_input(block);
        case BlockKind::action: {
            if (block.label == copy_detail_action)
                return add_copy_button("copy_command", text, to_qt(block.detail));
            QPushButton* button = add_button(label, text);
            if (!block.detail.empty()) set_tooltip(*button, to_qt(block.detail));
            // Later: it may bring another page, without this button.
            connect(
                button, &QPushButton::clicked, this, [this, label] { emit action_requested(label); },
                Qt::QueuedConnection);
        }
    }
}

QLabel* TextPageView::add_label(const QString& text) {
    auto* label = new TextLabel(text, content_);
    column_->addWidget(label);
    return label;
}

void TextPageView::add_title(const QString& text, const QPixmap& sign) {
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    if (!sign.isNull()) {
        auto* picture = new PlainLabel(content_);
        picture->setPixmap(sign);
        row->addWidget(picture, 0, Qt::AlignTop);
    }
    auto* label = new TextLabel(text, content_);
    make_heading(*label, 1.1);
    row->addWidget(label, 1);
    column_->addLayout(row);
}

void TextPageView::add_heading(const QString& text) {
    column_->addSpacing(8);
    make_heading(*add_label(text));
}

void TextPageView::add_faint(const QString& text) {
    add_label(text)->setForegroundRole(QPalette::PlaceholderText);
}

void TextPageView::add_input(const TextBlock& block) {
    input_ = new ProposalEdit(to_qt(block.text), content_);
    name_control(*input_, "page_input", to_qt(block.label));
    input_->setPlaceholderText(to_qt(block.detail));
    set_tooltip(*input_, tr("As in %1").arg(to_qt(block.detail)));
    column_->addWidget(input_);
    TextLabel* fault = empty_label("input_fault", content_);
    fault->hide();
    column_->addWidget(fault);
    // Later: it may bring another page, without this line.
    connect(
        input_, &QLineEdit::returnPressed, this,
        [this] {
            if (input_) emit text_entered(input_->text());
        },
        Qt::QueuedConnection);
    connect(input_, &QLineEdit::textEdited, this, [this] { show_input_fault({}); });
}

void TextPageView::add_copy_button(const QString& name, const QString& text, const QString& copied) {
    QPushButton* button = add_button(name, text);
    set_tooltip(*button, copied);
    connect(button, &QPushButton::clicked, button, [button, copied] {
        QGuiApplication::clipboard()->setText(copied);
        button->setText(tr("Copied"));
    });
}

void TextPageView::add_fold(std::vector<TextBlock> blocks) {
    column_->addSpacing(6);
    const QString heading = to_qt(blocks.front().text);
    const QString id = to_qt(blocks.front().label);
    blocks.erase(blocks.begin());
    auto* head = new QToolButton(content_);
    name_control(*head, "fold", heading);
    head->setText(menu_text(heading));
    head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    head->setCheckable(true);
    head->setMinimumWidth(short_word);
    column_->addWidget(head, 0, Qt::AlignLeft);
    auto* below = new QWidget(content_);
    auto* rows = new QVBoxLayout(below);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(column_->spacing());
    column_->addWidget(below);
    const auto show = [this, head, below, rows, id, blocks = std::move(blocks)](bool open) {
        if (open && rows->isEmpty()) {
            QVBoxLayout* column = std::exchange(column_, rows);
            for (const TextBlock& block : blocks)
                add(block, {});
            column_ = column;
        }
        head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        below->setVisible(open);
        if (open)
            unfolded_.insert(id);
        else
            unfolded_.remove(id);
    };
    connect(head, &QToolButton::toggled, this, show);
    const bool open = unfolded_.contains(id);
    head->setChecked(open);
    show(open);
}

QPushButton* TextPageView::add_button(const QString& name, const QString& text) {
    auto* button = new ElidedButton(text, content_);
    name_control(*button, name, text);
    button->setMinimumWidth(1);  // a long one must not widen the page, whose texts would be cut
    column_->addWidget(button, 0, Qt::AlignLeft);
    return button;
}

}  // namespace roofwalk
