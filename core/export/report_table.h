// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// One column of the numbers behind the chart.
struct ReportColumn {
    std::string id;     ///< "hbm_intensity": stable, for CSV
    std::string title;  ///< "AI HBM"
    std::string unit;   ///< "FLOP/byte"; empty for words, counts and ratios
    bool numeric = true;
};

/// One cell: a number in base units, a word, or why there is none: "not measured", "no ceiling known", "work
/// incomplete", or "–" where the question does not apply (the roof of a kernel without FLOPs).
struct ReportCell {
    std::optional<double> number;  ///< absent in columns of words, and where there is none
    std::string text;     ///< for people: scaled, with unit, "≥" of a lower bound; or why it is missing
    bool known = true;    ///< false: not measured, and only then
    bool applies = true;  ///< false: the question is none for this row; "–" for people, nothing in CSV
};

/// The numbers of an analysis in rows, one for each kernel point, ready for every text export. The first
/// column is the kernel's whole name; what matters most comes first.
struct ReportTable {
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
};

/// Rows in the order of points_by_time.
[[nodiscard]] ReportTable report_table(const Profile& profile, const Analysis& analysis);

/// RFC 4180, base units in the header, whole names; what is not measured or does not apply is an empty field.
/// Names that a spreadsheet would take for a formula get a leading apostrophe.
[[nodiscard]] std::string to_csv(const ReportTable& table);
/// A GitHub table with shortened names; nothing in a name acts as markup.
[[nodiscard]] std::string to_markdown(const ReportTable& table);
/// Aligned for a terminal of `width` columns: the first columns that fit, names shortened. Width 0 is
/// unlimited: every column.
[[nodiscard]] std::string to_text(const ReportTable& table, std::size_t width);
/// The numbers with ceilings, provenance, warnings and options, for scripts
/// (`resources/schema/report.schema.json`). Of file paths only the last part is written.
[[nodiscard]] std::string to_report_json(const Profile& profile, const Analysis& analysis);

}  // namespace roofwalk
