// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/faster_pipe.h"

#include <algorithm>

#include "core/roofline/operation_model_point.h"

namespace roofwalk {

namespace {

std::optional<PipeKind> tensor_kind_for(PipeKind kind) {
    switch (kind) {
        case PipeKind::fp16:
            return PipeKind::tensor_fp16;
        case PipeKind::fp32:
            return PipeKind::tensor_tf32;
        case PipeKind::fp64:
            return PipeKind::tensor_fp64;
        default:
            return std::nullopt;
    }
}

/// The ceiling of the pipe that binds; null where a level does.
const ComputeCeiling* binding_ceiling(const KernelPoint& point) {
    const Pipe* binding = point.binding ? std::get_if<Pipe>(&*point.binding) : nullptr;
    return binding && point.ceilings ? point.ceilings->find(*binding) : nullptr;
}

/// Whether a dense pipe of numbers of another type is faster.
bool has_faster_type(const KernelPoint& point, const ComputeCeiling& binding) {
    return std::ranges::any_of(point.ceilings->compute, [&](const ComputeCeiling& other) {
        return other.pipe.kind != binding.pipe.kind && !other.pipe.sparse &&
               other.pipe.kind != PipeKind::int32 && other.rate > binding.rate;
    });
}

}  // namespace

const ComputeCeiling* faster_tensor_pipe(const KernelPoint& point) {
    if (multiplies_no_matrices(point)) return nullptr;
    const ComputeCeiling* vector = binding_ceiling(point);
    const auto kind = vector ? tensor_kind_for(vector->pipe.kind) : std::nullopt;
    const ComputeCeiling* tensor = kind ? point.ceilings->find(Pipe{*kind, false}) : nullptr;
    return tensor && tensor->rate > vector->rate ? tensor : nullptr;
}

std::string faster_than_binding(const KernelPoint& point) {
    const ComputeCeiling* binding = binding_ceiling(point);
    if (!binding) return {};
    std::string words;
    const auto add = [&](bool known, std::string_view what) {
        if (known) words.append(words.empty() ? "" : ", ").append(what);
    };
    const Pipe pipe = binding->pipe;
    add(faster_tensor_pipe(point) != nullptr, "tensor cores");
    add(has_faster_type(point, *binding), "a lower precision");
    add(is_tensor(pipe) && !pipe.sparse && point.ceilings->find(Pipe{pipe.kind, true}) != nullptr,
        "2:4 sparsity");
    return words;
}

}  // namespace roofwalk
