// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/capability_check.h"
#include "core/devices/match_device.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <vector>

#include "core/devices/chip.h"
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

namespace {

constexpr int least_driver_cuda = 13000;  // as cuDriverGetVersion() writes it

CapabilityFinding driver(const Machine& machine, const NvidiaSoftware& software) {
    if (machine.windows_subsystem && !machine.driver_version) {
        if (software.driver_cuda)
            return {"driver", Readiness::ready,
                    fmt::format("The driver of Windows serves CUDA {}.{} to this Linux.",
                                *software.driver_cuda / 1000, *software.driver_cuda % 1000 / 10),
                    ""};
        return {"driver", Readiness::missing, "This Linux runs inside Windows and sees no NVIDIA driver.",
                "Install the NVIDIA driver in Windows (525 or later), none in Linux."};
    }
    if (!machine.driver_version)
        return {"driver", Readiness::missing, "The NVIDIA kernel module is not loaded.",
                machine.container != Container::none
                    ? fmt::format("Install the driver on the host of this container, and {}.",
                                  how_to_show_gpus(machine.container))
                    : "Install the NVIDIA driver, or load it with `modprobe nvidia`."};
    if (!software.driver_cuda)
        return {"driver", Readiness::missing,
                fmt::format("Driver {} is loaded, but libcuda.so.1 cannot be.", *machine.driver_version),
                machine.container != Container::none
                    ? fmt::format("The container does not have it: {}.", how_to_show_gpus(machine.container))
                    : "Install the driver's CUDA library (Debian: libcuda1)."};
    return {"driver", Readiness::ready,
            fmt::format("Driver {}, CUDA {}.{}.", *machine.driver_version, *software.driver_cuda / 1000,
                        *software.driver_cuda % 1000 / 10),
            ""};
}

CapabilityFinding gpus(const Machine& machine) {
    if (machine.gpus.empty())
        return {"GPU", Readiness::missing, "The driver lists no GPU.",
                "See `nvidia-smi` and the kernel's log for the reason."};
    if (!machine.device_node)
        return {"GPU", Readiness::missing,
                fmt::format("{}, but /dev/nvidiactl is not visible here.", fmt::join(machine.gpus, ", ")),
                machine.container != Container::none
                    ? fmt::format("The container does not show it: {}.", how_to_show_gpus(machine.container))
                    : "Run `nvidia-modprobe -c 0 -u` as root."};
    return {"GPU", Readiness::ready, fmt::format("{}.", fmt::join(machine.gpus, ", ")), ""};
}

CapabilityFinding counters(const Machine& machine) {
    if (machine.may_read_restricted_counters())
        return {"counters", Readiness::ready, "This process may read performance counters.", ""};
    if (!machine.counters_are_restricted)
        return {"counters", Readiness::limited, "The driver does not say who may read performance counters.",
                machine.windows_subsystem
                    ? "Allow all users in the NVIDIA Control Panel of Windows: Developer, Manage GPU "
                      "Performance Counters."
                    : ""};
    if (!*machine.counters_are_restricted)
        return {"counters", Readiness::ready, "Every user may read performance counters.", ""};
    return {"counters", Readiness::missing,
            "The driver lets administrators alone read performance counters (ERR_NVGPUCTRPERM).",
            how_to_permit_counters(machine.container, machine.own_users, machine.lacks_root_only())};
}

CapabilityFinding nsight_compute(const NvidiaSoftware& software) {
    if (software.nsight_compute)
        return {
            "Nsight Compute", Readiness::ready, fmt::format("{}.", software.nsight_compute->string()),
            "Record with `roofwalk-cli profile --ncu -o report.ncu-rep -- PROGRAM` and open report.ncu-rep."};
    return {"Nsight Compute", Readiness::missing,
            "The program ncu is neither on PATH nor in NVIDIA's folders.",
            "Install Nsight Compute, which comes with the CUDA toolkit, or record on another machine: its "
            "report opens here without it."};
}

CapabilityFinding cupti(const NvidiaSoftware& software) {
    if (software.driver_cuda && *software.driver_cuda < least_driver_cuda)
        return {"CUPTI", Readiness::missing,
                fmt::format("The agent records through CUPTI 13, and this driver serves CUDA {}.{} alone.",
                            *software.driver_cuda / 1000, *software.driver_cuda % 1000 / 10),
                "Install driver 580 or later, or record with Nsight Compute (`roofwalk-cli profile --ncu`)."};
    if (software.cupti)
        return {
            "CUPTI", Readiness::ready, fmt::format("{}.", software.cupti->string()),
            "`roofwalk-cli check --chip all` prints the counters it would collect, and in how many passes."};
    return {"CUPTI", Readiness::limited,
            "libcupti.so.13 with libnvperf_host.so was not found: counter passes cannot be planned here.",
            "Install the CUDA toolkit 13.0 or later, or set CUDA_HOME to its folder."};
}

/// A model that is in no table of ours, which may be newer than this release, or only rare. CUPTI goes by the
/// chip, whose name the driver tells with a context alone; the PCI number mostly tells it before.
CapabilityFinding chip(const std::string& model, const std::string& chip, const NvidiaSoftware& software) {
    const std::string unlisted =
        model + " is in no table of this release, so that its roofs are those that are measured";
    if (chip.empty() || software.chips.empty())
        return {
            "chip", Readiness::limited,
            chip.empty()
                ? fmt::format("{}. Which chip it has, and whether CUPTI counts on that, shows when recording "
                              "starts; where it does not, kernels are only timed.",
                              unlisted)
                : fmt::format("{}. Its chip is {}; without CUPTI nobody can tell whether it counts on that.",
                              unlisted, chip),
            "`roofwalk-cli check --chip all` lists the chips that CUPTI counts on."};
    if (find_chip(chip) != nullptr && std::ranges::find(software.chips, chip) != software.chips.end())
        return {"chip", Readiness::ready, fmt::format("{}. CUPTI counts on its chip, {}.", unlisted, chip),
                ""};
    return {"chip", Readiness::limited,
            fmt::format("{}. CUPTI does not count on its chip, {}: kernels are only timed.", unlisted, chip),
            "The CUPTI of a newer CUDA toolkit may know it, and a newer Roofwalk plan for it."};
}

void add_chips(const Machine& machine, const NvidiaSoftware& software,
               std::vector<CapabilityFinding>& findings) {
    for (std::size_t i = 0; i < machine.gpus.size(); ++i) {
        const std::string& model = machine.gpus[i];
        const bool told =
            std::ranges::find(machine.gpus.begin(), machine.gpus.begin() + static_cast<std::ptrdiff_t>(i),
                              model) != machine.gpus.begin() + static_cast<std::ptrdiff_t>(i);
        if (!told && find_known_device(model) == nullptr)
            findings.push_back(chip(model, i < machine.chips.size() ? machine.chips[i] : "", software));
    }
}

}  // namespace

std::string_view word_for(Readiness readiness) {
    switch (readiness) {
        case Readiness::ready:
            return "ready";
        case Readiness::limited:
            return "limited";
        case Readiness::missing:
            return "missing";
    }
    return "";
}

std::vector<CapabilityFinding> check_capabilities(const Machine& machine, const NvidiaSoftware& software) {
    std::vector<CapabilityFinding> findings{driver(machine, software)};
    // What a missing driver leaves unknown is not worth a line of its own.
    if (findings.front().readiness != Readiness::missing) {
        if (!machine.windows_subsystem) findings.push_back(gpus(machine));
        findings.push_back(counters(machine));
    }
    findings.push_back(nsight_compute(software));
    findings.push_back(cupti(software));
    if (!machine.virtual_gpu) add_chips(machine, software, findings);
    if (machine.virtual_gpu)
        findings.push_back(
            {"vGPU", Readiness::limited,
             "A GPU here is a share of one of its host, which may forbid counters; kernels are "
             "only timed then.",
             "Ask for the plug-in parameter enable_profiling=1 of this virtual machine."});
    if (machine.multi_process_service)
        findings.push_back(
            {"MPS", Readiness::limited,
             "The Multi-Process Service runs: programs that use it cannot be profiled by kernel.",
             "Stop it with `echo quit | nvidia-cuda-mps-control` while you profile."});
    if (machine.multi_instance)
        findings.push_back(
            {"MIG", Readiness::limited,
             "A GPU is divided into instances: memory counters of a shared instance are absent, "
             "and the ceilings are those of the instance.",
             "Profile on an instance that has its memory to itself."});
    return findings;
}

}  // namespace roofwalk
