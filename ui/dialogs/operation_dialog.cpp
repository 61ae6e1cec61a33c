// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/operation_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/operations/measured_type.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_suggestions.h"
#include "core/roofline/missing.h"
#include "core/roofline/operation_model_point.h"
#include "core/roofline/summary.h"
#include "ui/chart/roofline_chart.h"
#include "ui/dialogs/ask_about.h"
#include "ui/dialogs/operation_form.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

namespace {

constexpr std::size_t operation_name_chars = 96;

std::string work_unit_of(const OperationModel& model) {
    return counts_integers(model) ? "OP" : "FLOP";
}

QString needs_of(const OperationModel& model) {
    const std::string unit = work_unit_of(model);
    QString text = OperationDialog::tr("Needs %1 and %2 from memory: %3.")
                       .arg(to_qt(format(model.total_work(), unit)), to_qt(format(model.compulsory())),
                            to_qt(format(model.intensity(), unit + "/byte")));
    for (const auto* list : {&model.notes, &model.warnings})
        for (const std::string& sentence : *list)
            text += QLatin1Char('\n') + to_qt(sentence);
    return text;
}

/// What a person said of the kernel before.
QString said_before(const Document& document, const std::string& kernel) {
    for (const UserBinding& binding : document.spec().bindings.user)
        if (binding.kernel == kernel && !binding.launch) return to_qt(binding.operation);
    return {};
}

/// The operation that a kernel is taken for now; null without one.
std::shared_ptr<const BoundOperation> bound_now(const Document& document, const Launch& launch) {
    const auto& operations = document.analysis()->options.launch_operations;
    const auto index = static_cast<LaunchIndex>(&launch - document.profile()->launches.data());
    return operations ? operations->of(index) : nullptr;
}

std::vector<Suggestion> suggested_for(const Document& document, const std::string& kernel) {
    const auto& operations = document.analysis()->options.launch_operations;
    return operations ? suggest_for_kernel(*document.profile(), *operations, kernel)
                      : std::vector<Suggestion>();
}

/// Who else than a person says which operation it is, and what that is worth beside what is typed.
QString origin_words(const BoundOperation* bound) {
    if (!bound) return {};
    if (bound->source == BindingSource::rule || bound->source == BindingSource::pytorch)
        return OperationDialog::tr("Now by %1. What is typed here goes before it.").arg(to_qt(bound->why));
    if (bound->source == BindingSource::profile)
        return OperationDialog::tr("The profile says so itself (%1), which goes before what is typed here.")
            .arg(to_qt(bound->why));
    return {};
}

/// "12 launches; each takes 90.0 µs and moves 22.5 MB of DRAM (mean)": what the sizes are to be of.
QString launch_words(const KernelPoint& point) {
    const double launches = point.known_launches();
    QString text = to_qt(rows_counted(point.launches, GroupBy::launch));
    if (!point.known_time() || launches < 1) return text + u'.';
    text += OperationDialog::tr("; each takes %1").arg(to_qt(format(*point.known_time() / launches)));
    if (const LevelPoint* memory = point.measured_level(MemoryLevel::hbm))
        text += OperationDialog::tr(" and moves %1 of %2")
                    .arg(to_qt(format(memory->bytes / launches)),
                         to_qt(label_of(MemoryLevel::hbm, point.memory)));
    return text + (launches > 1 ? OperationDialog::tr(" (mean).") : QStringLiteral("."));
}

/// What would be bound, with the type that the launch tells where none was typed.
Result<OperationModel> model_for(const std::string& text, const Launch& launch, QString& by_pipe) {
    Result<OperationModel> model = model_operation(text);
    const auto type = model ? type_by_pipe(*model, launch) : std::nullopt;
    if (!type) return model;
    Result<OperationModel> typed = model_operation(with_type(text, *type));
    if (!typed) return model;
    by_pipe = OperationDialog::tr("Type: %1, by the pipe that the kernel ran on.").arg(to_qt(name_of(*type)));
    return typed;
}

void change_bindings(Document& document, QUndoStack& changes, Bindings bindings, const std::string& kernel) {
    constexpr std::size_t name_chars = 32;
    changes.push(new SpecChange(
        document, &WorkspaceSpec::bindings, std::move(bindings),
        OperationDialog::tr("operation of %1").arg(to_qt(shorten_kernel_name(kernel, name_chars)))));
}

}  // namespace

OperationDialog::OperationDialog(const Document& document, const KernelPoint& point, QWidget* parent)
    : QDialog(parent),
      profile_(document.profile()),
      analysis_(document.analysis()),
      point_(point),
      launch_(leading_launch(*profile_, point, *analysis_)),
      kernel_(profile_->kernel_of(launch_).name),
      unit_(work_unit(document.analysis()->options.operations)),
      before_(said_before(document, kernel_)) {
    const std::shared_ptr<const BoundOperation> bound = bound_now(document, launch_);
    if (before_.isEmpty() && bound) before_ = to_qt(bound->text);
    setWindowTitle(tr("Operation of a kernel"));
    setAccessibleName(windowTitle());
    const std::vector<Suggestion> suggestions = suggested_for(document, kernel_);
    const bool begins_with_one = before_.isEmpty() && !suggestions.empty();
    form_ = new OperationForm(suggestions, begins_with_one ? to_qt(suggestions.front().operation) : before_,
                              this);
    needs_ = new TextLabel({}, this);
    needs_->setObjectName("operation_needs");
    buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);

    auto* column = new QVBoxLayout(this);
    column->addWidget(new TextLabel(tr("%1 carries out, in each of its launches:")
                                        .arg(to_qt(shorten_kernel_name(kernel_, operation_name_chars))),
                                    this));
    auto* launches = new TextLabel(launch_words(point_), this);
    launches->setObjectName("operation_launches");
    column->addWidget(launches);
    column->addWidget(form_, 1);
    if (const QString origin = origin_words(bound.get()); !origin.isEmpty()) {
        auto* words = new TextLabel(origin, this);
        words->setObjectName("operation_origin");
        column->addWidget(words);
    }
    column->addWidget(needs_);
    column->addWidget(buttons_);
    connect(form_, &OperationForm::changed, this, &OperationDialog::show_needs);
    connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form_->setFocus();
    show_needs();
}

UserBinding OperationDialog::binding() const {
    UserBinding binding;
    binding.kernel = kernel_;
    binding.operation = form_->text().toStdString();
    return binding;
}

bool OperationDialog::is_new() const {
    return form_->text() != before_;
}

void OperationDialog::show_needs() {
    const std::string text = binding().operation;
    QString by_pipe;
    const Result<OperationModel> model = model_for(text, launch_, by_pipe);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(text.empty() || model.has_value());
    intensity_.reset();
    if (model && work_unit_of(*model) == unit_) intensity_ = model->intensity().value();
    emit intensity_changed(intensity_);
    QString needs = before_.isEmpty() ? QString() : tr("What was said before is taken back.");
    if (!text.empty()) needs = model ? needs_of(*model) : to_qt(to_line(model.error()));
    if (!by_pipe.isEmpty()) needs += QLatin1Char('\n') + by_pipe;
    const auto above = model ? above_roof_with(point_, *model, analysis_->options.thresholds) : std::nullopt;
    if (above)
        needs +=
            QLatin1Char('\n') +
            tr("With this work the kernel would stand %1 above its roof: are these the sizes of one launch?")
                .arg(to_qt(format_factor(*above)));
    needs_->set_text(needs);
    if (const int needed = layout()->totalHeightForWidth(width()); needed > height()) resize(width(), needed);
}

void ask_for_operation(Document& document, RooflineChart& chart, QUndoStack& changes, QWidget* window) {
    OperationDialog dialog(document, *document.selected_point(), window);
    chart.set_intensity_mark(dialog.intensity());
    QObject::connect(&dialog, &OperationDialog::intensity_changed, &chart,
                     &RooflineChart::set_intensity_mark);
    const bool agreed = ask_about(document, dialog) && dialog.is_new();
    chart.set_intensity_mark(std::nullopt);
    if (!agreed) return;
    const UserBinding said = dialog.binding();
    Bindings bindings = document.spec().bindings;
    std::erase_if(bindings.user, [&](const UserBinding& before) {
        return before.kernel == said.kernel && before.launch == said.launch;
    });
    if (!said.operation.empty()) bindings.user.push_back(said);
    change_bindings(document, changes, std::move(bindings), said.kernel);
}

void accept_suggestion(Document& document, QUndoStack& changes) {
    const KernelPoint* point = document.selected_point();
    if (!point) return;
    const Profile& profile = *document.profile();
    const std::string& kernel = profile.kernel_of(leading_launch(profile, *point, *document.analysis())).name;
    if (!document.analysis()->options.launch_operations) return;
    Bindings bindings = document.spec().bindings;
    for (const Suggestion& suggestion : suggested_for(document, kernel))
        for (const UserBinding& accepted : bindings_of(suggestion))
            bindings.user.push_back(accepted);
    change_bindings(document, changes, std::move(bindings), kernel);
}

}  // namespace roofwalk
