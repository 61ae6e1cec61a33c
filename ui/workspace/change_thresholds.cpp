// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/change_thresholds.h"

#include <QCoreApplication>

#include "ui/workspace/document.h"

namespace roofwalk {

ChangeThresholds::ChangeThresholds(Document& document, const AdviceThresholds& after)
    : QUndoCommand(QCoreApplication::translate("ChangeThresholds", "thresholds of the advice")),
      document_(document),
      before_(document.advice_thresholds()),
      after_(after) {}

void ChangeThresholds::undo() {
    document_.set_advice_thresholds(before_);
}

void ChangeThresholds::redo() {
    document_.set_advice_thresholds(after_);
}

}  // namespace roofwalk
