// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/preset_dialog.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/model/kernel_name.h"
#include "ui/dialogs/ask_about.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"

namespace roofwalk {

namespace {

constexpr std::size_t preset_name_chars = 72;
constexpr int preset_usual_width = 480;
constexpr int preset_gains_lines = 6;  // the dialog does not change its size while a number is typed
constexpr double bytes_in_a_megabyte = 1e6;

}  // namespace

PresetDialog::PresetDialog(const Preset& preset, PresetPreview subject, QWidget* parent)
    : QDialog(parent), preset_(preset), subject_(std::move(subject)) {
    setWindowTitle(to_qt(preset.label));
    setAccessibleName(windowTitle());
    auto* column = new QVBoxLayout(this);
    const QString kernel = to_qt(shorten_kernel_name(subject_.kernel().name, preset_name_chars));
    column->addWidget(
        new TextLabel(tr("%1 (%2)", "kernel, where to").arg(kernel, to_qt(label_of(preset.axis))), this));
    assumption_ = new TextLabel({}, this);
    column->addWidget(assumption_);
    if (preset.parameter) add_parameter(*column, *preset.parameter);
    gains_ = empty_label("preset_gains", this);
    gains_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    gains_->setMinimumHeight(preset_gains_lines * fontMetrics().lineSpacing());
    gains_->setMinimumWidth(preset_usual_width);
    column->addWidget(gains_);
    column->addStretch(1);
    buttons_ = make_buttons(*this);
    buttons_->button(QDialogButtonBox::Ok)->setText(tr("&Add the move"));
    column->addWidget(buttons_);
    show_gains();
}

void PresetDialog::add_parameter(QVBoxLayout& column, const PresetParameter& parameter) {
    number_ = new NumberBox(to_qt(parameter.meaning), this);
    number_->setObjectName("preset_number");
    const double unit = parameter.in_bytes ? bytes_in_a_megabyte : 1;
    number_->setRange(parameter.usual ? parameter.least / unit : 0, parameter.most / unit);
    if (parameter.in_bytes) number_->setSuffix(tr(" MB"));
    if (!parameter.usual) number_->setSpecialValueText(tr("as the profile suggests"));
    number_->setValue(parameter.usual.value_or(0) / unit);
    auto* name = new PlainLabel(to_qt(parameter.name), this, number_);
    auto* row = new QHBoxLayout;
    row->addWidget(name);
    row->addWidget(number_);
    row->addStretch(1);
    column.addLayout(row);
    auto* meaning = new TextLabel(tr("%1; %2 to %3")
                                      .arg(to_qt(parameter.meaning), to_qt(parameter.format(parameter.least)),
                                           to_qt(parameter.format(parameter.most))),
                                  this);
    meaning->setForegroundRole(QPalette::PlaceholderText);
    column.addWidget(meaning);
    connect(number_, &QDoubleSpinBox::valueChanged, this, &PresetDialog::show_gains);
}

std::optional<double> PresetDialog::parameter() const {
    const bool left_to_the_profile =
        number_ == nullptr || (!preset_.parameter->usual && number_->value() <= 0);
    if (left_to_the_profile) return std::nullopt;
    return number_->value() * (preset_.parameter->in_bytes ? bytes_in_a_megabyte : 1);
}

void PresetDialog::show_gains() {
    const Result<std::vector<OfferedMove>> moves = subject_.moves(preset_, parameter());
    buttons_->button(QDialogButtonBox::Ok)->setEnabled(moves.has_value());
    moves_ = moves ? *moves : std::vector<OfferedMove>();
    assumption_->set_text(tr("What must hold: %1")
                              .arg(moves_.empty()
                                       ? to_qt(with_memory_name(subject_.kernel().memory, preset_.assumption))
                                       : to_qt(moves_.front().move.assumption)));
    gains_->set_text(moves ? subject_.gains(moves_).join('\n') : to_qt(to_line(moves.error())));
}

}  // namespace roofwalk
