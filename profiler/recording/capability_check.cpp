// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/capability_check.h"
#include "core/devices/match_device.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

#include "core/devices/chip.h"
#include "profiler/recording/child_process.h"
#include "profiler/wire/cupti_folders.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> versions_of(const fs::path& folder, std::string_view prefix) {
    std::vector<fs::path> found;
    for (const std::string& name : wire::versions_in(folder.string(), prefix))
        found.push_back(folder / name);
    return found;
}

/// Its own prefix, which is that of a virtual environment, goes before that of the Python it was made from.
std::vector<std::string> folders_of_python(const fs::path& python) {
    std::vector<std::string> folders;
    if (python.empty()) return folders;
    std::error_code failed;
    const fs::path real = fs::canonical(python, failed);
    std::string version = real.filename().string();
    if (version.find('.') == std::string::npos) version.clear();
    std::vector<fs::path> prefixes{python.parent_path().parent_path(), real.parent_path().parent_path()};
    if (const auto own = xdg_folder("PYTHONUSERBASE", ".local")) prefixes.push_back(*own);
    for (const fs::path& prefix : prefixes)
        std::ranges::move(wire::cupti_folders_of_python(prefix.string(), version),
                          std::back_inserter(folders));
    return folders;
}

/// The libraries in these folders that have their planner beside them.
std::vector<fs::path> each_once(const std::vector<std::string>& folders) {
    std::vector<fs::path> found;
    std::set<fs::path> told;
    for (const fs::path folder : folders)
        for (const wire::CuptiRelease& release : wire::cupti_releases) {
            std::error_code failed;
            const fs::path library = folder / release.file;
            if (fs::exists(library, failed) && fs::exists(folder / wire::cupti_helper, failed) &&
                told.insert(fs::canonical(library, failed)).second)
                found.push_back(library);
        }
    return found;
}

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
                machine.container != ContainerKind::none
                    ? fmt::format("Install the driver on the host of this container, and {}.",
                                  how_to_show_gpus(machine.container))
                    : "Install the NVIDIA driver, or load it with `modprobe nvidia`."};
    if (!software.driver_cuda)
        return {"driver", Readiness::missing,
                fmt::format("Driver {} is loaded, but libcuda.so.1 cannot be.", *machine.driver_version),
                machine.container != ContainerKind::none
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
                machine.container != ContainerKind::none
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
    if (software.driver_cuda && wire::cupti_files_for(*software.driver_cuda).empty())
        return {
            "CUPTI", Readiness::missing,
            fmt::format("The agent records through CUPTI 12 or 13, and this driver serves CUDA {}.{} alone.",
                        *software.driver_cuda / 1000, *software.driver_cuda % 1000 / 10),
            "Install driver 525 or later (580 for CUPTI 13), or record with Nsight Compute."};
    const CuptiChoice& choice = software.cupti;
    if (choice.library.empty()) {
        const Error why = why_no_cupti(choice);
        return {"CUPTI", Readiness::limited,
                why.where.empty()
                    ? why.what + ": counter passes cannot be planned here."
                    : fmt::format("{}: {}. Counter passes cannot be planned here.", why.where, why.what),
                why.hint};
    }
    std::string what = choice.library.string();
    if (choice.version != 0) what += fmt::format(" (CUDA {})", words_for_cupti(choice.version));
    for (const Error& other : choice.passed_over)
        what += fmt::format("; not {}: {}", other.where, other.what);
    return {"CUPTI", Readiness::ready, what + ".",
            "`roofwalk-cli check --chip all` prints the counters it would collect, and in how many passes."};
}

/// A model that is in no table of ours, which may be newer than this release, or only rare. CUPTI goes by the
/// chip, whose name the driver tells with a context alone; the PCI number mostly tells it before.
CapabilityFinding chip(const std::string& model, const std::string& chip, const NvidiaSoftware& software) {
    const std::string unlisted =
        model + " is in no table of this release, so that its roofs are those that are measured";
    if (chip.empty() || software.cupti.chips.empty())
        return {
            "chip", Readiness::limited,
            chip.empty()
                ? fmt::format("{}. Which chip it has, and whether CUPTI counts on that, shows when recording "
                              "starts; where it does not, kernels are only timed.",
                              unlisted)
                : fmt::format("{}. Its chip is {}; without CUPTI nobody can tell whether it counts on that.",
                              unlisted, chip),
            "`roofwalk-cli check --chip all` lists the chips that CUPTI counts on."};
    if (find_chip(chip) != nullptr &&
        std::ranges::find(software.cupti.chips, chip) != software.cupti.chips.end())
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
    if (auto ncu = program_on(path, "ncu")) return ncu;
    std::vector<fs::path> folders = versions_of(root / "opt/nvidia/nsight-compute", "2");
    for (const fs::path& toolkit : versions_of(root / "usr/local", "cuda"))
        folders.push_back(toolkit / "bin");
    for (const fs::path& folder : folders)
        if (can_run(folder / "ncu")) return folder / "ncu";
    return std::nullopt;
}

bool is_python(const fs::path& program) {
    const std::string name = program.filename().string();
    std::string_view rest = name;
    if (!name.starts_with("python") && !name.starts_with("pypy")) return false;
    rest.remove_prefix(name.starts_with("pypy") ? 4 : 6);
    rest.remove_prefix(std::min(rest.find_first_not_of("0123456789."), rest.size()));
    // Built without the global lock, for debugging, or both.
    return rest.empty() || rest == "t" || rest == "d" || rest == "td" || rest == "-dbg";
}

fs::path python_of(const fs::path& program, const std::string& path) {
    if (is_python(program)) return program;
    std::string line = content_of(program, 1);
    line.resize(std::min(line.find('\n'), line.size()));
    if (!line.starts_with("#!")) return {};
    std::istringstream words(line.substr(2));
    std::string interpreter;
    std::string argument;
    words >> interpreter >> argument;
    if (is_python(interpreter)) return interpreter;
    if (fs::path(interpreter).filename() != "env" || !is_python(argument)) return {};
    return program_on(path, argument).value_or(fs::path());
}

fs::path python_of_process(pid_t process, const fs::path& root) {
    const auto found = read_gpu_process(process, root);
    if (!found || found->other_namespace || found->command.empty()) return {};
    const fs::path folder = root / "proc" / std::to_string(process);
    const fs::path started = found->command.front();
    fs::path python = found->directory / started;
    if (!started.has_parent_path()) {
        std::istringstream environment(content_of(folder / "environ"));
        std::string path;
        for (std::string line; std::getline(environment, line, '\0');)
            if (line.starts_with("PATH=")) path = line.substr(line.find('=') + 1);
        python = program_on(path, started.string(), found->directory).value_or(fs::path());
    }
    std::error_code failed;
    // It may have gone to another folder since, or call itself otherwise.
    if (!fs::exists(python, failed)) python = fs::read_symlink(folder / "exe", failed);
    return is_python(python) ? python : fs::path();
}

std::vector<fs::path> find_cupti_here(const fs::path& python, const fs::path& root) {
    std::vector<std::string> folders = folders_of_python(python);
    for (const std::string& toolkit : wire::toolkits_of_environment())
        std::ranges::move(wire::cupti_folders_of(toolkit), std::back_inserter(folders));
    std::ranges::move(wire::cupti_folders_of_environment(), std::back_inserter(folders));
    const std::string prefix = root == "/" ? std::string() : root.string();
    for (const std::string& toolkit : wire::installed_toolkits(prefix))
        std::ranges::move(wire::cupti_folders_of(toolkit), std::back_inserter(folders));
    std::ranges::move(wire::cupti_folders_of_system(prefix), std::back_inserter(folders));
    const char* const path = std::getenv("PATH");
    const auto python3 = program_on(path == nullptr ? "" : path, "python3");
    std::ranges::move(folders_of_python(python3.value_or(fs::path())), std::back_inserter(folders));
    return each_once(folders);
}

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
