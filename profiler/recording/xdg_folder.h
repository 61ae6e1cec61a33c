// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace roofwalk {

/// The folder of this user for a kind of files (XDG Base Directory Specification): what `variable` names,
/// else `below_home` in the home folder. Absent where neither is an absolute path.
[[nodiscard]] inline std::optional<std::filesystem::path> xdg_folder(const char* variable,
                                                                     std::string_view below_home) {
    const auto absolute = [](const char* name) -> std::optional<std::filesystem::path> {
        const char* value = std::getenv(name);
        if (value == nullptr || *value != '/') return std::nullopt;
        return value;
    };
    if (const auto folder = absolute(variable)) return folder;
    const auto home = absolute("HOME");
    return home ? std::optional(*home / below_home) : std::nullopt;
}

}  // namespace roofwalk
