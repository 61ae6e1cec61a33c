// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace roofwalk {

/// What counting costs, in sentences for a person who is about to record.
struct RecordingCost {
    std::string sampled;  ///< kernels that repeat are sampled
    std::string every;    ///< every launch is measured
};

/// Passes on the chips of `gpus` (names of models), by CUPTI's scheduler; on all chips where no model is
/// known, or without `cupti`, from what was counted when this was written.
[[nodiscard]] RecordingCost recording_cost(const std::vector<std::string>& gpus,
                                           const std::optional<std::filesystem::path>& cupti);

}  // namespace roofwalk
