// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

/// Disks that a test may fill: they are seen by the test alone.
namespace roofwalk::test {

/// From here on the test may mount. Call it at the start of main(), before there are threads. Says why not
/// where that is not allowed, and nothing otherwise.
inline std::string begin_own_mounts() {
    const auto user = std::to_string(geteuid());
    const auto group = std::to_string(getegid());
    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
            return std::string("nothing can be mounted here: ") + std::strerror(errno);
        std::ofstream("/proc/self/setgroups") << "deny";
        std::ofstream("/proc/self/uid_map") << user + ' ' + user + " 1";
        std::ofstream("/proc/self/gid_map") << group + ' ' + group + " 1";
    }
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return std::string("mounts cannot be made private here: ") + std::strerror(errno);
    return {};
}

/// A file system of 1 MiB in memory, mounted over a folder.
class SmallDisk {
  public:
    explicit SmallDisk(std::filesystem::path folder) : folder_(std::move(folder)) {
        mounted_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=1m") == 0;
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;
    ~SmallDisk() {
        if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
    }

    [[nodiscard]] bool mounted() const { return mounted_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    /// Leaves no room for another byte.
    void fill() const {
        const int file = ::open(filler().c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        const std::array<char, 4096> page{};
        while (write(file, page.data(), page.size()) > 0) {
        }
        close(file);
    }
    void make_room() const { std::filesystem::remove(filler()); }
    [[nodiscard]] bool make_read_only() const {
        return mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

  private:
    [[nodiscard]] std::filesystem::path filler() const { return folder_ / "filler"; }

    std::filesystem::path folder_;
    bool mounted_ = false;
};

/// Names in a folder, hidden ones too, in no order.
inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename());
    return names;
}

}  // namespace roofwalk::test
