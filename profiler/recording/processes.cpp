// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/processes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

#include "core/base/text.h"
#include "profiler/recording/machine.h"

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

namespace fs = std::filesystem;

template <class Visit>
void for_each_part(std::string_view text, char separator, Visit visit) {
    while (!text.empty()) {
        const auto end = std::min(text.find(separator), text.size());
        visit(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
    const auto begin = text.find_first_of("0123456789");
    if (begin == std::string_view::npos) return std::nullopt;
    Number number{};
    const auto read = std::from_chars(text.data() + begin, text.data() + text.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::string_view file_name_in(std::string_view line) {
    const auto slash = line.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : line.substr(slash + 1);
}

/// Libraries of other profilers that hold CUPTI for themselves.
constexpr std::array<std::string_view, 7> profilers{
    "libcuda-injection",        "libToolsInjection",    "libnsys", "libQuadDCommon", "libsanitizer-public",
    "libcuda-target-injection", "libTreeLauncherTarget"};

void read_status(const fs::path& folder, GpuProcess& found) {
    const std::string status = content_of(folder / "status");
    if (const auto owner = owner_in(status)) {
        found.user = owner->user;
        found.one_user = owner->one_user;
    }
    for_each_part(status, '\n', [&](std::string_view line) {
        if (line.starts_with("Name:"))
            found.name = line.substr(std::min(line.find_first_not_of(" \t", 5), line.size()));
        if (line.starts_with("State:\tT")) found.stopped = true;
        if (line.starts_with("TracerPid:")) found.traced_by = number_in<pid_t>(line).value_or(0);
    });
}

void read_maps(const fs::path& folder, GpuProcess& found) {
    const std::string maps = content_of(folder / "maps");
    found.readable = !maps.empty();
    for_each_part(maps, '\n', [&](std::string_view line) {
        const std::string_view library = file_name_in(line);
        if (library.starts_with("libcuda.so")) found.uses_cuda = true;
        if (library.starts_with("libroofwalk_agent")) found.agent_loaded = true;
        if (!found.profiler &&
            std::ranges::any_of(profilers, [&](std::string_view each) { return library.starts_with(each); }))
            found.profiler = std::string(library);
    });
}

bool has_gpu_open(const fs::path& folder) {
    std::error_code failed;
    for (fs::directory_iterator entry(folder / "fd", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string target = fs::read_symlink(entry->path(), failed).string();
        // /dev/nvidiactl is open in every program that asks for the driver; a GPU has a number.
        if (target.starts_with("/dev/nvidia") && target.size() > 11 && target[11] >= '0' && target[11] <= '9')
            return true;
        failed.clear();
    }
    return false;
}

/// A socket that a collector has been given has the name of the one that listened.
bool agent_listens(const fs::path& root, pid_t process) {
    constexpr std::string_view accepts_connections = " 00010000 ";
    const std::string name = fmt::format(" @roofwalk-agent-{}", process);
    bool listens = false;
    for_each_part(content_of(root / "proc/net/unix"), '\n', [&](std::string_view line) {
        listens |= line.ends_with(name) && contains(line, accepts_connections);
    });
    return listens;
}

bool in_other_namespace(const fs::path& root, const fs::path& folder) {
    std::error_code failed;
    const fs::path ours = fs::read_symlink(root / "proc/self/ns/mnt", failed);
    if (failed) return false;
    const fs::path theirs = fs::read_symlink(folder / "ns/mnt", failed);
    return !failed && ours != theirs;
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
        return unexpected(ErrorCode::not_profiled, "There is no such process",
                          fmt::format("process {}", process), "It may have ended meanwhile.");
    if (owner->one_user && owner->user == geteuid()) return {};
    return tl::unexpected(of_another_user(process, *owner));
}

Result<void> become_owner(const ProcessOwner& owner) {
    const auto failed = [&](const char* what) {
        return unexpected(ErrorCode::not_profiled,
                          fmt::format("The rights of root cannot be given up ({}): {}", what,
                                      std::error_code(errno, std::generic_category()).message()),
                          fmt::format("uid {}", owner.user), "Attach as that user.");
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

std::optional<GpuProcess> read_gpu_process(pid_t process, const fs::path& root) {
    const fs::path folder = root / "proc" / std::to_string(process);
    std::error_code failed;
    if (!fs::is_directory(folder, failed)) return std::nullopt;
    GpuProcess found;
    found.process = process;
    read_status(folder, found);
    // A command that is cut would be another one.
    constexpr std::size_t longest_command = std::size_t{1} << 20U;
    if (const std::string words = content_of(folder / "cmdline", longest_command);
        words.size() < longest_command)
        for_each_part(words, '\0', [&](std::string_view word) { found.command.emplace_back(word); });
    found.directory = fs::read_symlink(folder / "cwd", failed);
    read_maps(folder, found);
    found.holds_gpu = has_gpu_open(folder);
    found.agent_waits = agent_listens(root, process);
    found.agent_loaded |= found.agent_waits;
    found.other_namespace = in_other_namespace(root, folder);
    return found;
}

std::vector<GpuProcess> gpu_processes(const fs::path& root) {
    std::vector<GpuProcess> found;
    std::error_code failed;
    for (fs::directory_iterator entry(root / "proc", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto number = number_in<pid_t>(name);
        auto process = number ? read_gpu_process(*number, root) : std::nullopt;
        if (process && (process->uses_cuda || process->holds_gpu || process->agent_waits))
            found.push_back(*std::move(process));
    }
    std::ranges::sort(found, {}, &GpuProcess::process);
    return found;
}

std::vector<std::string> why_not_attached(const GpuProcess& process, uid_t user) {
    std::vector<std::string> reasons;
    if (!process.one_user)
        reasons.push_back(fmt::format("Process {} runs with the rights of several users.", process.process));
    else if (process.user != user)
        reasons.push_back(fmt::format("Process {} belongs to another user (uid {}): attach as that user.",
                                      process.process, process.user));
    if (process.agent_waits) return reasons;
    if (process.agent_loaded)
        reasons.emplace_back(
            "An agent is loaded in it and does not wait: another collector holds it, end that one.");
    else
        reasons.emplace_back("No agent waits in it: it was started without the variables that load one.");
    if (process.other_namespace)
        reasons.emplace_back(
            "It runs in another container, whose agents cannot be seen from here: attach from inside of it.");
    if (process.profiler)
        reasons.push_back(
            fmt::format("Another profiler is inside ({}): start the program without it.", *process.profiler));
    if (process.traced_by != 0)
        reasons.push_back(fmt::format("A debugger holds it (process {}): let it detach.", process.traced_by));
    if (process.readable && !process.uses_cuda) reasons.emplace_back("It has not loaded CUDA.");
    return reasons;
}

std::string restart_command(const GpuProcess& process) {
    if (process.command.empty()) return {};
    const std::string folder =
        process.directory.empty() ? std::string() : " -C " + quote_shell_shown(process.directory.string());
    return fmt::format("roofwalk-cli profile{} -- {}", folder,
                       joined(process.command, " ", quote_shell_shown));
}

}  // namespace roofwalk
