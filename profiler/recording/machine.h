// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "profiler/recording/container.h"

namespace roofwalk {

/// What the kernel of this machine says of its NVIDIA driver. Reading it starts nothing on the GPU.
struct Machine {
    std::optional<std::string> driver_version;  ///< of the kernel module: "550.54.15"; absent: not loaded
    std::vector<std::string> gpus;              ///< models, in the order of their bus addresses
    bool device_node = false;                   ///< /dev/nvidiactl is visible here
    /// Counters are for administrators only (`RmProfilingAdminOnly`). Absent: the driver does not say.
    std::optional<bool> counters_are_restricted;
    /// Chips of these by their PCI numbers, as CUPTI calls them; empty where that is not known.
    std::vector<std::string> chips;
    std::uint64_t capabilities = 0;  ///< of this process, as the bits of CapEff in /proc/self/status
    std::uint64_t bounding = 0;      ///< CapBnd: what root would have here
    Container container = Container::none;
    bool own_users = false;          ///< has_own_users(): capabilities hold here alone
    bool windows_subsystem = false;  ///< WSL: the driver is that of Windows
    bool multi_process_service = false;
    bool multi_instance = false;  ///< MIG is on for a GPU of this machine
    bool virtual_gpu = false;     ///< a GPU is a share of one of its host (vGPU)

    /// CAP_SYS_ADMIN, or from driver 565 on CAP_PERFMON, on the machine itself: the driver lets this process
    /// read counters even when they are restricted.
    [[nodiscard]] bool may_read_restricted_counters() const;
    /// Root would have CAP_SYS_ADMIN here, and this process has not.
    [[nodiscard]] bool lacks_root_only() const;
};

/// `root` holds proc/ and dev/; a test gives a folder of its own.
[[nodiscard]] Machine read_machine(const std::filesystem::path& root = "/");

}  // namespace roofwalk
