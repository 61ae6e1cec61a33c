// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/record.h"
#include "app/cli/verb.h"
#include "profiler/recording/ncu_session.h"

namespace roofwalk::cli {

namespace {

/// "NAME=value" as a pair; absent where there is no name.
std::optional<std::pair<std::string, std::string>> assignment(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return std::nullopt;
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace

void add_profile(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("profile", "Run a program and record its kernels");
    const auto options = std::make_shared<RecordOptions>();
    const auto variables = std::make_shared<std::vector<std::string>>();
    add_record_options(*verb, *options);
    verb->add_option("-C,--directory", options->request.launch.directory, "folder to run the program in")
        ->type_name("FOLDER");
    verb->add_option("--env", *variables, "variable to set for the program")
        ->type_name("NAME=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check([](const std::string& text) {
            return assignment(text) ? std::string() : "'" + text + "' is no NAME=VALUE";
        });
    verb->add_flag(
        "--until-input-ends", options->until_input_ends,
        "with -o -: end the recording and the program when our standard input ends, as it does when "
        "whoever reads the recording goes away");
    const auto with_ncu = std::make_shared<bool>(false);
    verb->add_flag(
        "--ncu", *with_ncu,
        "record FLOP and the bytes of HBM, L2 and shared memory with `ncu` into one report instead of with the "
        "agent: for chips that the agent does not know, and to compare. " +
            std::string(ncu_passes));
    verb->add_option("PROGRAM", options->request.launch.command,
                     "program and its arguments, behind --: `roofwalk-cli profile -- ./app 100`")
        ->required()
        ->type_name("");
    verb->callback([options, variables, with_ncu, &status] {
        if (options->until_input_ends && (options->request.output != "-" || *with_ncu))
            throw CLI::RequiresError("--until-input-ends", "-o -");
        for (const std::string& text : *variables)
            options->request.launch.environment.push_back(*assignment(text));
        status = *with_ncu ? record_with_ncu(*options) : record(*options);
    });
}

}  // namespace roofwalk::cli
