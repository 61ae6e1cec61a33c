// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/process_owner.h"

#include <fmt/format.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "profiler/recording/file_content.h"

namespace roofwalk {

namespace {

/// The numbers of one line of the status, behind `label`; empty where there is no such line.
std::vector<std::uint32_t> numbers_of(std::string_view status, std::string_view label) {
    std::vector<std::uint32_t> numbers;
    std::string_view rest = status;
    while (!rest.empty() && !rest.starts_with(label))
        rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    rest = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(label.size(), rest.size()));
    for (;;) {
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
        std::uint32_t number = 0;
        const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (read.ec != std::errc()) return numbers;
        numbers.push_back(number);
        rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
    }
}

Error of_another_user(pid_t process, const ProcessOwner& owner) {
    if (!owner.one_user)
        return {ErrorCode::not_profiled, "This process runs with the rights of several users",
                fmt::format("process {}", process), "Record a program that has those of one."};
    return {ErrorCode::not_profiled, "This process belongs to another user",
            fmt::format("process {}, uid {}", process, owner.user),
            "Attach as that user, or with `roofwalk-cli attach` as root."};
}

}  // namespace

std::optional<ProcessOwner> owner_in(std::string_view status) {
    const auto users = numbers_of(status, "Uid:");
    const auto groups = numbers_of(status, "Gid:");
    if (users.empty()) return std::nullopt;
    ProcessOwner owner;
    owner.user = users.front();
    owner.one_user = std::ranges::all_of(users, [&](uid_t user) { return user == owner.user; });
    // Without a group of its own it has none of ours either.
    owner.group = groups.empty() ? static_cast<gid_t>(-1) : groups.front();
    owner.groups = numbers_of(status, "Groups:");
    return owner;
}

std::optional<ProcessOwner> read_owner(pid_t process, const std::filesystem::path& root) {
    return owner_in(content_of(root / "proc" / std::to_string(process) / "status"));
}

Result<void> refuse_other_owner(pid_t process) {
    const auto owner = read_owner(process);
    if (!owner)
        return tl::unexpected(Error{ErrorCode::not_profiled, "There is no such process",
                                    fmt::format("process {}", process), "It may have ended meanwhile."});
    if (owner->one_user && owner->user == geteuid()) return {};
    return tl::unexpected(of_another_user(process, *owner));
}

Result<void> become_owner(const ProcessOwner& owner) {
    const auto failed = [&](const char* what) {
        return tl::unexpected(Error{ErrorCode::not_profiled,
                                    fmt::format("The rights of root cannot be given up ({}): {}", what,
                                                std::error_code(errno, std::generic_category()).message()),
                                    fmt::format("uid {}", owner.user), "Attach as that user."});
    };
    if (!owner.one_user || owner.user == 0) return tl::unexpected(of_another_user(0, owner));
    if (setgroups(owner.groups.size(), owner.groups.data()) != 0) return failed("setgroups");
    if (setresgid(owner.group, owner.group, owner.group) != 0) return failed("setresgid");
    if (setresuid(owner.user, owner.user, owner.user) != 0) return failed("setresuid");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed("no_new_privs");
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed("dumpable");
    // Nobody may be left who could turn back.
    if (setresuid(0, 0, 0) == 0 || geteuid() != owner.user || getegid() != owner.group) {
        errno = EPERM;
        return failed("setresuid");
    }
    return {};
}

}  // namespace roofwalk
