// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/launch_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFileSystemModel>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <algorithm>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr int variable_lines = 2;

/// Completes the path of a file or folder as it is typed.
QCompleter* path_completer(QObject* parent, QDir::Filters filters) {
    auto* completer = new QCompleter(parent);
    auto* files = new QFileSystemModel(completer);
    files->setFilter(filters);
    files->setRootPath({});
    completer->setModel(files);
    return completer;
}

}  // namespace

QString command_line(const std::vector<std::string>& command) {
    QStringList words;
    for (const std::string& argument : command) {
        QString word = to_qt(argument);
        const bool plain =
            !word.isEmpty() && std::ranges::none_of(word, [](QChar c) { return c.isSpace() || c == u'"'; });
        if (!plain) word = u'"' + word.replace(u'"', QStringLiteral("\"\"\"")) + u'"';
        words.append(word);
    }
    return words.join(u' ');
}

LaunchFields::LaunchFields(QWidget* parent) : QWidget(parent) {
    command_ = new QComboBox(this);
    name_control(*command_, "record_command", tr("Program and arguments"));
    command_->setEditable(true);
    command_->setInsertPolicy(QComboBox::NoInsert);
    command_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    command_->setMinimumContentsLength(30);
    command_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    command_->lineEdit()->setPlaceholderText(tr("./my_program --size 4096"));
    command_->setCompleter(path_completer(command_, QDir::AllDirs | QDir::Files | QDir::NoDotAndDotDot));
    folder_ = new QLineEdit(this);
    name_control(*folder_, "record_folder", tr("Folder it runs in"));
    folder_->setPlaceholderText(QDir::currentPath());
    folder_->setCompleter(path_completer(folder_, QDir::AllDirs | QDir::NoDotAndDotDot));
    variables_ = new QPlainTextEdit(this);
    name_control(*variables_, "record_variables", tr("Environment variables, one NAME=value a line"));
    variables_->setPlaceholderText(tr("NAME=value, one a line"));
    variables_->setTabChangesFocus(true);
    variables_->setFixedHeight(variables_->fontMetrics().lineSpacing() * variable_lines + 14);

    through_ = new QLineEdit(this);
    name_control(*through_, "record_through", tr("Command that starts it on another machine"));
    through_->setPlaceholderText(tr("none, it runs here; or a command such as ssh node"));
    set_tooltip(
        *through_,
        tr("Roofwalk must be installed there. Where it is not on the PATH, this ends with the path of its program. "
           "Folder and environment are those of that machine."));

    pytorch_ = new QCheckBox(tr("Write which &operators of PyTorch ran, with their sizes"), this);
    pytorch_->setObjectName("record_pytorch");
    auto* what = new TextLabel(
        tr("For Python programs: a variable has PyTorch write NVTX ranges, which bind its kernels to operations. The "
           "program is not changed, and without PyTorch nothing happens."),
        this);
    what->setObjectName("record_pytorch_note");
    what->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);

    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("&Program and arguments"), command_);
    form->addRow(tr("&Folder"), folder_);
    form->addRow(tr("&Environment"), variables_);
    form->addRow(tr("&Other machine"), through_);
    form->addRow(tr("PyTorch"), pytorch_);
    form->addRow(what);
    setFocusProxy(command_);
    connect(command_, &QComboBox::editTextChanged, this, &LaunchFields::changed);
    connect(folder_, &QLineEdit::textChanged, this, &LaunchFields::changed);
    connect(variables_, &QPlainTextEdit::textChanged, this, &LaunchFields::changed);
    connect(through_, &QLineEdit::textChanged, this, &LaunchFields::changed);
    connect(pytorch_, &QCheckBox::toggled, this, &LaunchFields::changed);
}

int LaunchFields::label_width() const {
    const auto* form = static_cast<const QFormLayout*>(layout());
    return form->labelForField(command_)->sizeHint().width();
}

void LaunchFields::set_history(const QStringList& commands) {
    const QString typed = command_->currentText();
    command_->clear();
    command_->addItems(commands);
    command_->setEditText(typed);
}

void LaunchFields::set_launch(const ProgramStart& launch) {
    command_->setEditText(command_line(launch.command));
    folder_->setText(to_qt(launch.directory.string()));
    through_->setText(command_line(launch.through));
    pytorch_->setChecked(launch.pytorch_ranges);
    QStringList lines;
    for (const auto& [name, value] : launch.environment)
        lines.append(to_qt(name) + u'=' + to_qt(value));
    variables_->setPlainText(lines.join(u'\n'));
}

bool LaunchFields::elsewhere() const {
    return !through_->text().trimmed().isEmpty();
}

QString LaunchFields::command() const {
    return command_->currentText().trimmed();
}

Result<std::vector<std::pair<std::string, std::string>>> LaunchFields::variables() const {
    std::vector<std::pair<std::string, std::string>> variables;
    const QStringList lines = variables_->toPlainText().split(u'\n', Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        const auto equals = line.indexOf(u'=');
        if (equals <= 0)
            return tl::unexpected(
                Error{ErrorCode::bad_argument, tr("This line sets no variable: %1").arg(line).toStdString(),
                      tr("Environment").toStdString(), tr("Write NAME=value, one a line.").toStdString()});
        variables.emplace_back(line.left(equals).trimmed().toStdString(), line.mid(equals + 1).toStdString());
    }
    return variables;
}

Result<ProgramStart> LaunchFields::launch() const {
    ProgramStart launch;
    for (const QString& word : QProcess::splitCommand(through_->text()))
        launch.through.push_back(word.toStdString());
    for (const QString& word : QProcess::splitCommand(command()))
        launch.command.push_back(word.toStdString());
    if (launch.command.empty())
        return tl::unexpected(Error{ErrorCode::bad_argument,
                                    tr("No program is named.").toStdString(),
                                    {},
                                    tr("Type the program and its arguments.").toStdString()});
    launch.pytorch_ranges = pytorch_->isChecked();
    launch.directory = folder_->text().trimmed().toStdString();
    return variables().map([&](auto set) {
        launch.environment = std::move(set);
        return launch;
    });
}

}  // namespace roofwalk
