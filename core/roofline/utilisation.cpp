// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/utilisation.h"

#include <algorithm>

namespace roofwalk {

namespace {

void consider(std::optional<Utilisation>& most, const KernelPoint& point, CeilingTarget target,
              const std::optional<Seconds>& bound) {
    if (!bound || !point.time || point.time->value() <= 0) return;
    const double share = *bound / *point.time;
    if (!most || share > most->share) most = Utilisation{target, share};
}

/// Whether a pipe binds that takes longer than all of W does: its operations are of another class.
bool binds_beside_the_work(const KernelPoint& point) {
    constexpr double rounding = 1e-9;
    if (!point.binding || !std::holds_alternative<Pipe>(*point.binding)) return false;
    return *point.speed_of_light > *point.work / *point.compute_ceiling * (1 + rounding);
}

}  // namespace

std::optional<Utilisation> memory_utilisation(const KernelPoint& point) {
    std::optional<Utilisation> most;
    for (const auto& level : point.levels)
        if (level) consider(most, point, level->boundary, level->bound);
    return most;
}

std::optional<Utilisation> compute_utilisation(const KernelPoint& point) {
    std::optional<Utilisation> most;
    for (const PipeLoad& load : point.pipes)
        consider(most, point, load.pipe, load.bound);
    return most;
}

bool compute_is_known(const KernelPoint& point) {
    Flops with_ceiling;
    Flops without_ceiling;
    for (const PipeLoad& load : point.pipes)
        if (load.ceiling || load.pipe.kind != PipeKind::int32)
            (load.ceiling ? with_ceiling : without_ceiling) += load.work;
    return with_ceiling.value() > 0 && without_ceiling <= (with_ceiling + without_ceiling) * trace_of_work;
}

std::optional<RidgePlace> ridge_place(const KernelPoint& point) {
    if (!point.compute_ceiling || binds_beside_the_work(point)) return std::nullopt;
    const LevelPoint* seen_from = nullptr;
    for (const auto& level : point.levels) {
        if (!level || !level->intensity || !level->ceiling) continue;
        const bool binds = point.binding == CeilingTarget(level->boundary);
        if (!seen_from || binds) seen_from = &*level;
    }
    if (!seen_from) return std::nullopt;
    return RidgePlace{level_of(seen_from->boundary), *seen_from->intensity,
                      ridge_point(*point.compute_ceiling, *seen_from->ceiling)};
}

std::vector<std::string_view> levels_not_judged(const KernelPoint& point) {
    const auto judged = [&](MemoryLevel level) {
        const auto& at = point.at(level);
        return at && (at->bound || at->bytes.value() == 0);
    };
    const auto known = [&](HardwareUnit unit) {
        return point.throughput[static_cast<std::size_t>(unit)].has_value();
    };
    const bool memory = known(HardwareUnit::memory);  // counts less of L1TEX than L1TEX itself does
    std::vector<std::string_view> list;
    const auto add = [&](bool is_judged, std::string_view level) {
        if (!is_judged) list.push_back(level);
    };
    add(judged(MemoryLevel::hbm) || memory, "HBM");
    add(judged(MemoryLevel::l2) || known(HardwareUnit::l2) || memory, "L2");
    const bool l1_with_shared =
        judged(MemoryLevel::l1) && point.at(MemoryLevel::l1)->boundary == Boundary::l1_unified;
    add(l1_with_shared || judged(MemoryLevel::smem) || known(HardwareUnit::l1tex), "L1/SMEM");
    return list;
}

bool has_known_bytes(const KernelPoint& point) {
    return std::ranges::any_of(point.levels, [](const auto& level) { return level.has_value(); });
}

}  // namespace roofwalk
