// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/advice/rule.h"
#include "core/base/text.h"
#include "core/roofline/missing.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr EnumArray<RoofPosition, PositionGuide> guides{{
    {RoofPosition::at_memory_roof, "At the memory roof",
     "The memory level that binds runs near its peak; the compute pipes wait for data.",
     "The kernel moves its bytes about as fast as the hardware can: what is left is to move fewer of them."},
    {RoofPosition::below_memory_roof, "Below the memory roof",
     "Moving the bytes is the longest of the bounds, and the level that binds does not reach its peak.",
     "The bytes do not arrive at the rate that the hardware allows. They are requested badly, or too few of them are "
     "under way at a time."},
    {RoofPosition::at_compute_roof, "At the compute roof",
     "The pipe that binds issues near its peak; memory has time to spare.",
     "The arithmetic itself takes the time. Moving fewer bytes saves none of it here."},
    {RoofPosition::below_compute_roof, "Below the compute roof",
     "Arithmetic is the longest of the bounds, yet its pipe idles part of the time. The SM may be busy "
     "issuing other instructions all the same.",
     "The pipe does not get an instruction whenever it could take one."},
    {RoofPosition::below_both, "Below both roofs",
     "Neither the memory nor the pipes are used much, left of the ridge, right of it or near it.",
     "The kernel waits, or there is too little of it to fill the GPU."},
}};
static_assert(is_in_order(guides, &PositionGuide::position));

/// Of a kernel with one side only, memory or pipes: what binds is as far from its ceiling as in a
/// latency-bound one, and the profiler found no unit busy.
bool only_waits(const KernelPoint& point, const VerdictThresholds& limits) {
    const auto unit = busiest(point.throughput);
    return *share_of_limit(point) < limits.latency && !(unit && unit->share >= limits.latency);
}

/// Of vector integer work no ceiling is known, and it may be what takes the time, unless the SM, whose
/// busiest pipe its throughput tells, was found little busy; that of tensor cores has one.
bool integers_may_bind(const KernelPoint& point, const VerdictThresholds& limits) {
    const std::optional<double> sm = point.throughput[HardwareUnit::sm];
    if (!point.mostly_integer || (sm && *sm < limits.latency)) return false;
    Flops judged;
    Flops unjudged;
    for (const PipeLoad& load : point.pipes)
        if (counts_integers(load.pipe)) (load.bound ? judged : unjudged) += load.work;
    return unjudged > judged;
}

using RuleIds = std::span<const std::string_view>;

/// Which causes may hold a kernel at a position, in the order to look at them. To the memory side: first what
/// each transfer is worth (coalesced, wide, kept in L2), then fewer of them (fewer bits, fusion), then
/// overlap and how many are under way; to the compute side: the tensor pipe, occupancy, the mix of
/// instructions.
constexpr std::string_view at_memory[]{"small_batch",    "uncoalesced_access", "l2_misses",   "local_memory",
                                       "repeated_loads", "little_work_a_byte", "wide_values", "more_bytes"};
constexpr std::string_view below_memory[]{
    "small_batch",         "uncoalesced_access", "narrow_loads",      "l2_misses",         "local_memory",
    "repeated_loads",      "little_work_a_byte", "wide_values",       "more_bytes",        "waits_for_memory",
    "blocks_below_a_warp", "low_occupancy",      "short_blocks",      "waits_at_barriers", "load_queue_full",
    "many_atomics",        "waits_at_exit",      "channel_imbalance", "divergence"};
constexpr std::string_view at_compute[]{"no_tensor_cores"};
constexpr std::string_view below_compute[]{"tensor_pipe_idle",    "no_tensor_cores",  "blocks_below_a_warp",
                                           "low_occupancy",       "short_blocks",     "other_pipe_busy",
                                           "bank_conflicts",      "divergence",       "dependency_chains",
                                           "shared_memory_waits", "waits_for_memory", "waits_at_barriers"};
constexpr std::string_view near_the_ridge[]{
    "small_batch",        "blocks_below_a_warp", "low_occupancy",     "short_blocks",
    "waits_for_memory",   "waits_at_barriers",   "dependency_chains", "shared_memory_waits",
    "uncoalesced_access", "narrow_loads",        "local_memory",      "more_bytes",
    "tensor_pipe_idle",   "other_pipe_busy",     "bank_conflicts",    "divergence"};
/// More under way does not help a cache that is busy.
constexpr std::string_view busy_cache[]{
    "uncoalesced_access", "narrow_loads", "l2_misses",     "local_memory",    "repeated_loads",
    "more_bytes",         "many_atomics", "waits_at_exit", "load_queue_full", "blocks_below_a_warp"};
/// Many requests go to the few addresses of one slice, whatever the others are like.
constexpr std::string_view busy_slice[]{
    "many_atomics", "waits_at_exit",      "load_queue_full", "repeated_loads", "l2_misses",
    "local_memory", "uncoalesced_access", "more_bytes",      "narrow_loads",   "blocks_below_a_warp"};
/// What is a fault wherever the kernel stands.
constexpr std::string_view anywhere[]{"uncoalesced_access", "local_memory", "blocks_below_a_warp",
                                      "low_occupancy",      "short_blocks", "bank_conflicts",
                                      "divergence"};

/// A kernel that only waits may do so for the causes of the roof that is nearer; near the ridge for those of
/// both.
RuleIds causes_below_both(const KernelPoint& point) {
    if (point.verdict.near_ridge) return near_the_ridge;
    return limiting_level(point) ? RuleIds(below_memory) : RuleIds(below_compute);
}

RuleIds causes_at(const std::optional<RoofPosition>& position, const KernelPoint& point,
                  const VerdictThresholds& limits) {
    if (!position) return anywhere;
    if (const auto busy = busy_unit(point, limits))
        return busy->unit == HardwareUnit::sm         ? RuleIds(below_compute)
               : busy->unit == HardwareUnit::l2_slice ? RuleIds(busy_slice)
                                                      : RuleIds(busy_cache);
    switch (*position) {
        case RoofPosition::at_memory_roof:
            return at_memory;
        case RoofPosition::below_memory_roof:
            return below_memory;
        case RoofPosition::at_compute_roof:
            return at_compute;
        case RoofPosition::below_compute_roof:
            return below_compute;
        case RoofPosition::below_both:
            return causes_below_both(point);
    }
    return anywhere;
}

/// Shared memory is a memory level of which bank conflicts are the surplus bytes.
bool shared_memory_binds(const KernelPoint& point) {
    if (const auto level = limiting_level(point); level && is_in_sm(*level)) return true;
    return point.verdict.busy && point.verdict.busy->unit == HardwareUnit::l1tex;
}

const AdviceRule* find_rule(std::string_view id) {
    for (const auto rules : {latency_rules(), compute_rules(), traffic_rules()})
        for (const AdviceRule& rule : rules)
            if (rule.id == id) return &rule;
    return nullptr;
}

/// Launches of a group are in file order.
std::vector<const Error*> contradictions_of(const Profile& profile, std::span<const LaunchIndex> launches) {
    std::vector<const Error*> found;
    for (const Warning& warning : profile.warnings)
        if (warning.message.code == ErrorCode::contradiction && concerns(warning, launches))
            found.push_back(&warning.message);
    return found;
}

double count_of(Dim3 size) {
    return 1.0 * size.x * size.y * size.z;
}

std::ptrdiff_t count_wholes(const Profile& profile, std::span<const LaunchIndex> launches) {
    return std::ranges::count_if(launches, [&](LaunchIndex launch) {
        return profile.at(launch).kind != LaunchKind::kernel && !profile.at(launch).failed;
    });
}

void add_threads(const Profile& profile, std::span<const LaunchIndex> launches, AdviceFacts& facts) {
    for (const LaunchIndex index : launches) {
        const Launch& launch = profile.at(index);
        if (launch.failed) continue;
        const double blocks = count_of(launch.grid);
        const double of_block = count_of(launch.block);
        facts.threads += blocks * of_block;
        facts.threads_of_block = std::max(facts.threads_of_block, of_block);
        facts.warps += blocks * std::ceil(of_block / threads_of_warp);
        facts.full_warps += std::ceil(blocks * of_block / threads_of_warp);
    }
}

Advice advice_of(const AdviceRule& rule, RuleOutcome outcome, MemoryName memory) {
    std::string text(rule.text);
    if (!outcome.detail.empty()) text += " " + outcome.detail;
    const auto name = [memory](std::string& words) { words = with_memory_name(memory, words); };
    for (AdviceEvidence& number : outcome.evidence) {
        name(number.label);
        name(number.metric);
    }
    for (MissingEvidence& number : outcome.missing) {
        name(number.label);
        name(number.metric);
    }
    if (outcome.worth) name(outcome.worth->of);
    return {.id = rule.id,
            .list = rule.list,
            .axis = rule.axis,
            .finding = outcome.finding,
            .title = with_memory_name(memory, rule.title),
            .text = with_memory_name(memory, text),
            .source = with_memory_name(memory, rule.source),
            .evidence = std::move(outcome.evidence),
            .worth = std::move(outcome.worth),
            .missing = std::move(outcome.missing)};
}

void keep(const AdviceRule& rule, const AdviceFacts& facts, KernelAdvice& advice) {
    RuleOutcome outcome = rule.look(facts);
    if (!outcome.applies()) return;
    const Finding finding = outcome.finding;
    auto& list = finding == Finding::indicated   ? advice.indicated
                 : finding == Finding::ruled_out ? advice.ruled_out
                                                 : advice.not_measured;
    list.push_back(advice_of(rule, std::move(outcome), facts.point.memory));
}

bool needs_a_run(const Advice& advice) {
    return std::ranges::any_of(advice.missing,
                               [](const MissingEvidence& missing) { return missing.option != NcuOption{}; });
}

void put_first(std::string_view id, std::vector<Advice>& list) {
    const auto found = std::ranges::find(list, id, &Advice::id);
    if (found != list.end()) std::rotate(list.begin(), found, found + 1);
}

}  // namespace

const PositionGuide& position_guide(RoofPosition position) {
    return guides[position];
}

std::optional<RoofPosition> position_of(const KernelPoint& point, const VerdictThresholds& limits) {
    const std::optional<double> share = share_of_limit(point);
    if (!share || !point.verdict.launch_limits.empty()) return std::nullopt;
    const bool memory = limiting_level(point).has_value();
    const RoofPosition at = memory ? RoofPosition::at_memory_roof : RoofPosition::at_compute_roof;
    const std::optional<RoofPosition> below =
        memory && integers_may_bind(point, limits)
            ? std::nullopt
            : std::optional(memory ? RoofPosition::below_memory_roof : RoofPosition::below_compute_roof);
    switch (point.verdict.kernel_class) {
        case KernelClass::memory_bound:
            return RoofPosition::below_memory_roof;
        case KernelClass::compute_bound:
            return RoofPosition::below_compute_roof;
        case KernelClass::near_roof:
            return at;
        case KernelClass::latency_bound:
        case KernelClass::low_use:
            if (may_reach_more(point)) return std::nullopt;
            return below ? std::optional(RoofPosition::below_both) : std::nullopt;
        case KernelClass::no_flop:
        case KernelClass::no_traffic:
            if (*share > limits.above_roof) return std::nullopt;
            if (*share >= limits.near_roof) return at;
            return below && only_waits(point, limits) ? std::optional(RoofPosition::below_both) : below;
        case KernelClass::above_roof:
        case KernelClass::only_timed:
        case KernelClass::work_incomplete:
        case KernelClass::not_measured:
            return std::nullopt;
    }
    return std::nullopt;
}

double worth_of(const Advice& advice, RoofPosition position) {
    const bool memory =
        position == RoofPosition::at_memory_roof || position == RoofPosition::below_memory_roof;
    const bool compute =
        position == RoofPosition::at_compute_roof || position == RoofPosition::below_compute_roof;
    const bool lever =
        (memory && advice.axis != AdviceAxis::up) || (compute && advice.axis != AdviceAxis::right);
    return lever && advice.worth ? advice.worth->factor : 1;
}

std::string to_text(const AdviceEvidence& evidence) {
    std::string value = format_metric(evidence.value, evidence.unit);
    const auto mark = [&] { return marked_if(evidence.approximate, value); };
    if (!evidence.threshold) return fmt::format("{}: {}", evidence.label, mark());
    std::string limit = format_metric(*evidence.threshold, evidence.unit);
    if (evidence.unit == "share")
        std::tie(value, limit) = format_percents_apart(evidence.value, *evidence.threshold);
    return fmt::format("{}: {} (threshold {})", evidence.label, mark(), limit);
}

std::vector<NcuOption> options_to_collect(const KernelAdvice& advice) {
    std::vector<NcuOption> options;
    for (const Advice& rule : advice.not_measured)
        for (const MissingEvidence& missing : rule.missing)
            if (missing.option != NcuOption{} && std::ranges::find(options, missing.option) == options.end())
                options.push_back(missing.option);
    return options;
}

bool has_warning(const KernelAdvice& advice, std::string_view rule) {
    return std::ranges::find(advice.warnings, rule, &Advice::id) != advice.warnings.end();
}

bool bytes_outweigh_waiting(const KernelPoint& point) {
    if (!point.gap || !point.target || !point.target->byte_gap) return false;
    constexpr double unpromised = 2;  // the way to the roof is of known worth, that of the bytes is not
    return *point.target->byte_gap >= point.gap->factor * unpromised;
}

KernelAdvice advise(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                    const AdviceThresholds& limits) {
    const auto launches = analysis.known_launches(point);
    const Evidence evidence = EvidenceReader(profile).of(launches);
    AdviceFacts facts{
        point,
        evidence,
        device_of(profile, point, analysis),
        limits,
        contradictions_of(profile, analysis.grouping.launches_of(analysis.grouping.groups[point.group])),
        directions_of(profile, launches, Boundary::hbm_dram_rw),
        directions_of(profile, launches, Boundary::l2_sm_sectors),
        count_wholes(profile, launches)};
    facts.in_use = analysis.options.thresholds.latency;
    add_threads(profile, launches, facts);
    KernelAdvice advice;
    advice.position = position_of(point, analysis.options.thresholds);
    if (const auto& sm = point.throughput[HardwareUnit::sm])
        advice.busiest_of_sm = evidence.busiest_of_sm(*sm);
    advice.fills_gpu = evidence.at(AdviceMetric::waves).value.value_or(0) >= limits.waves;
    const auto is_told = [&](const AdviceRule& rule) { return facts.wholes == 0 || !rule.of_one_launch; };
    for (const AdviceRule& rule : validity_rules())
        if (RuleOutcome outcome = rule.look(facts); is_told(rule) && outcome.finding == Finding::indicated)
            advice.warnings.push_back(advice_of(rule, std::move(outcome), facts.point.memory));
    // Figures that cannot be right call for no change of the kernel, nor does one that does nothing.
    const bool idle = has_warning(advice, "no_global_access");
    if (idle)
        std::erase_if(advice.warnings, [](const Advice& found) { return found.axis == AdviceAxis::up; });
    if (idle || point.verdict.kernel_class == KernelClass::above_roof) return advice;
    std::vector<std::string_view> causes;
    if (shared_memory_binds(point)) causes.emplace_back("bank_conflicts");
    for (const std::string_view id : causes_at(advice.position, point, analysis.options.thresholds))
        if (std::ranges::find(causes, id) == causes.end()) causes.push_back(id);
    for (const std::string_view id : causes)
        if (const AdviceRule& rule = *find_rule(id); is_told(rule)) keep(rule, facts, advice);
    if (advice.position)
        sort_by_worth(advice.indicated,
                      [&](const Advice& found) { return worth_of(found, *advice.position); });
    // Fewer bytes promise nothing to a kernel that waits.
    if (advice.position == RoofPosition::below_both)
        std::stable_partition(advice.indicated.begin(), advice.indicated.end(),
                              [](const Advice& found) { return found.axis != AdviceAxis::right; });
    if (advice.position == RoofPosition::below_both && bytes_outweigh_waiting(point))
        put_first("more_bytes", advice.indicated);
    if (comes_from_model(point)) std::erase_if(advice.not_measured, needs_a_run);
    return advice;
}

std::vector<std::string> inexact_figures(const KernelPoint& point) {
    std::vector<std::string> figures;
    const auto add = [&](Origin origin, std::string_view name) {
        if (origin != Origin::measured) figures.push_back(fmt::format("{} ({})", name, id_of(origin)));
    };
    for (const auto& level : point.levels)
        if (level) add(level->origin, label_of(level_of(level->boundary), point.memory));
    for (const PipeLoad& load : point.pipes)
        if (load.work.value() > 0) add(load.origin, label_of(load.pipe));
    for (const HardwareUnit unit : all_hardware_units)
        if (point.sampled.units[unit]) add(Origin::estimated, label_of(unit, point.memory));
    return figures;
}

}  // namespace roofwalk
