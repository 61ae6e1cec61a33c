// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <sstream>
#include <string>

#include "app/cli/console.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "app/logging.h"
#include "core/base/text.h"

namespace roofwalk::cli {

namespace {

std::string commands_of(const CLI::App& app) {
    std::string list;
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands)
        list += (list.empty() ? "" : command == commands.back() ? " and " : ", ") + command->get_name();
    return list;
}

/// What is wrong with a command line, and what is allowed, in one line: for CLI::App::failure_message.
std::string usage_error(const CLI::App* app, const CLI::Error& error) {
    std::string what = error.what();
    const bool lacks_command = app->get_subcommands().empty();
    if (lacks_command) {
        const std::vector<std::string> rest = app->remaining();
        what = fmt::format("{}; the commands are {}",
                           rest.empty() ? "No command is given" : "'" + rest.front() + "' is not a command",
                           commands_of(*app));
    }
    if (what.ends_with('.')) what.pop_back();
    return fmt::format("roofwalk-cli: error: {}.\nSee roofwalk-cli {}--help.\n", printable(what),
                       lacks_command ? "" : app->get_subcommands().front()->get_name() + " ");
}

}  // namespace

}  // namespace roofwalk::cli

// NOLINTNEXTLINE(bugprone-exception-escape): what is thrown before anything is read may end the program.
int main(int argc, char** argv) {
    using namespace roofwalk::cli;
    // A reader that has seen enough, as in `| head`, shows as a failed write and not as a signal.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // so does a file above the limit of `ulimit -f`

    // The commands say themselves what a person has to know.
    roofwalk::start_logging(spdlog::level::off);

    CLI::App app("Rooflines of CUDA kernels from Nsight Compute reports.", "roofwalk-cli");
    app.set_version_flag("--version", "roofwalk-cli " ROOFWALK_VERSION);
    app.footer(
        "Exit codes: 0 done, 1 a gate failed, 2 usage, 3 a file could not be read or written, "
        "4 kernels cannot be profiled here. profile passes on the exit code of its program.");
    int status = exit_done;
    app.require_subcommand(1);
    app.failure_message(usage_error);
    add_report(app, status);
    add_advise(app, status);
    add_chart(app, status);
    add_compare(app, status);
    add_convert(app, status);
    add_model(app, status);
    add_atlas(app, status);
    add_scenario(app, status);
    add_profile(app, status);
    add_attach(app, status);
    add_ceilings(app, status);
    add_check(app, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream help;
        if (app.exit(error, help, std::cerr) != 0) return exit_usage;
        const auto written = write_output("-", help.str());
        return written ? exit_done : fail(written.error());
    } catch (const std::bad_alloc&) {
        // Memory may still be short: what is said here needs none.
        std::fputs("roofwalk-cli: There is not enough memory for this input. Read fewer files at once.\n",
                   stderr);
        return exit_unreadable;
    }
    spdlog::debug("roofwalk-cli {} ends with exit code {}", ROOFWALK_VERSION, status);
    return status;
}
