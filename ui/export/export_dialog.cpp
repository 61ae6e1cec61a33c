// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "ui/dialogs/ask_about.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

constexpr QSize preview_area(480, 340);
constexpr double letters_step = 0.5;

/// Of figure_uses, in their order.
QStringList names_of_uses() {
    return {ExportDialog::tr("Column of a paper (3.5 in)"), ExportDialog::tr("Page of a paper (7 in)"),
            ExportDialog::tr("Slide (16:9)")};
}

QDoubleSpinBox* make_letters(QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setObjectName("export_letters");
    box->setRange(asked_letters[0] - letters_step, asked_letters[1]);
    box->setSingleStep(letters_step);
    box->setDecimals(1);
    box->setSuffix(ExportDialog::tr(" pt"));
    return box;
}

QDoubleSpinBox* make_side(const char* name, const QString& words, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    name_control(*box, name, words);
    return box;
}

/// So many that the steps are no finer than paper needs.
int decimals_of(const LengthUnit& unit) {
    return unit.pixels > 10 ? 2 : unit.pixels > 1 ? 1 : 0;
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

    auto* buttons = make_buttons(*this, QDialogButtonBox::Cancel);
    QPushButton* accept = buttons->addButton(tr("Export as…"), QDialogButtonBox::AcceptRole);
    accept->setObjectName("export_accept");
    accept->setDefault(true);
    here_ = buttons->addButton(tr("Export"), QDialogButtonBox::ActionRole);
    here_->setObjectName("export_here");
    here_->hide();
    connect(here_, &QPushButton::clicked, this, [this] { write_to(free_path()); });

    lack_ = new PlainLabel(this);
    lack_->setObjectName("export_lack");
    lack_->setWordWrap(true);
    lack_->hide();
    auto* picture = new QVBoxLayout;
    picture->addWidget(preview_);
    picture->addWidget(lack_);
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addWidget(make_choices(request), 0, Qt::AlignTop);
    row->addLayout(picture);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 18, 20, 16);
    layout->setSpacing(16);
    layout->addLayout(row);
    goes_to_ = new ElidedLabel({}, Qt::ElideMiddle, this);
    goes_to_->setObjectName("export_goes_to");
    goes_to_->hide();
    layout->addWidget(goes_to_);
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
        preset_->addItem(names_of_uses().at(preset_->count()), to_qt(use.id));
    preset_->addItem(tr("Other size"));
    add(tr("Size"), preset_);
    make_sides(*form, request.size);
    letters_ = make_letters(choices);
    letters_->setValue(request.letters.value_or(letters_->minimum()));
    add(tr("Letters"), letters_);
    dots_ = new QComboBox(choices);
    dots_->setObjectName("export_dots");
    dots_->addItem(QString());
    for (const double dots : {96.0, 150.0, 300.0, 600.0})
        dots_->addItem(tr("%1 per inch").arg(dots), dots);
    if (request.dots_per_inch && dots_->findData(*request.dots_per_inch) < 0)
        dots_->addItem(tr("%1 per inch").arg(*request.dots_per_inch), *request.dots_per_inch);
    if (request.dots_per_inch) dots_->setCurrentIndex(dots_->findData(*request.dots_per_inch));
    add(tr("PNG pixels"), dots_);
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
    only_seen_ = new QCheckBox(tr("Only the part of the axes on screen"), choices);
    only_seen_->setObjectName("export_only_seen");
    only_seen_->setChecked(true);
    only_seen_->setVisible(source_.part_seen.has_value());
    form->addRow(only_seen_);
    of_pictures_ = {preset_, width_, height_, unit_, letters_, theme_, title_, only_seen_};

    choose_preset(preset_->findData(request.size));
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::show_format);
    connect(preset_, &QComboBox::currentIndexChanged, this, &ExportDialog::choose_preset);
    connect(letters_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::show_preview);
    connect(theme_, &QComboBox::currentIndexChanged, this, &ExportDialog::show_preview);
    connect(title_, &QLineEdit::textChanged, this, &ExportDialog::show_preview);
    for (const QCheckBox* part : {only_matching_, only_seen_})
        connect(part, &QCheckBox::toggled, this, &ExportDialog::show_preview);
    return choices;
}

void ExportDialog::make_sides(QFormLayout& form, const QString& size) {
    width_ = make_side("export_width", tr("Width"), this);
    height_ = make_side("export_height", tr("Height"), this);
    unit_ = new QComboBox(this);
    name_control(*unit_, "export_unit", tr("Unit"));
    for (const LengthUnit& unit : length_units)
        unit_->addItem(to_qt(unit.name));
    const std::string named = size.toStdString();
    unit_->setCurrentIndex(unit_->findText(to_qt(page_of_size(named) ? unit_of(named).name : "in")));
    auto* sides = new QHBoxLayout;
    sides->addWidget(width_, 1);
    sides->addWidget(new PlainLabel(tr("×"), this));
    sides->addWidget(height_, 1);
    sides->addWidget(unit_);
    form.addRow(tr("Width × height"), sides);
    const PageSpec page = page_named(named).value_or(figure_uses.front().page);
    show_sides(page.width, page.height);
    connect(unit_, &QComboBox::currentIndexChanged, this, [this] {
        show_sides(width_->value() * shown_pixels_, height_->value() * shown_pixels_);
        show_size();
    });
    for (QDoubleSpinBox* side : {width_, height_})
        connect(side, &QDoubleSpinBox::valueChanged, this, &ExportDialog::show_preview);
}

LengthUnit ExportDialog::unit() const {
    return length_units.at(static_cast<std::size_t>(std::max(0, unit_->currentIndex())));
}

void ExportDialog::show_sides(double width, double height) {
    const int decimals = decimals_of(unit());
    const double steps = std::pow(10, decimals);
    shown_pixels_ = unit().pixels;
    for (auto [side, pixels] : {std::pair(width_, width), std::pair(height_, height)}) {
        const QSignalBlocker blocker(side);
        side->setDecimals(decimals);
        side->setRange(std::ceil(asked_sides[0] / shown_pixels_ * steps) / steps,
                       std::floor(asked_sides[1] / shown_pixels_ * steps) / steps);
        side->setSingleStep(10 / steps);
        side->setValue(pixels / shown_pixels_);
    }
}

void ExportDialog::choose_preset(int index) {
    const bool other = !preset_->itemData(index).isValid();
    preset_->setCurrentIndex(other ? preset_->count() - 1 : index);
    width_->setEnabled(other);
    height_->setEnabled(other);
    if (!other) {
        const PageSpec page = request().page();
        show_sides(page.width, page.height);
    }
    show_size();
}

/// What follows from the size, and the figure.
void ExportDialog::show_size() {
    ExportRequest by_size = request();
    by_size.letters.reset();
    by_size.dots_per_inch.reset();
    const std::optional<double> letters = by_size.page().letters;
    letters_->setSpecialValueText(
        letters ? tr("%1 pt, by the size").arg(*letters / page_pixels_per_point, 0, 'g', 3)
                : tr("By the size"));
    dots_->setItemText(0, tr("%1 per inch, by the size").arg(by_size.pixel_ratio() * page_pixels_per_inch));
    show_preview();
}

void ExportDialog::show_format() {
    const ExportRequest now = request();
    for (QWidget* widget : of_pictures_)
        widget->setEnabled(is_picture(now.format));
    dots_->setEnabled(now.format == ExportFormat::png);
    if (!place_.isEmpty()) goes_to_->set_full_text(tr("Export writes %1").arg(free_path()));
    if (is_picture(now.format))
        choose_preset(preset_->currentIndex());
    else
        show_preview();
}

void ExportDialog::show_preview() {
    const ExportRequest now = request();
    if (!is_picture(now.format)) {
        drawing_.drop();
        lack_->hide();
        preview_->setText(
            tr("One row for each kernel or operation, with its time, work, bytes and intensity."));
        return;
    }
    if (preview_->pixmap().isNull()) preview_->setText(tr("The picture is being drawn…"));
    drawing_.start(
        [source = source_, now, ratio = devicePixelRatioF()](const Progress&) {
            const std::shared_ptr<const Scene> scene = source.chart(now).scene;
            const Page page = lay_out_page(*scene, now.page()).page;
            const PageSize size = page.size();
            const double fit =
                std::min({1.0, preview_area.width() / size.width, preview_area.height() / size.height});
            Result<QImage> image = draw_chart(*scene, now.page(), fit * ratio);
            if (image) image->setDevicePixelRatio(ratio);
            return std::tuple(image, size.height, lack_of_room(now.page(), page));
        },
        [this](const std::tuple<Result<QImage>, double, std::string>& drawn) {
            const auto& [image, height, lack] = drawn;
            // A figure that grows with its legend and caption has the height that it will be written with.
            const QSignalBlocker blocker(height_);
            if (!height_->isEnabled()) height_->setValue(height / shown_pixels_);
            lack_->setVisible(!lack.empty());
            lack_->setText(tr("%1 A larger size makes room.").arg(to_qt(lack)));
            if (image)
                preview_->setPixmap(QPixmap::fromImage(*image));
            else
                preview_->setText(to_qt(to_line(image.error())));
        });
}

void ExportDialog::offer_folder(const QString& folder, const QString& name) {
    place_ = QDir(folder).filePath(name);
    here_->show();
    goes_to_->show();
    here_->setDefault(true);
    show_format();
}

void ExportDialog::write_to(const QString& path) {
    path_ = path;
    QDialog::accept();
}

void ExportDialog::accept() {
    emit file_wanted();
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
    request.size = preset_->currentData().toString();
    const auto side = [](const QDoubleSpinBox& box) {
        return QString::number(box.value(), 'f', box.decimals());
    };
    if (request.size.isEmpty()) request.size = side(*width_) + u'x' + side(*height_) + unit_->currentText();
    if (letters_->value() > letters_->minimum()) request.letters = letters_->value();
    if (dots_->currentIndex() > 0) request.dots_per_inch = dots_->currentData().toDouble();
    request.theme = static_cast<Theme>(theme_->currentData().toInt());
    request.title = title_->text();
    request.only_matching = only_matching_->isChecked();
    if (only_seen_->isChecked()) request.axes = source_.part_seen;
    return request;
}

}  // namespace roofwalk
