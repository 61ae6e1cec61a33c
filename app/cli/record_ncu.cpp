// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <chrono>
#include <csignal>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/exit_code.h"
#include "app/cli/record.h"
#include "profiler/recording/ncu_session.h"

namespace roofwalk::cli {

int record_with_ncu(const RecordOptions& options) {
    ProfileRequest request = request_of(options);
    if (options.request.output.empty()) request.output = "roofwalk-%p.ncu-rep";
    const RecordingLog log = begin_log(request);
    const auto plan = prepare_ncu(request, options.choices.despite_findings);
    auto program = plan.and_then(
        [](const LaunchPlan& ready) { return ChildProcess::start(ready, ChildProcess::Streams::inherited); });
    if (!program) return refuse_recording(program.error(), log);
    // Ctrl-C is for the program and ncu, which share our terminal.
    EndSignals signals;
    std::optional<ChildEnd> end;
    while (!end) {
        end = program->wait(std::chrono::milliseconds(500));
        if (const int signal = signals.take(); signal != 0 && signal != SIGINT) program->pass_on(signal);
    }
    const int status = end->shell_status().value_or(exit_done);
    const std::string outcome =
        fmt::format("Nsight Compute {}; its report is {}.", words_for(*end), request.output);
    log.info(outcome);
    say(outcome);
    if (status != 0 && !log.path().empty()) say(log.name_for_person());
    return status;
}

}  // namespace roofwalk::cli
