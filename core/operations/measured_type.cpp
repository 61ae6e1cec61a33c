// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/measured_type.h"

#include <algorithm>
#include <charconv>

#include "core/operations/op_parser.h"

namespace roofwalk {

namespace {

constexpr double nearly_all = 0.9;

std::optional<DataType> type_of(PipeKind pipe) {
    if (pipe == PipeKind::tensor_fp16_acc16 || pipe == PipeKind::fp16) return DataType::fp16;
    for (const DataType type : all_data_types)
        if (!is_integer(type) && matrix_pipe(type).kind == pipe) return type;
    return pipe == PipeKind::tensor_fp64 ? std::optional(DataType::fp64) : std::nullopt;
}

bool is_floating(const WorkSample& sample) {
    return sample.pipe.kind != PipeKind::int32 && sample.pipe.kind != PipeKind::tensor_int8 &&
           sample.pipe.kind != PipeKind::tensor_int4 && sample.pipe.kind != PipeKind::tensor_int1;
}

/// What only moves elements is compiled for their size: "OpaqueType<2u>".
std::optional<DataType> opaque_type(std::string_view kernel) {
    constexpr std::string_view opening = "OpaqueType<";
    const std::size_t at = kernel.find(opening);
    if (at == std::string_view::npos) return std::nullopt;
    int size = 0;
    std::from_chars(kernel.data() + at + opening.size(), kernel.data() + kernel.size(), size);
    for (const DataType type : {DataType::fp64, DataType::fp32, DataType::fp16, DataType::int8})
        if (bytes_of(type) == size) return type;
    return std::nullopt;
}

/// The type whose products a launch computed: that of the pipe that did nearly all of its floating-point work
/// (the rest is scaling and the like). Absent where no pipe did, or where the pipe is that of more than one
/// type.
std::optional<DataType> measured_type(const Launch& launch) {
    const Flops all = counted_work(launch);
    if (all.value() <= 0 || launch.uncounted.any()) return std::nullopt;
    for (const WorkSample& sample : launch.work)
        if (is_floating(sample) && sample.work >= all * nearly_all) return type_of(sample.pipe.kind);
    return std::nullopt;
}

}  // namespace

Flops counted_work(const Launch& launch) {
    Flops all;
    for (const WorkSample& sample : launch.work)
        if (is_floating(sample)) all += sample.work;
    return all;
}

std::optional<DataType> type_in_name(std::string_view kernel) {
    const auto has = [&](std::string_view word) { return kernel.find(word) != std::string_view::npos; };
    if (!has("at::native::")) return std::nullopt;
    const bool half = has("c10::Half");
    const bool bfloat = has("c10::BFloat16");
    if (half || bfloat)
        return half && bfloat ? std::nullopt : std::optional(half ? DataType::fp16 : DataType::bf16);
    if (has("float") != has("double")) return has("float") ? DataType::fp32 : DataType::fp64;
    return opaque_type(kernel);
}

bool leaves_type_open(const OperationModel& model) {
    const bool multiplies = model.operation == "gemm" ||
                            std::ranges::any_of(model.work, [](const PipeWork& part) { return part.matrix; });
    return multiplies && !assumed_type(model).empty();
}

std::optional<DataType> type_by_pipe(const OperationModel& model, const Launch& launch) {
    return leaves_type_open(model) ? measured_type(launch) : std::nullopt;
}

std::string with_type(std::string_view operation, DataType type) {
    auto written = read_operation(operation);
    if (!written) return std::string(operation);
    written->arguments.push_back({"dtype", std::string(name_of(type))});
    return to_text(*written);
}

}  // namespace roofwalk
