// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/launch_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "profiler/wire/agent_environment.h"

namespace roofwalk {

namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> refuse(ErrorCode code, std::string what, std::string where, std::string hint) {
    return tl::unexpected(Error{code, std::move(what), std::move(where), std::move(hint)});
}

std::optional<std::string_view> value_in(const std::vector<std::string>& environment, std::string_view name) {
    for (const std::string_view entry : environment)
        if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
            return entry.substr(name.size() + 1);
    return std::nullopt;
}

void set(std::vector<std::string>& environment, std::string_view name, std::string_view value) {
    std::erase_if(environment, [&](const std::string& entry) {
        return entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
    });
    environment.push_back(fmt::format("{}={}", name, value));
}

bool can_run(const fs::path& file) {
    std::error_code ignored;
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
}

Result<fs::path> find_program(const std::string& name, const fs::path& directory,
                              const std::vector<std::string>& environment) {
    if (name.find('/') == std::string::npos) {
        std::string_view rest = value_in(environment, "PATH").value_or("");
        while (!rest.empty()) {
            const auto end = std::min(rest.find(':'), rest.size());
            const fs::path candidate = directory / fs::path(rest.substr(0, end)) / name;
            if (can_run(candidate)) return candidate;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return refuse(ErrorCode::file_not_found, "There is no program of this name on PATH", name,
                      can_run(directory / name) ? fmt::format("There is one here: write ./{}.", name)
                                                : std::string("Give its path, as in ./app."));
    }
    fs::path file = directory / name;
    std::error_code ignored;
    if (can_run(file)) return file;
    if (!fs::exists(file, ignored))
        return refuse(ErrorCode::file_not_found, "The program does not exist", file.string(),
                      "A path is taken from the folder that the program is to run in.");
    if (fs::is_directory(file, ignored))
        return refuse(ErrorCode::file_not_readable, "The program is a folder", file.string(),
                      "Name the program in it.");
    return refuse(
        ErrorCode::file_not_readable, "The program may not be run", file.string(),
        "Make it executable with chmod +x, or start it through its interpreter, as in `python3 FILE`.");
}

/// Such a program is started without the variables that load an agent.
bool runs_as_somebody_else(const fs::path& program) {
    struct stat status {};
    if (stat(program.c_str(), &status) != 0) return false;
    return ((status.st_mode & S_ISUID) != 0 && status.st_uid != geteuid()) ||
           ((status.st_mode & S_ISGID) != 0 && status.st_gid != getegid());
}

Result<void> set_agent(std::vector<std::string>& environment, const AgentPlace& agent) {
    std::error_code ignored;
    if (!agent.library.is_absolute() || !fs::is_regular_file(agent.library, ignored))
        return refuse(ErrorCode::file_not_found, "The agent that records kernels is not installed",
                      agent.library.string(), "Install roofwalk-cli whole.");
    for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
        const auto before = value_in(environment, name).value_or("");
        if (!before.empty() && before != agent.library.string())
            return refuse(ErrorCode::bad_argument,
                          fmt::format("Another profiler is to be loaded: {} is set", name),
                          std::string(before), fmt::format("Unset {}, or leave that profiler out.", name));
        set(environment, name, agent.library.string());
    }
    set(environment, wire::agent_socket_variable, agent.socket.string());
    if (!agent.cupti.empty()) set(environment, wire::agent_cupti_variable, agent.cupti.string());
    return {};
}

}  // namespace

std::vector<std::string> environment_here() {
    std::vector<std::string> entries;
    for (char* const* entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        entries.emplace_back(*entry);
    return entries;
}

Result<LaunchPlan> plan_program(const LaunchRequest& request, const std::vector<std::string>& inherited) {
    if (request.command.empty() || request.command.front().empty())
        return refuse(ErrorCode::bad_argument, "No program is given", "",
                      "Write it behind --, as in `-- ./app 100`.");
    std::error_code failed;
    const fs::path directory =
        request.directory.empty() ? fs::current_path(failed) : fs::absolute(request.directory, failed);
    if (failed || !fs::is_directory(directory, failed))
        return refuse(ErrorCode::file_not_found, "The folder to run in does not exist", directory.string(),
                      "");

    LaunchPlan plan{{}, request.command, directory, inherited};
    for (const auto& [name, value] : request.environment) {
        if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
            return refuse(ErrorCode::bad_argument, "This is no name of a variable", name,
                          "Write NAME=value.");
        set(plan.environment, name, value);
    }
    auto program = find_program(request.command.front(), directory, plan.environment);
    if (!program) return tl::unexpected(program.error());
    plan.program = *std::move(program);
    return plan;
}

Result<LaunchPlan> plan_launch(const LaunchRequest& request, const AgentPlace& agent,
                               const std::vector<std::string>& inherited) {
    auto planned = plan_program(request, inherited);
    if (!planned) return planned;
    LaunchPlan plan = *std::move(planned);
    if (runs_as_somebody_else(plan.program))
        return refuse(ErrorCode::bad_argument,
                      "The program runs as another user, so that no agent can be loaded into it",
                      plan.program.string(), "Profile a copy of it that you own.");
    if (const auto done = set_agent(plan.environment, agent); !done) return tl::unexpected(done.error());
    return plan;
}

}  // namespace roofwalk
