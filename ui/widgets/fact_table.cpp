// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fact_table.h"

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <algorithm>

#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

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

}  // namespace roofwalk
