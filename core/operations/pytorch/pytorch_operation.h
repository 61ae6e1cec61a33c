// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/operations/pytorch/pytorch_op.h"

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

/// Absent for an operator that is not known, or whose sizes do not fit it. `output`: the sizes of its result,
/// null where nobody knows them, which tell the stride and the padding of a convolution, and along which
/// dimension an index picks, and how many results a reduction has.
[[nodiscard]] std::optional<PytorchOperation> operation_of(const PytorchOp& op,
                                                           const PytorchOp::Sizes* output = nullptr);

/// Whether the values of inputs that are no tensors, as strides and dimensions, tell the operation of an
/// operator of this name, "aten::sum".
[[nodiscard]] bool is_told_by_values(std::string_view name);

/// Whether the operator is a convolution, so that its output is worth to be known.
[[nodiscard]] bool is_convolution(const PytorchOp& op);

}  // namespace roofwalk
