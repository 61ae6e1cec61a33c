// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// The folder of this user for a kind of files (XDG Base Directory Specification): what `variable` names,
/// else `below_home` in the home folder. Absent where neither is an absolute path.
[[nodiscard]] inline std::optional<std::filesystem::path> xdg_folder(const char* variable,
                                                                     std::string_view below_home) {
    const auto absolute = [](const char* name) -> std::optional<std::filesystem::path> {
        const char* value = std::getenv(name);
        if (value == nullptr || *value != '/') return std::nullopt;
        return value;
    };
    if (auto folder = absolute(variable)) return folder;
    const auto home = absolute("HOME");
    return home ? std::optional(*home / below_home) : std::nullopt;
}

/// Content of a file whose size the system does not tell, as in /proc; empty where it cannot be read. A
/// process may make what the system tells of it as long as it likes: what is beyond `most` [byte] is left
/// out.
[[nodiscard]] inline std::string content_of(const std::filesystem::path& file,
                                            std::size_t most = std::size_t{32} << 20U) {
    constexpr std::size_t step = 65536;
    std::ifstream stream(file, std::ios::binary);
    std::string content;
    while (stream && content.size() < most) {
        const std::size_t before = content.size();
        content.resize(before + step);
        stream.read(content.data() + before, step);
        content.resize(before + static_cast<std::size_t>(stream.gcount()));
    }
    return content;
}

/// The text after "key:" in the first line of a file that starts so.
[[nodiscard]] std::optional<std::string> value_after(const std::filesystem::path& file, std::string_view key);

/// What keeps this process apart from its machine.
enum class ContainerKind : std::uint8_t {
    none,
    docker,
    podman,
    kubernetes,  ///< a pod, of whatever engine: containerd, CRI-O, Docker
    containerd,  ///< without Kubernetes, as nerdctl starts it
    apptainer,   ///< or Singularity
    lxc,         ///< or Incus, LXD, systemd-nspawn
    other,
};

/// `root` holds proc/ and what marks engines leave; a test gives a folder of its own.
[[nodiscard]] ContainerKind read_container(const std::filesystem::path& root = "/");

/// Whether users are numbered otherwise here than on the machine (`user_namespaces(7)`): whoever is root then
/// has the rights of an ordinary user towards its driver, whatever capabilities /proc/self/status shows.
[[nodiscard]] bool has_own_users(const std::filesystem::path& root = "/");

/// How a GPU is made visible in such a container: "start the container with --gpus all".
[[nodiscard]] std::string how_to_show_gpus(ContainerKind container);

/// Of a process that has no right to read restricted counters: what gives it that right.
/// `own_users` as has_own_users() has it; `lacks_root_only`: the container has the capability, its user has
/// not.
[[nodiscard]] std::string how_to_permit_counters(ContainerKind container, bool own_users,
                                                 bool lacks_root_only);

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
    ContainerKind container = ContainerKind::none;
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
