// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/program_list.h"

#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <utility>

#include "ui/panels/text_label.h"
#include "ui/qt_text.h"

namespace roofwalk {

namespace {

enum Column : std::uint8_t { process_column, name_column, state_column, command_column };
constexpr int list_height = 120;

}  // namespace

ProgramList::ProgramList(QWidget* parent) : QWidget(parent) {
    list_ = new QTreeWidget(this);
    list_->setObjectName("record_programs");
    list_->setAccessibleName(tr("Programs that hold a GPU"));
    list_->setHeaderLabels({tr("Process"), tr("Program"), tr("Attach"), tr("Command")});
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setMinimumHeight(list_height);
    list_->header()->setStretchLastSection(true);
    obstacle_ = new TextLabel({}, this);
    obstacle_->setObjectName("record_attach_obstacle");
    restart_ = new QPushButton(tr("Start it anew instead…"), this);
    restart_->setObjectName("record_restart");
    auto* again = new QPushButton(tr("Look again"), this);
    again->setObjectName("record_look_again");

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(list_);
    column->addWidget(obstacle_);
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

void ProgramList::show_programs(std::vector<RunningProgram> programs) {
    const RunningProgram* before = chosen();
    const std::optional<std::uint32_t> kept = before ? std::optional(before->process) : std::nullopt;
    {
        const QSignalBlocker quiet(list_);
        list_->clear();
        programs_ = std::move(programs);
        for (const RunningProgram& program : programs_) {
            auto* item =
                new QTreeWidgetItem(list_, {QString::number(program.process), to_qt(program.name),
                                            program.obstacle ? tr("no") : tr("yes"), to_qt(program.command)});
            item->setToolTip(command_column, to_qt(program.command));
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
    if (!program || program->obstacle) return std::nullopt;
    return program->process;
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
}

}  // namespace roofwalk
