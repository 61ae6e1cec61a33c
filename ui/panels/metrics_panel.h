// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/import/stored_metrics.h"
#include "ui/workspace/job.h"

class QLineEdit;
class QTableView;

namespace roofwalk {

class Document;
class TableModel;
class TextLabel;

/// Every metric that the files hold of the selected launches, under its own name: a field to search in them,
/// and a table with a column for each launch. The files are read when the panel is looked at.
class MetricsPanel : public QWidget {
    Q_OBJECT

  public:
    explicit MetricsPanel(Document& document, QWidget* parent = nullptr);

    /// Reads what is not shown yet, unless nobody sees the panel.
    void show_document();

  protected:
    /// Copies the selected rows.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void read(std::vector<LaunchIndex> launches);
    void show_metrics();
    void fit_columns();
    void fit_names();
    void copy_rows() const;

    Document& document_;
    Job job_;
    TableModel* model_;
    QLineEdit* search_;
    TextLabel* sentence_;
    QTableView* table_;
    std::shared_ptr<const Profile> profile_;  ///< of what is shown or read; null: nothing
    std::vector<LaunchIndex> launches_;       ///< of it
    std::size_t left_out_ = 0;                ///< selected launches beyond those
    std::shared_ptr<const StoredMetrics> metrics_;
    int name_width_ = 0;       ///< that holds the names [px]
    bool own_widths_ = false;  ///< a person gave one
    bool fitting_ = false;
};

}  // namespace roofwalk
