// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/launch.h"
#include "core/operations/data_type.h"
#include "core/operations/op_model.h"

namespace roofwalk {

/// FLOP of the floating-point pipes; 0 where none were counted.
[[nodiscard]] Flops counted_work(const Launch& launch);

/// The type of the elements in the name of a kernel of PyTorch, "at::native::…<c10::Half, float>", or one of
/// their size where it only moves them; absent for other kernels and where several could be meant.
[[nodiscard]] std::optional<DataType> type_in_name(std::string_view kernel);

/// The type of the products in the name of a kernel of cuBLAS, cuDNN or CUTLASS, "ampere_sgemm_128x64_tn",
/// "sm80_xmma_gemm_f32f32_tf32f32_f32_nn"; absent where it names none, or several.
[[nodiscard]] std::optional<DataType> product_type_in_name(std::string_view kernel);

/// The tensor pipe of that type.
[[nodiscard]] std::optional<Pipe> tensor_pipe_in_name(std::string_view kernel);

/// Whether the operation multiplies matrices, as tensor cores do.
[[nodiscard]] bool multiplies_matrices(const OperationModel& model);

/// The type that a launch gives an operation that multiplies matrices whose types nobody gave; absent where
/// the operation says its own, or where no pipe tells one.
[[nodiscard]] std::optional<DataType> type_by_pipe(const OperationModel& model, const Launch& launch);

/// The operation with that type in the place of its own: "gemm m=8 n=8 k=8 dtype=fp32".
[[nodiscard]] std::string with_type(std::string_view operation, DataType type);

}  // namespace roofwalk
