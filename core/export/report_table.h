// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/roofline/analysis.h"

namespace roofwalk {

/// One column of the numbers behind the chart.
struct ReportColumn {
    std::string id;     ///< "hbm_intensity": stable, for CSV and JSON
    std::string title;  ///< "AI HBM"
    std::string unit;   ///< "FLOP/byte"; empty for words
    bool numeric = true;
};

/// One cell: a number in base units, a word, or nothing ("not measured").
struct ReportCell {
    std::optional<double> number;
    std::string text;  ///< for people: scaled, with unit; "not measured" where a number is missing
};

/// The numbers of an analysis in rows, one for each kernel point, ready for every text export.
struct ReportTable {
    std::vector<ReportColumn> columns;
    std::vector<std::vector<ReportCell>> rows;
};

/// Rows by share of time, largest first.
[[nodiscard]] ReportTable report_table(const Analysis& analysis);

[[nodiscard]] std::string to_csv(const ReportTable& table);       ///< RFC 4180, base units in the header
[[nodiscard]] std::string to_markdown(const ReportTable& table);  ///< GitHub tables
[[nodiscard]] std::string to_text(const ReportTable& table, std::size_t width);  ///< aligned for a terminal
/// The numbers with ceilings, provenance, warnings and options, for scripts.
[[nodiscard]] std::string to_report_json(const Profile& profile, const Analysis& analysis);

}  // namespace roofwalk
