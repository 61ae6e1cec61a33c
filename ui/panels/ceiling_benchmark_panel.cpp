// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ceiling_benchmark_panel.h"
#include "core/devices/match_device.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/devices/ceiling_comparison.h"
#include "core/report/measured_facts.h"
#include "ui/panels/ceiling_benchmark_job.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/text_page_view.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

TextLabel* faint_label(const char* name, QWidget* parent) {
    auto* label = empty_label(name, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->hide();
    return label;
}

QString short_uuid(const std::string& uuid) {
    constexpr std::size_t first_group = 12;
    return to_qt(uuid.substr(0, first_group)) + (uuid.size() > first_group ? QStringLiteral("…") : QString());
}

struct Choice {
    QString text;
    QString data;
    QString tooltip = {};
};

/// Leaves a box that a person may have open alone where nothing changes.
void fill(QComboBox& box, const QList<Choice>& choices, const QString& chosen) {
    bool same = box.count() == choices.size();
    for (int i = 0; same && i < box.count(); ++i)
        same = box.itemText(i) == choices[i].text && box.itemData(i) == choices[i].data;
    if (!same) {
        box.clear();
        for (const Choice& choice : choices) {
            box.addItem(choice.text, choice.data);
            box.setItemData(box.count() - 1, tooltip_text(choice.tooltip), Qt::ToolTipRole);
        }
    }
    if (box.count() > 0) box.setCurrentIndex(std::max(0, box.findData(chosen)));
}

/// What is not known of a measurement that seems to hold.
QString doubt_words(const StoredCeilings& kept) {
    if (!kept.here) return CeilingBenchmarkPanel::tr(" Not compared with its GPU as it is now.");
    if (kept.not_compared.empty()) return {};
    QStringList names;
    for (const std::string& name : kept.not_compared)
        names << to_qt(name);
    return CeilingBenchmarkPanel::tr(" Not compared with its GPU as it is now: %1.").arg(names.join(", "));
}

QString words_of(const Error& error) {
    return to_qt(to_line(Error{error.code, error.what, {}, error.hint}));
}

}  // namespace

CeilingBenchmarkPanel::CeilingBenchmarkPanel(Document& document, CeilingBenchmarkJob& measurer,
                                             QWidget* parent)
    : QWidget(parent), document_(document), measurer_(measurer) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    make_choice(*column);
    make_buttons(*column);
    make_progress(*column);
    connect(&measurer_, &CeilingBenchmarkJob::changed, this, &CeilingBenchmarkPanel::show_document);
}

void CeilingBenchmarkPanel::make_choice(QVBoxLayout& column) {
    choice_ = new QComboBox(this);
    name_control(*choice_, "measured_choice", tr("Measured roofs that are used"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    set_tooltip(*choice_, tr("Reports of Nsight Compute do not name the UUID of their GPU: for them "
                             "measured roofs are used when you choose their GPU here."));
    connect(choice_, &QComboBox::activated, this, [this] {
        MeasuredUse use = document_.measured_use();
        use.choice = measured_choice_from(choice_->currentData().toString().toStdString());
        document_.set_measured_use(use);
    });
    state_ = faint_label("measured_state", this);
    column.addWidget(choice_);
    column.addWidget(state_);
}

void CeilingBenchmarkPanel::make_buttons(QVBoxLayout& column) {
    device_ = new QComboBox(this);
    name_control(*device_, "measured_device", tr("GPU to measure"));
    device_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    device_->hide();
    connect(device_, &QComboBox::activated, this, &CeilingBenchmarkPanel::show_document);
    measure_ = new QPushButton(tr("&Measure"), this);
    name_control(*measure_, "measure", tr("Measure the roofs of the GPU"));
    set_tooltip(*measure_, tr("Runs the benchmarks on this machine's GPU; about 10 seconds"));
    connect(measure_, &QPushButton::clicked, this,
            [this] { measurer_.measure(device_->currentData().toString().toStdString()); });
    auto* import_button = new QPushButton(tr("Import…"), this);
    name_control(*import_button, "import_measured", tr("Import measured roofs"));
    connect(import_button, &QPushButton::clicked, this, &CeilingBenchmarkPanel::import_requested);
    export_ = new QPushButton(tr("Export…"), this);
    name_control(*export_, "export_measured", tr("Export the measured roofs"));
    connect(export_, &QPushButton::clicked, this, &CeilingBenchmarkPanel::export_requested);
    obstacle_ = faint_label("measure_obstacle", this);
    look_again_ = new QPushButton(tr("Look again"), this);
    name_control(*look_again_, "look_for_gpus_again", tr("Look for GPUs again"));
    look_again_->hide();
    connect(look_again_, &QPushButton::clicked, &measurer_, &CeilingBenchmarkJob::look);
    auto* obstacle_row = new QHBoxLayout;
    obstacle_row->addWidget(obstacle_, 1);
    obstacle_row->addWidget(look_again_);
    auto* row = new QHBoxLayout;
    row->addWidget(measure_);
    row->addWidget(import_button);
    row->addWidget(export_);
    row->addStretch(1);
    column.addWidget(device_);
    column.addLayout(row);
    column.addLayout(obstacle_row);
}

void CeilingBenchmarkPanel::make_progress(QVBoxLayout& column) {
    progress_part_ = new QWidget(this);
    auto* progress = new QVBoxLayout(progress_part_);
    progress->setContentsMargins(0, 0, 0, 0);
    benchmark_ = empty_label("measured_benchmark", progress_part_);
    bar_ = new QProgressBar(progress_part_);
    name_control(*bar_, "measure_progress", tr("Progress of the measurement"));
    bar_->setTextVisible(false);
    cancel_ = new QPushButton(tr("Cancel"), progress_part_);
    name_control(*cancel_, "cancel_measuring", tr("Cancel the measurement"));
    connect(cancel_, &QPushButton::clicked, this, [this] {
        cancel_->setEnabled(false);
        measurer_.cancel();
    });
    auto* row = new QHBoxLayout;
    row->addWidget(bar_, 1);
    row->addWidget(cancel_);
    progress->addWidget(benchmark_);
    progress->addLayout(row);
    progress_part_->hide();
    outcome_ = faint_label("measured_outcome", this);
    fold_ = new QToolButton(this);
    fold_->setObjectName("measured_table");
    fold_->setCheckable(true);
    fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    fold_->setArrowType(Qt::RightArrow);
    fold_->setText(tr("Beside theory and published figures"));
    fold_->setAutoRaise(true);
    fold_->setFocusPolicy(Qt::StrongFocus);
    connect(fold_, &QToolButton::toggled, this, &CeilingBenchmarkPanel::show_facts);
    facts_ = new QWidget(this);
    facts_->setLayout(new QVBoxLayout);
    facts_->layout()->setContentsMargins(0, 0, 0, 0);
    notes_ = faint_label("measured_notes", facts_);
    facts_->layout()->addWidget(notes_);
    facts_->hide();
    for (QWidget* part :
         {progress_part_, static_cast<QWidget*>(outcome_), static_cast<QWidget*>(fold_), facts_})
        column.addWidget(part);
}

const StoredCeilings* CeilingBenchmarkPanel::stored_ceilings_in_use() const {
    const Device* device = drawn_device(document_.result(), document_.focus());
    if (device == nullptr) return nullptr;
    const StoredCeilings* found = nullptr;
    for (const StoredCeilings& kept : measurer_.kept()) {
        const bool of_board = !device->uuid.empty() && kept.measured->device.device.uuid == device->uuid;
        if (of_board && (found == nullptr || kept.stale.empty() || !found->stale.empty())) found = &kept;
    }
    return found;
}

const MeasuredCeilings* CeilingBenchmarkPanel::measured_ceilings_in_use() const {
    const Device* device = drawn_device(document_.result(), document_.focus());
    return device != nullptr ? measured_for(*device, document_.measured_use()) : nullptr;
}

std::shared_ptr<const MeasuredCeilings> CeilingBenchmarkPanel::subject() const {
    const MeasuredCeilings* used = measured_ceilings_in_use();
    for (const StoredCeilings& kept : measurer_.kept())
        if (kept.measured.get() == used) return kept.measured;
    if (const StoredCeilings* kept = stored_ceilings_in_use()) return kept->measured;
    return measurer_.newest();
}

void CeilingBenchmarkPanel::show_document() {
    if (!looked_ && measurer_.available()) {
        looked_ = true;
        measurer_.look();
    }
    show_choice();
    show_devices();
    show_progress();
    state_->show_text(state_words());
    export_->setEnabled(subject() != nullptr);
    show_facts();
}

void CeilingBenchmarkPanel::show_choice() {
    const Device* device = drawn_device(document_.result(), document_.focus());
    QList<Choice> choices{{tr("Used where they are of the same GPU"), QStringLiteral("own")},
                          {tr("Not used"), QStringLiteral("none")}};
    for (const StoredCeilings& kept : measurer_.kept()) {
        const Device& board = kept.measured->device.device;
        if (!kept.stale.empty() || device == nullptr || !device->uuid.empty() ||
            !may_be_one_model(*device, board))
            continue;
        choices.append({tr("Used: those of %1, %2").arg(short_uuid(board.uuid), to_qt(kept.measured->date)),
                        to_qt(board.uuid), to_qt(measurement_line(*kept.measured))});
    }
    const MeasuredChoice& choice = document_.measured_use().choice;
    const QString chosen = to_qt(text_of(choice));
    const bool listed = std::ranges::find(choices, chosen, &Choice::data) != choices.end();
    if (!listed && device != nullptr && device->uuid.empty())
        choices.append(
            {tr("Those of %1, which are not kept here").arg(short_uuid(choice.for_model)), chosen});
    fill(*choice_, choices, chosen);
}

QString CeilingBenchmarkPanel::state_words() const {
    if (const MeasuredCeilings* used = measured_ceilings_in_use()) {
        const auto kept = std::ranges::find_if(
            measurer_.kept(), [&](const StoredCeilings& each) { return each.measured.get() == used; });
        return tr("Used for the roofs drawn: %1.").arg(to_qt(measurement_line(*used))) +
               (kept != measurer_.kept().end() ? doubt_words(*kept) : QString());
    }
    if (const StoredCeilings* kept = stored_ceilings_in_use()) {
        const QString line = to_qt(measurement_line(*kept->measured));
        if (kept->stale.empty()) return tr("Kept and not used: %1.").arg(line) + doubt_words(*kept);
        QString reasons;
        for (const std::string& reason : kept->stale)
            reasons += ' ' + to_qt(reason);
        return tr("Kept, stale and not used: %1.%2").arg(line, reasons);
    }
    const Device* device = drawn_device(document_.result(), document_.focus());
    if (device == nullptr) return {};
    if (device->uuid.empty() && choice_->count() > 2 && choice_->currentIndex() == 0)
        return tr("The report does not name the UUID of its GPU: choose one above.");
    return tr("Nothing is kept of the device of this report.");
}

QString CeilingBenchmarkPanel::obstacle() const {
    if (!measurer_.available()) return tr("This build measures no GPUs.");
    const std::optional<CeilingBenchmarkOffer>& offer = measurer_.offer();
    if (!offer) return tr("Looking for GPUs…");
    if (offer->obstacle) return words_of(*offer->obstacle);
    const auto chosen = device_->currentIndex();
    if (chosen < 0) return tr("There is no GPU to measure.");
    const ListedGpu& gpu = offer->gpus[static_cast<std::size_t>(chosen)];
    return gpu.obstacle ? words_of(*gpu.obstacle) : QString();
}

void CeilingBenchmarkPanel::show_devices() {
    QList<Choice> gpus;
    if (measurer_.offer())
        for (const ListedGpu& gpu : measurer_.offer()->gpus)
            gpus.append({QStringLiteral("%1, %2").arg(to_qt(gpu.device.device.name),
                                                      short_uuid(gpu.device.device.uuid)),
                         to_qt(gpu.device.device.uuid), to_qt(gpu.device.device.uuid)});
    fill(*device_, gpus, device_->currentData().toString());
    device_->setVisible(device_->count() > 1);
    const QString why_not = obstacle();
    measure_->setEnabled(why_not.isEmpty() && !measurer_.running());
    measure_->setAccessibleDescription(why_not);
    obstacle_->show_text(why_not);
    look_again_->setVisible(measurer_.offer() && !why_not.isEmpty());
}

void CeilingBenchmarkPanel::show_progress() {
    const bool began = measurer_.running() && progress_part_->isHidden();
    if (began) cancel_->setEnabled(true);
    const CeilingBenchmarkProgress& progress = measurer_.progress();
    progress_part_->setVisible(measurer_.running());
    bar_->setRange(0, static_cast<int>(progress.count));
    bar_->setValue(static_cast<int>(progress.done));
    benchmark_->set_text(progress.id.empty() ? tr("Starting the benchmarks…")
                                             : tr("Measuring %1 (%2 of %3)")
                                                   .arg(to_qt(progress.id))
                                                   .arg(progress.done + 1)
                                                   .arg(progress.count));
    outcome_->show_text(measurer_.running() ? QString() : measurer_.outcome());
}

void CeilingBenchmarkPanel::show_facts() {
    const std::shared_ptr<const MeasuredCeilings> shown = subject();
    fold_->setVisible(shown != nullptr);
    fold_->setArrowType(fold_->isChecked() ? Qt::DownArrow : Qt::RightArrow);
    facts_->setVisible(shown != nullptr && fold_->isChecked());
    if (facts_->isHidden() || tabled_ == shown) return;
    tabled_ = shown;
    delete grid_;
    grid_ = make_fact_grid(measured_facts(*shown), facts_);
    static_cast<QVBoxLayout*>(facts_->layout())->insertWidget(0, grid_);
    QString notes =
        tr("Roofs are bold. Theory: from the device's attributes, at its boost clock. Published: the "
           "maker's figures in Roofwalk's table of GPUs, dense.");
    for (const auto& more : {theory_gaps(compare_ceilings(*shown)), measurement_notes(*shown)})
        for (const std::string& note : more)
            notes += ' ' + to_qt(note);
    notes_->show_text(notes);
}

}  // namespace roofwalk
