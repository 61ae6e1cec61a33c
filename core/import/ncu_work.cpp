// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu_work.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "core/text.h"

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

std::optional<NcuAmount> thread_instructions(const NcuValues& values, const Operation& operation) {
    for (const std::string_view unit : {"smsp", "sm"}) {
        std::string counter(unit);
        counter.append("__sass_thread_inst_executed_op_").append(operation.name).append("_pred_on");
        if (auto found = values.total(counter)) return found;
    }
    if (values.never_ran(std::array{operation.opcode, operation.opcode2}))
        return NcuAmount{0, std::string("no ").append(operation.opcode).append(" executed")};
    return std::nullopt;
}

void add_term(std::string& formula, double factor, const std::string& term) {
    if (!formula.empty()) formula += " + ";
    if (factor != 1) formula += format_number(factor) + " * ";
    formula += term;
}

std::optional<NcuWork> work_of(const NcuValues& values, Pipe pipe, std::span<const Operation> operations) {
    NcuWork result{pipe, Origin::measured, Flops(0), {}};
    for (const Operation& operation : operations) {
        const auto count = thread_instructions(values, operation);
        if (!count) return std::nullopt;
        result.work += Flops(operation.flops * count->value);
        add_term(result.source, operation.flops, count->formula);
    }
    return result;
}

void add_packed(const NcuValues& values, NcuWork& fp32) {
    for (const Operation& operation : packed_fp32_operations) {
        const auto count = thread_instructions(values, operation);
        if (!count || count->value == 0) continue;
        fp32.work += Flops(operation.flops * count->value);
        add_term(fp32.source, operation.flops, count->formula);
    }
}

double opcodes_of(const NcuValues& values, std::span<const Operation> operations) {
    double sum = 0;
    for (const Operation& operation : operations)
        sum += values.opcode(operation.opcode).value_or(0);
    return sum;
}

}  // namespace

std::vector<NcuWork> vector_pipe_work(const NcuValues& values) {
    std::vector<NcuWork> work;
    if (auto fp64 = work_of(values, {PipeKind::fp64}, fp64_operations)) work.push_back(std::move(*fp64));
    if (auto fp32 = work_of(values, {PipeKind::fp32}, fp32_operations)) {
        add_packed(values, *fp32);
        work.push_back(std::move(*fp32));
    }
    if (auto fp16 = work_of(values, {PipeKind::fp16}, fp16_operations)) work.push_back(std::move(*fp16));
    for (const std::string_view counter : {"smsp__sass_thread_inst_executed_op_integer_pred_on",
                                           "sm__sass_thread_inst_executed_op_integer_pred_on"})
        if (const auto integer = values.total(counter)) {
            work.push_back({{PipeKind::int32}, Origin::measured, Flops(integer->value), integer->formula});
            break;
        }
    return work;
}

bool half_work_is_unknown(const NcuValues& values, const std::vector<NcuWork>& work) {
    if (std::ranges::any_of(work, [](const NcuWork& entry) { return entry.pipe.kind == PipeKind::fp16; }))
        return false;
    const double half = opcodes_of(values, fp16_operations);
    return half > 0 && half > opcodes_of(values, fp32_operations) + opcodes_of(values, fp64_operations);
}

}  // namespace roofwalk
