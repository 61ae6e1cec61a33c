// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/import/csv/csv_tokenizer.h"

namespace roofwalk {

/// A column of metrics in the wide form.
struct NcuCsvMetricColumn {
    std::size_t index = 0;
    std::string name;
    std::optional<double> unit_factor{};  ///< absent until the units are read, and where they are not known
    std::string base_unit{};
};

/// What stands where in the CSV of ncu.
struct NcuCsvColumns {
    std::size_t count = 0;
    bool quoted = false;  ///< the header was quoted, and so is every line of ncu's own
    std::size_t id = 0;
    std::size_t kernel_name = 0;
    std::optional<std::size_t> process;
    std::optional<std::size_t> context;
    std::optional<std::size_t> stream;
    std::optional<std::size_t> block;
    std::optional<std::size_t> grid;
    std::optional<std::size_t> device;
    std::optional<std::size_t> capability;
    /// Long form: one metric a row.
    std::optional<std::size_t> metric_name;
    std::optional<std::size_t> metric_unit;
    std::size_t metric_value = 0;
    /// Wide form: one kernel a row.
    std::vector<NcuCsvMetricColumn> metrics;

    [[nodiscard]] bool is_long() const { return metric_name.has_value(); }
};

/// Whether a line begins as the column names of ncu do.
[[nodiscard]] bool begins_ncu_csv_header(std::string_view line);
/// Whether a line is the column names of ncu, not something printed before them.
[[nodiscard]] bool is_ncu_csv_header(std::string_view line);

/// The columns of a header; an error when they hold no metrics.
[[nodiscard]] Result<NcuCsvColumns> ncu_csv_columns(const CsvRecord& header);

}  // namespace roofwalk
