// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>

#include "app/cli/check_plans.h"
#include "app/cli/console.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "profiler/recording/capability_check.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/recording_log.h"

namespace roofwalk::cli {

namespace {

/// How programs are started so that `attach` can record them later.
std::string agent_text() {
    const std::string agent = installed_agent().string();
    if (agent.empty())
        return fmt::format(
            "{:<15} {:<8} {}\n{:<24} {}\n", "agent", "missing",
            "libroofwalk_agent.so, which records kernels, is not installed beside this program.", "",
            "Install roofwalk-cli whole (cmake --install BUILD --component commands), or name the library with "
            "--agent.");
    return fmt::format(
        "{:<15} {:<8} {}\n{:<24} Programs started with these two variables can be attached to:\n"
        "{:<24} export CUDA_INJECTION64_PATH={}\n{:<24} export NVTX_INJECTION64_PATH={}\n",
        "agent", "ready", agent + ".", "", "", quote_shell_shown(agent), "", quote_shell_shown(agent));
}

std::string log_text() {
    const auto folder = recording_log_folder();
    if (!folder)
        return fmt::format("{:<15} {:<8} {}\n{:<24} {}\n", "log", "missing",
                           "Recordings write no log: neither HOME nor XDG_STATE_HOME names a folder.", "",
                           "Set XDG_STATE_HOME to a folder.");
    const auto last = last_recording_log();
    return fmt::format("{:<15} {:<8} {}\n", "log", "ready",
                       last ? "The log of the last recording is " + last->string() + "."
                            : "Recordings write a log each into " + folder->string() + ".");
}

int check() {
    const auto findings = findings_here();
    std::string text;
    for (const CapabilityFinding& finding : findings) {
        text += fmt::format("{:<15} {:<8} {}\n", finding.subject, word_for(finding.readiness), finding.what);
        if (!finding.hint.empty()) text += fmt::format("{:<24} {}\n", "", finding.hint);
    }
    text += agent_text();
    text += log_text();
    if (const auto written = write_words("-", text); !written) return exit_unreadable;
    return installed_agent().empty() ||
                   std::ranges::any_of(findings,
                                       [](const CapabilityFinding& finding) {
                                           return finding.readiness == Readiness::missing;
                                       })
               ? exit_no_profiling
               : exit_done;
}

int check_chips(const std::vector<std::string>& chips) {
    const auto plans = plans_text(chips, find_cupti_here());
    if (!plans) {
        return fail(plans.error());
    }
    if (const auto written = write_words("-", plans->text); !written) return exit_unreadable;
    if (!plans->without_passes) return exit_done;
    say_error(*plans->without_passes);
    return exit_no_profiling;
}

}  // namespace

void add_check(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand(
        "check", "Tell whether kernels can be profiled on this machine, and what is missing");
    const auto chips = std::make_shared<std::vector<std::string>>();
    verb->add_option(
            "--chip", *chips,
            "print the plans of counters of a chip, such as GH100, and their passes; all for every chip")
        ->type_name("NAME")
        ->delimiter(',');
    verb->callback([chips, &status] { status = chips->empty() ? check() : check_chips(*chips); });
}

}  // namespace roofwalk::cli
