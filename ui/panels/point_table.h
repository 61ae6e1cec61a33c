// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>
#include <cstdint>
#include <optional>

namespace roofwalk {

class Document;

/// Rows that tell of kernel points of a document.
class PointTableModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Absent where a row tells of a kernel that is not open.
    [[nodiscard]] virtual std::optional<std::uint32_t> point_of_row(int row) const = 0;
    /// -1 without one.
    [[nodiscard]] virtual int row_of_point(std::uint32_t point) const = 0;
};

/// Shows such rows. A row and the kernel selected in the document follow each other; the last column takes
/// the room that is left.
class PointTable : public QTableView {
    Q_OBJECT

  public:
    PointTable(Document& document, PointTableModel& rows, QWidget* parent = nullptr);

  private:
    void fit_columns();
    void follow_selection();

    Document& document_;
    PointTableModel& rows_;
};

}  // namespace roofwalk
