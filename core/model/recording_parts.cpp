// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recording_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace roofwalk {

namespace {

constexpr std::string_view before_number = R"({"part":)";
constexpr std::string_view before_line = R"(,"line":)";

}  // namespace

RecordingCounts& RecordingCounts::operator+=(const RecordingCounts& other) {
    seen += other.seen;
    recorded += other.recorded;
    filtered += other.filtered;
    sampled_out += other.sampled_out;
    dropped += other.dropped;
    return *this;
}

std::string lines_of_part(std::size_t number, std::string_view lines) {
    if (number == 0) return std::string(lines);
    std::string text;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        text += fmt::format("{}{}{}{}}}\n", before_number, number, before_line, line);
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
    return text;
}

RecordingPart part_of(std::string_view line) {
    std::string_view rest = line;
    while (rest.ends_with('\n') || rest.ends_with('\r'))
        rest.remove_suffix(1);
    if (!rest.starts_with(before_number)) return {0, line};
    rest.remove_prefix(before_number.size());
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (problem != std::errc() || number == 0 || !rest.starts_with(before_line)) return {0, line};
    rest.remove_prefix(before_line.size());
    if (rest.ends_with('}')) rest.remove_suffix(1);
    return {number, rest};
}

bool has_parts(std::string_view recording) {
    return recording.find(fmt::format("\n{}", before_number)) != std::string_view::npos;
}

}  // namespace roofwalk
