// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_bytes.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>

#include "core/chart/svg/svg_writer.h"
#include "core/scenario/scenario_json.h"
#include "ui/chart/chart_theme.h"
#include "ui/export/chart_page.h"

namespace roofwalk {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ExportRequest", text);
}

constexpr int pdf_resolution = 1200;

QByteArray to_bytes(const std::string& text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

Error too_large(const char* what, QSize size) {
    return {ErrorCode::too_large, QCoreApplication::translate("Exporter", what).toStdString(),
            QCoreApplication::translate("Exporter", "%1 × %2 pixels")
                .arg(size.width())
                .arg(size.height())
                .toStdString(),
            QCoreApplication::translate("Exporter", "Choose a smaller size.").toStdString()};
}

/// `scale`: its pixels for each of the page's.
Result<QByteArray> png_bytes(Result<QImage> image, double scale) {
    constexpr double inches_per_metre = 1 / 0.0254;
    if (!image) return tl::unexpected(std::move(image.error()));
    const int dots = qRound(scale * page_pixels_per_inch * inches_per_metre);
    image->setDotsPerMeterX(dots);
    image->setDotsPerMeterY(dots);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image->save(&buffer, "PNG"))
        return tl::unexpected(too_large(
            QT_TRANSLATE_NOOP("Exporter", "The picture could not be encoded as PNG."), image->size()));
    return bytes;
}

QSizeF to_qt(const PageSize& size) {
    return {size.width, size.height};
}

Result<QByteArray> pdf_bytes(const Scene& scene, const ExportRequest& request) {
    const PagePlacement laid = lay_out_page(scene, request.page());
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(request.title.isEmpty() ? QCoreApplication::translate("Exporter", "Roofline")
                                            : request.title);
    writer.setCreator(QStringLiteral("Roofwalk"));
    writer.setResolution(pdf_resolution);
    writer.setPageSize(QPageSize(to_qt(laid.page.size()) / page_pixels_per_inch, QPageSize::Inch));
    writer.setPageMargins({});
    QPainter painter;
    if (!painter.begin(&writer))
        return tl::unexpected(too_large(QT_TRANSLATE_NOOP("Exporter", "There can be no page of this size."),
                                        to_qt(laid.page.size()).toSize()));
    painter.scale(pdf_resolution / page_pixels_per_inch, pdf_resolution / page_pixels_per_inch);
    paint_chart_page(painter, scene, laid);
    if (!painter.end())
        return tl::unexpected(too_large(QT_TRANSLATE_NOOP("Exporter", "The page could not be finished."),
                                        to_qt(laid.page.size()).toSize()));
    return bytes;
}

/// The analysis with only those points that the request asks for.
std::shared_ptr<const Analysis> analysis_for(const WorkspaceResult& result, const ExportRequest& request) {
    if (!request.only_matching || result.matches.empty()) return result.analysis;
    auto analysis = std::make_shared<Analysis>(*result.analysis);
    analysis->points.clear();
    for (std::uint32_t i = 0; i < result.matches.size(); ++i)
        if (result.matches[i]) analysis->points.push_back(result.analysis->points[i]);
    return analysis;
}

ExportedChart chart_for(WorkspaceResult result, SceneOptions options, const ExportRequest& request) {
    options.theme = request.theme;
    options.title = request.title.toStdString();
    if (!request.only_matching) result.matches.clear();
    return {std::make_shared<const Scene>(scene_of(result, options)), result.drawn(),
            drawn_moves(*result.what_if)};
}

PageSpec by_size(const QString& size) {
    return page_named(size.toStdString()).value_or(PageSpec{});
}

}  // namespace

QString suffix_of(ExportFormat format) {
    return EnumArray<ExportFormat, const char*, 6>{"svg", "png", "pdf", "csv", "json", "md"}[format];
}

ExportFormat export_format_from_suffix(const QString& suffix) {
    for (const ExportFormat format : all_export_formats)
        if (suffix_of(format) == suffix) return format;
    return ExportFormat::svg;
}

QString label_of(ExportFormat format) {
    constexpr EnumArray<ExportFormat, const char*, 6> labels{"SVG picture", "PNG picture",  "PDF page",
                                                             "CSV numbers", "JSON numbers", "Markdown table"};
    return labels[format];
}

bool is_picture(ExportFormat format) {
    return format == ExportFormat::svg || format == ExportFormat::png || format == ExportFormat::pdf;
}

std::string drawn_moves(const WhatIf& what_if) {
    return what_if.moved ? to_json(what_if.scenario) : std::string();
}

ExportSource export_source(const WorkspaceResult& result, const SceneOptions& scene) {
    return {[=](const ExportRequest& request) { return chart_for(result, scene, request); },
            [=](const ExportRequest& request) {
                return report_table(*result.inputs.profile, *analysis_for(result, request));
            },
            [=](const ExportRequest& request) {
                return to_report_json(*result.inputs.profile, *analysis_for(result, request));
            },
            !result.matches.empty()};
}

PageSpec ExportRequest::page() const {
    return with_letters(by_size(size), letters);
}

double ExportRequest::pixel_ratio() const {
    return dots_per_inch.value_or(usual_dots_per_inch(by_size(size))) / page_pixels_per_inch;
}

Result<QImage> draw_chart(const Scene& scene, const PageSpec& size, double pixel_ratio) {
    const PagePlacement laid = lay_out_page(scene, size);
    const QSizeF whole = to_qt(laid.page.size()) * pixel_ratio;
    if (auto fits = refuse_huge_picture(
            {whole.width(), whole.height()},
            tr("Choose a smaller size or fewer PNG pixels, or write PDF or SVG, which has no pixels.")
                .toStdString());
        !fits)
        return tl::unexpected(std::move(fits.error()));
    const QSize pixels = whole.toSize();
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(to_qt(palette_of(scene.options.theme).background));  // pixels that the page covers in part
    QPainter painter;
    if (image.isNull() || !painter.begin(&image))
        return tl::unexpected(too_large(
            QT_TRANSLATE_NOOP("Exporter", "There is not enough memory for a picture of this size."), pixels));
    painter.scale(pixel_ratio, pixel_ratio);
    paint_chart_page(painter, scene, laid);
    return image;
}

Result<QByteArray> export_bytes(const ExportSource& source, const ExportRequest& request) {
    switch (request.format) {
        case ExportFormat::svg: {
            const ExportedChart chart = source.chart(request);
            return to_bytes(to_svg(*chart.scene, *chart.analysis, request.page(), chart.moves));
        }
        case ExportFormat::png:
            return png_bytes(draw_chart(*source.chart(request).scene, request.page(), request.pixel_ratio()),
                             request.pixel_ratio());
        case ExportFormat::pdf:
            return pdf_bytes(*source.chart(request).scene, request);
        case ExportFormat::csv:
            return to_bytes(to_csv(source.table(request)));
        case ExportFormat::json:
            return to_bytes(source.json(request));
        case ExportFormat::markdown:
            return to_bytes(to_markdown(source.table(request)));
    }
    return QByteArray();
}

}  // namespace roofwalk
