// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>

#include "core/scenario/scenario.h"

namespace roofwalk {

class Document;

/// A person moves a kernel, or adds, edits, switches or removes moves. What the document holds when the
/// command is made is what undo brings back.
class ChangeScenario : public QUndoCommand {
  public:
    /// `text` continues "Undo ...". Commands that follow each other and name the same `series` are one step;
    /// an empty one joins nothing.
    ChangeScenario(Document& document, Scenario after, const QString& text, QString series = {});

    [[nodiscard]] int id() const override;
    bool mergeWith(const QUndoCommand* next) override;
    void undo() override;
    void redo() override;

  private:
    Document& document_;
    Scenario before_;
    Scenario after_;
    QString series_;
};

}  // namespace roofwalk
