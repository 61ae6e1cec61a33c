// SPDX-License-Identifier: GPL-3.0-or-later

#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/record.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "profiler/recording/ncu_session.h"
#include "profiler/recording/prepare_session.h"

namespace roofwalk::cli {

namespace {

/// "NAME=value" as a pair; absent where there is no name.
std::optional<std::pair<std::string, std::string>> assignment(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return std::nullopt;
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

/// Says what it does.
Result<void> switch_ranges_on(ProgramStart& launch) {
    const auto ranges = switch_pytorch_ranges_on(launch);
    if (!ranges) return tl::unexpected(ranges.error());
    say("PyTorch's ranges are switched on in Python programs, by PYTHONPATH=" + ranges->path);
    if (ranges->kept_off) say_warning(to_line(*ranges->kept_off));
    return {};
}

}  // namespace

void add_profile(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("profile", "Run a program and record its kernels");
    const auto options = std::make_shared<RecordOptions>();
    const auto variables = std::make_shared<std::vector<std::string>>();
    add_record_options(*verb, *options);
    verb->add_option("-C,--directory", options->request.launch.directory, "folder to run the program in")
        ->type_name("FOLDER");
    repeatable(verb->add_option("--env", *variables, "variable to set for the program")
                   ->type_name("NAME=VALUE")
                   ->check([](const std::string& text) {
                       return assignment(text) ? std::string() : "'" + text + "' is no NAME=VALUE";
                   }));
    verb->add_flag(
        "--until-input-ends", options->until_input_ends,
        "with -o -: end the recording and the program when our standard input ends, as it does when "
        "whoever reads the recording goes away");
    const auto with_ncu = std::make_shared<bool>(false);
    verb->add_flag(
            "--ncu", *with_ncu,
            "record FLOP and the bytes of DRAM, L2 and shared memory with `ncu` into one report instead of with the "
            "agent. It is for chips that the agent does not know, and to compare. " +
                std::string(ncu_passes))
        ->excludes("--timing")
        ->excludes("--every-launch")
        ->excludes("--replay")
        ->excludes("--cupti")
        ->excludes("--agent");
    verb->add_flag("--pytorch", options->request.launch.pytorch_ranges,
                   "have PyTorch write NVTX ranges with the sizes of its operators' inputs, which bind their "
                   "kernels to operations: through PYTHONPATH, the program is not changed");
    verb->add_option("PROGRAM", options->request.launch.command,
                     "program and its arguments, behind --: `roofwalk-cli profile -- ./app 100`")
        ->required()
        ->type_name("");
    verb->callback([options, variables, with_ncu, &status] {
        if (options->until_input_ends && (options->request.output != "-" || *with_ncu))
            throw CLI::RequiresError("--until-input-ends", "-o -");
        for (const std::string& text : *variables)
            options->request.launch.environment.push_back(*assignment(text));
        if (options->request.launch.pytorch_ranges)
            if (const auto on = switch_ranges_on(options->request.launch); !on) {
                status = fail(on.error());
                return;
            }
        status = *with_ncu ? record_with_ncu(*options) : record(*options);
    });
}

}  // namespace roofwalk::cli
