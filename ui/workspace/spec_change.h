// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUndoCommand>
#include <utility>

#include "ui/workspace/document.h"

namespace roofwalk {

/// A person changes a part of the spec of a document: its scenario, bindings or thresholds. What the document
/// holds when the command is made is what undo brings back.
template <class Part>
class SpecChange : public QUndoCommand {
  public:
    /// `text` continues "Undo ...". Commands that follow each other, of the same part and `series`, are one
    /// step; an empty series joins nothing.
    SpecChange(Document& document, Part WorkspaceSpec::*part, Part after, const QString& text,
               QString series = {})
        : QUndoCommand(text),
          document_(document),
          part_(part),
          before_(document.spec().*part),
          after_(std::move(after)),
          series_(std::move(series)) {}

    [[nodiscard]] int id() const override { return series_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* next) override {
        const auto* change = dynamic_cast<const SpecChange*>(next);
        if (change == nullptr || change->part_ != part_ || change->series_ != series_) return false;
        after_ = change->after_;
        setObsolete(after_ == before_);
        return true;
    }
    void undo() override { put(before_); }
    void redo() override { put(after_); }

  private:
    void put(const Part& part) {
        document_.change([&](WorkspaceSpec& spec) { spec.*part_ = part; });
    }

    Document& document_;
    Part WorkspaceSpec::*part_;
    Part before_;
    Part after_;
    QString series_;
};

}  // namespace roofwalk
