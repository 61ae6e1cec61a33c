// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <array>

#include "core/advice/rule.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

/// What holds the theoretical occupancy down, as far as the launch says.
std::string occupancy_limit(const Evidence& evidence) {
    struct Limit {
        AdviceMetric metric;
        std::string_view words;
    };
    constexpr std::array<Limit, 4> limits{{{AdviceMetric::blocks_by_hardware, "the hardware"},
                                           {AdviceMetric::blocks_by_registers, "registers"},
                                           {AdviceMetric::blocks_by_shared_memory, "shared memory"},
                                           {AdviceMetric::blocks_by_warps, "the size of a block"}}};
    std::optional<double> fewest;
    std::vector<std::string> by;
    for (const Limit& limit : limits) {
        const auto& blocks = evidence.at(limit.metric).value;
        if (!blocks || (fewest && *blocks > *fewest)) continue;
        if (fewest != blocks) by.clear();
        fewest = blocks;
        // Beside the hardware fewer registers or less shared memory gain nothing.
        if (by.empty() || by.front() != limits.front().words) by.emplace_back(limit.words);
    }
    if (!fewest) return {};
    return fmt::format("At most {} {} on an SM, limited by {}.", format_count(*fewest),
                       *fewest == 1 ? "block" : "blocks", joined_with_and(by));
}

/// Of the theoretical occupancy: what less is reached is not the fault of the launch's resources.
constexpr double nearly_all = 0.8;

/// The last wave of so many is too small a part to leave SMs without warps: blocks end sooner than others
/// start.
bool has_short_blocks(const AdviceFacts& facts) {
    const auto value = [&](AdviceMetric metric) { return facts.evidence.at(metric).value.value_or(0); };
    const double possible = value(AdviceMetric::theoretical_occupancy);
    return possible >= facts.limits.occupancy && value(AdviceMetric::waves) * (1 - nearly_all) >= 1 &&
           value(AdviceMetric::occupancy) < possible * nearly_all;
}

RuleOutcome low_occupancy(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (has_short_blocks(facts)) return outcome;
    const auto& possible = facts.evidence.at(AdviceMetric::theoretical_occupancy).value;
    double limit = facts.limits.occupancy;
    // What the launch allows is enough, and nearly all of it may be a little less than the limit.
    if (possible && *possible >= limit) limit = std::min(limit, *possible * nearly_all);
    if (!outcome.below(facts, AdviceMetric::occupancy, limit)) return outcome;
    outcome.explain(facts, AdviceMetric::theoretical_occupancy);
    outcome.explain(facts, AdviceMetric::registers);
    if (!possible) return outcome;
    const bool unfilled = *facts.evidence.at(AdviceMetric::occupancy).value < *possible * nearly_all;
    if (*possible < limit || !unfilled) outcome.detail = occupancy_limit(facts.evidence);
    if (unfilled)
        outcome.detail +=
            fmt::format("{}The launch would allow {}: there are too few blocks, or they end unevenly.",
                        outcome.detail.empty() ? "" : " ", format_percent(*possible));
    return outcome;
}

RuleOutcome short_blocks(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (!has_short_blocks(facts) || !outcome.below(facts, AdviceMetric::occupancy, facts.limits.occupancy))
        return {};
    outcome.explain(facts, AdviceMetric::theoretical_occupancy);
    outcome.explain(facts, AdviceMetric::waves);
    return outcome;
}

/// Of the 32 lanes that every instruction drives, some never have a thread; so that is no divergence either.
/// Whole warps are no fewer where each block is all of its launch.
RuleOutcome blocks_below_a_warp(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const bool fewer = facts.warps > facts.full_warps;
    if (facts.threads_of_block <= 0 || (facts.threads_of_block < threads_of_warp && !fewer)) return outcome;
    if (outcome.below(
            {"threads of a block", "size of a block", facts.threads_of_block, "threads", threads_of_warp}))
        outcome.worth = AdviceWorth{facts.warps / facts.full_warps, "fewer warps for the same threads"};
    return outcome;
}

/// Fewer sectors than a warp of threads would ask for may also mean that threads are off, or that all read
/// one word, of which a wider load brings no more: the bytes used of each sector tell these. Without them a
/// load of less than the 2 sectors of coalesced halves may be either. Where the grid does not fill the GPU,
/// wider loads leave still fewer threads.
RuleOutcome narrow_loads(const AdviceFacts& facts) {
    constexpr double sectors_of_halves = 2;
    RuleOutcome outcome;
    const auto& over_ideal = facts.evidence.at(AdviceMetric::sectors_over_ideal).value;
    const auto& used = facts.evidence.at(AdviceMetric::load_bytes_per_sector).value;
    const auto& sectors = facts.evidence.at(AdviceMetric::load_sectors_per_request).value;
    const auto& active = facts.evidence.at(AdviceMetric::active_threads).value;
    const double coalesced = facts.limits.bytes_per_sector;
    if (over_ideal && *over_ideal * coalesced > 32) return outcome;
    if (used ? *used < coalesced : sectors && *sectors < sectors_of_halves) return outcome;
    const auto& waves = facts.evidence.at(AdviceMetric::waves).value;
    if (active && *active < facts.limits.active_threads) return outcome;
    if (waves && *waves < facts.limits.waves) return outcome;
    if (outcome.below(facts, AdviceMetric::load_sectors_per_request, facts.limits.sectors_per_request))
        outcome.explain(facts, AdviceMetric::load_bytes_per_sector);
    return outcome;
}

template <AdviceMetric reason>
RuleOutcome stalled(const AdviceFacts& facts) {
    RuleOutcome outcome;
    outcome.waits(facts, {reason});
    return outcome;
}

RuleOutcome many_atomics(const AdviceFacts& facts) {
    RuleOutcome outcome;
    outcome.at_least(facts, AdviceMetric::reductions, facts.limits.atomics);
    outcome.at_least(facts, AdviceMetric::atomics, facts.limits.atomics);
    return outcome;
}

/// Of all channels; absent where neither the profiler nor the bytes tell.
std::optional<double> share_of_dram(const KernelPoint& point) {
    const auto& hbm = point.at(MemoryLevel::hbm);
    const auto& time = point.known_time();
    const bool bounded = hbm && hbm->bound && time && time->value() > 0;
    return std::max(point.throughput[HardwareUnit::dram],
                    bounded ? std::optional(*hbm->bound / *time) : std::nullopt);
}

/// Others wait for the busiest channel only where that is near its own limit.
RuleOutcome channel_imbalance(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (fewer_hbm_bytes_gain_nothing(facts.point)) return outcome;
    const auto share = share_of_dram(facts.point);
    const auto& imbalance = facts.evidence.at(AdviceMetric::dram_channel_imbalance).value;
    if (share && imbalance && *share * *imbalance < facts.in_use) return outcome;
    outcome.at_least(facts, AdviceMetric::dram_channel_imbalance, facts.limits.channel_imbalance);
    return outcome;
}

constexpr std::string_view latency_stall_reasons = "Nsight Compute Profiling Guide, Warp Stall Reasons";

constexpr std::array<AdviceRule, 10> latency_rule_table{{
    {"blocks_below_a_warp", AdviceList::latency, AdviceAxis::up, "A block holds less than a warp",
     "Instructions are issued for 32 threads at a time, and an SM holds a limited number of blocks. Smaller blocks "
     "leave lanes without a thread and warps without work. Launch blocks of a multiple of 32 threads, usually 128 to "
     "256.",
     "CUDA C++ Best Practices Guide, Thread and Block Heuristics", &blocks_below_a_warp, true},
    {"narrow_loads", AdviceList::latency, AdviceAxis::up, "Loads are coalesced but narrow",
     "Each thread loads less than 8 bytes at a time. Loads of 8 or 16 bytes (float4, uint4, half2 pairs) put "
     "two to four times the bytes in flight with the same number of instructions.",
     "Sectors of a load instruction: 4 are 4 bytes a thread, 16 are 16 bytes", &narrow_loads},
    {"low_occupancy", AdviceList::latency, AdviceAxis::up, "Few warps are resident",
     "With few warps on an SM there is little to switch to while one waits. Weigh registers and shared "
     "memory of a block against the number of warps. Kernels with much independent work in each thread can "
     "live with few.",
     "CUDA C++ Best Practices Guide, Occupancy", &low_occupancy, true},
    {"short_blocks", AdviceList::latency, AdviceAxis::up, "Blocks end sooner than others start",
     "The launch has blocks for many waves and allows more warps, yet few are resident. Each does too little, or "
     "waits long for its last warps. Give each thread more work: a grid-stride loop, several elements a thread, wide "
     "accesses.",
     "CUDA C++ Best Practices Guide, Occupancy", &short_blocks, true},
    {"waits_for_memory", AdviceList::latency, AdviceAxis::up,
     "Warps wait for loads they use at once (Long Scoreboard)",
     "Most of the time between two instructions of a warp goes into waiting for global or local memory. Ask for the "
     "data earlier. Unroll so that several loads are under way, prefetch the next tile, or copy to shared memory "
     "asynchronously (cp.async, TMA) with several stages.",
     latency_stall_reasons, &stalled<AdviceMetric::long_scoreboard>},
    {"waits_at_barriers", AdviceList::latency, AdviceAxis::up, "Warps wait at barriers (Barrier)",
     "The warps of a block reach the barrier at different times, or all load and then all compute. Use more "
     "stages so that copies and arithmetic overlap, split producer and consumer warps, or take smaller "
     "blocks.",
     latency_stall_reasons, &stalled<AdviceMetric::barrier>},
    {"load_queue_full", AdviceList::latency, AdviceAxis::up,
     "The queue of memory instructions is full (LG Throttle)",
     "Warps issue local and global accesses faster than they are taken. Fewer accesses, or arithmetic "
     "between them, relieve the queue.",
     latency_stall_reasons, &stalled<AdviceMetric::lg_throttle>},
    {"many_atomics", AdviceList::latency, AdviceAxis::up, "Many atomic operations",
     "Atomics on the same address are done one after the other, in L2. Reduce within the warp and the block "
     "first (shuffles, shared memory), then let one thread of a block update memory.",
     "Atomic instructions against loads", &many_atomics},
    {"waits_at_exit", AdviceList::latency, AdviceAxis::up, "Warps wait for their stores at the end (Drain)",
     "Warps have run their last instruction and wait for memory operations to finish. Many stores or atomics are "
     "under way at once, or their addresses are shared. Write less (results reduced or packed first), or let a block "
     "do more work before it ends.",
     latency_stall_reasons, &stalled<AdviceMetric::drain>},
    {"channel_imbalance", AdviceList::latency, AdviceAxis::up, "Memory channels are loaded unevenly",
     "One {DRAM} channel moves clearly more bytes than the mean, so the others wait for it. Large power-of-two "
     "strides between blocks that run at the same time do that; pad the rows or change the order of blocks.",
     "Bytes by {DRAM} channel", &channel_imbalance},
}};

}  // namespace

std::span<const AdviceRule> latency_rules() {
    return latency_rule_table;
}

}  // namespace roofwalk
