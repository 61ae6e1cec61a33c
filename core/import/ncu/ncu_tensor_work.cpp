// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_tensor_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/base/text.h"
#include "core/devices/chip.h"

namespace roofwalk {

namespace {

constexpr std::string_view tensor_path_prefix = "sm__ops_path_tensor_";

struct TypeName {
    std::string_view name;
    PipeKind kind;
};

/// Where one path serves several types, they run at the same rate: Turing has FP16 only behind its joint
/// name, Blackwell's joint 4, 6 and 8 bit path runs at the FP8 rate.
constexpr std::array<TypeName, 14> type_names{{
    {"fp64", PipeKind::tensor_fp64},
    {"tf32", PipeKind::tensor_tf32},
    {"bf16", PipeKind::tensor_bf16},
    {"fp16", PipeKind::tensor_fp16},
    {"fp16_bf16_tf32", PipeKind::tensor_fp16},
    {"fp8", PipeKind::tensor_fp8},
    {"fp4_fp6_fp8", PipeKind::tensor_fp8},
    {"fp6", PipeKind::tensor_fp6},
    {"fp4_fp6", PipeKind::tensor_fp6},
    {"fp4", PipeKind::tensor_fp4},
    {"int8", PipeKind::tensor_int8},
    {"int4", PipeKind::tensor_int4},
    {"int1", PipeKind::tensor_int1},
    {"fp6_fp8", PipeKind::tensor_fp8},
}};

bool remove_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

struct Shape {
    double m = 0;
    double n = 0;
    double k = 0;
};

struct NamedShape {
    std::string_view name;
    Shape shape;
};

/// The digits of m, n and k run together in these names: "16816" is 16, 8, 16.
constexpr std::array<NamedShape, 12> shapes{{
    {"884", {8, 8, 4}},
    {"1684", {16, 8, 4}},
    {"1688", {16, 8, 8}},
    {"16816", {16, 8, 16}},
    {"16832", {16, 8, 32}},
    {"16864", {16, 8, 64}},
    {"168128", {16, 8, 128}},
    {"168256", {16, 8, 256}},
    {"8816", {8, 8, 16}},
    {"8832", {8, 8, 32}},
    {"88128", {8, 8, 128}},
    {"168512", {16, 8, 512}},
}};

constexpr std::array<std::string_view, 14> opcodes{"HMMA",    "IMMA",    "DMMA",    "BMMA",   "QMMA",
                                                   "OMMA",    "HGMMA",   "IGMMA",   "QGMMA",  "BGMMA",
                                                   "UTCHMMA", "UTCIMMA", "UTCQMMA", "UTCOMMA"};

constexpr double warps_of_a_warpgroup = 4;

std::vector<std::string_view> parts_of(std::string_view form) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto dot = form.find('.');
        parts.push_back(form.substr(0, dot));
        if (dot == std::string_view::npos) return parts;
        form.remove_prefix(dot + 1);
    }
}

/// "64x128x16", as Hopper writes it.
std::optional<Shape> warpgroup_shape(std::string_view text) {
    std::array<double, 3> sides{};
    for (double& side : sides) {
        const auto end = std::min(text.find('x'), text.size());
        const auto count = parse_number<unsigned>(text.substr(0, end));
        if (!count || *count == 0 || *count > 4096) return std::nullopt;
        side = *count;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (!text.empty()) return std::nullopt;
    return Shape{sides[0], sides[1], sides[2]};
}

std::optional<Shape> warp_shape(std::string_view text) {
    const auto found = std::ranges::find(shapes, text, &NamedShape::name);
    return found == shapes.end() ? std::nullopt : std::optional(found->shape);
}

std::optional<PipeKind> kind_of(std::span<const std::string_view> parts) {
    const auto has = [&](std::string_view word) { return std::ranges::find(parts, word) != parts.end(); };
    const std::string_view opcode = parts.front();
    if (opcode == "DMMA") return PipeKind::tensor_fp64;
    if (opcode == "BMMA" || opcode == "BGMMA") return PipeKind::tensor_int1;
    if (opcode == "IMMA" || opcode == "IGMMA")
        return has("S4") || has("U4") ? PipeKind::tensor_int4 : PipeKind::tensor_int8;
    if (opcode == "QGMMA") return PipeKind::tensor_fp8;
    if (opcode == "HMMA" || opcode == "HGMMA") {
        if (has("TF32")) return PipeKind::tensor_tf32;
        if (has("BF16")) return PipeKind::tensor_bf16;
        return has("F32") ? PipeKind::tensor_fp16 : PipeKind::tensor_fp16_acc16;
    }
    return std::nullopt;
}

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
    known->instrumented |= entry.instrumented;
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

/// True for opcodes of the tensor cores ("HMMA", "IMMA.8816.S8.S8", "UTCHMMA...").
bool is_tensor_opcode(std::string_view form) {
    return std::ranges::find(opcodes, form.substr(0, form.find('.'))) != opcodes.end();
}

OpcodeWork work_from_opcodes(const NcuValues& values) {
    OpcodeWork result;
    values.for_each_opcode_form([&](std::string_view form, double count) {
        if (count <= 0 || !is_tensor_opcode(form)) return;
        result.any = true;
        const auto meaning = tensor_opcode(form);
        if (!meaning) {
            result.unread = true;
            return;
        }
        add(result.work, {meaning->pipe, meaning->origin, Flops(count * meaning->operations),
                          fmt::format("{:g} * ", meaning->operations) + std::string(form) +
                              " of sass__inst_executed_per_opcode_with_modifier_all",
                          true});
    });
    return result;
}

/// GA100 runs HFMA2 on the tensor pipe, and compilers load constants with HFMA2.
bool mostly_half_arithmetic(const NcuValues& values, double pipe_instructions) {
    constexpr double threads_of_a_warp = 32;
    return std::ranges::any_of(std::array{"smsp", "sm"}, [&](std::string_view unit) {
        const auto half = values.total(fmt::format("{}__sass_thread_inst_executed_op_hfma_pred_on", unit));
        return half && pipe_instructions < 2 * half->value / threads_of_a_warp;
    });
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

/// Whether the tensor pipe is known to have multiplied no matrices: its instructions were counted, or its
/// busy time by their kind, and there were none; all of them together, or each kind that the chip has. HMMA
/// is the first kind of every chip with tensor cores, HGMMA came with Hopper; what later chips count is not
/// known.
bool no_instruction_was_counted(const NcuValues& values) {
    constexpr int hopper = 9;
    // Of Hopper the default set tells the time with matrix instructions apart from that with HFMA2.
    const auto matrices = values.value(
        "sm__pipe_tensor_type_hmma_hgmma_qgmma_imma_igmma_bmma_bgmma_cycles_active.avg.pct_of_peak_sustained_"
        "elapsed");
    const auto doubles =
        values.value("sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed");
    if (matrices && doubles) return *matrices <= 0 && *doubles <= 0;
    if (const auto all = pipe_instructions(values)) return all->value <= 0;
    const auto& capability = values.device().compute_capability;
    const bool counted = counted_of_kind(values, "hmma") && capability && capability->major <= hopper &&
                         (capability->major < hopper || counted_of_kind(values, "gmma"));
    return counted &&
           std::ranges::all_of(std::array{"hmma", "imma", "dmma", "gmma"}, [&](std::string_view kind) {
               return counted_of_kind(values, kind).value_or(0) <= 0;
           });
}

constexpr std::string_view pipe_share = "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed";

/// Per cent of the time that tensor instructions kept their pipe busy, where nothing counted them. GA100 runs
/// HFMA2 there too, so that a small share proves nothing, and none where the counters saw no instruction.
bool pipe_was_busy(const NcuValues& values) {
    constexpr double noise_percent = 1;
    if (no_instruction_was_counted(values)) return false;
    const auto busy = [&](std::string_view name) { return values.value(name).value_or(0) > noise_percent; };
    return busy(pipe_share) || busy("sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_active");
}

bool opcodes_were_counted(const NcuValues& values) {
    return values.opcode("HMMA").has_value();
}

bool was_looked_for(const NcuValues& values) {
    const auto& capability = values.device().compute_capability;
    return (capability && capability->major < 7) || opcodes_were_counted(values) ||
           pipe_instructions(values) || counted_of_kind(values, "hmma") || values.value(pipe_share);
}

bool opcode_ran(const NcuValues& values) {
    return std::ranges::any_of(opcodes,
                               [&](std::string_view name) { return values.opcode(name).value_or(0) > 0; });
}

}  // namespace

std::optional<TensorPath> tensor_path(std::string_view metric) {
    if (!metric.starts_with(tensor_path_prefix)) return std::nullopt;
    metric = metric.substr(0, metric.find('.'));
    std::string_view path = metric.substr(tensor_path_prefix.size());

    TensorPath result;
    result.counter = metric;
    result.one_instruction = path.starts_with("op_");
    const auto source = path.find("src_");
    if (source == std::string_view::npos) return std::nullopt;
    path.remove_prefix(source + std::string_view("src_").size());

    result.pipe.sparse = remove_suffix(path, "_sparsity_on");
    if (!result.pipe.sparse) remove_suffix(path, "_sparsity_off");
    const bool half_sums = remove_suffix(path, "_dst_fp16");
    if (!half_sums) remove_suffix(path, "_dst_fp32");

    const auto type = std::ranges::find(type_names, path, &TypeName::name);
    if (type == type_names.end()) return std::nullopt;
    result.type = path;
    result.pipe.kind = type->kind;
    if (half_sums && result.pipe.kind == PipeKind::tensor_fp16)
        result.pipe.kind = PipeKind::tensor_fp16_acc16;
    return result;
}

std::vector<TensorPath> tensor_paths(const NcuValues& values) {
    std::vector<TensorPath> paths;
    if (!values.metrics().for_each) return paths;
    values.metrics().for_each([&](std::string_view name, double) {
        if (!name.starts_with(tensor_path_prefix)) return;
        if (auto path = tensor_path(name)) paths.push_back(std::move(*path));
    });
    std::ranges::sort(paths, {}, &TensorPath::counter);
    const auto same_counter = [](const TensorPath& a, const TensorPath& b) { return a.counter == b.counter; };
    paths.erase(std::unique(paths.begin(), paths.end(), same_counter), paths.end());
    return paths;
}

std::optional<TensorOpcode> tensor_opcode(std::string_view form) {
    if (!is_tensor_opcode(form)) return std::nullopt;
    const auto parts = parts_of(form);
    const auto kind = kind_of(parts);
    if (!kind) return std::nullopt;
    const bool sparse = std::ranges::find(parts, "SP") != parts.end();

    for (const std::string_view part : parts) {
        if (const auto shape = warpgroup_shape(part))
            return TensorOpcode{{*kind, sparse},
                                2 * shape->m * shape->n * shape->k / warps_of_a_warpgroup,
                                Origin::estimated};
        const auto shape = warp_shape(part);
        if (!shape) continue;
        const double operations = 2 * shape->m * shape->n * shape->k;
        // Volta multiplies four 8x8x4 tiles in four steps with FP32 sums, in two with FP16 sums.
        if (parts.front() == "HMMA" && part == "884")
            return TensorOpcode{{*kind, sparse},
                                4 * operations / (*kind == PipeKind::tensor_fp16 ? 4 : 2),
                                Origin::estimated};
        return TensorOpcode{{*kind, sparse}, operations, Origin::measured};
    }
    return std::nullopt;
}

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
    result.unchecked = result.work.empty() && !result.unknown && !was_looked_for(values);
    return result;
}

}  // namespace roofwalk
