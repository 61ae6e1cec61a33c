// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/ncu/ncu_values.h"
#include "core/model/pipe.h"

namespace roofwalk {

/// One `sm__ops_path_tensor_PATH` counter: operations of the tensor cores by source type, accumulator,
/// sparsity and, from Hopper on, by instruction.
struct TensorPath {
    std::string counter;  ///< "sm__ops_path_tensor_op_hgmma_src_bf16_dst_fp32_sparsity_off"
    std::string type;     ///< source types as the name spells them: "bf16", "fp4_fp6_fp8"
    Pipe pipe;
    bool one_instruction = false;  ///< counts one instruction ("op_hgmma"), not all of a type
};

/// Reads the name of a tensor path, with or without a rollup after it. Absent for other metrics and for
/// source types that are not known.
[[nodiscard]] std::optional<TensorPath> tensor_path(std::string_view metric);

/// The paths a launch has counts or peaks for, each once, in the order of their names.
[[nodiscard]] std::vector<TensorPath> tensor_paths(const NcuValues& values);

}  // namespace roofwalk
