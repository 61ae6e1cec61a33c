// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Whether a text begins with the header of a table of kernels: comma-separated names of columns, `name` or
/// `kernel` among them and at least one of time, flops, bytes.
[[nodiscard]] bool starts_plain_table(std::string_view text);

/// Reads a table of kernels that a person or a script wrote: `name,time,flops,bytes`, a launch a row.
///
/// Columns, in any order and case: `name` (or `kernel`); `time` (or `duration`); `flops`; `bytes`, of device
/// memory, also `hbm_bytes` or `dram_bytes`; `l2_bytes`, `l1_bytes`, `smem_bytes`; `precision`, the pipe of
/// the FLOP ("tensor.fp16"); `operation` ("gemm m=64 n=64 k=64"); `device`. Figures are in seconds, FLOP and
/// bytes, unless the name of the column ends in a unit: `time_us`, `time [ms]`, `flops (GFLOP)`, `bytes
/// [MiB]`. An empty cell was not measured.
///
/// Errors name the line: an unknown or repeated column, a cell that is no number, a row of other width. What
/// stands before such a row is kept, with SourceInfo::partial set and a warning.
[[nodiscard]] Result<Profile> read_plain_table(std::string_view text, const std::string& name,
                                               const Progress& progress);

}  // namespace roofwalk
