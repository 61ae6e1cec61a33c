// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/scenario_model.h"

#include <array>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/scenario/move_words.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/theme.h"

namespace roofwalk {

namespace {

constexpr std::size_t scenario_name_chars = 40;
constexpr int column_count = static_cast<int>(ScenarioColumn::state) + 1;

QString no_scenario_value() {
    return QStringLiteral("–");
}

QString kernel_time(const ScenarioStep& step) {
    if (!step.before.time || !step.after.time) return ScenarioModel::tr("not measured");
    return to_qt(format(*step.before.time) + " → " + format(*step.after.time));
}

/// It claims more than the model allows.
bool is_beyond_model(const ScenarioRow* row) {
    return row != nullptr && row->step != nullptr && (row->move->beyond_model || row->past_algorithm);
}

}  // namespace

void ScenarioModel::show_scenario(const Scenario& scenario) {
    if (scenario == scenario_) return;
    const bool other_rows = scenario.moves.size() != scenario_.moves.size();
    if (other_rows) beginResetModel();
    scenario_ = scenario;
    if (other_rows)
        endResetModel();
    else
        repaint_rows();
}

void ScenarioModel::show_effect(std::shared_ptr<const WhatIf> what_if) {
    what_if_ = std::move(what_if);
    rows_ = what_if_ ? scenario_rows(what_if_->scenario, what_if_->effect) : std::vector<ScenarioRow>();
    repaint_rows();
}

void ScenarioModel::repaint_rows() {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
}

const ScenarioRow* ScenarioModel::effect_of_row(int row) const {
    const auto index = static_cast<std::size_t>(row);
    return rows_.size() == scenario_.moves.size() && index < rows_.size() ? &rows_[index] : nullptr;
}

int ScenarioModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(scenario_.moves.size());
}

int ScenarioModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : column_count;
}

QString ScenarioModel::text(const Move& move, const ScenarioRow* row, ScenarioColumn column) const {
    switch (column) {
        case ScenarioColumn::move:
            return to_qt(title_of(move));
        case ScenarioColumn::kernel:
            return to_qt(shorten_kernel_name(move.kernel.name, scenario_name_chars));
        case ScenarioColumn::change:
            return to_qt(change_of(move));
        case ScenarioColumn::state:
            return row != nullptr ? to_qt(state_of(*row)) : no_scenario_value();
        default:
            break;
    }
    if (row == nullptr || row->step == nullptr) return no_scenario_value();
    if (column == ScenarioColumn::kernel_time) return kernel_time(*row->step);
    if (column == ScenarioColumn::program_time) return to_qt(format(row->step->program.time));
    const auto gain = speed_up(what_if_->effect.before, row->step->program);
    return gain ? to_qt(pace_words(*gain)) : no_scenario_value();
}

QString ScenarioModel::note(const Move& move, const ScenarioRow* row, ScenarioColumn column) const {
    switch (column) {
        case ScenarioColumn::move:
            return to_qt(move.assumption);
        case ScenarioColumn::kernel:
            return to_qt(move.kernel.name);
        case ScenarioColumn::state:
            if (row != nullptr)
                if (const std::string limit = limit_words(*row); !limit.empty()) return to_qt(limit);
            [[fallthrough]];
        default:
            return text(move, row, column);
    }
}

QVariant ScenarioModel::data(const QModelIndex& index, int role) const {
    const Move& move = scenario_.moves[static_cast<std::size_t>(index.row())];
    const ScenarioRow* row = effect_of_row(index.row());
    const auto column = static_cast<ScenarioColumn>(index.column());
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text(move, row, column);
        case Qt::ToolTipRole:
            return tooltip_text(note(move, row, column));
        case Qt::CheckStateRole:
            if (column == ScenarioColumn::move) return move.on ? Qt::Checked : Qt::Unchecked;
            break;
        case Qt::ForegroundRole:
            if (column == ScenarioColumn::state && is_beyond_model(row))
                return window_colours(current_theme()).warning;
            if (row != nullptr && (row->step == nullptr || row->step->no_promise))
                return window_colours(current_theme()).faint_text;
            break;
        default:
            break;
    }
    return {};
}

QVariant ScenarioModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    const std::array<QString, column_count> titles{tr("Move"),        tr("Kernel"),  tr("Change"),
                                                   tr("Kernel time"), tr("Program"), tr("Speed-up"),
                                                   tr("State")};
    return titles[static_cast<std::size_t>(section)];
}

Qt::ItemFlags ScenarioModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (index.column() == static_cast<int>(ScenarioColumn::move))
        flags |= Qt::ItemIsEditable | Qt::ItemIsUserCheckable;
    return flags;
}

bool ScenarioModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role == Qt::CheckStateRole)
        emit switch_wanted(index.row(), value.toInt() == Qt::Checked);
    else if (role == Qt::EditRole && value.toString() != data(index, Qt::EditRole).toString())
        emit name_wanted(index.row(), value.toString());
    else
        return false;
    return true;
}

}  // namespace roofwalk
