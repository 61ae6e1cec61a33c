// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

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

std::optional<NcuAmount> counted(const NcuValues& values, const Operation& operation) {
    for (const std::string_view unit : {"smsp", "sm"}) {
        std::string counter(unit);
        counter.append("__sass_thread_inst_executed_op_").append(operation.name).append("_pred_on");
        if (auto found = values.total(counter)) return found;
    }
    return std::nullopt;
}

bool never_ran(const NcuValues& values, const Operation& operation) {
    return values.never_ran(std::array{operation.opcode, operation.opcode2});
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

struct PipeWork {
    NcuWork work;
    bool collected = false;  ///< a counter exists; else opcodes prove that the work is 0
};

std::optional<PipeWork> work_of(const NcuValues& values, Pipe pipe, std::span<const Operation> operations,
                                std::span<const Operation> newer_operations = {}) {
    PipeWork result{{pipe, Origin::measured, Flops(0), {}}};
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
    result.work.source = result.collected ? formula.text() : "no instruction of this pipe executed";
    return result;
}

double opcodes_of(const NcuValues& values, std::span<const Operation> operations) {
    double sum = 0;
    for (const Operation& operation : operations)
        sum += values.opcode(operation.opcode).value_or(0);
    return sum;
}

}  // namespace

std::vector<NcuWork> vector_pipe_work(const NcuValues& values) {
    const std::array pipes{work_of(values, {PipeKind::fp64}, fp64_operations),
                           work_of(values, {PipeKind::fp32}, fp32_operations, packed_fp32_operations),
                           work_of(values, {PipeKind::fp16}, fp16_operations)};
    // Without any counter, zeros of some pipes would hide that the others are unknown.
    const bool trustworthy =
        std::ranges::any_of(pipes, [](const auto& pipe) { return pipe && pipe->collected; }) ||
        std::ranges::all_of(pipes, [](const auto& pipe) { return pipe.has_value(); });
    std::vector<NcuWork> work;
    if (trustworthy)
        for (const auto& pipe : pipes)
            if (pipe) work.push_back(pipe->work);
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
    constexpr double least_share = 0.05;
    const double half = opcodes_of(values, fp16_operations);
    const double all = values.value("sass__inst_executed_per_opcode").value_or(0);
    return half > least_share * all &&
           half > opcodes_of(values, fp32_operations) + opcodes_of(values, fp64_operations);
}

}  // namespace roofwalk
