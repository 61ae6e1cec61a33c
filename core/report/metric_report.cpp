// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/metric_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/profile.h"
#include "core/model/source_names.h"
#include "core/report/report_table.h"

namespace roofwalk {

namespace {

ReportCell word_unless_empty(const std::string& text) {
    return text.empty() ? does_not_apply() : word_cell(one_line(text));
}

/// Whole from a million on, else with six digits; CSV and JSON have all of them.
std::string rounded(double value) {
    constexpr double large = 1e6;
    constexpr double exact = 1e15;
    const bool whole = value == std::trunc(value) || std::abs(value) >= large;
    return whole && std::abs(value) < exact ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value);
}

/// The value for people: a long text has its ends.
ReportCell brief_cell(const StoredValue& value) {
    constexpr std::size_t longest_text = 60;
    ReportCell cell = metric_cell(value);
    cell.text = cut_middle(cell.text, longest_text);
    return cell;
}

enum class RowsOf : std::uint8_t { launches, kernels };

std::vector<ColumnRule<MetricLine>> columns_of(const Profile& profile, const std::vector<MetricRow>& rows,
                                               RowsOf kind, std::shared_ptr<const LaunchNumbers> numbers) {
    const bool has_instances =
        std::ranges::any_of(rows, [](const MetricRow& row) { return !row.instance.empty(); });
    const ColumnPlace seldom = has_instances ? ColumnPlace::main : ColumnPlace::files_only;
    const bool of_kernels = kind == RowsOf::kernels;
    std::vector<ColumnRule<MetricLine>> columns;
    const auto add = [&](ReportColumn column, auto cell) { columns.push_back({std::move(column), cell}); };
    const auto words = ColumnKind::words;
    add({.id = "kernel", .title = "Kernel", .kind = ColumnKind::name, .place = ColumnPlace::context},
        [&](const MetricLine& line) {
            return word_cell(name_or_placeholder(profile.kernel_of(profile.at(line.launch)).name));
        });
    add({.id = "source", .title = "Report", .kind = words, .place = ColumnPlace::context},
        [](const MetricLine& line) { return word_cell(*line.file); });
    if (!of_kernels)
        add({.id = "launch", .title = "Launch", .place = ColumnPlace::context},
            [numbers = std::move(numbers)](const MetricLine& line) {
                const std::uint32_t launch = numbers->of(line.launch);
                return number_cell(launch, std::to_string(launch));
            });
    add({.id = "metric", .title = "Metric", .kind = words},
        [](const MetricLine& line) { return word_cell(one_line(line.row->name)); });
    add({.id = "instance", .title = "Instance", .kind = words, .place = seldom},
        [](const MetricLine& line) { return word_unless_empty(line.row->instance); });
    add({.id = "value", .title = of_kernels ? "Lowest" : "Value"},
        [](const MetricLine& line) { return brief_cell(*line.value); });
    if (of_kernels)
        add({.id = "highest", .title = "Highest"},
            [](const MetricLine& line) { return brief_cell(*line.highest); });
    add({.id = "unit", .title = "Unit", .kind = words}, [](const MetricLine& line) {
        return word_unless_empty(line.value->number ? line.row->unit : std::string());
    });
    if (of_kernels)
        add({.id = "launches", .title = "Launches"}, [](const MetricLine& line) {
            const auto count = static_cast<double>(line.launches);
            return number_cell(count, format_count(count));
        });
    if (of_kernels) return columns;
    add({.id = "text", .title = "Text", .kind = words, .place = ColumnPlace::files_only},
        [](const MetricLine& line) { return word_unless_empty(line.value->text); });
    add({.id = "instances", .title = "Instances", .place = ColumnPlace::files_only},
        [](const MetricLine& line) {
            const auto count = static_cast<double>(line.value->instances);
            return number_cell(count, format_count(count));
        });
    return columns;
}

void add_lines(const std::vector<MetricRow>& rows, const MetricFiles& files, const LaunchMetrics& launch,
               std::vector<MetricLine>& lines) {
    for (const StoredValue& value : launch.values)
        lines.push_back({launch.launch, &files.of(launch), &rows[value.row], &value});
}

/// One without a number is neither, where another has one.
void widen(StoredValue& lowest, StoredValue& highest, const StoredValue& value) {
    if (value.number && (!lowest.number || *value.number < *lowest.number)) lowest = value;
    if (value.number ? !highest.number || *value.number > *highest.number : !highest.number) highest = value;
}

constexpr std::size_t most_rows_of_launches = 200;

}  // namespace

MetricFiles::MetricFiles(const Profile& profile) : profile_(profile), own_(own_source_names(profile)) {}

const std::string& MetricFiles::of(const LaunchMetrics& metrics) const {
    const Launch& launch = profile_.at(metrics.launch);
    const bool kept = launch.file_offset == 0 && metrics.source == launch.source;
    if (!kept || launch.joined.empty()) return own_[static_cast<std::size_t>(metrics.source)];
    return *told_.insert(source_name(profile_, own_, sources_of(profile_, std::span(&metrics.launch, 1))))
                .first;
}

ReportCell metric_cell(const StoredValue& value) {
    if (value.number) return number_cell(*value.number, rounded(*value.number));
    if (!value.text.empty()) return word_cell(one_line(value.text));
    if (value.instances == 0) return not_measured();
    return word_cell(fmt::format("{} instance{}", value.instances, value.instances == 1 ? "" : "s"));
}

MetricStream::MetricStream(const Profile& profile, const std::vector<MetricRow>& rows, Form form)
    : profile_(profile),
      rows_(rows),
      files_(profile),
      numbers_(std::make_shared<const LaunchNumbers>(profile)),
      columns_(columns_of(profile, rows, RowsOf::launches, numbers_)),
      form_(form) {
    if (form_ == Form::csv) return;
    json_.begin_object();
    json_.line("format", "roofwalk-metrics");
    json_.line("version", 1);
    json_.next_line();
    json_.key("launches");
    json_.begin_array();
}

std::string MetricStream::add(const LaunchMetrics& launch) {
    const bool first = !std::exchange(begun_, true);
    if (form_ == Form::csv) {
        std::vector<MetricLine> lines;
        add_lines(rows_, files_, launch, lines);
        const ReportTable table = export_table(columns_, lines);
        return first ? to_csv(table) : csv_rows(table);
    }
    json_.next_line();
    json_.begin_object();
    json_.member("source", files_.of(launch));
    json_.member("launch", numbers_->of(launch.launch));
    json_.member("kernel", profile_.kernel_of(profile_.at(launch.launch)).name);
    json_.lines("metrics", launch.values, [&](const StoredValue& value) {
        const MetricRow& row = rows_[value.row];
        json_.begin_object();
        json_.member("name", row.name);
        if (!row.instance.empty()) json_.member("instance", row.instance);
        if (value.text.empty()) json_.member("value", value.number);
        if (!value.text.empty()) json_.member("text", value.text);
        if (value.number && !row.unit.empty()) json_.member("unit", row.unit);
        if (value.instances > 0) json_.member("instances", value.instances);
        json_.end_object();
    });
    json_.end_object();
    return json_.take();
}

std::string MetricStream::end() {
    if (form_ == Form::csv)
        return begun_ ? std::string() : to_csv(export_table(columns_, std::vector<MetricLine>()));
    json_.end_array();
    json_.next_line();
    json_.end_object();
    json_.end_line();
    return json_.take();
}

MetricOverview::MetricOverview(const Profile& profile, const std::vector<MetricRow>& rows)
    : profile_(profile), rows_(rows), files_(profile) {}

void MetricOverview::add(const LaunchMetrics& launch) {
    values_ += launch.values.size();
    if (values_ <= most_rows_of_launches)
        launches_.push_back(launch);
    else
        launches_.clear();
    const KernelIndex kernel = profile_.at(launch.launch).kernel;
    for (const StoredValue& value : launch.values) {
        Range& range = ranges_[{kernel, launch.source, value.row}];
        if (range.launches++ == 0) range = {launch.launch, &files_.of(launch), value, value, 1};
        widen(range.lowest, range.highest, value);
    }
}

ReportTable MetricOverview::table() const {
    std::vector<MetricLine> lines;
    for (const LaunchMetrics& launch : launches_)
        add_lines(rows_, files_, launch, lines);
    if (values_ <= most_rows_of_launches)
        return export_table(
            columns_of(profile_, rows_, RowsOf::launches, std::make_shared<const LaunchNumbers>(profile_)),
            lines);
    for (const auto& [key, range] : ranges_)
        lines.push_back({range.first, range.file, &rows_[std::get<std::uint32_t>(key)], &range.lowest,
                         &range.highest, range.launches});
    return export_table(columns_of(profile_, rows_, RowsOf::kernels, nullptr), lines);
}

std::string metrics_sentence(const StoredMetrics& metrics) {
    std::set<LaunchIndex> launches;
    for (const LaunchMetrics& launch : metrics.launches)
        launches.insert(launch.launch);
    return metrics_sentence(metrics.rows, launches.size());
}

std::string metrics_sentence(const std::vector<MetricRow>& rows, std::size_t launches) {
    std::set<std::string_view> names;
    for (const MetricRow& row : rows)
        names.insert(row.name);
    return fmt::format("{} {} of {} {}.", format_count(static_cast<double>(names.size())),
                       names.size() == 1 ? "metric" : "metrics", format_count(static_cast<double>(launches)),
                       launches == 1 ? "launch" : "launches");
}

}  // namespace roofwalk
