// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/import/stored_metrics.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Whether a text holds what ncu prints without --csv.
[[nodiscard]] bool holds_ncu_text(std::string_view text);

/// Reads what ncu prints without --csv: a line for each kernel, and under it sections with tables of metric,
/// unit and value, or of minimum, maximum and average (--print-summary). What stands around them, as output
/// of the program or the text of an issue, is passed over, and so is what every line starts with ("> ",
/// "// "). A line of a kernel may be folded as a terminal does. Where the rules of the tables are gone, rows
/// with names of ncu below a kernel are read.
[[nodiscard]] Result<Profile> read_ncu_text(std::string_view text, const std::string& name,
                                            const Progress& progress = {});

/// Finds metrics in it; offsets are those of the lines of kernels.
[[nodiscard]] Result<void> search_ncu_text(std::string_view text, const MetricSearch& search,
                                           const Progress& progress = {});

}  // namespace roofwalk
