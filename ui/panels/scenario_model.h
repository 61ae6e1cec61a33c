// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "core/scenario/scenario_rows.h"
#include "core/workspace/workspace_result.h"

namespace roofwalk {

enum class ScenarioColumn : std::uint8_t { move, kernel, change, kernel_time, program_time, gain, state };

/// The moves of a scenario in their order, for a table. What a person changes in a cell is told, not done.
class ScenarioModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    using QAbstractTableModel::QAbstractTableModel;

    /// What the scenario is now. What its moves bring is known later, with show_effect(); until then the
    /// numbers shown are those from before.
    void show_scenario(const Scenario& scenario);
    void show_effect(std::shared_ptr<const WhatIf> what_if);

    [[nodiscard]] const Scenario& scenario() const { return scenario_; }
    /// What became of a move; null while that is not known.
    [[nodiscard]] const ScenarioRow* effect_of_row(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  signals:
    void switch_wanted(int row, bool on);
    void name_wanted(int row, const QString& name);

  private:
    [[nodiscard]] QString text(const Move& move, const ScenarioRow* row, ScenarioColumn column) const;
    [[nodiscard]] QString note(const Move& move, const ScenarioRow* row, ScenarioColumn column) const;
    void repaint_rows();

    Scenario scenario_;
    std::shared_ptr<const WhatIf> what_if_;
    std::vector<ScenarioRow> rows_;  ///< of what_if_
};

}  // namespace roofwalk
