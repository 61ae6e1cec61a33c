// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/capability_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/roofline/device_ceilings.h"

namespace roofwalk {

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
        return {
            "driver", Readiness::missing, "The NVIDIA kernel module is not loaded.",
            machine.container
                ? "Install the driver on the host of this container and start the container with --gpus all."
                : "Install the NVIDIA driver, or load it with `modprobe nvidia`."};
    if (!software.driver_cuda)
        return {"driver", Readiness::missing,
                fmt::format("Driver {} is loaded, but libcuda.so.1 cannot be.", *machine.driver_version),
                machine.container ? "Start the container with --gpus all, which brings the library in."
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
                machine.container ? "Start the container with --gpus all."
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
            machine.container
                ? "Start the container with --cap-add=SYS_ADMIN, or lift the restriction on its host."
                : "Run the profiler as root, or put `options nvidia NVreg_RestrictProfilingToAdminUsers=0` "
                  "into a file of /etc/modprobe.d, run `update-initramfs -u` and restart."};
}

CapabilityFinding nsight_compute(const NvidiaSoftware& software) {
    if (software.nsight_compute)
        return {"Nsight Compute", Readiness::ready, fmt::format("{}.", software.nsight_compute->string()),
                "Record with `ncu --set roofline -o report PROGRAM` and open report.ncu-rep."};
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

/// Models that are not in our table; the driver has those that came after this release too.
std::vector<std::string> unknown_gpus(const Machine& machine) {
    std::vector<std::string> unknown;
    if (machine.virtual_gpu) return unknown;
    for (const std::string& gpu : machine.gpus)
        if (find_known_device(gpu) == nullptr && std::ranges::find(unknown, gpu) == unknown.end())
            unknown.push_back(gpu);
    return unknown;
}

}  // namespace

std::vector<CapabilityFinding> check_capabilities(const Machine& machine, const NvidiaSoftware& software) {
    std::vector<CapabilityFinding> findings{driver(machine, software)};
    // What a missing driver leaves unknown is not worth a line of its own.
    if (findings.front().readiness != Readiness::missing) {
        if (!machine.windows_subsystem) findings.push_back(gpus(machine));
        findings.push_back(counters(machine));
    }
    findings.push_back(nsight_compute(software));
    findings.push_back(cupti(software));
    if (const auto unknown = unknown_gpus(machine); !unknown.empty())
        findings.push_back(
            {"chip", Readiness::limited,
             fmt::format(
                 "{} is in no table of this release: its chip may be newer than CUPTI, and kernels are "
                 "only timed then.",
                 fmt::join(unknown, ", ")),
             "`roofwalk-cli check --chip all` lists the chips that CUPTI counts on; that of a newer CUDA toolkit "
             "knows more of them."});
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
