// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/gate.h"
#include "app/cli/output.h"
#include "app/cli/scenario.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_options.h"
#include "core/compare/comparison.h"
#include "core/devices/match_device.h"
#include "core/report/comparison_table.h"

namespace roofwalk::cli {

namespace {

/// Comparisons are of every kernel, as in the window, but for what is typed.
void leave_out_filter(NamedFiles& files, const ViewOptions& options) {
    std::string& filter = files.session.view.filter;
    if (!filter.empty() && !options.filter)
        say("The filter of " + files.session_file + ", " + filter + ", is left out; --filter takes it.");
    filter.clear();
}

/// Reads and analyses each file by itself, all in one way and under the same roofs: as the options say, else
/// as the last session among the files does. Operations and moves stay each report's own. What a session
/// chose for the others is said on stderr. Files that name no GPU get `ran_on`.
Result<std::vector<AnalysedReport>> read_each(const ViewOptions& options,
                                              const std::vector<std::string>& files,
                                              const std::optional<Device>& ran_on = {}) {
    std::vector<NamedFiles> named;
    NamedFiles of_session;
    for (const std::string& file : files) {
        Result<NamedFiles> one = open_sessions({file});
        if (!one) return tl::unexpected(one.error());
        if (!one->session_file.empty()) of_session = *one;
        named.push_back(*std::move(one));
    }
    leave_out_filter(of_session, options);
    if (!of_session.session_file.empty() && options.group.empty() && files.size() > 1)
        say(
            fmt::format("The rows of every report are {}, and levels, clock and ceilings the same, as {} "
                        "has them; --group kernel, launch or nvtx chooses other rows.",
                        noun_of(of_session.session.view.analysis.group_by, 2), of_session.session_file));
    std::vector<AnalysedReport> reports;
    for (NamedFiles& one : named) {
        one.session.view.analysis = of_session.session.view.analysis;
        one.session.view.measured = of_session.session.view.measured;
        one.session.view.filter.clear();
        one.session.ceilings = of_session.session.ceilings;
        if (ran_on) one.session.view.ran_on = ran_on;
        Result<AnalysedReport> report = read_and_analyse(options, std::move(one));
        if (!report) return tl::unexpected(report.error());
        reports.push_back(*std::move(report));
    }
    return reports;
}

/// The same of the kernels that a filter shows of each report.
ReportComparison filtered(ReportComparison compared, const std::string& filter) {
    std::vector<AnalysedProfile> runs = compared.comparison.runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto shown = std::make_shared<Analysis>(*runs[i].analysis);
        keep_shown(*shown, *runs[i].profile, filter);
        runs[i].analysis = shown.get();
        compared.analyses[i] = std::move(shown);
    }
    compared.comparison = compare_runs(runs, compared.comparison.options);
    return compared;
}

/// They refer to `reports`.
std::vector<AnalysedProfile> views_of(const std::vector<AnalysedReport>& reports) {
    std::vector<AnalysedProfile> views;
    for (const AnalysedReport& report : reports)
        views.push_back({report.profile.get(), &report.analysis});
    return views;
}

/// One name for the memory of all that is compared, that of `other_devices` too.
void name_memory_of(std::vector<AnalysedReport>& reports, std::span<const Device> other_devices = {}) {
    MemoryName memory = MemoryName::hbm;
    for (const Device& device : other_devices)
        memory = common_memory_name(memory, memory_of(device));
    for (const AnalysedReport& report : reports)
        memory = common_memory_name(memory, report.analysis.options.memory);
    for (AnalysedReport& report : reports)
        set_memory_name(report.analysis, memory);
}

struct CompareVerb : TableOutput {
    ViewOptions view;
    std::optional<double> noise;  ///< [%]
    std::optional<double> fail_slower;
    std::vector<std::string> devices;
    std::vector<std::string> devices_of;
};

Error usage(std::string what, std::string hint) {
    return {ErrorCode::bad_argument, std::move(what), "compare", std::move(hint)};
}

/// Of one report: what would be on another GPU.
bool is_by_device(const CompareVerb& options) {
    return options.view.files.size() == 1 && !(options.devices.empty() && options.devices_of.empty());
}

/// What is wrong with the options as a whole, or nothing.
std::optional<Error> contradiction(const CompareVerb& options) {
    if (options.view.files.size() > 1) {
        if (options.devices.size() > 1 || !options.devices_of.empty())
            return usage("Other devices are compared for one report only",
                         "Give one FILE; with more, one --device names the GPU of those that name none.");
        return std::nullopt;
    }
    if (is_by_device(options) && options.fail_slower)
        return usage("A gate compares reports, not devices", "Give two reports with --fail-slower.");
    return std::nullopt;
}

/// The files, of which those that name no GPU ran on the one that is typed.
Result<std::vector<AnalysedReport>> read_files(const CompareVerb& options) {
    const std::vector<std::string>& files = options.view.files;
    if (options.devices.empty()) return read_each(options.view, files);
    const Result<Device> ran_on = named_device(options.devices.front());
    if (!ran_on) return tl::unexpected(ran_on.error());
    Result<std::vector<AnalysedReport>> reports = read_each(options.view, files, *ran_on);
    const auto has_it = [&](const AnalysedReport& report) {
        return std::ranges::find(report.profile->devices, ran_on->name, &Device::name) !=
               report.profile->devices.end();
    };
    const auto names_none = [](const AnalysedReport& report) {
        return std::ranges::any_of(report.profile->devices, [](const Device& d) { return d.name.empty(); });
    };
    if (!reports || std::ranges::any_of(*reports, has_it)) return reports;
    const auto refused = std::ranges::find_if(*reports, names_none);
    if (refused != reports->end() && !refused->profile->warnings.empty())
        return tl::unexpected(refused->profile->warnings.back().message);
    return tl::unexpected(
        usage("The reports name their GPUs themselves",
              "Leave --device out; with one report it tells what another GPU would change."));
}

Result<int> write_comparison(const CompareVerb& options, const Comparison& comparison) {
    const std::string text = options.format == "json" ? to_comparison_json(comparison)
                                                      : as_text(comparison_table(comparison), options);
    if (const auto written = write_output(options.output, text); !written)
        return tl::unexpected(written.error());
    if (options.format == "table") say(comparison_sentence(comparison));
    if (options.fail_slower && !passes_slower_gate(comparison, *options.fail_slower)) return exit_gate_failed;
    return exit_done;
}

Result<int> compare_reports(const CompareVerb& options) {
    Result<std::vector<AnalysedReport>> reports = read_files(options);
    if (!reports) return tl::unexpected(reports.error());
    name_memory_of(*reports);
    for (const AnalysedReport& report : *reports)
        say_moves_left_out(report.files, "what was measured is compared");
    const double noise = options.noise ? *options.noise / 100 : default_noise;
    return write_comparison(options, compare_runs(views_of(*reports), {.noise = noise}));
}

/// A session that stands alone: its older reports and its own, as window and chart compare them.
Result<int> compare_session(const CompareVerb& options) {
    Result<NamedFiles> files = open_sessions(options.view.files);
    if (!files) return tl::unexpected(files.error());
    const Result<std::vector<NamedReport>> named = take_baselines(*files);
    if (!named) return tl::unexpected(named.error());
    if (named->empty())
        return tl::unexpected(usage(
            "There is nothing to compare the report with",
            "Give two reports or more, oldest first, one and --device, or a session with older reports."));
    leave_out_filter(*files, options.view);
    say_moves_left_out(*files, "what was measured is compared");
    if (options.noise) files->session.view.comparison.noise = *options.noise / 100;
    files->session.scenario = {};
    const Result<ReportView> view = read_report_view(options.view, *std::move(files), *named);
    if (!view) return tl::unexpected(view.error());
    const ReportComparison& compared = *view->result.comparison;
    const std::string& filter = view->files.session.view.filter;
    if (filter.empty()) return write_comparison(options, compared.comparison);
    return write_comparison(options, filtered(compared, filter).comparison);
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
        Result<Device> device = named_device(name);
        if (!device) return tl::unexpected(device.error());
        devices.push_back(*std::move(device));
    }
    for (const std::string& file : options.devices_of) {
        Result<Device> device = device_of_file(options.view, file);
        if (!device) return tl::unexpected(device.error());
        devices.push_back(std::move(*device));
    }
    Result<std::vector<AnalysedReport>> report = read_each(options.view, options.view.files);
    if (!report) return tl::unexpected(report.error());
    const auto is_unknown = [](const Device& device) {
        return device.name.empty() && device.ceilings.bandwidth.empty() && device.ceilings.compute.empty();
    };
    if (std::ranges::all_of(report->front().profile->devices, is_unknown))
        return tl::unexpected(
            usage("The report names no GPU, so another one has nothing to be compared with",
                  "convert --device NAME writes the report with the GPU that it ran on; compare that."));
    name_memory_of(*report, devices);
    const AnalysedProfile run = views_of(*report).front();
    std::vector<ProjectedKernels> projected;
    for (const Device& device : devices)
        projected.push_back(project_kernels(run, device));
    const std::string text = options.format == "json" ? to_projection_json(run, projected)
                                                      : as_text(projection_table(run, projected), options);
    if (const auto written = write_output(options.output, text); !written)
        return tl::unexpected(written.error());
    if (options.format != "table") return exit_done;
    for (const ProjectedKernels& device : projected)
        say(projection_sentence(device));
    say(projection_basis);
    return exit_done;
}

int compare(const CompareVerb& options) {
    Result<int> status = exit_usage;
    if (const auto wrong = contradiction(options))
        status = tl::unexpected(*wrong);
    else if (is_by_device(options))
        status = compare_devices(options);
    else
        status = options.view.files.size() > 1 ? compare_reports(options) : compare_session(options);
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
    verb->get_option("--join")->description(
        "the processes of each file are separate runs of one program that counted different things: make one "
        "run of them; convert --join makes one of several files");
    add_table_output(*verb, *options);
    add_noise_option(*verb, options->noise);
    verb->add_option("--fail-slower", options->fail_slower,
                     "exit with 1 when a kernel takes more than PCT % longer in the last report than in the "
                     "first, when no kernel can be compared, when counters of one contradict each other, or "
                     "when a file is damaged")
        ->type_name("PCT")
        ->check([](const std::string& text) { return per_cent_check(text, "a per cent of time", "5", 1000); })
        ->transform(without_per_cent);
    repeatable(verb->add_option(
                       "--device", options->devices,
                       "what would bind the kernels of one report on a GPU of the built-in table, such as "
                       "\"H100 SXM\", or on one that a file describes; may be given several times; with two "
                       "reports or more, the GPU of those that name none")
                   ->type_name("NAME|FILE")
                   ->check(device_name_check));
    repeatable(verb->add_option("--device-of", options->devices_of,
                                "the same for the busiest device of another report that has a dot")
                   ->type_name("FILE"));
    verb->callback([options, &status] { status = compare(*options); });
}

}  // namespace roofwalk::cli
