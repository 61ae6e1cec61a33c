// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/cli/compare_gate.h"
#include "app/cli/compare_options.h"
#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/exit_code.h"
#include "app/cli/gate.h"
#include "app/cli/output.h"
#include "app/cli/scenario_file.h"
#include "app/cli/verb.h"
#include "core/report/comparison_table.h"

namespace roofwalk::cli {

namespace {

struct CompareVerb {
    ViewOptions view;
    std::string format = "table";
    std::string output = "-";
    bool wide = false;
    std::optional<double> noise;  ///< [%]
    std::optional<double> fail_slower;
    std::vector<std::string> devices;
    std::vector<std::string> devices_of;
};

std::string rendered(const ReportTable& table, const CompareVerb& options) {
    if (options.format == "csv") return to_csv(table);
    if (options.format == "markdown") return to_markdown(table);
    return to_text(table, options.wide ? TextColumns::every : TextColumns::main);
}

Error usage(std::string what, std::string hint) {
    return {ErrorCode::bad_argument, std::move(what), "compare", std::move(hint)};
}

/// What is wrong with the options as a whole, or nothing.
std::optional<Error> contradiction(const CompareVerb& options) {
    const bool by_device = !options.devices.empty() || !options.devices_of.empty();
    if (by_device && options.view.files.size() > 1)
        return usage("Other devices are compared for one report only", "Give one FILE with --device.");
    if (by_device && options.fail_slower)
        return usage("A gate compares reports, not devices", "Give two reports with --fail-slower.");
    return std::nullopt;
}

/// What is compared; of a session that stands alone its older reports and its own.
Result<std::vector<AnalysedReport>> read_reports(const CompareVerb& options) {
    if (options.view.files.size() > 1) return read_each(options.view, options.view.files);
    return open_sessions(options.view.files)
        .and_then([&](NamedFiles files) -> Result<std::vector<AnalysedReport>> {
            if (files.session.baselines.empty())
                return tl::unexpected(
                    usage("There is nothing to compare the report with",
                          "Give two reports or more, oldest first, one and --device, or a session with older "
                          "reports."));
            return read_with_baselines(options.view, std::move(files));
        });
}

/// A share: as typed, else as the session says that stands alone.
double noise_of(const CompareVerb& options, const std::vector<AnalysedReport>& reports) {
    if (options.noise) return *options.noise / 100;
    return options.view.files.size() > 1 ? default_noise : reports.back().files.session.view.comparison.noise;
}

Result<int> compare_reports(const CompareVerb& options) {
    const Result<std::vector<AnalysedReport>> reports = read_reports(options);
    if (!reports) return tl::unexpected(reports.error());
    for (const AnalysedReport& report : *reports)
        say_moves_left_out(report.files, "what was measured is compared");
    const Comparison comparison = compare_runs(views_of(*reports), {.noise = noise_of(options, *reports)});
    const std::string text = options.format == "json" ? to_comparison_json(comparison)
                                                      : rendered(comparison_table(comparison), options);
    if (const auto written = write_output(options.output, text); !written)
        return tl::unexpected(written.error());
    if (options.format == "table") say(comparison_sentence(comparison));
    if (options.fail_slower && !passes_slower_gate(comparison, *options.fail_slower)) return exit_gate_failed;
    return exit_done;
}

/// The busiest device of a report, of those with a dot on the chart where there are any.
Result<Device> device_of_file(const ViewOptions& view, const std::string& file) {
    const Result<std::vector<AnalysedReport>> reports = read_each(view, {file});
    if (!reports) return tl::unexpected(reports.error());
    const AnalysedReport& report = reports->front();
    if (report.analysis.models.empty())
        return tl::unexpected(
            usage("There is no kernel, and so no device, in " + file, "Give another report."));
    return report.profile->at(report.analysis.models.front().device);
}

Result<int> compare_devices(const CompareVerb& options) {
    std::vector<Device> devices;
    for (const std::string& name : options.devices) {
        const Result<const Device*> device = named_device(name);
        if (!device) return tl::unexpected(device.error());
        devices.push_back(**device);
    }
    for (const std::string& file : options.devices_of) {
        Result<Device> device = device_of_file(options.view, file);
        if (!device) return tl::unexpected(device.error());
        devices.push_back(std::move(*device));
    }
    const Result<std::vector<AnalysedReport>> report = read_each(options.view, options.view.files);
    if (!report) return tl::unexpected(report.error());
    const RunView run = views_of(*report).front();
    std::vector<ProjectedKernels> roofs;
    for (const Device& device : devices)
        roofs.push_back(under_roofs_of(run, device));
    const std::string text = options.format == "json" ? to_roof_change_json(run, roofs)
                                                      : rendered(projection_table(run, roofs), options);
    if (const auto written = write_output(options.output, text); !written)
        return tl::unexpected(written.error());
    if (options.format != "table") return exit_done;
    for (const ProjectedKernels& device : roofs)
        say(projection_sentence(device));
    say(projection_basis);
    return exit_done;
}

int compare(const CompareVerb& options) {
    Result<int> status = exit_usage;
    if (const auto wrong = contradiction(options))
        status = tl::unexpected(*wrong);
    else
        status = options.devices.empty() && options.devices_of.empty() ? compare_reports(options)
                                                                       : compare_devices(options);
    if (status) return *status;
    return fail(status.error());
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
    CLI::App* verb =
        app.add_subcommand("compare", "Compare reports of one program, or devices for one report");
    const auto options = std::make_shared<CompareVerb>();
    add_view_options(*verb, options->view);
    verb->get_option("FILE")->description(
        "BASE NEW [MORE...]: reports, oldest first; or a session with older reports; or one report with "
        "--device; - is stdin");
    verb->add_option("--format", options->format, "how the numbers are written")
        ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
        ->capture_default_str();
    verb->add_option("-o,--output", options->output, "file to write, - for stdout")
        ->type_name("FILE")
        ->capture_default_str();
    verb->add_flag("--wide", options->wide,
                   "every column in the table; csv, json and markdown have them all");
    add_noise_option(*verb, options->noise);
    verb->add_option("--fail-slower", options->fail_slower,
                     "exit with 1 when a kernel takes more than PCT % longer in the last report than in the "
                     "first, when no kernel can be compared, when counters of one contradict each other, or "
                     "when a file is damaged")
        ->type_name("PCT")
        ->check(
            [](const std::string& text) { return per_cent_check(text, "a per cent of time", "5", 1000); });
    verb->add_option("--device", options->devices,
                     "what would bind the kernels of one report on a GPU of the built-in table, such as "
                     "\"H100 SXM\"; may be given several times")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb->add_option("--device-of", options->devices_of,
                     "the same for the busiest device of another report that has a dot")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    verb->callback([options, &status] { status = compare(*options); });
}

}  // namespace roofwalk::cli
