// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/cupti_library.h"

#include <cupti_result.h>
#include <dlfcn.h>

#include <cstdlib>

namespace roofwalk::agent {

namespace {

constexpr const char* soname = "libcupti.so.13";

void* open_in_usual_folders() {
    std::string roots[] = {"", "", "/usr/local/cuda", "/opt/cuda"};
    if (const char* const home = std::getenv("CUDA_HOME")) roots[0] = home;
    if (const char* const path = std::getenv("CUDA_PATH")) roots[1] = path;
    for (const std::string& root : roots) {
        if (root.empty()) continue;
        for (const char* const folder : {"/lib64/", "/extras/CUPTI/lib64/", "/lib/"})
            if (void* const handle = dlopen((root + folder + soname).c_str(), RTLD_NOW | RTLD_LOCAL))
                return handle;
    }
    return nullptr;
}

}  // namespace

std::optional<CuptiLibrary> CuptiLibrary::load(const std::string& file) {
    void* handle = dlopen(soname, RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr && !file.empty()) handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr && file.empty()) handle = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr && file.empty()) handle = open_in_usual_folders();
    if (handle == nullptr) return std::nullopt;
    return CuptiLibrary(handle);
}

void* CuptiLibrary::symbol(const char* name) const {
    return dlsym(handle_, name);
}

std::string CuptiLibrary::name_of(int code) const {
    decltype(&::cuptiGetResultString) get_result_string = nullptr;
    find(get_result_string, "cuptiGetResultString");
    const char* text = nullptr;
    if (get_result_string == nullptr ||
        get_result_string(static_cast<CUptiResult>(code), &text) != CUPTI_SUCCESS || text == nullptr)
        return "error " + std::to_string(code);
    return text;
}

std::string sentence_for(const CuptiFailure& failure) {
    switch (failure.code) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return "Performance counters are restricted to administrators here; kernels are only timed.";
        case CUPTI_ERROR_HARDWARE_BUSY:
            return "Another profiler or monitor holds the performance counters; kernels are only timed.";
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return "Another profiler is at work in this program; nothing is recorded.";
        case CUPTI_ERROR_NOT_INITIALIZED:
        case CUPTI_ERROR_UNKNOWN:
            return "CUPTI cannot work with the driver of this machine; nothing is recorded.";
        case CUPTI_ERROR_NOT_SUPPORTED:
        case CUPTI_ERROR_INVALID_DEVICE:
            return "CUPTI has no counters for this device; kernels are only timed.";
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return "The host of this virtual GPU does not permit counters; kernels are only timed.";
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
            return "There are no counters in confidential computing; kernels are only timed.";
        case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
            return "There are no counters on mining processors; kernels are only timed.";
        case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
            return "There are no counters on this MIG instance; kernels are only timed.";
        case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
            return "There are no counters on devices in SLI; kernels are only timed.";
        case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
            return "There are no counters in this version of WSL; kernels are only timed.";
        case CUPTI_ERROR_OUT_OF_MEMORY:
            return "There was no memory left for the counters of a launch.";
        default:
            return "CUPTI could not count a launch.";
    }
}

}  // namespace roofwalk::agent
