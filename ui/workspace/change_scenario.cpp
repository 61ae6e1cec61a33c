// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/change_scenario.h"

#include <utility>

#include "ui/workspace/document.h"

namespace roofwalk {

namespace {
constexpr int joins_nothing = -1;
constexpr int scenario_command = 1;
}  // namespace

ChangeScenario::ChangeScenario(Document& document, Scenario after, const QString& text, QString series)
    : QUndoCommand(text),
      document_(document),
      before_(document.scenario()),
      after_(std::move(after)),
      series_(std::move(series)) {}

int ChangeScenario::id() const {
    return series_.isEmpty() ? joins_nothing : scenario_command;
}

bool ChangeScenario::mergeWith(const QUndoCommand* next) {
    const auto* change = dynamic_cast<const ChangeScenario*>(next);
    if (change == nullptr || change->series_ != series_) return false;
    after_ = change->after_;
    setObsolete(after_ == before_);
    return true;
}

void ChangeScenario::undo() {
    document_.set_scenario(before_);
}

void ChangeScenario::redo() {
    document_.set_scenario(after_);
}

}  // namespace roofwalk
