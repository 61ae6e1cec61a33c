// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/exit_code.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/export/json_writer.h"

namespace roofwalk::cli {

namespace {

struct ConvertOptions {
    std::string file;
    std::string output;
    std::string format;  ///< empty: by the suffix of `output`
};

bool wants_json_lines(const ConvertOptions& options) {
    if (!options.format.empty()) return options.format == "jsonl";
    return std::filesystem::path(options.output).extension() == ".jsonl";
}

int convert(const ConvertOptions& options) {
    const auto written = read_inputs({options.file}).and_then([&](const Profile& profile) {
        return write_output(options.output,
                            wants_json_lines(options) ? to_json_lines(profile) : to_json(profile));
    });
    if (written) return exit_done;
    say_error(written.error());
    return exit_code_of(written.error().code);
}

}  // namespace

void add_convert(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("convert", "Write a profile as Roofwalk JSON");
    const auto options = std::make_shared<ConvertOptions>();
    verb->add_option("FILE", options->file,
                     "Nsight Compute report, Roofwalk JSON or JSON Lines, CSV of `ncu --csv`; - is stdin")
        ->required()
        ->type_name("");
    verb->add_option("-o,--output", options->output, "file to write, .json or .jsonl; - for stdout")
        ->required()
        ->type_name("FILE");
    verb->add_option("--format", options->format, "json or jsonl, whatever the name of the file")
        ->check(CLI::IsMember({"json", "jsonl"}));
    verb->callback([options, &status] { status = convert(*options); });
}

}  // namespace roofwalk::cli
