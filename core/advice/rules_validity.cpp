// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/advice/rule.h"
#include "core/base/text.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

constexpr std::string_view counted = "work of each pipe";

RuleOutcome contradicting_counters(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (facts.contradictions.empty()) return outcome;
    outcome.state({"contradictions among the counters",
                   "warnings of the report",
                   static_cast<double>(facts.contradictions.size()),
                   "contradictions",
                   {}});
    const Error& first = *facts.contradictions.front();
    outcome.detail = first.what + ".";
    if (!first.hint.empty()) outcome.detail += " " + first.hint;
    return outcome;
}

/// Every access of the SMs to global memory, but loads that L1 holds already, asks L2 for sectors. One that
/// computes takes longer than its launch.
RuleOutcome no_global_access(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const Reading& loads = facts.evidence.at(AdviceMetric::load_sectors_per_request);
    const LevelPoint* l2 = facts.point.measured_level(MemoryLevel::l2);
    const bool none = facts.point.verdict.launch_binds && loads.measured && !loads.value && l2 &&
                      l2->boundary == Boundary::l2_sm_sectors && l2->bytes.value() <= 0;
    if (!none) return outcome;
    outcome.state(
        {"global load requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0, "requests", {}});
    outcome.state({"bytes that the SMs ask of L2", "lts__t_sectors_srcunit_tex.sum * 32", 0, "B", {}});
    return outcome;
}

RuleOutcome less_than_one_wave(const AdviceFacts& facts) {
    RuleOutcome outcome;
    // One block on each SM may be all that a kernel needs.
    if (facts.point.verdict.kernel_class != KernelClass::near_roof)
        outcome.below(facts, AdviceMetric::waves, facts.limits.waves);
    return outcome;
}

RuleOutcome short_launch(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const KernelPoint& point = facts.point;
    const std::uint32_t measured = point.known_launches();
    const auto time = point.known_time();
    if (!time || measured == 0) return outcome;
    outcome.below(AdviceEvidence{"time of a launch", "gpu__time_duration.sum", time->value() / measured, "s",
                                 facts.limits.shortest_time, point.time_doubted});
    return outcome;
}

RuleOutcome l2_resident(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const auto& hbm = facts.point.at(MemoryLevel::hbm);
    const auto& l2 = facts.point.at(MemoryLevel::l2);
    if (!hbm || !l2 || l2->bytes.value() <= 0 || !facts.device.l2_size) return outcome;
    const double touched = per_launch(facts.point, hbm->bytes);
    const bool inexact = is_inexact(facts.point, MemoryLevel::hbm);
    if (touched > facts.device.l2_size->value()) return outcome;  // reuse, not residence
    if (!outcome.below(AdviceEvidence{"{DRAM} bytes over L2 bytes", "{DRAM} bytes / L2 bytes",
                                      hbm->bytes / l2->bytes, "share", facts.limits.l2_resident, inexact}))
        return outcome;
    outcome.state({"{DRAM} bytes of a launch", "{DRAM} bytes / launches", touched, "B", {}, inexact});
    outcome.state({"size of L2", "device__attribute_l2_cache_size", facts.device.l2_size->value(), "B", {}});
    const auto& binding = facts.point.binding;
    if (binding == CeilingTarget(l2->boundary))
        outcome.detail = "The L2 roof is the one to read.";
    else if (binding && *binding != CeilingTarget(hbm->boundary))
        outcome.detail = fmt::format("What binds is {}.", label_of(*binding, facts.point.memory));
    return outcome;
}

/// Asynchronous copies weigh more in the counter of the source than in that of the hardware. Counters that
/// were mixed are told by contradicting_counters, and need no such reason.
RuleOutcome shared_beyond_l1(const AdviceFacts& facts) {
    constexpr double counting_noise = 1.01;
    RuleOutcome outcome;
    const auto& l1 = facts.point.at(MemoryLevel::l1);
    const auto& smem = facts.point.at(MemoryLevel::smem);
    const bool compared = l1 && smem && l1->boundary == Boundary::l1_unified &&
                          smem->boundary == Boundary::smem_wavefronts && l1->bytes.value() > 0;
    if (!facts.contradictions.empty() || !compared || smem->bytes / l1->bytes < counting_noise)
        return outcome;
    outcome.at_least(AdviceEvidence{"SMEM bytes over L1 bytes", "smem/wavefronts / l1/unified",
                                    smem->bytes / l1->bytes, "x", counting_noise});
    return outcome;
}

struct HalfWork {
    Flops half;  ///< of the FP16 pipe
    Flops all;   ///< of every pipe that counts FLOP
};

HalfWork half_work(const AdviceFacts& facts) {
    HalfWork work;
    for (const PipeLoad& load : facts.point.pipes) {
        if (counts_integers(load.pipe)) continue;
        work.all += load.work;
        if (load.pipe.kind == PipeKind::fp16) work.half += load.work;
    }
    return work;
}

/// If every HADD2 that was counted were an addition of two pairs.
Flops work_of_additions(const AdviceFacts& facts) {
    constexpr double flop_of_an_hadd2 = 2;
    return Flops(flop_of_an_hadd2 * facts.evidence.at(AdviceMetric::half_additions).value.value_or(0));
}

/// Whether FP16 additions beside FP32 work were left out of it: HADD2.F32, which turns what is stored as FP16
/// into FP32 and is no arithmetic, counts as one.
bool may_be_conversions(const AdviceFacts& facts) {
    constexpr double counting_noise = 1e-6;
    Flops half;
    Flops single;
    for (const PipeLoad& load : facts.point.pipes) {
        if (load.pipe.kind == PipeKind::fp16) half += load.work;
        if (load.pipe.kind == PipeKind::fp32) single += load.work;
    }
    return single.value() > 0 && half < work_of_additions(facts) * (1 - counting_noise);
}

RuleOutcome half_conversions(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (!may_be_conversions(facts)) return outcome;
    const auto [half, all] = half_work(facts);
    const Flops left_out = work_of_additions(facts) - half;
    outcome.explain(facts, AdviceMetric::half_additions);
    outcome.state({"FP16 additions beside the work", std::string(counted), left_out / all, "share", {}});
    outcome.detail = fmt::format("If they add, work, performance and intensity are up to {} what is shown.",
                                 format_factor((all + left_out) / all));
    return outcome;
}

RuleOutcome mixed_precision(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (may_be_conversions(facts)) return outcome;
    std::vector<const PipeLoad*> loads;
    Flops all;
    for (const PipeLoad& load : facts.point.pipes)
        if (!counts_integers(load.pipe) && load.work.value() > 0) {
            loads.push_back(&load);
            all += load.work;
        }
    if (loads.size() < 2) return outcome;
    std::ranges::sort(loads, std::ranges::greater(), &PipeLoad::work);
    if (outcome.at_least(AdviceEvidence{"share of the work on the second pipe", std::string(counted),
                                        loads[1]->work / all, "share", facts.limits.mixed_work}))
        outcome.detail =
            fmt::format("Here they are {} and {}.", label_of(loads[0]->pipe), label_of(loads[1]->pipe));
    return outcome;
}

/// An HFMA2 is two FMAs. One or none for each thread is what a constant takes.
RuleOutcome half_constants(const AdviceFacts& facts) {
    constexpr double flop_of_an_hfma2 = 4;
    RuleOutcome outcome;
    const auto [half, all] = half_work(facts);
    const bool a_part = half.value() > 0 && half < all && !may_be_conversions(facts);
    if (!a_part || facts.threads <= 0 || half.value() > flop_of_an_hfma2 * facts.threads) return outcome;
    outcome.state({"FLOP of each thread on the FP16 pipe",
                   std::string(counted),
                   half.value() / facts.threads,
                   "FLOP",
                   {}});
    outcome.detail = fmt::format("Here FP16 is {} of the work.", format_percent(half / all));
    return outcome;
}

RuleOutcome masked_work(const AdviceFacts& facts) {
    RuleOutcome outcome;
    const Reading& active = facts.evidence.at(AdviceMetric::active_threads);
    const Reading& on = facts.evidence.at(AdviceMetric::predicated_threads);
    if (!active.measured) outcome.lacks(AdviceMetric::active_threads);
    if (!on.measured) outcome.lacks(AdviceMetric::predicated_threads);
    if (!active.value || !on.value || *active.value <= 0) return outcome;
    outcome.below(AdviceEvidence{
        "active threads that are not predicated off",
        counters_text(AdviceMetric::predicated_threads) + " / " + counters_text(AdviceMetric::active_threads),
        *on.value / *active.value, "share", facts.limits.predicated});
    return outcome;
}

RuleOutcome integer_work_only(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (!facts.point.mostly_integer) return outcome;
    Flops operations;
    for (const PipeLoad& load : facts.point.pipes)
        if (counts_integers(load.pipe)) operations += load.work;
    outcome.state({"integer operations", std::string(counted), operations.value(), "OP", {}});
    return outcome;
}

RuleOutcome not_exact(const AdviceFacts& facts) {
    const std::vector<std::string> figures = inexact_figures(facts.point);
    RuleOutcome outcome;
    if (figures.empty()) return outcome;
    outcome.state({"figures that are no exact counts",
                   "origin of each figure",
                   static_cast<double>(figures.size()),
                   "figures",
                   {}});
    outcome.detail = fmt::format("Here: {}.", fmt::join(figures, ", "));
    return outcome;
}

RuleOutcome several_kernels(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (facts.wholes > 0)
        outcome.state({"launches measured as a whole",
                       "kind of the launch",
                       static_cast<double>(facts.wholes),
                       "launches",
                       {}});
    return outcome;
}

RuleOutcome failed_launches(const AdviceFacts& facts) {
    RuleOutcome outcome;
    if (facts.point.failed == 0) return outcome;
    outcome.state({"launches that the profiler could not measure",
                   "failed results",
                   static_cast<double>(facts.point.failed),
                   "launches",
                   {}});
    return outcome;
}

constexpr std::array<AdviceRule, 14> validity_rule_table{{
    {"contradicting_counters", AdviceList::validity, AdviceAxis::none, "The counters contradict each other",
     "Not all figures of this kernel can be true, so what is said of it may be wrong.",
     "Checks of the reader", &contradicting_counters},
    {"no_global_access", AdviceList::validity, AdviceAxis::none,
     "Its threads neither load nor store in global memory",
     "No tuning helps a kernel that does nothing. Its grid may be empty of work, or a guard may turn every thread away.",
     "Requests of global loads, bytes of L2", &no_global_access},
    {"less_than_one_wave", AdviceList::validity, AdviceAxis::up, "The grid does not fill the GPU",
     "There are fewer blocks than the SMs can hold at once. Some SMs, or room on each of them, stay empty, while the "
     "roofs are those of the whole GPU. Split the work over more blocks, batch launches, or let kernels run side by "
     "side.",
     "Waves of blocks over all SMs", &less_than_one_wave, true},
    {"short_launch", AdviceList::validity, AdviceAxis::none, "The launch is very short",
     "Start-up, drain and the timer itself weigh in a time this short: read the gap with care. Fuse it with "
     "its neighbours, or launch it from a CUDA graph.",
     "Launch overhead is a few microseconds", &short_launch, true},
    {"l2_resident", AdviceList::validity, AdviceAxis::none, "The data lives in L2",
     "Nearly nothing crosses {DRAM} compared with L2, and what does would fit there: the {DRAM} roof says little "
     "about this kernel.",
     "Bytes by level, size of L2", &l2_resident},
    {"shared_beyond_l1", AdviceList::validity, AdviceAxis::none,
     "SMEM counts more than L1, which includes it",
     "L1 is counted by the hardware, SMEM by the instructions that touch it. There a copy "
     "from global to shared memory (cp.async) weighs several wavefronts. The truth is not above the figure of L1.",
     "Wavefronts of both counters", &shared_beyond_l1},
    {"mixed_precision", AdviceList::validity, AdviceAxis::none, "Two pipes share the work",
     "The compute ceiling is that of the mix, not of one pipe, and the intensity adds FLOP of different "
     "width.",
     "Work by pipe", &mixed_precision},
    {"half_constants", AdviceList::validity, AdviceAxis::none, "The FP16 work may be constants",
     "Compilers load constants with HFMA2 instructions that multiply by zero, and the counters take them for "
     "FP16 work. So little of it for each thread may be nothing else.",
     "Work by pipe, threads of the launch", &half_constants},
    {"half_conversions", AdviceList::validity, AdviceAxis::none, "FP16 additions were taken for conversions",
     "The counters take HADD2.F32, which turns a stored FP16 value into FP32, for two additions. These are left "
     "out of the work, because the opcodes tell that they convert, or because nothing else of FP16 was counted "
     "beside FP32 work. sass__inst_executed_per_opcode_with_modifier_all tells HADD2.F32 from HADD2: the set "
     "full of ncu collects it.",
     "FP16 additions against the FP16 work", &half_conversions},
    {"masked_work", AdviceList::validity, AdviceAxis::none, "Much of the work is masked",
     "Instructions run with threads predicated off. FLOP are counted for the threads that are on, the time "
     "is paid for all of them. Tensor instructions count whole tiles, masked or not.",
     "Predicated-on against active threads", &masked_work},
    {"integer_work", AdviceList::validity, AdviceAxis::none, "The work is integer operations",
     "FLOP say little about this kernel: count its integer operations instead (--operations all, Chart > "
     "Operations in the window).",
     "Work by pipe", &integer_work_only},
    {"not_exact", AdviceList::validity, AdviceAxis::none, "Some figures are not exact counts",
     "What is estimated or modelled may be off; so may the position of the kernel.", "Origin of each figure",
     &not_exact},
    {"several_kernels", AdviceList::validity, AdviceAxis::none, "Several kernels were measured as one",
     "Time and counters are those of a whole CUDA graph or range. What it takes to start its kernels is in them, and "
     "what is idle between. Profile the kernels one by one to see which of them to look at.",
     "Kind of the launch", &several_kernels},
    {"failed_launches", AdviceList::validity, AdviceAxis::none, "Some launches were not measured",
     "They are left out of every sum and of everything said here.", "Reports of the profiler",
     &failed_launches},
}};

}  // namespace

std::span<const AdviceRule> validity_rules() {
    return validity_rule_table;
}

}  // namespace roofwalk
