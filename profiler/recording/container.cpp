// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/container.h"

#include <array>
#include <initializer_list>
#include <sstream>
#include <string_view>

#include "profiler/recording/file_content.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

bool holds_any(const std::string& text, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts)
        if (text.find(part) != std::string::npos) return true;
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

}  // namespace

Container read_container(const fs::path& root) {
    // With control groups of its own a container does not see the name of its group, but for its mounts.
    const std::string groups = content_of(root / "proc/1/cgroup") + content_of(root / "proc/self/cgroup");
    const std::string mounts = own_mounts(root);
    const std::string environment = '\0' + content_of(root / "proc/self/environ");
    if (is_there(root / ".singularity.d") ||
        holds_any(environment, {"APPTAINER_CONTAINER=", "SINGULARITY_CONTAINER="}))
        return Container::apptainer;
    if (is_there(root / "var/run/secrets/kubernetes.io") || is_there(root / "run/secrets/kubernetes.io") ||
        holds_any(groups, {"kubepods"}) || holds_any(mounts, {"/kubelet/pods/"}) ||
        holds_any(environment, {"KUBERNETES_SERVICE_HOST="}))
        return Container::kubernetes;
    const std::string mark = content_of(root / "run/.containerenv");
    if (holds_any(mark, {"engine=\"podman"}) || holds_any(groups, {"libpod"}) ||
        holds_any(mounts, {"/containers/storage/", "/overlay-containers/"}))
        return Container::podman;
    if (is_there(root / ".dockerenv") || holds_any(groups, {"/docker/", "/docker-"}) ||
        holds_any(mounts, {"/docker/"}))
        return Container::docker;
    if (holds_any(groups, {"/cri-containerd", "/containerd/", "/nerdctl"}) ||
        holds_any(mounts, {"/containerd/", "/nerdctl/"}))
        return Container::containerd;
    if (is_there(root / "run/.containerenv")) return Container::podman;
    const std::string manager = content_of(root / "run/systemd/container");
    if (holds_any(groups, {"/lxc/", "/lxc.payload"}) || holds_any(manager, {"lxc", "systemd-nspawn"}) ||
        holds_any(environment, {std::string_view("\0container=lxc", 14),
                                std::string_view("\0container=systemd-nspawn", 25)}))
        return Container::lxc;
    return !manager.empty() || holds_any(environment, {std::string_view("\0container=", 11)})
               ? Container::other
               : Container::none;
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

std::string how_to_show_gpus(Container container) {
    switch (container) {
        case Container::none:
        case Container::other:
            return "make the devices /dev/nvidia* and the driver's libraries visible in it";
        case Container::docker:
        case Container::containerd:
            return "start the container with --gpus all";
        case Container::podman:
            return "start the container with --device nvidia.com/gpu=all";
        case Container::kubernetes:
            return "write `resources: {limits: {nvidia.com/gpu: 1}}` into the container of the pod's specification";
        case Container::apptainer:
            return "start the container with --nv";
        case Container::lxc:
            return "give the container its GPU and `nvidia.runtime=true`";
    }
    return {};
}

std::string how_to_permit_counters(Container container, bool own_users, bool lacks_root_only) {
    const std::string host = on_the_host("on its host");
    const bool shows_root_of_host = container == Container::none || container == Container::apptainer;
    if (lacks_root_only && !own_users && !shows_root_of_host)
        return "The container has the capability CAP_SYS_ADMIN, its user has not: run as root inside of it, or " +
               host + ".";
    switch (container) {
        case Container::none:
            if (own_users)
                return "Root here is an ordinary user of this machine (a user namespace, as of `unshare -r`): run outside of it "
                       "as root, or " +
                       on_the_host("of the machine") + ".";
            return "Run the profiler as root, or " + on_the_host("for all users") + ".";
        case Container::docker:
        case Container::containerd:
            if (own_users)
                return "Root in this container is an ordinary user of its host, so that no --cap-add gives counters: start it "
                       "with --userns=host --cap-add=SYS_ADMIN under a daemon that is not rootless, or " +
                       host + ".";
            return "Start the container with --cap-add=SYS_ADMIN and as root inside of it, or " + host + ".";
        case Container::podman:
            if (own_users)
                return "This container is rootless, so that no --cap-add gives counters: start it with `sudo podman run "
                       "--cap-add=SYS_ADMIN`, or " +
                       host + ".";
            return "Start the container with `sudo podman run --cap-add=SYS_ADMIN`, or " + host + ".";
        case Container::kubernetes:
            return std::string(
                       "Write `securityContext: {runAsUser: 0, capabilities: {add: [\"SYS_ADMIN\"]}}` into the "
                       "container of the pod's specification") +
                   (own_users
                        ? ", and `hostUsers: true` into the pod's, whose root is an ordinary user of its node"
                        : "") +
                   ", or " + on_the_host("on its node") + ".";
        case Container::apptainer:
            return "A container of Apptainer has the rights of its user: " + host +
                   ", or as root there start it with `apptainer exec --nv --add-caps CAP_SYS_ADMIN`.";
        case Container::lxc:
            if (own_users)
                return "Root in this container is an ordinary user of its host: " + host +
                       ", or make the container a privileged one that keeps sys_admin.";
            return "Let the container keep the capability sys_admin (not in lxc.cap.drop), or " + host + ".";
        case Container::other:
            return "Run outside of this container as root, or " + host + ".";
    }
    return {};
}

}  // namespace roofwalk
