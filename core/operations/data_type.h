// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/model/pipe.h"

namespace roofwalk {

/// How the elements of an operand are stored.
enum class DataType : std::uint8_t {
    fp64,
    fp32,
    tf32,
    bf16,
    fp16,
    fp8,
    fp6,
    fp4,
    mxfp8,  ///< blocks of 32 elements with a scale of a byte
    mxfp6,
    mxfp4,
    nvfp4,      ///< blocks of 16 elements with a scale of a byte
    complex64,  ///< two fp32
    complex128,
    int64,
    int32,
    int8,
    int4,
    int1
};
template <>
inline constexpr std::size_t enum_size<DataType> = 19;
inline constexpr auto all_data_types = enumerators<DataType>;

/// "fp16": the stable name used in texts.
[[nodiscard]] std::string_view name_of(DataType type);
/// Also takes what programs call them: "half", "float", "double", "e4m3", "e2m1", "s8", "u8", "s4", ...
[[nodiscard]] std::optional<DataType> data_type_from_name(std::string_view name);

/// Bytes of one element in memory, with its share of a scale: 0.5 for a 4-bit type, 0.53125 for mxfp4, 4 for
/// tf32 (which is stored as fp32).
[[nodiscard]] double bytes_of(DataType type);
[[nodiscard]] bool is_integer(DataType type);

/// Bits of one element without a scale.
[[nodiscard]] int bits_of(DataType type);
/// Whether blocks of its elements have scales, which count among its bytes.
[[nodiscard]] bool is_block_scaled(DataType type);
/// FLOP of a multiply-add, or of the like, over those of a real one: 4 of complex numbers.
[[nodiscard]] double complex_factor(DataType type);

/// Bytes of `count` densely packed elements and of their scales, a last partial byte or block counted whole.
[[nodiscard]] double packed_bytes(double count, DataType type);

/// The pipe that multiplies matrices of this type: tensor cores, except for fp64, fp32 and int32, whose usual
/// home are the CUDA cores.
[[nodiscard]] Pipe matrix_pipe(DataType type);
/// The pipe of element-wise arithmetic: types narrower than 32 bits are widened to FP32 first.
[[nodiscard]] Pipe vector_pipe(DataType type);
/// The type a product of two operands is computed in: the narrower one is widened, an integer beside a
/// floating-point operand is converted.
[[nodiscard]] DataType product_type(DataType a, DataType b);

}  // namespace roofwalk
