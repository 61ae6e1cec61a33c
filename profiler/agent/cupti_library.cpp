// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_library.h"

#include <cupti_result.h>
#include <cupti_version.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string_view>
#include <vector>

#include "profiler/wire/cupti_folders.h"

namespace roofwalk::agent {

namespace {

void* open_library(const std::string& file) {
    return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

using Files = std::vector<std::string>;

/// `whole`: only one that can count.
void* open_in(const std::vector<std::string>& folders, const Files& files, bool whole) {
    for (const std::string& folder : folders) {
        if (whole && access((folder + "/" + wire::cupti_helper).c_str(), F_OK) != 0) continue;
        for (const std::string& file : files)
            if (void* const handle = open_library(folder + "/" + file)) return handle;
    }
    return nullptr;
}

void* open_in_toolkits(const std::vector<std::string>& toolkits, const Files& files, bool whole) {
    for (const std::string& toolkit : toolkits)
        if (void* const handle = open_in(wire::cupti_folders_of(toolkit), files, whole)) return handle;
    return nullptr;
}

/// A toolkit that the environment names goes before the loader, which goes before what is installed.
void* look_for(const Files& files) {
    void* handle = nullptr;
    for (const bool whole : {true, false}) {
        if (handle == nullptr) handle = open_in_toolkits(wire::toolkits_of_environment(), files, whole);
        if (handle == nullptr) handle = open_in(wire::cupti_folders_of_environment(), files, whole);
        for (const std::string& file : files)
            if (handle == nullptr) handle = open_library(file);
        if (handle == nullptr) handle = open_in_toolkits(wire::installed_toolkits(""), files, whole);
        if (handle == nullptr) handle = open_in(wire::cupti_folders_of_system(""), files, whole);
    }
    return handle;
}

/// Whether the code says so of the device where the call is one that each launch makes, too.
bool is_of_the_device(int code) {
    switch (code) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            return true;
        default:
            return false;
    }
}

/// Whether the code says so of the device unless a launch has made the call.
bool is_of_device_or_launch(int code) {
    switch (code) {
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
        case CUPTI_ERROR_NOT_INITIALIZED:
        case CUPTI_ERROR_NOT_COMPATIBLE:
        case CUPTI_ERROR_NOT_SUPPORTED:
        case CUPTI_ERROR_INVALID_DEVICE:
        case CUPTI_ERROR_INVALID_CHIP_NAME:
            return true;
        default:
            return false;
    }
}

bool is_of_a_launch(const std::string& call) {
    return call.starts_with("cuptiRangeProfiler") && call != "cuptiRangeProfilerEnable";
}

/// Whether the device is asked so before its launches, and never again.
bool is_asked_once(const std::string& call) {
    return call.starts_with("cuptiProfiler") || call == "cuptiDeviceGetChipName";
}

}  // namespace

std::optional<CuptiLibrary> CuptiLibrary::load(const std::string& file, int driver_cuda) {
    void* handle = nullptr;
    for (const wire::CuptiRelease& release : wire::cupti_releases)
        if (handle == nullptr) handle = dlopen(release.file, RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr && other_in_process().empty())
        handle = file.empty() ? look_for(wire::cupti_files_for(driver_cuda)) : open_library(file);
    if (handle == nullptr) return std::nullopt;
    return CuptiLibrary(handle);
}

std::string CuptiLibrary::other_in_process() {
    const char* found = nullptr;
    const auto look = [](dl_phdr_info* library, std::size_t, void* place) {
        const std::string_view path = library->dlpi_name != nullptr ? library->dlpi_name : "";
        const std::string_view name = path.substr(path.rfind('/') + 1);
        // Wheels of Python have names such as libcupti-1a2b3c4d.so.11.8.
        if (!name.starts_with("libcupti.so") && !name.starts_with("libcupti-")) return 0;
        *static_cast<const char**>(place) = path.data();
        return 1;
    };
    dl_iterate_phdr(look, &found);
    return found != nullptr ? found : "";
}

CuptiLibrary::Symbol CuptiLibrary::find(const char* name) const {
    return {dlsym(handle_, name)};
}

std::optional<std::uint32_t> CuptiLibrary::version() const {
    const decltype(&::cuptiGetVersion) get_version = find("cuptiGetVersion");
    std::uint32_t version = 0;
    if (get_version == nullptr || get_version(&version) != CUPTI_SUCCESS || version == 0) return std::nullopt;
    return version;
}

std::optional<CuptiFailure> CuptiLibrary::load_helper() const {
    const wire::Helper helper = wire::load_helper_of(handle_);
    if (helper == wire::Helper::loaded) return std::nullopt;
    if (helper == wire::Helper::of_another)
        return CuptiFailure{CUPTI_ERROR_NOT_COMPATIBLE, wire::cupti_helper, CuptiFailure::At::helper};
    std::array<char, PATH_MAX> folder{};
    static_cast<void>(dlinfo(handle_, RTLD_DI_ORIGIN, folder.data()));
    return CuptiFailure{CUPTI_ERROR_NOT_COMPATIBLE, std::string(folder.data()) + "/" + wire::cupti_helper,
                        CuptiFailure::At::no_helper};
}

bool is_held_by_others(const CuptiFailure& failure) {
    return failure.code == CUPTI_ERROR_HARDWARE_BUSY;
}

bool is_refusal(const CuptiFailure& failure) {
    return is_of_the_device(failure.code) ||
           (is_of_device_or_launch(failure.code) && !is_of_a_launch(failure.call));
}

std::string sentence_for(const CuptiFailure& failure, bool others_count) {
    const bool at_start = failure.at == CuptiFailure::At::start;
    const std::string then = at_start       ? "; nothing is recorded."
                             : others_count ? "."
                                            : "; kernels are only timed.";
    if (failure.at == CuptiFailure::At::helper)
        return "The program has loaded " + failure.call + " of another CUPTI" + then;
    if (failure.at == CuptiFailure::At::no_helper)
        return "The CUPTI in this program lacks " + failure.call + ", with which it counts" + then;
    if (failure.at == CuptiFailure::At::too_old)
        return "The CUPTI in this program is older than that of CUDA 12.6, and counts by other calls" + then;
    std::string otherwise = at_start                      ? "CUPTI could not begin" + then
                            : is_asked_once(failure.call) ? "CUPTI does not say what it counts here" + then
                                                          : "CUPTI could not count a launch.";
    const bool is_final = at_start || is_asked_once(failure.call);
    if (is_of_device_or_launch(failure.code) && !is_refusal(failure)) return otherwise;
    switch (failure.code) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return "Performance counters are restricted to administrators here" + then;
        case CUPTI_ERROR_HARDWARE_BUSY:
            if (is_final) return "Another profiler or monitor holds the performance counters" + then;
            return "Another profiler or monitor holds the performance counters; kernels are only timed, and "
                   "counters are tried again after a second, then more and more rarely.";
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return "Another profiler is at work in this program" + then;
        case CUPTI_ERROR_NOT_INITIALIZED:
        case CUPTI_ERROR_NOT_COMPATIBLE:
            return "CUPTI cannot work with the driver of this machine" + then;
        case CUPTI_ERROR_UNKNOWN:
            return at_start   ? "CUPTI cannot work with the driver of this machine" + then
                   : is_final ? otherwise
                              : "CUPTI could not count a launch, and does not say why.";
        case CUPTI_ERROR_NOT_SUPPORTED:
        case CUPTI_ERROR_INVALID_DEVICE:
        case CUPTI_ERROR_INVALID_CHIP_NAME:
            return "CUPTI has no counters for this device" + then;
        case CUPTI_ERROR_INVALID_METRIC_NAME:
            return "The CUPTI in this program does not know a counter that was planned; launches that were to get it "
                   "are not counted.";
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
            return "There are no counters on virtual GPUs of this kind" + then;
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return "The host of this virtual GPU does not permit counters" + then;
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
            return "There are no counters in confidential computing" + then;
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
            return "There are no counters on mining processors" + then;
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
            return "There are no counters on this MIG instance" + then;
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
            return "There are no counters on devices in SLI" + then;
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            return "There are no counters in this version of WSL" + then;
        case CUPTI_ERROR_OUT_OF_MEMORY:
            return is_final ? otherwise : "There was no memory left for the counters of a launch.";
        default:
            return otherwise;
    }
}

}  // namespace roofwalk::agent
