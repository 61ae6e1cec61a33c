// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/kernel_state.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

std::optional<Seconds> bound_of(const KernelState& state, const KernelRoofs& roofs, MemoryLevel level) {
    if (!state.bytes[level] || !roofs.bandwidth[level]) return std::nullopt;
    return time_bound(*state.bytes[level], *roofs.bandwidth[level]);
}

bool every_pipe_is_bounded(const KernelState& state, const KernelRoofs& roofs) {
    BoundedWork work;
    for (const Pipe pipe : all_pipes)
        if (roofs.counts[pipe]) work.add(pipe, roofs.peak[pipe].has_value(), state.work[pipe]);
    return work.is_bounded(roofs.int32_judged);
}

void consider(SpeedOfLight& largest, Seconds bound, CeilingTarget target) {
    if (bound > largest.time) largest = {bound, target};
}

std::optional<double> growth_of_work(const KernelState& measured, const KernelState& state) {
    std::optional<double> largest;
    for (const Pipe pipe : all_pipes)
        if (measured.work[pipe].value() > 0)
            largest = std::max(largest, std::optional(state.work[pipe] / measured.work[pipe]));
    return largest;
}

void consider(std::optional<Utilisation>& most, const KernelState& state, const CeilingTarget& target,
              const std::optional<Seconds>& bound) {
    if (!bound) return;
    const double share = *bound / *state.time;
    if (!most || share > most->share) most = Utilisation{target, share};
}

/// Of a kernel below the limit of every ceiling, `idle` where no unit is busy.
KernelClass class_of_idle(KernelClass idle, bool compute, double efficiency, const KernelState& state,
                          const KernelModel& model, const VerdictThresholds& limits) {
    const auto busy = deciding_unit(moved_throughput(model, state), model.facts.every_level_judged, limits);
    return busy ? class_of_busy(*busy, compute, efficiency) : idle;
}

/// Of a kernel with a time, by bytes, work and throughput.
std::optional<NearestLimit> nearest_limit(const KernelState& state, const KernelModel& model) {
    std::optional<Utilisation> memory;
    for (const MemoryLevel level : all_levels)
        if (level != MemoryLevel::hbm || !model.facts.bytes_of_share)
            consider(memory, state, model.roofs.boundary[level], bound_of(state, model.roofs, level));
    std::optional<Utilisation> compute;
    for (const Pipe pipe : all_pipes)
        if (const auto& peak = model.roofs.peak[pipe]; peak && state.work[pipe].value() > 0)
            consider(compute, state, pipe, time_bound(state.work[pipe], *peak));
    return roofwalk::nearest_limit(memory, moved_throughput(model, state), compute);
}

/// Of a kernel without a roof and with a time: by what is nearest to its limit.
KernelClass class_without_roof(const KernelState& state, const KernelModel& model,
                               const VerdictThresholds& limits) {
    const auto nearest = limit_without_roof(state, model);
    return nearest ? class_of_nearest(*nearest, model.facts.all_judged, limits) : model.facts.measured;
}

}  // namespace

std::optional<NearestLimit> limit_without_roof(const KernelState& state, const KernelModel& model) {
    if (!model.facts.by_nearest || speed_of_light(state, model.roofs)) return std::nullopt;
    return state.time == model.measured.time ? model.nearest : nearest_limit(state, model);
}

KernelModel kernel_model(const KernelPoint& point, const AnalysisOptions& options) {
    KernelModel model;
    model.measured.time = point.known_time();
    for (const PipeLoad& load : point.pipes)
        model.measured.work[load.pipe] = load.work;
    for (const Pipe pipe : all_pipes)
        model.roofs.counts[pipe] = counts_into_work(pipe, options.operations);
    if (point.ceilings)
        for (const ComputeCeiling& ceiling : point.ceilings->compute)
            if (auto& peak = model.roofs.peak[ceiling.pipe]; !peak) peak = ceiling.rate;
    for (const MemoryLevel level : all_levels) {
        model.roofs.boundary[level] = options.boundaries[level];
        if (!point.levels[level]) continue;
        model.roofs.boundary[level] = point.levels[level]->boundary;
        model.measured.bytes[level] = point.levels[level]->bytes;
        model.roofs.bandwidth[level] = point.levels[level]->ceiling;
    }
    model.roofs.launch_floor = point.least_launch_time().value_or(Seconds());
    model.roofs.int32_judged = point.throughput[HardwareUnit::sm] && point.binding;
    model.roofs.complete = point.work && !point.uncounted.any() && has_known_bytes(point);
    model.facts = {.measured = point.verdict.kernel_class,
                   .modelled = point.modelled,
                   .both_judged = both_sides_judged(point),
                   .every_level_judged = limits_not_judged(point).empty(),
                   .by_nearest = point.verdict.nearest.has_value(),
                   .all_judged = point.verdict.nearest ? all_is_judged(point, point.verdict.nearest->of)
                                                       : not_judged(point).empty(),
                   .by_launches = !point.verdict.launch_limits.empty(),
                   .bytes_of_share = has_bytes_of_share(point),
                   .throughput = point.throughput,
                   .sm_beside_loads = point.sm_beside_loads};
    model.launches = std::max(1U, point.known_launches());
    if (point.known && point.time) model.other_time = *point.time - point.known->time;
    model.launch_floor = point.launch_floor;
    model.nearest = point.verdict.nearest;
    model.memory = point.memory;
    model.nearest_level = limiting_level(point);
    model.busy = busy_unit(point, options.thresholds);
    model.work_known = point.work.has_value();
    model.work_unit = work_unit(options.operations);
    model.time_doubted = point.time_doubted;
    model.approximate = point.time_doubted || has_approximate_gap(point);
    const auto limit = time_at_limit(model.measured, model);
    if (point.recoverable && limit && limit->value() > 0) {
        model.others_recoverable = point.recoverable->of_others;
        const Seconds apart = *point.known_time() - (point.recoverable->time - model.others_recoverable);
        // That of launches which all take as long as any does stands in launch_floor.
        // Ceilings of launches differ with their clocks: those of the sum, their mean, may leave a little
        // less.
        if (apart > std::max(*limit, model.roofs.launch_floor) * (1 + factor_rounding) ||
            apart < *limit * (1 - factor_rounding))
            model.apart = apart / *limit;
    }
    return model;
}

std::optional<Seconds> time_of_all(const KernelState& state, const KernelModel& model) {
    return state.time ? std::optional(*state.time + model.other_time - state.others_save) : std::nullopt;
}

std::optional<Seconds> time_by_roofs(const KernelState& state) {
    return state.below_floor ? state.below_floor : state.time;
}

Seconds launch_floor_of(const KernelState& state, const KernelRoofs& roofs) {
    return roofs.launch_floor * (state.launches / state.inputs);
}

Seconds without_saved_launches(const KernelState& from, const KernelState& to, const KernelRoofs& roofs,
                               Seconds time) {
    const auto before = time_by_roofs(from);
    const double share = before && before->value() > 0 ? std::min(1.0, time / *before) : 1;
    const Seconds saved = roofs.launch_floor * (share * (from.launches - to.launches) / to.inputs);
    return saved > Seconds() ? std::max(time - saved, std::min(time, launch_floor_of(to, roofs))) : time;
}

Seconds busy_time(const KernelState& from, const KernelState& state, const KernelModel& model) {
    if (!from.time || !model.measured.time) return {};
    KernelState as_measured = state;
    as_measured.time = model.measured.time;
    const auto limit = tightest_limit(as_measured, model);
    if (!limit || !std::holds_alternative<HardwareUnit>(limit->of)) return {};
    return std::min(*from.time, *model.measured.time * limit->share);
}

bool is_held_by_unit(const KernelState& state, const KernelRoofs& roofs) {
    return state.below_floor && *state.time > launch_floor_of(state, roofs) * (1 + factor_rounding);
}

void set_time_by_roofs(const KernelState& from, KernelState& state, const KernelModel& model, Seconds time) {
    const Seconds floor = std::max(launch_floor_of(state, model.roofs), busy_time(from, state, model));
    const bool below = time < floor * (1 - factor_rounding);
    state.time = std::max(time, floor);
    state.below_floor = below ? std::optional(time) : std::nullopt;
}

std::optional<SpeedOfLight> speed_of_light(const KernelState& state, const KernelRoofs& roofs) {
    if (!roofs.complete || !every_pipe_is_bounded(state, roofs)) return std::nullopt;
    SpeedOfLight largest{};
    const std::optional<Seconds> shared = bound_of(state, roofs, MemoryLevel::smem);
    for (const MemoryLevel level : all_levels)
        if (const auto bound = bound_of(state, roofs, level))
            if (!is_mostly_shared(roofs.boundary[level], *bound, shared))
                consider(largest, *bound, roofs.boundary[level]);
    for (const Pipe pipe : all_pipes)
        if (roofs.peak[pipe]) consider(largest, time_bound(state.work[pipe], *roofs.peak[pipe]), pipe);
    return largest.time > Seconds() ? std::optional(largest) : std::nullopt;
}

std::optional<VerticalGap> gap_of(const KernelState& state, const KernelRoofs& roofs) {
    const auto bound = speed_of_light(state, roofs);
    if (!bound || !state.time || state.time->value() <= 0) return std::nullopt;
    return vertical_gap(*state.time, bound->time);
}

std::optional<NearestLimit> tightest_limit(const KernelState& state, const KernelModel& model) {
    if (!state.time || state.time->value() <= 0) return std::nullopt;
    const auto bound = speed_of_light(state, model.roofs);
    if (!bound) return model.facts.by_nearest ? nearest_limit(state, model) : std::nullopt;
    std::optional<NearestLimit> limit(NearestLimit{{}, bound->time / *state.time});
    limit->of = limit_of(bound->binding);
    return nearer_of(limit, moved_throughput(model, state));
}

std::optional<Seconds> time_at_limit(const KernelState& state, const KernelModel& model) {
    const auto limit = tightest_limit(state, model);
    const auto bound = speed_of_light(state, model.roofs);
    if (!limit) return bound ? std::optional(bound->time) : std::nullopt;
    const bool is_roof = bound && !std::holds_alternative<HardwareUnit>(limit->of);
    return is_roof ? bound->time : *state.time * limit->share;
}

Flops work_of(const KernelState& state, const KernelRoofs& roofs) {
    Flops work;
    for (const Pipe pipe : all_pipes)
        if (roofs.counts[pipe]) work += state.work[pipe];
    return work;
}

UnitThroughput moved_throughput(const KernelModel& model, const KernelState& state) {
    const KernelState& measured = model.measured;
    UnitThroughput throughput = model.facts.throughput;
    if (!measured.time || !state.time || measured.time->value() <= 0) return throughput;
    LoadGrowth growth = growth_of(measured.bytes, state.bytes, shared_is_part_of_l1(model.roofs));
    growth.work = growth_of_work(measured, state).value_or(state.needs.work / measured.needs.work);
    growth.needs = state.needs.bytes / measured.needs.bytes;
    throughput = with_growth(throughput, model.facts.sm_beside_loads, growth);
    const double slow_down = *state.time / *measured.time;
    for (auto& share : throughput)
        if (share) share = std::min(1.0, *share / slow_down);
    return throughput;
}

std::optional<NearestLimit> what_binds(const KernelState& state, const KernelModel& model) {
    const auto bound = speed_of_light(state, model.roofs);
    if (!bound) return limit_without_roof(state, model);
    const auto tightest = tightest_limit(state, model);
    if (tightest && std::holds_alternative<HardwareUnit>(tightest->of) &&
        tightest->share >= 1 - factor_rounding)
        return tightest;
    const auto gap = gap_of(state, model.roofs);
    return NearestLimit{limit_of(bound->binding), gap ? gap->efficiency() : 0};
}

KernelClass class_of(const KernelState& state, const KernelModel& model, const VerdictThresholds& limits) {
    const auto bound = speed_of_light(state, model.roofs);
    const ClassFacts& facts = model.facts;
    const bool on_chart = facts.measured != KernelClass::no_flop && facts.measured != KernelClass::no_traffic;
    if (!on_chart || !state.time || state.time->value() <= 0) return facts.measured;
    if (facts.by_launches && state == model.measured) return facts.measured;
    if (!bound) return facts.by_nearest ? class_without_roof(state, model, limits) : facts.measured;
    const double efficiency =
        vertical_gap(*state.time, bound->time).efficiency() * (facts.by_launches ? model.apart : 1);
    if (efficiency > limits.above_roof) return KernelClass::above_roof;
    if (facts.modelled) return KernelClass::only_timed;
    if (efficiency >= limits.near_roof) return KernelClass::near_roof;
    if (efficiency < limits.latency && facts.both_judged)
        return class_of_idle(facts.every_level_judged ? KernelClass::latency_bound : KernelClass::low_use,
                             std::holds_alternative<Pipe>(bound->binding), efficiency, state, model, limits);
    return std::holds_alternative<Boundary>(bound->binding) ? KernelClass::memory_bound
                                                            : KernelClass::compute_bound;
}

bool is_bound_by_unit(const KernelState& state, const KernelModel& model,
                      const VerdictThresholds& thresholds) {
    if (class_of(state, model, thresholds) != KernelClass::low_use) return false;
    const auto limit = tightest_limit(state, model);
    return limit && std::holds_alternative<HardwareUnit>(limit->of) && limit->share >= thresholds.latency;
}

std::string class_name(const KernelState& state, const KernelModel& model,
                       const VerdictThresholds& thresholds) {
    if (is_bound_by_unit(state, model, thresholds))
        return fmt::format("{}-bound", label_of(*tightest_limit(state, model), model.memory));
    const KernelClass kernel_class = class_of(state, model, thresholds);
    const bool measured =
        state.time && state.time->value() > 0 && work_of(state, model.roofs).value() > 0 &&
        std::ranges::any_of(state.bytes, [](const auto& bytes) { return bytes.has_value(); });
    return std::string(measured && kernel_class == KernelClass::not_measured ? roof_not_known
                                                                             : label_of(kernel_class));
}

bool shared_is_part_of_l1(const KernelRoofs& roofs) {
    return roofs.boundary[MemoryLevel::l1] == Boundary::l1_unified &&
           roofs.boundary[MemoryLevel::smem] == Boundary::smem_wavefronts;
}

void set_bytes(KernelState& state, const KernelRoofs& roofs, MemoryLevel level, Bytes bytes) {
    std::optional<Bytes>& at = state.bytes[level];
    if (!at) return;
    std::optional<Bytes>& l1 = state.bytes[MemoryLevel::l1];
    if (level == MemoryLevel::smem && l1 && shared_is_part_of_l1(roofs))
        l1 = std::max(Bytes(), *l1 + (bytes - *at));
    at = bytes;
}

std::optional<ChartPlace> place_of(const KernelState& state, const KernelRoofs& roofs, MemoryLevel level) {
    const std::optional<Bytes>& bytes = state.bytes[level];
    const Flops work = work_of(state, roofs);
    if (!bytes || bytes->value() <= 0 || !state.time || state.time->value() <= 0 || work.value() <= 0)
        return std::nullopt;
    return ChartPlace{(work / *bytes).value(), (work / *state.time).value()};
}

}  // namespace roofwalk
