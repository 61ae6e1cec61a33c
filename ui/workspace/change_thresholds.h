// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include "core/advice/thresholds.h"

namespace roofwalk {

class Document;

/// A person says where the rules of advice begin to fire.
class ChangeThresholds : public QUndoCommand {
  public:
    ChangeThresholds(Document& document, const AdviceThresholds& after);

    void undo() override;
    void redo() override;

  private:
    Document& document_;
    AdviceThresholds before_;
    AdviceThresholds after_;
};

}  // namespace roofwalk
