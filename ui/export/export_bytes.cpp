// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_bytes.h"

#include <fmt/format.h>

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>

#include "core/chart/svg/svg_writer.h"
#include "core/scenario/scenario_json.h"
#include "ui/chart/chart_legend.h"
#include "ui/chart/chart_scene.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_field.h"
#include "ui/chart/dot_painter.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/gap_painter.h"
#include "ui/chart/ghost_painter.h"
#include "ui/chart/roof_painter.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

namespace {

/// Paints what stands around the plot; the plot itself is painted as on screen.
class PagePainter {
  public:
    PagePainter(QPainter& painter, const Scene& scene, const Page& page)
        : painter_(painter), page_(page), plot_(page.view.plot), palette_(palette_of(scene.options.theme)) {}

    void paint_grid() const {
        for (const bool major : {false, true}) {
            painter_.setPen(QPen(to_qt(major ? palette_.grid : palette_.minor_grid), major ? 1 : 0.6));
            const RectF& ranges = page_.view.ranges;
            for (const Tick& tick : page_.x_ticks) {
                if (tick.major != major) continue;
                const double x = page_.x_of(tick);
                painter_.drawLine(QPointF(x, plot_.y), QPointF(x, plot_.bottom()));
                if (major && ranges.height > 0)
                    painter_.drawLine(QPointF(x, ranges.y), QPointF(x, ranges.bottom()));
            }
            for (const Tick& tick : page_.y_ticks)
                if (tick.major == major)
                    painter_.drawLine(QPointF(plot_.x, page_.y_of(tick)),
                                      QPointF(plot_.right(), page_.y_of(tick)));
        }
    }

    void paint_axes() const {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(to_qt(palette_.axis), 1));
        painter_.drawRect(to_qt(plot_));
        const auto length = [](const Tick& tick) { return page_tick_length / (tick.major ? 1 : 2); };
        const double foot = page_.view.frame().bottom();
        for (const Tick& tick : page_.x_ticks)
            painter_.drawLine(QPointF(page_.x_of(tick), foot),
                              QPointF(page_.x_of(tick), foot + length(tick)));
        for (const Tick& tick : page_.y_ticks)
            painter_.drawLine(QPointF(plot_.x - length(tick), page_.y_of(tick)),
                              QPointF(plot_.x, page_.y_of(tick)));
    }

    void paint_words() const {
        for (const PlacedText& label : page_.tick_labels)
            paint(label, palette_.text);
        paint(page_.x_label, palette_.text);
        paint(page_.y_label, palette_.text);
        paint(page_.title, palette_.text, QFont::Bold);
        for (const PlacedText& line : page_.empty_note)
            paint_text(painter_, line, to_qt(palette_.faint_text), to_qt(palette_.plot, 215));
        for (const PlacedText& line : page_.caption)
            paint(line, palette_.faint_text);
        for (const PlacedText& cell : page_.key)
            paint(cell, palette_.text);
    }

    void paint_legend() const {
        if (page_.legend_ground) {
            constexpr int ground_opacity = 215;
            painter_.setPen(QPen(to_qt(palette_.grid), 1));
            painter_.setBrush(to_qt(palette_.plot, ground_opacity));
            painter_.drawRect(to_qt(*page_.legend_ground));
        }
        for (const PlacedLegendRow& row : page_.legend) {
            const bool sample = row.row.has_sample();
            const QPointF centre(row.at.x + 5, row.at.y - 4);
            if (sample) paint_legend_sample(painter_, row.row, centre, palette_);
            paint({.at = {row.at.x + (sample ? page_sample_width : 0), row.at.y},
                   .size = page_text_size,
                   .text = row.row.text},
                  palette_.text);
        }
    }

  private:
    void paint(const PlacedText& text, Colour colour, QFont::Weight weight = QFont::Normal) const {
        paint_text(painter_, text, to_qt(colour), Qt::transparent, weight);
    }

    QPainter& painter_;
    const Page& page_;
    const RectF& plot_;
    const Palette& palette_;
};

void paint_dots(QPainter& painter, const Scene& scene, const PagePlacement& laid, bool on_rails) {
    const View& view = laid.page.view;
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
        if (const Dot& dot = scene.dots[i]; laid.dots.draws(dot.point) && is_band(dot.rail) == on_rails) {
            const QPointF at = to_qt(dot_position(dot, view));
            if (!to_qt(view.frame()).contains(at)) continue;
            const DotLook look = look_of(scene, i, view);
            paint_dot(painter, at, dot, look, scene.dot_colours[dot.colour], scene.mark_of(dot.colour));
        }
}

void paint_rings(QPainter& painter, const Scene& scene, const PagePlacement& laid) {
    const View& view = laid.page.view;
    const DotField field(scene);
    const std::vector<std::uint32_t> selected =
        SelectedDots(scene, field).largest_in(DotPlaces(scene, field, view), scene.dots.size());
    for (const std::uint32_t index : selected) {
        const Dot& dot = scene.dots[index];
        if (!laid.dots.draws(dot.point)) continue;
        const QPointF at = to_qt(dot_position(dot, view));
        const DotLook look = look_of(scene, index, view);
        const Palette& palette = palette_of(scene.options.theme);
        if (scene.dots.size() > crowd_of_dots) {
            paint_grounded_ring(painter, at, dot, look.radius, scene.options.theme);
            paint_dot(painter, at, dot, look, scene.dot_colours[dot.colour]);
        } else {
            paint_ring(painter, at, dot, look.radius, palette.highlight);
        }
    }
}

/// Paints a whole chart, axes and legend included, as it was laid out. Shapes and texts only, no pictures, so
/// that a PDF stays sharp at any size.
void paint_chart_page(QPainter& painter, const Scene& scene, const PagePlacement& laid) {
    const Page& page = laid.page;
    const View& view = page.view;
    const Layout& layout = laid.layout;
    const Palette& palette = palette_of(scene.options.theme);
    const PagePainter around(painter, scene, page);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(page.scale, page.scale);
    painter.fillRect(QRectF(0, 0, page.drawing.width, page.drawing.height), to_qt(palette.background));
    painter.fillRect(to_qt(view.plot), to_qt(palette.plot));
    paint_rails(painter, scene, layout);
    paint_zones(painter, scene, layout);
    around.paint_grid();
    painter.setClipRect(to_qt(view.plot));
    const bool crowd = scene.dots.size() > crowd_of_dots;
    if (crowd) {
        QImage shading;
        paint_shading(painter, laid.density, view, palette, shading);
        paint_dots(painter, scene, laid, false);
        paint_roof_grounds(painter, scene, layout);
    }
    paint_measured_roof(painter, scene, layout);
    paint_roofs(painter, scene, layout);
    paint_kernel_ceilings(painter, scene, layout);
    paint_kernel_lines(painter, scene, layout);
    paint_joins(painter, scene, layout);
    paint_paths(painter, scene, layout);
    paint_gaps(painter, scene, layout);
    painter.setClipping(false);
    around.paint_axes();
    if (!crowd) paint_dots(painter, scene, laid, false);  // whole at the frame
    painter.setClipRect(to_qt(view.frame()));
    paint_dots(painter, scene, laid, true);
    paint_rings(painter, scene, laid);
    paint_roof_labels(painter, scene, layout);
    paint_names(painter, scene, layout);
    paint_kernel_ceiling_labels(painter, scene, layout);
    paint_gap_labels(painter, scene, layout);
    paint_path_labels(painter, scene, layout);
    painter.setClipping(false);
    paint_zone_labels(painter, scene, layout);
    paint_ridges(painter, scene, layout);
    paint_rail_labels(painter, scene, layout);
    around.paint_words();
    around.paint_legend();
    painter.restore();
}

constexpr int pdf_resolution = 1200;

QByteArray to_bytes(const std::string& text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

Error too_large(std::string what, QSize size) {
    return {ErrorCode::too_large, std::move(what), fmt::format("{} × {} pixels", size.width(), size.height()),
            "Choose a smaller size."};
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
        return tl::unexpected(too_large("The picture could not be encoded as PNG.", image->size()));
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
    writer.setTitle(request.title.isEmpty() ? QStringLiteral("Roofline") : request.title);
    writer.setCreator(QStringLiteral("Roofwalk"));
    writer.setResolution(pdf_resolution);
    writer.setPageSize(QPageSize(to_qt(laid.page.size()) / page_pixels_per_inch, QPageSize::Inch));
    writer.setPageMargins({});
    QPainter painter;
    if (!painter.begin(&writer))
        return tl::unexpected(
            too_large("There can be no page of this size.", to_qt(laid.page.size()).toSize()));
    painter.scale(pdf_resolution / page_pixels_per_inch, pdf_resolution / page_pixels_per_inch);
    paint_chart_page(painter, scene, laid);
    if (!painter.end())
        return tl::unexpected(too_large("The page could not be finished.", to_qt(laid.page.size()).toSize()));
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

PageSpec with_axes(PageSpec page, const std::optional<ChartView>& axes) {
    if (!axes) return page;
    page.x = axes->x;
    page.y = axes->y;
    return page;
}

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
    return with_axes(with_letters(by_size(size), letters), axes);
}

double ExportRequest::pixel_ratio() const {
    return dots_per_inch.value_or(usual_dots_per_inch(by_size(size))) / page_pixels_per_inch;
}

Result<QImage> draw_chart(const Scene& scene, const PageSpec& size, double pixel_ratio) {
    const PagePlacement laid = lay_out_page(scene, size);
    const QSizeF whole = to_qt(laid.page.size()) * pixel_ratio;
    if (auto fits = refuse_huge_picture(
            {whole.width(), whole.height()},
            "Choose a smaller size or fewer PNG pixels, or write PDF or SVG, which has no pixels.");
        !fits)
        return tl::unexpected(std::move(fits.error()));
    const QSize pixels = whole.toSize();
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(to_qt(palette_of(scene.options.theme).background));  // pixels that the page covers in part
    QPainter painter;
    if (image.isNull() || !painter.begin(&image))
        return tl::unexpected(too_large("There is not enough memory for a picture of this size.", pixels));
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
            return to_bytes(to_markdown(source.table(request), TextColumns::any_width));
    }
    return QByteArray();
}

}  // namespace roofwalk
