// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/import/ncu_values.h"
#include "core/model/launch.h"

namespace roofwalk {

/// Work on one pipe with its derivation in words.
struct NcuWork {
    Pipe pipe;
    Origin origin = Origin::measured;
    Flops work;
    std::string source;
};

/// Work of the FP64, FP32, FP16 and INT32 pipes, of predicated-on thread instructions: add 1, mul 1, fma 2;
/// for the packed half types twice that (HADD2, HMUL2: 2, HFMA2: 4), as Nsight Compute 2025.1 counts. Scalar
/// half arithmetic and the moves that compilers write as HFMA2 count like packed arithmetic. An operation
/// that was not collected is 0 where the opcode counts prove it never ran; else the pipe is absent. All are
/// absent when no pipe has a counter and one of them ran.
[[nodiscard]] std::vector<NcuWork> vector_pipe_work(const NcuValues& values);

/// True when most floating-point instructions, and a good part of all, ran on the FP16 pipe and no metric
/// says how much work they did.
[[nodiscard]] bool half_work_is_unknown(const NcuValues& values, const std::vector<NcuWork>& work);

}  // namespace roofwalk
