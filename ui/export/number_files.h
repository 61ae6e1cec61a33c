// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <string>

#include "core/base/error.h"
#include "core/report/report_table.h"

namespace roofwalk {

class Document;

/// Numbers that can be written in several formats; made when the format is known.
struct Numbers {
    std::function<ReportTable()> table;
    std::function<std::string()> json;
};

/// Writes numbers as CSV, Markdown or JSON, as the end of the file's name asks for; not over a file that the
/// document shows.
[[nodiscard]] Result<void> write_numbers(const Document& document, const QString& path,
                                         const Numbers& numbers);

}  // namespace roofwalk
