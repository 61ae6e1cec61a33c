// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/model/ceiling.h"

namespace roofwalk {

struct KernelPoint;

/// How near a kernel comes to its practical roof, the one that good kernels reach.
enum class PracticalBand : std::uint8_t { excellent, some_room, much_room };

/// Where the bands begin, as shares of the practical roof; editable.
struct PracticalLimits {
    double excellent = 0.75;  ///< from here on
    double some_room = 0.30;  ///< from here on; below it there is much room
};

/// "excellent", "some room", "much room".
[[nodiscard]] std::string_view label_of(PracticalBand band);
/// "excellent", "some_room", "much_room": the stable name used in files.
[[nodiscard]] std::string_view id_of(PracticalBand band);

/// What a practical roof keeps of a ceiling: `factor`, but all of one that was measured on the device, since
/// that is what a kernel reached.
[[nodiscard]] double practical_share(const Provenance& provenance, double factor);

/// The band of a kernel. Absent without a practical efficiency, and above the roof, where the figures
/// themselves are in doubt.
[[nodiscard]] std::optional<PracticalBand> practical_band(const KernelPoint& point,
                                                          const PracticalLimits& limits);

/// One sentence: "68.2 % of the practical roof: some room (below 75.0 %)."; empty without a band.
[[nodiscard]] std::string practical_text(const KernelPoint& point, const PracticalLimits& limits);

}  // namespace roofwalk
