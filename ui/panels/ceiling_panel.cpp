// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/ceiling_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QRadioButton>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/text.h"
#include "core/devices/device_ceilings.h"
#include "core/roofline/group_totals.h"
#include "ui/panels/ceiling_benchmark_panel.h"
#include "ui/panels/device_choice.h"
#include "ui/shell/view_options.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/rate_edit.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/text_page_view.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

QString unit_of(Pipe pipe) {
    return counts_integers(pipe) ? QStringLiteral("OP/s") : QStringLiteral("FLOP/s");
}

Provenance typed() {
    Provenance provenance;
    provenance.source = CeilingSource::user;
    provenance.detail = "typed in the ceilings panel";
    return provenance;
}

/// With the id that commands and files know it by.
QString bytes_of(Boundary boundary, MemoryName memory) {
    return QStringLiteral("%1: %2").arg(to_qt(id_of(boundary)), to_qt(describe(boundary, memory)));
}

/// A scene shows the pipes that kernels use unless told otherwise.
void show_pipe(SceneOptions& options, Pipe pipe, bool shown) {
    std::erase(options.hidden_pipes, pipe);
    std::erase(options.extra_pipes, pipe);
    (shown ? options.extra_pipes : options.hidden_pipes).push_back(pipe);
}

}  // namespace

void set_override(CeilingSet& overrides, const CeilingTarget& target, const std::optional<double>& rate) {
    if (const auto* pipe = std::get_if<Pipe>(&target)) {
        std::erase_if(overrides.compute,
                      [&](const ComputeCeiling& ceiling) { return ceiling.pipe == *pipe; });
        if (rate) overrides.compute.push_back({*pipe, FlopRate(*rate), typed()});
        return;
    }
    const Boundary boundary = std::get<Boundary>(target);
    std::erase_if(overrides.bandwidth,
                  [&](const BandwidthCeiling& ceiling) { return ceiling.boundary == boundary; });
    if (rate) overrides.bandwidth.push_back({boundary, ByteRate(*rate), typed()});
}

std::optional<double> override_of(const CeilingSet& overrides, const CeilingTarget& target) {
    if (const auto* pipe = std::get_if<Pipe>(&target)) {
        const ComputeCeiling* ceiling = overrides.find(*pipe);
        return ceiling != nullptr ? std::optional(ceiling->rate.value()) : std::nullopt;
    }
    const BandwidthCeiling* ceiling = overrides.find(std::get<Boundary>(target));
    return ceiling != nullptr ? std::optional(ceiling->rate.value()) : std::nullopt;
}

bool shows_pipe(const Scene& scene, Pipe pipe) {
    return std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
        return !roof.is_beside() && roof.target == CeilingTarget(pipe);
    });
}

CeilingRow::CeilingRow(const CeilingTarget& target, const QString& unit, QWidget* parent)
    : QWidget(parent), target_(target), unit_(unit) {
    shown_ = new QCheckBox(this);
    rate_ = new RateEdit(unit, {}, this);
    rate_->setMaximumWidth(140);
    fault_ = new PlainLabel(this);
    fault_->setObjectName("rate_fault");
    fault_->setWordWrap(true);
    fault_->hide();
    provenance_ = new TextLabel({}, this);
    provenance_->setForegroundRole(QPalette::PlaceholderText);
    provenance_->hide();  // until it has something to say
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 6);
    grid->setVerticalSpacing(4);
    grid->addWidget(shown_, 0, 0);
    grid->addWidget(rate_, 0, 1);
    grid->addWidget(fault_, 1, 0, 1, 2);
    grid->addWidget(provenance_, 3, 0, 1, 2);
    grid->setColumnStretch(0, 1);
    connect(shown_, &QCheckBox::clicked, this, &CeilingRow::switched);
    connect(rate_, &RateEdit::rate_typed, this, &CeilingRow::rate_typed);
    connect(rate_, &RateEdit::fault_changed, fault_, [this](const QString& fault) {
        fault_->setText(fault);
        fault_->setVisible(!fault.isEmpty());
    });
}

CeilingRow::CeilingRow(MemoryLevel level, QWidget* parent)
    : CeilingRow(default_boundary(level), QStringLiteral("B/s"), parent) {
    shown_->setObjectName("ceiling_" + to_qt(id_of(level)));
    boundary_ = new QComboBox(this);
    for (const Boundary boundary : all_boundaries) {
        if (level_of(boundary) != level) continue;
        boundary_->addItem(to_qt(name_of(boundary, MemoryName::dram)), QVariant::fromValue(boundary));
    }
    connect(boundary_, &QComboBox::activated, this,
            [this] { emit boundary_chosen(boundary_->currentData().value<Boundary>()); });
    auto* grid = static_cast<QGridLayout*>(layout());
    grid->addWidget(boundary_, 2, 0, 1, 2);
    boundary_->setVisible(boundary_->count() > 1);
    set_name(to_qt(label_of(level, MemoryName::dram)));
}

CeilingRow::CeilingRow(Pipe pipe, QWidget* parent) : CeilingRow(CeilingTarget(pipe), unit_of(pipe), parent) {
    shown_->setObjectName("ceiling_" + to_qt(id_of(pipe)));
}

void CeilingRow::set_name(const QString& name) {
    shown_->setText(name);
    shown_->setAccessibleName(tr("Show the roof of %1").arg(name));
    rate_->setAccessibleName(tr("Rate of %1").arg(name));
    if (boundary_ != nullptr) boundary_->setAccessibleName(tr("Bytes counted at %1").arg(name));
}

void CeilingRow::show_ceiling(const CeilingTarget& target, MemoryName memory, bool shown,
                              const CeilingSet& ceilings, const CeilingSet& overrides) {
    target_ = target;
    shown_->setChecked(shown);
    set_name(to_qt(label_of(target, memory)));
    if (boundary_ != nullptr) {
        const Boundary boundary = std::get<Boundary>(target);
        boundary_->setCurrentIndex(boundary_->findData(QVariant::fromValue(boundary)));
        set_tooltip(*boundary_, bytes_of(boundary, memory));
    }
    const std::optional<FoundCeiling> known = ceilings.find(target);
    rate_->show_rates(known ? to_qt(format_si(known->rate, unit_.toStdString())) : tr("not known"),
                      override_of(overrides, target));
    provenance_->set_text(known ? to_qt(describe(*known->provenance))
                                : tr("No source gives this ceiling; type one to see it."));
    provenance_->show();
}

CeilingPanel::CeilingPanel(Document& document, CeilingBenchmarkJob& measurer, QWidget* parent)
    : QScrollArea(parent), document_(document), measurer_(measurer) {
    setAccessibleName(tr("Ceilings"));
    setWidgetResizable(true);
    connect(&document_, &Document::options_changed, this, &CeilingPanel::show_document);
    connect(&document_, &Document::selection_changed, this, &CeilingPanel::show_document);
    connect(&document_, &Document::scene_changed, this, &CeilingPanel::show_document);
}

void CeilingPanel::make_content() {
    auto* content = new QWidget;
    column_ = new QVBoxLayout(content);
    column_->setContentsMargins(14, 4, 14, 16);
    column_->setSpacing(6);
    add_unnamed_device();
    add_device();
    add_presets();
    add_measured();
    add_levels();
    add_heading(tr("Compute"));
    pipes_ = new QVBoxLayout;
    column_->addLayout(pipes_);
    add_clock();
    add_factors();
    column_->addStretch(1);
    setWidget(content);
}

void CeilingPanel::showEvent(QShowEvent* event) {
    show_document();
    QScrollArea::showEvent(event);
}

void CeilingPanel::add_heading(const QString& text) {
    column_->addSpacing(10);
    column_->addWidget(heading_label(text, this));
}

void CeilingPanel::add_unnamed_device() {
    unnamed_part_ = new QWidget(this);
    auto* column = new QVBoxLayout(unnamed_part_);
    column->setContentsMargins(0, 10, 0, 0);
    ran_on_ = new DeviceChoice(tr("Not told"), unnamed_part_);
    name_control(*ran_on_, "ran_on", tr("The GPU of files that name none"));
    ran_on_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    auto* caption = new PlainLabel(tr("Which &GPU was it?"), unnamed_part_, ran_on_);
    make_heading(*caption);
    column->addWidget(caption);
    column->addWidget(ran_on_);
    column_->addWidget(unnamed_part_);
    connect(ran_on_, &DeviceChoice::chosen, &document_.loader(), &ReportLoader::set_ran_on);
    connect(ran_on_, &DeviceChoice::file_requested, this, &CeilingPanel::device_file_requested);
}

void CeilingPanel::show_unnamed_device() {
    const Device* unnamed = unnamed_device(document_.files());
    unnamed_part_->setVisible(unnamed != nullptr);
    if (unnamed == nullptr) return;
    const std::optional<Device>& told = document_.spec().view.ran_on;
    ran_on_->show_device(told ? &*told : nullptr, unnamed->compute_capability);
    set_tooltip(*ran_on_,
                ran_on_->narrowed()
                    ? tr("GPUs of compute capability %1.%2, which the file tells")
                          .arg(unnamed->compute_capability->major)
                          .arg(unnamed->compute_capability->minor)
                    : tr("The file names no GPU; its roofs are those of the one that is chosen here."));
}

void CeilingPanel::ask_device() {
    show_document();
    if (ran_on_ == nullptr) return;
    ensureWidgetVisible(ran_on_);
    ran_on_->setFocus();
}

void CeilingPanel::add_device() {
    device_part_ = new QWidget(this);
    auto* column = new QVBoxLayout(device_part_);
    column->setContentsMargins(0, 10, 0, 0);
    device_ = new QComboBox(device_part_);
    name_control(*device_, "roof_device", tr("Device whose roofs are drawn"));
    set_tooltip(*device_, tr("A selected kernel brings the roofs of its own device."));
    auto* caption = new PlainLabel(tr("&Roofs of"), device_part_, device_);
    make_heading(*caption);
    column->addWidget(caption);
    column->addWidget(device_);
    column_->addWidget(device_part_);
    connect(device_, &QComboBox::activated, this, [this](int row) {
        document_.select(std::nullopt);
        document_.change_scene(
            [&](SceneOptions& options) { options.roofs_of = device_->itemData(row).value<DeviceIndex>(); });
    });
}

void CeilingPanel::show_devices() {
    const std::vector<ModelCeilings>& models = document_.analysis()->models;
    device_part_->setVisible(models.size() > 1);
    device_->clear();
    const Profile& profile = *document_.profile();
    for (const ModelCeilings& model : models)
        device_->addItem(to_qt(model_name(profile, profile.at(model.device))),
                         QVariant::fromValue(model.device));
    const std::optional<DeviceIndex> drawn =
        device_in_use(*document_.profile(), *document_.analysis(), drawn_options());
    if (drawn) device_->setCurrentIndex(device_->findData(QVariant::fromValue(*drawn)));
}

void CeilingPanel::add_presets() {
    add_heading(tr("View"));
    auto* row = new QHBoxLayout;
    const auto add = [&](const QString& text, const QString& tooltip, auto preset) {
        auto* button = new QPushButton(text, this);
        set_tooltip(*button, tooltip);
        button->setAccessibleName(tr("%1 view").arg(text));
        button->setCheckable(true);
        views_.push_back({button, preset});
        connect(button, &QPushButton::clicked, this, [this, preset] {
            document_.set_analysis_options(preset(document_.analysis_options()));
            show_view();
        });
        row->addWidget(button);
    };
    add(tr("Default"), tr("Device memory, L2 and SMEM, each by its default boundary"),
        [](AnalysisOptions options) {
            const AnalysisOptions standard;
            options.levels = standard.levels;
            options.l1_where_it_binds = standard.l1_where_it_binds;
            options.boundaries = standard.boundaries;
            return options;
        });
    add(tr("Nsight"), tr("The levels and bytes of Nsight Compute's own chart"),
        [](const AnalysisOptions& options) { return nsight_view(options); });
    add(tr("NERSC"), tr("The levels and bytes of NERSC's recipe"),
        [](const AnalysisOptions& options) { return nersc_view(options); });
    row->addStretch(1);
    column_->addLayout(row);
}

/// Pressed is the view whose levels and bytes are shown.
void CeilingPanel::show_view() {
    const AnalysisOptions now = document_.analysis_options();
    for (const auto& [button, preset] : views_) {
        const AnalysisOptions of_view = preset(now);
        button->setChecked(of_view.levels == now.levels && of_view.boundaries == now.boundaries);
    }
}

void CeilingPanel::add_measured() {
    add_heading(tr("Measured on the GPU"));
    measured_ = new CeilingBenchmarkPanel(document_, measurer_, this);
    column_->addWidget(measured_);
    connect(measured_, &CeilingBenchmarkPanel::import_requested, this,
            &CeilingPanel::measured_import_requested);
    connect(measured_, &CeilingBenchmarkPanel::export_requested, this,
            [this] { emit measured_export_requested(measured_->subject()); });
}

void CeilingPanel::add_levels() {
    add_heading(tr("Memory"));
    for (const MemoryLevel level : all_levels) {
        auto* row = new CeilingRow(level, this);
        connect(row, &CeilingRow::switched, this, [this, level](bool shown) {
            document_.set_analysis_options(with_level(document_.analysis_options(), level, shown));
        });
        connect(row, &CeilingRow::boundary_chosen, this, [this, level](Boundary boundary) {
            document_.change_analysis(
                [&](AnalysisOptions& options) { options.boundaries[level] = boundary; });
        });
        connect_rate(row);
        level_rows_[level] = row;
        column_->addWidget(row);
    }
}

void CeilingPanel::add_clock() {
    add_heading(tr("Clock"));
    measured_clock_ = new QRadioButton(tr("As measured while the kernel ran"), this);
    boost_clock_ = new QRadioButton(tr("Boost: the highest the device advertises"), this);
    const auto choose = [this](ClockBasis basis) {
        document_.change_analysis([&](AnalysisOptions& options) { options.clock = basis; });
    };
    connect(measured_clock_, &QRadioButton::clicked, this, [choose] { choose(ClockBasis::measured); });
    connect(boost_clock_, &QRadioButton::clicked, this, [choose] { choose(ClockBasis::boost); });
    column_->addWidget(measured_clock_);
    column_->addWidget(boost_clock_);
}

void CeilingPanel::add_factors() {
    add_heading(tr("Practical roofs"));
    const QString reached = tr("Share of the ceiling reached in practice: %1");
    const auto factors = &AnalysisOptions::practical;
    compute_factor_ =
        add_share(tr("Compute"), reached.arg(tr("Compute")), factors, &PracticalFactors::compute);
    bandwidth_factor_ =
        add_share(tr("Bandwidth"), reached.arg(tr("Bandwidth")), factors, &PracticalFactors::bandwidth);
    const auto limits = &AnalysisOptions::practical_limits;
    little_room_limit_ = add_share(tr("Little room from"),
                                   tr("Share of the practical roof from which a kernel has little room"),
                                   limits, &PracticalLimits::little_room);
    some_room_limit_ =
        add_share(tr("Much room below"), tr("Share of the practical roof below which a kernel has much room"),
                  limits, &PracticalLimits::some_room);
    add_launch_floor();
    add_near_ridge();
}

void CeilingPanel::add_near_ridge() {
    constexpr double ridge = 100;    // [%]
    constexpr double most = 10'000;  // [%]
    const auto limits = &AnalysisOptions::thresholds;
    near_ridge_low_ = add_share(tr("Near the ridge from"),
                                tr("Share of the ridge from which a kernel left of it is near it"), limits,
                                &VerdictThresholds::near_ridge_low);
    near_ridge_low_->setObjectName("near_ridge_low");
    near_ridge_high_ = add_share(tr("Near the ridge up to"),
                                 tr("Share of the ridge up to which a kernel right of it is near it"), limits,
                                 &VerdictThresholds::near_ridge_high);
    near_ridge_high_->setObjectName("near_ridge_high");
    const QSignalBlocker quiet(near_ridge_high_);
    near_ridge_high_->setRange(ridge, most);
}

void CeilingPanel::add_launch_floor() {
    launch_floor_ = new QDoubleSpinBox(this);
    launch_floor_->setObjectName("launch_floor");
    launch_floor_->setRange(0, 1000);
    launch_floor_->setDecimals(2);
    launch_floor_->setSingleStep(0.1);
    launch_floor_->setSuffix(tr(" µs"));
    launch_floor_->setSpecialValueText(tr("not typed"));
    launch_floor_->setKeyboardTracking(false);
    launch_floor_->setAccessibleName(tr("What a launch takes at least on the GPU"));
    set_tooltip(*launch_floor_,
                tr("Less is neither recoverable nor predicted. Not typed: what was measured on the GPU, "
                   "else 2 µs. A launch of the report that took less goes before all of them."));
    connect(launch_floor_, &QDoubleSpinBox::valueChanged, this, [this](double microseconds) {
        document_.change_analysis([&](AnalysisOptions& options) {
            options.launch_floor =
                microseconds > 0 ? std::optional(Seconds(microseconds * 1e-6)) : std::nullopt;
        });
    });
    auto* row = new QHBoxLayout;
    row->addWidget(new PlainLabel(tr("A launch takes at least"), this), 1);
    row->addWidget(launch_floor_);
    column_->addLayout(row);
}

template <class Values>
QDoubleSpinBox* CeilingPanel::add_share(const QString& name, const QString& accessible_name,
                                        Values AnalysisOptions::*values, double Values::*share) {
    auto* box = new QDoubleSpinBox(this);
    box->setRange(1, 100);
    box->setDecimals(0);
    box->setSuffix(tr(" %"));
    box->setKeyboardTracking(false);
    box->setAccessibleName(accessible_name);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, values, share](double percent) {
        document_.change_analysis([&](AnalysisOptions& options) { options.*values.*share = percent / 100; });
    });
    auto* row = new QHBoxLayout;
    row->addWidget(new PlainLabel(name, this), 1);
    row->addWidget(box);
    column_->addLayout(row);
    return box;
}

void CeilingPanel::connect_rate(CeilingRow* row) {
    connect(row, &CeilingRow::rate_typed, this, [this, row](const std::optional<double>& rate) {
        const Device* device = drawn_device(document_.result(), document_.focus());
        if (device == nullptr) return;
        AnalysisOptions options = document_.analysis_options();
        const std::string owner = model_name(*document_.profile(), *device);
        CeilingSet& typed = options.overrides[owner];
        set_override(typed, row->target(), rate);
        if (typed.empty()) options.overrides.erase(owner);
        document_.set_analysis_options(options);
    });
}

SceneOptions CeilingPanel::drawn_options() const {
    SceneOptions options = document_.scene_options();
    options.selected = drawn_selection(document_.result(), document_.focus());
    return options;
}

void CeilingPanel::show_document() {
    if (!is_seen(*this)) return;
    if (widget() == nullptr) make_content();
    const AnalysisOptions& options = document_.analysis_options();
    measured_clock_->setChecked(options.clock == ClockBasis::measured);
    boost_clock_->setChecked(options.clock == ClockBasis::boost);
    const auto put = [](QDoubleSpinBox* box, double value) {
        const QSignalBlocker quiet(box);
        box->setValue(value);
    };
    show_view();
    put(compute_factor_, options.practical.compute * 100);
    put(bandwidth_factor_, options.practical.bandwidth * 100);
    put(little_room_limit_, options.practical_limits.little_room * 100);
    put(some_room_limit_, options.practical_limits.some_room * 100);
    put(near_ridge_low_, options.thresholds.near_ridge_low * 100);
    put(near_ridge_high_, options.thresholds.near_ridge_high * 100);
    put(launch_floor_, options.launch_floor.value_or(Seconds()).value() * 1e6);
    measured_->show_document();
    if (document_.empty()) return;
    show_unnamed_device();
    show_devices();
    const SceneOptions drawn = drawn_options();
    const CeilingSet& ceilings = ceilings_in_use(*document_.analysis(), drawn);
    const Device* device = drawn_device(document_.result(), document_.focus());
    const CeilingSet overrides = device != nullptr ? overrides_of(options, *device) : CeilingSet();
    const EnumArray<Boundary, bool> with_bytes = boundaries_with_bytes(*document_.profile());
    for (const MemoryLevel level : all_levels) {
        const bool shown = options.levels[level] || is_shown_unasked(document_, level);
        const bool chosen = options.boundaries[level] != default_boundary(level);
        const EnumArray<MemoryLevel, Boundary>& counted =
            (chosen ? options : document_.analysis()->options).boundaries;
        level_rows_[level]->show_ceiling(counted[level], options.memory, shown, ceilings, overrides);
        level_rows_[level]->offer_boundaries(with_bytes, options.memory);
    }
    show_pipes(ceilings, overrides);
}

void CeilingRow::offer_boundaries(const EnumArray<Boundary, bool>& counted, MemoryName memory) {
    const MemoryLevel level = level_of(std::get<Boundary>(target_));
    const bool any = std::ranges::any_of(
        all_boundaries, [&](Boundary boundary) { return level_of(boundary) == level && counted[boundary]; });
    auto& items = *static_cast<QStandardItemModel*>(boundary_->model());
    for (int i = 0; i < boundary_->count(); ++i) {
        const auto boundary = boundary_->itemData(i).value<Boundary>();
        const QString bytes = bytes_of(boundary, memory);
        items.item(i)->setEnabled(!any || counted[boundary]);
        const bool free = items.item(i)->isEnabled();
        items.item(i)->setData(tooltip_text(free ? bytes : tr("No launch counted these: %1").arg(bytes)),
                               Qt::ToolTipRole);
    }
}

void CeilingPanel::show_pipes(const CeilingSet& ceilings, const CeilingSet& overrides) {
    std::vector<Pipe> pipes;
    for (const ComputeCeiling& ceiling : ceilings.compute)
        pipes.push_back(ceiling.pipe);
    if (pipes != listed_pipes_) {
        listed_pipes_ = pipes;
        qDeleteAll(pipe_rows_);
        pipe_rows_.clear();
        for (const Pipe pipe : pipes) {
            auto* row = new CeilingRow(pipe, this);
            connect(row, &CeilingRow::switched, this, [this, pipe](bool shown) {
                document_.change_scene([&](SceneOptions& options) { show_pipe(options, pipe, shown); });
            });
            connect_rate(row);
            pipe_rows_.append(row);
            pipes_->addWidget(row);
        }
    }
    for (CeilingRow* row : pipe_rows_) {
        const bool shown = document_.scene() && shows_pipe(*document_.scene(), std::get<Pipe>(row->target()));
        row->show_ceiling(row->target(), document_.analysis_options().memory, shown, ceilings, overrides);
    }
}

}  // namespace roofwalk
