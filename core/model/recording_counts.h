// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace roofwalk {

/// Launches of a recording so far.
struct RecordingCounts {
    std::uint64_t seen = 0;         ///< all that the program made
    std::uint64_t recorded = 0;     ///< with figures of their own
    std::uint64_t filtered = 0;     ///< nobody asked for them
    std::uint64_t sampled_out = 0;  ///< stand with the figures of launches that are alike
    std::uint64_t dropped = 0;      ///< their figures were left out: the recorder did not keep up

    friend bool operator==(const RecordingCounts&, const RecordingCounts&) = default;
};

/// Launches that it does not list, or without figures.
[[nodiscard]] constexpr std::uint64_t left_out_by(const RecordingCounts& counts) {
    return counts.filtered + counts.dropped;
}

}  // namespace roofwalk
