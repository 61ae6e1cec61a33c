// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/program_fields.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFileSystemModel>
#include <QFormLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

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

enum Column : std::uint8_t { process_column, name_column, state_column, command_column };
constexpr int list_height = 120;

QString way_to(const RunningProgram& program) {
    if (!program.obstacle) return ProgramList::tr("yes");
    return program.no_injection ? ProgramList::tr("no") : ProgramList::tr("with gdb");
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
            return unexpected(ErrorCode::bad_argument,
                              tr("This line sets no variable: %1").arg(line).toStdString(), "Environment",
                              "Write NAME=value, one a line.");
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
        return unexpected(ErrorCode::bad_argument, "No program is named.", {},
                          "Type the program and its arguments.");
    launch.pytorch_ranges = pytorch_->isChecked();
    launch.directory = folder_->text().trimmed().toStdString();
    return variables().map([&](auto set) {
        launch.environment = std::move(set);
        return launch;
    });
}

ProgramList::ProgramList(QWidget* parent) : QWidget(parent) {
    list_ = new QTreeWidget(this);
    name_control(*list_, "record_programs", tr("Programs that hold a GPU"));
    list_->setHeaderLabels({tr("Process"), tr("Program"), tr("Attach"), tr("Command")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setFixedHeight(list_height);
    list_->setAllColumnsShowFocus(true);
    list_->header()->setStretchLastSection(true);
    obstacle_ = empty_label("record_attach_obstacle", this);
    restart_ = new QPushButton(tr("Start it anew instead…"), this);
    restart_->setObjectName("record_restart");
    auto* again = new QPushButton(tr("Look again"), this);
    again->setObjectName("record_look_again");

    setFocusProxy(list_);
    make_injection();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(list_);
    column->addWidget(obstacle_);
    column->addWidget(injection_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(again);
    buttons->addWidget(restart_);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
        show_obstacle();
        emit changed();
    });
    connect(again, &QPushButton::clicked, this, &ProgramList::look_again_requested);
    connect(restart_, &QPushButton::clicked, this, [this] {
        if (const RunningProgram* program = chosen()) emit restart_requested(program->again);
    });
    show_programs({});
}

void ProgramList::make_injection() {
    injection_ = new QWidget(this);
    inject_ = new QCheckBox(tr("&Load an agent into it as it runs, with gdb"), injection_);
    inject_->setObjectName("record_inject");
    injection_note_ = empty_label("record_injection_note", injection_);
    injection_note_->setForegroundRole(QPalette::PlaceholderText);
    auto* try_it = new QPushButton(tr("Try it on a process of our own"), injection_);
    try_it->setObjectName("record_try_injection");
    trial_ = empty_label("record_trial", injection_);
    auto* trial = new QHBoxLayout;
    trial->addWidget(try_it);
    trial->addWidget(trial_, 1);
    auto* column = new QVBoxLayout(injection_);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(inject_);
    column->addWidget(injection_note_);
    column->addLayout(trial);
    connect(inject_, &QCheckBox::toggled, this, &ProgramList::changed);
    connect(try_it, &QPushButton::clicked, this, [this] {
        show_trial(tr("Trying…"));
        emit trial_requested();
    });
}

void ProgramList::show_trial(const QString& outcome) {
    trial_->set_text(outcome);
}

void ProgramList::show_programs(std::vector<RunningProgram> programs) {
    const RunningProgram* before = chosen();
    const std::optional<std::uint32_t> kept = before ? std::optional(before->process) : std::nullopt;
    {
        const QSignalBlocker quiet(list_);
        list_->clear();
        programs_ = std::move(programs);
        for (const RunningProgram& program : programs_) {
            auto* item = new QTreeWidgetItem(list_, {QString::number(program.process), to_qt(program.name),
                                                     way_to(program), to_qt(program.command)});
            set_tooltip(*item, command_column, to_qt(program.command));
            if (kept == program.process) list_->setCurrentItem(item);
        }
        for (const Column column : {process_column, name_column, state_column})
            list_->resizeColumnToContents(column);
    }
    show_obstacle();
    emit changed();
}

const RunningProgram* ProgramList::chosen() const {
    QTreeWidgetItem* item = list_->currentItem();
    const int row = item ? list_->indexOfTopLevelItem(item) : -1;
    return row >= 0 && static_cast<std::size_t>(row) < programs_.size()
               ? &programs_[static_cast<std::size_t>(row)]
               : nullptr;
}

std::optional<std::uint32_t> ProgramList::process() const {
    const RunningProgram* program = chosen();
    if (!program || (program->obstacle && !injects())) return std::nullopt;
    return program->process;
}

bool ProgramList::injects() const {
    const RunningProgram* program = chosen();
    return program && program->obstacle && !program->no_injection && inject_->isChecked();
}

void ProgramList::show_injection() {
    const RunningProgram* program = chosen();
    injection_->setVisible(program && program->obstacle);
    if (!program) return;
    inject_->setEnabled(!program->no_injection);
    injection_note_->set_text(
        program->no_injection
            ? to_qt(to_line(*program->no_injection))
            : tr("A program that is stopped at a bad moment may not survive it. The agent stays in the program "
                 "until it ends."));
}

void ProgramList::show_obstacle() {
    const RunningProgram* program = chosen();
    restart_->setVisible(program && program->obstacle && !program->again.command.empty());
    if (programs_.empty())
        obstacle_->set_text(tr("No program of this machine holds a GPU at the moment."));
    else if (!program)
        obstacle_->set_text(tr("Choose a program."));
    else
        obstacle_->set_text(program->obstacle ? to_qt(to_line(*program->obstacle)) : QString());
    obstacle_->setVisible(!obstacle_->text().isEmpty());
    show_injection();
}

}  // namespace roofwalk
