// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/roofline/analysis.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr EnumArray<KernelClass, std::string_view> class_labels{
    "memory-bound", "compute-bound", "latency-bound", "low use",         "near the roof", "above the roof",
    "no FLOP",      "no traffic",    "only timed",    "work incomplete", "not measured"};

bool does_integer_tensor_work(const KernelPoint& point) {
    return std::ranges::any_of(point.pipes, [](const PipeLoad& load) {
        return counts_integers(load.pipe) && is_tensor(load.pipe) && load.work.value() > 0;
    });
}

bool moves_bytes(const KernelPoint& point) {
    return std::ranges::any_of(point.levels,
                               [](const auto& level) { return level && level->bytes.value() > 0; });
}

/// What it really moves and does nobody knows, but that the needs of its operation take longer than it ran
/// cannot be.
KernelClass class_of_timed(const KernelPoint& point, const VerdictThresholds& limits) {
    return point.gap && point.gap->efficiency() > limits.above_roof ? KernelClass::above_roof
                                                                    : KernelClass::only_timed;
}

KernelClass class_of(const KernelPoint& point, const VerdictThresholds& limits) {
    if (point.modelled) return class_of_timed(point, limits);
    if (!point.performance || !has_known_bytes(point)) return KernelClass::not_measured;
    if (point.uncounted.any()) return KernelClass::work_incomplete;
    if (point.work->value() <= 0 && !point.gap) return KernelClass::no_flop;
    if (point.work->value() > 0 && !moves_bytes(point))
        return point.at(MemoryLevel::hbm) ? KernelClass::no_traffic : KernelClass::not_measured;
    if (!point.gap) return KernelClass::not_measured;
    const double efficiency = point.gap->efficiency();
    if (efficiency > limits.above_roof) return KernelClass::above_roof;
    if (efficiency >= limits.near_roof) return KernelClass::near_roof;
    if (efficiency < limits.latency && both_sides_judged(point))
        return limits_not_judged(point).empty() ? KernelClass::latency_bound : KernelClass::low_use;
    return std::holds_alternative<Boundary>(*point.binding) ? KernelClass::memory_bound
                                                            : KernelClass::compute_bound;
}

/// Of memory as a whole the farthest; absent for compute.
std::optional<MemoryLevel> level_of_unit(HardwareUnit unit) {
    constexpr EnumArray<HardwareUnit, std::optional<MemoryLevel>> levels{
        std::nullopt, MemoryLevel::l1, MemoryLevel::l2, MemoryLevel::l2, MemoryLevel::hbm, MemoryLevel::hbm};
    return levels[unit];
}

std::optional<MemoryLevel> level_of(const NearestLimit& limit) {
    if (const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit.of)) return level_of_unit(*unit);
    const Boundary* boundary = std::get_if<Boundary>(&limit.of);
    return boundary ? std::optional(roofwalk::level_of(*boundary)) : std::nullopt;
}

}  // namespace

std::optional<NearestLimit> nearer_of(const std::optional<NearestLimit>& limit,
                                      const UnitThroughput& throughput) {
    // DRAM is busy with commands beside the bytes, and seems a little busier than they say.
    constexpr double commands = 1.05;
    constexpr double rounding = 1.001;
    auto busy = busiest(throughput);
    if (busy && limit && is_of_dram(busy->unit) && busy->share <= limit->share * commands)
        busy = busiest(beside_dram(throughput));
    if (!busy || (limit && busy->share <= limit->share * rounding)) return limit;
    return NearestLimit{busy->unit, busy->share};
}

bool is_of_memory(const NearestLimit& limit) {
    return level_of(limit).has_value();
}

std::string label_of(const NearestLimit& limit, MemoryName memory) {
    if (const HardwareUnit* unit = std::get_if<HardwareUnit>(&limit.of))
        return std::string(label_of(*unit, memory));
    if (const Pipe* pipe = std::get_if<Pipe>(&limit.of)) return label_of(*pipe);
    return std::string(label_of(level_of(std::get<Boundary>(limit.of)), memory));
}

std::string_view evidence_of(const NearestLimit& limit) {
    if (std::holds_alternative<HardwareUnit>(limit.of)) return "by throughput";
    return std::holds_alternative<Pipe>(limit.of) ? "by work" : "by bytes";
}

std::string evidence_of(const KernelPoint& point, const NearestLimit& limit) {
    const ShareBound bound = share_bound(point, limit.of);
    const std::string evidence(evidence_of(limit));
    return bound == ShareBound::exact ? evidence : evidence + " " + std::string(trimmed(words_of(bound)));
}

bool has_roof(const KernelPoint& point) {
    return point.gap && point.verdict.launch_limits.empty();
}

bool is_judged_by_roof(const KernelPoint& point) {
    return has_roof(point) && !unit_beyond_roof(point);
}

std::optional<double> share_of_limit(const KernelPoint& point) {
    const auto limit = tightest_limit(point);
    return limit ? std::optional(limit->share) : std::nullopt;
}

Seconds time_above(const KernelPoint& point, Seconds time, double share) {
    constexpr double rounding = 1e-9;
    const Seconds above = std::min(time * std::max(0.0, 1 - share), time - *point.least_launch_time());
    return above > time * rounding ? above : Seconds();
}

namespace {

bool tells_what_to_recover(const KernelPoint& point) {
    return point.known_time() && !point.contradicted && point.verdict.kernel_class != KernelClass::above_roof;
}

}  // namespace

std::optional<NearestLimit> judged_nearest(const KernelPoint& point) {
    return point.verdict.launch_limits.empty() ? point.verdict.nearest : std::nullopt;
}

LimitTarget limit_of(const CeilingTarget& ceiling) {
    return std::visit([](const auto& of) { return LimitTarget(of); }, ceiling);
}

std::optional<NearestLimit> tightest_limit(const KernelPoint& point) {
    if (const auto& limits = point.verdict.launch_limits; !limits.empty())
        return NearestLimit{limits.front().of, point.verdict.share_by_launches};
    if (!point.gap) return point.verdict.nearest;
    std::optional<NearestLimit> limit(NearestLimit{{}, point.gap->efficiency()});
    if (point.binding) limit->of = limit_of(*point.binding);
    return nearer_of(limit, point.throughput);
}

std::optional<BusyUnit> unit_beyond_roof(const KernelPoint& point) {
    const auto limit = tightest_limit(point);
    const HardwareUnit* unit = limit && has_roof(point) ? std::get_if<HardwareUnit>(&limit->of) : nullptr;
    return unit ? std::optional(BusyUnit{*unit, limit->share}) : std::nullopt;
}

std::optional<NearestLimit> limit_after(const NearestLimit& limit, const KernelPoint& point) {
    const bool memory = is_of_memory(limit);
    std::optional<NearestLimit> next;
    const auto consider = [&](const auto& of, double share) {
        if (share > 0 && (!next || share > next->share)) next = NearestLimit{of, std::min(share, 1.0)};
    };
    if (const auto use = memory_utilisation(point); use && !memory)
        std::visit([&](const auto& of) { consider(of, use->share); }, use->target);
    if (const auto use = compute_utilisation(point); use && !std::holds_alternative<Pipe>(limit.of))
        std::visit([&](const auto& of) { consider(of, use->share); }, use->target);
    for (const HardwareUnit unit : all_hardware_units)
        if (const auto& share = point.throughput[unit]; share && (unit == HardwareUnit::sm) == memory)
            consider(unit, *share);
    return next;
}

std::optional<Recoverable> recoverable_as_one(const KernelPoint& point) {
    constexpr double rounding = 1e-9;
    const auto limit = tightest_limit(point);
    if (!limit || !tells_what_to_recover(point)) return std::nullopt;
    const Seconds time = *point.known_time();
    Recoverable recoverable{.time = time_above(point, time, limit->share),
                            .of = time,
                            .with_needed_bytes = {},
                            .with_operation = {},
                            .launches = point.known_launches(),
                            .limit = {}};
    const ShareBound bound = share_bound(point, limit->of);
    recoverable.at_most = may_reach_more(point);
    recoverable.at_least = bound == ShareBound::at_most || is_of_no_bound(point, limit->of);
    if (recoverable.time >= time * (1 - limit->share) * (1 - rounding)) recoverable.limit = limit->of;
    if (const auto next = limit_after(*limit, point)) {
        recoverable.once_relieved = std::max(recoverable.time, time_above(point, time, next->share));
        recoverable.next = next->of;
    }
    if (point.target && point.target->least_time)
        recoverable.with_operation =
            std::max(recoverable.time, time_above(point, time, *point.target->least_time / time));
    if (point.target && point.target->potential)
        recoverable.with_needed_bytes =
            std::max(recoverable.time, time_above(point, time, 1 / *point.target->potential));
    return recoverable;
}

ShareBound bound_of_limit(const KernelPoint& point) {
    const auto limit = tightest_limit(point);
    return limit ? share_bound(point, limit->of) : ShareBound::exact;
}

ShareBound bound_of_recoverable(const KernelPoint& point) {
    const bool at_least = is_recoverable_at_least(point);
    if (!point.recoverable || point.recoverable->at_most == at_least) return ShareBound::exact;
    return at_least ? ShareBound::at_least : ShareBound::at_most;
}

std::optional<Seconds> recoverable_time(const KernelPoint& point) {
    return point.recoverable ? std::optional(point.recoverable->time) : std::nullopt;
}

std::optional<Seconds> recoverable_with_operation(const KernelPoint& point) {
    return point.recoverable ? point.recoverable->with_operation : std::nullopt;
}

namespace {

std::string launch_limit_labels(const KernelPoint& point) {
    std::vector<std::string> labels;
    for (const NearestLimit& limit : point.verdict.launch_limits)
        if (std::string label = label_of(limit, point.memory);
            std::ranges::find(labels, label) == labels.end())
            labels.push_back(std::move(label));
    return joined_with_and(labels);
}

}  // namespace

std::string limit_label(const KernelPoint& point) {
    if (!point.verdict.launch_limits.empty()) return launch_limit_labels(point);
    if (const auto limit = tightest_limit(point)) return label_of(*limit, point.memory);
    return point.binding ? label_of(*point.binding, point.memory) : std::string();
}

std::string limit_words(const KernelPoint& point) {
    const std::string label = limit_label(point);
    if (is_judged_by_roof(point)) return label + " roof";
    return point.verdict.launch_limits.empty() ? "limit of " + label
                                               : fmt::format("limits of its launches ({})", label);
}

std::optional<MemoryLevel> limiting_level(const KernelPoint& point) {
    if (const auto& limits = point.verdict.launch_limits; !limits.empty()) return level_of(limits.front());
    if (!point.binding) return point.verdict.nearest ? level_of(*point.verdict.nearest) : std::nullopt;
    const Boundary* boundary = std::get_if<Boundary>(&*point.binding);
    return boundary ? std::optional(level_of(*boundary)) : std::nullopt;
}

bool is_bound_beside_roof(const KernelPoint& point) {
    const auto beyond = unit_beyond_roof(point);
    if (!beyond || beyond->unit == HardwareUnit::sm) return beyond.has_value();
    const auto* roof = std::get_if<Boundary>(&*point.binding);
    return beyond->unit == HardwareUnit::l2 && !(roof && level_of(*roof) == MemoryLevel::l2);
}

std::optional<BusyUnit> busy_unit(const KernelPoint& point, const VerdictThresholds& limits) {
    if (point.verdict.busy || !point.verdict.nearest) return point.verdict.busy;
    const auto& [of, share] = *point.verdict.nearest;
    const HardwareUnit* unit = std::get_if<HardwareUnit>(&of);
    return unit && share >= limits.latency ? std::optional(BusyUnit{*unit, share}) : std::nullopt;
}

std::string_view label_of(KernelClass kernel_class) {
    return class_labels[kernel_class];
}

bool lacks_ceilings(const KernelPoint& point) {
    const auto has_bytes = [](const auto& level) { return level && level->bytes.value() > 0; };
    return point.verdict.kernel_class == KernelClass::not_measured && point.known_time() &&
           std::ranges::any_of(point.levels, has_bytes) && !memory_utilisation(point) &&
           !compute_utilisation(point);
}

bool lacks_only_a_ceiling(const KernelPoint& point) {
    const bool measured = point.performance && has_known_bytes(point);
    return point.verdict.kernel_class == KernelClass::not_measured && (measured || lacks_ceilings(point));
}

std::string class_label(const KernelPoint& point) {
    if (is_bound_by_unit(point.verdict))
        return fmt::format("{}-bound", label_of(point.verdict.busy->unit, point.memory));
    if (point.verdict.launch_binds) return std::string(bound_by_launch);
    if (point.verdict.left_unjudged) return std::string(class_not_judged);
    return std::string(lacks_only_a_ceiling(point) ? roof_not_known : label_of(point.verdict.kernel_class));
}

namespace {

/// What the class rests on, where its name does not tell.
std::string cause_words(const KernelPoint& point) {
    const Verdict& verdict = point.verdict;
    if (verdict.launch_binds) return {};
    if (!verdict.launch_limits.empty()) return fmt::format("launches near {}", launch_limit_labels(point));
    if (verdict.busy && verdict.kernel_class == KernelClass::low_use) return "low use of every roof";
    if (verdict.busy) return fmt::format("{} busy", label_of(verdict.busy->unit, point.memory));
    if (verdict.nearest) {
        const std::string ceilings = levels_without_ceiling(point);
        return fmt::format("{}{}{}", evidence_of(point, *verdict.nearest), ceilings.empty() ? "" : "; ",
                           ceilings);
    }
    if (const std::string_view next = next_near_roof(point); !next.empty()) return std::string(next);
    if (verdict.kernel_class == KernelClass::latency_bound) return why_judged_by_profiler(point);
    if (verdict.kernel_class != KernelClass::low_use) return {};
    return fmt::format("{} not judged", fmt::join(limits_not_judged(point), ", "));
}

/// What its work is where W is 0, or beside the point.
std::string work_words(const KernelPoint& point) {
    const bool told = point.verdict.kernel_class == KernelClass::no_flop;
    if (!point.mostly_integer) return is_without_work(point) && !told ? "no FLOP" : "";
    const char* before = !is_without_work(point) ? "mostly " : told ? "" : "no FLOP, ";
    return fmt::format("{}integer {}work", before, does_integer_tensor_work(point) ? "tensor " : "");
}

}  // namespace

std::string class_text(const KernelPoint& point) {
    std::vector<std::string> behind{cause_words(point), work_words(point), known_launches_words(point),
                                    point.contradicted ? "counters contradict" : ""};
    std::erase(behind, "");
    const std::string name = class_label(point);
    return behind.empty() ? name : fmt::format("{} ({})", name, fmt::join(behind, "; "));
}

std::optional<BusyUnit> deciding_unit(const UnitThroughput& throughput, bool every_level_judged,
                                      const VerdictThresholds& limits) {
    const auto busy = busiest(throughput);
    if (!busy || busy->share < limits.latency) return std::nullopt;
    return busy->unit != HardwareUnit::sm || every_level_judged ? busy : std::nullopt;
}

KernelClass class_of_busy(const BusyUnit& busy, bool compute, double efficiency) {
    constexpr double flop_of_fma = 2;
    const bool sm = busy.unit == HardwareUnit::sm;
    if (sm != compute || (sm && busy.share > flop_of_fma * efficiency)) return KernelClass::low_use;
    return sm ? KernelClass::compute_bound : KernelClass::memory_bound;
}

namespace {

/// Whether work and bytes are known, and no ceiling is what a roof lacks: the SM tells of it then.
bool lacks_only_int32(const KernelPoint& point) {
    return point.performance && has_known_bytes(point) && !point.uncounted.any() && !is_without_work(point);
}

}  // namespace

bool is_beyond_sm(const KernelPoint& point, const NearestLimit& nearest) {
    const HardwareUnit* unit = std::get_if<HardwareUnit>(&nearest.of);
    const bool by_bytes = unit ? is_of_dram(*unit) : is_of_memory(nearest);
    const auto& sm = point.throughput[HardwareUnit::sm];
    return by_bytes && sm && *sm < nearest.share;
}

Verdict judge(const KernelPoint& point, const VerdictThresholds& thresholds) {
    Verdict verdict;
    verdict.kernel_class = class_of(point, thresholds);
    if (verdict.kernel_class == KernelClass::latency_bound || verdict.kernel_class == KernelClass::low_use)
        if (const auto unit = deciding_unit(point.throughput, limits_not_judged(point).empty(), thresholds)) {
            verdict.kernel_class =
                class_of_busy(*unit, std::holds_alternative<Pipe>(*point.binding), point.gap->efficiency());
            verdict.busy = unit;
        }
    if (verdict.kernel_class == KernelClass::memory_bound && !verdict.busy)
        if (const auto unit = unit_beyond_roof(point);
            unit && unit->unit != HardwareUnit::sm && unit->share >= thresholds.near_roof)
            verdict.busy = unit;
    if (verdict.kernel_class == KernelClass::not_measured ||
        verdict.kernel_class == KernelClass::work_incomplete ||
        verdict.kernel_class == KernelClass::no_flop) {
        if (const auto time = point.known_time(); !time || time->value() > 0)
            verdict.nearest = nearest_limit(point);
        verdict.left_unjudged = verdict.nearest && verdict.nearest->share < thresholds.near_roof &&
                                ((point.others_have_work && !compute_is_judged(point)) ||
                                 (point.others_have_bytes && !levels_not_judged(point).empty()) ||
                                 (point.others_have_throughput && !not_judged(point).empty()));
        if (verdict.left_unjudged)
            verdict.nearest.reset();
        else if (verdict.nearest)
            verdict.kernel_class =
                class_of_nearest(*verdict.nearest, all_is_judged(point, verdict.nearest->of), thresholds);
        else if (is_without_work(point))
            verdict.kernel_class = KernelClass::no_flop;
    }
    add_side(point, thresholds, verdict);
    return verdict;
}

bool may_stand_left_of_ridge(const KernelPoint& point) {
    // No pipe is busier than the SM, be its ceiling known or not.
    const Boundary* binding = point.binding ? std::get_if<Boundary>(&*point.binding) : nullptr;
    if (binding && point.gap && is_beyond_sm(point, NearestLimit{*binding, point.gap->efficiency()}))
        return true;
    const bool integers_alone =
        point.mostly_integer && std::ranges::any_of(point.pipes, [](const PipeLoad& load) {
            return load.work.value() > 0 && !load.bound;
        });
    return point.compute_ceiling || point.uncounted.any() || !point.work ||
           (point.work->value() <= 0 && !integers_alone);
}

void add_side(const KernelPoint& point, const VerdictThresholds& thresholds, Verdict& verdict) {
    // It is busy with instructions of any kind, and tells nothing of FLOP to a byte.
    const bool is_sm = verdict.nearest && verdict.nearest->of == LimitTarget(HardwareUnit::sm);
    if (const auto place = ridge_place(point)) {
        const double ratio = place->intensity / place->ridge;
        verdict.side = side_of_ridge(place->intensity, place->ridge, thresholds.ridge_tolerance);
        verdict.near_ridge = ratio >= thresholds.near_ridge_low && ratio <= thresholds.near_ridge_high;
    } else if (point.binding) {
        verdict.side = std::holds_alternative<Pipe>(*point.binding) ? Side::compute : Side::memory;
    } else if (verdict.nearest && ((verdict.nearest->share >= thresholds.latency && !is_sm) ||
                                   is_beyond_sm(point, *verdict.nearest) ||
                                   (lacks_only_int32(point) && not_judged(point).empty()))) {
        verdict.side = is_of_memory(*verdict.nearest) ? Side::memory : Side::compute;
    } else if (verdict.kernel_class == KernelClass::no_traffic) {
        verdict.side = Side::compute;
    } else if (verdict.kernel_class == KernelClass::no_flop && !point.mostly_integer && moves_bytes(point)) {
        verdict.side = Side::memory;
    }
    if (verdict.side == Side::memory && !may_stand_left_of_ridge(point)) verdict.side.reset();
}

LaunchLimits::LaunchLimits(const KernelPoint& group)
    : far_(!group.verdict.busy && (group.verdict.kernel_class == KernelClass::latency_bound ||
                                   group.verdict.kernel_class == KernelClass::low_use)),
      may_stand_left_(may_stand_left_of_ridge(group)) {}

void LaunchLimits::add(const KernelPoint& launch) {
    if (!far_) return;
    const Seconds time = launch.known_time().value_or(Seconds());
    time_ += time;
    const auto limit = tightest_limit(launch);
    if (!limit) return;
    auto part = std::ranges::find(parts_, limit->of, &Part::of);
    if (part == parts_.end()) part = parts_.insert(part, Part{.of = limit->of});
    part->time += time;
    part->at_limit += time * std::min(limit->share, 1.0);
}

void LaunchLimits::judge(Verdict& verdict, const VerdictThresholds& thresholds) {
    constexpr double few = 0.05;
    Seconds at_limits;
    for (const Part& part : parts_)
        at_limits += part.at_limit;
    std::erase_if(parts_, [&](const Part& part) { return part.time < time_ * few; });
    if (parts_.size() < 2) return;
    std::ranges::stable_sort(parts_, std::ranges::greater(), &Part::time);
    if (at_limits < time_ * thresholds.latency) return;
    for (const Part& part : parts_)
        verdict.launch_limits.push_back({part.of, part.at_limit / part.time});
    verdict.share_by_launches = at_limits / time_;
    const bool memory = is_of_memory(verdict.launch_limits.front());
    verdict.kernel_class = at_limits >= time_ * thresholds.near_roof ? KernelClass::near_roof
                           : memory                                  ? KernelClass::memory_bound
                                                                     : KernelClass::compute_bound;
    if (!verdict.side && (!memory || may_stand_left_)) verdict.side = memory ? Side::memory : Side::compute;
}

}  // namespace roofwalk
