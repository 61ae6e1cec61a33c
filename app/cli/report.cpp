// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stop_token>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/gate.h"
#include "app/cli/input.h"
#include "app/cli/name_pattern.h"
#include "app/cli/output.h"
#include "app/cli/scenario.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/base/text.h"
#include "core/import/ncu/former_metrics.h"
#include "core/import/stored_metrics.h"
#include "core/model/profile.h"
#include "core/model/source_names.h"
#include "core/operations/bound_operation.h"
#include "core/operations/op_suggestions.h"
#include "core/report/metric_report.h"
#include "core/report/report_table.h"
#include "core/roofline/summary.h"
#include "core/scenario/scenario_report.h"

namespace roofwalk::cli {

namespace {

std::string launches_of(const Suggestion& suggestion) {
    const std::string count = format_count(suggestion.count);
    if (suggestion.launches.empty()) return suggestion.count == 1 ? "1 launch" : "all " + count + " launches";
    return suggestion.count == 1 ? "1 of its launches" : count + " of its launches";
}

/// `kind` is "suggestion" or "assumption"; `why` leads to what that rests on, `take` to its --bind.
void say_each(const std::vector<Suggestion>& suggestions, std::string_view kind, std::string_view why,
              std::string_view take) {
    for (const Suggestion& suggestion : suggestions) {
        say(fmt::format("{} for {} ({}): {}", kind, suggestion.kernel, launches_of(suggestion),
                        suggestion.operation));
        say(fmt::format("  {} {}", why, suggestion.why));
        if (suggestion.launches.empty())
            say(fmt::format("  {} --bind {}", take,
                            quote_shell_shown(rule_text_for(suggestion.kernel, suggestion.operation))));
    }
}

/// Says on stderr which operations kernels without one seem to carry out, with the numbers that speak for
/// each and the --bind that accepts it; then those that follow from an assumption, which a rule cannot hold.
void say_suggestions(const Profile& profile, const LaunchOperations& operations) {
    const std::vector<Suggestion> suggestions = suggest_operations(profile, operations);
    if (suggestions.empty())
        say("No suggestion: no kernel without an operation has numbers that tell which one it is.");
    say_each(suggestions, "suggestion", "because", "accept it with");
    say_each(assume_operations(profile, operations), "assumption", "which assumes that",
             "a report names this as your own rule, without the assumption:");
}

struct ReportOptions : TableOutput {
    ViewArguments view;
    std::optional<double> fail_below;
    bool fail_below_in_per_cent = false;  ///< it was written with the sign
    double gate_share = 0;
    bool suggest = false;
    std::string scenario;
    std::string metrics;  ///< a pattern of names; empty: the kernels are printed
    bool instances = false;
};

/// What is printed, and one sentence that sums it up.
struct ReportOutput {
    std::string text;
    std::string sentence;
};

/// A sentence on all kernels, told from one on those that could be read, unless the table beside it says so.
std::string with_partial(const Profile& profile, const std::string& sentence, const std::string& output) {
    const std::string partial = is_on_terminal(output) ? "" : partial_sentence(profile);
    return partial.empty() ? sentence : partial + " " + sentence;
}

/// A sentence on each report, where there are several.
void say_reports(const Analysis& analysis) {
    constexpr std::size_t most = 64;
    if (!analysis.several_reports) return;
    const std::vector<ReportShare> reports = report_shares(analysis);
    for (const ReportShare& report : std::span(reports).first(std::min(reports.size(), most)))
        say(report_sentence(report, analysis.options.group_by));
    if (reports.size() > most)
        say(fmt::format("{} more reports are told by --format json.", reports.size() - most));
}

ReportOutput kernels(const AnalysedReport& viewed, const ReportOptions& options) {
    return {options.format == "json" ? to_report_json(*viewed.profile, viewed.analysis)
                                     : as_text(report_table(*viewed.profile, viewed.analysis), options),
            with_partial(*viewed.profile, whole_session_sentence(viewed.analysis, {}, RangeWords::beside),
                         options.output)};
}

std::string moves_table(const WorkspaceResult& result, const ReportOptions& options) {
    const WhatIf& moves = *result.what_if;
    ReportTable table = scenario_table(moves.scenario, *result.analysis, moves.effect);
    table.note = partial_sentence(*result.inputs.profile);
    return as_text(table, options);
}

ReportOutput moves(const WorkspaceResult& result, const ReportOptions& options) {
    const WhatIf& moves = *result.what_if;
    return {options.format == "json" ? to_scenario_report_json(moves.scenario, *result.analysis, moves.effect)
                                     : moves_table(result, options),
            with_partial(*result.inputs.profile, scenario_sentence(moves.scenario, moves.effect),
                         options.output)};
}

Result<ReportView> with_moves(const ReportOptions& options) {
    Result<Scenario> scenario = read_scenario_file(options.scenario);
    if (!scenario) return tl::unexpected(scenario.error());
    keep_from_output(options.scenario);
    return open_sessions(options.view.files).and_then([&](NamedFiles files) {
        files.session.scenario = *std::move(scenario);
        return read_report_view(options.view, std::move(files));
    });
}

Result<void> write(const ReportOutput& content, const ReportOptions& options) {
    return write_output(options.output, content.text).map([&] {
        if (options.format == "table") say(content.sentence);
    });
}

int report_moves(const ReportOptions& options) {
    const Result<ReportView> view = with_moves(options);
    if (!view) return fail(view.error());
    const WorkspaceResult& result = view->result;
    const auto written = check_made(*result.what_if, options.scenario).and_then([&] {
        return write(moves(result, options), options);
    });
    if (!written) return fail(written.error());
    say_missing_of_shown(result);
    if (options.suggest) say_suggestions(*result.inputs.profile, *result.analysis->options.launch_operations);
    return view->files.exit_code;
}

/// Launches of the kernels that are shown, as they follow each other.
std::vector<LaunchIndex> launches_of(const Analysis& analysis) {
    std::vector<LaunchIndex> launches;
    for (const KernelPoint& point : analysis.points)
        for (const LaunchIndex launch : analysis.grouping.launches_of(analysis.grouping.groups[point.group]))
            launches.push_back(launch);
    std::ranges::sort(launches);
    return launches;
}

/// Says files that could not be read again.
int fail_each(const std::vector<Error>& failures) {
    int status = exit_done;
    for (const Error& failure : failures)
        status = fail(failure);
    return status;
}

struct MetricsSummary {
    std::vector<MetricRow> rows;
    std::set<LaunchIndex> launches;
    std::vector<Error> failures;
};

/// Programs get launch by launch what the files hold; false where none could be read.
bool write_metrics(const AnalysedReport& viewed, const MetricChoice& choice, const ReportOptions& options,
                   const WritePart& write, MetricsSummary& read) {
    const Profile& profile = *viewed.profile;
    const bool json = options.format == "json";
    const bool streams = json || options.format == "csv";
    MetricStream stream(profile, read.rows, json ? MetricStream::Form::json : MetricStream::Form::csv);
    MetricOverview overview(profile, read.rows);
    std::stop_source stop;
    ProgressLine line("metrics");
    const Progress progress{[&line](double share) { line.show(share); }, stop.get_token()};
    const auto take = [&](const LaunchMetrics& launch) {
        read.launches.insert(launch.launch);
        if (!streams)
            overview.add(launch);
        else if (!write(stream.add(launch)))
            stop.request_stop();  // nobody reads it, or there is no room
    };
    read.failures =
        each_stored_metrics(profile, launches_of(viewed.analysis), choice, read.rows, take, progress);
    if (read.launches.empty() && !read.failures.empty()) return false;
    return write(streams ? stream.end() : as_text(overview.table(), options));
}

/// Of a pattern that lists names, "a|b", those that no metric has, and what they are called today.
void say_unmatched(const std::string& expression, const std::vector<MetricRow>& rows) {
    std::vector<std::string> names{expression};
    if (expression.find_first_of("()[]") == std::string::npos) {
        names.clear();
        std::istringstream list(expression);
        for (std::string name; std::getline(list, name, '|');)
            names.push_back(name);
    }
    for (const std::string& name : names) {
        const Result<NamePattern> pattern = NamePattern::compile(name);
        if (!pattern ||
            std::ranges::any_of(rows, [&](const MetricRow& row) { return pattern->finds(row.name); }))
            continue;
        const std::string today = today_sentence(name);
        say_warning("no metric matches '" + name + "'" + (today.empty() ? "" : ". " + today));
    }
}

int report_metrics(const ReportOptions& options) {
    const Result<NamePattern> pattern = NamePattern::compile(options.metrics);
    if (!pattern) return fail(pattern.error());
    const Result<AnalysedReport> viewed = read_and_analyse(options.view);
    if (!viewed) return fail(viewed.error());
    for (const NamedReport& report : viewed->files.reports)
        if (is_stream(report.file))
            return fail({ErrorCode::file_not_readable,
                         "Metrics are read from the file when they are asked for",
                         name_for_display(report.file), "Save the data to a file and name it."});
    const MetricChoice choice{[&](std::string_view name) { return pattern->finds(name); }, options.instances};
    MetricsSummary read;
    const auto written = write_output(options.output, [&](const WritePart& write) {
        return write_metrics(*viewed, choice, options, write, read);
    });
    if (!written) return fail(written.error());
    if (read.launches.empty() && !read.failures.empty()) return fail_each(read.failures);
    if (options.format == "table") say(metrics_sentence(read.rows, read.launches.size()));
    say_unmatched(options.metrics, read.rows);
    return read.failures.empty() ? viewed->files.exit_code : fail_each(read.failures);
}

int report(const ReportOptions& options) {
    const Result<AnalysedReport> viewed = read_and_analyse(options.view);
    if (!viewed) return fail(viewed.error());
    if (options.fail_below)
        if (const auto sure = check_no_guess(*viewed->profile, viewed->analysis, options.view.device); !sure)
            return fail(sure.error());
    say_moves_left_out(viewed->files, "--scenario " + quote_shell_shown(viewed->files.session_file) +
                                          " prints what they gain");
    if (const auto written = write(kernels(*viewed, options), options); !written)
        return fail(written.error());
    if (options.format == "table") say_reports(viewed->analysis);
    say_missing(*viewed->profile, viewed->analysis);
    if (options.suggest) say_suggestions(*viewed->profile, *viewed->analysis.options.launch_operations);
    const bool passes = !options.fail_below || passes_gate(*viewed->profile, viewed->analysis,
                                                           {*options.fail_below, options.gate_share,
                                                            options.fail_below_in_per_cent});
    return passes || viewed->files.exit_code != exit_done ? viewed->files.exit_code : exit_gate_failed;
}

}  // namespace

void add_report(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("report", "Print the numbers of every kernel");
    const auto options = std::make_shared<ReportOptions>();
    add_view_arguments(*verb, options->view);
    add_device_option(*verb, options->view.device);
    add_table_output(*verb, *options);
    verb->add_option(
            "--fail-below", options->fail_below,
            "exit with 1 when a kernel reaches less than PCT % of its nearest limit, a roof or a unit that the "
            "profiler found busier. So it does when none can be judged, when counters of one contradict each other, "
            "or when a file is damaged")
        ->type_name("PCT")
        ->check(per_cent("a per cent of the nearest limit", "60", 100))
        ->transform([options](const std::string& text) {
            options->fail_below_in_per_cent = text.ends_with('%');
            return without_per_cent(text);
        });
    verb->add_option("--gate-share", options->gate_share,
                     "let --fail-below judge only kernels with at least PCT % of the time")
        ->type_name("PCT")
        ->check(per_cent("a per cent of the time", "1", 100))
        ->transform(without_per_cent)
        ->needs("--fail-below");
    verb->add_flag("--suggest", options->suggest,
                   "say which operations kernels seem to carry out, by their numbers; none is applied");
    verb->add_option("--scenario", options->scenario,
                     "print what the moves of a scenario gain, one after another, instead of the kernels")
        ->type_name("FILE");
    // The gate judges what was measured, the scenario what is not there yet.
    verb->get_option("--scenario")->excludes(verb->get_option("--fail-below"));
    verb->add_option(
            "--metrics", options->metrics,
            "print the metrics whose name holds REGEX (RE2), . for all, launch by launch, instead of the kernels. "
            "Beyond 200 rows the table, as text and as Markdown, has one for each metric of a kernel. It cuts long "
            "texts; csv and json are whole")
        ->type_name("REGEX");
    verb->add_flag("--instances", options->instances,
                   "with --metrics also the values by opcode, instruction or time")
        ->needs("--metrics");
    for (const char* other : {"--scenario", "--fail-below", "--suggest"})
        verb->get_option("--metrics")->excludes(verb->get_option(other));
    verb->callback([options, &status] {
        if (!options->metrics.empty())
            status = report_metrics(*options);
        else
            status = options->scenario.empty() ? report(*options) : report_moves(*options);
    });
}

}  // namespace roofwalk::cli
