// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>
#include <string>

#include "core/model/memory_level.h"
#include "ui/chart/roofline_chart.h"

class QAction;
class QMenu;
class QUndoStack;

namespace roofwalk {

class Actions;
class Document;

/// Every known way to make the selected kernel faster; those with a number ask for it before they become a
/// move. Those that cannot be applied to it stand apart, with the reason.
[[nodiscard]] QMenu* make_what_if_menu(Document& document, QUndoStack& changes, QWidget* parent);

/// What can be done with a kernel, a roof or a row of the legend: a click on the latter two isolates, and a
/// menu has the rest.
class ChartMenu : public QObject {
    Q_OBJECT

  public:
    ChartMenu(Document& document, Actions& actions, QUndoStack& changes, QMenu& what_if, QWidget& window);

    /// Shows alone what the filter can tell apart, or a level; once more, and all is as before.
    void isolate(const ChartPart& place);
    /// All is as before; false where nothing is isolated.
    bool end_isolation();
    /// `table_actions` come last.
    void open(const ChartPart& place, QPoint on_screen, const QList<QAction*>& table_actions = {});

  signals:
    /// Why nothing is isolated.
    void told(const QString& words);

  private:
    class LaunchesShown;

    /// What stands at a place.
    struct Part {
        QString name;
        QString figures;                          ///< but of a kernel
        std::optional<std::string> condition;     ///< of a filter that finds it
        std::optional<CeilingTarget> drawn_with;  ///< what is switched off to hide it; absent: by the filter
    };

    /// Empty where nothing is isolated.
    struct Isolation {
        QString filter;         ///< that isolates
        QString filter_before;  ///< it came
        std::optional<GroupBy> group_before{};
    };

    [[nodiscard]] std::optional<Part> part_at(const ChartPart& place) const;
    [[nodiscard]] std::optional<Part> row_part(const LegendRow& row) const;
    void isolate(const Part& part);
    void show_alone(const QString& filter);
    /// Filter and groups as before the isolation.
    void put_back();
    void hide(const Part& part);
    void show_only(MemoryLevel level);
    void add_kernel_actions(QMenu& menu, const Part& part);

    Document& document_;
    Actions& actions_;
    QUndoStack& changes_;
    QMenu& what_if_;
    QWidget& window_;
    Isolation isolation_;
    std::optional<MemoryLevel> level_alone_;
    EnumArray<MemoryLevel, bool> levels_before_ = AnalysisOptions().levels;
    bool l1_before_ = AnalysisOptions().l1_where_it_binds;
};

}  // namespace roofwalk
