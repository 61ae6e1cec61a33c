// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/program_effect.h"

namespace roofwalk {

ProgramTotals measured_totals(const Analysis& analysis) {
    ProgramTotals totals;
    totals.time = analysis.total_time;
    totals.rows = static_cast<std::uint32_t>(analysis.points.size());
    for (const KernelPoint& point : analysis.points) {
        if (!point.time) ++totals.rows_without_time;
        for (std::size_t level = 0; level < level_count; ++level) {
            if (point.levels[level])
                totals.bytes[level] = totals.bytes[level].value_or(Bytes()) + point.levels[level]->bytes;
            else
                ++totals.rows_without_bytes[level];
        }
    }
    return totals;
}

ProgramTotals with_change(ProgramTotals totals, const KernelState& from, const KernelState& to) {
    if (from.time && to.time) totals.time += *to.time - *from.time;
    for (std::size_t level = 0; level < level_count; ++level)
        if (totals.bytes[level] && from.bytes[level] && to.bytes[level])
            *totals.bytes[level] += *to.bytes[level] - *from.bytes[level];
    return totals;
}

std::optional<double> speed_up(const ProgramTotals& before, const ProgramTotals& after) {
    if (before.time.value() <= 0 || after.time.value() <= 0) return std::nullopt;
    return before.time / after.time;
}

}  // namespace roofwalk
