// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>
#include <array>
#include <functional>
#include <memory>
#include <optional>

#include "core/base/error.h"
#include "core/chart/layout/page.h"
#include "core/chart/scene/palette.h"
#include "core/chart/scene/scene.h"
#include "core/report/report_table.h"
#include "core/workspace/workspace_result.h"
#include "core/workspace/workspace_spec.h"

namespace roofwalk {

/// What a chart or its numbers can be written as.
enum class ExportFormat : std::uint8_t { svg, png, pdf, csv, json, markdown };

inline constexpr std::array all_export_formats{ExportFormat::svg, ExportFormat::png,  ExportFormat::pdf,
                                               ExportFormat::csv, ExportFormat::json, ExportFormat::markdown};

struct ExportRequest {
    ExportFormat format = ExportFormat::svg;
    QString size =
        QStringLiteral("900x600");          ///< of a picture: as page_of_size() reads it, or of figure_uses
    std::optional<double> letters{};        ///< [pt]; absent: by the size
    std::optional<double> dots_per_inch{};  ///< of a PNG; absent: by the size
    Theme theme = Theme::print;
    QString title;                    ///< above the chart; may be empty
    bool only_matching = true;        ///< leave out the kernels that the filter hides
    std::optional<ChartView> axes{};  ///< absent: those of the whole chart

    [[nodiscard]] PageSpec page() const;
    [[nodiscard]] double pixel_ratio() const;  ///< of a PNG
};

/// Without axes as it is.
[[nodiscard]] PageSpec with_axes(PageSpec page, const std::optional<ChartView>& axes);

/// "svg": suffix of the file and name in the settings.
[[nodiscard]] QString suffix_of(ExportFormat format);
[[nodiscard]] ExportFormat export_format_from_suffix(const QString& suffix);
/// "SVG picture".
[[nodiscard]] QString label_of(ExportFormat format);
[[nodiscard]] bool is_picture(ExportFormat format);

/// A chart to be written, and what an SVG says of it.
struct ExportedChart {
    std::shared_ptr<const Scene> scene;  ///< that on screen with the theme and the title of the request
    std::shared_ptr<const Analysis> analysis;
    std::string moves;  ///< drawn_moves()
};

/// What makes an export: of values, so that it can be made on the pool.
struct ExportSource {
    std::function<ExportedChart(const ExportRequest&)> chart;
    std::function<ReportTable(const ExportRequest&)> table;
    std::function<std::string(const ExportRequest&)> json;
    bool filtered = false;                    ///< a filter hides a part of it
    std::optional<ChartView> part_seen = {};  ///< of the axes; absent: all of them are on screen
};

/// The chart on screen, with `scene` as its options, and its numbers.
[[nodiscard]] ExportSource export_source(const WorkspaceResult& result, const SceneOptions& scene);

/// The scenario that a chart shows, for its metadata; empty without one.
[[nodiscard]] std::string drawn_moves(const WhatIf& what_if);

/// A picture of the page's size times `pixel_ratio` pixels. Fails when there is not the memory for it.
[[nodiscard]] Result<QImage> draw_chart(const Scene& scene, const PageSpec& size, double pixel_ratio);

/// The whole content of the file.
[[nodiscard]] Result<QByteArray> export_bytes(const ExportSource& source, const ExportRequest& request);

}  // namespace roofwalk
