// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/bindings_dialog.h"

#include <QPlainTextEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/model/kernel_name.h"
#include "ui/dialogs/ask_about.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

namespace {

constexpr QSize bindings_usual_size(760, 520);
constexpr std::size_t bindings_name_chars = 48;
constexpr int widest_column = 300;  // [px]

QString text_of(const std::vector<BindingRule>& rules) {
    QStringList lines;
    for (const BindingRule& rule : rules)
        lines.append(to_qt(to_text(rule)));
    return lines.join('\n');
}

/// Every line that is not empty, as a rule; else the first that is none.
Result<std::vector<BindingRule>> read_rules(const QString& text, const std::vector<BindingRule>& before) {
    std::vector<BindingRule> rules;
    int number = 0;
    for (const QString& line : text.split('\n')) {
        ++number;
        if (line.trimmed().isEmpty()) continue;
        Result<BindingRule> rule = read_binding_rule(line.trimmed().toStdString());
        if (!rule) {
            rule.error().where = BindingsDialog::tr("line %1").arg(number).toStdString();
            return tl::unexpected(std::move(rule.error()));
        }
        const auto same = std::ranges::find(before, to_text(*rule),
                                            [](const BindingRule& known) { return to_text(known); });
        rules.push_back(same != before.end() ? *same : *rule);  // with what else its file said of it
    }
    return rules;
}

}  // namespace

BindingsDialog::BindingsDialog(const Document& document, QWidget* parent)
    : QDialog(parent), before_(document.spec().bindings), rules_(before_.rules) {
    setWindowTitle(tr("Operations of all kernels"));
    setAccessibleName(windowTitle());
    resize(bindings_usual_size);
    text_ = new QPlainTextEdit(text_of(rules_), this);
    name_control(*text_, "binding_rules", tr("Rules"));
    text_->setPlaceholderText(QStringLiteral(
        "gemm_(\\d+)x(\\d+)x(\\d+)=gemm m=$1 n=$2 k=$3 dtype=fp16\nnvtx:softmax=softmax rows=4096 "
        "cols=4096"));
    text_->setTabChangesFocus(true);
    fault_ = empty_label("rules_fault", this);
    found_ = new TextLabel(tr("Looking for kernels whose numbers agree with an operation…"), this);
    found_->setObjectName("suggestions_found");
    list_ = make_list();
    buttons_ = make_buttons(*this);

    auto* column = new QVBoxLayout(this);
    auto* rules = new PlainLabel(tr("&Rules, one a line: PATTERN=OPERATION"), this, text_);
    column->addWidget(rules);
    column->addWidget(text_, 2);
    column->addWidget(fault_);
    auto* hint = new TextLabel(
        tr("A pattern is searched for in the kernel's name, after nvtx: in its NVTX ranges. $1 to $9 are its "
           "groups. Of several rules the first that matches holds; what a profile or a person says goes "
           "first."),
        this);
    hint->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(hint);
    column->addSpacing(8);
    column->addWidget(found_);
    column->addWidget(list_, 3);
    column->addWidget(buttons_);
    connect(text_, &QPlainTextEdit::textChanged, this, &BindingsDialog::judge_rules);
    connect(&job_, &Job::failed, this,
            [this](const Error& error) { found_->set_text(to_qt(to_line(error))); });
    judge_rules();
    find_suggestions(document);
}

QTreeWidget* BindingsDialog::make_list() {
    auto* list = new QTreeWidget(this);
    name_control(*list, "suggestions", tr("Suggested operations"));
    list->setHeaderLabels({tr("Kernel"), tr("Launches"), tr("Operation"), tr("Numbers that agree")});
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->hide();
    return list;
}

void BindingsDialog::find_suggestions(const Document& document) {
    job_.start(
        [profile = document.profile(),
         operations = document.analysis()->options.launch_operations](const Progress& progress) {
            if (!operations) return std::vector<Suggestion>();
            std::vector<Suggestion> all = suggest_operations(*profile, *operations, progress);
            std::ranges::move(assume_operations(*profile, *operations), std::back_inserter(all));
            return all;
        },
        [this](std::vector<Suggestion> suggestions) { show_suggestions(std::move(suggestions)); });
}

void BindingsDialog::show_suggestions(std::vector<Suggestion> suggestions) {
    suggestions_ = std::move(suggestions);
    found_->set_text(
        suggestions_.empty()
            ? tr("No suggestions: no kernel without an operation has numbers that tell one, or from which an "
                 "assumption gives one.")
            : tr("Suggestions: tick those that are right. Nothing is taken over without a tick."));
    for (const Suggestion& suggestion : suggestions_) {
        auto* item = new QTreeWidgetItem(
            list_,
            {to_qt(shorten_kernel_name(suggestion.kernel, bindings_name_chars)),
             QString::number(suggestion.count), to_qt(suggestion.operation),
             suggestion.assumed ? tr("Assumed: %1").arg(to_qt(suggestion.why)) : to_qt(suggestion.why)});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(0, Qt::Unchecked);
        set_tooltip(*item, 0, to_qt(suggestion.kernel));
        for (const int words : {2, 3})
            set_tooltip(*item, words, item->text(words));
    }
    list_->setVisible(!suggestions_.empty());
    for (int column = 0; column < list_->columnCount() - 1; ++column) {
        list_->resizeColumnToContents(column);
        list_->setColumnWidth(column, std::min(list_->columnWidth(column), widest_column));
    }
}

Bindings BindingsDialog::bindings() const {
    Bindings bindings{before_.user, rules_};
    for (int row = 0; row < list_->topLevelItemCount(); ++row) {
        if (list_->topLevelItem(row)->checkState(0) != Qt::Checked) continue;
        const std::vector<UserBinding> accepted = bindings_of(suggestions_[static_cast<std::size_t>(row)]);
        bindings.user.insert(bindings.user.end(), accepted.begin(), accepted.end());
    }
    return bindings;
}

void BindingsDialog::judge_rules() {
    Result<std::vector<BindingRule>> rules = read_rules(text_->toPlainText(), before_.rules);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(rules.has_value());
    fault_->set_text(rules ? QString() : to_qt(to_line(rules.error())));
    if (rules) rules_ = std::move(*rules);
}

void ask_for_all_operations(Document& document, QUndoStack& changes, QWidget* window) {
    BindingsDialog dialog(document, window);
    if (ask_about(document, dialog) && dialog.bindings() != document.spec().bindings)
        changes.push(new SpecChange(document, &WorkspaceSpec::bindings, dialog.bindings(),
                                    BindingsDialog::tr("operations of all kernels")));
}

}  // namespace roofwalk
