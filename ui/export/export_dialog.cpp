// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr QSize preview_area(480, 340);
constexpr int smallest_side = 240;
constexpr int largest_side = 6000;

/// Of figure_uses, in their order.
QStringList names_of_uses() {
    return {ExportDialog::tr("Column of a paper (3.5 in)"), ExportDialog::tr("Page of a paper (7 in)"),
            ExportDialog::tr("Slide (16:9)")};
}

QSize size_of(const FigureUse& use) {
    return {static_cast<int>(use.page.width), static_cast<int>(use.page.height)};
}

QDoubleSpinBox* make_letters(QWidget* parent) {
    constexpr double largest_letters = 72;  // [pt]
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName("export_letters");
    box->setRange(0, largest_letters);
    box->setDecimals(1);
    box->setSuffix(ExportDialog::tr(" pt"));
    box->setSpecialValueText(ExportDialog::tr("By the size"));
    return box;
}

QSpinBox* make_side(int value, const QString& name, QWidget* parent) {
    auto* box = new QSpinBox(parent);
    box->setRange(smallest_side, largest_side);
    box->setSuffix(ExportDialog::tr(" px"));
    box->setValue(value);
    box->setAccessibleName(name);
    return box;
}

}  // namespace

ExportDialog::ExportDialog(ExportSource source, const ExportRequest& request, QWidget* parent)
    : QDialog(parent), source_(std::move(source)) {
    setWindowTitle(tr("Export"));
    setAccessibleName(windowTitle());
    preview_ = new PlainLabel(this);
    preview_->setFixedSize(preview_area);
    preview_->setAlignment(Qt::AlignCenter);
    preview_->setWordWrap(true);
    preview_->setAccessibleName(tr("Preview"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* accept = buttons->addButton(tr("Export as…"), QDialogButtonBox::AcceptRole);
    accept->setObjectName("export_accept");
    accept->setDefault(true);
    here_ = buttons->addButton(tr("Export"), QDialogButtonBox::ActionRole);
    here_->setObjectName("export_here");
    here_->hide();
    connect(here_, &QPushButton::clicked, this, [this] {
        at_once_ = true;
        QDialog::accept();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addWidget(make_choices(request), 0, Qt::AlignTop);
    row->addWidget(preview_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(row);
    layout->addWidget(buttons);
    connect(&drawing_, &Job::failed, this,
            [this](const Error& error) { preview_->setText(to_qt(to_line(error))); });
    show_format();
}

QWidget* ExportDialog::make_choices(const ExportRequest& request) {
    auto* choices = new QWidget(this);
    auto* form = new QFormLayout(choices);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(10);
    const auto add = [&](const QString& label, QWidget* field) {
        form->addRow(label, field);
        field->setAccessibleName(label);
    };
    format_ = new QComboBox(choices);
    format_->setObjectName("export_format");
    for (const ExportFormat format : all_export_formats)
        format_->addItem(label_of(format), static_cast<int>(format));
    format_->setCurrentIndex(format_->findData(static_cast<int>(request.format)));
    add(tr("Format"), format_);

    preset_ = new QComboBox(choices);
    preset_->setObjectName("export_for");
    for (const FigureUse& use : figure_uses)
        preset_->addItem(names_of_uses().at(preset_->count()), size_of(use));
    preset_->addItem(tr("Other size"));
    add(tr("Size"), preset_);
    width_ = make_side(request.size.width(), tr("Width"), choices);
    height_ = make_side(request.size.height(), tr("Height"), choices);
    height_->setObjectName("export_height");
    add(tr("Width"), width_);
    add(tr("Height"), height_);
    letters_ = make_letters(choices);
    add(tr("Letters"), letters_);
    scale_ = new QComboBox(choices);
    for (const int scale : {1, 2, 3, 4})
        scale_->addItem(tr("%1 × the size").arg(scale), scale);
    scale_->setCurrentIndex(scale_->findData(request.scale));
    add(tr("PNG pixels"), scale_);
    theme_ = new QComboBox(choices);
    theme_->setObjectName("export_theme");
    theme_->addItem(tr("Print"), static_cast<int>(Theme::print));
    theme_->addItem(tr("Light"), static_cast<int>(Theme::light));
    theme_->addItem(tr("Dark"), static_cast<int>(Theme::dark));
    theme_->setCurrentIndex(theme_->findData(static_cast<int>(request.theme)));
    add(tr("Colours"), theme_);
    title_ = new QLineEdit(request.title, choices);
    title_->setPlaceholderText(tr("None"));
    add(tr("Title"), title_);
    only_matching_ = new QCheckBox(tr("Only the kernels that the filter shows"), choices);
    only_matching_->setObjectName("export_only_matching");
    only_matching_->setChecked(request.only_matching);
    only_matching_->setVisible(source_.filtered);
    form->addRow(only_matching_);
    of_pictures_ = {preset_, width_, height_, letters_, theme_, title_};

    choose_preset(preset_->findData(request.size));
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::show_format);
    connect(preset_, &QComboBox::currentIndexChanged, this, &ExportDialog::choose_preset);
    connect(width_, &QSpinBox::valueChanged, this, &ExportDialog::show_preview);
    connect(height_, &QSpinBox::valueChanged, this, &ExportDialog::show_preview);
    connect(letters_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::show_preview);
    connect(theme_, &QComboBox::currentIndexChanged, this, &ExportDialog::show_preview);
    connect(title_, &QLineEdit::textChanged, this, &ExportDialog::show_preview);
    connect(only_matching_, &QCheckBox::toggled, this, &ExportDialog::show_preview);
    return choices;
}

void ExportDialog::choose_preset(int index) {
    const QSize size = preset_->itemData(index).toSize();
    const bool other = size.isEmpty();
    preset_->setCurrentIndex(other ? preset_->count() - 1 : index);
    width_->setEnabled(other);
    height_->setEnabled(other);
    letters_->setEnabled(other);
    if (other) return;
    letters_->setValue(*figure_uses.at(static_cast<std::size_t>(index)).page.letters / page_pixels_per_point);
    width_->setValue(size.width());
    height_->setValue(size.height());
}

void ExportDialog::show_format() {
    const ExportRequest now = request();
    for (QWidget* widget : of_pictures_)
        widget->setEnabled(is_picture(now.format));
    scale_->setEnabled(now.format == ExportFormat::png);
    if (is_picture(now.format)) choose_preset(preset_->currentIndex());
    if (!place_.isEmpty()) set_tooltip(*here_, free_path());
    show_preview();
}

void ExportDialog::show_preview() {
    const ExportRequest now = request();
    if (!is_picture(now.format)) {
        drawing_.drop();
        preview_->setText(
            tr("One row for each kernel or operation, with its time, work, bytes and intensity."));
        return;
    }
    drawing_.start(
        [source = source_, now, ratio = devicePixelRatioF()](const Progress&) {
            const std::shared_ptr<const Scene> scene = source.chart(now).scene;
            const PageSize size = lay_out_page(*scene, now.page()).page.size();
            const double fit =
                std::min({1.0, preview_area.width() / size.width, preview_area.height() / size.height});
            Result<QImage> image = draw_chart(*scene, now.page(), fit * ratio);
            if (image) image->setDevicePixelRatio(ratio);
            return std::pair(image, size.height);
        },
        [this](const std::pair<Result<QImage>, double>& drawn) {
            // A figure that grows with its legend and caption has the height that it will be written with.
            const QSignalBlocker blocker(height_);
            if (!height_->isEnabled()) height_->setValue(static_cast<int>(std::lround(drawn.second)));
            if (drawn.first)
                preview_->setPixmap(QPixmap::fromImage(*drawn.first));
            else
                preview_->setText(to_qt(to_line(drawn.first.error())));
        });
}

void ExportDialog::offer_folder(const QString& folder, const QString& name) {
    place_ = QDir(folder).filePath(name);
    here_->show();
    here_->setDefault(true);
    show_format();
}

QString ExportDialog::free_path() const {
    const QString suffix = suffix_of(request().format);
    QString path = place_ + '.' + suffix;
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = place_ + QStringLiteral("-%1.").arg(number) + suffix;
    return path;
}

ExportRequest ExportDialog::request() const {
    ExportRequest request;
    request.format = static_cast<ExportFormat>(format_->currentData().toInt());
    request.size = {width_->value(), height_->value()};
    if (letters_->value() > 0) request.letters = letters_->value() * page_pixels_per_point;
    const auto use = static_cast<std::size_t>(preset_->currentIndex());
    if (use < figure_uses.size()) {
        request.size = size_of(figure_uses.at(use));
        request.letters = figure_uses.at(use).page.letters;
        request.grows = figure_uses.at(use).page.grows;
    }
    request.scale = scale_->currentData().toInt();
    request.theme = static_cast<Theme>(theme_->currentData().toInt());
    request.title = title_->text();
    request.only_matching = only_matching_->isChecked();
    return request;
}

}  // namespace roofwalk
