// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_cells.h"

#include <algorithm>

namespace roofwalk {

ReportCell at_least(const KernelPoint& point, ReportCell cell) {
    if (cell.number) cell.text = at_least(point, cell.text);
    return cell;
}

ReportCell intensity_cell(const std::optional<LevelPoint>& level, const std::string& unit) {
    if (!level) return not_measured();
    if (level->intensity) return number(level->intensity->value(), format(*level->intensity, unit));
    return level->bytes == Bytes(0) ? word("no bytes") : not_measured();
}

ReportCell why_unbound(const KernelPoint& point) {
    const auto known = [](const auto& level) { return level.has_value(); };
    const auto moves_bytes = [](const auto& level) { return level && level->bytes.value() > 0; };
    if (!point.work || std::ranges::none_of(point.levels, known)) return not_measured();
    if (point.uncounted.any()) return work_incomplete();
    const bool does_something = point.work->value() > 0 || std::ranges::any_of(point.levels, moves_bytes);
    return does_something ? no_ceiling_known() : does_not_apply();
}

ReportCell binding_cell(const KernelPoint& point) {
    return point.binding ? word(label_of(*point.binding)) : why_unbound(point);
}

ReportCell roof_share_cell(const KernelPoint& point) {
    return gap_cell(point, point.gap ? std::optional(point.gap->efficiency()) : std::nullopt, format_percent);
}

}  // namespace roofwalk
