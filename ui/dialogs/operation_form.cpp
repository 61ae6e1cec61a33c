// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/operation_form.h"

#include <QClipboard>
#include <QComboBox>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "core/operations/op_registry.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr int operation_usual_width = 560;
constexpr int field_width = 150;
constexpr int fields_shown = 10;  // the others are scrolled to

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

OperationForm::OperationForm(const std::vector<Suggestion>& suggestions, const QString& text, QWidget* parent)
    : QWidget(parent) {
    choice_ = new QComboBox(this);
    choice_->setObjectName("operation_choice");
    choice_->setAccessibleName(tr("Kind of operation"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    add_choices(suggestions);
    area_ = new QScrollArea(this);
    area_->setWidgetResizable(true);
    area_->setFrameShape(QFrame::NoFrame);
    area_->setAccessibleName(tr("Parameters"));
    area_->setMinimumHeight(fields_shown * (choice_->sizeHint().height() + 4));
    text_ = new QLineEdit(text, this);
    text_->setObjectName("operation");
    text_->setAccessibleName(tr("Operation as text"));
    text_->setPlaceholderText(QStringLiteral("gemm m=4096 n=4096 k=4096 dtype=fp16"));
    text_->setClearButtonEnabled(true);
    text_->setMinimumWidth(operation_usual_width);
    auto* copy = new QPushButton(tr("&Copy"), this);
    copy->setObjectName("copy_operation");
    copy->setAccessibleName(tr("Copy the text"));
    copy->setAutoDefault(false);
    auto* as_text = new PlainLabel(tr("As &text, which commands and rules take too:"), this);
    as_text->setBuddy(text_);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->addWidget(choice_);
    column->addWidget(area_, 1);
    column->addWidget(as_text);
    auto* row = new QHBoxLayout;
    row->addWidget(text_, 1);
    row->addWidget(copy);
    column->addLayout(row);
    setFocusProxy(text_);
    connect(choice_, &QComboBox::activated, this, &OperationForm::choose);
    connect(text_, &QLineEdit::textChanged, this, &OperationForm::read_text);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(this->text()); });
    make_fields(nullptr);
    read_text();
}

QString OperationForm::text() const {
    return text_->text().trimmed();
}

/// The data of a row is what it begins with: the whole operation of a suggestion, else a name.
void OperationForm::add_choices(const std::vector<Suggestion>& suggestions) {
    choice_->addItem(tr("No operation"), QString());
    for (const Suggestion& suggestion : suggestions) {
        choice_->addItem(tr("%1: its numbers agree").arg(to_qt(shown_operation(suggestion.operation))),
                         to_qt(suggestion.operation));
        choice_->setItemData(choice_->count() - 1, tooltip_text(to_qt(suggestion.why)), Qt::ToolTipRole);
    }
    choice_->insertSeparator(choice_->count());
    for (const OperationSpec* spec : operations())
        choice_->addItem(tr("%1: %2").arg(to_qt(spec->name), to_qt(spec->summary)), to_qt(spec->name));
}

void OperationForm::choose(int row) {
    const QString chosen = choice_->itemData(row).toString();
    const OperationSpec* spec = find_operation(chosen.toStdString());
    if (!spec) return text_->setText(chosen);
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
    emit changed();
}

void OperationForm::show_choice() {
    int row = choice_->findData(text());
    if (row < 0 && spec_) row = choice_->findData(to_qt(spec_->name));
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
        editor->setObjectName(QStringLiteral("field_") + to_qt(parameter.name));
        editor->setAccessibleName(tr("%1: %2").arg(to_qt(parameter.name), to_qt(parameter.meaning)));
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

}  // namespace roofwalk
