// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/move_dialog.h"

#include <QComboBox>
#include <QFormLayout>
#include <QPushButton>
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
                       std::optional<PresetPreview> before, QWidget* parent)
    : QDialog(parent), move_(move), before_(std::move(before)), thresholds_(options.thresholds) {
    if (row != nullptr && row->step != nullptr) kernel_ = Kernel{row->kernel->model, row->step->before};
    setWindowTitle(tr("Change of a kernel"));
    setAccessibleName(windowTitle());
    auto* column = new QVBoxLayout(this);
    const QString kernel = to_qt(shorten_kernel_name(move.kernel.name, move_name_chars));
    column->addWidget(new TextLabel(tr("%1: factors of what earlier moves left of it").arg(kernel), this));
    auto* form = new QFormLayout;
    const Preset* preset = find_preset(move.preset);
    if (before_ && move.number && preset != nullptr && preset->parameter && !preset->for_all_chosen)
        add_number(*form, *preset->parameter);
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
    buttons_ = make_buttons(*this);
    column->addWidget(buttons_);
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

void MoveDialog::add_number(QFormLayout& form, const PresetParameter& parameter) {
    const auto made = before_->moves(*find_preset(move_.preset), move_.number);
    renamed_ = !made || made->front().move.name != move_.name;
    number_ = new NumberBox(to_qt(parameter.meaning), this);
    number_->setObjectName("preset_number");
    number_->setRange(parameter.least, parameter.most);
    number_->set_number(*move_.number);
    form.addRow(to_qt(parameter.name), number_);
    form.addRow(new TextLabel(tr("%1; %2 to %3")
                                  .arg(to_qt(parameter.meaning), to_qt(parameter.format(parameter.least)),
                                       to_qt(parameter.format(parameter.most))),
                              this));
    connect(number_, &QDoubleSpinBox::valueChanged, this, &MoveDialog::use_number);
}

/// The factors that the preset makes of it.
void MoveDialog::use_number() {
    const auto made = before_->moves(*find_preset(move_.preset), number_->number());
    refused_ = made ? QString() : to_qt(to_line(made.error()));
    if (made) {
        Move changed = made->front().move;
        changed.kernel = move_.kernel;
        changed.on = move_.on;
        changed.beyond_model = move_.beyond_model;
        changed.unknown_members = move_.unknown_members;
        if (renamed_) changed.name = move_.name;
        move_ = std::move(changed);
        show_factors();
    }
    show_gains();
}

void MoveDialog::show_factors() {
    for (const MemoryLevel level : all_levels)
        bytes_[level]->set_number(move_.bytes[level]);
    work_->set_number(move_.work);
    rule_->setCurrentIndex(rule_->findData(static_cast<int>(move_.time_rule)));
    time_->set_number(move_.time);
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
        move.number.reset();
        move.name = tr("%1, edited").arg(to_qt(title_of(move_))).toStdString();
    }
    return move;
}

void MoveDialog::show_gains() {
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(refused_.isEmpty());
    if (!refused_.isEmpty()) return gains_->set_text(refused_);
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
