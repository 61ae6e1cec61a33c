// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_tensor_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/devices/chip.h"
#include "core/import/ncu/ncu_tensor_opcodes.h"

namespace roofwalk {

namespace {

/// Counters of one pass sum up exactly; those of different passes nearly so.
constexpr double sum_tolerance = 0.01;

void add(std::vector<NcuWork>& work, NcuWork entry) {
    if (entry.work.value() <= 0) return;
    const auto known = std::ranges::find(work, entry.pipe, &NcuWork::pipe);
    if (known == work.end()) {
        work.push_back(std::move(entry));
        return;
    }
    known->work += entry.work;
    known->source += " + " + entry.source;
    if (entry.origin == Origin::estimated) known->origin = Origin::estimated;
}

struct TypeTotals {
    double of_type = 0;
    double of_instructions = 0;
    bool type_counted = false;
};

/// Absent when no path was counted.
std::optional<std::vector<NcuWork>> work_from_paths(const NcuValues& values,
                                                    const std::vector<TensorPath>& paths) {
    std::vector<std::pair<const TensorPath*, NcuAmount>> counted;
    std::map<std::string_view, TypeTotals> types;
    for (const TensorPath& path : paths) {
        auto total = values.total(path.counter);
        if (!total) continue;
        TypeTotals& type = types[path.type];
        (path.one_instruction ? type.of_instructions : type.of_type) += total->value;
        type.type_counted |= !path.one_instruction;
        counted.emplace_back(&path, std::move(*total));
    }
    if (counted.empty()) return std::nullopt;

    std::vector<NcuWork> work;
    for (auto& [path, total] : counted) {
        const TypeTotals& type = types[path->type];
        const bool instructions_tell_all =
            !type.type_counted || type.of_instructions >= (1 - sum_tolerance) * type.of_type;
        if (path->one_instruction == (instructions_tell_all && type.of_instructions > 0))
            add(work, {path->pipe, Origin::measured, Flops(total.value), std::move(total.formula)});
    }
    return work;
}

struct OpcodeWork {
    std::vector<NcuWork> work;
    bool any = false;     ///< a tensor opcode ran
    bool unread = false;  ///< one whose shape its name does not tell
};

OpcodeWork work_from_opcodes(const NcuValues& values) {
    OpcodeWork result;
    if (!values.metrics().for_each_opcode_form) return result;
    values.metrics().for_each_opcode_form([&](std::string_view form, double count) {
        if (count <= 0 || !is_tensor_opcode(form)) return;
        result.any = true;
        const auto meaning = tensor_opcode(form);
        if (!meaning) {
            result.unread = true;
            return;
        }
        add(result.work, {meaning->pipe, meaning->origin, Flops(count * meaning->operations),
                          fmt::format("{:g} * ", meaning->operations) + std::string(form) +
                              " of sass__inst_executed_per_opcode_with_modifier_all"});
    });
    return result;
}

/// GA100 runs HFMA2 on the tensor pipe, and compilers load constants with HFMA2.
bool mostly_half_arithmetic(const NcuValues& values, double pipe_instructions) {
    constexpr double threads_of_a_warp = 32;
    const auto half = values.total("smsp__sass_thread_inst_executed_op_hfma_pred_on");
    return half && pipe_instructions < 2 * half->value / threads_of_a_warp;
}

std::optional<NcuAmount> pipe_instructions(const NcuValues& values) {
    for (const std::string_view counter :
         {"smsp__inst_executed_pipe_tensor", "sm__inst_executed_pipe_tensor"})
        if (auto found = values.total(counter)) return found;
    return std::nullopt;
}

void work_from_pipe(const NcuValues& values, NcuTensorWork& result) {
    const auto instructions = pipe_instructions(values);
    if (!instructions || instructions->value <= 0) return;
    const Architecture* architecture = architecture_of(values.device().compute_capability);
    const double operations = architecture != nullptr ? architecture->tensor_instruction : 0;
    if (operations == 0) {
        result.unknown = !mostly_half_arithmetic(values, instructions->value);
        return;
    }
    // Volta multiplies FP16 only, but an instruction that also sums in FP16 does twice the work.
    const bool fp16_only = values.device().compute_capability == ComputeCapability{7, 0};
    add(result.work, {{fp16_only ? PipeKind::tensor_fp16 : PipeKind::tensor_any},
                      Origin::estimated,
                      Flops(operations * instructions->value),
                      fmt::format("{:g} * {} (approximate: {})", operations, instructions->formula,
                                  fp16_only ? "sums in FP32 are taken for granted"
                                            : "the type and shape of the instructions are not known")});
}

/// The largest figure that counters have of a kind of tensor instruction; absent where none was collected.
std::optional<double> counted_of_kind(const NcuValues& values, std::string_view kind) {
    std::optional<double> most;
    for (const char* counter :
         {"sm__inst_executed_pipe_tensor_op_{}", "smsp__inst_executed_pipe_tensor_op_{}",
          "sm__pipe_tensor_op_{}_cycles_active"})
        for (const char* suffix :
             {".sum", ".avg.pct_of_peak_sustained_active", ".avg.pct_of_peak_sustained_elapsed"})
            if (const auto figure = values.value(fmt::format(fmt::runtime(counter), kind) + suffix))
                most = std::max(most.value_or(0), *figure);
    return most;
}

/// Whether the instructions of the tensor pipe were counted, and there were none: all of them together, or
/// each kind that the chip has. HMMA is the first kind of every chip with tensor cores, HGMMA came with
/// Hopper; what later chips count is not known.
bool no_instruction_was_counted(const NcuValues& values) {
    constexpr int hopper = 9;
    if (const auto all = pipe_instructions(values)) return all->value <= 0;
    const auto& capability = values.device().compute_capability;
    const bool counted = counted_of_kind(values, "hmma") && capability && capability->major <= hopper &&
                         (capability->major < hopper || counted_of_kind(values, "gmma"));
    return counted &&
           std::ranges::all_of(std::array{"hmma", "imma", "dmma", "gmma"}, [&](std::string_view kind) {
               return counted_of_kind(values, kind).value_or(0) <= 0;
           });
}

/// Per cent of the time that tensor instructions kept their pipe busy, where nothing counted them. GA100 runs
/// HFMA2 there too, so that a small share proves nothing, and none where the counters saw no instruction.
bool pipe_was_busy(const NcuValues& values) {
    constexpr double noise_percent = 1;
    if (no_instruction_was_counted(values)) return false;
    const auto busy = [&](std::string_view name) { return values.value(name).value_or(0) > noise_percent; };
    return busy("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed") ||
           busy("sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_active");
}

bool opcodes_were_counted(const NcuValues& values) {
    return values.opcode("HMMA").has_value();
}

bool opcode_ran(const NcuValues& values) {
    return std::ranges::any_of(tensor_opcodes(),
                               [&](std::string_view name) { return values.opcode(name).value_or(0) > 0; });
}

}  // namespace

NcuTensorWork tensor_work(const NcuValues& values, const std::vector<TensorPath>& paths) {
    NcuTensorWork result;
    OpcodeWork by_opcode = work_from_opcodes(values);
    if (auto counted = work_from_paths(values, paths)) {
        result.counters_disagree = counted->empty() && by_opcode.any;
        if (!result.counters_disagree) {
            result.work = std::move(*counted);
            return result;
        }
    }
    if (by_opcode.any) {
        result.work = std::move(by_opcode.work);
        result.unknown = by_opcode.unread;
        result.counters_disagree |=
            values.value("sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active") == 0.0 &&
            values.opcode("HMMA").value_or(0) > 0;
        return result;
    }
    work_from_pipe(values, result);
    if (result.work.empty())
        result.unknown |= opcodes_were_counted(values) ? opcode_ran(values) : pipe_was_busy(values);
    return result;
}

}  // namespace roofwalk
