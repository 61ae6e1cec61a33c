// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <cstddef>

namespace roofwalk {

class Document;
class TableModel;

/// Beyond it names in panels are shortened.
inline constexpr std::size_t shown_name_length = 48;

/// Shows rows that tell of kernel points of a document. A row and the kernel selected in the document follow
/// each other; the last column takes the room that is left, and more where its words need it.
class PointTable : public QTableView {
    Q_OBJECT

  public:
    PointTable(Document& document, TableModel& rows, QWidget* parent = nullptr);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fit_columns();
    void fit_last();
    void follow_selection();

    Document& document_;
    TableModel& rows_;
    bool fitting_ = false;
};

}  // namespace roofwalk
