// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/model/device.h"
#include "core/operations/op_model.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Where an operation stands under the roofs of a device, as a point without a time of its own: bounds of its
/// pipes, of HBM and of L2 (compulsory bytes cross both), the binding ceiling, the speed-of-light time, and
/// the side of the HBM ridge. Its class says what binds, memory_bound or compute_bound; not_measured where a
/// ceiling is unknown. The bytes are those the variant moves, intermediates included. What the device does
/// not tell itself comes from the built-in table.
[[nodiscard]] KernelPoint bounds_of(const OperationModel& model, const Device& device,
                                    const AnalysisOptions& options = {});

/// W / T: the most that this operation can reach; absent where T is unknown.
[[nodiscard]] std::optional<FlopRate> attainable_performance(const KernelPoint& bounds);

/// Whether all bytes the operation moves fit into the L2 of the device at once, so that repeated launches
/// need not reach HBM; absent when the size of L2 is unknown.
[[nodiscard]] std::optional<bool> fits_l2(const OperationModel& model, const Device& device);

}  // namespace roofwalk
