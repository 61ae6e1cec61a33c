// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/exit_code.h"
#include "app/cli/record.h"
#include "profiler/session/ncu_plan.h"
#include "profiler/session/nvidia_software.h"

namespace roofwalk::cli {

namespace {

Result<LaunchPlan> planned(const ProfileRequest& request, const SessionChoices& choices) {
    const char* path = std::getenv("PATH");
    const auto ncu = find_nsight_compute(path == nullptr ? "" : path);
    if (!ncu)
        return tl::unexpected(Error{ErrorCode::not_profiled,
                                    "The program ncu is neither on PATH nor in NVIDIA's folders", "",
                                    "Install Nsight Compute, or leave out --ncu."});
    if (!choices.despite_findings)
        if (auto refused = refuse_by_findings(findings_here(), true); !refused)
            return tl::unexpected(refused.error());
    std::vector<std::string> environment;
    for (char* const* entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        environment.emplace_back(*entry);
    return plan_ncu(request, *ncu, environment);
}

}  // namespace

int record_with_ncu(const RecordOptions& options) {
    ProfileRequest request = request_of(options);
    if (options.request.output.empty()) request.output = "roofwalk-%p.ncu-rep";
    const auto plan = planned(request, options.choices);
    auto program = plan.and_then(
        [](const LaunchPlan& ready) { return ChildProcess::start(ready, ChildProcess::Streams::inherited); });
    if (!program) {
        say_error(program.error());
        return exit_code_of(program.error().code);
    }
    // Ctrl-C is for the program and ncu, which share our terminal.
    EndSignals signals;
    std::optional<ChildEnd> end;
    while (!end) {
        end = program->wait(std::chrono::milliseconds(500));
        if (const int signal = signals.take(); signal != 0 && signal != SIGINT) program->pass_on(signal);
    }
    say(printable(fmt::format("Nsight Compute {}; its report is {}.", words_for(*end), request.output)));
    return end->shell_status().value_or(exit_done);
}

}  // namespace roofwalk::cli
