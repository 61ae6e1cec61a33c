// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/program_effect.h"

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

}  // namespace

ProgramTotals measured_totals(const Analysis& analysis) {
    ProgramTotals totals;
    totals.time = analysis.total_time;
    for (const KernelPoint& point : analysis.points) {
        EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};
        for (const MemoryLevel level : all_levels)
            if (point.levels[level]) bytes[level] = point.levels[level]->bytes;
        add(totals, point.time.has_value(), bytes);
    }
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
