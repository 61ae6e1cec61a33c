// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/program_effect.h"

#include <vector>

#include "core/roofline/group_totals.h"

namespace roofwalk {

namespace {

void add(ProgramTotals& totals, bool timed, const EnumArray<MemoryLevel, std::optional<Bytes>>& bytes) {
    ++totals.rows;
    if (!timed) ++totals.rows_without_time;
    for (const MemoryLevel level : all_levels) {
        if (bytes[level])
            totals.bytes[level] = totals.bytes[level].value_or(Bytes()) + *bytes[level];
        else
            ++totals.rows_without_bytes[level];
    }
}

/// Rows that have no point are summed here.
void add_hidden(ProgramTotals& totals, const Profile& profile, const Analysis& analysis) {
    std::vector<bool> shown(analysis.grouping.groups.size());
    for (const KernelPoint& point : analysis.points)
        shown[point.group] = true;
    for (std::size_t group = 0; group < shown.size(); ++group) {
        if (shown[group]) continue;
        const GroupTotals row = sum_launches(
            profile, analysis.grouping.launches_of(analysis.grouping.groups[group]), analysis.options);
        EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};
        for (const MemoryLevel level : all_levels)
            if (row.traffic[level]) bytes[level] = row.traffic[level]->bytes;
        add(totals, row.time.has_value(), bytes);
        ++totals.rows_hidden;
    }
}

}  // namespace

ProgramTotals measured_totals(const Profile& profile, const Analysis& analysis) {
    ProgramTotals totals;
    totals.time = analysis.total_time;
    for (const KernelPoint& point : analysis.points) {
        EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};
        for (const MemoryLevel level : all_levels)
            if (point.levels[level]) bytes[level] = point.levels[level]->bytes;
        add(totals, point.time.has_value(), bytes);
    }
    if (analysis.points.size() < analysis.grouping.groups.size()) add_hidden(totals, profile, analysis);
    return totals;
}

ProgramTotals with_change(ProgramTotals totals, const KernelState& from, const KernelState& to,
                          Seconds saved) {
    totals.time = totals.time - saved;
    for (const MemoryLevel level : all_levels)
        if (totals.bytes[level] && from.bytes[level] && to.bytes[level])
            *totals.bytes[level] += *to.bytes[level] - *from.bytes[level];
    return totals;
}

std::optional<double> speed_up(const ProgramTotals& before, const ProgramTotals& after) {
    if (before.time.value() <= 0 || after.time.value() <= 0) return std::nullopt;
    return before.time / after.time;
}

}  // namespace roofwalk
