// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/cupti_remedy.h"

#include "profiler/plan/cupti_codes.h"

namespace roofwalk {

namespace {

/// Where these fail nothing has worked yet; later the same code comes after an error of the program.
bool is_a_beginning(std::string_view call) {
    return call == "cuptiSubscribe_v2" || call == "cuptiProfilerInitialize";
}

}  // namespace

std::string_view remedy_for_cupti(std::int32_t code, std::string_view call) {
    if (code == cupti_code::unknown && !is_a_beginning(call))
        return "An error of the program on the GPU ends counting too: look for one with compute-sanitizer.";
    switch (code) {
        case cupti_code::insufficient_privileges:
            return "`roofwalk-cli check` says how to permit them.";
        case cupti_code::hardware_busy:
            return "End the other profiler, or pause the monitor (`dcgmi profiling --pause`).";
        case cupti_code::multiple_subscribers_not_supported:
            return "Start the program without it: a tool of Nsight, cuda-gdb, compute-sanitizer, or a profiler that "
                   "the program itself begins, such as that of PyTorch.";
        case cupti_code::not_compatible:
        case cupti_code::not_initialized:
        case cupti_code::unknown:
            return "Install driver 580 or later; where that is installed, update it to one no older than the "
                   "CUDA toolkit of this CUPTI.";
        case cupti_code::invalid_device:
        case cupti_code::not_supported:
        case cupti_code::invalid_chip_name:
            return "The CUPTI of a newer CUDA toolkit may have them; name it with --cupti.";
        case cupti_code::invalid_metric_name:
            return "Record with the CUPTI that the program has loaded, or with that of a newer CUDA toolkit: name it with "
                   "--cupti.";
        case cupti_code::virtualized_device_not_supported:
            return "Ask for a virtual GPU of a kind that can be profiled, with the plug-in parameter enable_profiling=1, or "
                   "record on a whole GPU.";
        case cupti_code::virtualized_device_insufficient_privileges:
            return "Ask for the plug-in parameter enable_profiling=1 of this virtual machine.";
        case cupti_code::confidential_computing_not_supported:
            return "Record on a machine whose GPU is not in that mode.";
        case cupti_code::cmp_device_not_supported:
            return "Record on another GPU.";
        case cupti_code::mig_device_not_supported:
            return "Record on an instance that has its memory to itself, or on an undivided GPU.";
        case cupti_code::sli_device_not_supported:
            return "Switch SLI off.";
        case cupti_code::wsl_device_not_supported:
            return "Update Windows, and its NVIDIA driver to 525 or later.";
        default:
            return "";
    }
}

}  // namespace roofwalk
