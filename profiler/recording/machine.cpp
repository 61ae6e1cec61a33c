// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/machine.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <sstream>

#include "core/base/text.h"
#include "core/devices/chip.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

bool holds_any(const std::string& text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        if (contains(text, part)) return true;
    return false;
}

bool is_there(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

/// The mounts that engines make in every container: of its root, and of the files that hold its name and
/// addresses. Others show what a machine does for its containers.
std::string own_mounts(const fs::path& root) {
    std::string own;
    std::istringstream mounts(content_of(root / "proc/self/mountinfo"));
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream fields(line);
        std::string point;
        for (int field = 0; field < 5; ++field)
            fields >> point;
        if (point == "/" || point == "/etc/hosts" || point == "/etc/hostname" || point == "/etc/resolv.conf")
            own += line + '\n';
    }
    return own;
}

/// The last remedy everywhere, which needs the administrator of the machine.
constexpr std::string_view module_option =
    "`options nvidia NVreg_RestrictProfilingToAdminUsers=0` in a file of /etc/modprobe.d";

std::string on_the_host(std::string_view of) {
    return "lift the restriction " + std::string(of) + " (" + std::string(module_option) +
           ", then `update-initramfs -u` or `dracut --force`, and restart)";
}

constexpr unsigned cap_sys_admin = 21;
constexpr unsigned cap_perfmon = 38;
constexpr long first_driver_with_perfmon = 565;

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

bool is_version(std::string_view word) {
    return word.find('.') != std::string_view::npos &&
           word.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 ...": the first word that is a
/// version. The open module puts "Open Kernel Module for x86_64" before it.
std::optional<std::string> driver_version(const fs::path& proc) {
    const auto text = value_after(proc / "driver/nvidia/version", "NVRM version");
    if (!text) return std::nullopt;
    std::string_view rest = *text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of(" \t"), rest.size());
        if (is_version(rest.substr(0, end))) return std::string(rest.substr(0, end));
        rest = trimmed(rest.substr(end));
    }
    return std::nullopt;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code ignored;  // a folder that is not there has no entries
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored))
        entries.push_back(entry->path());
    std::ranges::sort(entries);
    return entries;
}

std::vector<std::string> gpu_models(const fs::path& proc) {
    std::vector<std::string> models;
    for (const fs::path& gpu : entries_of(proc / "driver/nvidia/gpus"))
        if (auto model = value_after(gpu / "information", "Model")) models.push_back(std::move(*model));
    return models;
}

/// "0x2330" in the folder of the device on its bus.
std::vector<std::string> gpu_chips(const fs::path& root) {
    std::vector<std::string> chips;
    for (const fs::path& gpu : entries_of(root / "proc/driver/nvidia/gpus")) {
        if (!value_after(gpu / "information", "Model")) continue;
        const auto number = lines_of(root / "sys/bus/pci/devices" / gpu.filename() / "device");
        const long device = number.empty() ? 0 : std::strtol(number.front().c_str(), nullptr, 16);
        const Chip* chip = chip_of_pci_device(static_cast<std::uint16_t>(device));
        chips.emplace_back(chip != nullptr ? chip->name : std::string_view());
    }
    return chips;
}

std::optional<bool> counters_are_restricted(const fs::path& proc) {
    const auto value = value_after(proc / "driver/nvidia/params", "RmProfilingAdminOnly");
    if (!value) return std::nullopt;
    return *value != "0";
}

std::uint64_t capabilities(const fs::path& proc, std::string_view set) {
    const std::string text = value_after(proc / "self/status", set).value_or("");
    std::uint64_t bits = 0;
    std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    return bits;
}

bool is_windows_subsystem(const fs::path& proc) {
    const auto release = lines_of(proc / "sys/kernel/osrelease");
    return !release.empty() &&
           (contains(release.front(), "microsoft") || contains(release.front(), "Microsoft"));
}

/// The kernel cuts the names of processes to 15 characters.
bool runs_multi_process_service(const fs::path& proc) {
    return std::ranges::any_of(entries_of(proc), [](const fs::path& process) {
        const auto name = lines_of(process / "comm");
        return !name.empty() && name.front().starts_with("nvidia-cuda-mps");
    });
}

bool has_instances(const fs::path& proc) {
    return std::ranges::any_of(entries_of(proc / "driver/nvidia/capabilities"), [](const fs::path& gpu) {
        return std::ranges::any_of(entries_of(gpu / "mig"), [](const fs::path& entry) {
            return entry.filename().string().starts_with("gi");
        });
    });
}

/// "GRID V100D-8Q", "NVIDIA A40-48Q", "NVIDIA A100-1-5C": the memory of the share, and the kind of its
/// licence.
bool is_share_of_gpu(const std::string& model) {
    if (model.starts_with("GRID ")) return true;
    const auto dash = model.rfind('-');
    if (dash == std::string::npos) return false;
    const std::string_view share = std::string_view(model).substr(dash + 1);
    return share.size() > 1 && std::string_view("ABCQ").find(share.back()) != std::string_view::npos &&
           share.find_first_not_of("0123456789") == share.size() - 1;
}

}  // namespace

ContainerKind read_container(const fs::path& root) {
    // With control groups of its own a container does not see the name of its group, but for its mounts.
    const std::string groups = content_of(root / "proc/1/cgroup") + content_of(root / "proc/self/cgroup");
    const std::string mounts = own_mounts(root);
    const std::string environment = '\0' + content_of(root / "proc/self/environ");
    if (is_there(root / ".singularity.d") ||
        holds_any(environment, {"APPTAINER_CONTAINER=", "SINGULARITY_CONTAINER="}))
        return ContainerKind::apptainer;
    if (is_there(root / "var/run/secrets/kubernetes.io") || is_there(root / "run/secrets/kubernetes.io") ||
        holds_any(groups, {"kubepods"}) || holds_any(mounts, {"/kubelet/pods/"}) ||
        holds_any(environment, {"KUBERNETES_SERVICE_HOST="}))
        return ContainerKind::kubernetes;
    const std::string mark = content_of(root / "run/.containerenv");
    if (holds_any(mark, {"engine=\"podman"}) || holds_any(groups, {"libpod"}) ||
        holds_any(mounts, {"/containers/storage/", "/overlay-containers/"}))
        return ContainerKind::podman;
    if (is_there(root / ".dockerenv") || holds_any(groups, {"/docker/", "/docker-"}) ||
        holds_any(mounts, {"/docker/"}))
        return ContainerKind::docker;
    if (holds_any(groups, {"/cri-containerd", "/containerd/", "/nerdctl"}) ||
        holds_any(mounts, {"/containerd/", "/nerdctl/"}))
        return ContainerKind::containerd;
    if (is_there(root / "run/.containerenv")) return ContainerKind::podman;
    const std::string manager = content_of(root / "run/systemd/container");
    if (holds_any(groups, {"/lxc/", "/lxc.payload"}) || holds_any(manager, {"lxc", "systemd-nspawn"}) ||
        holds_any(environment, {std::string_view("\0container=lxc", 14),
                                std::string_view("\0container=systemd-nspawn", 25)}))
        return ContainerKind::lxc;
    return !manager.empty() || holds_any(environment, {std::string_view("\0container=", 11)})
               ? ContainerKind::other
               : ContainerKind::none;
}

bool has_own_users(const fs::path& root) {
    std::istringstream map(content_of(root / "proc/self/uid_map"));
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    std::uint64_t count = 0;
    if (!(map >> inside >> outside >> count)) return false;
    constexpr std::uint64_t all = 4'294'967'295U;
    return inside != 0 || outside != 0 || count != all;
}

std::string how_to_show_gpus(ContainerKind container) {
    switch (container) {
        case ContainerKind::none:
        case ContainerKind::other:
            return "make the devices /dev/nvidia* and the driver's libraries visible in it";
        case ContainerKind::docker:
        case ContainerKind::containerd:
            return "start the container with --gpus all";
        case ContainerKind::podman:
            return "start the container with --device nvidia.com/gpu=all";
        case ContainerKind::kubernetes:
            return "write `resources: {limits: {nvidia.com/gpu: 1}}` into the container of the pod's specification";
        case ContainerKind::apptainer:
            return "start the container with --nv";
        case ContainerKind::lxc:
            return "give the container its GPU and `nvidia.runtime=true`";
    }
    return {};
}

std::string how_to_permit_counters(ContainerKind container, bool own_users, bool lacks_root_only) {
    const std::string host = on_the_host("on its host");
    const bool shows_root_of_host = container == ContainerKind::none || container == ContainerKind::apptainer;
    if (lacks_root_only && !own_users && !shows_root_of_host)
        return "The container has the capability CAP_SYS_ADMIN, its user has not: run as root inside of it, or " +
               host + ".";
    switch (container) {
        case ContainerKind::none:
            if (own_users)
                return "Root here is an ordinary user of this machine (a user namespace, as of `unshare -r`): run outside of it "
                       "as root, or " +
                       on_the_host("of the machine") + ".";
            return "Run the profiler as root, or " + on_the_host("for all users") + ".";
        case ContainerKind::docker:
        case ContainerKind::containerd:
            if (own_users)
                return "Root in this container is an ordinary user of its host, so that no --cap-add gives counters. Start it "
                       "with --userns=host --cap-add=SYS_ADMIN under a daemon that is not rootless, or " +
                       host + ".";
            return "Start the container with --cap-add=SYS_ADMIN and as root inside of it, or " + host + ".";
        case ContainerKind::podman:
            if (own_users)
                return "This container is rootless, so that no --cap-add gives counters. Start it with `sudo podman run "
                       "--cap-add=SYS_ADMIN`, or " +
                       host + ".";
            return "Start the container with `sudo podman run --cap-add=SYS_ADMIN`, or " + host + ".";
        case ContainerKind::kubernetes:
            return std::string(
                       "Write `securityContext: {runAsUser: 0, capabilities: {add: [\"SYS_ADMIN\"]}}` into the "
                       "container of the pod's specification") +
                   (own_users
                        ? ", and `hostUsers: true` into the pod's, whose root is an ordinary user of its node"
                        : "") +
                   ", or " + on_the_host("on its node") + ".";
        case ContainerKind::apptainer:
            return "A container of Apptainer has the rights of its user: " + host +
                   ", or as root there start it with `apptainer exec --nv --add-caps CAP_SYS_ADMIN`.";
        case ContainerKind::lxc:
            if (own_users)
                return "Root in this container is an ordinary user of its host: " + host +
                       ", or make the container a privileged one that keeps sys_admin.";
            return "Let the container keep the capability sys_admin (not in lxc.cap.drop), or " + host + ".";
        case ContainerKind::other:
            return "Run outside of this container as root, or " + host + ".";
    }
    return {};
}

std::optional<std::string> value_after(const fs::path& file, std::string_view key) {
    for (const std::string_view line : lines_of(file))
        if (line.starts_with(key) && line.substr(key.size()).starts_with(':'))
            return std::string(trimmed(line.substr(key.size() + 1)));
    return std::nullopt;
}

bool Machine::may_read_restricted_counters() const {
    if (own_users) return false;
    if ((capabilities >> cap_sys_admin & 1U) != 0) return true;
    const bool heeds_perfmon =
        !driver_version || std::strtol(driver_version->c_str(), nullptr, 10) >= first_driver_with_perfmon;
    return heeds_perfmon && (capabilities >> cap_perfmon & 1U) != 0;
}

bool Machine::lacks_root_only() const {
    return (bounding >> cap_sys_admin & 1U) != 0 && (capabilities >> cap_sys_admin & 1U) == 0;
}

Machine read_machine(const fs::path& root) {
    const fs::path proc = root / "proc";
    Machine machine;
    machine.driver_version = driver_version(proc);
    machine.gpus = gpu_models(proc);
    machine.device_node = fs::exists(root / "dev/nvidiactl");
    machine.counters_are_restricted = counters_are_restricted(proc);
    machine.chips = gpu_chips(root);
    machine.capabilities = capabilities(proc, "CapEff");
    machine.bounding = capabilities(proc, "CapBnd");
    machine.container = read_container(root);
    machine.own_users = has_own_users(root);
    machine.windows_subsystem = is_windows_subsystem(proc);
    machine.multi_process_service = runs_multi_process_service(proc);
    machine.multi_instance = has_instances(proc);
    machine.virtual_gpu = std::ranges::any_of(machine.gpus, is_share_of_gpu);
    return machine;
}

}  // namespace roofwalk
