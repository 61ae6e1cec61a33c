// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/ncu/ncu_values.h"
#include "core/import/ncu/ncu_work.h"
#include "core/model/launch.h"
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

/// What one executed warp instruction of a tensor opcode does.
struct TensorOpcode {
    Pipe pipe;
    double operations = 0;  ///< multiply and add counted as 2; zeros of sparse operands included
    Origin origin = Origin::measured;
};

/// Reads the shape and types in an opcode with all its modifiers: "HMMA.16816.F32" multiplies 16 x 16 by 16 x
/// 8, 4096 operations; "IMMA.16832.S8.S8.SAT" 8192. The counts of HMMA.1688 (Turing), HMMA.16816 (A100) and
/// IMMA.8816 (A40) were checked against operation counters or against the active cycles of the tensor pipe;
/// Volta's steps and Hopper's warpgroup shapes were not, and are marked as estimates. Absent when the form
/// does not tell its shape.
[[nodiscard]] std::optional<TensorOpcode> tensor_opcode(std::string_view form);

/// What a launch did on the tensor cores.
struct NcuTensorWork {
    std::vector<NcuWork> work;       ///< pipes with work; at most one entry for each
    bool unknown = false;            ///< tensor instructions ran, but nothing tells how much they did
    bool unchecked = false;          ///< nothing tells whether any ran, on a chip that may have them
    bool counters_disagree = false;  ///< opcodes say they ran, operation counters say they did not
};

/// Work of the tensor pipes, best source first: the operation counters `sm__ops_path_tensor_*` (2025.1 and
/// later); the opcodes with their shapes (2020.3 and later, in `full`); instructions of the tensor pipe times
/// the operations of the usual instruction, which is exact on Volta (512) and an estimate elsewhere.
///
/// The counter of a source type and the counters of its instructions overlap: the instructions are taken when
/// they add up to the type, else the type alone; never both.
[[nodiscard]] NcuTensorWork tensor_work(const NcuValues& values, const std::vector<TensorPath>& paths);

}  // namespace roofwalk
