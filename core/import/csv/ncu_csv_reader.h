// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/import/stored_metrics.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Reads what `ncu --csv` prints: the long form (one metric a row), the wide form of `--page raw` (one kernel
/// a row, a row of units below the header) and the summaries of `--print-summary`, of which every launch of a
/// kernel gets the averages as estimates; and what the window of Nsight Compute exports of its pages Raw
/// and Summary, with a kernel a column or a row. Banner lines before the header ("==PROF== ..."), thousands
/// separators and scaled units are understood. A last line without an end, where others have one, is partial:
/// its last field is not known unless a quote closes it.
[[nodiscard]] Result<Profile> read_ncu_csv(std::string_view text, const std::string& name,
                                           const Progress& progress = {});

/// Whether a line is the column names of a summary.
[[nodiscard]] bool is_ncu_summary_header(std::string_view line);

/// Finds metrics in it; offsets are those of the first rows of kernels.
[[nodiscard]] Result<void> search_ncu_csv(std::string_view text, const MetricSearch& search,
                                          const Progress& progress = {});

}  // namespace roofwalk
