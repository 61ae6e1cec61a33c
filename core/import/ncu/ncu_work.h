// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/import/ncu/ncu_values.h"
#include "core/model/launch.h"

namespace roofwalk {

/// Work on one pipe with its derivation in words.
struct NcuWork {
    Pipe pipe;
    Origin origin = Origin::measured;
    Flops work;
    std::string source;
    bool instrumented = false;  ///< Launch::instrumented
};

/// Work of the FP64, FP32, FP16 and INT32 pipes, of predicated-on thread instructions: add 1, mul 1, fma 2;
/// for the packed half types twice that (HADD2, HMUL2: 2, HFMA2: 4), as Nsight Compute 2025.1 counts. Scalar
/// half arithmetic and the moves that compilers write as HFMA2 count like packed arithmetic. HADD2.F32, which
/// the counter of FP16 additions takes for one, is a conversion and no work: so are additions that are all
/// FP16 work of a kernel with FP32 work, where opcodes were not counted with their modifiers. An operation
/// that was not collected is 0 where warp counts prove it never ran, else, but for FP16, the thread
/// instructions of its opcodes; else the pipe is absent. All are absent when no pipe is counted and one of
/// them ran. Integer: the counter, else the thread instructions of integer opcodes, each one operation as in
/// the counter.
[[nodiscard]] std::vector<NcuWork> vector_pipe_work(const NcuValues& values);

/// FP16 additions of threads as the counter has them, an HADD2 or HADD2.F32 counted once. Absent where it was
/// not collected, or where opcodes with their modifiers tell that none is such.
[[nodiscard]] std::optional<double> half_additions(const NcuValues& values);

/// What `work`, the whole work of the launch, lacks of these pipes. FP16: its pipe is absent, and opcode
/// counts show more than a trace of FP16 adds and multiplies, or that most floating-point instructions, and a
/// good part of all, are FP16 (a few HFMA2 load constants); without opcode counts, its pipe was busy. FP64:
/// its pipe is absent, and an opcode of it ran or, without opcode counts, its pipe was busy. Packed
/// FP32: the device has it, its counters were not collected, and no opcode counts prove that it never ran.
[[nodiscard]] UncountedWork uncounted_vector_work(const NcuValues& values, std::span<const WorkSample> work);
/// Pipes of a launch with FLOP of which nothing tells whether they ran: neither counters nor opcodes nor the
/// share of the cycles in which they were busy. `tensor`: nor anything of the tensor cores.
[[nodiscard]] UncountedWork unchecked_work(const NcuValues& values, const Launch& launch, bool tensor);

}  // namespace roofwalk
