// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "core/operations/op_binding.h"
#include "core/operations/op_suggestions.h"
#include "ui/workspace/job.h"

class QDialogButtonBox;
class QPlainTextEdit;
class QTreeWidget;
class QUndoStack;

namespace roofwalk {

class Document;
class TextLabel;

/// Asks which operations all kernels carry out: rules, one a line, and suggestions to accept. Suggestions are
/// looked for on the pool while the dialog is open.
class BindingsDialog : public QDialog {
    Q_OBJECT

  public:
    explicit BindingsDialog(const Document& document, QWidget* parent = nullptr);

    /// What was said before of single kernels, the rules as they stand, and the suggestions that are ticked.
    [[nodiscard]] Bindings bindings() const;

  private:
    [[nodiscard]] QTreeWidget* make_list();
    void find_suggestions(const Document& document);
    void show_suggestions(std::vector<Suggestion> suggestions);
    void judge_rules();

    Bindings before_;
    std::vector<BindingRule> rules_;  ///< the last that could be read
    std::vector<Suggestion> suggestions_;
    QPlainTextEdit* text_;
    TextLabel* fault_;
    TextLabel* found_;
    QTreeWidget* list_;
    QDialogButtonBox* buttons_;
    Job job_;
};

/// Asks it; the answer is a step of `changes`.
void ask_for_all_operations(Document& document, QUndoStack& changes, QWidget* window);

}  // namespace roofwalk
