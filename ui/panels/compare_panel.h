// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QTableView;

namespace roofwalk {

class CompareModel;
class Document;
class ElidedLabel;
class TextLabel;

/// What became of the kernels since older reports: a sentence and a table. A row and the kernel selected in
/// the document follow each other.
class ComparePanel : public QWidget {
    Q_OBJECT

  public:
    explicit ComparePanel(Document& document, QWidget* parent = nullptr);

    /// Shows commands of the window in the head of the panel.
    void add_buttons(const QList<QAction*>& actions);
    [[nodiscard]] QSize sizeHint() const override;

  private:
    [[nodiscard]] QTableView* make_table();
    void show_comparison();
    void fit_columns();
    void follow_selection();
    void select_row(int row);

    Document& document_;
    CompareModel* model_;
    QHBoxLayout* head_;
    ElidedLabel* reports_;
    TextLabel* sentence_;
    QTableView* table_;
};

}  // namespace roofwalk
