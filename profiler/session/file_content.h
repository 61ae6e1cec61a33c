// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace roofwalk {

/// Whole content of a file whose size the system does not tell, as in /proc; empty where it cannot be read.
[[nodiscard]] inline std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    // A stream reports as it likes that a process has ended meanwhile; its buffer throws.
    std::ostringstream content;
    content << stream.rdbuf();
    return content.str();
}

}  // namespace roofwalk
