// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

// nsys_database.cpp
[[nodiscard]] bool starts_sqlite(std::string_view text);

/// Reads what `nsys export --type sqlite` wrote: of each kernel its times, geometry and GPU, and the NVTX
/// ranges (push and pop) in which its thread was when it called. The database is read where it lies in
/// memory: no file is opened, nothing written, no view, trigger, virtual table or function of it is run, and
/// no table gives more rows or texts than its bytes can hold.
[[nodiscard]] Result<Profile> read_nsys_database(std::string_view text, const std::string& name,
                                                 const Progress& progress);

// nsys_table.cpp
/// Whether a text holds a table that `nsys stats` prints of kernels (cuda_gpu_kern_sum, cuda_gpu_kern_gb_sum,
/// as text or CSV) or of each launch (cuda_gpu_trace, as CSV), below whatever else was printed.
[[nodiscard]] bool holds_nsys_table(std::string_view text);

/// Reads the first such table. A summary tells how long all launches of a kernel took: each gets the average.
/// Rows whose figures contradict each other have no time, and are told.
[[nodiscard]] Result<Profile> read_nsys_table(std::string_view text, const std::string& name,
                                              const Progress& progress);

// proton_profile.cpp
/// Whether a text begins as the tree of frames does that Triton's Proton writes (.hatchet).
[[nodiscard]] bool starts_proton_profile(std::string_view text);

/// Reads the tree that Proton writes: of each frame with a time a kernel, with the scopes around it as NVTX
/// ranges. Work and bytes are what the program itself told (launch_metadata, or those of a scope around one
/// kernel): modelled, of the pipe that their width names. Proton sums the launches of a frame: each launch
/// gets the average, up to 1,000,000 launches beyond the first of each frame; a frame of more is shown once
/// and without a time, and told.
[[nodiscard]] Result<Profile> read_proton_profile(std::string_view text, const std::string& name,
                                                  const Progress& progress);

// pytorch_trace.cpp
/// Whether a text begins as a trace of Chrome's format does, which PyTorch's profiler writes: an object with
/// a list of events, or such a list alone.
[[nodiscard]] bool starts_pytorch_trace(std::string_view text);

/// Reads what torch.profiler's export_chrome_trace() wrote: of each kernel its times, geometry and GPU, and
/// as NVTX ranges the operations around its launch, outermost first. An operation with shapes reads as
/// PyTorch's own NVTX ranges do (emit_nvtx(record_shapes=True)), with the types of its operands behind them:
///
///     aten::mm, sizes = [[64, 4096], [4096, 11008]], types = [c10::Half, c10::Half]
///
/// (lists of tensors of an optimizer as the elements of each list in all)
/// without its numbers (seq, op_id), so that alike operations read alike. Events are read one by one: a
/// trace that was cut keeps its kernels, those that are no JSON are left out and told.
[[nodiscard]] Result<Profile> read_pytorch_trace(std::string_view text, const std::string& name,
                                                 const Progress& progress);

}  // namespace roofwalk
