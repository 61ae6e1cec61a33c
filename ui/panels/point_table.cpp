// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/point_table.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <algorithm>
#include <optional>

#include "ui/widgets/table_model.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr int widest_point_column = 260;  // [px]; a person may draw them wider
constexpr int rows_looked_at = 200;
constexpr int air_between = 10;

}  // namespace

PointTable::PointTable(Document& document, TableModel& rows, QWidget* parent)
    : QTableView(parent), document_(document), rows_(rows) {
    setModel(&rows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    QHeaderView* header = horizontalHeader();
    header->setSectionsClickable(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    show_rows(*this, rows_looked_at);

    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!row.isValid()) return;
        if (const auto point = rows_.point_of(row.row())) document_.select(*point);
    });
    connect(&rows_, &QAbstractItemModel::modelReset, this, [this] {
        fit_columns();
        follow_selection();
        scrollToTop();  // what comes first is read first
    });
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        if (!fitting_ && column != rows_.columnCount() - 1) fit_last();
    });
    connect(&document_, &Document::selection_changed, this, &PointTable::follow_selection);
}

void PointTable::fit_columns() {
    const int last = rows_.columnCount() - 1;
    if (last < 0) return;
    {
        const QScopedValueRollback fitting(fitting_, true);
        resizeColumnsToContents();
        for (int column = 0; column < last; ++column)
            setColumnWidth(column, std::min(columnWidth(column) + air_between, widest_point_column));
    }
    fit_last();
}

void PointTable::fit_last() {
    const int last = rows_.columnCount() - 1;
    if (last < 0) return;
    const QHeaderView& header = *horizontalHeader();
    const int left = viewport()->width() - header.sectionPosition(last);
    setColumnWidth(last, std::max({left, sizeHintForColumn(last), header.sectionSizeHint(last)}));
}

void PointTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    fit_last();
}

void PointTable::follow_selection() {
    const std::optional<std::uint32_t> selected = document_.selection();
    const QModelIndex here = currentIndex();
    if (selected && here.isValid() && rows_.point_of(here.row()) == selected) return;
    const std::optional<int> row = selected ? rows_.row_of(*selected) : std::nullopt;
    const QSignalBlocker quiet(selectionModel());
    clearSelection();
    if (row)
        selectRow(*row);
    else
        setCurrentIndex({});
    viewport()->update();
}

}  // namespace roofwalk
