// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_request.h"

#include <QCoreApplication>

namespace roofwalk {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ExportRequest", text);
}

}  // namespace

QString suffix_of(ExportFormat format) {
    switch (format) {
        case ExportFormat::svg:
            return QStringLiteral("svg");
        case ExportFormat::png:
            return QStringLiteral("png");
        case ExportFormat::pdf:
            return QStringLiteral("pdf");
        case ExportFormat::csv:
            return QStringLiteral("csv");
        case ExportFormat::json:
            return QStringLiteral("json");
        case ExportFormat::markdown:
            return QStringLiteral("md");
    }
    return {};
}

ExportFormat export_format_from_suffix(const QString& suffix) {
    for (const ExportFormat format : all_export_formats)
        if (suffix_of(format) == suffix) return format;
    return ExportFormat::svg;
}

QString label_of(ExportFormat format) {
    switch (format) {
        case ExportFormat::svg:
            return tr("SVG picture");
        case ExportFormat::png:
            return tr("PNG picture");
        case ExportFormat::pdf:
            return tr("PDF page");
        case ExportFormat::csv:
            return tr("CSV numbers");
        case ExportFormat::json:
            return tr("JSON numbers");
        case ExportFormat::markdown:
            return tr("Markdown table");
    }
    return {};
}

bool is_picture(ExportFormat format) {
    return format == ExportFormat::svg || format == ExportFormat::png || format == ExportFormat::pdf;
}

}  // namespace roofwalk
