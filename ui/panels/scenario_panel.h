// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "core/scenario/scenario_effect.h"

class QHBoxLayout;
class QLineEdit;
class QSplitter;
class QTableView;
class QUndoStack;

namespace roofwalk {

class Document;
struct MoveLines;
class TableModel;
class TextLabel;
class WaterfallView;

/// The what-if moves of a document and what they are worth: a table to switch, name, edit, order and remove
/// them, and the waterfall. Every change can be undone.
class ScenarioPanel : public QWidget {
    Q_OBJECT

  public:
    ScenarioPanel(Document& document, QUndoStack& changes, QWidget* parent = nullptr);

    /// Shows commands of the window beside those of the panel.
    void add_buttons(const QList<QAction*>& actions);
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void make_actions();
    [[nodiscard]] QTableView* make_table();
    [[nodiscard]] QAction* make_action(const char* name, const QString& text, const QKeySequence& keys,
                                       const QString& tooltip);
    void show_scenario();
    void show_effect();
    void show_moves();
    /// What became of a move; null while that is not known.
    [[nodiscard]] const ScenarioRow* effect_of_row(int row) const;
    void fit_to_content();
    void fit_columns();
    void refit_columns();
    void share_width();
    void fit_name();
    void follow_row();
    [[nodiscard]] int row() const;
    void push(Scenario scenario, const QString& text);
    void push_move(int row, const Move& move, const QString& text);
    void rename_scenario();
    void shift(int by);
    void remove();
    void edit_change();

    Document& document_;
    QUndoStack& changes_;
    TableModel* model_;
    std::shared_ptr<const MoveLines> lines_;
    QHBoxLayout* head_;
    QLineEdit* name_;
    TextLabel* sentence_;
    QSplitter* body_;
    QTableView* table_;
    WaterfallView* waterfall_;
    bool own_sides_ = false;  ///< a person drew the line between moves and waterfall
    int fitted_rows_ = -1;
    QByteArray fitted_;  ///< the columns as fit_columns() left them
    QAction* edit_ = nullptr;
    QAction* up_ = nullptr;
    QAction* down_ = nullptr;
    QAction* remove_ = nullptr;
    QAction* remove_all_ = nullptr;
};

}  // namespace roofwalk
