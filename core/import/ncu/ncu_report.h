// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/import/stored_metrics.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Reads an uncompressed Nsight Compute report that starts with "NVR\0".
[[nodiscard]] Result<Profile> read_ncu_report(std::span<const std::byte> bytes, const std::string& name,
                                              const Progress& progress = {});

/// Finds metrics in such a report; places are those of results.
[[nodiscard]] Result<void> search_ncu_report(std::string_view text, const MetricSearch& search,
                                             const Progress& progress = {});

}  // namespace roofwalk
