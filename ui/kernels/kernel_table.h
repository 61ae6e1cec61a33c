// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <map>
#include <string>
#include <vector>

class QAction;
class QKeyEvent;
class QLabel;
class QLineEdit;
class QTableView;

namespace roofwalk {

class Document;
class RowSelection;
class TableModel;

/// The kernels of the document: filter field above, rows below. Its selection is the document's.
class KernelTable : public QWidget {
    Q_OBJECT

  public:
    using ReportTags = std::map<std::string, std::string, std::less<>>;  ///< short names, by whole ones

    explicit KernelTable(Document& document, QWidget* parent = nullptr);

    [[nodiscard]] TableModel& model() { return *model_; }
    /// The selected rows as text, one a line below the headings; empty without a selection.
    [[nodiscard]] QString selected_rows_text() const;

    [[nodiscard]] QSize sizeHint() const override;

  public slots:
    void focus_filter();
    /// What is no filter goes with its fault; false where there is none.
    bool clear_faulty_filter();
    /// Where it is typed in; says whether there was one.
    bool clear_filter();

  signals:
    /// The selected kernel is to move by a step of the keys: to the right (1) or the left (-1).
    void nudged(int right, bool pass);
    /// A person wants to know what can be done with a kernel; the actions of the view belong to it too.
    void menu_asked(std::uint32_t point, QPoint on_screen, const QList<QAction*>& of_table);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void show_points();
    void show_selection();
    void choose_selected_rows();
    void connect_document();
    void show_filter_state();
    bool nudge(const QKeyEvent& event);
    [[nodiscard]] int heading_width(int column) const;
    /// For what it holds and its heading.
    [[nodiscard]] int needed_width(int column) const;
    /// Whether no kernel has anything in it.
    [[nodiscard]] bool is_empty(int column) const;
    /// Shows the columns that have room, or all that are asked for. The name gets what those that matter most
    /// leave of the width; a person's own widths stay.
    void fit_columns();

    Document& document_;
    TableModel* model_;
    RowSelection* rows_;
    QTableView* view_;
    QLineEdit* filter_;
    QLabel* fault_;
    QLabel* count_;
    QTimer typing_;                   ///< waits for a pause before filtering
    std::vector<std::string> empty_;  ///< columns
    QAction* all_columns_ = nullptr;  ///< also those without room
    std::vector<int> contents_;       ///< width of what each column holds [px]
    ReportTags report_tags_;
    int whole_shares_ = 0;     ///< the width that shares need with what they are of
    int brief_classes_ = 0;    ///< the widest class in a word, with its sign [px]
    int whole_reports_ = 0;    ///< the widest name of several reports [px]
    bool measured_ = false;    ///< contents_, since the files changed
    bool fitting_ = false;     ///< columns are being given their width
    bool own_widths_ = false;  ///< a person gave one
    bool following_ = false;   ///< the view is being told the document's selection
    bool choosing_ = false;    ///< the document is being told the view's selection
};

}  // namespace roofwalk
