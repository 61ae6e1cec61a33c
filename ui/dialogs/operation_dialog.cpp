// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/operation_dialog.h"

#include <fmt/format.h>
#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QUndoStack>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/operations/measured_type.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"
#include "core/operations/op_suggestions.h"
#include "core/roofline/gap.h"
#include "core/roofline/operation_model_point.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "ui/chart/roofline_chart.h"
#include "ui/dialogs/ask_about.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/text_page_view.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

/// An operation as a choice, a field for each of its parameters, and the text that says the same; what is
/// changed in one of them changes the others.
class OperationForm : public QWidget {
  public:
    /// Begins with what `first` says; `suggestions` are the first that can be chosen, then those `assumed`.
    OperationForm(const std::vector<Suggestion>& suggestions, const std::vector<Suggestion>& assumed,
                  const UserBinding& first, QWidget* parent = nullptr);

    /// "gemm m=4096 n=4096 k=4096", or what a person has typed of it; empty: none.
    [[nodiscard]] QString text() const;
    /// What it rests on; empty once a person typed it.
    [[nodiscard]] QString assumption() const { return assumption_; }

    std::function<void()> on_changed;  ///< called after each change of the text

  private:
    struct Field {
        const ParameterSpec* parameter = nullptr;
        QLineEdit* line = nullptr;    ///< of a number or a formula, else null
        QComboBox* choice = nullptr;  ///< of words, else null
    };

    void add_choices(const std::vector<Suggestion>& suggestions, const QString& words, bool assumed);
    void add_operations();
    void choose(int row);
    /// Shows what the text says, as far as it can be read.
    void read_text();
    void show_choice();
    void make_fields(const OperationSpec* spec);
    [[nodiscard]] Field make_field(const ParameterSpec& parameter, QWidget* area);
    void show_value(const Field& field);
    /// Puts the value of a field into the text; empty: the parameter is left to its default.
    void write(const ParameterSpec& parameter, const QString& value);

    WrittenOperation written_;  ///< the last text that could be read
    QString assumption_;
    const OperationSpec* spec_ = nullptr;
    std::vector<Field> fields_;
    QComboBox* choice_;
    QScrollArea* area_;
    QLineEdit* text_;
};

namespace {

constexpr int assumption_role = Qt::UserRole + 1;
constexpr int operation_usual_width = 560;
constexpr int field_width = 150;
constexpr int most_fields_height = 270;  // nine of them; the others are scrolled to
constexpr int least_fields_height = 90;  // where words below need the room
constexpr int most_height = 680;         // grows by itself to what a screen of 1366x768 has beside its frame

bool is_of(const WrittenArgument& argument, const ParameterSpec& parameter) {
    return argument.name == parameter.name || (!parameter.alias.empty() && argument.name == parameter.alias);
}

const WrittenArgument* find_argument(const WrittenOperation& written, const ParameterSpec& parameter) {
    const auto found = std::ranges::find_if(
        written.arguments, [&](const WrittenArgument& argument) { return is_of(argument, parameter); });
    return found == written.arguments.end() ? nullptr : &*found;
}

/// What holds where a field is left alone.
QString default_words(const ParameterSpec& parameter) {
    if (parameter.required()) return OperationForm::tr("needed");
    if (parameter.default_value.starts_with('='))
        return OperationForm::tr("as %1").arg(to_qt(parameter.default_value.substr(1)));
    return OperationForm::tr("%1 (default)").arg(to_qt(parameter.default_value));
}

/// The one of several spellings that a choice has.
QString usual_word(const ParameterSpec& parameter, const std::string& value) {
    const auto type =
        parameter.kind == ParameterKind::type ? data_type_from_name(value) : std::optional<DataType>();
    return type ? to_qt(name_of(*type)) : to_qt(value).toLower();
}

}  // namespace

OperationForm::OperationForm(const std::vector<Suggestion>& suggestions,
                             const std::vector<Suggestion>& assumed, const UserBinding& first,
                             QWidget* parent)
    : QWidget(parent), assumption_(to_qt(first.assumption)) {
    choice_ = new QComboBox(this);
    name_control(*choice_, "operation_choice", tr("Kind of operation"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->addItem(tr("No operation"), QString());
    add_choices(suggestions, tr("%1: its numbers agree"), false);
    add_choices(assumed, tr("%1: assumed"), true);
    add_operations();
    area_ = new QScrollArea(this);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setAccessibleName(tr("Parameters"));
    text_ = new QLineEdit(to_qt(first.operation), this);
    name_control(*text_, "operation", tr("Operation as text"));
    text_->setPlaceholderText(QStringLiteral("gemm m=4096 n=4096 k=4096 dtype=fp16"));
    text_->setClearButtonEnabled(true);
    text_->setMinimumWidth(operation_usual_width);
    auto* copy = new QPushButton(tr("&Copy"), this);
    name_control(*copy, "copy_operation", tr("Copy the text"));
    copy->setAutoDefault(false);
    auto* as_text = new PlainLabel(tr("As &text, which commands and rules take too:"), this, text_);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(choice_);
    column->addWidget(area_);
    column->addWidget(as_text);
    auto* row = new QHBoxLayout;
    row->addWidget(text_, 1);
    row->addWidget(copy);
    column->addLayout(row);
    setFocusProxy(text_);
    connect(choice_, &QComboBox::activated, this, &OperationForm::choose);
    connect(text_, &QLineEdit::textChanged, this, [this] {
        assumption_.clear();
        read_text();
    });
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(this->text()); });
    make_fields(nullptr);
    read_text();
}

QString OperationForm::text() const {
    return text_->text().trimmed();
}

/// The data of a row is what it begins with: the whole operation of a suggestion, else a name.
void OperationForm::add_choices(const std::vector<Suggestion>& suggestions, const QString& words,
                                bool assumed) {
    for (const Suggestion& suggestion : suggestions) {
        choice_->addItem(words.arg(to_qt(shown_operation(suggestion.operation))),
                         to_qt(suggestion.operation));
        choice_->setItemData(choice_->count() - 1, tooltip_text(to_qt(suggestion.why)), Qt::ToolTipRole);
        if (assumed) choice_->setItemData(choice_->count() - 1, to_qt(suggestion.why), assumption_role);
    }
}

void OperationForm::add_operations() {
    choice_->insertSeparator(choice_->count());
    for (const OperationSpec* spec : operations())
        choice_->addItem(tr("%1: %2").arg(to_qt(spec->name), to_qt(spec->summary)), to_qt(spec->name));
}

void OperationForm::choose(int row) {
    const QString chosen = choice_->itemData(row).toString();
    const OperationSpec* spec = find_operation(chosen.toStdString());
    if (!spec) {
        text_->setText(chosen);
        assumption_ = choice_->itemData(row, assumption_role).toString();
        return read_text();
    }
    WrittenOperation kept{.name = std::string(spec->name), .arguments = {}};
    for (const ParameterSpec& parameter : spec->parameters)
        if (const WrittenArgument* argument = find_argument(written_, parameter))
            kept.arguments.push_back({std::string(parameter.name), argument->value});
    text_->setText(to_qt(to_text(kept)));
}

void OperationForm::read_text() {
    if (const Result<WrittenOperation> written = read_operation(text().toStdString()))
        written_ = *written;
    else if (text().isEmpty())
        written_ = {};
    if (const OperationSpec* spec = find_operation(written_.name); spec != spec_) make_fields(spec);
    for (const Field& field : fields_)
        show_value(field);
    show_choice();
    if (on_changed) on_changed();
}

void OperationForm::show_choice() {
    int row = choice_->findData(text());
    const bool as_chosen = choice_->itemData(row, assumption_role).toString() == assumption_;
    if ((row < 0 || !as_chosen) && spec_) row = choice_->findData(to_qt(spec_->name));
    choice_->setCurrentIndex(row);
}

void OperationForm::make_fields(const OperationSpec* spec) {
    spec_ = spec;
    fields_.clear();
    auto* area = new QWidget;
    auto* grid = new QGridLayout(area);
    grid->setContentsMargins(0, 0, 6, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(2, 1);
    int row = 0;
    for (const ParameterSpec& parameter : spec ? spec->parameters : std::span<const ParameterSpec>()) {
        const Field field = fields_.emplace_back(make_field(parameter, area));
        QWidget* editor = field.line ? static_cast<QWidget*>(field.line) : field.choice;
        name_control(*editor, QStringLiteral("field_") + to_qt(parameter.name),
                     tr("%1: %2").arg(to_qt(parameter.name), to_qt(parameter.meaning)));
        editor->setFixedWidth(field_width);
        auto* meaning = new PlainLabel(to_qt(parameter.meaning), area);
        meaning->setWordWrap(true);
        meaning->setForegroundRole(QPalette::PlaceholderText);
        grid->addWidget(new PlainLabel(to_qt(parameter.name), area), row, 0);
        grid->addWidget(editor, row, 1);
        grid->addWidget(meaning, row++, 2);
    }
    grid->setRowStretch(row, 1);
    area_->setWidget(area);
    area_->setMinimumHeight(std::min(area->sizeHint().height(), least_fields_height));
    area_->setMaximumHeight(std::min(area->sizeHint().height(), most_fields_height));
    area_->setVisible(spec != nullptr);
}

OperationForm::Field OperationForm::make_field(const ParameterSpec& parameter, QWidget* area) {
    Field field{.parameter = &parameter};
    const std::vector<std::string> choices = choices_of(parameter);
    if (choices.empty()) {
        field.line = new QLineEdit(area);
        field.line->setPlaceholderText(default_words(parameter));
        connect(field.line, &QLineEdit::textEdited, this,
                [this, &parameter](const QString& value) { write(parameter, value.trimmed()); });
        return field;
    }
    field.choice = new QComboBox(area);
    field.choice->addItem(default_words(parameter), QString());
    for (const std::string& choice : choices)
        field.choice->addItem(to_qt(choice), to_qt(choice));
    connect(field.choice, &QComboBox::activated, this, [this, &parameter, choice = field.choice](int row) {
        write(parameter, choice->itemData(row).toString());
    });
    return field;
}

/// What a person is typing into stays as it is typed.
void OperationForm::show_value(const Field& field) {
    const WrittenArgument* argument = find_argument(written_, *field.parameter);
    if (field.choice)
        field.choice->setCurrentIndex(
            argument ? field.choice->findData(usual_word(*field.parameter, argument->value)) : 0);
    else if (!field.line->hasFocus())
        field.line->setText(argument ? to_qt(argument->value) : QString());
}

void OperationForm::write(const ParameterSpec& parameter, const QString& value) {
    WrittenOperation changed = written_;
    const auto found = std::ranges::find_if(
        changed.arguments, [&](const WrittenArgument& argument) { return is_of(argument, parameter); });
    if (value.isEmpty()) {
        if (found != changed.arguments.end()) changed.arguments.erase(found);
    } else if (found != changed.arguments.end()) {
        found->value = value.toStdString();
    } else {
        changed.arguments.push_back({std::string(parameter.name), value.toStdString()});
    }
    text_->setText(to_qt(to_text(changed)));
}

namespace {

constexpr std::size_t operation_name_chars = 96;

std::string work_unit_of(const OperationModel& model) {
    return counts_integers(model) ? "OP" : "FLOP";
}

QString notes_of(const OperationModel& model) {
    QStringList notes;
    for (const auto* list : {&model.notes, &model.warnings})
        for (const std::string& sentence : *list)
            notes.append(to_qt(sentence));
    return notes.join(QLatin1Char('\n'));
}

/// The kernel as if each of its launches carried this out, with the gaps that follow.
KernelPoint with_operation(KernelPoint point, const OperationModel& model) {
    const double launches = point.known_launches();
    AlgorithmicTarget& target = point.target.emplace();
    target.operation = std::make_shared<const BoundOperation>(
        BoundOperation{.model = std::make_shared<const OperationModel>(model), .text = {}, .why = {}});
    target.work = model.total_work() * launches;
    target.bytes = model.compulsory() * launches;
    compute_target_gaps(point, target);
    return point;
}

/// What an operation needs, null while it cannot be read, beside what a launch did.
FactTable needs_beside_measured(const OperationModel* model, const KernelPoint& point,
                                const std::string& unit) {
    const double launches = point.known_launches();
    const bool same_unit = !model || work_unit_of(*model) == unit;  // else there is none to compare
    const std::string needed_unit = model ? work_unit_of(*model) : unit;
    FactTable table{.headers = {"", "Needed", point.launches > 1 ? "Measured, mean of a launch" : "Measured",
                                "Measured / needed"}};
    const std::string some = point.uncounted.any() ? "≥ " : "";  // of its work was not counted
    const auto add = [&](const std::string& name, const std::string& least, const auto& needed,
                         const auto& did, bool inexact, const auto&... units) {
        const bool both = needed && did && needed->value() > 0;
        table.rows.push_back(
            {{{name},
              {needed ? format(*needed, units...) : "–"},
              {did ? least + marked_if(inexact, format(*did, units...)) : "not measured"},
              {both ? least + marked_if(inexact, format_factor(did->value() / needed->value())) : "–"}}});
    };
    const LevelPoint* memory = point.measured_level(MemoryLevel::hbm);
    const std::optional<Flops> work = same_unit && launches > 0 && point.measured_work()
                                          ? std::optional(*point.measured_work() / launches)
                                          : std::nullopt;
    const std::optional<Bytes> bytes =
        memory && launches > 0 ? std::optional(memory->bytes / launches) : std::nullopt;
    add("Work", some, model ? std::optional(model->total_work()) : std::nullopt, work,
        has_inexact_work(point), needed_unit);
    add(fmt::format("{} bytes", label_of(point.memory)), "",
        model ? std::optional(model->compulsory()) : std::nullopt, bytes,
        is_inexact(point, MemoryLevel::hbm));
    add("Intensity", some, model ? std::optional(model->intensity()) : std::nullopt,
        work && bytes ? std::optional(*work / *bytes) : std::nullopt,
        has_inexact_intensity(point, MemoryLevel::hbm), needed_unit + "/byte");
    return table;
}

/// What of the operation the counters contradict; empty where they agree.
QString contradiction_of(const KernelPoint& would_be) {
    const AlgorithmicTarget& target = *would_be.target;
    if (has_size_mismatch(would_be))
        return OperationDialog::tr("This contradicts the counters: %1.")
            .arg(to_qt(size_mismatch_words(would_be)));
    if (!counts_same_work(target))
        return OperationDialog::
            tr("This contradicts the counters: the kernel did %1 the work of the operation. Are these the "
               "sizes of one launch?")
                .arg(to_qt(marked_if(has_inexact_work(would_be), format_factor(*target.work_ratio))));
    if (target.byte_gap && *target.byte_gap < 1 - target_tolerance)
        return OperationDialog::tr(
            "The kernel moved fewer bytes than these sizes need: caches served them, or the sizes are too "
            "large.");
    return {};
}

/// How far from the operation the kernel would stand; empty where that is not known.
QString distance_of(const KernelPoint& would_be, bool inexact) {
    if (!would_be.target->gap) return {};
    return OperationDialog::tr("The kernel stands %1.")
        .arg(to_qt(horizontal_distance_words(*would_be.target->gap, inexact)));
}

/// What a person said of the kernel before.
UserBinding said_before(const Document& document, const std::string& kernel) {
    for (const UserBinding& binding : document.spec().bindings.user)
        if (binding.kernel == kernel && !binding.launch) return binding;
    return {};
}

/// The operation that a kernel is taken for now; null without one.
std::shared_ptr<const BoundOperation> bound_now(const Document& document, const Launch& launch) {
    const auto& operations = document.analysis()->options.launch_operations;
    const auto index = static_cast<LaunchIndex>(&launch - document.profile()->launches.data());
    return operations ? operations->of(index) : nullptr;
}

/// What `suggest` finds for the launches of a kernel that have no operation.
template <class Suggest>
std::vector<Suggestion> found_for(const Document& document, const std::string& kernel, Suggest suggest) {
    const auto& operations = document.analysis()->options.launch_operations;
    return operations ? suggest(*document.profile(), *operations, kernel) : std::vector<Suggestion>();
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

/// In the place of what was said of these launches before; without an operation nothing is.
void say_of_kernel(Document& document, QUndoStack& changes, UserBinding said) {
    Bindings bindings = document.spec().bindings;
    std::erase_if(bindings.user, [&](const UserBinding& before) {
        return before.kernel == said.kernel && before.launch == said.launch;
    });
    const std::string kernel = said.kernel;
    if (!said.operation.empty()) bindings.user.push_back(std::move(said));
    change_bindings(document, changes, std::move(bindings), kernel);
}

std::string kernel_of(const Document& document, const KernelPoint& point) {
    const Profile& profile = *document.profile();
    return profile.kernel_of(leading_launch(profile, point, *document.analysis())).name;
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
    if (before_.operation.empty() && bound) before_.operation = bound->text;
    setWindowTitle(tr("Operation of a kernel"));
    setAccessibleName(windowTitle());
    const std::vector<Suggestion> suggestions = found_for(document, kernel_, suggest_for_kernel);
    const std::vector<Suggestion> assumed = found_for(document, kernel_, assume_operations);
    UserBinding first = before_;
    if (before_.operation.empty() && !suggestions.empty())
        first.operation = suggestions.front().operation;
    else if (before_.operation.empty() && !assumed.empty())
        first = {kernel_, std::nullopt, assumed.front().operation, false, assumed.front().why};
    follows_ = !first.operation.empty();
    if (!follows_) first.operation = named_operation(kernel_);
    form_ = new OperationForm(suggestions, assumed, first, this);
    needs_ = empty_label("operation_needs", this);
    buttons_ = make_buttons(*this);

    auto* column = new QVBoxLayout(this);
    column->addWidget(new TextLabel(tr("%1 carries out, in each of its launches:")
                                        .arg(to_qt(shorten_kernel_name(kernel_, operation_name_chars))),
                                    this));
    auto* launches = new TextLabel(launch_words(point_), this);
    launches->setObjectName("operation_launches");
    column->addWidget(launches);
    column->addWidget(form_);
    figures_ = new QVBoxLayout;
    column->addLayout(figures_);
    if (const QString origin = origin_words(bound.get()); !origin.isEmpty()) {
        auto* words = new TextLabel(origin, this);
        words->setObjectName("operation_origin");
        column->addWidget(words);
    }
    fit_ = empty_label("operation_fit", this);
    make_heading(*fit_);
    column->addWidget(fit_);
    column->addWidget(needs_);
    column->addStretch(1);
    column->addWidget(buttons_);
    form_->on_changed = [this] { show_needs(); };
    form_->setFocus();
    show_needs();
}

UserBinding OperationDialog::binding() const {
    UserBinding binding;
    binding.kernel = kernel_;
    binding.operation = form_->text().toStdString();
    binding.assumption = form_->assumption().toStdString();
    return binding;
}

bool OperationDialog::is_new() const {
    const UserBinding now = binding();
    return now.operation != before_.operation || now.assumption != before_.assumption;
}

void OperationDialog::show_needs() {
    const std::string text = binding().operation;
    QString by_pipe;
    const Result<OperationModel> model = model_for(text, launch_, by_pipe);
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(text.empty() || model.has_value());
    intensity_.reset();
    if (model && work_unit_of(*model) == unit_) intensity_ = model->intensity().value();
    emit intensity_changed(intensity_);
    QString needs = before_.operation.empty() ? QString() : tr("What was said before is taken back.");
    if (!text.empty()) needs = model ? notes_of(*model) : to_qt(to_line(model.error()));
    show_figures(model ? &*model : nullptr);
    if (!by_pipe.isEmpty()) needs += QLatin1Char('\n') + by_pipe;
    if (const QString rests_on = form_->assumption(); !rests_on.isEmpty())
        needs += QLatin1Char('\n') + tr("It is assumed that %1.").arg(rests_on);
    if (text.empty() && !follows_)
        needs = tr("No operation follows from what was measured: choose one and type its sizes.");
    const auto above = model ? above_roof_with(point_, *model, analysis_->options.thresholds) : std::nullopt;
    if (above)
        needs +=
            QLatin1Char('\n') +
            tr("With this work the kernel would stand %1 above its roof: are these the sizes of one launch?")
                .arg(to_qt(format_factor(*above)));
    needs_->show_text(needs.trimmed());
    if (isVisible()) fit_height();
}

void OperationDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    fitted_height_ = height();
    fit_height();
}

/// A height that a person gave grows only.
void OperationDialog::fit_height() {
    const int needed = std::min(layout()->totalHeightForWidth(width()), most_height);
    if (needed > height() || height() == fitted_height_) resize(width(), fitted_height_ = needed);
}

void OperationDialog::show_figures(const OperationModel* model) {
    while (const QLayoutItem* before = figures_->itemAt(0)) {
        delete before->widget();  // takes its item along
    }
    QWidget* grid = make_fact_grid(needs_beside_measured(model, point_, unit_), this);
    name_control(*grid, "operation_figures", tr("Needed and measured"));
    figures_->addWidget(grid);
    grid->show();  // counts in the height that is needed
    const bool comparable = model && work_unit_of(*model) == unit_;
    const std::optional<KernelPoint> would_be =
        comparable ? std::optional(with_operation(point_, *model)) : std::nullopt;
    const QString contradiction = would_be ? contradiction_of(*would_be) : QString();
    const bool agrees = would_be && contradiction.isEmpty();
    fit_->show_text(agrees ? distance_of(*would_be, has_inexact_intensity(point_, MemoryLevel::hbm))
                           : contradiction);
}

void ask_for_operation(Document& document, RooflineChart& chart, QUndoStack& changes, QWidget* window) {
    OperationDialog dialog(document, *document.selected_point(), window);
    chart.set_intensity_mark(dialog.intensity());
    QObject::connect(&dialog, &OperationDialog::intensity_changed, &chart,
                     &RooflineChart::set_intensity_mark);
    const bool agreed = ask_about(document, dialog) && dialog.is_new();
    chart.set_intensity_mark(std::nullopt);
    if (!agreed) return;
    say_of_kernel(document, changes, dialog.binding());
}

QString bind_typed_operation(Document& document, QUndoStack& changes, const QString& text) {
    const KernelPoint* point = document.selected_point();
    if (!point) return {};
    const std::string operation = text.trimmed().toStdString();
    if (const auto model = model_operation(operation); !model) return to_qt(to_line(model.error()));
    say_of_kernel(document, changes,
                  {.kernel = kernel_of(document, *point), .launch = {}, .operation = operation});
    return {};
}

void accept_suggestion(Document& document, QUndoStack& changes) {
    const KernelPoint* point = document.selected_point();
    if (!point) return;
    const std::string kernel = kernel_of(document, *point);
    if (!document.analysis()->options.launch_operations) return;
    Bindings bindings = document.spec().bindings;
    for (const Suggestion& suggestion : found_for(document, kernel, suggest_for_kernel))
        for (const UserBinding& accepted : bindings_of(suggestion))
            bindings.user.push_back(accepted);
    change_bindings(document, changes, std::move(bindings), kernel);
}

}  // namespace roofwalk
