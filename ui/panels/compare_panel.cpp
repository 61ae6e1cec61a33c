// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/compare_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/document.h"
#include "ui/elided_label.h"
#include "ui/panels/compare_model.h"
#include "ui/panels/text_label.h"
#include "ui/qt_text.h"

namespace roofwalk {

namespace {

constexpr QSize usual_size(1000, 210);
constexpr int widest_column = 260;  // [px]; a person may draw them wider
constexpr int rows_looked_at = 200;

/// "a.ncu-rep → b.ncu-rep → open: c.ncu-rep".
QString names_of(const Compared& compared, const std::vector<OpenFile>& open) {
    QStringList names;
    for (const OpenFile& file : compared.older)
        names.append(name_of(file));
    names.append(open.size() == 1 ? name_of(open.front())
                                  : ComparePanel::tr("%1 open files").arg(open.size()));
    return names.join(QStringLiteral(" → "));
}

}  // namespace

ComparePanel::ComparePanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new CompareModel(this)) {
    setAccessibleName(tr("Comparison"));
    reports_ = new ElidedLabel({}, Qt::ElideMiddle, this);
    reports_->setObjectName("compared_reports");
    head_ = new QHBoxLayout;
    head_->setContentsMargins(10, 6, 8, 0);
    head_->setSpacing(2);
    head_->addWidget(reports_, 1);
    sentence_ = new TextLabel({}, this);
    sentence_->setObjectName("comparison_sentence");
    auto* words = new QHBoxLayout;
    words->setContentsMargins(10, 2, 10, 4);
    words->addWidget(sentence_);
    table_ = make_table();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head_);
    column->addLayout(words);
    auto* lines = new QHBoxLayout;
    lines->setContentsMargins(7, 0, 7, 0);  // so that cells begin where the words above do
    lines->addWidget(table_);
    column->addLayout(lines, 1);

    connect(&document_, &Document::compared_changed, this, &ComparePanel::show_comparison);
    connect(&document_, &Document::selection_changed, this, &ComparePanel::follow_selection);
    show_comparison();
}

QSize ComparePanel::sizeHint() const {
    return usual_size;
}

QTableView* ComparePanel::make_table() {
    auto* table = new QTableView(this);
    table->setObjectName("comparison_lines");
    table->setAccessibleName(tr("Kernels of the comparison"));
    table->setModel(model_);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(table->fontMetrics().height() + 10);
    QHeaderView* header = table->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setResizeContentsPrecision(rows_looked_at);
    header->setSectionResizeMode(static_cast<int>(CompareColumn::notes), QHeaderView::Stretch);
    header->setAccessibleName(tr("Columns of the comparison"));
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (!row.isValid()) return;
                if (const auto point = model_->point_of_row(row.row())) document_.select(*point);
            });
    return table;
}

void ComparePanel::add_buttons(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAccessibleName(action->text());
        head_->addWidget(button);
    }
}

void ComparePanel::show_comparison() {
    const std::shared_ptr<const Compared>& compared = document_.compared();
    {
        const QSignalBlocker quiet(table_->selectionModel());
        model_->show(compared);
    }
    table_->setVisible(compared != nullptr);
    reports_->set_full_text(compared ? names_of(*compared, document_.files()) : QString());
    sentence_->set_text(compared ? to_qt(comparison_sentence(compared->comparison))
                                 : tr("Nothing is compared yet: choose File > Compare with… and an older "
                                      "report of the same program to see what became of its kernels."));
    if (compared) fit_columns();
    follow_selection();
}

void ComparePanel::fit_columns() {
    table_->resizeColumnsToContents();
    for (int column = 0; column < compare_column_count - 1; ++column)
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), widest_column));
}

void ComparePanel::follow_selection() {
    const std::optional<std::uint32_t> selected = document_.selection();
    const QModelIndex here = table_->currentIndex();
    if (selected && here.isValid() && model_->point_of_row(here.row()) == selected) return;
    select_row(selected ? model_->row_of_point(*selected) : -1);
}

void ComparePanel::select_row(int row) {
    const QSignalBlocker quiet(table_->selectionModel());
    table_->clearSelection();
    if (row >= 0)
        table_->selectRow(row);
    else
        table_->setCurrentIndex({});
    table_->viewport()->update();
}

}  // namespace roofwalk
