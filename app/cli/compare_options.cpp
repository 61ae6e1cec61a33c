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

/// All under the same roofs: what one session says of measured ceilings holds for every report.
Result<std::vector<Viewed>> analyse_each(const ViewOptions& options, std::vector<NamedFiles> files,
                                         const AnalysisOptions& how, const MeasuredChoice& measured) {
    std::vector<Viewed> reports;
    for (NamedFiles& named : files) {
        named.session.view.measured = measured;
        leave_out_filter(named, options);
        Result<Viewed> report = read_and_analyse(options, std::move(named), how);
        if (!report) return tl::unexpected(report.error());
        reports.push_back(*std::move(report));
    }
    return reports;
}

}  // namespace

void add_noise_option(CLI::App& verb, std::optional<double>& percent) {
    verb.add_option("--noise", percent, "a change of time or bytes up to PCT % is no change")
        ->type_name("PCT")
        ->check(
            [](const std::string& text) { return per_cent_check(text, "a per cent of noise", "2", 1000); })
        ->default_str(fmt::format("{}", default_noise * 100));
}

Result<std::vector<Viewed>> read_each(const ViewOptions& options, const std::vector<std::string>& files) {
    Result<std::vector<NamedFiles>> named = open_each(files);
    if (!named) return tl::unexpected(named.error());
    NamedFiles of_session;
    for (const NamedFiles& one : *named)
        if (!one.session_file.empty()) of_session = one;
    const AnalysisOptions how = analysis_options(options, of_session.session);
    if (!of_session.session_file.empty() && options.group.empty() && files.size() > 1)
        say(
            fmt::format("The rows of every report are {}, and levels, clock and ceilings the same, as {} "
                        "has them; --group kernel, launch or nvtx chooses other rows.",
                        noun_of(how.group_by, 2), of_session.session_file));
    return analyse_each(options, *std::move(named), how, of_session.session.view.measured);
}

Result<std::vector<Viewed>> read_each_like(const Viewed& like, const ViewOptions& options,
                                           const std::vector<std::string>& files) {
    return open_each(files).and_then([&](std::vector<NamedFiles> named) {
        return analyse_each(options, std::move(named), like.analysis.options,
                            like.files.session.view.measured);
    });
}

Result<std::vector<Viewed>> read_baselines(Viewed& newest, const ViewOptions& options,
                                           const std::vector<NamedReport>& older) {
    std::vector<Viewed> reports;
    std::vector<LostReport> lost;
    for (const NamedReport& named : older) {
        NamedFiles files;
        files.reports = {named};
        files.session.view.measured = newest.files.session.view.measured;
        files.session.view.filter = newest.files.session.view.filter;
        Result<Viewed> report = read_and_analyse(options, std::move(files), newest.analysis.options);
        if (report)
            reports.push_back(*std::move(report));
        else
            lost.push_back({named.file, std::move(report).error()});
    }
    if (reports.empty() && !lost.empty()) return tl::unexpected(std::move(lost.front().why));
    say_lost(lost);
    add_lost(newest.profile, lost);
    return reports;
}

Result<std::vector<Viewed>> read_with_baselines(const ViewOptions& options, NamedFiles files) {
    const Result<std::vector<NamedReport>> older = take_baselines(files);
    if (!older) return tl::unexpected(older.error());
    AnalysisOptions how = analysis_options(options, files.session);
    leave_out_filter(files, options);
    Result<Viewed> newest = read_and_analyse(options, std::move(files), std::move(how));
    if (!newest) return tl::unexpected(newest.error());
    return read_baselines(*newest, options, *older).map([&](std::vector<Viewed> reports) {
        reports.push_back(*std::move(newest));
        return reports;
    });
}

std::vector<RunView> views_of(const std::vector<Viewed>& reports) {
    std::vector<RunView> views;
    for (const Viewed& report : reports)
        views.push_back({&report.profile, &report.analysis});
    return views;
}

}  // namespace roofwalk::cli
