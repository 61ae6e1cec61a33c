// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/console.h"
#include "app/cli/gate.h"

namespace roofwalk::cli {

namespace {

Result<std::vector<NamedFiles>> open_each(const std::vector<std::string>& files) {
    std::vector<NamedFiles> list;
    for (const std::string& file : files) {
        Result<NamedFiles> named = open_sessions({file});
        if (!named) return tl::unexpected(named.error());
        list.push_back(*std::move(named));
    }
    return list;
}

/// Comparisons are of every kernel, as in the window, but for what is typed.
void leave_out_filter(NamedFiles& files, const ViewOptions& options) {
    std::string& filter = files.session.view.filter;
    if (!filter.empty() && !options.filter)
        say("The filter of " + files.session_file + ", " + filter + ", is left out; --filter takes it.");
    filter.clear();
}

/// All under the same roofs: what one session says of rows and ceilings holds for every report. Operations
/// and moves stay each report's own.
void look_alike(NamedFiles& files, const WorkspaceSpec& look) {
    files.session.view.analysis = look.view.analysis;
    files.session.view.measured = look.view.measured;
    files.session.view.filter.clear();
    files.session.ceilings = look.ceilings;
}

}  // namespace

void add_noise_option(CLI::App& verb, std::optional<double>& percent) {
    verb.add_option("--noise", percent, "a change of time or bytes up to PCT % is no change")
        ->type_name("PCT")
        ->check(
            [](const std::string& text) { return per_cent_check(text, "a per cent of noise", "2", 1000); })
        ->default_str(fmt::format("{}", default_noise * 100));
}

Result<std::vector<AnalysedReport>> read_each(const ViewOptions& options,
                                              const std::vector<std::string>& files) {
    Result<std::vector<NamedFiles>> named = open_each(files);
    if (!named) return tl::unexpected(named.error());
    NamedFiles of_session;
    for (const NamedFiles& one : *named)
        if (!one.session_file.empty()) of_session = one;
    WorkspaceSpec look = of_session.session;
    leave_out_filter(of_session, options);
    if (!of_session.session_file.empty() && options.group.empty() && files.size() > 1)
        say(
            fmt::format("The rows of every report are {}, and levels, clock and ceilings the same, as {} "
                        "has them; --group kernel, launch or nvtx chooses other rows.",
                        noun_of(look.view.analysis.group_by, 2), of_session.session_file));
    std::vector<AnalysedReport> reports;
    for (NamedFiles& one : *named) {
        look_alike(one, look);
        Result<AnalysedReport> report = read_and_analyse(options, std::move(one));
        if (!report) return tl::unexpected(report.error());
        reports.push_back(*std::move(report));
    }
    return reports;
}

Result<std::vector<AnalysedReport>> read_with_baselines(const ViewOptions& options, NamedFiles files) {
    const Result<std::vector<NamedReport>> older = take_baselines(files);
    if (!older) return tl::unexpected(older.error());
    leave_out_filter(files, options);
    Result<AnalysedReport> newest = read_and_analyse(options, std::move(files));
    if (!newest) return tl::unexpected(newest.error());
    std::vector<AnalysedReport> reports;
    std::vector<LostReport> lost;
    for (const NamedReport& named : *older) {
        NamedFiles one;
        one.reports = {named};
        look_alike(one, newest->files.session);
        set_analysis_options(one.session, newest->analysis.options);
        Result<AnalysedReport> report = read_and_analyse(options, std::move(one));
        if (report)
            reports.push_back(*std::move(report));
        else
            lost.push_back({named.file, std::move(report).error()});
    }
    if (reports.empty() && !lost.empty()) return tl::unexpected(std::move(lost.front().why));
    say_lost(lost);
    add_lost(*newest->profile, lost);
    reports.push_back(*std::move(newest));
    return reports;
}

std::vector<RunView> views_of(const std::vector<AnalysedReport>& reports) {
    std::vector<RunView> views;
    for (const AnalysedReport& report : reports)
        views.push_back({report.profile.get(), &report.analysis});
    return views;
}

}  // namespace roofwalk::cli
