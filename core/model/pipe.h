// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_array.h"

namespace roofwalk {

/// An execution pipe by the type of its source operands.
enum class PipeKind : std::uint8_t {
    fp64,
    fp32,
    fp16,
    tensor_fp64,
    tensor_tf32,
    tensor_bf16,
    tensor_fp16,        ///< FP32 accumulation, or accumulation not told apart
    tensor_fp16_acc16,  ///< FP16 accumulation: twice as fast on GeForce
    tensor_fp8,
    tensor_fp6,
    tensor_fp4,
    tensor_int8,
    tensor_int4,
    tensor_int1,
    tensor_any,  ///< tensor instructions whose type was not recorded: counts are approximate
    int32,
};
template <>
inline constexpr std::size_t enum_size<PipeKind> = 16;
inline constexpr auto all_pipe_kinds = enumerators<PipeKind>;

/// One pipe, dense or with 2:4 structured sparsity.
struct Pipe {
    PipeKind kind = PipeKind::fp32;
    bool sparse = false;

    friend constexpr auto operator<=>(const Pipe&, const Pipe&) = default;
};

/// Integer pipes count operations, not FLOP, and are kept apart from FLOP work.
[[nodiscard]] bool counts_integers(Pipe pipe);
[[nodiscard]] bool is_tensor(Pipe pipe);

/// "fp32", "tensor.fp16", "tensor.int8.sparse": the stable id used in files.
[[nodiscard]] std::string id_of(Pipe pipe);
[[nodiscard]] std::optional<Pipe> pipe_from_id(std::string_view id);
/// "FP32", "FP16 Tensor", "INT8 Tensor sparse": for people.
[[nodiscard]] std::string label_of(Pipe pipe);

}  // namespace roofwalk
