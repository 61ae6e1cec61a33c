// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "app/cli/check_plans.h"
#include "app/cli/console.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "profiler/session/capability_check.h"

namespace roofwalk::cli {

namespace {

std::string_view word_for(Readiness readiness) {
    switch (readiness) {
        case Readiness::ready:
            return "ready";
        case Readiness::limited:
            return "limited";
        case Readiness::missing:
            return "missing";
    }
    return "";
}

/// The value of a variable; empty when it is not set.
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

int check() {
    const auto findings = check_capabilities(
        read_machine(),
        {cuda_version_of_driver(), find_nsight_compute(variable("PATH")), find_cupti(variable("CUDA_HOME"))});
    std::string text;
    for (const Finding& finding : findings) {
        text += fmt::format("{:<15} {:<8} {}\n", finding.subject, word_for(finding.readiness), finding.what);
        if (!finding.hint.empty()) text += fmt::format("{:<24} {}\n", "", finding.hint);
    }
    if (const auto written = write_output("-", text); !written) return exit_unreadable;
    return std::ranges::any_of(findings,
                               [](const Finding& finding) { return finding.readiness == Readiness::missing; })
               ? exit_no_profiling
               : exit_done;
}

int check_chips(const std::vector<std::string>& chips) {
    const auto plans = plans_text(chips, find_cupti(variable("CUDA_HOME")));
    if (!plans) {
        say_error(plans.error());
        return exit_code_of(plans.error().code);
    }
    if (const auto written = write_output("-", plans->text); !written) return exit_unreadable;
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
