// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

class QWidget;

namespace roofwalk {

struct FactCell {
    QString text;
    QString tooltip = {};
};

struct FactRow {
    QList<FactCell> cells;
    bool strong = false;  ///< the row that decides
};

/// A small table of a panel as values: words in the first column, numbers in the others.
struct FactTable {
    QStringList headers = {};  ///< may be empty
    QList<FactRow> rows = {};
    int wide_column = 0;  ///< takes the room that is left, and gives way first; words too
};

/// The table as labels that a person can select and a screen reader can read.
[[nodiscard]] QWidget* make_fact_grid(const FactTable& table, QWidget* parent);

}  // namespace roofwalk
