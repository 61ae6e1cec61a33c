// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/model/device.h"
#include "core/roofline/analysis.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// GPUs that a command names, under whose roofs operations stand that no report has.
struct TargetOptions {
    std::vector<std::string> devices;
    std::string ceilings;                ///< file of measured ceilings, or "none"
    std::optional<double> launch_floor;  ///< [us]
};
void add_target_options(CLI::App& verb, TargetOptions& options, int most_devices);

struct TargetDevices {
    std::vector<Device> devices;
    AnalysisOptions options;          ///< with what was measured on them, and what was typed
    std::vector<LaunchFloor> floors;  ///< by device
};
/// Errors of named_device() and measured_use().
[[nodiscard]] Result<TargetDevices> target_devices(const TargetOptions& options);

}  // namespace roofwalk::cli
