// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Launches that carried out one call of an operator of PyTorch.
struct PytorchExecution {
    std::uint32_t operation = 0;        ///< index into PytorchExecutions::operations
    std::vector<LaunchIndex> launches;  ///< at least one, in file order
};

struct PytorchExecutions {
    struct Operation {
        std::string text;             ///< "gemm m=64 n=11008 k=4096"
        std::string why;              ///< "PyTorch range aten::mm, sizes = [[64, 4096], [4096, 11008]]"
        std::string assumed;          ///< BoundOperation::assumed
        bool if_work_agrees = false;  ///< it holds only where the work that was counted does
    };
    std::vector<Operation> operations;
    std::vector<PytorchExecution> executions;
};

/// What the NVTX ranges of PyTorch, or algorithm fields in their form, say of launches that are not `bound`
/// (by launch; 0: not bound). The innermost range with a known operator and sizes holds; but where several
/// launches carry out one that is whole, as scaled_dot_product_attention over its products, that one. A call
/// of which a launch is bound otherwise is left out.
[[nodiscard]] PytorchExecutions pytorch_executions(const Profile& profile,
                                                   std::span<const std::uint32_t> bound,
                                                   const Progress& progress = {});

/// Why the innermost range around a launch does not tell its operation, and what would: a call of which
/// PyTorch writes no sizes of a list of inputs, or a kernel of torch.compile. Empty for any other.
[[nodiscard]] std::string unsized_words(const Profile& profile, const Launch& launch);

}  // namespace roofwalk
