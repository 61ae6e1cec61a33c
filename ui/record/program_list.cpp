// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/program_list.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <utility>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

enum Column : std::uint8_t { process_column, name_column, state_column, command_column };
constexpr int list_height = 120;

QString way_to(const RunningProgram& program) {
    if (!program.obstacle) return ProgramList::tr("yes");
    return program.no_injection ? ProgramList::tr("no") : ProgramList::tr("with gdb");
}

}  // namespace

ProgramList::ProgramList(QWidget* parent) : QWidget(parent) {
    list_ = new QTreeWidget(this);
    name_control(*list_, "record_programs", tr("Programs that hold a GPU"));
    list_->setHeaderLabels({tr("Process"), tr("Program"), tr("Attach"), tr("Command")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setFixedHeight(list_height);
    list_->setAllColumnsShowFocus(true);
    list_->header()->setStretchLastSection(true);
    obstacle_ = new TextLabel({}, this);
    obstacle_->setObjectName("record_attach_obstacle");
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
    injection_note_ = new TextLabel({}, injection_);
    injection_note_->setObjectName("record_injection_note");
    injection_note_->setForegroundRole(QPalette::PlaceholderText);
    auto* try_it = new QPushButton(tr("Try it on a process of our own"), injection_);
    try_it->setObjectName("record_try_injection");
    trial_ = new TextLabel({}, injection_);
    trial_->setObjectName("record_trial");
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
