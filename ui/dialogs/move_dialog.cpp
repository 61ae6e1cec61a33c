// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/move_dialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QVBoxLayout>

#include "core/model/kernel_name.h"
#include "core/scenario/move_words.h"
#include "ui/dialogs/ask_about.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr std::size_t move_name_chars = 72;
constexpr int usual_width = 440;
constexpr double least_typed = 0.0001;
constexpr double most_typed = 1e6;
constexpr int gains_lines = 6;

}  // namespace

MoveDialog::MoveDialog(const Move& move, const ScenarioRow* row, const AnalysisOptions& options,
                       QWidget* parent)
    : QDialog(parent), move_(move), thresholds_(options.thresholds) {
    if (row != nullptr && row->step != nullptr) kernel_ = Kernel{row->kernel->model, row->step->before};
    setWindowTitle(tr("Change of a kernel"));
    setAccessibleName(windowTitle());
    auto* column = new QVBoxLayout(this);
    const QString kernel = to_qt(shorten_kernel_name(move.kernel.name, move_name_chars));
    column->addWidget(new TextLabel(tr("%1: factors of what earlier moves left of it").arg(kernel), this));
    auto* form = new QFormLayout;
    for (const MemoryLevel level : all_levels)
        bytes_[level] =
            add_factor(*form, tr("%1 bytes").arg(to_qt(label_of(level, options.memory))), move.bytes[level]);
    work_ = add_factor(*form, tr("Work of every pipe"), move.work);
    rule_ = new QComboBox(this);
    rule_->setObjectName("time_rule");
    rule_->setAccessibleName(tr("How the time follows"));
    rule_->addItem(tr("keeps its efficiency"), static_cast<int>(MoveTime::keep_efficiency));
    rule_->addItem(tr("by a factor"), static_cast<int>(MoveTime::factor));
    rule_->addItem(tr("to the roof"), static_cast<int>(MoveTime::to_roof));
    rule_->setCurrentIndex(rule_->findData(static_cast<int>(move.time_rule)));
    form->addRow(tr("Time"), rule_);
    time_ = add_factor(*form, tr("Factor of the time"), move.time);
    column->addLayout(form);
    gains_ = empty_label("move_gains", this);
    gains_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    gains_->setMinimumSize(usual_width, gains_lines * fontMetrics().lineSpacing());
    column->addWidget(gains_);
    column->addStretch(1);
    auto* buttons = make_buttons(*this);
    column->addWidget(buttons);
    connect(rule_, &QComboBox::currentIndexChanged, this, &MoveDialog::show_gains);
    show_gains();
}

NumberBox* MoveDialog::add_factor(QFormLayout& form, const QString& name, double factor) {
    auto* box = new NumberBox(name, this);
    box->setRange(least_typed, most_typed);
    box->setSuffix(tr("x"));
    box->set_number(factor);
    form.addRow(name, box);
    connect(box, &QDoubleSpinBox::valueChanged, this, &MoveDialog::show_gains);
    return box;
}

Move MoveDialog::move() const {
    Move move = move_;
    for (const MemoryLevel level : all_levels)
        move.bytes[level] = bytes_[level]->number();
    move.work = work_->number();
    move.time_rule = static_cast<MoveTime>(rule_->currentData().toInt());
    move.time = time_->number();
    if (move != move_ && !move.preset.empty()) {  // its name would tell numbers that no longer hold
        move.preset.clear();
        move.name = tr("%1, edited").arg(to_qt(title_of(move_))).toStdString();
    }
    return move;
}

void MoveDialog::show_gains() {
    const Move changed = move();
    time_->setEnabled(changed.time_rule == MoveTime::factor);
    if (!kernel_)
        return gains_->set_text(tr("What it brings is known while the move is on and finds its kernel."));
    QStringList lines;
    const KernelState after = moved(kernel_->before, kernel_->model, changed);
    for (const std::string& line : gain_words(changed, kernel_->model, kernel_->before, after, thresholds_))
        lines.append(to_qt(line));
    gains_->set_text(lines.join('\n'));
}

}  // namespace roofwalk
