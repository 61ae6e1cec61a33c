// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

#include "core/model/profile.h"
#include "core/operations/op_model.h"
#include "core/roofline/group_totals.h"

namespace roofwalk {

/// What the operations of launches stand for.
struct ModelledParts {
    bool work = false;
    bool bytes = false;  ///< of HBM
};

/// Where the time of launches was taken, and no work or no bytes of HBM counted, gives the totals the work or
/// the HBM bytes that their operations need (W_alg and Q_min), as modelled ones, also where work was found
/// and not counted, or without bytes a part of it that is no more than they need. Nothing where a launch has
/// no time or no operation, or only some of them were counted.
[[nodiscard]] ModelledParts fill_from_operation_model(GroupTotals& totals, const Profile& profile,
                                                      std::span<const LaunchIndex> launches,
                                                      const CeilingSet& ceilings,
                                                      const AnalysisOptions& options);

/// Gives work of which nobody named the precision the pipe of its operation, where that says a type. Whether
/// it stays FP32, which is assumed then.
[[nodiscard]] bool assumes_precision(GroupTotals& totals, const Profile& profile,
                                     std::span<const LaunchIndex> launches, const CeilingSet& ceilings,
                                     const AnalysisOptions& options);

/// How many times its roof a kernel would stand at whose own work was not counted, if each of its launches
/// did this; absent where the work was counted, and where it is not above.
[[nodiscard]] std::optional<double> above_roof_with(const KernelPoint& point, const OperationModel& model,
                                                    const VerdictThresholds& limits);

/// Whether the one operation of a kernel is known, and multiplies no matrices: tensor cores are not for it.
/// One whose pipe a person chose, or whose figures are typed, may.
[[nodiscard]] bool multiplies_no_matrices(const KernelPoint& point);

}  // namespace roofwalk
