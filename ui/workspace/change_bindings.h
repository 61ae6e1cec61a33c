// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include "core/operations/op_binding.h"

namespace roofwalk {

class Document;

/// A person says which operations kernels carry out, one by one, by rules, or by accepting suggestions.
class ChangeBindings : public QUndoCommand {
  public:
    /// `text` continues "Undo ...".
    ChangeBindings(Document& document, Bindings after, const QString& text);

    void undo() override;
    void redo() override;

  private:
    Document& document_;
    Bindings before_;
    Bindings after_;
};

/// One kernel, or one launch of it, is bound. An empty operation takes back what was said before.
[[nodiscard]] ChangeBindings* bind_operation(Document& document, const UserBinding& binding);

}  // namespace roofwalk
