// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_csv_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/import/csv/ncu_csv_number.h"

namespace roofwalk {

namespace {

/// Columns that say which kernel a row is about.
constexpr std::array<std::string_view, 12> identity{"ID",          "Process ID",  "Process Name", "Host Name",
                                                    "Kernel Name", "Kernel Time", "Context",      "Stream",
                                                    "Block Size",  "Grid Size",   "Device",       "CC"};

std::optional<std::size_t> position(const CsvRecord& header, std::string_view name) {
    const auto found = std::ranges::find(header.fields, name);
    if (found == header.fields.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.fields.begin());
}

bool looks_like_metric(const std::string& name) {
    return name.find("__") != std::string::npos;
}

Error without(std::string what, std::size_t line) {
    return {ErrorCode::bad_csv, std::move(what), fmt::format("line {}", line),
            "Write it with ncu --csv --page raw, or with --metrics or --section and --csv."};
}

}  // namespace

bool begins_ncu_csv_header(std::string_view line) {
    return line.starts_with("\"ID\",") || line.starts_with("ID,");
}

bool is_ncu_csv_header(std::string_view line) {
    return begins_ncu_csv_header(line) && line.find("Kernel Name") != std::string_view::npos;
}

Result<NcuCsvColumns> ncu_csv_columns(const CsvRecord& header) {
    NcuCsvColumns columns;
    columns.count = header.fields.size();
    const auto id = position(header, "ID");
    const auto kernel_name = position(header, "Kernel Name");
    if (!id || !kernel_name)
        return tl::unexpected(without("The columns \"ID\" and \"Kernel Name\" are missing", header.line));
    columns.id = *id;
    columns.kernel_name = *kernel_name;
    columns.process = position(header, "Process ID");
    columns.context = position(header, "Context");
    columns.stream = position(header, "Stream");
    columns.block = position(header, "Block Size");
    columns.grid = position(header, "Grid Size");
    columns.device = position(header, "Device");
    columns.capability = position(header, "CC");

    columns.metric_name = position(header, "Metric Name");
    if (columns.metric_name) {
        const auto value = position(header, "Metric Value");
        if (!value) return tl::unexpected(without("The column \"Metric Value\" is missing", header.line));
        columns.metric_value = *value;
        columns.metric_unit = position(header, "Metric Unit");
        return columns;
    }
    for (std::size_t i = 0; i < header.fields.size(); ++i)
        if (std::ranges::find(identity, header.fields[i]) == identity.end())
            columns.metrics.push_back(
                {i, header.fields[i], ncu_csv_unit_factor(header.fields[i], std::string_view())});
    if (std::ranges::none_of(header.fields, looks_like_metric))
        return tl::unexpected(without("No column holds a metric", header.line));
    return columns;
}

}  // namespace roofwalk
