// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/nvidia_software.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "profiler/wire/cupti_folders.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

/// Entries of `folder` whose names start with `prefix`, newest first: strverscmp() knows that 13.0 is newer
/// than 9.2.
std::vector<fs::path> versions_of(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        if (entry->path().filename().string().starts_with(prefix)) found.push_back(entry->path());
    std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
        return strverscmp(a.filename().c_str(), b.filename().c_str()) > 0;
    });
    return found;
}

/// Whether this libcupti exists and has libnvperf_host.so, its planner, beside it.
bool plans_too(const fs::path& cupti) {
    std::error_code ignored;
    return fs::exists(cupti, ignored) && fs::exists(cupti.parent_path() / "libnvperf_host.so", ignored);
}

}  // namespace

std::optional<int> cuda_version_of_driver() {
    const std::unique_ptr<void, int (*)(void*)> library(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL),
                                                        [](void* handle) { return dlclose(handle); });
    if (!library) return std::nullopt;
    using DriverGetVersion = int (*)(int*);
    const auto get_version = reinterpret_cast<DriverGetVersion>(dlsym(library.get(), "cuDriverGetVersion"));
    int version = 0;
    if (!get_version || get_version(&version) != 0 || version <= 0) return std::nullopt;
    return version;
}

std::optional<fs::path> find_nsight_compute(const std::string& path, const fs::path& root) {
    std::string_view rest = path;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(':'), rest.size());
        const fs::path candidate = fs::path(rest.substr(0, end)) / "ncu";
        if (candidate.is_absolute() && is_program(candidate)) return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    std::vector<fs::path> folders = versions_of(root / "opt/nvidia/nsight-compute", "2");
    for (const fs::path& toolkit : versions_of(root / "usr/local", "cuda"))
        folders.push_back(toolkit / "bin");
    for (const fs::path& folder : folders)
        if (is_program(folder / "ncu")) return folder / "ncu";
    return std::nullopt;
}

std::optional<fs::path> find_cupti(std::vector<std::string> toolkits, const fs::path& root) {
    const std::string prefix = root == "/" ? std::string() : root.string();
    for (std::string& installed : wire::installed_toolkits(prefix))
        toolkits.push_back(std::move(installed));
    std::vector<std::string> folders;
    for (const std::string& toolkit : toolkits)
        std::ranges::move(wire::cupti_folders_of(toolkit), std::back_inserter(folders));
    std::ranges::move(wire::cupti_folders_of_system(prefix), std::back_inserter(folders));
    for (const fs::path folder : folders)
        if (plans_too(folder / wire::cupti_file)) return folder / wire::cupti_file;
    return std::nullopt;
}

std::optional<fs::path> find_cupti_here() {
    return find_cupti(wire::toolkits_of_environment());
}

}  // namespace roofwalk
