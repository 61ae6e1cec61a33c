// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "core/operations/op_bounds.h"
#include "core/operations/op_spec.h"

namespace roofwalk::cli {

/// An operation, and where it stands under the roofs of a device when one was named.
struct ModelView {
    OperationModel model;
    const OperationSpec* spec = nullptr;
    const Device* device = nullptr;  ///< null without a device
    KernelPoint bounds;              ///< empty without a device
};

/// The M that lifts the operation to the ridge of its device.
struct BatchToRidge {
    Intensity ridge;
    std::optional<double> exact;  ///< absent: no batch reaches it
    double asymptotic = 0;        ///< for weights much larger than the batch: ridge * bytes of B / 2
};

/// Absent where the operation has no batch or the ridge is unknown.
[[nodiscard]] std::optional<BatchToRidge> batch_to_ridge(const ModelView& view);

/// For people: amounts, bounds, conventions.
[[nodiscard]] std::string to_model_text(const ModelView& view);
/// For scripts, in base units.
[[nodiscard]] std::string to_model_json(const ModelView& view);

}  // namespace roofwalk::cli
