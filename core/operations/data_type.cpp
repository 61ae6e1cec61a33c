// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/data_type.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace roofwalk {

namespace {

struct TypeFacts {
    DataType type;
    std::string_view name;
    int bits;
    PipeKind matrix;
    int block = 0;  ///< elements that share a scale of a byte
};

constexpr EnumArray<DataType, TypeFacts> facts{{
    {DataType::fp64, "fp64", 64, PipeKind::fp64},
    {DataType::fp32, "fp32", 32, PipeKind::fp32},
    {DataType::tf32, "tf32", 32, PipeKind::tensor_tf32},
    {DataType::bf16, "bf16", 16, PipeKind::tensor_bf16},
    {DataType::fp16, "fp16", 16, PipeKind::tensor_fp16},
    {DataType::fp8, "fp8", 8, PipeKind::tensor_fp8},
    {DataType::fp6, "fp6", 6, PipeKind::tensor_fp6},
    {DataType::fp4, "fp4", 4, PipeKind::tensor_fp4},
    {DataType::mxfp8, "mxfp8", 8, PipeKind::tensor_fp8, 32},
    {DataType::mxfp6, "mxfp6", 6, PipeKind::tensor_fp6, 32},
    {DataType::mxfp4, "mxfp4", 4, PipeKind::tensor_fp4, 32},
    {DataType::nvfp4, "nvfp4", 4, PipeKind::tensor_fp4, 16},
    {DataType::complex64, "complex64", 64, PipeKind::fp32},
    {DataType::complex128, "complex128", 128, PipeKind::fp64},
    {DataType::int64, "int64", 64, PipeKind::int32},
    {DataType::int32, "int32", 32, PipeKind::int32},
    {DataType::int8, "int8", 8, PipeKind::tensor_int8},
    {DataType::int4, "int4", 4, PipeKind::tensor_int4},
    {DataType::int1, "int1", 1, PipeKind::tensor_int1},
}};
static_assert(is_in_order(facts, &TypeFacts::type));

constexpr std::array<std::pair<std::string_view, DataType>, 24> other_names{{
    {"complex<float>", DataType::complex64},
    {"complex<double>", DataType::complex128},
    {"double", DataType::fp64},
    {"float64", DataType::fp64},
    {"f64", DataType::fp64},
    {"float", DataType::fp32},
    {"float32", DataType::fp32},
    {"f32", DataType::fp32},
    {"half", DataType::fp16},
    {"float16", DataType::fp16},
    {"f16", DataType::fp16},
    {"bfloat16", DataType::bf16},
    {"float8_e4m3fn", DataType::fp8},
    {"e4m3", DataType::fp8},
    {"e5m2", DataType::fp8},
    {"e2m3", DataType::fp6},
    {"e3m2", DataType::fp6},
    {"e2m1", DataType::fp4},
    {"s64", DataType::int64},
    {"s32", DataType::int32},
    {"s8", DataType::int8},
    {"u8", DataType::int8},
    {"s4", DataType::int4},
    {"u4", DataType::int4},
}};

}  // namespace

std::string_view name_of(DataType type) {
    return facts[type].name;
}

std::optional<DataType> data_type_from_name(std::string_view name) {
    if (const auto it = std::ranges::find(facts, name, &TypeFacts::name); it != facts.end()) return it->type;
    for (const auto& [other, type] : other_names)
        if (other == name) return type;
    return std::nullopt;
}

double bytes_of(DataType type) {
    const TypeFacts& of = facts[type];
    return of.bits / 8.0 + (of.block > 0 ? 1.0 / of.block : 0);
}

int bits_of(DataType type) {
    return facts[type].bits;
}

bool is_block_scaled(DataType type) {
    return facts[type].block > 0;
}

double complex_factor(DataType type) {
    return type == DataType::complex64 || type == DataType::complex128 ? 4 : 1;
}

bool is_integer(DataType type) {
    return type >= DataType::int64;
}

double packed_bytes(double count, DataType type) {
    const TypeFacts& of = facts[type];
    return std::ceil(count * of.bits / 8) + (of.block > 0 ? std::ceil(count / of.block) : 0);
}

Pipe matrix_pipe(DataType type) {
    return Pipe{facts[type].matrix};
}

Pipe vector_pipe(DataType type) {
    if (is_integer(type)) return Pipe{PipeKind::int32};
    return Pipe{type == DataType::fp64 || type == DataType::complex128 ? PipeKind::fp64 : PipeKind::fp32};
}

DataType product_type(DataType a, DataType b) {
    if (is_integer(a) != is_integer(b)) return is_integer(a) ? b : a;
    return bytes_of(a) >= bytes_of(b) ? a : b;
}

}  // namespace roofwalk
