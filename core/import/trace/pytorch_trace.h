// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

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
