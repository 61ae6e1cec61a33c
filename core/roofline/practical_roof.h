// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/enum_array.h"
#include "core/model/ceiling.h"

namespace roofwalk {

struct AnalysisOptions;
struct KernelPoint;

/// How near a kernel comes to its practical roof, the one that good kernels reach. Of the vertical gap only:
/// a kernel with little room may still move more bytes than its algorithm needs.
enum class PracticalBand : std::uint8_t {
    little_room,
    some_room,
    much_room,
    exceeded,  ///< faster than what was assumed to be practical: the assumption is too low
};
template <>
inline constexpr EnumIds<PracticalBand, 4> enum_ids<PracticalBand>{"little_room", "some_room", "much_room",
                                                                   "exceeded"};

/// Where the bands begin, as shares of the practical roof; editable.
struct PracticalLimits {
    double little_room = 0.75;  ///< from here on
    double some_room = 0.30;    ///< from here on; below it there is much room

    friend bool operator==(const PracticalLimits&, const PracticalLimits&) = default;
};

/// "little room", "some room", "much room", "above what is usual".
[[nodiscard]] std::string_view label_of(PracticalBand band);

/// What a practical roof keeps of a ceiling: `factor`, but all of one that was measured on the device, since
/// that is what a kernel reached.
[[nodiscard]] double practical_share(const Provenance& provenance, double factor);

/// The band of a kernel. Absent without a practical efficiency, and where the figures themselves are in
/// doubt: above the roof, and with counters that contradict each other.
[[nodiscard]] std::optional<PracticalBand> practical_band(const KernelPoint& point,
                                                          const PracticalLimits& limits);

/// One sentence: "68.2 % of the practical roof: some room is left."; beyond the practical roof what
/// was assumed of which ceiling, and where that is set; empty without a band. The options are those of the
/// analysis.
[[nodiscard]] std::string practical_text(const KernelPoint& point, const AnalysisOptions& options);

}  // namespace roofwalk
