// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace roofwalk::cli {

struct PlansText {
    std::string text;
    std::optional<Error> without_passes;  ///< why passes are unknown; absent when they are not
};

/// The plans of counters of the chips named, or of all where one of the names is "all": how many metrics, how
/// many passes, and what each gives. `cupti` is the library that counts passes.
[[nodiscard]] Result<PlansText> plans_text(const std::vector<std::string>& names,
                                           const std::optional<std::filesystem::path>& cupti);

}  // namespace roofwalk::cli
