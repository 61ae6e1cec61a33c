// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/operation_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/algorithm/op_parser.h"
#include "core/algorithm/op_registry.h"
#include "core/model/kernel_name.h"
#include "core/text.h"
#include "ui/document.h"
#include "ui/panels/kernel_facts.h"
#include "ui/panels/text_label.h"
#include "ui/qt_text.h"

namespace roofwalk {

namespace {

constexpr std::size_t operation_name_chars = 96;
constexpr int operation_usual_width = 520;

QString operation_names() {
    QStringList names;
    for (const OperationSpec* spec : operations())
        names.append(to_qt(spec->name));
    return names.join(QStringLiteral(", "));
}

QString needs_of(const OperationModel& model) {
    const std::string unit = counts_integers(model) ? "OP" : "FLOP";
    QString text = OperationDialog::tr("Needs %1 and %2 from HBM: %3.")
                       .arg(to_qt(format(model.total_work(), unit)), to_qt(format(model.compulsory())),
                            to_qt(format(model.intensity(), unit + "/byte")));
    for (const auto* list : {&model.notes, &model.warnings})
        for (const std::string& sentence : *list)
            text += QLatin1Char('\n') + to_qt(sentence);
    return text;
}

/// What a person said of the kernel before.
QString said_before(const Document& document, const std::string& kernel) {
    for (const UserBinding& binding : document.bindings().user)
        if (binding.kernel == kernel && !binding.launch) return to_qt(binding.operation);
    return {};
}

}  // namespace

OperationDialog::OperationDialog(const Document& document, const KernelPoint& point, QWidget* parent)
    : QDialog(parent),
      kernel_(document.profile()
                  ->kernel_of(leading_launch(*document.profile(), *document.analysis(), point))
                  .name) {
    setWindowTitle(tr("Operation of a kernel"));
    setAccessibleName(windowTitle());
    operation_ = new QLineEdit(said_before(document, kernel_), this);
    operation_->setObjectName("operation");
    operation_->setAccessibleName(tr("Operation"));
    operation_->setPlaceholderText(QStringLiteral("gemm m=4096 n=4096 k=4096 dtype=fp16"));
    operation_->setClearButtonEnabled(true);
    operation_->setMinimumWidth(operation_usual_width);
    needs_ = new TextLabel({}, this);
    needs_->setObjectName("operation_needs");
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);

    auto* column = new QVBoxLayout(this);
    column->addWidget(new TextLabel(tr("%1 carries out, in each of its launches:")
                                        .arg(to_qt(shorten_kernel_name(kernel_, operation_name_chars))),
                                    this));
    column->addWidget(operation_);
    column->addWidget(needs_);
    auto* known = new TextLabel(
        tr("Operations: %1. Without one, what was said before is taken back.").arg(operation_names()), this);
    known->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(known);
    column->addStretch(1);
    column->addWidget(buttons_);
    connect(operation_, &QLineEdit::textChanged, this, &OperationDialog::show_needs);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    show_needs();
}

UserBinding OperationDialog::binding() const {
    UserBinding binding;
    binding.kernel = kernel_;
    binding.operation = operation_->text().trimmed().toStdString();
    return binding;
}

void OperationDialog::show_needs() {
    const std::string text = binding().operation;
    const Result<OperationModel> model = model_operation(text);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(text.empty() || model.has_value());
    if (text.empty())
        needs_->set_text(QString());
    else
        needs_->set_text(model ? needs_of(*model) : to_qt(to_line(model.error())));
    if (const int needed = layout()->totalHeightForWidth(width()); needed > height()) resize(width(), needed);
}

}  // namespace roofwalk
