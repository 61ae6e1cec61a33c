// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/projection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"
#include "core/compare/kernel_change.h"
#include "core/devices/match_device.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

using SharedCeilings = std::shared_ptr<const CeilingSet>;

/// Of the device that rows ran on, and of the one they are put under.
struct BothCeilings {
    SharedCeilings here;
    SharedCeilings there;
};

/// A level that is not shown and has a ceiling on one side only is left out on both: nobody ran the kernel
/// there, and who does not look at it is told what the others do. L1 is only drawn on request.
GroupTotals without_unknown_levels(GroupTotals totals, const CeilingSet& here, const CeilingSet& there,
                                   const AnalysisOptions& options) {
    for (const MemoryLevel level : all_levels) {
        const Boundary boundary = options.boundaries[level];
        const bool is_known = here.find(boundary) != nullptr && there.find(boundary) != nullptr;
        if (!options.levels[level] && level != MemoryLevel::l1 && !is_known) totals.traffic[level].reset();
    }
    return totals;
}

ProjectedBound bound_under(const GroupTotals& totals, const SharedCeilings& ceilings,
                           const AnalysisOptions& options) {
    KernelPoint point;
    point.ceilings = ceilings;
    point.memory = options.memory;
    apply_totals(totals, options, point);
    ProjectedBound bound{.binding = point.binding,
                         .speed_of_light = point.speed_of_light,
                         .side = judge(point, options.thresholds).side,
                         .level = {},
                         .intensity = {},
                         .ridge = {},
                         .without_ceiling = {},
                         .at_least = {},
                         .at_least_by = {},
                         .launch_floor = {},
                         .levels_not_judged = {},
                         .compute_not_judged = false,
                         .nearest = {},
                         .unit_here = {},
                         .at_measured_clock = {},
                         .memory = options.memory};
    if (const auto place = ridge_place(point)) {
        bound.level = place->level;
        bound.intensity = place->intensity;
        bound.ridge = place->ridge;
    }
    if (bound.binding) return bound;
    if (const BindingBound known = largest_known_bound(point); known.target) {
        bound.at_least = known.bound;
        bound.at_least_by = known.target;
        bound.levels_not_judged = levels_not_judged(point);
        // Where all are judged, the ceiling of a pipe lacks: INT32.
        bound.compute_not_judged = !compute_is_judged(point) || bound.levels_not_judged.empty();
    }
    return bound;
}

/// "HBM by bytes; no L2 ceiling", "L1TEX by throughput", "not known (SM by throughput here)", "not known".
std::string known_limit_text(const ProjectedBound& bound) {
    if (bound.launch_floor && bound.speed_of_light) return std::string(launch_floor_label);
    std::optional<NearestLimit> known = bound.nearest;
    if (bound.unit_here)
        known = NearestLimit{*bound.unit_here};
    else if (!known && bound.at_least_by)
        known = NearestLimit{limit_of(*bound.at_least_by)};
    const bool by_launch = bound.launch_floor && !(known && std::holds_alternative<HardwareUnit>(known->of));
    std::string text = by_launch ? fmt::format("{} at least", launch_floor_label)
                       : known   ? fmt::format("{} {}", label_of(*known, bound.memory), evidence_of(*known))
                                 : "not known";
    if (bound.unit_here) text = fmt::format("not known ({} here)", text);
    if (!bound.without_ceiling.empty())
        text += fmt::format("{}no {} ceiling", known || by_launch ? "; " : ": ",
                            fmt::join(labels_of(bound.without_ceiling, bound.memory), ", "));
    return text;
}

/// What binds says only what the time is at least.
void keep_as_least(ProjectedBound& bound) {
    if (!bound.binding) return;
    bound.at_least_by = std::exchange(bound.binding, std::nullopt);
    bound.at_least = std::exchange(bound.speed_of_light, std::nullopt);
}

/// Where bytes cross a level that has a ceiling on `other` only, that level may be what binds: nothing else
/// does for sure, and the others only say what the time is at least.
void forget_where_a_ceiling_lacks(const GroupTotals& totals, const CeilingSet& own, const CeilingSet& other,
                                  const AnalysisOptions& options, ProjectedBound& bound) {
    for (const MemoryLevel level : all_levels) {
        const Boundary boundary = options.boundaries[level];
        if (totals.traffic[level] && totals.traffic[level]->bytes.value() > 0 && other.find(boundary) &&
            !own.find(boundary))
            bound.without_ceiling.push_back(level);
    }
    if (bound.without_ceiling.empty() || !bound.binding) return;
    keep_as_least(bound);
    bound.levels_not_judged = bound.without_ceiling;
}

/// Whether `busy` is of a ceiling that its kernel reaches a share of: its memory level, or the SM with the
/// work of its pipe.
bool is_of(const BusyUnit& busy, const CeilingTarget& ceiling, double share) {
    const Boundary* boundary = std::get_if<Boundary>(&ceiling);
    if (!boundary)
        return busy.unit == HardwareUnit::sm &&
               class_of_busy(busy, true, share) == KernelClass::compute_bound;
    switch (level_of(*boundary)) {
        case MemoryLevel::hbm:
            return busy.unit == HardwareUnit::dram;
        case MemoryLevel::l2:
            return busy.unit == HardwareUnit::l2;
        default:
            return busy.unit == HardwareUnit::l1tex;
    }
}

/// What the report finds nearest to its limit that no ceiling tells.
std::optional<NearestLimit> limit_beside_roof(const KernelPoint& point, const VerdictThresholds& limits) {
    const auto busy = unit_beyond_roof(point);
    if (!busy || busy->share < limits.latency || is_of(*busy, *point.binding, point.gap->efficiency()))
        return point.verdict.nearest;
    return NearestLimit{busy->unit, busy->share};
}

/// Where the report finds a unit nearer to its limit than what is counted, that says on both sides only what
/// the time is at least: nobody knows what the unit does there, unless it is that of what is counted.
void hold_by_report(const KernelPoint& point, const AnalysisOptions& options, ProjectedKernel& kernel) {
    const std::optional<NearestLimit> nearest = limit_beside_roof(point, options.thresholds);
    const HardwareUnit* unit = nearest ? std::get_if<HardwareUnit>(&nearest->of) : nullptr;
    if (unit) {
        keep_as_least(kernel.here);
        keep_as_least(kernel.there);
        const BindingBound known = largest_known_bound(point);
        const auto time = point.known_time();
        const bool is_counted = known.target && known.target == kernel.there.at_least_by &&
                                is_of({*unit, nearest->share}, *known.target, time ? known.bound / *time : 0);
        if (!is_counted) kernel.there.unit_here = *unit;
    }
    if (!kernel.here.binding) kernel.here.nearest = nearest;
}

/// No kernel takes less than its launches do, of which each takes `floor`, whatever the roofs say.
void hold_by_launches(const LaunchFloor& floor, Seconds launches, ProjectedBound& bound) {
    std::optional<Seconds>& time = bound.speed_of_light ? bound.speed_of_light : bound.at_least;
    if (!time || *time >= launches) return;
    time = launches;
    bound.launch_floor = floor;
    bound.binding.reset();
    bound.at_least_by.reset();
}

/// "By what is known of them the limit of 3 of 5 kernels is 2.15x as high there.": empty where no limit is
/// known on both sides alone.
std::string known_limits_sentence(const ProjectedKernels& projected) {
    std::vector<double> ratios;
    for (const ProjectedKernel& kernel : projected.kernels)
        if (const auto ratio = kernel.speed_up_of_known()) ratios.push_back(*ratio);
    if (ratios.empty()) return {};
    const auto [least, most] = std::ranges::minmax(ratios);
    const std::string lowest = ratio_text(least);
    const std::string highest = ratio_text(most);
    return fmt::format(" By what is known of {} the limit is {}{} as high there.",
                       rows_among(ratios.size(), projected.kernels.size(), projected.rows), lowest,
                       lowest == highest ? "" : " to " + highest);
}

/// "The launch floor is longer than the roofs that are known of 3 of 5 kernels there.", or empty.
std::string launch_floor_sentence(const ProjectedKernels& projected) {
    const auto held = std::ranges::count_if(projected.kernels, [](const ProjectedKernel& kernel) {
        return kernel.there.launch_floor.has_value();
    });
    if (held == 0) return {};
    return fmt::format(" The {} is longer than the roofs that are known of {} there.", launch_floor_label,
                       rows_among(static_cast<std::size_t>(held), projected.kernels.size(), projected.rows));
}

/// "At the clock that was measured something else binds 1 of 2 kernels here than at the boost clock."
std::string other_clocks_sentence(const ProjectedKernels& projected) {
    const auto others = std::ranges::count_if(projected.kernels, [](const ProjectedKernel& kernel) {
        return kernel.here.at_measured_clock.has_value();
    });
    if (others == 0) return {};
    return fmt::format(
        " At the clock that was measured something else binds {} here than at the boost clock.",
        rows_among(static_cast<std::size_t>(others), projected.kernels.size(), projected.rows));
}

}  // namespace

KernelClass ProjectedBound::kernel_class() const {
    if (!binding) return KernelClass::not_measured;
    return std::holds_alternative<Boundary>(*binding) ? KernelClass::memory_bound
                                                      : KernelClass::compute_bound;
}

std::optional<bool> ProjectedKernel::crosses_over() const {
    if (!here.speed_of_light || !there.speed_of_light) return std::nullopt;
    return here.binding && there.binding && here.kernel_class() != there.kernel_class();
}

std::optional<double> ProjectedKernel::speed_up() const {
    if (!here.speed_of_light || !there.speed_of_light || stays_at_launch_floor()) return std::nullopt;
    return *here.speed_of_light / *there.speed_of_light;
}

std::optional<double> ProjectedKernel::speed_up_at_most() const {
    if (!here.speed_of_light || !there.at_least || stays_at_launch_floor()) return std::nullopt;
    return *here.speed_of_light / *there.at_least;
}

std::optional<double> ProjectedKernel::speed_up_of_known() const {
    if (!here.at_least_by || here.at_least_by != there.at_least_by) return std::nullopt;
    // What its report found nearer to its limit than that is not the same there.
    const bool by_unit = here.nearest && std::holds_alternative<HardwareUnit>(here.nearest->of);
    if (there.unit_here || (here.nearest && !by_unit && here.nearest->of != limit_of(*here.at_least_by)))
        return std::nullopt;
    return *here.at_least / *there.at_least;
}

ProjectedKernels project_kernels(const AnalysedProfile& run, const Device& device, const Progress& progress) {
    const Profile& profile = *run.profile;
    const Analysis& analysis = *run.analysis;
    const AnalysisOptions& options = analysis.options;
    const auto at_boost = [&](const Device& of) {
        return std::make_shared<const CeilingSet>(resolve_ceilings(
            of, nullptr, ClockBasis::boost, overrides_of(options, of), measured_of(options, of)));
    };
    const SharedCeilings of_device = at_boost(device);
    Profile board;
    board.devices.push_back(device);
    const LaunchFloor of_board = launch_floors(board, options).front();
    std::map<DeviceIndex, BothCeilings> own;
    ProjectedKernels projected{.device = device.name, .kernels = {}, .rows = options.group_by};
    for (const std::uint32_t index : ranked_points(analysis)) {
        if (progress.cancelled()) break;
        const KernelPoint& point = run.point(index);
        const auto launches = analysis.known_launches(point);
        const Launch& first = profile.at(launches.front());
        auto& [here, there] = own[first.device];
        if (!here) {
            const Device& ran_on = profile.device_of(first);
            here = at_boost(ran_on);
            const Device* known = find_known_device(ran_on.name, &ran_on);
            there = known && *known == device ? here : of_device;
        }
        const GroupTotals totals =
            without_unknown_levels(sum_launches(profile, launches, options), *here, *there, options);
        ProjectedKernel kernel{index, bound_under(totals, here, options),
                               bound_under(totals, there, options)};
        forget_where_a_ceiling_lacks(totals, *there, *here, options, kernel.there);
        forget_where_a_ceiling_lacks(totals, *here, *there, options, kernel.here);
        hold_by_report(point, options, kernel);
        const LaunchFloor& floor_there = there == of_device ? of_board : point.launch_floor;
        const Seconds least_here = point.launch_floor.time * point.known_launches();
        hold_by_launches(point.launch_floor, point.least_launch_time().value_or(least_here), kernel.here);
        hold_by_launches(floor_there, floor_there.time * point.known_launches(), kernel.there);
        const auto measured = bound_under(totals, point.ceilings, options).binding;
        if (kernel.here.binding && measured != kernel.here.binding) kernel.here.at_measured_clock = measured;
        projected.kernels.push_back(std::move(kernel));
    }
    return projected;
}

std::string bound_text(const ProjectedBound& bound) {
    if (!bound.binding) return known_limit_text(bound);
    const bool memory = bound.kernel_class() == KernelClass::memory_bound;
    std::string text = (memory ? "memory (" : "compute (") + label_of(*bound.binding, bound.memory) + ")";
    if (bound.at_measured_clock)
        text += fmt::format("; {} at measured clock", label_of(*bound.at_measured_clock, bound.memory));
    return text;
}

std::string at_least_by_text(const ProjectedBound& bound) {
    if (!bound.at_least) return {};
    std::vector<std::string_view> left_out = labels_of(bound.levels_not_judged, bound.memory);
    if (bound.compute_not_judged) left_out.emplace_back("compute");
    std::string text =
        bound.launch_floor ? std::string(launch_floor_label) : label_of(*bound.at_least_by, bound.memory);
    if (!left_out.empty()) text += fmt::format("; {} not judged", fmt::join(left_out, ", "));
    return text;
}

std::string at_least_text(const ProjectedBound& bound) {
    if (!bound.at_least) return {};
    return "at least " + format(*bound.at_least) + " by " + at_least_by_text(bound);
}

std::string projection_sentence(const ProjectedKernels& projected) {
    std::size_t crossing = 0;
    std::size_t unknown = 0;
    std::size_t to_memory = 0;
    for (const ProjectedKernel& kernel : projected.kernels) {
        const std::optional<bool> crosses = kernel.crosses_over();
        if (!crosses) ++unknown;
        if (!crosses.value_or(false)) continue;
        ++crossing;
        if (kernel.there.kernel_class() == KernelClass::memory_bound) ++to_memory;
    }
    const std::string further = known_limits_sentence(projected) + launch_floor_sentence(projected) +
                                other_clocks_sentence(projected);
    if (unknown > 0 && unknown == projected.kernels.size())
        return fmt::format("On {} it is not known for any {} whether what binds changes.", projected.device,
                           noun_of(projected.rows, 1)) +
               further;
    std::string text =
        fmt::format("On {} what binds changes between compute and memory for {}", projected.device,
                    crossing == 0 ? fmt::format("no {}", noun_of(projected.rows, 1))
                                  : rows_among(crossing, projected.kernels.size(), projected.rows));
    if (crossing > 0)
        text += fmt::format(": to memory for {}, to compute for {}", to_memory, crossing - to_memory);
    if (unknown > 0) text += fmt::format("; for {} it is not known", unknown);
    return text + "." + further;
}

}  // namespace roofwalk
