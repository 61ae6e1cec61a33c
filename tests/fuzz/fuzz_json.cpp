// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/import/json/json_reader.h"
#include "core/import/json/recording_reader.h"

namespace {

/// As a recording that comes line by line, and is looked at in its midst.
void read_lines(std::string_view text) {
    roofwalk::RecordingReader reader("fuzz.jsonl");
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
        if (const auto read = reader.add(line); !read && read.error().what.empty()) __builtin_trap();
    }
    if (reader.profile(true).launches.size() != reader.launches()) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data),
                                size);  // NOLINT: bytes seen as characters
    const auto profile = roofwalk::read_json(text, "fuzz.json");
    if (!profile && profile.error().what.empty()) __builtin_trap();
    read_lines(text);
    return 0;
}
