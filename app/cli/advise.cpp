// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/scenario.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/report/advice_report.h"

namespace roofwalk::cli {

namespace {

struct AdviseOptions {
    ViewArguments view;
    std::size_t top = 5;
    std::string thresholds_file;
    std::vector<std::string> thresholds;
    std::string format;
    std::string output = "-";
};

/// Those of a session where neither file nor command line names another.
Result<AdviceThresholds> thresholds_of(const AdviseOptions& options, AdviceThresholds thresholds) {
    if (!options.thresholds_file.empty()) {
        const Result<MappedFile> input = open_input(options.thresholds_file);
        if (!input) return tl::unexpected(input.error());
        auto read = thresholds_from_json(input->text(), thresholds, options.thresholds_file);
        if (!read) return read;
        thresholds = *read;
    }
    for (const std::string& assignment : options.thresholds)
        if (const auto set = set_threshold(thresholds, assignment); !set) return tl::unexpected(set.error());
    return thresholds;
}

std::string rendered(const AdviceReport& report, const AnalysedReport& viewed, const AdviseOptions& options) {
    if (options.format == "json") return to_json(report, *viewed.profile, viewed.analysis);
    if (options.format == "markdown") return to_markdown(report, viewed.analysis);
    return to_text(report, viewed.analysis, options.output == "-" ? terminal_width() : 0);
}

int advise_on(const AdviseOptions& options) {
    const Result<AnalysedReport> viewed = read_and_analyse(options.view);
    if (!viewed) return fail(viewed.error());
    const auto thresholds = thresholds_of(options, viewed->files.session.thresholds);
    if (!thresholds) return fail(thresholds.error());
    const AdviceReport report = advise_ranked(*viewed->profile, viewed->analysis, *thresholds, options.top);
    if (const auto written = write_words(options.output, rendered(report, *viewed, options)); !written)
        return fail(written.error());
    say_moves_left_out(viewed->files, "the advice is for what was measured");
    say_missing_quantities(*viewed->profile, viewed->analysis);
    return viewed->files.exit_code;
}

}  // namespace

void add_advise(CLI::App& app, int& status) {
    CLI::App* verb =
        app.add_subcommand("advise", "Say what to do about the kernels with most to gain, and why");
    const auto options = std::make_shared<AdviseOptions>();
    add_view_arguments(*verb, options->view);
    add_device_option(*verb, options->view.device);
    verb->add_option("--top", options->top, "how many kernels, those that can gain most first; 0 is all")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    verb->add_option("--thresholds", options->thresholds_file, "JSON file with thresholds of the rules")
        ->type_name("FILE");
    repeatable(verb->add_option("--threshold", options->thresholds,
                                "a threshold of the rules, such as occupancy=0.4; may be repeated")
                   ->type_name("NAME=VALUE"));
    add_output_options(*verb, options->format, options->output, {"text", "json", "markdown"});
    verb->callback([options, &status] { status = advise_on(*options); });
}

}  // namespace roofwalk::cli
