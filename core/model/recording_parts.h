// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roofwalk {

/// Launches of a recording so far.
struct RecordingCounts {
    std::uint64_t seen = 0;         ///< all that the program made
    std::uint64_t recorded = 0;     ///< with figures of their own
    std::uint64_t filtered = 0;     ///< nobody asked for them
    std::uint64_t sampled_out = 0;  ///< stand with the figures of launches that are alike
    std::uint64_t dropped = 0;      ///< their figures were left out: the recorder did not keep up

    RecordingCounts& operator+=(const RecordingCounts& other);
    friend bool operator==(const RecordingCounts&, const RecordingCounts&) = default;
};

/// Launches that it does not list, or without figures.
[[nodiscard]] constexpr std::uint64_t left_out_by(const RecordingCounts& counts) {
    return counts.filtered + counts.dropped;
}

/// Recordings of several processes that share one stream: the lines of the first stand there as they are,
/// those of a further one inside of {"part":1,"line":...}, with its number in the stream.
struct RecordingPart {
    std::size_t number = 0;
    std::string_view line;  ///< of the recording itself
};

/// Parts from this number on are neither written nor read.
inline constexpr std::size_t most_recording_parts = 4096;

/// Whole lines of one recording as they stand in the stream.
[[nodiscard]] std::string lines_of_part(std::size_t number, std::string_view lines);

/// What a line of the stream belongs to, also where it is cut off. It is looked at, not read as JSON.
[[nodiscard]] RecordingPart part_of(std::string_view line);

/// Whether a recording has lines of further parts.
[[nodiscard]] bool has_parts(std::string_view recording);

}  // namespace roofwalk
