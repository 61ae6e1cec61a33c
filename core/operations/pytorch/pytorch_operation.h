// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/operations/pytorch/pytorch_call.h"

namespace roofwalk {

/// What a call of an operator of PyTorch carries out.
struct PytorchOperation {
    std::string text;     ///< "gemm m=64 n=11008 k=4096": with dtype where the call tells its types
    std::string assumed;  ///< what the sizes do not tell and was taken, "stride=1 padding=1"; else empty
    /// It is one operation for all kernels within it: those of the operators that it calls carry it out too.
    bool whole = false;
    /// And what they are called with says nothing: copies of indices, workspaces.
    bool sealed = false;
};

/// Absent for an operator that is not known, or whose sizes do not fit it.
[[nodiscard]] std::optional<PytorchOperation> operation_of(const PytorchCall& op);

/// What a copy that changes the type does where nobody tells the types: most are between FP32 and 16 bits.
[[nodiscard]] std::optional<PytorchOperation> conversion_of(const PytorchCall& copy);

/// Why a call is none that operation_of() knows, and what helps; empty where too little is told to say.
[[nodiscard]] std::string unknown_words(const PytorchCall& op);

/// Whether the values of inputs that are no tensors, as strides and dimensions, tell the operation of an
/// operator of this name, "aten::sum".
[[nodiscard]] bool is_told_by_values(std::string_view name);

/// Whether the operator is a convolution, so that its output is worth to be known.
[[nodiscard]] bool is_convolution(const PytorchCall& op);

}  // namespace roofwalk
