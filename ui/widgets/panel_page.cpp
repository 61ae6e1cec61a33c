// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel_page.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "ui/widgets/heading.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr QSize panel_page_usual_size(362, 500);  // holds the bounds table
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
        setAccessibleName(PanelPage::tr("Command"));
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

}  // namespace

bool is_seen(const QWidget& panel) {
    const QWidget* window = panel.window();
    return panel.isVisible() && window->rect().intersects(QRect(panel.mapTo(window, QPoint()), panel.size()));
}

PanelPage::PanelPage(const QString& name, QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setAccessibleName(name);
}

QSize PanelPage::sizeHint() const {
    return panel_page_usual_size;
}

void PanelPage::clear() {
    content_ = new QWidget;
    column_ = new QVBoxLayout(content_);
    column_->setContentsMargins(14, 12, 14, 16);
    column_->setSpacing(6);
}

void PanelPage::finish() {
    column_->addStretch(1);
    setWidget(content_);
    verticalScrollBar()->setValue(0);
}

QLabel* PanelPage::add_label(const QString& text) {
    auto* label = new TextLabel(text, content_);
    column_->addWidget(label);
    return label;
}

void PanelPage::add_title(const QString& text, const QPixmap& sign) {
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

void PanelPage::add_section(const QString& text) {
    column_->addSpacing(14);
    auto* line = new QFrame(content_);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Mid);
    column_->addWidget(line);
    QLabel* label = add_label(text);
    make_heading(*label, 1.08);
}

void PanelPage::add_heading(const QString& text) {
    column_->addSpacing(12);
    QLabel* label = add_label(text);
    make_heading(*label);
}

void PanelPage::add_text(const QString& text) {
    add_label(text);
}

void PanelPage::add_faint_text(const QString& text) {
    add_label(text)->setForegroundRole(QPalette::PlaceholderText);
}

void PanelPage::add_table(const FactTable& table) {
    column_->addWidget(make_fact_grid(table, content_));
}

void PanelPage::add_command(const QString& command) {
    column_->addWidget(new CommandBox(command, content_));
    QPushButton* copy = add_button("copy_command", tr("Copy the command"));
    connect(copy, &QPushButton::clicked, copy, [command] { QGuiApplication::clipboard()->setText(command); });
}

QPushButton* PanelPage::add_button(const QString& name, const QString& text) {
    auto* button = new QPushButton(text, content_);
    button->setObjectName(name);
    button->setAccessibleName(text);
    column_->addWidget(button, 0, Qt::AlignLeft);
    return button;
}

}  // namespace roofwalk
