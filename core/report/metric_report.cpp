// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/metric_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/profile.h"
#include "core/model/source_names.h"
#include "core/report/report_cells.h"

namespace roofwalk {

namespace {

/// One metric of one launch.
struct MetricLine {
    const LaunchMetrics* launch;
    const MetricValue* value;
};

ReportCell word_unless_empty(const std::string& text) {
    return text.empty() ? does_not_apply() : word(one_line(text));
}

/// Whole from a million on, else with six digits; CSV and JSON have all of them.
std::string rounded(double value) {
    constexpr double large = 1e6;
    constexpr double exact = 1e15;
    const bool whole = value == std::trunc(value) || std::abs(value) >= large;
    return whole && std::abs(value) < exact ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

std::vector<ColumnRule<MetricLine>> columns_of(const Profile& profile, const StoredMetrics& metrics) {
    const auto row_of = [&metrics](const MetricLine& line) -> const MetricRow& {
        return metrics.rows[line.value->row];
    };
    const bool has_instances =
        std::ranges::any_of(metrics.rows, [](const MetricRow& row) { return !row.instance.empty(); });
    const ColumnPlace seldom = has_instances ? ColumnPlace::main : ColumnPlace::file;
    std::vector<ColumnRule<MetricLine>> columns;
    const auto add = [&](ReportColumn column, auto cell) { columns.push_back({std::move(column), cell}); };
    const auto words = ColumnKind::words;
    add({.id = "kernel", .title = "Kernel", .kind = ColumnKind::name, .place = ColumnPlace::context},
        [&](const MetricLine& line) {
            return word(profile.kernel_of(profile.at(line.launch->launch)).name);
        });
    add({.id = "source", .title = "Report", .kind = words, .place = ColumnPlace::context},
        [files = MetricFiles(profile)](const MetricLine& line) { return word(files.of(*line.launch)); });
    add({.id = "launch", .title = "Launch", .place = ColumnPlace::context},
        [numbers = LaunchNumbers(profile)](const MetricLine& line) {
            const std::uint32_t launch = numbers.of(line.launch->launch);
            return number(launch, std::to_string(launch));
        });
    add({.id = "metric", .title = "Metric", .kind = words},
        [=](const MetricLine& line) { return word(one_line(row_of(line).name)); });
    add({.id = "instance", .title = "Instance", .kind = words, .place = seldom},
        [=](const MetricLine& line) { return word_unless_empty(row_of(line).instance); });
    add({.id = "value", .title = "Value"}, [](const MetricLine& line) { return metric_cell(*line.value); });
    add({.id = "unit", .title = "Unit", .kind = words}, [=](const MetricLine& line) {
        return word_unless_empty(line.value->number ? row_of(line).unit : std::string());
    });
    add({.id = "text", .title = "Text", .kind = words, .place = ColumnPlace::file},
        [](const MetricLine& line) { return word_unless_empty(line.value->text); });
    add({.id = "instances", .title = "Instances", .place = ColumnPlace::file}, [](const MetricLine& line) {
        const auto count = static_cast<double>(line.value->instances);
        return number(count, format_count(count));
    });
    return columns;
}

}  // namespace

MetricFiles::MetricFiles(const Profile& profile) : profile_(profile), own_(own_source_names(profile)) {}

std::string MetricFiles::of(const LaunchMetrics& metrics) const {
    const Launch& launch = profile_.at(metrics.launch);
    const bool kept = launch.file_offset == 0 && metrics.source == launch.source;
    return kept ? source_name(profile_, own_, sources_of(profile_, std::span(&metrics.launch, 1)))
                : own_[static_cast<std::size_t>(metrics.source)];
}

ReportCell metric_cell(const MetricValue& value) {
    if (value.number) return number(*value.number, rounded(*value.number));
    if (!value.text.empty()) return word(one_line(value.text));
    if (value.instances == 0) return not_measured();
    return word(fmt::format("{} instances", value.instances));
}

ReportTable metric_table(const Profile& profile, const StoredMetrics& metrics) {
    std::vector<MetricLine> lines;
    for (const LaunchMetrics& launch : metrics.launches)
        for (const MetricValue& value : launch.values)
            lines.push_back({&launch, &value});
    return filled(columns_of(profile, metrics), lines);
}

std::string to_metrics_json(const Profile& profile, const StoredMetrics& metrics) {
    const LaunchNumbers numbers(profile);
    const MetricFiles files(profile);
    JsonWriter json;
    json.begin_object();
    json.line("format", "roofwalk-metrics");
    json.line("version", 1);
    json.next_line();
    json.lines("launches", metrics.launches, [&](const LaunchMetrics& launch) {
        json.begin_object();
        json.member("source", files.of(launch));
        json.member("launch", numbers.of(launch.launch));
        json.member("kernel", profile.kernel_of(profile.at(launch.launch)).name);
        json.lines("metrics", launch.values, [&](const MetricValue& value) {
            const MetricRow& row = metrics.rows[value.row];
            json.begin_object();
            json.member("name", row.name);
            if (!row.instance.empty()) json.member("instance", row.instance);
            if (value.text.empty()) json.member("value", value.number);
            if (!value.text.empty()) json.member("text", value.text);
            if (value.number && !row.unit.empty()) json.member("unit", row.unit);
            if (value.instances > 0) json.member("instances", value.instances);
            json.end_object();
        });
        json.end_object();
    });
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

std::string metrics_sentence(const StoredMetrics& metrics) {
    std::set<std::string_view> names;
    for (const MetricRow& row : metrics.rows)
        names.insert(row.name);
    std::set<LaunchIndex> numbers;
    for (const LaunchMetrics& launch : metrics.launches)
        numbers.insert(launch.launch);
    const std::size_t launches = numbers.size();
    return fmt::format("{} {} of {} {}.", format_count(static_cast<double>(names.size())),
                       names.size() == 1 ? "metric" : "metrics", format_count(static_cast<double>(launches)),
                       launches == 1 ? "launch" : "launches");
}

}  // namespace roofwalk
