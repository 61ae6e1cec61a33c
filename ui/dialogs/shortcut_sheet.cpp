// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/shortcut_sheet.h"

#include <QGridLayout>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/dialogs/ask_about.h"
#include "ui/shell/actions.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

struct Row {
    QString keys;
    QString meaning;
};

QList<Row> rows_of(const ActionSection& section) {
    QList<Row> rows;
    for (const QAction* action : section.actions) {
        if (action->shortcuts().isEmpty()) continue;
        rows.append(
            {QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText).replace("; ", "   "),
             words_of_menu(action->text()).remove(QChar(0x2026))});
    }
    return rows;
}

QList<Row> gestures() {
    return {
        {ShortcutSheet::tr("Wheel"), ShortcutSheet::tr("Zoom at the pointer")},
        {ShortcutSheet::tr("Drag"), ShortcutSheet::tr("Move the view; on a dot, the kernel: what if?")},
        {ShortcutSheet::tr("Drag, then Shift"), ShortcutSheet::tr("Move a kernel right or up only")},
        {ShortcutSheet::tr("Drag, then Ctrl"),
         ShortcutSheet::tr("Move a kernel past its roof or its algorithm")},
        {ShortcutSheet::tr("Click"), ShortcutSheet::tr("Select a kernel; on empty ground, none")},
        {ShortcutSheet::tr("Double click"), ShortcutSheet::tr("Fit everything")},
        {ShortcutSheet::tr("Shift + drag"), ShortcutSheet::tr("Select the kernels in a rectangle")},
        {ShortcutSheet::tr("Ctrl + drag"), ShortcutSheet::tr("Zoom into a rectangle")},
        {ShortcutSheet::tr("Ctrl or Shift + click"),
         ShortcutSheet::tr("Add a kernel to the selection, or take it out")},
        {ShortcutSheet::tr("Arrows"), ShortcutSheet::tr("Move the view while the chart has the focus")},
        {ShortcutSheet::tr("Shift + arrows"),
         ShortcutSheet::tr(
             "Move the selected kernel by 1 %, in the table left and right; with Ctrl past its roof")},
        {QStringLiteral("+   -"), ShortcutSheet::tr("Zoom while the chart has the focus")},
        {QStringLiteral("L"), ShortcutSheet::tr("Fold the legend while the chart has the focus")},
    };
}

QWidget* make_section(const QString& title, const QList<Row>& rows, QWidget* parent) {
    auto* section = new QWidget(parent);
    auto* grid = new QGridLayout(section);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(18);
    grid->setColumnMinimumWidth(0, 130);
    grid->setColumnStretch(1, 1);
    grid->addWidget(heading_label(title, section), 0, 0, 1, 2);
    int at = 1;
    for (const Row& row : rows) {
        auto* keys = new PlainLabel(row.keys, section);
        keys->setForegroundRole(QPalette::Link);
        grid->addWidget(keys, at, 0);
        grid->addWidget(new PlainLabel(row.meaning, section), at, 1);
        ++at;
    }
    return section;
}

}  // namespace

ShortcutSheet::ShortcutSheet(const QList<ActionSection>& sections, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keyboard shortcuts"));
    setAccessibleName(windowTitle());
    auto* content = new QWidget(this);
    auto* columns = new QGridLayout(content);
    columns->setContentsMargins(20, 16, 20, 8);
    columns->setHorizontalSpacing(40);
    columns->setVerticalSpacing(18);
    int at = 0;
    const auto add = [&](const QString& title, const QList<Row>& rows) {
        columns->addWidget(make_section(title, rows, content), at / 2, at % 2, Qt::AlignTop);
        ++at;
    };
    for (const ActionSection& section : sections) {
        const QList<Row> rows = rows_of(section);
        if (!rows.isEmpty()) add(section.title, rows);
    }
    add(tr("On the chart"), gestures());

    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    scroll->setAccessibleName(windowTitle());
    auto* buttons = make_buttons(*this, QDialogButtonBox::Close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 12);
    layout->addWidget(scroll, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(20, 0, 20, 0);
    foot->addWidget(buttons);
    layout->addLayout(foot);
    constexpr QSize frame(60, 80);  // of the window that the desktop draws
    resize((content->sizeHint() + QSize(24, 70)).boundedTo(screen()->availableSize() - frame));
}

}  // namespace roofwalk
