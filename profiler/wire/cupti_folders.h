// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

/// Where CUPTI is looked for: by agent and collector in the same folders and the same order.
namespace roofwalk::wire {

inline constexpr const char* cupti_file = "libcupti.so.13";

/// Folders of CUDA toolkits that the environment names, as it names them.
[[nodiscard]] inline std::vector<std::string> toolkits_of_environment() {
    std::vector<std::string> toolkits;
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
            toolkits.emplace_back(folder);
    return toolkits;
}

/// Toolkits that NVIDIA's installers have put below `root` ("" is the machine's own), the newest first:
/// strverscmp() knows that 13.0 is newer than 9.2.
[[nodiscard]] inline std::vector<std::string> installed_toolkits(const std::string& root) {
    std::vector<std::string> toolkits;
    const std::string parent = root + "/usr/local";
    if (DIR* const folder = opendir(parent.c_str())) {
        while (const dirent* const entry = readdir(folder))
            if (std::string_view(entry->d_name).substr(0, 4) == "cuda")
                toolkits.push_back(parent + "/" + entry->d_name);
        closedir(folder);
    }
    std::sort(toolkits.begin(), toolkits.end(), [](const std::string& a, const std::string& b) {
        return strverscmp(a.c_str(), b.c_str()) > 0;
    });
    toolkits.push_back(root + "/opt/cuda");
    return toolkits;
}

/// Folders of a toolkit in which CUPTI may stand.
[[nodiscard]] inline std::vector<std::string> cupti_folders_of(const std::string& toolkit) {
    std::vector<std::string> folders;
    for (const char* const inside :
         {"/extras/CUPTI/lib64", "/lib64", "/lib", "/targets/x86_64-linux/lib", "/targets/sbsa-linux/lib"})
        folders.push_back(toolkit + inside);
    return folders;
}

/// Folders in which distributions put it.
[[nodiscard]] inline std::vector<std::string> cupti_folders_of_system(const std::string& root) {
    return {root + "/usr/lib/x86_64-linux-gnu", root + "/usr/lib/aarch64-linux-gnu", root + "/usr/lib64"};
}

}  // namespace roofwalk::wire
