// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/compare/comparison.h"
#include "core/compare/projection.h"
#include "core/report/report_cells.h"

namespace roofwalk {

using ComparisonColumn = ColumnRule<ComparisonLine>;

/// The columns of a comparison in exports and in the window, for lines of comparison_lines().
[[nodiscard]] std::vector<ComparisonColumn> comparison_columns(const Comparison& comparison);

/// A comparison in rows, for every text export: those of comparison_lines(). Amounts are those of the
/// reports; the speed-up is of one launch where the notes say so.
[[nodiscard]] ReportTable comparison_table(const Comparison& comparison);

/// The comparison for scripts (`resources/schema/comparison.schema.json`). Of file paths only the last part
/// is written.
[[nodiscard]] std::string to_comparison_json(const Comparison& comparison);

/// A kernel under the roofs of another device.
struct ProjectionLine {
    const ProjectedKernels* on = nullptr;  ///< the other device
    const ProjectedKernel* kernel = nullptr;
};
using ProjectionColumn = ColumnRule<ProjectionLine>;

/// The columns of kernels under the roofs of other devices, in exports and in the window.
[[nodiscard]] std::vector<ProjectionColumn> projection_columns(const AnalysedProfile& run,
                                                               std::span<const ProjectedKernels> devices);

/// What would bind each kernel on other devices: a row for each of them.
[[nodiscard]] ReportTable projection_table(const AnalysedProfile& run,
                                           std::span<const ProjectedKernels> devices);
/// The same for scripts (`resources/schema/roof-comparison.schema.json`).
[[nodiscard]] std::string to_projection_json(const AnalysedProfile& run,
                                             std::span<const ProjectedKernels> devices);

}  // namespace roofwalk
