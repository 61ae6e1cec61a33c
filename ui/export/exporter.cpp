// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/exporter.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <utility>

#include "core/base/file_writer.h"
#include "core/chart/svg/svg_writer.h"
#include "core/report/comparison_table.h"
#include "core/scenario/scenario_report.h"
#include "ui/chart/roofline_chart.h"
#include "ui/export/export_dialog.h"
#include "ui/shell/settings.h"
#include "ui/widgets/file_chooser.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/session_files.h"

namespace roofwalk {

Result<void> write_numbers(const Document& document, const QString& path, const Numbers& numbers) {
    if (auto free = refuse_open_file(document, path); !free) return free;
    const QString suffix = QFileInfo(path).suffix().toLower();
    std::string content;
    if (suffix == QLatin1String("json"))
        content = numbers.json();
    else if (suffix == QLatin1String("csv"))
        content = to_csv(numbers.table());
    else if (suffix == QLatin1String("md"))
        content = to_markdown(numbers.table(), TextColumns::any_width);
    else
        return unexpected(ErrorCode::bad_argument, "The numbers were not written: the name tells no format.",
                          path.toStdString(), "Let it end in .csv, .md or .json.");
    return write_file(to_path(path), content);
}

Exporter::Exporter(Document& document, const RooflineChart& chart, Settings& settings, FileChooser& chooser,
                   QObject* parent)
    : QObject(parent), document_(document), chart_(chart), settings_(settings), chooser_(chooser) {
    connect(&job_, &Job::failed, this, [this](const Error& error) {
        emit failed(error);
        write_next();
    });
}

ExportSource Exporter::source() const {
    ExportSource source = export_source(document_.result(), document_.scene_options());
    source.part_seen = chart_.part_seen();
    return source;
}

QString Exporter::document_name() const {
    return QFileInfo(to_qt(document_.files().front().path)).completeBaseName();
}

QString Exporter::folder() const {
    QStringList folders{settings_.last_folder(), QDir::homePath()};
    if (!document_.empty()) folders.prepend(QFileInfo(to_qt(document_.files().front().path)).absolutePath());
    for (const QString& folder : folders)
        if (!folder.isEmpty() && refuse_unwritable(QDir(folder).filePath(".roofwalk-export"))) return folder;
    return {};
}

QString Exporter::suggested_path(const QString& name) const {
    return QDir(folder()).filePath(name);
}

void Exporter::ask_and_export(QWidget* window) {
    if (!document_.empty()) ask_and_export(source(), {}, document_name(), window);
}

void Exporter::ask_and_export(const ExportSource& source, const QString& title, const QString& name,
                              QWidget* window) {
    ExportRequest request;
    request.title = title;
    request.format = export_format_from_suffix(settings_.export_format());
    request.size = settings_.export_size();
    request.theme = settings_.export_theme();
    auto* dialog = new ExportDialog(source, request, window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    if (const QString at = folder(); !at.isEmpty()) dialog->offer_folder(at, name);
    connect(dialog, &ExportDialog::file_wanted, this, [this, dialog, name] {
        const ExportFormat format = dialog->request().format;
        const QString suffix = suffix_of(format);
        const QString path =
            chooser_.file_to_save(dialog, tr("Export the chart"), suggested_path(name + '.' + suffix),
                                  QStringLiteral("%1 (*.%2)").arg(label_of(format), suffix));
        if (!path.isEmpty()) dialog->write_to(path);
    });
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        const ExportRequest chosen = dialog->request();
        const QString suffix = suffix_of(chosen.format);
        const QString path = dialog->path();
        settings_.set_export_format(suffix);
        settings_.set_export_size(chosen.size);
        settings_.set_export_theme(chosen.theme);
        order({QFileInfo(path).suffix().isEmpty() ? path + '.' + suffix : path, chosen, dialog->source()});
    });
    dialog->open();
}

void Exporter::export_to(const QString& path, const ExportRequest& request) {
    order({path, request, source()});
}

void Exporter::ask_and_export_comparison(QWidget* window) {
    const std::shared_ptr<const ReportComparison> compared = document_.result().comparison;
    ask_and_write(window, QStringLiteral(".comparison.csv"),
                  tr("Numbers of the comparison (*.csv *.md *.json)"),
                  {[compared] { return comparison_table(compared->comparison); },
                   [compared] { return to_comparison_json(compared->comparison); }});
}

void Exporter::ask_and_export_scenario(QWidget* window) {
    if (document_.empty()) return;
    const std::shared_ptr<const WhatIf> made = document_.result().what_if;
    const std::shared_ptr<const Analysis> analysis = document_.analysis();
    ask_and_write(window, QStringLiteral(".scenario.csv"), tr("Numbers of the scenario (*.csv *.md *.json)"),
                  {[=] { return scenario_table(made->scenario, *analysis, made->effect); },
                   [=] { return to_scenario_report_json(made->scenario, *analysis, made->effect); }});
}

void Exporter::ask_and_write(QWidget* window, const QString& ending, const QString& filter,
                             const Numbers& numbers) {
    const QString path = chooser_.file_to_save(window, tr("Export the numbers"),
                                               suggested_path(document_name() + ending), filter);
    if (path.isEmpty()) return;
    if (const Result<void> done = write_numbers(document_, path, numbers))
        emit exported(path);
    else
        emit failed(done.error());
}

void Exporter::order(Order order) {
    if (const Result<void> free = refuse_open_file(document_, order.path); !free) {
        emit failed(free.error());
        return;
    }
    orders_.push_back(std::move(order));
    write_next();
}

void Exporter::write_next() {
    if (job_.running() || orders_.empty()) return;
    Order order = std::move(orders_.front());
    orders_.pop_front();
    const QString path = order.path;
    job_.start(
        [order = std::move(order)](const Progress&) -> Result<void> {
            const Result<QByteArray> bytes = export_bytes(order.source, order.request);
            if (!bytes) return tl::unexpected(bytes.error());
            return write_file(to_path(order.path), {bytes->data(), static_cast<std::size_t>(bytes->size())});
        },
        [this, path](const Result<void>& written) {
            if (written)
                emit exported(path);
            else
                emit failed(written.error());
            write_next();
        });
}

PageSpec Exporter::page_on_screen() const {
    return with_axes({static_cast<double>(chart_.width()), static_cast<double>(chart_.height())},
                     chart_.part_seen());
}

void Exporter::copy_picture() {
    if (!document_.scene()) return;
    const Result<QImage> image = draw_chart(*document_.scene(), page_on_screen(), chart_.devicePixelRatioF());
    if (image)
        QGuiApplication::clipboard()->setImage(*image);
    else
        emit failed(image.error());
}

void Exporter::copy_svg() {
    if (!document_.scene()) return;
    const std::string svg = to_svg(*document_.scene(), *document_.result().drawn(), page_on_screen(),
                                   drawn_moves(*document_.result().what_if));
    const QByteArray bytes(svg.data(), static_cast<qsizetype>(svg.size()));
    auto* data = new QMimeData;  // as a picture for programs that draw, as text for editors
    data->setData(QStringLiteral("image/svg+xml"), bytes);
    data->setText(QString::fromUtf8(bytes));
    QGuiApplication::clipboard()->setMimeData(data);
}

void Exporter::copy_text(const QString& text) {
    if (!text.isEmpty()) QGuiApplication::clipboard()->setText(text);
}

}  // namespace roofwalk
