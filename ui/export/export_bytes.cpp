// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_bytes.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

#include "core/chart/svg_writer.h"
#include "core/export/report_table.h"
#include "ui/export/chart_page.h"
#include "ui/picture.h"

namespace roofwalk {

namespace {

constexpr double pixels_per_inch = 96;
constexpr int pdf_resolution = 1200;

QByteArray to_bytes(const std::string& text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

QByteArray png_bytes(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray pdf_bytes(const Scene& scene, const ExportRequest& request) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(request.title.isEmpty() ? QCoreApplication::translate("Exporter", "Roofline")
                                            : request.title);
    writer.setCreator(QStringLiteral("Roofwalk"));
    writer.setResolution(pdf_resolution);
    writer.setPageSize(QPageSize(QSizeF(request.size) / pixels_per_inch, QPageSize::Inch));
    writer.setPageMargins({});
    QPainter painter(&writer);
    painter.scale(pdf_resolution / pixels_per_inch, pdf_resolution / pixels_per_inch);
    paint_chart_page(painter, scene, request.size);
    painter.end();
    return bytes;
}

}  // namespace

std::shared_ptr<const Scene> scene_for(const ExportSource& source, const ExportRequest& request) {
    SceneOptions options = source.scene;
    options.theme = request.theme;
    options.title = request.title.toStdString();
    return make_scene(*source.profile, *source.analysis, options, source.matches);
}

QImage draw_chart(const Scene& scene, QSize size, double pixel_ratio) {
    QImage image(size * pixel_ratio, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    painter.scale(pixel_ratio, pixel_ratio);
    paint_chart_page(painter, scene, size);
    return image;
}

QByteArray export_bytes(const ExportSource& source, const ExportRequest& request) {
    switch (request.format) {
        case ExportFormat::svg:
            return to_bytes(to_svg(
                *scene_for(source, request), *source.analysis,
                {static_cast<double>(request.size.width()), static_cast<double>(request.size.height())}));
        case ExportFormat::png:
            return png_bytes(draw_chart(*scene_for(source, request), request.size, request.scale));
        case ExportFormat::pdf:
            return pdf_bytes(*scene_for(source, request), request);
        case ExportFormat::csv:
            return to_bytes(to_csv(report_table(*source.profile, *source.analysis)));
        case ExportFormat::json:
            return to_bytes(to_report_json(*source.profile, *source.analysis));
        case ExportFormat::markdown:
            return to_bytes(to_markdown(report_table(*source.profile, *source.analysis)));
    }
    return {};
}

Result<void> write_file(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return {};
    return tl::unexpected(Error{
        ErrorCode::write_failed,
        QCoreApplication::translate("Exporter", "The file could not be written: %1.")
            .arg(file.errorString())
            .toStdString(),
        path.toStdString(),
        QCoreApplication::translate("Exporter", "Choose a folder that you may write to, with enough room.")
            .toStdString()});
}

}  // namespace roofwalk
