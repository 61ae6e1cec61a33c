// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/units.h"

namespace roofwalk {

struct AnalysisOptions;
struct Profile;

/// The time on the GPU (gpu__time_duration) that a launch is taken to need, whatever little it does, where
/// nothing else is known. What the CPU takes to launch it comes on top, and no bound of the roofline holds
/// either.
inline constexpr Seconds usual_launch_floor{2e-6};
/// What that figure rests on.
inline constexpr std::string_view usual_launch_floor_source =
    "usual: the shortest of 682 launches in 40 reports of Nsight Compute 2019 to 2025, Pascal to Blackwell, took "
    "1.50 µs";

/// Whose figure a launch floor is.
enum class LaunchFloorSource : std::uint8_t {
    usual,
    typed,
    measured,  ///< by the benchmarks, on that board
    report,    ///< the shortest launch of the device in the report, which took less than that
};
template <>
inline constexpr EnumIds<LaunchFloorSource, 4> enum_ids<LaunchFloorSource>{"usual", "typed", "measured",
                                                                           "report"};

/// The least time that any launch takes on a device.
struct LaunchFloor {
    Seconds time = usual_launch_floor;
    LaunchFloorSource source = LaunchFloorSource::usual;
};

/// "2.00 µs (usual)", "1.57 µs (the report's shortest launch)".
[[nodiscard]] std::string describe(const LaunchFloor& floor);

/// By device: what was typed, else what was measured on it, else the usual one, unless a launch of the device
/// took less.
[[nodiscard]] std::vector<LaunchFloor> launch_floors(const Profile& profile, const AnalysisOptions& options);

}  // namespace roofwalk
