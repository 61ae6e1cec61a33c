// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/usage.h"

#include <fmt/format.h>

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

}  // namespace

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

}  // namespace roofwalk::cli
