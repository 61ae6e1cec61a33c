// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/point_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/roofline/roofline.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

void find_pipe_bounds(KernelPoint& point) {
    for (PipeLoad& load : point.pipes) {
        const ComputeCeiling* ceiling = point.ceilings->find(load.pipe);
        if (!ceiling) continue;
        load.ceiling = ceiling->rate;
        load.bound = time_bound(load.work, ceiling->rate);
    }
}

void fill_levels(const GroupTotals& totals, const AnalysisOptions& options, KernelPoint& point) {
    for (const MemoryLevel which : all_levels) {
        if (!totals.traffic[which]) continue;
        LevelPoint level{.boundary = options.boundaries[which],
                         .origin = totals.traffic[which]->origin,
                         .bytes = totals.traffic[which]->bytes,
                         .intensity = {},
                         .ceiling = {},
                         .bound = {}};
        if (point.work && level.bytes.value() > 0) level.intensity = *point.work / level.bytes;
        if (const BandwidthCeiling* ceiling = point.ceilings->find(level.boundary)) {
            level.ceiling = ceiling->rate;
            level.bound = time_bound(level.bytes, ceiling->rate);
        }
        point.levels[which] = level;
    }
}

/// By the largest bound that is known.
bool every_pipe_is_bounded(const KernelPoint& point, Seconds largest) {
    BoundedWork work;
    for (const PipeLoad& load : point.pipes)
        if (load.in_work) work.add(load.pipe, load.bound.has_value(), load.work);
    const auto& sm = point.throughput[HardwareUnit::sm];
    const auto time = point.known_time();
    return point.work &&
           work.is_bounded(sm && (work.int32 <= work.bounded || (time && largest >= *time * *sm)));
}

std::optional<FlopRate> compute_ceiling(const KernelPoint& point) {
    Seconds bound;
    for (const PipeLoad& load : point.pipes)
        if (load.bound && load.in_work) bound = std::max(bound, *load.bound);
    const bool mostly_unbounded = std::ranges::any_of(point.pipes, [&](const PipeLoad& load) {
        return !load.bound && load.in_work && load.work * 2 > *point.work;
    });
    if (bound.value() <= 0 || mostly_unbounded) return std::nullopt;
    return *point.work / bound;
}

/// Largest bounds of a point, and the same under practical ceilings.
struct Largest {
    Seconds bound;
    Seconds practical_bound;
    std::optional<CeilingTarget> binding;
    std::optional<PracticalRoof> practical;

    void consider(Seconds candidate, const PracticalRoof& roof) {
        if (candidate / roof.share > practical_bound) {
            practical_bound = candidate / roof.share;
            practical = roof;
        }
        if (candidate <= bound) return;
        bound = candidate;
        binding = roof.target;
    }
};

/// Calls `visit(LevelPoint)` and `visit(PipeLoad)` for all that have a bound of their own.
template <class Visit>
void each_bound(const KernelPoint& point, const Visit& visit) {
    const auto& smem = point.at(MemoryLevel::smem);
    const std::optional<Seconds> shared = smem ? smem->bound : std::nullopt;
    for (const auto& level : point.levels)
        if (level && level->bound && !is_mostly_shared(level->boundary, *level->bound, shared)) visit(*level);
    for (const PipeLoad& load : point.pipes)
        if (load.bound) visit(load);
}

CeilingTarget target_of(const LevelPoint& level) {
    return level.boundary;
}
CeilingTarget target_of(const PipeLoad& load) {
    return load.pipe;
}

Largest largest_bound(const KernelPoint& point, const PracticalFactors& practical) {
    Largest largest;
    each_bound(point, [&](const auto& part) {
        const CeilingTarget target = target_of(part);
        const bool pipe = std::holds_alternative<Pipe>(target);
        const Provenance& provenance = *point.ceilings->find(target)->provenance;
        largest.consider(*part.bound,
                         {target, practical_share(provenance, pipe ? practical.compute : practical.bandwidth),
                          provenance.is_benchmarked()});
    });
    return largest;
}

template <class Counts>
BindingBound largest_where(const KernelPoint& point, const Counts& counts) {
    BindingBound largest;
    each_bound(point, [&](const auto& part) {
        const CeilingTarget target = target_of(part);
        if (counts(target) && *part.bound > largest.bound) largest = {*part.bound, target};
    });
    return largest;
}

BindingBound longest_pipe(const KernelPoint& point) {
    return largest_where(point,
                         [](const CeilingTarget& target) { return std::holds_alternative<Pipe>(target); });
}

/// Whether a profiler counted FLOP and no INT32 operations. Who types work leaves out what there is none of.
bool profiled_without_integers(std::span<const PipeLoad> pipes) {
    constexpr Pipe int32{PipeKind::int32};
    return std::ranges::any_of(pipes, [](const PipeLoad& load) { return load.origin != Origin::modelled; }) &&
           std::ranges::find(pipes, int32, &PipeLoad::pipe) == pipes.end();
}

}  // namespace

Placement placement_of(const KernelPoint& point, const EnumArray<MemoryLevel, bool>& levels) {
    const auto shown = [&](MemoryLevel level) { return levels[level]; };
    const auto known = [&](MemoryLevel level) { return shown(level) && point.at(level); };
    const auto moves_bytes = [&](MemoryLevel level) {
        return known(level) && point.at(level)->bytes.value() > 0;
    };
    const auto time = point.known_time();
    const bool timed = time && time->value() > 0;
    if (!timed || std::ranges::none_of(all_levels, known)) return Placement::not_drawn;
    const bool moved = std::ranges::any_of(all_levels, moves_bytes);
    if (!point.work || (point.work->value() <= 0 && point.uncounted.any()))
        return moved ? Placement::line : Placement::not_drawn;
    if (point.work->value() <= 0) return Placement::rail_no_work;
    if (moved) return Placement::chart;
    return point.at(MemoryLevel::hbm) ? Placement::rail_no_traffic : Placement::not_drawn;
}

void place_points(Analysis& analysis) {
    for (KernelPoint& point : analysis.points)
        point.placement = placement_of(point, analysis.options.levels);
}

bool l1_binds(const KernelPoint& point) {
    if (limiting_level(point) != MemoryLevel::l1) return false;
    const auto use = memory_utilisation(point);
    return use && level_of(std::get<Boundary>(use->target)) == MemoryLevel::l1;
}

void show_l1_where_it_binds(Analysis& analysis) {
    bool& shown = analysis.options.levels[MemoryLevel::l1];
    if (shown || !analysis.options.l1_where_it_binds || std::ranges::none_of(analysis.points, l1_binds))
        return;
    shown = true;
    place_points(analysis);
}

bool is_mostly_shared(Boundary boundary, Seconds bound, const std::optional<Seconds>& bound_of_shared) {
    constexpr double rounding = 0.999;
    return boundary == Boundary::l1_unified && bound_of_shared && *bound_of_shared >= bound * rounding;
}

std::optional<PracticalRoof> practical_roof(const KernelPoint& point, const PracticalFactors& practical) {
    return largest_bound(point, practical).practical;
}

BindingBound largest_known_bound(const KernelPoint& point) {
    return largest_where(point, [](const CeilingTarget&) { return true; });
}

BindingBound largest_bound_beside_hbm(const KernelPoint& point) {
    return largest_where(point, [](const CeilingTarget& target) {
        const Boundary* boundary = std::get_if<Boundary>(&target);
        return !boundary || level_of(*boundary) != MemoryLevel::hbm;
    });
}

std::optional<NextBound> next_bound(const KernelPoint& point) {
    const Boundary* binding = point.binding ? std::get_if<Boundary>(&*point.binding) : nullptr;
    if (!binding) return std::nullopt;
    const auto near_the_sm = [](Boundary boundary) { return is_in_sm(level_of(boundary)); };
    const BindingBound next = largest_where(point, [&](const CeilingTarget& target) {
        const Boundary* boundary = std::get_if<Boundary>(&target);
        return !boundary || (*boundary != *binding && !(near_the_sm(*binding) && near_the_sm(*boundary)));
    });
    if (!next.target) return std::nullopt;
    return NextBound{label_of(*next.target, point.memory), *point.speed_of_light / next.bound};
}

std::optional<NextBound> bound_with_operation(const KernelPoint& point) {
    const bool memory = point.binding && std::holds_alternative<Boundary>(*point.binding);
    if (!memory || !point.target || !point.target->byte_gap) return std::nullopt;
    BindingBound longest = longest_pipe(point);
    for (const auto& level : point.levels)
        if (level && level->ceiling)
            if (const Seconds bound = std::min(level->bytes, point.target->bytes) / *level->ceiling;
                bound > longest.bound)
                longest = {bound, level->boundary};
    if (!longest.target) return std::nullopt;
    return NextBound{label_of(*longest.target, point.memory), *point.speed_of_light / longest.bound};
}

namespace {

/// Memory as a whole is as busy as the busiest of its units: which one, where the profiler tells.
std::optional<HardwareUnit> unit_of_memory(const UnitThroughput& throughput) {
    constexpr double rounding = 0.999;
    for (const HardwareUnit unit : {HardwareUnit::dram, HardwareUnit::l2, HardwareUnit::l1tex})
        if (throughput[unit] && throughput[HardwareUnit::memory] &&
            *throughput[unit] >= *throughput[HardwareUnit::memory] * rounding)
            return unit;
    return std::nullopt;
}

}  // namespace

LoadGrowth growth_of(const LevelBytes& before, const LevelBytes& after, bool shared_in_l1) {
    const auto over = [](const std::optional<Bytes>& to, const std::optional<Bytes>& from) {
        return from && to && from->value() > 0 ? std::optional(*to / *from) : std::nullopt;
    };
    const auto served = [&](const LevelBytes& of) {
        const auto& l1 = of[MemoryLevel::l1];
        const Bytes shared = of[MemoryLevel::smem].value_or(Bytes());
        return l1 && shared_in_l1 ? *l1 : l1.value_or(Bytes()) + shared;
    };
    return {.hbm = over(after[MemoryLevel::hbm], before[MemoryLevel::hbm]),
            .l2 = over(after[MemoryLevel::l2], before[MemoryLevel::l2]),
            .l1tex = over(served(after), served(before))};
}

void BoundedWork::add(Pipe pipe, bool has_ceiling, Flops work) {
    (has_ceiling ? bounded : pipe.kind == PipeKind::int32 ? int32 : without_ceiling) += work;
}

bool BoundedWork::is_bounded(bool int32_judged) const {
    const Flops unknown = int32_judged ? without_ceiling : without_ceiling + int32;
    return unknown <= (bounded + int32 + without_ceiling) * negligible_work_share;
}

UnitThroughput with_growth(UnitThroughput throughput, const std::optional<double>& sm_beside_loads,
                           const LoadGrowth& growth) {
    UnitThroughput of_unit{};
    // The part that serves loads follows these, the others the work.
    const double sm = throughput[HardwareUnit::sm].value_or(0);
    const double of_others =
        sm_beside_loads && growth.l1tex && sm > 0 ? growth.work * *sm_beside_loads / sm : growth.work;
    of_unit[HardwareUnit::sm] = std::max(of_others, growth.l1tex.value_or(growth.work));
    of_unit[HardwareUnit::l1tex] = growth.l1tex;
    const double of_data = std::max({growth.l1tex.value_or(growth.needs), growth.l2.value_or(growth.needs),
                                     growth.hbm.value_or(growth.needs)});
    of_unit[HardwareUnit::l2] = growth.l2.value_or(of_data);
    of_unit[HardwareUnit::l2_slice] =
        growth.work;  // its requests go to few addresses, whatever the other bytes do
    of_unit[HardwareUnit::dram] = growth.hbm.value_or(of_data);
    const auto of_any_level = std::max({growth.l1tex, growth.l2, growth.hbm});
    of_unit[HardwareUnit::memory] = of_any_level;
    if (const auto unit = unit_of_memory(throughput); unit && of_unit[*unit])
        of_unit[HardwareUnit::memory] = of_unit[*unit];
    const double most = std::max(*of_unit[HardwareUnit::sm], of_any_level.value_or(0));
    for (const HardwareUnit unit : all_hardware_units)
        if (auto& share = throughput[unit]) *share *= of_unit[unit].value_or(most);
    return throughput;
}

namespace {

/// The level whose bytes limit a kernel.
std::optional<MemoryLevel> level_in_the_way(const KernelPoint& point) {
    const KernelClass kernel_class = point.verdict.kernel_class;
    const bool limited = kernel_class == KernelClass::memory_bound || kernel_class == KernelClass::near_roof;
    const Boundary* binding = point.binding ? std::get_if<Boundary>(&*point.binding) : nullptr;
    return limited && binding && point.recoverable ? std::optional(level_of(*binding)) : std::nullopt;
}

}  // namespace

std::optional<SavedTime> room_for_fewer_bytes(const KernelPoint& point) {
    const auto level = level_in_the_way(point);
    // Of the sum of launches no roof is near.
    if (!level || !point.verdict.launch_limits.empty()) return std::nullopt;
    const bool at_hbm = level == MemoryLevel::hbm;
    const auto together = at_hbm ? std::nullopt : bound_with_operation(point);
    const auto next = together ? together : next_bound(point);
    if (!next && !at_hbm) return std::nullopt;
    LevelBytes before;
    LevelBytes after;
    for (const MemoryLevel which : all_levels) {
        const auto& at = point.at(which);
        if (!at) continue;
        before[which] = after[which] = at->bytes;
        if (together)
            after[which] = std::min(at->bytes, point.target->bytes);
        else if (at_hbm || which == level || (is_in_sm(*level) && is_in_sm(which)))
            after[which] = Bytes();
    }
    const double at_roof =
        at_hbm ? longest_pipe(point).bound / *point.speed_of_light : 1 / next->times_shorter;
    const auto& smem = point.at(MemoryLevel::smem);
    const auto& l1 = point.at(MemoryLevel::l1);
    const bool shared_in_l1 =
        smem && l1 && smem->boundary == Boundary::smem_wavefronts && l1->boundary == Boundary::l1_unified;
    LoadGrowth growth = growth_of(before, after, shared_in_l1);
    if (at_hbm) growth.needs = 0;
    const UnitThroughput units = with_growth(point.throughput, point.sm_beside_loads, growth);
    if (const auto& busy = point.verdict.busy; busy && units[busy->unit] >= busy->share)
        return std::nullopt;  // what limits it serves as much as before
    const auto limit = nearer_of(NearestLimit{{}, at_roof}, units);
    const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit->of);
    SavedTime saved{time_above(point, *point.known_time(), limit->share), std::nullopt, !at_hbm && !together};
    // One that is hardly busier does the work of that roof.
    if (unit && limit->share >= at_roof * noticeable_gap) saved.held_by = BusyUnit{*unit, limit->share};
    return saved;
}

std::optional<SavedTime> saved_by_fewer_bytes(const KernelPoint& point) {
    if (level_in_the_way(point) != MemoryLevel::hbm) return room_for_fewer_bytes(point);
    const auto time = point.recoverable->with_needed_bytes;
    if (!time) return std::nullopt;
    SavedTime saved{*time, std::nullopt, true};
    const auto busy = busiest(beside_dram(point.throughput));
    constexpr double rounding = 1e-3;  // of a sum over launches
    // Else it is the roof, or what launches take at least.
    if (busy && std::abs(*time / *point.known_time() - (1 - busy->share)) < rounding) saved.held_by = busy;
    return saved;
}

std::optional<Seconds> saved_by_fewer_launches(const KernelPoint& point) {
    const auto limit = tightest_limit(point);
    if (!limit || !point.recoverable || !point.recoverable->held_by_launches()) return std::nullopt;
    const Seconds time = *point.known_time();
    const Seconds as_one = std::max(point.launch_floor.time, time * limit->share);
    return as_one < *point.least_launch_time() ? std::optional(time - as_one) : std::nullopt;
}

std::string bytes_in_the_way(const KernelPoint& point, const SavedTime& saved) {
    const auto level = limiting_level(point);
    if (!level) return {};
    if (*level != MemoryLevel::hbm && !saved.one_level) return "bytes across every level";
    return fmt::format("bytes across {}{}", label_of(*level, point.memory),
                       saved.one_level ? " alone" : " and every nearer level");
}

std::string held_words(const KernelPoint& point, const SavedTime& saved) {
    if (!saved.held_by) {
        const bool one = saved.one_level && level_in_the_way(point) != MemoryLevel::hbm;
        const auto next = next_bound(point);
        const Seconds pipes = longest_pipe(point).bound * noticeable_gap;
        const bool more = one && next && pipes * next->times_shorter < *point.speed_of_light;
        return more ? "more where the bytes of every level fall, as with larger tiles" : "";
    }
    constexpr double rounding = 1e-9;
    const bool beside_loads = saved.held_by->unit == HardwareUnit::sm && point.sm_beside_loads &&
                              saved.held_by->share <= *point.sm_beside_loads * (1 + rounding);
    return fmt::format("more only by relieving {} too ({} busy{})",
                       label_of(saved.held_by->unit, point.memory),
                       marked(point, saved.held_by->unit, format_percent(saved.held_by->share)),
                       beside_loads ? " beside its loads" : "");
}

void apply_totals(GroupTotals totals, const AnalysisOptions& options, KernelPoint& point) {
    point.levels = {};
    point.performance.reset();
    point.compute_ceiling.reset();
    point.binding.reset();
    point.speed_of_light.reset();
    point.gap.reset();
    point.practical_efficiency.reset();
    point.failed = totals.failed;
    if (point.known) {
        point.known->time = *totals.time;
    } else {
        point.time = totals.time;
        point.time_origin = totals.time_origin;
    }
    const bool timed = totals.time && totals.time->value() > 0;
    point.work = work_of(totals.pipes, options.operations);
    point.uncounted = totals.uncounted;
    point.uncounted.integer =
        options.operations == OperationClass::all && profiled_without_integers(totals.pipes);
    if (point.work && options.operations != OperationClass::integer) point.unchecked = totals.unchecked;
    point.pipes = std::move(totals.pipes);
    for (PipeLoad& load : point.pipes)
        load.in_work = counts_into_work(load.pipe, options.operations);
    point.mostly_integer = options.operations == OperationClass::floating && !point.uncounted.any() &&
                           is_mostly_integer(point.pipes);
    if (timed && point.work) point.performance = *point.work / *totals.time;
    find_pipe_bounds(point);
    fill_levels(totals, options, point);
    point.placement = placement_of(point, options.levels);
    // A bound that is unknown may be the largest: of work that was not counted, of a pipe without a ceiling.
    const Largest largest = largest_bound(point, options.practical);
    if (point.uncounted.any() || !every_pipe_is_bounded(point, largest.bound)) return;
    point.compute_ceiling = compute_ceiling(point);
    // So is that of bytes nobody counted.
    if (!has_known_bytes(point) || !largest.binding) return;
    point.binding = largest.binding;
    point.speed_of_light = largest.bound;
    if (!timed) return;
    point.gap = vertical_gap(*totals.time, largest.bound);
    point.practical_efficiency = largest.practical_bound / *totals.time;
}

}  // namespace roofwalk
