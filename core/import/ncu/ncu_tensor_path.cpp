// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_tensor_path.h"

#include <algorithm>
#include <array>

namespace roofwalk {

namespace {

constexpr std::string_view tensor_path_prefix = "sm__ops_path_tensor_";

struct TypeName {
    std::string_view name;
    PipeKind kind;
};

/// Where one path serves several types, they run at the same rate: Turing has FP16 only behind its joint
/// name, Blackwell's joint 4, 6 and 8 bit path runs at the FP8 rate.
constexpr std::array<TypeName, 14> types{{
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

    const auto type = std::ranges::find(types, path, &TypeName::name);
    if (type == types.end()) return std::nullopt;
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

}  // namespace roofwalk
