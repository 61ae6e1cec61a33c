// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string_view>

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

int check() {
    const char* path = std::getenv("PATH");
    const auto findings = check_capabilities(
        read_machine(), {cuda_version_of_driver(), find_nsight_compute(path == nullptr ? "" : path)});
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

}  // namespace

void add_check(CLI::App& app, int& status) {
    app.add_subcommand("check", "Tell whether kernels can be profiled on this machine, and what is missing")
        ->callback([&status] { status = check(); });
}

}  // namespace roofwalk::cli
