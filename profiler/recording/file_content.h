// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

namespace roofwalk {

/// Content of a file whose size the system does not tell, as in /proc; empty where it cannot be read. A
/// process may make what the system tells of it as long as it likes: what is beyond `most` [byte] is left
/// out.
[[nodiscard]] inline std::string content_of(const std::filesystem::path& file,
                                            std::size_t most = std::size_t{32} << 20U) {
    constexpr std::size_t step = 65536;
    std::ifstream stream(file, std::ios::binary);
    std::string content;
    while (stream && content.size() < most) {
        const std::size_t before = content.size();
        content.resize(before + step);
        stream.read(content.data() + before, step);
        content.resize(before + static_cast<std::size_t>(stream.gcount()));
    }
    return content;
}

}  // namespace roofwalk
