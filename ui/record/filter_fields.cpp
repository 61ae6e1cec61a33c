// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/record/filter_fields.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr int most_launches = 1'000'000'000;

QString joined(const std::vector<std::string>& patterns) {
    QStringList list;
    for (const std::string& pattern : patterns)
        list.append(to_qt(pattern));
    return list.join(QStringLiteral(", "));
}

std::vector<std::string> separated(const QString& text) {
    std::vector<std::string> patterns;
    for (const QString& pattern : text.split(u',', Qt::SkipEmptyParts))
        if (const QString word = pattern.trimmed(); !word.isEmpty()) patterns.push_back(word.toStdString());
    return patterns;
}

QLineEdit* pattern_field(const char* name, const QString& spoken, const QString& placeholder,
                         QWidget* parent) {
    auto* field = new QLineEdit(parent);
    field->setObjectName(name);
    field->setAccessibleName(spoken);
    field->setPlaceholderText(placeholder);
    return field;
}

QSpinBox* launch_box(const char* name, const QString& spoken, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setAccessibleName(spoken);
    box->setRange(0, most_launches);
    box->setGroupSeparatorShown(true);
    return box;
}

}  // namespace

FilterFields::FilterFields(QWidget* parent)
    : QWidget(parent),
      kernels_(pattern_field("record_kernels", tr("Only kernels named like"),
                             tr("all; * stands for any letters, a comma between several"), this)),
      except_(pattern_field("record_except", tr("But not kernels named like"), tr("none"), this)),
      ranges_(pattern_field("record_ranges", tr("Only inside of NVTX ranges"), tr("everywhere"), this)),
      skip_(launch_box("record_skip", tr("Launches left out first"), this)),
      count_(launch_box("record_count", tr("Launches recorded then"), this)) {
    count_->setSpecialValueText(tr("all"));
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Only &kernels"), kernels_);
    form->addRow(tr("But &not"), except_);
    form->addRow(tr("Only in NVTX &ranges"), ranges_);
    auto* counts = new QHBoxLayout;
    counts->addWidget(skip_);
    counts->addWidget(new PlainLabel(tr("then record"), this));
    counts->addWidget(count_);
    counts->addStretch(1);
    auto* label = new PlainLabel(tr("&Skip launches"), this);
    label->setBuddy(skip_);
    form->addRow(label, counts);
    set_filter({});
}

void FilterFields::set_filter(const LaunchFilter& filter) {
    kernels_->setText(joined(filter.kernels));
    except_->setText(joined(filter.except));
    ranges_->setText(joined(filter.nvtx_ranges));
    const auto shown = [](std::uint64_t launches) {
        return static_cast<int>(std::min<std::uint64_t>(launches, most_launches));
    };
    skip_->setValue(shown(filter.skip));
    count_->setValue(shown(filter.count.value_or(0)));
}

LaunchFilter FilterFields::filter() const {
    LaunchFilter filter;
    filter.kernels = separated(kernels_->text());
    filter.except = separated(except_->text());
    filter.nvtx_ranges = separated(ranges_->text());
    filter.skip = static_cast<std::uint64_t>(skip_->value());
    if (count_->value() > 0) filter.count = static_cast<std::uint64_t>(count_->value());
    return filter;
}

}  // namespace roofwalk
