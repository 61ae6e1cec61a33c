// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/model/launch.h"

namespace roofwalk {

/// What one executed warp instruction of a tensor opcode does.
struct TensorOpcode {
    Pipe pipe;
    double operations = 0;  ///< multiply and add counted as 2; zeros of sparse operands included
    Origin origin = Origin::measured;
};

/// Every opcode of the tensor cores, without modifiers.
[[nodiscard]] std::span<const std::string_view> tensor_opcodes();
/// True for opcodes of the tensor cores ("HMMA", "IMMA.8816.S8.S8", "UTCHMMA...").
[[nodiscard]] bool is_tensor_opcode(std::string_view form);

/// Reads the shape and types in an opcode with all its modifiers: "HMMA.16816.F32" multiplies 16 x 16 by 16 x
/// 8, 4096 operations; "IMMA.16832.S8.S8.SAT" 8192. The counts of HMMA.1688 (Turing), HMMA.16816 (A100) and
/// IMMA.8816 (A40) were checked against operation counters or against the active cycles of the tensor pipe;
/// Volta's steps and Hopper's warpgroup shapes were not, and are marked as estimates. Absent when the form
/// does not tell its shape.
[[nodiscard]] std::optional<TensorOpcode> tensor_opcode(std::string_view form);

}  // namespace roofwalk
