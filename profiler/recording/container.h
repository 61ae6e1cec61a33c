// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace roofwalk {

/// What keeps this process apart from its machine.
enum class Container : std::uint8_t {
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
[[nodiscard]] Container read_container(const std::filesystem::path& root = "/");

/// Whether users are numbered otherwise here than on the machine (`user_namespaces(7)`): whoever is root then
/// has the rights of an ordinary user towards its driver, whatever capabilities /proc/self/status shows.
[[nodiscard]] bool has_own_users(const std::filesystem::path& root = "/");

/// How a GPU is made visible in such a container: "start the container with --gpus all".
[[nodiscard]] std::string how_to_show_gpus(Container container);

/// Of a process that has no right to read restricted counters: what gives it that right.
/// `own_users` as has_own_users() has it; `lacks_root_only`: the container has the capability, its user has
/// not.
[[nodiscard]] std::string how_to_permit_counters(Container container, bool own_users, bool lacks_root_only);

}  // namespace roofwalk
