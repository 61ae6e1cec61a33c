// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDoubleSpinBox;
class QHBoxLayout;
class QSpinBox;

namespace roofwalk {

class Document;
class ElidedLabel;
class PointTable;
class TableModel;
class TextLabel;

/// What became of the kernels since older reports: a sentence and a table, and how they are compared. A row
/// and the kernel selected in the document follow each other.
class ComparePanel : public QWidget {
    Q_OBJECT

  public:
    explicit ComparePanel(Document& document, QWidget* parent = nullptr);

    /// Shows commands of the window in the head of the panel.
    void add_buttons(const QList<QAction*>& actions);
    [[nodiscard]] QSize sizeHint() const override;

  private:
    void make_fields();
    void show_comparison();
    void show_fields();

    Document& document_;
    TableModel* model_;
    QHBoxLayout* head_;
    QDoubleSpinBox* noise_;
    QSpinBox* arrows_;
    ElidedLabel* reports_;
    TextLabel* sentence_;
    PointTable* table_;
};

}  // namespace roofwalk
