// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/base/text.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

const std::string& quantity_of(const ReportColumn& column) {
    return column.quantity.empty() ? column.id : column.quantity;
}

/// Intensities are compared with ridges: a plain number of FLOP/byte is.
bool has_prefix(const ReportColumn& column) {
    return column.numeric() && !column.unit.empty() && !column.unit.ends_with("/byte");
}

constexpr double least_in_unit = 1e-3;  ///< what is smaller has too many zeros
constexpr double most_in_unit = 1e6;

/// The unit of the largest number, or the next one where all have few zeros and digits in it; of numbers too
/// far apart that of most.
SiPrefix common_prefix(std::vector<double>& values) {
    const auto [least, most] = std::ranges::minmax(values);
    const SiPrefix largest = si_prefix_of(most);
    if (most <= most_in_unit * least)
        return least >= least_in_unit * largest.factor ? largest : si_prefix_of(least_in_unit * most);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return si_prefix_of(std::min(most, *middle / least_in_unit));
}

std::map<std::string, SiPrefix> prefix_by_quantity(const ReportTable& table) {
    std::map<std::string, std::vector<double>> numbers;
    for (const auto& row : table.rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i].number && has_prefix(table.columns[i]) && std::isnormal(*row[i].number))
                numbers[quantity_of(table.columns[i])].push_back(
                    std::abs(row[i].up_to.value_or(*row[i].number)));
    std::map<std::string, SiPrefix> prefixes;
    for (auto& [quantity, values] : numbers)
        prefixes[quantity] = common_prefix(values);
    return prefixes;
}

/// "0.00829" in the unit of the column; "8.29 µs" where that has too many zeros or digits.
std::string in_unit(double value, const SiPrefix& prefix, const std::string& unit) {
    const double shown = value / prefix.factor;
    const bool fits =
        std::abs(shown) >= least_in_unit && (prefix.factor == 1 || std::abs(shown) < most_in_unit);
    return shown == 0 || fits ? format_number(shown) : format_si(value, unit);
}

}  // namespace

std::string_view unit_behind_prefix(const ReportColumn& column) {
    if (column.unit == "byte/s") return "B/s";
    return column.unit == "byte" ? std::string_view("B") : std::string_view(column.unit);
}

void use_one_unit_per_column(ReportTable& table) {
    const std::map<std::string, SiPrefix> prefixes = prefix_by_quantity(table);
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        ReportColumn& column = table.columns[i];
        if (!column.numeric() || column.unit.empty()) continue;
        auto own = prefixes.find(quantity_of(column));
        if (own == prefixes.end() && column.unit == "s") own = prefixes.find("time");  // nothing of its own
        const SiPrefix prefix = own == prefixes.end() ? SiPrefix{} : own->second;
        const std::string unit(unit_behind_prefix(column));
        column.shown_unit = std::string(prefix.symbol) + unit;
        for (auto& row : table.rows)
            if (ReportCell& cell = row[i]; cell.number)
                cell.text = marked_if(
                    cell.approximate,
                    fmt::format("{}{}{}", cell.bound, in_unit(*cell.number, prefix, unit),
                                cell.up_to ? "–" + in_unit(*cell.up_to, prefix, unit) : std::string()));
    }
}

ReportCell bounded(ShareBound bound, ReportCell cell, bool of_distance) {
    if (!cell.number) return cell;
    cell.bound = sign_of(of_distance ? bound_of_distance(bound) : bound);
    cell.text.insert(0, cell.bound);
    return cell;
}

ReportCell at_least(const KernelPoint& point, ReportCell cell) {
    return bounded(point.uncounted.any() ? ShareBound::at_least : ShareBound::exact, std::move(cell));
}

ReportCell intensity_cell(const KernelPoint& point, MemoryLevel level, const std::string& work_unit) {
    const std::optional<LevelPoint>& there = point.at(level);
    if (!there) return or_contradicted(point, not_measured());
    if (point.work == Flops(0) && !point.uncounted.any()) return word_cell("no " + work_unit);
    if (there->bytes == Bytes(0)) return word_cell("no bytes");
    if (!there->intensity) return or_contradicted(point, not_measured());
    return marked_if(has_inexact_intensity(point, level),
                     at_least(point, number_cell(there->intensity->value(),
                                                 format(*there->intensity, work_unit + "/byte"))));
}

ReportCell bytes_cell(const KernelPoint& point, MemoryLevel level) {
    const std::optional<LevelPoint>& there = point.at(level);
    if (!there) return or_contradicted(point, not_measured());
    return marked_if(is_inexact(point, level), quantity_cell(std::optional(there->bytes), "B"));
}

ReportCell why_unbound(const KernelPoint& point) {
    const auto known = [](const auto& level) { return level.has_value(); };
    const auto moves_bytes = [](const auto& level) { return level && level->bytes.value() > 0; };
    if (point.verdict.left_unjudged) return {.number = {}, .text = "not judged", .known = false};
    if (lacks_ceilings(point)) return no_ceiling_known();
    if (!point.work || std::ranges::none_of(point.levels, known)) return not_measured();
    if (point.uncounted.any()) return work_incomplete();
    const bool does_something = point.work->value() > 0 || std::ranges::any_of(point.levels, moves_bytes);
    return does_something ? no_ceiling_known() : does_not_apply();
}

std::string bound_by(const KernelPoint& point) {
    return share_of_launches(point) ? "launch" : limit_label(point);
}

std::optional<double> share_of_bound(const KernelPoint& point) {
    const auto launches = share_of_launches(point);
    return launches ? launches : share_of_limit(point);
}

ReportCell binding_cell(const KernelPoint& point) {
    const std::string limit = bound_by(point);
    return limit.empty() ? why_unbound(point) : word_cell(limit);
}

ReportCell recoverable_cell(const KernelPoint& point) {
    if (const auto gain = gain_of(point)) {
        ReportCell cell = number_cell(gain->same.value(), gain_words(*gain));
        if (gain->is_range()) cell.up_to = gain->most.value();
        return marked_if(has_approximate_recovery(point), bounded(bound_of_recoverable(point), cell));
    }
    if (point.contradicted) return word_cell("contradicted");
    if (point.verdict.kernel_class == KernelClass::above_roof) return word_cell("above the roof");
    return gap_cell(point, std::nullopt, format_percent);
}

ReportCell roof_share_cell(const KernelPoint& point) {
    const auto share = share_of_bound(point);
    if (!share) return gap_cell(point, share, format_percent);
    ReportCell cell = number_cell(*share, format_percent(*share));
    if (share_of_launches(point)) return marked_if(point.time_doubted, std::move(cell));
    return marked_if(has_approximate_share(point), bounded(bound_of_limit(point), std::move(cell)));
}

}  // namespace roofwalk
