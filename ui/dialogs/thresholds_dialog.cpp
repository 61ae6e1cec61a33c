// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/thresholds_dialog.h"

#include <QGridLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QUndoStack>
#include <QVBoxLayout>

#include "ui/dialogs/ask_about.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

namespace {

constexpr QSize thresholds_usual_size(860, 560);
constexpr AdviceThresholds usual;

enum Column : std::uint8_t { name, value, unit, usual_value, put_back, meaning };

}  // namespace

ThresholdsDialog::ThresholdsDialog(const AdviceThresholds& thresholds, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Thresholds of the advice"));
    setAccessibleName(windowTitle());
    resize(thresholds_usual_size);
    auto* area = new QScrollArea(this);
    area->setAccessibleName(windowTitle());
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto* content = new QWidget(area);
    auto* rows = new QGridLayout(content);
    rows->setHorizontalSpacing(12);
    rows->setColumnStretch(meaning, 1);
    const QStringList headings{tr("Name"), tr("Value"), tr("Unit"), tr("Usual"), {}, tr("Meaning")};
    for (int column = 0; column < headings.size(); ++column) {
        auto* heading = new PlainLabel(headings[column], content);
        heading->setForegroundRole(QPalette::PlaceholderText);
        rows->addWidget(heading, 0, column);
    }
    for (const ThresholdSpec& spec : advice_threshold_specs())
        add_row(*rows, spec, thresholds.*spec.member);
    rows->setRowStretch(rows->rowCount(), 1);
    area->setWidget(content);
    auto* buttons = make_buttons(
        *this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
    QPushButton* all = buttons->button(QDialogButtonBox::RestoreDefaults);
    all->setText(tr("Put all back"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(area, 1);
    column->addWidget(buttons);
    connect(all, &QPushButton::clicked, this, &ThresholdsDialog::put_back_all);
}

void ThresholdsDialog::add_row(QGridLayout& rows, const ThresholdSpec& spec, double number) {
    QWidget* content = rows.parentWidget();
    const int row = rows.rowCount();
    const QString id = to_qt(spec.id);
    const double usually = usual.*spec.member;
    auto* box = new NumberBox(tr("%1: %2 [%3]").arg(id, to_qt(spec.meaning), to_qt(spec.unit)), content);
    box->setObjectName(QStringLiteral("threshold_") + id);
    box->setRange(0, spec.highest);
    box->set_number(number);
    auto* back = new QPushButton(tr("Put back"), content);
    name_control(*back, QStringLiteral("put_back_") + id, tr("Put %1 back to what is usual").arg(id));
    back->setAutoDefault(false);
    const auto follow = [box, back, usually] { back->setEnabled(box->number() != usually); };
    connect(box, &NumberBox::valueChanged, back, follow);
    connect(back, &QPushButton::clicked, box, [box, usually] { box->set_number(usually); });
    follow();
    auto* words = new PlainLabel(to_qt(spec.meaning), content);
    words->setWordWrap(true);
    rows.addWidget(new PlainLabel(id, content), row, name);
    rows.addWidget(box, row, value);
    rows.addWidget(new PlainLabel(to_qt(spec.unit), content), row, unit);
    rows.addWidget(new PlainLabel(box->textFromValue(usually), content), row, usual_value);
    rows.addWidget(back, row, put_back);
    rows.addWidget(words, row, meaning);
    values_.push_back(box);
}

void ThresholdsDialog::put_back_all() {
    const auto specs = advice_threshold_specs();
    for (std::size_t i = 0; i < specs.size(); ++i)
        values_[i]->set_number(usual.*specs[i].member);
}

AdviceThresholds ThresholdsDialog::thresholds() const {
    AdviceThresholds thresholds;
    const auto specs = advice_threshold_specs();
    for (std::size_t i = 0; i < specs.size(); ++i)
        thresholds.*specs[i].member = values_[i]->number();
    return thresholds;
}

void ask_for_thresholds(Document& document, QUndoStack& changes, QWidget* window) {
    ThresholdsDialog dialog(document.spec().thresholds, window);
    if (ask_about(document, dialog) && dialog.thresholds() != document.spec().thresholds)
        changes.push(new SpecChange(document, &WorkspaceSpec::thresholds, dialog.thresholds(),
                                    ThresholdsDialog::tr("thresholds of the advice")));
}

}  // namespace roofwalk
