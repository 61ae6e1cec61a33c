// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/text.h"
#include "core/devices/chip.h"

namespace roofwalk {

namespace {

struct Operation {
    std::string_view name;     ///< as in "..._op_NAME_pred_on"
    double flops;              ///< of one thread instruction
    std::string_view opcode;   ///< without which it is 0
    std::string_view opcode2;  ///< form with an immediate operand
};

constexpr std::array<Operation, 3> fp64_operations{
    {{"dadd", 1, "DADD", "DADD"}, {"dmul", 1, "DMUL", "DMUL"}, {"dfma", 2, "DFMA", "DFMA"}}};
constexpr std::array<Operation, 3> fp32_operations{
    {{"fadd", 1, "FADD", "FADD32I"}, {"fmul", 1, "FMUL", "FMUL32I"}, {"ffma", 2, "FFMA", "FFMA32I"}}};
constexpr std::array<Operation, 3> fp16_operations{{{"hadd", 2, "HADD2", "HADD2_32I"},
                                                    {"hmul", 2, "HMUL2", "HMUL2_32I"},
                                                    {"hfma", 4, "HFMA2", "HFMA2_32I"}}};
/// Packed FP32 arithmetic of data-centre Blackwell: two operations a thread. Older chips do not have it.
constexpr std::array<Operation, 3> packed_fp32_operations{
    {{"fadd2", 2, "FADD2", "FADD2"}, {"fmul2", 2, "FMUL2", "FMUL2"}, {"ffma2", 4, "FFMA2", "FFMA2"}}};

std::optional<NcuAmount> counter_of(const NcuValues& values, const Operation& operation) {
    for (const std::string_view unit : {"smsp", "sm"}) {
        std::string counter(unit);
        counter.append("__sass_thread_inst_executed_op_").append(operation.name).append("_pred_on");
        if (auto found = values.total(counter); found && found->value >= 0) return found;
    }
    return std::nullopt;
}

bool never_ran(const NcuValues& values, const Operation& operation) {
    return values.never_ran(std::array{operation.opcode, operation.opcode2});
}

/// By its counter, else by the opcodes that it adds up: on every sample that has both they are equal. Of FP16
/// the opcode does not tell: compilers load constants with HFMA2.
std::optional<NcuAmount> counted(const NcuValues& values, const Operation& operation) {
    if (auto counter = counter_of(values, operation)) return counter;
    if (never_ran(values, operation) || operation.opcode.starts_with('H')) return std::nullopt;
    const auto threads = values.thread_opcode(operation.opcode);
    if (!threads) return std::nullopt;
    NcuAmount amount{*threads, fmt::format("{}[{}]", NcuValues::thread_opcodes, operation.opcode)};
    if (operation.opcode2 == operation.opcode) return amount;
    if (const auto more = values.thread_opcode(operation.opcode2); more && *more > 0) {
        amount.value += *more;
        amount.formula += fmt::format(" + {}[{}]", NcuValues::thread_opcodes, operation.opcode2);
    }
    return amount;
}

/// "(a + b + 2 * c) * clock * time" of "a * clock * time" and so on.
class SumFormula {
  public:
    void add(double factor, const std::string& term) {
        const auto name_end = std::min(term.find(" * "), term.size());
        const std::string weight = factor == 1 ? std::string() : fmt::format("{:g} * ", factor);
        names_.push_back(weight + term.substr(0, name_end));
        scales_.push_back(term.substr(name_end));
    }
    [[nodiscard]] std::string text() const {
        const bool common_scale =
            std::ranges::adjacent_find(scales_, std::ranges::not_equal_to()) == scales_.end();
        if (scales_.size() > 1 && common_scale && !scales_.front().empty())
            return fmt::format("({}){}", fmt::join(names_, " + "), scales_.front());
        std::string text;
        for (std::size_t i = 0; i < names_.size(); ++i)
            text += (i == 0 ? "" : " + ") + names_[i] + scales_[i];
        return text;
    }

  private:
    std::vector<std::string> names_;
    std::vector<std::string> scales_;
};

struct CountedWork {
    NcuWork work;
    bool collected = false;  ///< a counter exists; else opcodes prove that the work is 0
};

std::optional<CountedWork> work_of(const NcuValues& values, Pipe pipe, std::span<const Operation> operations,
                                   std::span<const Operation> newer_operations = {}) {
    CountedWork result{{pipe, Origin::measured, Flops(0), {}}};
    SumFormula formula;
    for (const Operation& operation : operations) {
        const auto count = counted(values, operation);
        if (!count && !never_ran(values, operation)) return std::nullopt;
        if (!count) continue;
        result.collected = true;
        result.work.work += Flops(operation.flops * count->value);
        formula.add(operation.flops, count->formula);
    }
    for (const Operation& operation : newer_operations)
        if (const auto count = counted(values, operation); count && count->value > 0) {
            result.work.work += Flops(operation.flops * count->value);
            formula.add(operation.flops, count->formula);
        }
    result.work.instrumented = result.collected;
    result.work.source = result.collected ? formula.text() : "no instruction of this pipe executed";
    return result;
}

double executed(const NcuValues& values, const Operation& operation) {
    const double plain = values.opcode(operation.opcode).value_or(0);
    return operation.opcode2 == operation.opcode ? plain
                                                 : plain + values.opcode(operation.opcode2).value_or(0);
}

double executed(const NcuValues& values, std::span<const Operation> operations) {
    double sum = 0;
    for (const Operation& operation : operations)
        sum += executed(values, operation);
    return sum;
}

/// Executed HADD2 and, of these, HADD2.F32: it turns FP16 into FP32 and is no arithmetic.
struct HalfAdditions {
    bool has_forms = false;  ///< opcodes were counted with their modifiers
    double all = 0;          ///< [warp instructions]
    double conversions = 0;
};

HalfAdditions executed_half_additions(const NcuValues& values) {
    HalfAdditions result;
    values.for_each_opcode_form([&](std::string_view form, double count) {
        result.has_forms = true;
        if (form.starts_with("HADD2")) result.all += count;
        if (form.starts_with("HADD2.F32")) result.conversions += count;
    });
    return result;
}

/// Of the FP16 additions that were counted, the share that converts. Where no modifier tells, additions that
/// are all FP16 work of a kernel that computes in FP32 are: of what it adds in FP16 it would multiply some.
double converting_share(const NcuValues& values, const NcuAmount& additions, Flops half, Flops single) {
    constexpr double counting_noise = 1e-6;
    const HalfAdditions executed = executed_half_additions(values);
    if (executed.has_forms) return executed.all > 0 ? executed.conversions / executed.all : 0;
    const double flops = fp16_operations.front().flops * additions.value;
    return single.value() > 0 && std::abs(half.value() - flops) <= counting_noise * half.value() ? 1 : 0;
}

/// The counter of FP16 additions takes conversions for them.
void leave_out_conversions(const NcuValues& values, Flops single, NcuWork& half) {
    const auto additions = counted(values, fp16_operations.front());
    if (!additions || additions->value <= 0) return;
    const double share = converting_share(values, *additions, half.work, single);
    if (share <= 0) return;
    const Flops converting(share * fp16_operations.front().flops * additions->value);
    half.source = fmt::format("{} less {} of additions: HADD2.F32 turns FP16 into FP32", half.source,
                              format(converting, "FLOP"));
    half.work = share < 1 ? half.work - converting : std::max(Flops(0), half.work - converting);
    if (share < 1) half.origin = Origin::estimated;
}

/// Whether a pipe was busy, by its share of the cycles; absent where the file has none. Constants that HFMA2
/// loads do not pass through the FP16 pipe: reports with opcode counts show 0 there.
std::optional<bool> pipe_was_busy(const NcuValues& values, std::initializer_list<std::string_view> pipes) {
    constexpr double noise_percent = 1;
    std::optional<bool> busy;
    for (const std::string_view pipe : pipes)
        for (const char* cycles : {"active", "elapsed"})
            if (const auto share =
                    values.value(fmt::format("sm__{}.avg.pct_of_peak_sustained_{}", pipe, cycles)))
                busy = busy.value_or(false) || *share > noise_percent;
    return busy;
}

std::optional<bool> half_pipe_was_busy(const NcuValues& values) {
    return pipe_was_busy(values, {"inst_executed_pipe_fp16", "inst_executed_pipe_fma_type_fp16"});
}

/// Whether FP64 was computed that nothing counted; absent where neither opcodes nor the share of the pipe
/// tell.
std::optional<bool> double_ran(const NcuValues& values) {
    if (values.opcode("DFMA"))
        return std::ranges::any_of(fp64_operations,
                                   [&](const Operation& operation) { return !never_ran(values, operation); });
    return pipe_was_busy(values, {"inst_executed_pipe_fp64", "pipe_fp64_cycles_active"});
}

/// The same of FP32, whose pipe may be busy with integers: it tells only that nothing ran.
std::optional<bool> single_ran(const NcuValues& values) {
    const auto busy = pipe_was_busy(values, {"inst_executed_pipe_fma", "pipe_fma_cycles_active"});
    return busy == false ? busy : std::nullopt;
}

/// FP16 instructions, where nothing but their opcodes was counted. HADD2 and HMUL2 compute; HFMA2 computes or
/// loads a constant.
bool half_is_uncounted(const NcuValues& values, Flops counted) {
    if (!values.opcode("HADD2")) return half_pipe_was_busy(values).value_or(false);
    constexpr double trace = 0.01;
    constexpr double threads_of_a_warp = 32;
    const auto& [add, multiply, fused] = fp16_operations;
    const double plain = std::max(0.0, executed(values, add) - executed_half_additions(values).conversions) +
                         executed(values, multiply);
    if (Flops(threads_of_a_warp * add.flops * plain) > counted * trace) return true;

    constexpr double least_share = 0.05;
    const double half = plain + executed(values, fused);
    const double all = values.value("sass__inst_executed_per_opcode").value_or(0);
    return Flops(threads_of_a_warp * fused.flops * half) > counted * trace && half > least_share * all &&
           half > executed(values, fp32_operations) + executed(values, fp64_operations);
}

/// Without one of these no FP16 value is made of another type, compared, added or handed to tensor cores.
constexpr std::array<std::string_view, 11> half_opcodes{
    "HADD2", "HADD2_32I", "HMUL2", "HMUL2_32I", "HMNMX2", "HSET2", "HSETP2", "F2F", "F2FP", "HMMA", "HGMMA"};

/// Compilers write a constant to a register with an HFMA2 that multiplies by zero, and the counters call that
/// FP16 work. A kernel that computes in FP32 or FP64 and runs no other FP16 instruction does nothing else
/// with it.
bool half_loads_constants(const NcuValues& values, Flops half, Flops single_and_double) {
    return half.value() > 0 && half < single_and_double && values.never_ran(half_opcodes);
}

/// NVIDIA's list of integer instructions from Volta to Blackwell ("Instruction Set Reference" of the CUDA
/// binary utilities), without IMMA of the tensor cores; those of the uniform datapath stand in another.
constexpr std::array<std::string_view, 31> integer_opcodes{
    "BMSK",     "BREV",      "FLO",    "IABS",   "IADD",      "IADD3",  "IADD32I",   "IDP",
    "IDP4A",    "IMAD",      "IMNMX",  "IMUL",   "IMUL32I",   "ISCADD", "ISCADD32I", "ISETP",
    "LEA",      "LOP",       "LOP3",   "LOP32I", "POPC",      "SHF",    "SHL",       "SHR",
    "VABSDIFF", "VABSDIFF4", "VHMNMX", "VIADD",  "VIADDMNMX", "VIMNMX", "VIMNMX3"};

/// Integer instructions of threads, each one operation. Compilers copy registers with IMAD.MOV, which is no
/// arithmetic: without modifiers it cannot be told from the others.
std::optional<NcuWork> integer_work_of_opcodes(const NcuValues& values) {
    const std::string forms = std::string(NcuValues::thread_opcodes) + "_with_modifier_all";
    const auto is_integer = [](std::string_view form) {
        return std::ranges::find(integer_opcodes, form.substr(0, form.find('.'))) != integer_opcodes.end();
    };
    if (!values.thread_opcode("IMAD")) return std::nullopt;
    double sum = 0;
    bool with_modifiers = false;
    values.metrics().for_each_instance(forms, [&](std::string_view form, double threads) {
        with_modifiers = true;
        if (is_integer(form) && !form.starts_with("IMAD.MOV")) sum += threads;
    });
    constexpr Pipe pipe{PipeKind::int32};
    if (with_modifiers)
        return NcuWork{pipe, Origin::measured, Flops(sum),
                       "integer instructions of " + forms + ", without IMAD.MOV", true};
    for (const std::string_view opcode : integer_opcodes)
        sum += *values.thread_opcode(opcode);
    return NcuWork{pipe, *values.thread_opcode("IMAD") > 0 ? Origin::estimated : Origin::measured, Flops(sum),
                   fmt::format("integer instructions of {}; an IMAD may only copy a register",
                               NcuValues::thread_opcodes),
                   true};
}

std::optional<NcuWork> integer_work(const NcuValues& values) {
    for (const std::string_view counter : {"smsp__sass_thread_inst_executed_op_integer_pred_on",
                                           "sm__sass_thread_inst_executed_op_integer_pred_on"})
        if (const auto integer = values.total(counter))
            return NcuWork{
                {PipeKind::int32}, Origin::measured, Flops(integer->value), integer->formula, true};
    return integer_work_of_opcodes(values);
}

}  // namespace

std::vector<NcuWork> vector_pipe_work(const NcuValues& values) {
    std::array pipes{work_of(values, {PipeKind::fp64}, fp64_operations),
                     work_of(values, {PipeKind::fp32}, fp32_operations, packed_fp32_operations),
                     work_of(values, {PipeKind::fp16}, fp16_operations)};
    auto& [double_precision, single, half] = pipes;
    if (double_precision && single && half &&
        half_loads_constants(values, half->work.work, double_precision->work.work + single->work.work)) {
        half->work.source =
            fmt::format("0, not {} = {}: HFMA2 loads constants where no other FP16 instruction runs",
                        half->work.source, format(half->work.work, "FLOP"));
        half->work.work = Flops(0);
    }
    if (single && half) leave_out_conversions(values, single->work.work, half->work);
    // Without any counter, zeros of some pipes would hide that the others are unknown.
    const bool trustworthy =
        std::ranges::any_of(pipes, [](const auto& pipe) { return pipe && pipe->collected; }) ||
        std::ranges::all_of(pipes, [](const auto& pipe) { return pipe.has_value(); });
    std::vector<NcuWork> work;
    if (trustworthy)
        for (const auto& pipe : pipes)
            if (pipe) work.push_back(pipe->work);
    if (auto integer = integer_work(values)) work.push_back(*std::move(integer));
    return work;
}

std::optional<double> half_additions(const NcuValues& values) {
    const auto count = counter_of(values, fp16_operations.front());
    const HalfAdditions executed = executed_half_additions(values);
    if (!count || (executed.has_forms && executed.conversions <= 0)) return std::nullopt;
    return count->value;
}

UncountedWork uncounted_vector_work(const NcuValues& values, std::span<const WorkSample> work) {
    Flops total;
    for (const WorkSample& sample : work)
        if (!counts_integers(sample.pipe)) total += sample.work;
    const auto known = [&](PipeKind kind) {
        return std::ranges::any_of(work, [&](const WorkSample& sample) { return sample.pipe == Pipe{kind}; });
    };
    const auto may_have_run = [&](const Operation& operation) {
        return !counted(values, operation) && !never_ran(values, operation);
    };
    const auto is_partly_counted = [&](std::span<const Operation> operations) {
        return std::ranges::any_of(operations, may_have_run) &&
               std::ranges::any_of(operations, [&](const Operation& operation) {
                   return counted(values, operation).has_value();
               });
    };
    // What other pipes did is not the whole then; nor are their zeros where this one was not looked at.
    const auto is_missing = [&](PipeKind kind, std::span<const Operation> operations,
                                const std::optional<bool>& ran) {
        return !work.empty() && !known(kind) &&
               (is_partly_counted(operations) || ran.value_or(total.value() == 0));
    };
    UncountedWork uncounted;
    uncounted.fp32 = is_missing(PipeKind::fp32, fp32_operations, single_ran(values));
    uncounted.fp64 = is_missing(PipeKind::fp64, fp64_operations, double_ran(values));
    uncounted.packed_fp32 = has_packed_fp32(values.device().compute_capability) && known(PipeKind::fp32) &&
                            std::ranges::any_of(packed_fp32_operations, may_have_run);
    uncounted.fp16 = !work.empty() && !known(PipeKind::fp16) &&
                     (is_partly_counted(fp16_operations) || half_is_uncounted(values, total));
    return uncounted;
}

UncountedWork unchecked_work(const NcuValues& values, const Launch& launch, bool tensor) {
    if (std::ranges::all_of(launch.work,
                            [](const WorkSample& sample) { return counts_integers(sample.pipe); }))
        return {};
    const auto is_told = [&](PipeKind kind, bool uncounted) { return uncounted || launch.find(Pipe{kind}); };
    UncountedWork unchecked{.tensor = tensor};
    unchecked.fp32 = !is_told(PipeKind::fp32, launch.uncounted.fp32) && !single_ran(values).has_value() &&
                     !values.opcode("FFMA").has_value();
    unchecked.fp64 = !is_told(PipeKind::fp64, launch.uncounted.fp64) && !double_ran(values).has_value();
    unchecked.fp16 = !is_told(PipeKind::fp16, launch.uncounted.fp16) &&
                     !half_pipe_was_busy(values).has_value() && !values.opcode("HADD2").has_value();
    return unchecked;
}

}  // namespace roofwalk
