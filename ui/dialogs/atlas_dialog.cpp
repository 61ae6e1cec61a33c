// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/atlas_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScreen>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QStyle>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "core/atlas/atlas_report.h"
#include "core/atlas/model_document.h"
#include "core/base/text.h"
#include "core/devices/device_file.h"
#include "core/devices/match_device.h"
#include "core/import/open_profile.h"
#include "ui/chart/roofline_chart.h"
#include "ui/dialogs/ask_about.h"
#include "ui/export/exporter.h"
#include "ui/panels/device_choice.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/widgets/text_label.h"
#include "ui/widgets/text_page_view.h"
#include "ui/widgets/theme.h"
#include "ui/workspace/document.h"

namespace roofwalk {

namespace {

constexpr QSize atlas_usual_size(1120, 860);
// Of the height, and of the width below: the first page has columns that the others do not repeat.
constexpr int chart_share = 5000;
constexpr int pages_share = 3000;
constexpr int first_page_share = 5000;
constexpr int device_page_share = 3000;
constexpr int measured_page_share = 4000;
constexpr int slider_width = 110;
constexpr const char* usual_device = "H100 SXM";

/// Steps of a slider, a power of two each.
int step_of(int count) {
    return static_cast<int>(std::lround(std::log2(count)));
}

Result<ModelDocument> model_of_file(const std::string& file) {
    return as_document(MappedFile::open(file), file, "Open the config.json of a model.")
        .and_then([&](const MappedFile& document) { return read_model(document.text(), file); });
}

}  // namespace

class AtlasPageView : public TextPageView {
  public:
    using TextPageView::show_page;
    using TextPageView::TextPageView;
};

AtlasDialog::AtlasDialog(FileChooser& chooser, QString folder, Exporter& exporter, const Document& document,
                         QWidget* parent)
    : QDialog(parent),
      chooser_(chooser),
      exporter_(exporter),
      document_(document),
      folder_(std::move(folder)) {
    setWindowTitle(tr("Atlas of a model"));
    setAccessibleName(windowTitle());
    auto* column = new QVBoxLayout(this);
    auto* first = new QHBoxLayout;
    auto* second = new QHBoxLayout;
    add_model(*first);
    for (std::size_t place = 0; place < most_devices; ++place)
        add_device(*first, place);
    measured_ = new QCheckBox(tr("With the &report that is open"), this);
    measured_->setObjectName("atlas_measured");
    first->addWidget(measured_);
    first->addStretch(1);
    export_ = new QPushButton(tr("&Export…"), this);
    export_->setObjectName("atlas_export");
    export_->setAutoDefault(false);
    first->addWidget(export_);
    add_fields(*second);
    second->addStretch(1);
    connect(measured_, &QCheckBox::toggled, this, &AtlasDialog::show_atlas);
    connect(export_, &QPushButton::clicked, this, &AtlasDialog::export_atlas);
    connect(&document_, &Document::analysis_changed, this, &AtlasDialog::show_atlas);
    column->addLayout(first);
    column->addLayout(second);
    title_ = empty_label("atlas_title", this);
    column->addWidget(title_);
    add_pages(*column);
    const QSize frame(0, style()->pixelMetric(QStyle::PM_TitleBarHeight));
    resize(atlas_usual_size.boundedTo(screen()->availableSize() - frame));

    context_->setValue(static_cast<int>(ModelRun{}.context));
    const Device* device = drawn_device(document_.result(), document_.focus());
    const Device* known = device ? find_known_device(device->name) : nullptr;
    devices_[0] = known ? *known : *find_known_device(usual_device);
    choose_model(models_->findData(QStringLiteral("llama-2-7b")));
}

AtlasDialog::~AtlasDialog() = default;

void AtlasDialog::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) show_atlas();
}

void AtlasDialog::add_model(QBoxLayout& row) {
    models_ = add_words(row, tr("&Model"), "atlas_model");
    for (const ModelText& model : models_json())
        if (const Result<ModelDocument> document = read_model(model.json, std::string(model.id)))
            models_->addItem(to_qt(document->name), to_qt(model.id));
    models_->addItem(tr("One of a config.json…"));
    connect(models_, &QComboBox::activated, this, &AtlasDialog::choose_model);
}

void AtlasDialog::add_fields(QBoxLayout& row) {
    constexpr int most_batch = 1'000'000;
    constexpr int most_context = 100'000'000;
    batch_ = add_count(row, tr("&Batch"), "atlas_batch", most_batch);
    context_ = add_count(row, tr("C&ontext"), "atlas_context", most_context);
    phase_ = add_words(row, tr("&Phase"), "atlas_phase");
    for (const ModelPhase phase : {ModelPhase::decode, ModelPhase::prefill})
        phase_->addItem(to_qt(id_of(phase)));
    weights_ = add_type(row, tr("&Weights"), "atlas_weights");
    kv_ = add_type(row, tr("&KV cache"), "atlas_kv");
    activations_ = add_type(row, tr("&Activations"), "atlas_activations");
}

/// The chart above, and most of the window.
void AtlasDialog::add_pages(QBoxLayout& column) {
    auto* below = new QSplitter(Qt::Vertical, this);
    chart_ = new RooflineChart(below);
    chart_->setObjectName("atlas_chart");
    below->addWidget(chart_);
    auto* pages = new QSplitter(Qt::Horizontal, below);
    for (AtlasPageView*& page : pages_) {
        page = new AtlasPageView(tr("What a step takes"), pages);
        pages->addWidget(page);
    }
    below->addWidget(pages);
    below->setSizes({chart_share, pages_share});
    pages->setSizes({first_page_share, device_page_share, measured_page_share});
    column.addWidget(below, 1);
}

void AtlasDialog::add_device(QBoxLayout& row, std::size_t place) {
    auto* devices = new DeviceChoice(place == 0 ? tr("Choose a GPU") : tr("No other GPU"), this);
    device_choices_[place] = devices;
    name_control(*devices, QStringLiteral("atlas_device_%1").arg(place + 1),
                 place == 0 ? tr("GPU") : tr("Another GPU"));
    auto* caption = new PlainLabel(place == 0 ? tr("&GPU") : tr("and"), this, devices);
    row.addWidget(caption);
    row.addWidget(devices);
    connect(devices, &DeviceChoice::chosen, this,
            [this, place](const Device* device) { take_device(place, device); });
    connect(devices, &DeviceChoice::file_requested, this, [this, place] { choose_device_file(place); });
}

QSpinBox* AtlasDialog::add_count(QBoxLayout& row, const QString& name, const char* object, int most) {
    auto* count = new QSpinBox(this);
    name_control(*count, object, words_of_menu(name));
    count->setRange(1, most);
    count->setKeyboardTracking(false);
    auto* slider = new QSlider(Qt::Horizontal, this);
    name_control(*slider, QString::fromLatin1(object) + QStringLiteral("_slider"),
                 tr("%1, in powers of two").arg(words_of_menu(name)));
    constexpr int most_steps = 17;  // 131,072
    slider->setRange(step_of(1), std::min(step_of(most), most_steps));
    slider->setPageStep(1);
    slider->setFixedWidth(slider_width);
    connect(slider, &QSlider::valueChanged, count, [count](int step) { count->setValue(1 << step); });
    connect(count, &QSpinBox::valueChanged, this, [this, slider](int value) {
        const QSignalBlocker quiet(slider);
        slider->setValue(step_of(value));
        show_atlas();
    });
    row.addWidget(new PlainLabel(name, this, count));
    row.addWidget(slider);
    row.addWidget(count);
    row.addSpacing(8);
    return count;
}

QComboBox* AtlasDialog::add_words(QBoxLayout& row, const QString& name, const char* object) {
    auto* words = new QComboBox(this);
    name_control(*words, object, words_of_menu(name));
    row.addWidget(new PlainLabel(name, this, words));
    row.addWidget(words);
    row.addSpacing(8);
    if (words->objectName() != QStringLiteral("atlas_model"))
        connect(words, &QComboBox::activated, this, &AtlasDialog::show_atlas);
    return words;
}

QComboBox* AtlasDialog::add_type(QBoxLayout& row, const QString& name, const char* object) {
    QComboBox* types = add_words(row, name, object);
    for (const DataType type : all_data_types)
        types->addItem(to_qt(name_of(type)));
    types->setCurrentText(to_qt(name_of(ModelRun{}.weights)));
    return types;
}

void AtlasDialog::choose_model(int row) {
    const std::string id = models_->itemData(row).toString().toStdString();
    if (!id.empty())
        return take_model(id.find('/') == std::string::npos ? built_in_model(id) : model_of_file(id), id);
    const QString path = chooser_.file_to_open(this, folder_, tr("Models (*.json)"));
    if (!path.isEmpty()) take_model(model_of_file(path.toStdString()), path.toStdString());
    models_->setCurrentIndex(models_->findData(to_qt(model_name_)));
}

void AtlasDialog::take_model(const Result<ModelDocument>& model, const std::string& name) {
    if (!model) return show_error(model.error());
    model_ = *model;
    model_name_ = name;
    if (models_->findData(to_qt(name)) < 0)
        models_->insertItem(models_->count() - 1, to_qt(model->name), to_qt(name));
    models_->setCurrentIndex(models_->findData(to_qt(name)));
    if (model_.is_vision()) phase_->setCurrentText(to_qt(id_of(ModelPhase::prefill)));
    for (QWidget* of_text : {static_cast<QWidget*>(phase_), static_cast<QWidget*>(context_),
                             static_cast<QWidget*>(kv_), findChild<QWidget*>("atlas_context_slider")})
        of_text->setEnabled(!model_.is_vision());
    show_atlas();
}

void AtlasDialog::choose_device_file(std::size_t place) {
    const auto device = ask_for_device(chooser_, *this, folder_);
    if (!device) return show_error(device.error());
    if (*device) take_device(place, &**device);
}

void AtlasDialog::take_device(std::size_t place, const Device* device) {
    if (!device && place == 0) return;  // one there must be
    devices_[place] = device ? std::optional(*device) : std::nullopt;
    show_atlas();
}

ModelRun AtlasDialog::run() const {
    const auto type = [](const QComboBox& types) {
        return all_data_types.at(static_cast<std::size_t>(types.currentIndex()));
    };
    return {.batch = static_cast<double>(batch_->value()),
            .context = static_cast<double>(context_->value()),
            .phase = phase_->currentIndex() == 0 ? ModelPhase::decode : ModelPhase::prefill,
            .weights = type(*weights_),
            .kv = type(*kv_),
            .activations = type(*activations_)};
}

std::optional<MeasuredRun> AtlasDialog::measured_run() const {
    if (!measured_->isChecked() || document_.empty()) return std::nullopt;
    return MeasuredRun{named_ ? named_ : document_.profile(), document_.analysis()->options};
}

/// A report that names no GPU is taken to be of the first of the atlas.
void AtlasDialog::name_gpu_of_report() {
    const auto report = document_.profile();
    const auto& first = devices_.front();
    const std::string name = first ? first->name : "";
    if (report == named_from_ && name == named_as_) return;
    named_from_ = report;
    named_as_ = name;
    named_ = nullptr;
    if (!report || !first || unnamed_device(*report) == nullptr) return;
    auto named = std::make_shared<Profile>(*report);
    if (name_unnamed_devices(*named, *first)) named_ = std::move(named);
}

void AtlasDialog::show_atlas() {
    if (model_name_.empty()) return;  // while the fields are made
    std::vector<Device> devices;
    for (std::size_t place = 0; place < most_devices; ++place) {
        device_choices_[place]->show_device(devices_[place] ? &*devices_[place] : nullptr);
        if (devices_[place]) devices.push_back(*devices_[place]);
    }
    if (measured_->isChecked()) name_gpu_of_report();
    const std::optional<MeasuredRun> measured = measured_run();
    Result<Atlas> atlas = atlas_of(model_, run(), devices, {}, measured);
    if (!atlas) return show_error(atlas.error());
    atlas_ = std::make_shared<const Atlas>(*std::move(atlas));
    const bool taken = measured && measured->profile == named_;
    title_->set_text(
        to_qt(atlas_->title()) +
        (taken ? u'\n' + tr("A report that names no GPU is taken to be of %1.").arg(to_qt(named_as_))
               : QString()));
    measured_->setEnabled(!document_.empty());
    const auto made = std::make_shared<const AtlasScene>(
        scene_of(*atlas_, {.theme = current_theme(), .title = {}}, measured));
    chart_->set_dot_titles(
        [made](std::span<const Dot> dots) { return dots_title(made->shown.analysis, dots); });
    chart_->set_scene(ChartScene(std::shared_ptr<const Scene>(made, &made->scene)), true);
    chart_->setVisible(true);
    export_->setEnabled(true);
    show_pages(*atlas_, made->shown);
}

void AtlasDialog::show_pages(const Atlas& atlas, const AtlasProfile& made) {
    for (std::size_t place = 0; place < most_devices; ++place) {
        pages_[place]->setVisible(place < atlas.devices.size());
        if (place >= atlas.devices.size()) continue;
        pages_[place]->show_page(atlas_page(atlas, place, made.measured.has_value()));
    }
    pages_.back()->setVisible(made.measured.has_value());
    if (made.measured) pages_.back()->show_page(measured_page(atlas, made));
}

void AtlasDialog::export_atlas() {
    const std::optional<MeasuredRun> measured = measured_run();
    const auto laid =
        measured ? std::make_shared<const AtlasProfile>(profile_of(*atlas_, measured)) : nullptr;
    const ExportSource source{
        [atlas = atlas_, measured](const ExportRequest& request) {
            auto made = std::make_shared<AtlasScene>(
                scene_of(*atlas, {.theme = request.theme, .title = {}}, measured));
            made->scene.options.title = request.title.toStdString();
            return ExportedChart{{made, &made->scene}, {made, &made->shown.analysis}, {}};
        },
        [atlas = atlas_, laid](const ExportRequest&) {
            return laid ? measured_table(*atlas, *laid) : atlas_table(*atlas);
        },
        [atlas = atlas_, laid](const ExportRequest&) { return to_atlas_json(*atlas, laid.get()); }};
    exporter_.ask_and_export(source, to_qt(atlas_->title()), tr("atlas"), this);
}

/// Instead of the atlas that there is not.
void AtlasDialog::show_error(const Error& error) {
    title_->set_text(to_qt(to_line(error)));
    atlas_ = nullptr;
    chart_->setVisible(false);
    export_->setEnabled(false);
    for (AtlasPageView* page : pages_)
        page->setVisible(false);
}

}  // namespace roofwalk
