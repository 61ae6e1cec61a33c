// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "core/advice/faster_pipe.h"
#include "core/advice/rule.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// What tensor pipes did of the work, INT32 left out.
double tensor_share(const KernelPoint& point) {
    Flops tensor;
    Flops all;
    for (const PipeLoad& load : point.pipes) {
        if (load.pipe.kind == PipeKind::int32) continue;
        all += load.work;
        if (is_tensor(load.pipe)) tensor += load.work;
    }
    return all.value() > 0 ? tensor / all : 0;
}

std::optional<double> tensor_bound_share(const KernelPoint& point) {
    const auto time = point.known_time();
    if (!time || time->value() <= 0) return std::nullopt;
    std::optional<double> share;
    for (const PipeLoad& load : point.pipes)
        if (is_tensor(load.pipe) && load.bound) share = share.value_or(0) + *load.bound / *time;
    return share;
}

RuleOutcome tensor_pipe_idle(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (tensor_share(facts.point) <= negligible_work_share) return outcome;
    const auto share = tensor_bound_share(facts.point);
    if (facts.evidence.at(AdviceMetric::tensor_use).measured || !share)
        outcome.below(facts, AdviceMetric::tensor_use, facts.limits.tensor_use);
    else
        outcome.below(AdviceEvidence{"tensor work over what the pipe could do in the time",
                                     "tensor work / tensor ceiling / time", *share, "share",
                                     facts.limits.tensor_use});
    return outcome;
}

RuleOutcome no_tensor_cores(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const KernelPoint& point = facts.point;
    const ComputeCeiling* tensor = faster_tensor_pipe(point);
    if (!tensor || point.uncounted.any()) return outcome;
    const Pipe vector = std::get<Pipe>(*point.binding);
    if (outcome.below(AdviceEvidence{"share of the work on tensor cores", "tensor work / work",
                                     tensor_share(point), "share", negligible_work_share}))
        outcome.worth =
            AdviceWorth{tensor->rate / point.ceilings->find(vector)->rate,
                        "higher ceiling: " + label_of(tensor->pipe) + " over " + label_of(vector)};
    return outcome;
}

RuleOutcome other_pipe_busy(const AdviceFacts& facts) {
    RuleOutcome outcome;
    for (const AdviceMetric use : {AdviceMetric::alu_use, AdviceMetric::xu_use, AdviceMetric::lsu_use})
        outcome.at_least(facts, use, facts.limits.pipe_busy);
    return outcome;
}

RuleOutcome bank_conflicts(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (outcome.at_least(facts, AdviceMetric::wavefronts_over_ideal, facts.limits.bank_conflicts))
        outcome.worth = limiting_level(facts.point) == MemoryLevel::l1
                            ? fewer_bytes(facts.point, bank_conflicts_factor(facts))
                            : AdviceWorth{*facts.evidence.at(AdviceMetric::wavefronts_over_ideal).value,
                                          "fewer bytes across SMEM, when no access conflicts"};
    return outcome;
}

RuleOutcome divergence(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (facts.threads_of_block > 0 && facts.threads_of_block < threads_of_warp) return outcome;
    if (outcome.below(facts, AdviceMetric::active_threads, facts.limits.active_threads))
        outcome.worth = AdviceWorth{32 / *facts.evidence.at(AdviceMetric::active_threads).value,
                                    "fewer instructions, at most"};
    return outcome;
}

RuleOutcome dependency_chains(const AdviceFacts& facts) {
    RuleOutcome outcome;
    outcome.waits(facts, {AdviceMetric::wait});
    return outcome;
}

RuleOutcome shared_memory_waits(const AdviceFacts& facts) {
    RuleOutcome outcome;
    outcome.waits(facts, {AdviceMetric::short_scoreboard, AdviceMetric::mio_throttle});
    return outcome;
}

constexpr std::string_view stall_reasons = "Nsight Compute Profiling Guide, Warp Stall Reasons";

constexpr std::array<AdviceRule, 7> compute_rule_table{{
    {"tensor_pipe_idle", AdviceList::compute, AdviceAxis::up, "The tensor pipe idles",
     "The kernel uses tensor cores, but not all the time. Keep more matrix instructions under way: "
     "asynchronous ones (wgmma, tcgen05) where the chip has them, more stages of operands in shared memory, "
     "larger warp "
     "tiles. "
     "Small or unaligned shapes and a long epilogue leave it idle too.",
     "Busy time of the tensor pipe", &tensor_pipe_idle},
    {"no_tensor_cores", AdviceList::compute, AdviceAxis::up, "Tensor cores are not used",
     "The work runs on a vector pipe of a GPU whose tensor cores are faster. They help where the work is matrix "
     "products with sizes that are multiples of 8 or 16. Their precision must do: FP32 numbers go in as TF32, with "
     "10 bits of mantissa.",
     "Ceilings of both pipes on this device", &no_tensor_cores},
    {"other_pipe_busy", AdviceList::compute, AdviceAxis::up, "Instructions that are not FLOP fill a pipe",
     "Integer and address arithmetic, conversions, special functions or loads and stores keep a pipe busy "
     "that the FLOP roof does not know. Move index arithmetic out of the loop, convert once, use cheaper "
     "functions, "
     "or load more bytes with each instruction.",
     "Busy time of the pipes ALU, XU and LSU", &other_pipe_busy},
    {"bank_conflicts", AdviceList::compute, AdviceAxis::both,
     "Shared-memory accesses conflict in their banks",
     "Threads of a warp ask for different words of the same bank, so that one access takes several turns. "
     "Pad the "
     "rows, swizzle the addresses, or use ldmatrix for tensor operands.",
     "CUDA C++ Best Practices Guide, Shared Memory and Memory Banks", &bank_conflicts},
    {"divergence", AdviceList::compute, AdviceAxis::up, "Threads of a warp diverge",
     "An instruction runs for a part of its 32 threads only. Let the threads of a warp take the same path. Sort or "
     "group the work, give a warp one item, replace short branches by predicated arithmetic.",
     "CUDA C++ Best Practices Guide, Branching and Divergence", &divergence},
    {"dependency_chains", AdviceList::compute, AdviceAxis::up, "Each instruction waits for the one before",
     "Warps wait for results of fixed latency: the instruction stream has little parallelism. Several "
     "independent accumulators or outputs for each thread, and unrolled loops, give the scheduler a choice.",
     stall_reasons, &dependency_chains},
    {"shared_memory_waits", AdviceList::compute, AdviceAxis::up,
     "Warps wait for shared memory or special functions",
     "The unit that serves shared memory, special functions and some others answers late or its queue is "
     "full. "
     "Load wider (128-bit) from shared memory, and keep more operands in registers.",
     stall_reasons, &shared_memory_waits},
}};

}  // namespace

std::span<const AdviceRule> compute_rules() {
    return compute_rule_table;
}

}  // namespace roofwalk
