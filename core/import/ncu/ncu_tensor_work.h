// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/import/ncu/ncu_tensor_path.h"
#include "core/import/ncu/ncu_work.h"

namespace roofwalk {

/// What a launch did on the tensor cores.
struct NcuTensorWork {
    std::vector<NcuWork> work;       ///< pipes with work; at most one entry for each
    bool unknown = false;            ///< tensor instructions ran, but nothing tells how much they did
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
