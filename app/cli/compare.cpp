// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/gate.h"
#include "app/cli/output.h"
#include "app/cli/scenario.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/compare/comparison.h"
#include "core/devices/match_device.h"
#include "core/report/comparison_table.h"

namespace roofwalk::cli {

namespace {

/// Comparisons are of every kernel, as in the window, but for what is typed.
void leave_out_filter(NamedFiles& files, const ViewArguments& options) {
    std::string& filter = files.session.view.filter;
    if (!filter.empty() && !options.filter)
        say("The filter of " + files.session_file + ", " + filter + ", is left out; --filter takes it.");
    filter.clear();
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

struct CompareVerb : TableOutput {
    ViewArguments view;
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

Result<int> write_comparison(const CompareVerb& options, const ReportView& view) {
    const std::string& filter = view.files.session.view.filter;
    const ReportComparison& all = *view.result.comparison;
    const ReportComparison shown = filter.empty() ? all : filtered(all, filter);
    const Comparison& comparison = shown.comparison;
    const std::string text = options.format == "json" ? to_comparison_json(comparison)
                                                      : as_text(comparison_table(comparison), options);
    if (const auto written = write_output(options.output, text); !written)
        return tl::unexpected(written.error());
    if (options.format == "table") say(comparison_sentence(comparison));
    if (view.result.analysis->options.group_by != GroupBy::operation &&
        totals_of(all.comparison).compared == 0)
        say_warning(
            "Kernels are matched by their names. Of programs that name them otherwise --group operation compares "
            "operations, which --bind tells in each.");
    if (options.fail_slower && !passes_slower_gate(comparison, *options.fail_slower)) return exit_gate_failed;
    return exit_done;
}

void say_measured_is_compared(const NamedFiles& files) {
    say_moves_left_out(files, "what was measured is compared");
}

/// Each file as it was named; the newest takes how it is looked at from the last session among them.
Result<std::vector<NamedFiles>> open_each(CompareVerb& options) {
    std::vector<NamedFiles> named;
    NamedFiles of_session;
    for (const std::string& file : options.view.files) {
        Result<NamedFiles> one = open_sessions({file});
        if (!one) return tl::unexpected(one.error());
        if (!one->session_file.empty()) of_session = *one;
        named.push_back(*std::move(one));
    }
    leave_out_filter(of_session, options.view);
    WorkspaceSpec& newest = named.back().session;
    const std::optional<Device> ran_on = newest.view.ran_on;
    newest.view = of_session.session.view;
    newest.view.ran_on = ran_on;
    newest.ceilings = of_session.session.ceilings;
    if (of_session.session_file.empty()) return named;
    options.view.usual_operations = newest.view.analysis.operations;
    if (!options.view.group.empty()) return named;
    say(fmt::format(
        "The rows of every report are {}, and levels, clock and ceilings the same, as {} has them. "
        "--group kernel, launch or nvtx chooses other rows.",
        noun_of(newest.view.analysis.group_by, 2), of_session.session_file));
    return named;
}

/// Reports that were named, oldest first, each with its own operations.
Result<ReportView> read_named(CompareVerb options) {
    Result<std::vector<NamedFiles>> named = open_each(options);
    if (!named) return tl::unexpected(named.error());
    std::optional<Device> ran_on;
    if (!options.devices.empty()) {
        const Result<Device> typed = named_device(options.devices.front());
        if (!typed) return tl::unexpected(typed.error());
        ran_on = *typed;
    }
    for (NamedFiles& files : *named) {
        say_measured_is_compared(files);
        if (ran_on) files.session.view.ran_on = ran_on;
    }
    NamedFiles newest = std::move(named->back());
    named->pop_back();
    MeasuredUse measured{{}, newest.session.view.measured};
    std::vector<OpenFile> older;
    for (NamedFiles& files : *named) {
        say_left_out(files);
        Bindings bindings = files.session.bindings;
        put_typed_rules(options.view, bindings);
        files.session.joined |= options.view.join;
        Result<OpenFile> one = read_older(options.view, files, measured);
        if (!one) return tl::unexpected(one.error());
        one->bindings = std::move(bindings);
        older.push_back(*std::move(one));
    }
    say_left_out(newest);
    newest.session.view.other_device.reset();
    newest.session.scenario = {};
    if (options.noise) newest.session.view.comparison.noise = *options.noise / 100;
    Result<ReadReports> read = read_view(options.view, std::move(newest));
    if (!read) return tl::unexpected(read.error());
    std::ranges::move(measured.known, std::back_inserter(read->measured.known));
    if (ran_on)
        if (const auto known = check_ran_on(*ran_on, *read, older); !known)
            return tl::unexpected(known.error());
    return view_reports(*std::move(read), options.view, std::move(older));
}

/// A session that stands alone: its older reports and its own, as window and chart compare them.
Result<ReportView> read_session_alone(const CompareVerb& options) {
    Result<NamedFiles> files = open_sessions(options.view.files);
    if (!files) return tl::unexpected(files.error());
    const Result<std::vector<NamedReport>> named = take_baselines(*files);
    if (!named) return tl::unexpected(named.error());
    if (named->empty())
        return tl::unexpected(usage(
            "There is nothing to compare the report with",
            "Give two reports or more, oldest first, one and --device, or a session with older reports."));
    leave_out_filter(*files, options.view);
    say_measured_is_compared(*files);
    if (options.noise) files->session.view.comparison.noise = *options.noise / 100;
    files->session.scenario = {};
    return read_report_view(options.view, *std::move(files), *named);
}

/// One report, with every kernel but for what is typed, beside devices.
Result<AnalysedReport> read_alone(const ViewArguments& view, const std::string& file,
                                  MemoryName memory_beside = MemoryName::hbm) {
    return open_sessions({file}).and_then([&](NamedFiles files) {
        leave_out_filter(files, view);
        return read_and_analyse(view, std::move(files), memory_beside);
    });
}

/// The busiest device of a report, of those with a dot on the chart where there are any.
Result<Device> device_of_file(const ViewArguments& view, const std::string& file) {
    const Result<AnalysedReport> report = read_alone(view, file);
    if (!report) return tl::unexpected(report.error());
    if (report->analysis.models.empty())
        return tl::unexpected(
            usage("There is no kernel, and so no device, in " + file, "Give another report."));
    return report->profile->at(report->analysis.models.front().device);
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
    const Result<AnalysedReport> report =
        read_alone(options.view, options.view.files.front(), memory_of(devices));
    if (!report) return tl::unexpected(report.error());
    const auto is_unknown = [](const Device& device) {
        return device.name.empty() && device.ceilings.bandwidth.empty() && device.ceilings.compute.empty();
    };
    if (std::ranges::all_of(report->profile->devices, is_unknown))
        return tl::unexpected(
            usage("The report names no GPU, so another one has nothing to be compared with",
                  "convert --device NAME writes the report with the GPU that it ran on; compare that."));
    const AnalysedProfile run{report->profile.get(), &report->analysis};
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
    if (const auto wrong = contradiction(options)) return fail(*wrong);
    const Result<int> status =
        is_by_device(options)
            ? compare_devices(options)
            : (options.view.files.size() > 1 ? read_named(options) : read_session_alone(options))
                  .and_then([&](const ReportView& view) { return write_comparison(options, view); });
    return status ? *status : fail(status.error());
}

}  // namespace

void add_compare(CLI::App& app, int& status) {
    CLI::App* verb =
        app.add_subcommand("compare", "Compare reports of one program, or devices for one report");
    const auto options = std::make_shared<CompareVerb>();
    options->view.filters_older = true;
    add_view_arguments(*verb, options->view);
    verb->get_option("FILE")->description(
        "BASE NEW [MORE...]: reports, oldest first; or a session with older reports; or one report with "
        "--device; - is stdin");
    verb->get_option("--join")->description(
        "the processes of each file are separate runs of one program that counted different things. Make one run of "
        "them; convert --join makes one of several files");
    add_table_output(*verb, *options);
    add_noise_option(*verb, options->noise);
    verb->add_option(
            "--fail-slower", options->fail_slower,
            "exit with 1 when a kernel takes more than PCT % longer in the last report than in the first. "
            "So it does when no kernel can be compared, when counters of one contradict each other, or when "
            "a file is damaged")
        ->type_name("PCT")
        ->check(per_cent("a per cent of time", "5", 1000))
        ->transform(without_per_cent);
    repeatable(
        verb->add_option(
                "--device", options->devices,
                "what would bind the kernels of one report on a GPU of the built-in table, such as \"H100 SXM\", or "
                "one that a file describes. May be given several times; with two reports or more, the GPU of those "
                "that name none")
            ->type_name("NAME|FILE")
            ->each(print_device_list)
            ->check(device_name_check));
    repeatable(verb->add_option("--device-of", options->devices_of,
                                "the same for the busiest device of another report that has a dot")
                   ->type_name("FILE"));
    verb->callback([options, &status] { status = compare(*options); });
}

}  // namespace roofwalk::cli
