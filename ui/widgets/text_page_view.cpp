// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_page_view.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QFrame>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr QSize page_usual_size(362, 500);  // holds the bounds table
constexpr int most_command_lines = 12;

/// As tall as the command is when wrapped at the width that it has; a longer one scrolls.
class CommandBox : public QPlainTextEdit {
  public:
    CommandBox(const QString& command, QWidget* parent) : QPlainTextEdit(command, parent) {
        setObjectName("ncu_command");
        setReadOnly(true);
        setTabChangesFocus(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        setAccessibleName(TextPageView::tr("Command"));
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QPlainTextEdit::resizeEvent(event);
        const int lines = std::min(document()->lineCount(), most_command_lines);
        // A margin around the text, and what the edit holds back below its last line.
        const double text = lines * fontMetrics().lineSpacing() + 3 * document()->documentMargin() + 1;
        setFixedHeight(static_cast<int>(std::ceil(text)) + height() - viewport()->height());
    }
};

constexpr int short_word = 72;  // [px]: what is no wider is never elided

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
    grid->setHorizontalSpacing(10);
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
    const int place = page.subject == subject_ ? verticalScrollBar()->value() : 0;
    subject_ = page.subject;
    content_ = new QWidget;
    column_ = new QVBoxLayout(content_);
    column_->setContentsMargins(14, 12, 14, 16);
    column_->setSpacing(6);
    for (const TextBlock& block : page.blocks)
        add(block, sign);
    column_->addStretch(1);
    setWidget(content_);
    verticalScrollBar()->setValue(place);
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
            return add_heading(text);
        case BlockKind::text:
            add_label(text);
            return;
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
        case BlockKind::figure:
            add_label(text);
            return add_faint(to_qt(block.detail));
        case BlockKind::source:
            return;  // stands in what is written, and in the help
        case BlockKind::facts:
            return column_->addWidget(make_fact_grid(block.facts, content_));
        case BlockKind::command:
            return add_command(text);
        case BlockKind::action: {
            QPushButton* button = add_button(label, text);
            if (!block.detail.empty()) set_tooltip(*button, to_qt(block.detail));
            if (block.label == copy_detail_action)
                return void(connect(button, &QPushButton::clicked, button, [detail = to_qt(block.detail)] {
                    QGuiApplication::clipboard()->setText(detail);
                }));
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
    make_heading(*label, 1.15);
    row->addWidget(label, 1);
    column_->addLayout(row);
}

void TextPageView::add_heading(const QString& text) {
    column_->addSpacing(12);
    make_heading(*add_label(text));
}

void TextPageView::add_faint(const QString& text) {
    add_label(text)->setForegroundRole(QPalette::PlaceholderText);
}

void TextPageView::add_command(const QString& command) {
    column_->addWidget(new CommandBox(command, content_));
    QPushButton* copy = add_button("copy_command", tr("Copy the command"));
    connect(copy, &QPushButton::clicked, copy, [command] { QGuiApplication::clipboard()->setText(command); });
}

QPushButton* TextPageView::add_button(const QString& name, const QString& text) {
    auto* button = new QPushButton(menu_text(text), content_);
    button->setObjectName(name);
    button->setAccessibleName(text);
    column_->addWidget(button, 0, Qt::AlignLeft);
    return button;
}

}  // namespace roofwalk
