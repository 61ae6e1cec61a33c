// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/projection_panel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>
#include <utility>

#include "core/report/comparison_table.h"
#include "ui/panels/device_choice.h"
#include "ui/panels/point_table.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/table_model.h"
#include "ui/widgets/text_label.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr QSize projection_usual_size(1000, 170);

/// One row for each kernel, in their ranking.
void show_changes(const std::shared_ptr<const DeviceProjection>& projection, TableModel& model) {
    if (!projection) return model.set_lines({}, {});
    const ProjectedKernels& projected = projection->projected;
    std::vector<std::optional<std::uint32_t>> points;
    for (const ProjectedKernel& kernel : projected.kernels)
        points.emplace_back(kernel.point);
    const AnalysedProfile run{projection->profile.get(), projection->analysis.get()};
    const auto line_of = [projection](std::uint32_t row) {
        return ProjectionLine{&projection->projected, &projection->projected.kernels[row]};
    };
    model.set_lines(window_columns(projection_columns(run, {&projected, 1}), line_of), std::move(points));
}

}  // namespace

ProjectionPanel::ProjectionPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), model_(new TableModel(shown_name_length, this)) {
    setAccessibleName(tr("Another GPU"));
    devices_ = new DeviceChoice(tr("None"), this);
    name_control(*devices_, "other_device", tr("The other GPU"));
    devices_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* caption = new PlainLabel(tr("&Roofs of"), this, devices_);
    sentence_ = empty_label("projection_sentence", this);
    table_ = new PointTable(document_, *model_, this);
    name_control(*table_, "projection_kernels", tr("Kernels on the other GPU"));
    table_->horizontalHeader()->setAccessibleName(tr("Columns of the kernels on the other GPU"));

    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 6, 10, 4);
    head->addWidget(caption);
    head->addWidget(devices_);
    head->addSpacing(8);
    head->addWidget(sentence_, 1);
    auto* rows = new QHBoxLayout;
    rows->setContentsMargins(7, 0, 7, 0);  // so that cells begin where the words above do
    rows->addWidget(table_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addLayout(rows, 1);

    connect(devices_, &DeviceChoice::chosen, &document_, [this](const Device* device) {
        document_.change([&](WorkspaceSpec& spec) { set_other_device(spec, device); });
    });
    connect(devices_, &DeviceChoice::file_requested, this, &ProjectionPanel::device_file_requested);
    connect(&document_, &Document::options_changed, this, &ProjectionPanel::show_device);
    connect(&document_, &Document::projection_changed, this, &ProjectionPanel::show_roofs);
    show_device();
    show_roofs();
}

QSize ProjectionPanel::sizeHint() const {
    return projection_usual_size;
}

void ProjectionPanel::show_device() {
    devices_->show_device(other_device(document_.spec()));
}

void ProjectionPanel::show_roofs() {
    const std::shared_ptr<const DeviceProjection>& projection = document_.result().projection;
    show_changes(projection, *model_);
    table_->setVisible(projection != nullptr);
    sentence_->set_text(
        projection
            ? to_qt(projection_sentence(projection->projected)) + ' ' + to_qt(projection_basis)
            : tr("Choose a GPU to draw its roofs beside those of the kernels, and to see what would bind "
                 "each of them there."));
}

}  // namespace roofwalk
