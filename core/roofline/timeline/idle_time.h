// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/profile.h"

namespace roofwalk {

/// What of the time from the first kernel of a device to the end of its last no kernel ran.
struct IdleTime {
    SourceIndex source{};
    DeviceIndex device{};
    std::uint64_t launches = 0;
    Seconds wall;  ///< from the start of the first kernel to the end of the last
    Seconds idle;  ///< of it; kernels of several streams of the source at once are busy once
};

/// When the kernels of a profile ran.
struct Timeline {
    /// By source and device; those of which it is known. It is not where a launch has no start or time of its
    /// own, where launches were left out or a file was cut, and where the run was counted too: that holds
    /// each launch up.
    std::vector<IdleTime> devices;
    std::vector<Seconds> idle_before;  ///< by launch, the part right before it; empty where nothing is known
    std::vector<bool> known;           ///< by launch; empty likewise

    /// Right before these launches together; absent where it is not known of one.
    [[nodiscard]] std::optional<Seconds> before(std::span<const LaunchIndex> launches) const;
};

[[nodiscard]] Timeline timeline_of(const Profile& profile);

/// "No kernel ran in 12.3 ms (60.6 %) of the 20.3 ms from the first kernel to the end of the last."; of
/// several devices or sources, whose runs may lie beside each other, their sums. Empty where it is known of
/// none.
[[nodiscard]] std::string idle_sentence(std::span<const IdleTime> devices);

}  // namespace roofwalk
