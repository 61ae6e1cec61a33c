// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pipe.h"

namespace roofwalk {

namespace {

struct PipeFacts {
    PipeKind kind;
    std::string_view id;
    std::string_view label;
};

constexpr EnumArray<PipeKind, PipeFacts> pipe_facts{{
    {PipeKind::fp64, "fp64", "FP64"},
    {PipeKind::fp32, "fp32", "FP32"},
    {PipeKind::fp16, "fp16", "FP16"},
    {PipeKind::tensor_fp64, "tensor.fp64", "FP64 Tensor"},
    {PipeKind::tensor_tf32, "tensor.tf32", "TF32 Tensor"},
    {PipeKind::tensor_bf16, "tensor.bf16", "BF16 Tensor"},
    {PipeKind::tensor_fp16, "tensor.fp16", "FP16 Tensor"},
    {PipeKind::tensor_fp16_acc16, "tensor.fp16.acc16", "FP16 Tensor (FP16 acc.)"},
    {PipeKind::tensor_fp8, "tensor.fp8", "FP8 Tensor"},
    {PipeKind::tensor_fp6, "tensor.fp6", "FP6 Tensor"},
    {PipeKind::tensor_fp4, "tensor.fp4", "FP4 Tensor"},
    {PipeKind::tensor_int8, "tensor.int8", "INT8 Tensor"},
    {PipeKind::tensor_int4, "tensor.int4", "INT4 Tensor"},
    {PipeKind::tensor_int1, "tensor.int1", "INT1 Tensor"},
    {PipeKind::tensor_any, "tensor", "Tensor (type unknown)"},
    {PipeKind::int32, "int32", "INT32"},
}};
static_assert(is_in_order(pipe_facts, &PipeFacts::kind));

constexpr std::string_view sparse_suffix = ".sparse";

}  // namespace

bool counts_integers(Pipe pipe) {
    return pipe.kind == PipeKind::tensor_int8 || pipe.kind == PipeKind::tensor_int4 ||
           pipe.kind == PipeKind::tensor_int1 || pipe.kind == PipeKind::int32;
}

bool is_tensor(Pipe pipe) {
    return pipe.kind >= PipeKind::tensor_fp64 && pipe.kind <= PipeKind::tensor_any;
}

std::string id_of(Pipe pipe) {
    std::string id(pipe_facts[pipe.kind].id);
    if (pipe.sparse) id += sparse_suffix;
    return id;
}

std::optional<Pipe> pipe_from_id(std::string_view id) {
    const bool sparse = id.ends_with(sparse_suffix);
    if (sparse) id.remove_suffix(sparse_suffix.size());
    for (const auto& entry : pipe_facts)
        if (entry.id == id) return Pipe{entry.kind, sparse};
    return std::nullopt;
}

std::string label_of(Pipe pipe) {
    std::string label(pipe_facts[pipe.kind].label);
    if (pipe.sparse) label += " sparse";
    return label;
}

}  // namespace roofwalk
