// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "core/advice/rule.h"
#include "core/text.h"

namespace roofwalk {

namespace {

constexpr double sector_bytes = 32;

double per_launch(const KernelPoint& point, Bytes bytes) {
    const std::uint32_t measured = point.launches - point.failed;
    return bytes.value() / (measured > 0 ? measured : 1);
}

void explain_used_bytes(const AdviceFacts& facts, RuleOutcome& outcome) {
    outcome.explain(facts, Measure::load_bytes_per_sector);
    outcome.explain(facts, Measure::store_bytes_per_sector);
}

/// What the instructions used of each sector they asked for.
RuleOutcome by_used_bytes(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const bool loads = outcome.below(facts, Measure::load_bytes_per_sector, facts.limits.bytes_per_sector);
    const bool stores = outcome.below(facts, Measure::store_bytes_per_sector, facts.limits.bytes_per_sector);
    if (loads || stores) {
        const double least = std::ranges::min(outcome.evidence, {}, &AdviceEvidence::value).value;
        outcome.worth = AdviceWorth{sector_bytes / least, loads && stores ? "fewer sectors for these accesses"
                                                          : loads         ? "fewer sectors for global loads"
                                                                  : "fewer sectors for global stores"};
    }
    return outcome;
}

bool caches_catch_the_surplus(const AdviceFacts& facts) {
    const auto& ideal = facts.evidence.at(Measure::ideal_sectors).value;
    const auto& hbm = facts.point.at(MemoryLevel::hbm);
    return ideal && hbm && facts.point.binding == CeilingTarget(hbm->boundary) &&
           hbm->bytes.value() <= *ideal * sector_bytes;
}

/// The count of sectors against the least count decides where it is known: a word that every thread of a warp
/// reads, or one that a single thread writes, uses few bytes of its sector and is no fault.
RuleOutcome uncoalesced_access(const AdviceFacts& facts) {
    const Reading& over_ideal = facts.evidence.at(Measure::sectors_over_ideal);
    if (!over_ideal.measured) return by_used_bytes(facts);
    RuleOutcome outcome;
    const double limit = sector_bytes / std::max(facts.limits.bytes_per_sector, 1.0);
    if (outcome.at_least(facts, Measure::sectors_over_ideal, limit)) {
        explain_used_bytes(facts, outcome);
        if (caches_catch_the_surplus(facts))
            outcome.detail =
                "HBM already moves no more than coalesced accesses would ask for, so this frees L1 and L2, "
                "not HBM.";
        else
            outcome.worth = AdviceWorth{*over_ideal.value, "fewer sectors for global accesses"};
    }
    return outcome;
}

/// Of a launch, where its operation is known.
std::optional<double> least_bytes(const KernelPoint& point) {
    if (!point.target || point.target->bound == 0) return std::nullopt;
    return point.target->bytes.value() / point.target->bound;
}

/// What crossed HBM holds everything that a launch touched, as long as the caches start out empty.
RuleOutcome l2_misses(const AdviceFacts& facts) {
    const auto& hbm = facts.point.at(MemoryLevel::hbm);
    RuleOutcome outcome;
    if (!hbm || !facts.device.l2_size) return outcome;
    const double touched = least_bytes(facts.point).value_or(per_launch(facts.point, hbm->bytes));
    if (touched <= 0 || touched > facts.device.l2_size->value()) return outcome;
    if (!outcome.below(facts, Measure::l2_hit_rate, facts.limits.l2_hit_rate)) return outcome;
    outcome.evidence.push_back(
        {"bytes that a launch touches", "least bytes of its operation, or HBM bytes", touched, "B", {}});
    outcome.evidence.push_back(
        {"size of L2", "device__attribute_l2_cache_size", facts.device.l2_size->value(), "B", {}});
    return outcome;
}

RuleOutcome local_memory(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (outcome.at_least(facts, Measure::local_share, facts.limits.local_share))
        outcome.explain(facts, Measure::registers);
    return outcome;
}

RuleOutcome repeated_loads(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const auto& hbm = facts.point.at(MemoryLevel::hbm);
    const auto& l2 = facts.point.at(MemoryLevel::l2);
    const bool l2_binds = facts.point.binding && l2 && *facts.point.binding == CeilingTarget(l2->boundary);
    const auto kernel_class = facts.point.verdict.kernel_class;
    // While L2 itself is far from its roof, its bytes are not what takes the time.
    const bool waits = kernel_class == KernelClass::latency_bound || kernel_class == KernelClass::low_use;
    if (!l2_binds || waits || !hbm || hbm->bytes.value() <= 0) return outcome;
    const double reuse = l2->bytes / hbm->bytes;
    if (outcome.at_least(AdviceEvidence{"bytes asked of L2 over bytes of HBM", "L2 bytes / HBM bytes", reuse,
                                        "x", facts.limits.l2_reuse}))
        outcome.worth = AdviceWorth{reuse, "fewer bytes across L2, when each byte is fetched once"};
    return outcome;
}

RuleOutcome more_bytes(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const auto& target = facts.point.target;
    if (!target || !target->byte_gap) {
        outcome.lacks(
            {target ? "the gap to its operation" : "the least bytes of its operation (none is bound)",
             "HBM bytes / least bytes of the operation", ""});
        return outcome;
    }
    if (outcome.at_least(AdviceEvidence{"HBM bytes over the least bytes of the operation",
                                        "HBM bytes / least bytes of the operation", *target->byte_gap, "x",
                                        facts.limits.more_bytes}) &&
        target->useful && *target->useful > 1)
        outcome.worth = AdviceWorth{*target->useful, "higher roof at the intensity of the algorithm"};
    return outcome;
}

constexpr std::array<AdviceRule, 5> rules{{
    {"uncoalesced_access", AdviceList::traffic, AdviceAxis::right, "Global accesses are not coalesced",
     "The threads of a warp use only a part of each 32-byte sector they fetch. Let neighbouring threads "
     "touch neighbouring addresses: change the layout (structure of arrays), transpose through shared "
     "memory, align rows to 32 bytes. At worst a 4-byte access fetches 8 times the bytes it uses, a 2-byte "
     "one 16 times. HBM traffic falls as far as L1 and L2 do not already catch the surplus.",
     "32-byte sectors; CUDA C++ Best Practices Guide, Coalesced Access to Global Memory",
     &uncoalesced_access},
    {"l2_misses", AdviceList::traffic, AdviceAxis::right, "L2 misses although the data would fit",
     "Everything a launch moves would fit into L2, and most requests miss it. Reuse the data while it is "
     "there: "
     "shorten the distance between two uses, run producer and consumer back to back or fused, or reserve L2 "
     "for "
     "it with an access-policy window. Nsight Compute empties the caches before each launch unless it runs "
     "with "
     "--cache-control none, so first touches count as misses here even where the program would hit.",
     "L2 hit rate against the L2 size of the device", &l2_misses},
    {"local_memory", AdviceList::traffic, AdviceAxis::both, "Registers spill or arrays live in local memory",
     "Local memory is memory: spilled registers and arrays indexed at run time travel through L1, L2 and "
     "HBM. "
     "Look for spills with -Xptxas -v, loosen __launch_bounds__ or maxrregcount, unroll so that indices are "
     "constants, or keep the array in shared memory.",
     "Sectors of local memory; CUDA C++ Best Practices Guide, Local Memory", &local_memory},
    {"repeated_loads", AdviceList::traffic, AdviceAxis::right, "Blocks fetch the same bytes from L2 again",
     "L2 is the limit, and each byte that HBM delivers is asked of it several times. Larger tiles in shared "
     "memory or registers, thread-block clusters with multicast, or an order of blocks that keeps a tile in "
     "L1 "
     "cut what crosses L2.",
     "Bytes by level", &repeated_loads},
    {"more_bytes", AdviceList::traffic, AdviceAxis::right, "More bytes cross HBM than the operation needs",
     "What uncoalesced accesses and spills do not explain is loaded again by other blocks, because tiles are "
     "small or L2 loses them, or it is an intermediate result that travels through HBM. Use larger tiles, an "
     "order of blocks that shares them in L2, multicast, or fuse the kernels on both sides of the "
     "intermediate result.",
     "Horizontal gap: measured bytes against the model of the operation", &more_bytes},
}};

}  // namespace

std::span<const AdviceRule> traffic_rules() {
    return rules;
}

}  // namespace roofwalk
