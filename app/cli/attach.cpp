// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/record.h"
#include "app/cli/record_as.h"
#include "app/cli/verb.h"
#include "app/cli/whole_number.h"
#include "core/base/text.h"
#include "profiler/recording/agent_injection.h"
#include "profiler/recording/processes.h"

namespace roofwalk::cli {

namespace {

std::string command_words(const GpuProcess& process) {
    if (process.command.empty()) return process.name;
    std::string words;
    for (const std::string& word : process.command)
        words += (words.empty() ? "" : " ") + word;
    return words;
}

std::string_view state_of(const GpuProcess& process) {
    if (process.agent_waits) return "agent waits";
    if (process.agent_loaded) return "agent busy";
    return process.readable ? "no agent" : "not readable";
}

int list() {
    std::string text;
    for (const GpuProcess& process : gpu_processes())
        text += fmt::format("{:>8}  {:<12}  {}\n", process.process, state_of(process),
                            printable(command_words(process)));
    if (text.empty()) say("No process of this machine that can be seen here has CUDA loaded or a GPU open.");
    return write_words("-", text) ? exit_done : exit_unreadable;
}

/// `person` is who asks, whatever the rights that we have by now.
void say_restart(const GpuProcess& process, uid_t person) {
    const std::string command = restart_command(process);
    if (command.empty()) return;
    say(process.user == person
            ? std::string("Start it again under the recorder:")
            : fmt::format("Start it again under the recorder, as its user (uid {}):", process.user));
    say("  " + command);
}

int refuse(pid_t number, const std::optional<GpuProcess>& process, uid_t person) {
    if (!process) {
        say_error({ErrorCode::not_profiled, "There is no such process", fmt::format("process {}", number),
                   "`roofwalk-cli attach --list` lists those that use a GPU."});
        return exit_no_profiling;
    }
    say_error({ErrorCode::not_profiled, "This process cannot be attached to",
               fmt::format("process {}, {}", number, process->name), ""});
    for (const std::string& reason : why_not_attached(*process, geteuid()))
        say("  " + reason);
    if (why_not_injected(*process, injection_tools_here(), geteuid()).empty())
        say("  With --inject the agent can be loaded into it as it runs, which is experimental.");
    say_restart(*process, person);
    return exit_no_profiling;
}

/// Loads the agent into a process where none waits. The exit code of a refusal; absent when it waits now.
std::optional<int> inject(const GpuProcess& process, const RecordOptions& options, uid_t person) {
    // What cannot be recorded here is refused before the process is touched.
    const ProfileRequest request = request_of(options);
    const RecordingLog log = begin_log(request);
    const auto parts = prepare_session(request, options.choices, "", log);
    if (!parts) return refuse_recording(parts.error(), log);
    const auto waits = make_agent_wait(process.process, injection_tools_here(), parts->agent, parts->cupti);
    if (waits) return std::nullopt;
    const int status = refuse_recording(waits.error(), log);
    say_restart(process, person);
    return status;
}

/// Loads the agent into a process of our own, which comes to no harm.
int try_on_our_own(const RecordOptions& options) {
    const std::filesystem::path agent =
        options.choices.agent.empty() ? installed_agent() : std::filesystem::absolute(options.choices.agent);
    if (const auto tried = try_injection(injection_tools_here(), agent, options.choices.cupti); !tried) {
        say_error(tried.error());
        return exit_no_profiling;
    }
    say("An agent was loaded into a running process of our own, and waits in it: --inject may work here.");
    return exit_done;
}

int attach_as_we_are(const RecordOptions& options, bool may_inject, uid_t person) {
    const auto number = static_cast<pid_t>(*options.request.attach_to);
    const auto process = read_gpu_process(number);
    if (process && process->agent_waits) return record(options);
    if (!process || !may_inject) return refuse(number, process, person);
    if (const auto refused = inject(*process, options, person)) return *refused;
    return record(options);
}

int attach(const RecordOptions& options, bool may_inject) {
    const auto number = static_cast<pid_t>(*options.request.attach_to);
    const auto owner = read_owner(number);
    if (geteuid() != 0 || !owner || (owner->one_user && owner->user == 0))
        return attach_as_we_are(options, may_inject, geteuid());
    // What the process tells is read with its own rights, whatever it tells.
    return record_as(*owner, number, options, [may_inject](const RecordOptions& as_owner) {
        return attach_as_we_are(as_owner, may_inject, 0);
    });
}

}  // namespace

void add_attach(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("attach", "Record the kernels of a program that runs");
    const auto options = std::make_shared<RecordOptions>();
    const auto lists = std::make_shared<bool>(false);
    add_record_options(*verb, *options);
    CLI::Option* number =
        verb->add_option("PID", options->request.attach_to, "process in which an agent waits")
            ->check(whole_number(1, std::numeric_limits<pid_t>::max()))
            ->type_name("");
    verb->add_flag("--list", *lists, "list the processes that use a GPU, and whether an agent waits in them")
        ->excludes(number);
    const auto injects = std::make_shared<bool>(false);
    verb->add_flag("--inject", *injects,
                   "where no agent waits, load one into the running process with gdb; experimental");
    const auto tries = std::make_shared<bool>(false);
    verb->add_flag("--try-inject", *tries,
                   "try on a process of our own whether --inject can work on this machine")
        ->excludes(number);
    verb->callback([options, lists, injects, tries, &status] {
        if (!*lists && !*tries && !options->request.attach_to) throw CLI::RequiredError("PID or --list");
        if (*tries)
            status = try_on_our_own(*options);
        else
            status = *lists ? list() : attach(*options, *injects);
    });
}

}  // namespace roofwalk::cli
