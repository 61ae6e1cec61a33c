// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dirent.h>
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

/// Where CUPTI is looked for, and how its helper is loaded: by agent and collector alike.
namespace roofwalk::wire {

/// A release of CUPTI that counts: its file, and the CUDA that a driver must serve for it, as
/// cuDriverGetVersion() writes that. What the two have, and is used here, is laid out alike.
struct CuptiRelease {
    const char* file;
    int least_driver;
};

/// The newest first.
inline constexpr std::array<CuptiRelease, 2> cupti_releases{
    {{"libcupti.so.13", 13000}, {"libcupti.so.12", 12000}}};

/// Files of those that work with a driver of this CUDA version, which is 0 where it is not known.
[[nodiscard]] inline std::vector<std::string> cupti_files_for(int driver_cuda) {
    std::vector<std::string> files;
    for (const CuptiRelease& release : cupti_releases)
        if (driver_cuda == 0 || driver_cuda >= release.least_driver) files.emplace_back(release.file);
    return files;
}

/// What CUPTI counts and plans with.
inline constexpr const char* cupti_helper = "libnvperf_host.so";

/// Folders of CUDA toolkits that the environment names, as it names them.
[[nodiscard]] inline std::vector<std::string> toolkits_of_environment() {
    std::vector<std::string> toolkits;
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
            toolkits.emplace_back(folder);
    return toolkits;
}

/// Names in `folder` that start with `prefix`, the newest first: strverscmp() knows that 13.0 is newer
/// than 9.2.
[[nodiscard]] inline std::vector<std::string> versions_in(const std::string& folder,
                                                          std::string_view prefix) {
    std::vector<std::string> names;
    if (DIR* const opened = opendir(folder.c_str())) {
        while (const dirent* const entry = readdir(opened))
            if (std::string_view(entry->d_name).substr(0, prefix.size()) == prefix)
                names.emplace_back(entry->d_name);
        closedir(opened);
    }
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
        return strverscmp(a.c_str(), b.c_str()) > 0;
    });
    return names;
}

/// Toolkits that NVIDIA's installers have put below `root` ("" is the machine's own), the newest first.
[[nodiscard]] inline std::vector<std::string> installed_toolkits(const std::string& root) {
    std::vector<std::string> toolkits;
    const std::string parent = root + "/usr/local";
    for (const std::string& name : versions_in(parent, "cuda"))
        toolkits.push_back(parent + "/" + name);
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

/// Folders below `prefix` into which pip puts it, of the newest Python first. `prefix` is that of a Python, a
/// virtual environment or of Conda; `python` is the version that counts, as "python3.11", empty for any.
[[nodiscard]] inline std::vector<std::string> cupti_folders_of_python(const std::string& prefix,
                                                                      std::string_view python = {}) {
    std::vector<std::string> folders;
    constexpr std::string_view any = "python3";
    for (const char* const libraries : {"/lib/", "/lib64/", "/local/lib/"})
        for (const std::string& name : versions_in(prefix + libraries, any)) {
            if (name != any && !python.empty() && name != python) continue;
            for (const char* const inside :
                 {"/site-packages/nvidia/cu13/lib", "/site-packages/nvidia/cuda_cupti/lib",
                  "/dist-packages/nvidia/cu13/lib", "/dist-packages/nvidia/cuda_cupti/lib"})
                folders.push_back(prefix + libraries + name + inside);
        }
    return folders;
}

/// The same of the environment that is active: VIRTUAL_ENV, CONDA_PREFIX, whose toolkit stands in it.
[[nodiscard]] inline std::vector<std::string> cupti_folders_of_environment() {
    std::vector<std::string> folders;
    for (const char* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const char* const prefix = std::getenv(variable);
        if (prefix == nullptr || *prefix != '/') continue;
        for (const auto& more : {cupti_folders_of_python(prefix), cupti_folders_of(prefix)})
            folders.insert(folders.end(), more.begin(), more.end());
    }
    return folders;
}

/// Folders in which distributions put it.
[[nodiscard]] inline std::vector<std::string> cupti_folders_of_system(const std::string& root) {
    return {root + "/usr/lib/x86_64-linux-gnu", root + "/usr/lib/aarch64-linux-gnu", root + "/usr/lib64"};
}

enum class Helper {
    loaded,
    missing,     ///< it does not stand beside CUPTI
    of_another,  ///< one of another CUPTI is in this process, and this CUPTI would get that
};

/// CUPTI looks for its helper by name and never beside itself; one that was loaded by its path is what it
/// finds then. `cupti` is the handle of the library; the helper stays loaded.
[[nodiscard]] inline Helper load_helper_of(void* cupti) {
    const link_map* map = nullptr;
    if (dlinfo(cupti, RTLD_DI_LINKMAP, &map) != 0) return Helper::missing;
    void* const before = dlopen(cupti_helper, RTLD_NOW | RTLD_NOLOAD);
    char* const resolved = realpath(map->l_name, nullptr);
    const std::array<std::string, 2> libraries{map->l_name, resolved != nullptr ? resolved : map->l_name};
    std::free(resolved);
    for (const std::string& library : libraries) {
        const std::string beside = library.substr(0, library.rfind('/') + 1) + cupti_helper;
        if (void* const ours = dlopen(beside.c_str(), RTLD_NOW | RTLD_LOCAL))
            return before == nullptr || before == ours ? Helper::loaded : Helper::of_another;
    }
    return Helper::missing;
}

}  // namespace roofwalk::wire
