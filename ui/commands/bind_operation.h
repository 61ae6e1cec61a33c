// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include "core/algorithm/op_binding.h"

namespace roofwalk {

class Document;

/// A person says which operation a kernel carries out, says otherwise, or takes it back.
class BindOperation : public QUndoCommand {
  public:
    /// An empty operation takes back what was said of that kernel or launch.
    BindOperation(Document& document, const UserBinding& binding);

    void undo() override;
    void redo() override;

  private:
    Document& document_;
    Bindings before_;
    Bindings after_;
};

}  // namespace roofwalk
