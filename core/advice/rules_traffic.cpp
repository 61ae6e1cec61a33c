// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/advice/level_words.h"
#include "core/advice/rule.h"
#include "core/base/text.h"
#include "core/operations/op_model.h"
#include "core/roofline/gap.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr double sector_bytes = 32;
/// Less gain than this is none.
constexpr double worth_a_change = 1.01;

/// While the level that binds is itself far from its roof, its bytes are not what takes the time.
bool waits(const KernelPoint& point) {
    const KernelClass kernel_class = point.verdict.kernel_class;
    return kernel_class == KernelClass::latency_bound || kernel_class == KernelClass::low_use;
}

void explain_used_bytes(const AdviceFacts& facts, RuleOutcome& outcome) {
    outcome.explain(facts, AdviceMetric::load_bytes_per_sector);
    outcome.explain(facts, AdviceMetric::store_bytes_per_sector);
}

/// What the instructions used of each sector they asked for.
RuleOutcome by_used_bytes(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const bool loads =
        outcome.below(facts, AdviceMetric::load_bytes_per_sector, facts.limits.bytes_per_sector);
    const bool stores =
        outcome.below(facts, AdviceMetric::store_bytes_per_sector, facts.limits.bytes_per_sector);
    // No global access crosses shared memory.
    if ((loads || stores) && limiting_level(facts.point) != MemoryLevel::smem) {
        const double least = std::ranges::min(outcome.evidence, {}, &AdviceEvidence::value).value;
        outcome.worth = AdviceWorth{sector_bytes / least, loads && stores ? "fewer sectors for these accesses"
                                                          : loads         ? "fewer sectors for global loads"
                                                                  : "fewer sectors for global stores"};
    }
    return outcome;
}

/// The count of sectors against the least count decides where it is known: a word that every thread of a warp
/// reads, or one that a single thread writes, uses few bytes of its sector and is no fault.
RuleOutcome uncoalesced_access(const AdviceFacts& facts) {
    const Reading& over_ideal = facts.evidence.at(AdviceMetric::sectors_over_ideal);
    if (!over_ideal.measured) return by_used_bytes(facts);
    RuleOutcome outcome;
    const double limit = sector_bytes / std::max(facts.limits.bytes_per_sector, 1.0);
    if (outcome.at_least(facts, AdviceMetric::sectors_over_ideal, limit)) {
        explain_used_bytes(facts, outcome);
        const auto level = limiting_level(facts.point);
        if (!level || !facts.point.at(*level))
            outcome.worth = AdviceWorth{*over_ideal.value, "fewer sectors for global accesses"};
        else if (!(outcome.worth = fewer_bytes(facts.point, excessive_sectors_factor(facts))))
            outcome.detail = fmt::format(
                "{0} already moves no more than coalesced accesses would ask for, so this frees other levels, "
                "not {0}.",
                label_of(*level, facts.point.memory));
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
    if (!hbm || !facts.device.l2_size || fewer_hbm_bytes_gain_nothing(facts.point)) return outcome;
    const double touched = least_bytes(facts.point).value_or(per_launch(facts.point, hbm->bytes));
    if (touched <= 0 || touched > facts.device.l2_size->value()) return outcome;
    if (!outcome.below(facts, AdviceMetric::l2_hit_rate, facts.limits.l2_hit_rate)) return outcome;
    outcome.evidence.push_back(
        {"bytes that a launch touches", "least bytes of its operation, or {DRAM} bytes", touched, "B", {}});
    outcome.evidence.push_back(
        {"size of L2", "device__attribute_l2_cache_size", facts.device.l2_size->value(), "B", {}});
    return outcome;
}

RuleOutcome local_memory(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (outcome.at_least(facts, AdviceMetric::local_share, facts.limits.local_share)) {
        outcome.explain(facts, AdviceMetric::registers);
        outcome.worth =
            fewer_bytes(facts.point, local_sectors_factor(facts), ", without those of local memory");
    }
    return outcome;
}

RuleOutcome repeated_loads(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const auto& hbm = facts.point.at(MemoryLevel::hbm);
    const auto& l2 = facts.point.at(MemoryLevel::l2);
    const bool l2_binds = facts.point.binding && l2 && *facts.point.binding == CeilingTarget(l2->boundary);
    if (!l2_binds || waits(facts.point) || !hbm || hbm->bytes.value() <= 0) return outcome;
    // What is written crosses L2 all the same.
    const bool reads_known = facts.l2 && facts.hbm && facts.hbm->read.value() > 0;
    const double reuse = reads_known ? facts.l2->read / facts.hbm->read : l2->bytes / hbm->bytes;
    AdviceEvidence evidence =
        reads_known ? AdviceEvidence{"bytes read from L2 over those read from {DRAM}",
                                     "L2 bytes read / {DRAM} bytes read", reuse, "x", facts.limits.l2_reuse}
                    : AdviceEvidence{"bytes asked of L2 over bytes of {DRAM}", "L2 bytes / {DRAM} bytes",
                                     reuse, "x", facts.limits.l2_reuse};
    evidence.approximate = is_inexact(facts.point, MemoryLevel::hbm);
    if (outcome.at_least(evidence)) {
        const double worth =
            reads_known ? (facts.l2->read + facts.l2->write) / (facts.hbm->read + facts.l2->write) : reuse;
        outcome.worth = fewer_bytes(facts.point, worth / excessive_sectors_factor(facts),
                                    ", when each byte is fetched once");
        if (outcome.worth) outcome.worth->approximate |= evidence.approximate;
    }
    return outcome;
}

/// The ridge of the level that binds tells how much work a byte has to feed there.
RuleOutcome little_work_a_byte(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const KernelPoint& point = facts.point;
    const auto place = ridge_place(point);
    const Boundary* binding = point.binding ? std::get_if<Boundary>(&*point.binding) : nullptr;
    if (!place || !binding || place->level != level_of(*binding) || waits(point)) return outcome;
    if (!is_in_sm(place->level)) return outcome;
    const std::string_view level = label_of(place->level, facts.point.memory);
    if (!outcome.below(AdviceEvidence{fmt::format("work for each byte of {}, against its ridge", level),
                                      fmt::format("work / {} bytes", level), place->intensity.value(),
                                      "FLOP/byte", place->ridge.value(),
                                      has_inexact_intensity(point, place->level)}))
        return outcome;
    // What is surplus has rules of its own: this is about the bytes that are left.
    const double surplus = excessive_sectors_factor(facts) * bank_conflicts_factor(facts);
    const auto together = bound_with_operation(point);
    if (const auto next = together ? together : next_bound(point);
        next && next->times_shorter > surplus * worth_a_change)
        outcome.worth = AdviceWorth{
            next->times_shorter / surplus,
            fmt::format("fewer bytes across {}{}, until {} binds{}", together ? "every level" : level,
                        surplus > worth_a_change ? " beside the surplus" : "", next->name,
                        limit_of_fewer_bytes(point, next->times_shorter / surplus)),
            is_inexact(point, place->level)};
    return outcome;
}

constexpr double many_bits = 16;  ///< of a stored value: 8 or 4 often do

/// Numbers of 16 bits and more; what is narrower stays so until it is multiplied.
bool works_on_wide_numbers(Pipe pipe) {
    switch (pipe.kind) {
        case PipeKind::tensor_fp8:
        case PipeKind::tensor_fp6:
        case PipeKind::tensor_fp4:
        case PipeKind::tensor_int8:
        case PipeKind::tensor_int4:
        case PipeKind::tensor_int1:
            return false;
        default:
            return true;
    }
}

/// Of the narrowest operand, which is what most bytes of a kernel with several types are: weights, a cache.
/// Absent where nobody said how values are stored.
std::optional<double> stored_bits(const KernelPoint& point) {
    constexpr double bits_in_a_byte = 8;
    const std::vector<DataType> types = stated_types(point);
    if (types.empty()) return std::nullopt;
    double narrowest = bytes_of(types.front());
    for (const DataType type : types)
        narrowest = std::min(narrowest, bytes_of(type));
    return narrowest * bits_in_a_byte;
}

/// The share of the bytes that holds wide values: all where the operation says so; else, as no counter tells
/// the width of what is stored, that of the work stands for it. Absent where they are narrow, or nothing
/// tells.
std::optional<double> wide_share(const AdviceFacts& facts, RuleOutcome& outcome) {
    if (const auto bits = stored_bits(facts.point))
        return outcome.at_least(AdviceEvidence{"bits of a stored value", "types of its operation", *bits,
                                               "bits", many_bits})
                   ? std::optional(1.0)
                   : std::nullopt;
    Flops wide;
    Flops of_any_width;
    Flops all;
    for (const PipeLoad& load : facts.point.pipes) {
        if (counts_integers(load.pipe) && !is_tensor(load.pipe)) continue;  // addresses and loops
        all += load.work;
        if (load.pipe.kind == PipeKind::tensor_any)
            of_any_width += load.work;
        else if (works_on_wide_numbers(load.pipe))
            wide += load.work;
    }
    if (all.value() <= 0 || of_any_width > wide) return std::nullopt;
    const double share = wide / all;
    if (!outcome.at_least(AdviceEvidence{"work on numbers of 16 bits or more, for the width of stored values",
                                         "work by pipe", share, "share", facts.limits.wide_work}))
        return std::nullopt;
    outcome.detail =
        "The width of the stored values was not measured: the share of the work on wide numbers stands for "
        "their share of the bytes.";
    return share;
}

/// Where bytes of HBM are what takes the time, and are those that the operation needs, half the bits of a
/// value are half its bytes. Before that other bytes are to be saved, and without an operation nothing tells.
RuleOutcome wide_values(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const KernelPoint& point = facts.point;
    const auto& hbm = point.at(MemoryLevel::hbm);
    if (!hbm || point.binding != CeilingTarget(hbm->boundary) || waits(point)) return outcome;
    const bool needed = point.modelled || moves_needed_bytes_only(point).value_or(false);
    if (!needed) return outcome;
    const auto share = wide_share(facts, outcome);
    if (!share) return outcome;
    const PipeLoad* slowest = nullptr;
    for (const PipeLoad& load : point.pipes)
        if (load.bound && (!slowest || *load.bound > *slowest->bound)) slowest = &load;
    // The bytes of every level shrink alike: only a pipe can bind before.
    const double half_of_the_wide = 1 / (1 - *share / 2);
    outcome.worth = {half_of_the_wide, "fewer bytes across {DRAM}, with half the bits a wide value"};
    if (slowest && *slowest->bound * half_of_the_wide > *point.speed_of_light)
        outcome.worth = {*point.speed_of_light / *slowest->bound,
                         fmt::format("fewer bytes across {{DRAM}}, until {} binds", label_of(slowest->pipe))};
    outcome.worth->of += limit_of_fewer_bytes(point, outcome.worth->factor);
    return outcome;
}

/// With a batch a matrix times a vector is a GEMM, which runs where matrix products of its type do.
std::optional<Intensity> ridge_of_product(const GemmShape& shape, const KernelPoint& point) {
    if (!point.ceilings) return std::nullopt;
    const PipeWork product{matrix_pipe(product_type(shape.a, shape.b)), gemm_work(shape), true};
    const ComputeCeiling* compute = point.ceilings->find(pipe_on(product, *point.ceilings));
    const BandwidthCeiling* memory = point.ceilings->find(default_boundary(MemoryLevel::hbm));
    if (!compute || !memory) return std::nullopt;
    return compute->rate / memory->rate;
}

/// Weights are most of what a matrix product of few rows needs, and a larger batch shares each reading of
/// them.
RuleOutcome small_batch(const AdviceFacts& facts) {
    constexpr double most = 0.5;
    RuleOutcome outcome;
    const KernelPoint& point = facts.point;
    if (!point.target || point.target->operations != 1 || point.target->bound == 0 ||
        fewer_hbm_bytes_gain_nothing(point))
        return outcome;
    const OperationModel& model = *point.target->operation->model;
    const std::optional<GemmShape>& shape = model.batchable;
    if (!shape) return outcome;
    const auto ridge = ridge_of_product(*shape, point);
    const auto rows = ridge ? gemm_batch_to_ridge(*shape, *ridge) : std::nullopt;
    if (!rows || model.shared < model.compulsory() * most) return outcome;
    if (outcome.below(AdviceEvidence{"rows that share one reading of the weights, against those at the ridge",
                                     "m of its operation", shape->m, "rows", std::ceil(*rows)}))
        outcome.worth = AdviceWorth{*ridge / gemm_intensity(*shape),
                                    "fewer bytes for each row, with a batch that reaches the ridge"};
    return outcome;
}

RuleOutcome more_bytes(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const auto& target = facts.point.target;
    if (fewer_hbm_bytes_gain_nothing(facts.point) && (!target || !target->useful)) return outcome;
    if (!target || !target->byte_gap) {
        outcome.lacks(
            {target ? "the gap to its operation" : "the least bytes of its operation (none is bound)",
             "{DRAM} bytes / least bytes of the operation",
             {}});
        return outcome;
    }
    const bool inexact = is_inexact(facts.point, MemoryLevel::hbm);
    if (*target->byte_gap >= facts.limits.more_bytes && target->useful && *target->useful < worth_a_change &&
        limiting_level(facts.point) != MemoryLevel::hbm)
        return outcome;
    if (outcome.at_least(AdviceEvidence{"{DRAM} bytes over the least bytes of the operation",
                                        "{DRAM} bytes / least bytes of the operation", *target->byte_gap, "x",
                                        facts.limits.more_bytes, inexact}) &&
        target->useful && *target->useful > 1)
        outcome.worth =
            AdviceWorth{*target->useful, "higher roof at the intensity of the algorithm", inexact};
    return outcome;
}

constexpr std::array<AdviceRule, 8> traffic_rule_table{{
    {"small_batch", AdviceList::traffic, AdviceAxis::right, "Few inputs share the weights",
     "Weights are most of what this product needs, and each reading of them serves few rows. Give it more of them "
     "at a time: a larger batch, more sequences that are decoded together. The bytes of each row fall nearly by "
     "the batch until the ridge is reached; weights in fewer bits gain beside it.",
     "Shape of its operation; {DRAM} ridge of matrix products of its type", &small_batch},
    {"uncoalesced_access", AdviceList::traffic, AdviceAxis::right, "Global accesses are not coalesced",
     "The threads of a warp use only a part of each 32-byte sector they fetch. Let neighbouring threads "
     "touch neighbouring addresses: change the layout (structure of arrays), transpose through shared "
     "memory, align rows to 32 bytes. At worst a 4-byte access fetches 8 times the bytes it uses, a 2-byte "
     "one 16 times. {DRAM} traffic falls as far as L1 and L2 do not already catch the surplus.",
     "32-byte sectors; CUDA C++ Best Practices Guide, Coalesced Access to Global Memory",
     &uncoalesced_access},
    {"l2_misses", AdviceList::traffic, AdviceAxis::right, "L2 misses although the data would fit",
     "Everything a launch moves would fit into L2, and most requests miss it. Reuse the data while it is there. "
     "Shorten the distance between two uses, run producer and consumer back to back or fused, or reserve L2 with an "
     "access-policy window. Nsight Compute empties the caches before each launch unless its cache control is none. "
     "First touches then count as misses even where the program would hit.",
     "L2 hit rate against the L2 size of the device", &l2_misses},
    {"local_memory", AdviceList::traffic, AdviceAxis::both, "Registers spill or arrays live in local memory",
     "Local memory is memory: spilled registers and arrays indexed at run time travel through L1, L2 and {DRAM}. "
     "Look for spills with -Xptxas -v, loosen __launch_bounds__ or maxrregcount, unroll so that indices are "
     "constants, or keep the array in shared memory.",
     "Sectors of local memory; CUDA C++ Best Practices Guide, Local Memory", &local_memory},
    {"repeated_loads", AdviceList::traffic, AdviceAxis::right, "Blocks fetch the same bytes from L2 again",
     "L2 is the limit, and each byte that {DRAM} delivers is asked of it several times. Larger tiles in shared "
     "memory or registers cut what crosses L2. So do thread-block clusters with multicast, or an order of "
     "blocks that keeps a tile in L1.",
     "Bytes by level", &repeated_loads},
    {"little_work_a_byte", AdviceList::traffic, AdviceAxis::right, "Each byte near the SM feeds little work",
     "L1 or shared memory is the limit, and every byte read from it feeds few operations. Keep operands in "
     "registers. With a larger tile of results for each thread, or for each warp with tensor instructions, one read "
     "feeds more of them. Stage what a block shares in shared memory, and read it there in vectors.",
     "Intensity against the ridge of the level that binds", &little_work_a_byte},
    {"wide_values", AdviceList::traffic, AdviceAxis::right, "Values travel through {DRAM} in many bits",
     "{DRAM} is the limit, its bytes are those the operation needs, and values have 16 bits or more. Where the numbers allow it, store them in fewer and "
     "widen them on the way in. That is FP64 as FP32, FP32 as FP16 or BF16, 16 bits as FP8 or INT8. Weights and "
     "caches may take 4 bits, or be compressed. The arithmetic may stay as it is.",
     "Types of the operation, else work by pipe; {DRAM} is what binds, with no bytes to spare", &wide_values},
    {"more_bytes", AdviceList::traffic, AdviceAxis::right, "More bytes cross {DRAM} than the operation needs",
     "What uncoalesced accesses and spills do not explain is loaded again by other blocks: tiles are "
     "small, or L2 loses them. Or it is an intermediate result that travels through {DRAM}. Use larger tiles, an "
     "order of blocks that shares them in L2, multicast, or fuse the kernels on both sides of the "
     "intermediate result.",
     "Horizontal gap: measured bytes against the model of the operation", &more_bytes},
}};

}  // namespace

std::span<const AdviceRule> traffic_rules() {
    return traffic_rule_table;
}

}  // namespace roofwalk
