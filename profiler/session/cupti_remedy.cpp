// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/cupti_remedy.h"

namespace roofwalk {

std::string_view remedy_for_cupti(std::int32_t code) {
    switch (code) {
        case 35:  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
            return "`roofwalk-cli check` says how to permit them.";
        case 26:  // CUPTI_ERROR_HARDWARE_BUSY
            return "End the other profiler, or pause the monitor (`dcgmi profiling --pause`).";
        case 39:  // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
            return "Start the program without it: a tool of Nsight, cuda-gdb, compute-sanitizer, or a profiler that "
                   "the program itself begins, such as that of PyTorch.";
        case 14:   // CUPTI_ERROR_NOT_COMPATIBLE
        case 15:   // CUPTI_ERROR_NOT_INITIALIZED
        case 999:  // CUPTI_ERROR_UNKNOWN
            return "Install driver 580 or later, or name the CUPTI that belongs to the driver with --cupti.";
        case 2:   // CUPTI_ERROR_INVALID_DEVICE
        case 27:  // CUPTI_ERROR_NOT_SUPPORTED
        case 46:  // CUPTI_ERROR_INVALID_CHIP_NAME
            return "The CUPTI of a newer CUDA toolkit may have them; name it with --cupti.";
        case 33:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
        case 40:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
            return "Ask for the plug-in parameter enable_profiling=1 of this virtual machine.";
        case 41:  // CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
            return "Record on a machine whose GPU is not in that mode.";
        case 42:  // CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED
            return "Record on another GPU.";
        case 43:  // CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED
            return "Record on an instance that has its memory to itself, or on an undivided GPU.";
        case 44:  // CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED
            return "Switch SLI off.";
        case 45:  // CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED
            return "Update Windows, and its NVIDIA driver to 525 or later.";
        default:
            return "";
    }
}

}  // namespace roofwalk
