// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/report/comparison_table.h"
#include "core/report/report_cells.h"

namespace roofwalk {

namespace {

ReportCell intensity(const std::optional<Intensity>& value, const std::string& unit) {
    return value ? number(value->value(), format(*value, unit)) : not_measured();
}

ReportCell level(const std::optional<MemoryLevel>& value) {
    return value ? word(std::string(label_of(*value))) : does_not_apply();
}

ReportCell least_time(const Bound& bound) {
    if (bound.speed_of_light) return amount(bound.speed_of_light, "s");
    return bound.at_least ? word("not known") : no_ceiling_known();
}

ReportCell crosses_over(const RoofChange& change) {
    const std::optional<bool> crosses = change.crosses_over();
    if (!crosses) return {.number = {}, .text = "not known", .known = false};
    return word(*crosses ? "yes" : "no");
}

/// What is known of the time there and of the speed-up where a level has no ceiling there.
void add_limits(std::span<const DeviceRoofs> devices, ReportTable& table) {
    const auto limited = [](const RoofChange& change) { return change.there.at_least.has_value(); };
    const bool any = std::ranges::any_of(
        devices, [&](const DeviceRoofs& roofs) { return std::ranges::any_of(roofs.changes, limited); });
    const ColumnPlace place = any ? ColumnPlace::main : ColumnPlace::file;
    table.columns.push_back({"other_time_at_least", "At least there", "s", true, place, "least_time"});
    table.columns.push_back({"other_time_at_least_by", "At least there by", "", false,
                             any ? ColumnPlace::context : ColumnPlace::file});
    table.columns.push_back({"roof_speed_up_at_most", "Speed-up at most", "", true, place});
    std::size_t row = 0;
    for (const DeviceRoofs& roofs : devices)
        for (const RoofChange& change : roofs.changes) {
            const Bound& there = change.there;
            const auto most = change.speed_up_at_most();
            std::vector<ReportCell>& cells = table.rows[row++];
            cells.push_back(there.at_least ? amount(there.at_least, "s") : does_not_apply());
            cells.push_back(there.at_least_by ? word(at_least_by_text(there)) : does_not_apply());
            cells.push_back(most ? number(*most, ratio_text(*most)) : does_not_apply());
        }
}

}  // namespace

ReportTable roof_change_table(const RunView& run, std::span<const DeviceRoofs> devices) {
    const std::string unit = std::string(work_unit(run.analysis->options.operations)) + "/byte";
    ReportTable table;
    table.columns = {{"kernel", "Kernel", "", false},
                     {"device", "Device", "", false, ColumnPlace::context},
                     {"other_device", "Other device", "", false, ColumnPlace::context},
                     {"bound", "Bound by", "", false},
                     {"other_bound", "Bound by there", "", false},
                     {"class_changes", "Compute/memory changes", "", false},
                     {"roof_speed_up", "Roof speed-up", ""},
                     {"level", "Level", "", false, ColumnPlace::detail},
                     {"intensity", "AI at level", unit, true, ColumnPlace::detail},
                     {"ridge", "Ridge of level", unit, true, ColumnPlace::detail},
                     {"other_level", "Level there", "", false, ColumnPlace::detail},
                     {"other_intensity", "AI at level there", unit, true, ColumnPlace::detail},
                     {"other_ridge", "Ridge of level there", unit, true, ColumnPlace::detail},
                     {"least_time", "Least time", "s", true, ColumnPlace::main, "least_time"},
                     {"other_least_time", "Least time there", "s", true, ColumnPlace::main, "least_time"}};
    for (const DeviceRoofs& roofs : devices)
        for (const RoofChange& change : roofs.changes) {
            const KernelPoint& point = run.point(change.point);
            const auto faster = change.speed_up();
            table.rows.push_back(
                {word(point.name), word(run.device_of(point).name), word(roofs.device),
                 word(bound_text(change.here)), word(bound_text(change.there)), crosses_over(change),
                 faster ? number(*faster, ratio_text(*faster)) : does_not_apply(), level(change.here.level),
                 intensity(change.here.intensity, unit), intensity(change.here.ridge, unit),
                 level(change.there.level), intensity(change.there.intensity, unit),
                 intensity(change.there.ridge, unit), least_time(change.here), least_time(change.there)});
        }
    add_limits(devices, table);
    use_one_unit_per_column(table);
    return table;
}

}  // namespace roofwalk
