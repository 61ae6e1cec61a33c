// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/utilisation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/operations/measured_type.h"
#include "core/roofline/roofline.h"

namespace roofwalk {

namespace {

void consider(std::optional<Utilisation>& most, const KernelPoint& point, CeilingTarget target,
              const std::optional<Seconds>& bound) {
    const auto time = point.known_time();
    if (!bound || !time || time->value() <= 0) return;
    const double share = *bound / *time;
    if (!most || share > most->share) most = Utilisation{target, share};
}

/// Whether a pipe binds that takes longer than all of W does: its operations are of another class.
bool binds_beside_the_work(const KernelPoint& point) {
    constexpr double rounding = 1e-9;
    if (!point.binding || !std::holds_alternative<Pipe>(*point.binding)) return false;
    return *point.speed_of_light > *point.work / *point.compute_ceiling * (1 + rounding);
}

bool has_approximate_launch_limit(const KernelPoint& point) {
    return std::ranges::any_of(point.verdict.launch_limits,
                               [&](const NearestLimit& limit) { return is_approximate(point, limit.of); });
}

}  // namespace

bool is_inexact(const KernelPoint& point, const MemoryLevel& level) {
    const auto& at = point.at(level);
    return at && (at->origin == Origin::estimated || !point.measured_level(level));
}

bool is_inexact(const KernelPoint& point, const Boundary& boundary) {
    return is_inexact(point, level_of(boundary));
}

bool is_inexact(const KernelPoint& point, const Pipe& pipe) {
    const auto load = std::ranges::find(point.pipes, pipe, &PipeLoad::pipe);
    if (load == point.pipes.end() || load->work.value() <= 0) return false;
    const bool of_operation = point.modelled || point.modelled_work;
    return load->origin == Origin::estimated || (load->origin == Origin::modelled && of_operation);
}

bool has_inexact_work(const KernelPoint& point) {
    return std::ranges::any_of(
        point.pipes, [&](const PipeLoad& load) { return load.in_work && is_inexact(point, load.pipe); });
}

bool has_inexact_intensity(const KernelPoint& point, MemoryLevel level) {
    return is_inexact(point, level) || has_inexact_work(point);
}

bool is_told_share(const KernelPoint& point, const Boundary& boundary) {
    constexpr double clocks = 0.05;  // launches have ceilings of their own, which their sum has the mean of
    const auto share = point.bandwidth_share(level_of(boundary));
    if (level_of(boundary) != MemoryLevel::hbm || !share || !has_bytes_of_share(point)) return false;
    const double told = *point.throughput[HardwareUnit::dram];
    return std::abs(*share - told) <= told * clocks && !is_inexact(point, HardwareUnit::dram);
}

bool has_approximate_share(const KernelPoint& point) {
    if (!point.verdict.launch_limits.empty()) return has_approximate_launch_limit(point);
    const auto limit = tightest_limit(point);
    return limit && is_approximate(point, limit->of);
}

bool has_approximate_gap(const KernelPoint& point) {
    return has_roof(point) && point.binding ? is_approximate(point, *point.binding)
                                            : has_approximate_share(point);
}

bool is_recoverable_at_least(const KernelPoint& point) {
    return point.recoverable &&
           (point.recoverable->at_least || point.recoverable->launches < point.launches - point.failed);
}

bool has_approximate_recovery(const KernelPoint& point) {
    // A sum of what is known at least and of what is known at most is a bound of neither kind.
    const bool unbounded = point.recoverable && point.recoverable->at_most && is_recoverable_at_least(point);
    return point.time_doubted || unbounded || has_approximate_share(point);
}

std::string marked_gap(const KernelPoint& point, const std::string& figure) {
    return marked_if(has_approximate_gap(point), figure);
}

std::string marked_share(const KernelPoint& point, const std::string& figure) {
    return marked_if(has_approximate_share(point), figure);
}

std::string marked_intensity(const KernelPoint& point, MemoryLevel level, const std::string& figure) {
    return marked_if(has_inexact_intensity(point, level), figure);
}

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

namespace {

constexpr std::string_view label_of_l1_with_smem = "L1/SMEM";

/// A level, whether its bytes judge it, and the unit of the profiler that does where they do not.
struct JudgedLevel {
    MemoryLevel level;  ///< SMEM: with L1, which is the same unit
    bool by_bytes = false;
    std::optional<BusyUnit> by_unit;
    bool counted = false;  ///< its bytes were
};

std::array<JudgedLevel, 3> judged_levels(const KernelPoint& point) {
    const auto by_bytes = [&](MemoryLevel level) {
        const auto& at = point.at(level);
        return at && (at->bound || at->bytes.value() == 0);
    };
    const auto by_unit = [&](HardwareUnit unit) -> std::optional<BusyUnit> {
        const auto& share = point.throughput[unit];
        return share ? std::optional(BusyUnit{unit, *share}) : std::nullopt;
    };
    const auto memory = by_unit(HardwareUnit::memory);  // counts less of L1TEX than L1TEX itself does
    const auto l2 = by_unit(HardwareUnit::l2);
    const auto dram = by_unit(HardwareUnit::dram);
    const auto& l1 = point.at(MemoryLevel::l1);
    const bool is_unified = l1 && l1->boundary == Boundary::l1_unified;
    const bool l1_with_shared = by_bytes(MemoryLevel::l1) && is_unified;
    const auto counted = [&](MemoryLevel level) { return point.at(level).has_value(); };
    return {{{MemoryLevel::hbm, by_bytes(MemoryLevel::hbm), dram ? dram : memory, counted(MemoryLevel::hbm)},
             {MemoryLevel::l2, by_bytes(MemoryLevel::l2), l2 ? l2 : memory, counted(MemoryLevel::l2)},
             {MemoryLevel::smem, l1_with_shared || by_bytes(MemoryLevel::smem), by_unit(HardwareUnit::l1tex),
              counted(MemoryLevel::smem) || is_unified}}};
}

/// Whether the pipes with more than a trace of the work have a ceiling; false without work. INT32 does not
/// count: its ceiling is known for no device.
bool compute_is_known(const KernelPoint& point) {
    Flops with_ceiling;
    Flops without_ceiling;
    for (const PipeLoad& load : point.pipes)
        if (load.ceiling || load.pipe.kind != PipeKind::int32)
            (load.ceiling ? with_ceiling : without_ceiling) += load.work;
    return with_ceiling.value() > 0 &&
           without_ceiling <= (with_ceiling + without_ceiling) * negligible_work_share;
}

}  // namespace

std::vector<std::string_view> labels_of(std::span<const MemoryLevel> levels, MemoryName memory) {
    std::vector<std::string_view> labels;
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (i > 0 && levels[i] == MemoryLevel::smem && levels[i - 1] == MemoryLevel::l1)
            labels.back() = label_of_l1_with_smem;
        else
            labels.push_back(label_of(levels[i], memory));
    return labels;
}

std::vector<MemoryLevel> levels_not_judged(const KernelPoint& point) {
    std::vector<MemoryLevel> list;
    for (const JudgedLevel& judged : judged_levels(point)) {
        if (judged.by_bytes || judged.by_unit) continue;
        if (judged.level == MemoryLevel::smem) list.push_back(MemoryLevel::l1);
        list.push_back(judged.level);
    }
    return list;
}

std::vector<std::string_view> labels_not_judged(const KernelPoint& point) {
    return labels_of(levels_not_judged(point), point.memory);
}

std::optional<NearestLimit> nearest_limit(const std::optional<Utilisation>& memory,
                                          const UnitThroughput& throughput,
                                          const std::optional<Utilisation>& compute) {
    std::optional<NearestLimit> nearest;
    if (memory && memory->share > 0)
        nearest = NearestLimit{std::get<Boundary>(memory->target), memory->share};
    nearest = nearer_of(nearest, throughput);
    if (compute && compute->share > 0 && (!nearest || compute->share > nearest->share))
        nearest = NearestLimit{std::get<Pipe>(compute->target), compute->share};
    return nearest;
}

bool has_bytes_of_share(const KernelPoint& point) {
    const auto& hbm = point.at(MemoryLevel::hbm);
    return hbm && hbm->origin == Origin::estimated && point.throughput[HardwareUnit::dram];
}

std::optional<NearestLimit> nearest_limit(const KernelPoint& point) {
    std::optional<Utilisation> memory;
    for (const MemoryLevel which : all_levels)
        if (const auto& level = point.at(which);
            level && !(which == MemoryLevel::hbm && has_bytes_of_share(point)))
            consider(memory, point, level->boundary, level->bound);
    if (const auto* hbm = point.ceilings ? point.ceilings->find(Boundary::hbm_dram_rw) : nullptr;
        hbm && point.hbm_at_least)
        consider(memory, point, Boundary::hbm_dram_rw, time_bound(*point.hbm_at_least, hbm->rate));
    return nearest_limit(memory, point.throughput, compute_utilisation(point));
}

std::string levels_without_ceiling(const KernelPoint& point) {
    std::vector<MemoryLevel> levels = levels_not_judged(point);
    std::erase_if(levels, [&](MemoryLevel level) {
        const auto& at = point.at(level);
        return !at || at->bound || at->bytes.value() <= 0;
    });
    return levels.empty()
               ? std::string()
               : fmt::format("no ceiling known for {}", fmt::join(labels_of(levels, point.memory), ", "));
}

bool is_of_half_the_bytes(const KernelPoint& point, const LimitTarget& limit) {
    const auto& hbm = point.at(MemoryLevel::hbm);  // as an operation needs them, where there are any
    return limit == LimitTarget(Boundary::hbm_dram_rw) && point.hbm_at_least &&
           !(hbm && hbm->bytes >= *point.hbm_at_least);
}

namespace {

/// Whether memory is judged by nothing: it may be nearer to its limit than what is.
bool memory_is_unknown(const KernelPoint& point) {
    return !memory_utilisation(point) && !point.hbm_at_least &&
           std::ranges::none_of(all_hardware_units, [&](HardwareUnit unit) {
               return unit != HardwareUnit::sm && point.throughput[unit];
           });
}

/// The same of compute; work that was looked for everywhere and is none takes no time.
bool compute_is_unknown(const KernelPoint& point) {
    return !point.throughput[HardwareUnit::sm] && !is_without_work(point) &&
           std::ranges::none_of(point.pipes,
                                [](const PipeLoad& load) { return load.work.value() > 0 && load.bound; });
}

/// Whether the side of a limit is all that is known: the other one may be nearer to its own.
bool is_one_side_alone(const KernelPoint& point, const LimitTarget& limit) {
    if (point.gap || std::holds_alternative<Pipe>(limit)) return false;
    return limit == LimitTarget(HardwareUnit::sm) ? memory_is_unknown(point) : compute_is_unknown(point);
}

bool is_l1tex_while_active(const KernelPoint& point, const LimitTarget& limit) {
    return limit == LimitTarget(HardwareUnit::l1tex) && point.l1tex_while_active;
}

}  // namespace

bool is_of_no_bound(const KernelPoint& point, const LimitTarget& limit) {
    return is_l1tex_while_active(point, limit) && is_one_side_alone(point, limit);
}

bool may_reach_more(const KernelPoint& point) {
    const auto limit = tightest_limit(point);
    return limit &&
           (share_bound(point, limit->of) == ShareBound::at_least || is_of_no_bound(point, limit->of));
}

bool is_inexact(const KernelPoint& point, const HardwareUnit& unit) {
    return point.sampled.units[unit] || is_of_no_bound(point, unit);
}

ShareBound share_bound(const KernelPoint& point, const LimitTarget& limit) {
    const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit);
    if (is_l1tex_while_active(point, limit))
        return is_of_no_bound(point, limit) ? ShareBound::exact : ShareBound::at_most;
    if (is_of_half_the_bytes(point, limit) || (unit && point.sampled.units[*unit]) ||
        is_one_side_alone(point, limit))
        return ShareBound::at_least;
    const bool pipe_lacks =
        !compute_is_judged(point) && std::ranges::any_of(point.pipes, [](const PipeLoad& load) {
            return load.in_work && load.work.value() > 0 && !load.bound;
        });
    return !point.gap && (pipe_lacks || !levels_without_ceiling(point).empty()) ? ShareBound::at_least
                                                                                : ShareBound::exact;
}

bool all_is_judged(const KernelPoint& point, const LimitTarget& limit) {
    return not_judged(point).empty() && share_bound(point, limit) != ShareBound::at_least;
}

KernelClass class_of_nearest(const NearestLimit& nearest, bool all_judged, const VerdictThresholds& limits) {
    if (nearest.share > limits.above_roof) return KernelClass::above_roof;
    if (nearest.share >= limits.near_roof) return KernelClass::near_roof;
    if (nearest.share < limits.latency) return all_judged ? KernelClass::latency_bound : KernelClass::low_use;
    return is_of_memory(nearest) ? KernelClass::memory_bound : KernelClass::compute_bound;
}

bool compute_is_judged(const KernelPoint& point) {
    return (compute_is_known(point) && !point.uncounted.any()) || point.throughput[HardwareUnit::sm];
}

std::vector<std::string_view> not_judged(const KernelPoint& point) {
    std::vector<std::string_view> list = labels_not_judged(point);
    if (!compute_is_judged(point)) list.emplace_back("compute");
    return list;
}

bool is_without_work(const KernelPoint& point) {
    return point.performance && point.work->value() <= 0 && !point.uncounted.any() && !point.unchecked.any();
}

std::vector<std::string_view> limits_not_judged(const KernelPoint& point) {
    return is_without_work(point) ? not_judged(point) : labels_not_judged(point);
}

bool both_sides_judged(const KernelPoint& point) {
    return memory_utilisation(point) && (compute_is_judged(point) || is_without_work(point));
}

std::string pipes_without_ceiling(const KernelPoint& point) {
    std::string list;
    for (const PipeLoad& load : point.pipes)
        if (!load.ceiling && load.work.value() > 0)
            list += (list.empty() ? "no ceiling known for " : ", ") + label_of(load.pipe);
    return list;
}

std::string why_no_roof(const KernelPoint& point) {
    if (const auto pipe = point.uncounted.tensor ? tensor_pipe_in_name(point.name) : std::nullopt)
        return fmt::format("{} instructions not counted, {} by its name", labels_of(point.uncounted),
                           label_of(*pipe));
    if (point.uncounted.any()) return fmt::format("{} instructions not counted", labels_of(point.uncounted));
    const std::string part = fmt::format("a part of the {} bytes not counted", label_of(point.memory));
    if (!point.work) {
        const std::string ceilings = levels_without_ceiling(point);
        return has_known_bytes(point) ? "work not counted" + (ceilings.empty() ? "" : ", " + ceilings)
               : point.hbm_at_least   ? "work and " + part
                                      : "work and bytes not counted";
    }
    if (!has_known_bytes(point)) return point.hbm_at_least ? part : "bytes not counted";
    const std::string pipes = pipes_without_ceiling(point);
    return pipes.empty() ? "no ceiling known" : pipes;
}

std::vector<ProfilerJudgement> levels_judged_by_profiler(const KernelPoint& point) {
    std::vector<ProfilerJudgement> list;
    for (const JudgedLevel& judged : judged_levels(point))
        if (!judged.by_bytes && judged.by_unit)
            list.push_back({judged.level == MemoryLevel::smem ? label_of_l1_with_smem
                                                              : label_of(judged.level, point.memory),
                            *judged.by_unit, judged.counted});
    return list;
}

std::string why_judged_by_profiler(const KernelPoint& point) {
    std::vector<std::string_view> uncounted;
    std::vector<std::string_view> without_ceiling;
    for (const ProfilerJudgement& judged : levels_judged_by_profiler(point))
        (judged.counted ? without_ceiling : uncounted).push_back(judged.level);
    std::string words;
    if (!uncounted.empty()) words = fmt::format("{} bytes not counted", fmt::join(uncounted, ", "));
    if (!without_ceiling.empty())
        words += fmt::format("{}no {} ceiling", words.empty() ? "" : ", ", fmt::join(without_ceiling, ", "));
    return words;
}

std::string judged_by_profiler_words(const KernelPoint& point) {
    std::string units;
    std::vector<HardwareUnit> told;  // one unit may hold two levels
    for (const auto& [level, busy, counted] : levels_judged_by_profiler(point)) {
        if (std::ranges::find(told, busy.unit) != told.end()) continue;
        told.push_back(busy.unit);
        units += fmt::format("{}{} {} busy", units.empty() ? "" : ", ", label_of(busy.unit, point.memory),
                             marked(point, busy.unit, format_percent(busy.share)));
    }
    if (units.empty()) return {};
    return fmt::format("{}: judged by the profiler's own measure ({})", why_judged_by_profiler(point), units);
}

bool has_known_bytes(const KernelPoint& point) {
    return std::ranges::any_of(point.levels, [](const auto& level) { return level.has_value(); });
}

}  // namespace roofwalk
