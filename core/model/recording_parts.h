// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace roofwalk {

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
