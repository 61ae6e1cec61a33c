// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario_effect.h"

namespace roofwalk {

/// A kernel as the moves leave it, with every bound, gap and verdict found anew. The units that the profiler
/// found busy are taken to be busy for as long as they were; what was a spread over launches is left out.
[[nodiscard]] KernelPoint moved_point(const KernelPoint& measured, const KernelState& state,
                                      const AnalysisOptions& options);

/// The analysis of the program that a scenario makes: same rows in the same order, other numbers. Shares of
/// time are of the new total. What promises nothing leaves the time, and a dot as high, as it was. When it is
/// cancelled, kernels that were not moved yet stay as measured.
[[nodiscard]] Analysis moved_analysis(const Analysis& measured, const ScenarioEffect& effect,
                                      const Progress& progress = {});

}  // namespace roofwalk
