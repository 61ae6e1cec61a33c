// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <array>

#include "core/chart/scene/palette.h"

namespace roofwalk {

/// What a chart or its numbers can be written as.
enum class ExportFormat : std::uint8_t { svg, png, pdf, csv, json, markdown };

inline constexpr std::array all_export_formats{ExportFormat::svg, ExportFormat::png,  ExportFormat::pdf,
                                               ExportFormat::csv, ExportFormat::json, ExportFormat::markdown};

struct ExportRequest {
    ExportFormat format = ExportFormat::svg;
    QSize size{900, 600};  ///< of a picture [px]; 96 px are an inch on paper
    int scale = 2;         ///< pixels of a PNG for each px
    Theme theme = Theme::print;
    QString title;              ///< above the chart; may be empty
    bool only_matching = true;  ///< leave out the kernels that the filter hides
};

/// "svg": suffix of the file and name in the settings.
[[nodiscard]] QString suffix_of(ExportFormat format);
[[nodiscard]] ExportFormat export_format_from_suffix(const QString& suffix);
/// "SVG picture".
[[nodiscard]] QString label_of(ExportFormat format);
[[nodiscard]] bool is_picture(ExportFormat format);

}  // namespace roofwalk
