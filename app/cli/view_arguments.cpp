// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/view_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <string>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/input.h"
#include "app/cli/measured_roofs.h"
#include "app/cli/scenario.h"
#include "app/cli/shared_options.h"
#include "core/base/text.h"
#include "core/import/open_profile.h"
#include "core/model/kernel_name.h"
#include "core/operations/op_binding.h"
#include "core/report/kernel_filter.h"
#include "core/report/report_table.h"
#include "core/roofline/gap.h"
#include "core/roofline/missing.h"
#include "core/roofline/ncu_command.h"
#include "core/roofline/summary.h"

namespace roofwalk::cli {

namespace {

std::string binding_rule_check(const std::string& text) {
    const Result<BindingRule> rule = read_binding_rule(text);
    return rule ? std::string() : to_line(rule.error());
}

/// What is typed goes before what the session says.
void put_typed(const ViewArguments& options, NamedFiles& files) {
    WorkspaceSpec& spec = files.session;
    AnalysisOptions analysis = analysis_options(spec);
    if (files.session_file.empty()) analysis.operations = options.usual_operations;
    if (options.view == "nsight") analysis = nsight_view(analysis);
    if (options.view == "nersc") analysis = nersc_view(analysis);
    analysis.group_by = enum_from_id<GroupBy>(options.group).value_or(analysis.group_by);
    analysis.clock = enum_from_id<ClockBasis>(options.clock).value_or(analysis.clock);
    analysis.operations = enum_from_id<OperationClass>(options.operations).value_or(analysis.operations);
    if (!options.levels.empty()) {
        std::ranges::fill(analysis.levels, false);
        analysis.l1_where_it_binds = false;
        for (const std::string& id : options.levels)
            if (const auto level = enum_from_id<MemoryLevel>(id == "dram" ? "hbm" : id))
                analysis.levels[*level] = true;
    }
    if (options.launch_floor) analysis.launch_floor = Seconds(*options.launch_floor * 1e-6);
    if (options.near_ridge.size() == 2) {
        analysis.thresholds.near_ridge_low = options.near_ridge[0];
        analysis.thresholds.near_ridge_high = options.near_ridge[1];
    }
    if (options.practical.size() == 2) analysis.practical = {options.practical[0], options.practical[1]};
    set_analysis_options(spec, std::move(analysis));
    put_typed_rules(options, spec.bindings);
    if (options.filter) spec.view.filter = *options.filter;
    spec.joined = spec.joined || options.join;
}

/// One of a session that cannot be used is told and shows every kernel, as in the window.
Result<void> check_filter(const ViewArguments& options, NamedFiles& files) {
    const Result<KernelFilter> filter = parse_kernel_filter(files.session.view.filter);
    if (filter) return {};
    if (options.filter) return tl::unexpected(filter.error());
    say_warning("The filter of " + files.session_file + " is not used. " + to_line(filter.error()));
    files.session.view.filter.clear();
    return {};
}

void say_problems(const LaunchOperations& operations, const std::string& of) {
    for (const Error& problem : operations.problems)
        say_warning(of + to_line(problem));
}

/// What could not be used of the operations that were typed or stand in the session, on stderr.
void say_unused_bindings(const Analysis& analysis, const ViewArguments& options,
                         const ReportComparison* compared = nullptr) {
    std::vector<const LaunchOperations*> all{analysis.options.launch_operations.get()};
    for (std::size_t i = 0; compared && i < compared->older.size(); ++i) {
        all.push_back(compared->analyses[i]->options.launch_operations.get());
        say_problems(*all.back(), compared->older[i].name() + ": ");
    }
    say_problems(*all.front(), {});
    for (std::size_t i = 0; i < options.bind.size(); ++i)
        if (std::ranges::none_of(all, [i](const auto* of) { return of->bound_by_rule[i] > 0; }))
            say_warning("--bind " + options.bind[i] + " binds no launch");
}

void say_doubts(const Analysis& analysis, const std::vector<std::uint32_t>& shown) {
    if (const std::string doubts = doubt_sentences(analysis, shown); !doubts.empty()) say_warning(doubts);
}

/// Tells that no kernel matches the filter, and why where `unknown` columns have no values, or that the
/// filter of a session holds.
void say_filtered(const ViewArguments& options, const NamedFiles& files, bool any_left,
                  const std::vector<std::string>& unknown) {
    const std::string& filter = files.session.view.filter;
    if (!any_left)
        say_warning(fmt::format("no kernel matches '{}'{}{}", filter,
                                unknown.empty() ? "" : ": of none is known ", fmt::join(unknown, ", ")));
    else if (!options.filter && !files.session_file.empty())
        say("The filter of " + files.session_file + ", " + filter +
            ", holds; --filter '' shows every kernel.");
}

std::vector<bool> matching(const Analysis& analysis, const Profile& profile, const std::string& filter) {
    return *matching_points(analysis, *parse_kernel_filter(filter, &profile, &analysis));
}

/// Leaves the points that match.
void keep_matching(Analysis& analysis, const std::vector<bool>& matching) {
    std::vector<KernelPoint>& points = analysis.points;
    std::size_t kept = 0;  // in place: a million points are most of the memory in use
    for (std::size_t i = 0; i < matching.size(); ++i)
        if (matching[i] && kept++ != i) points[kept - 1] = std::move(points[i]);
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(kept), points.end());
}

/// Reports that could not be read stand in the profile as files of which nothing was read: what is written
/// says so, and no gate is passed without them.
void add_lost(std::shared_ptr<const Profile>& profile, const std::vector<LostReport>& lost) {
    if (lost.empty()) return;
    auto with_lost = std::make_shared<Profile>(*profile);
    for (const LostReport& report : lost) {
        SourceInfo source;
        source.path = report.file;
        source.partial = true;
        with_lost->sources.push_back(std::move(source));
        Error why = report.why;
        if (!report.named_by.empty()) why.where = place_in_file(why.where, "named by " + report.named_by);
        with_lost->warnings.push_back({.message = std::move(why), .launches = {}, .file = report.file});
    }
    profile = std::move(with_lost);
}

/// Kernels of which other options tell more.
void say_what_options_tell(const Analysis& analysis) {
    constexpr std::size_t name_chars = 48;
    const auto say_of = [&](auto is_one, std::string_view before, std::string_view after) {
        const auto kernels = static_cast<std::size_t>(std::ranges::count_if(analysis.points, is_one));
        if (kernels == 0) return;
        const std::string rows =
            kernels == 1
                ? shorten_kernel_name(std::ranges::find_if(analysis.points, is_one)->name, name_chars)
                : rows_among(kernels, analysis.points.size(), analysis.options.group_by);
        say(fmt::format("{}{}{}", before, rows, after));
    };
    say_of(&KernelPoint::mostly_integer, "The work of ",
           " is integer operations: --operations integer counts them.");
    say_of(is_part_of_operation, "Parts of operations, which --group operation judges: ", ".");
}

}  // namespace

std::string listed_names(const Analysis& analysis, const std::vector<std::uint32_t>& points) {
    constexpr std::size_t most_named = 5;
    constexpr std::size_t longest_name = 60;
    std::vector<std::string> names;
    for (const std::uint32_t point : std::span(points).first(std::min(points.size(), most_named)))
        names.push_back(shorten_kernel_name(analysis.points[point].name, longest_name));
    if (points.size() > most_named)
        names.push_back(format_count(static_cast<double>(points.size() - most_named)) + " more");
    return joined_with_and(names);
}

void add_join_option(CLI::App& verb, bool& join) {
    verb.add_flag(
        "--join", join,
        "the files, or the processes of one, are separate runs of one program that counted different things, such as "
        "time, then bytes, then FLOP. Make one run of them, launch by launch, with the time of the run that counted "
        "least");
}

void add_bind_option(CLI::App& verb, std::vector<std::string>& bind) {
    repeatable(
        verb.add_option(
                "--bind", bind,
                "the operation of kernels whose name holds PATTERN (an RE2 expression), as in "
                "'gemm_(\\d+)x(\\d+)x(\\d+)=gemm m=$1 n=$2 k=$3'; nvtx:PATTERN looks at NVTX ranges. May be given "
                "several times, the first that fits holds")
            ->type_name("PATTERN=OPERATION")
            ->check(binding_rule_check));
}

void add_view_arguments(CLI::App& verb, ViewArguments& options) {
    verb.add_option(
            "FILE", options.files,
            list_of_formats() +
                "; - is stdin; or a session (.roofwalk), whose reports are read with its view, ceilings and operations. "
                "Several that only numbers tell apart are read in the order of these, run2 before run10")
        ->required()
        ->type_name("");
    verb.add_option("--group", options.group, "what one row or dot stands for")
        ->check(CLI::IsMember({"kernel", "launch", "nvtx", "operation"}))
        ->default_str("kernel");
    verb.add_option("--clock", options.clock, "clock at which ceilings hold")
        ->check(CLI::IsMember({"measured", "boost"}))
        ->default_str("measured");
    verb.add_option("--operations", options.operations,
                    "which operations count as work; auto: integer ones where the reports hold no FLOP")
        ->check(CLI::IsMember({"floating", "integer", "all", "auto"}))
        ->default_str(std::string(id_of(options.usual_operations)));
    verb.add_option("--view", options.view, "count bytes as Nsight Compute's chart or NERSC's recipe does")
        ->check(CLI::IsMember({"nsight", "nersc"}));
    repeatable(
        verb.add_option(
                "--levels", options.levels,
                "memory levels that are drawn and listed, some of hbm (or dram),l2,l1,smem (default hbm,l2,smem, and "
                "l1 where it binds a kernel). All that were measured limit kernels")
            ->delimiter(',')
            ->check(CLI::IsMember({"hbm", "dram", "l2", "l1", "smem"}))
            ->type_name("LIST"));
    verb.add_option(
            "--launch-floor", options.launch_floor,
            "what a launch takes at least on the GPU, in microseconds: less is neither recoverable nor predicted. A "
            "launch of the report that took less goes before it (default: what was measured on the GPU, else 2)")
        ->check(number_between(0, 1000))
        ->type_name("US");
    const auto add_pair = [&](const char* name, std::vector<double>& pair, const char* what,
                              const char* words) {
        return verb.add_option(name, pair, what)->delimiter(',')->expected(2)->type_name(words);
    };
    const auto part = number_between(0.01, 1);
    add_pair("--near-ridge", options.near_ridge,
             "between which shares of the ridge a kernel is near it, left and right (default 0.5,1.5)",
             "LOW,HIGH")
        ->check(CLI::Validator(part, "").application_index(0))
        ->check(CLI::Validator(number_between(1, 100), "").application_index(1));
    add_pair("--practical-factors", options.practical,
             "what good kernels reach of a compute and of a bandwidth ceiling that was not measured (default "
             "0.80,0.88)",
             "COMPUTE,BANDWIDTH")
        ->check(part);
    verb.add_option(
            "--filter", options.filter,
            "only kernels that match, in the language of the window: TEXT in their name, /REGEX/ (RE2), or 'gap > 2 "
            "and time > 5%'. Of a session its own filter holds without it")
        ->type_name("FILTER");
    verb.add_option(
            "--ceilings", options.ceilings,
            "ceilings measured on the device, as `ceilings -o` writes them. Without it those that are kept of the "
            "same GPU are used, with none no measured ones")
        ->type_name("FILE|none");
    add_join_option(verb, options.join);
    add_bind_option(verb, options.bind);
}

void put_typed_rules(const ViewArguments& options, Bindings& bindings) {
    std::vector<BindingRule> rules;
    for (const std::string& text : options.bind)
        if (Result<BindingRule> rule = read_binding_rule(text)) rules.push_back(*std::move(rule));
    bindings.rules.insert(bindings.rules.begin(), rules.begin(), rules.end());
}

WorkspaceInputs ReadReports::inputs(std::vector<OpenFile> baselines) const {
    WorkspaceInputs inputs{profile, std::move(baselines), files.session, measured.known, memory_beside};
    inputs.spec.view.measured = measured.choice;
    return inputs;
}

namespace {

/// Reports that could be read, with the GPU that they ran on, one that is typed first, and those that could
/// not.
Result<std::shared_ptr<const Profile>> read_profile(NamedFiles& files, const std::string& device = {}) {
    Result<std::shared_ptr<const Profile>> profile = read_reports(files);
    if (!profile) return profile;
    if (const auto named = name_devices(*profile, device); !named) return tl::unexpected(named.error());
    if (const auto& ran_on = files.session.view.ran_on)
        name_unnamed(*profile, *ran_on,
                     files.session_file.empty() ? "--device " + ran_on->name : files.session_file);
    say_ambiguous_devices(**profile);
    add_lost(*profile, files.lost);
    return profile;
}

}  // namespace

Result<ReadReports> read_view(const ViewArguments& options, NamedFiles files) {
    put_typed(options, files);
    if (const Result<void> filter = check_filter(options, files); !filter)
        return tl::unexpected(filter.error());
    Result<std::shared_ptr<const Profile>> profile = read_profile(files, options.device);
    if (!profile) return tl::unexpected(profile.error());
    Result<MeasuredUse> measured = measured_use(**profile, options.ceilings, files.session.view.measured);
    if (!measured) return tl::unexpected(measured.error());
    return ReadReports{std::move(files), *std::move(profile), *std::move(measured), MemoryName::hbm};
}

Result<OpenFile> read_older(const ViewArguments& options, NamedFiles& files, MeasuredUse& measured) {
    const std::string name = files.session_file.empty() ? files.reports.front().file : files.session_file;
    Result<std::shared_ptr<const Profile>> profile = read_profile(files);
    if (!profile) return tl::unexpected(profile.error());
    Result<MeasuredUse> its = measured_use(**profile, options.ceilings, measured.choice);
    if (!its) return tl::unexpected(its.error());
    for (std::shared_ptr<const MeasuredCeilings>& board : its->known)
        measured.known.push_back(std::move(board));
    return OpenFile{name, *std::move(profile), {}};
}

Result<std::vector<OpenFile>> read_older_of_session(const ViewArguments& options,
                                                    const std::vector<NamedReport>& reports,
                                                    ReadReports& newest) {
    std::vector<OpenFile> older;
    std::vector<LostReport> lost;
    for (const NamedReport& report : reports) {
        NamedFiles files;
        files.reports = {{.file = report.file, .hash = report.hash}};
        files.session.joined = options.join;
        if (!options.device.empty()) files.session.view.ran_on = newest.files.session.view.ran_on;
        Result<OpenFile> one = read_older(options, files, newest.measured);
        if (one)
            older.push_back(*std::move(one));
        else
            lost.push_back({report.file, report.named_by,
                            files.lost.empty() ? std::move(one).error() : files.lost.front().why});
    }
    if (older.empty() && !lost.empty()) return tl::unexpected(told(lost.front()));
    say_lost(lost);
    add_lost(newest.profile, lost);
    return older;
}

Result<void> check_ran_on(const Device& typed, const ReadReports& newest,
                          const std::vector<OpenFile>& older) {
    std::vector<const Profile*> profiles = profiles_of(older);
    profiles.push_back(newest.profile.get());
    const auto has_one = [](const std::string& name) {
        return [&name](const Profile* profile) {
            return std::ranges::find(profile->devices, name, &Device::name) != profile->devices.end();
        };
    };
    if (std::ranges::any_of(profiles, has_one(typed.name))) return {};
    const auto refused = std::ranges::find_if(profiles, has_one(std::string()));
    if (refused != profiles.end() && !(*refused)->warnings.empty())
        return tl::unexpected(message_of((*refused)->warnings.back()));
    return unexpected(
        ErrorCode::bad_argument, "The reports name their GPUs themselves", "--device",
        "Leave it out; compare with one report and --device tells what another GPU would change.");
}

void say_older_left_out(const NamedFiles& files) {
    if (files.session.baselines.empty()) return;
    say("The older reports of " + files.session_file + " are left out; compare " +
        quote_shell_shown(files.session_file) + " compares with them.");
}

void say_left_out(const NamedFiles& files) {
    say_older_left_out(files);
    if (const auto& other = files.session.view.other_device)
        say("The roofs of " + other->name + ", named by " + files.session_file +
            ", are left out; chart draws them, and compare --device tells what binds there.");
}

bool matches_older(const ReportView& view) {
    const ReportComparison& compared = *view.result.comparison;
    for (std::size_t i = 0; i < compared.older.size(); ++i) {
        const std::vector<bool> matches =
            matching(*compared.analyses[i], *compared.older[i].profile, view.files.session.view.filter);
        if (std::ranges::find(matches, true) != matches.end()) return true;
    }
    return false;
}

ReportView view_reports(ReadReports read, const ViewArguments& options, std::vector<OpenFile> baselines) {
    WorkspaceResult result = *make_result(read.inputs(std::move(baselines)));
    ReportView view{std::move(read.files), std::move(result)};
    const std::vector<bool>& matches = view.result.matches;
    say_unused_bindings(*view.result.analysis, options, view.result.comparison.get());
    if (!matches.empty())
        say_filtered(options, view.files,
                     std::ranges::find(matches, true) != matches.end() ||
                         (options.filters_older && matches_older(view)),
                     columns_without_values(view.files.session.view.filter, *view.result.inputs.profile,
                                            *view.result.analysis));
    std::vector<std::uint32_t> shown = ranked_points(*view.result.analysis);
    std::erase_if(shown, [&](std::uint32_t point) { return !matches.empty() && !matches[point]; });
    say_doubts(*view.result.analysis, shown);
    say_unused_moves(*view.result.what_if);
    return view;
}

Result<ReportView> read_report_view(const ViewArguments& options, NamedFiles files,
                                    const std::vector<NamedReport>& older) {
    say_left_out(files);
    files.session.view.other_device.reset();
    return read_view(options, std::move(files)).and_then([&](ReadReports read) {
        return read_older_of_session(options, older, read).map([&](std::vector<OpenFile> files_of_older) {
            return view_reports(std::move(read), options, std::move(files_of_older));
        });
    });
}

bool keep_shown(Analysis& analysis, const Profile& profile, const std::string& filter) {
    keep_matching(analysis, matching(analysis, profile, filter));
    return !analysis.points.empty();
}

void say_missing_of_shown(const WorkspaceResult& result) {
    if (result.matches.empty()) return say_missing(*result.inputs.profile, *result.analysis);
    Analysis shown = *result.analysis;
    keep_matching(shown, result.matches);
    say_missing(*result.inputs.profile, shown);
}

Result<AnalysedReport> read_and_analyse(const ViewArguments& options, NamedFiles files,
                                        MemoryName memory_beside) {
    Result<ReadReports> read = read_view(options, std::move(files));
    if (!read) return tl::unexpected(read.error());
    read->memory_beside = memory_beside;
    say_left_out(read->files);
    Analysis analysis = analysis_of(read->inputs());
    say_unused_bindings(analysis, options);
    if (const std::string& filter = read->files.session.view.filter; !filter.empty()) {
        const auto unknown = columns_without_values(filter, *read->profile, analysis);
        say_filtered(options, read->files, keep_shown(analysis, *read->profile, filter), unknown);
    }
    say_doubts(analysis, ranked_points(analysis));
    return AnalysedReport{std::move(read->files), std::move(read->profile), std::move(analysis)};
}

Result<AnalysedReport> read_and_analyse(const ViewArguments& options) {
    return open_sessions(options.files).and_then([&](NamedFiles files) {
        return read_and_analyse(options, std::move(files));
    });
}

bool say_missing_quantities(const Profile& profile, const Analysis& analysis) {
    say_what_options_tell(analysis);
    for (const Notice& device : devices_without_ceilings(profile, analysis))
        say_warning(to_line(device));
    std::map<std::string, std::size_t> kernels_without;
    std::map<std::string, std::string> other_boundaries;
    for (const KernelPoint& point : analysis.points)
        for (const MissingQuantity& missing : missing_quantities(profile, point, analysis)) {
            ++kernels_without[missing.quantity];
            if (std::string counted = other_boundaries_words(missing); !counted.empty())
                other_boundaries[missing.quantity] = "; " + std::move(counted);
        }
    for (const auto& [quantity, kernels] : kernels_without)
        say(fmt::format("Not measured: {}, for {}{}.", quantity,
                        rows_among(kernels, analysis.points.size(), analysis.options.group_by),
                        other_boundaries[quantity]));
    return !kernels_without.empty();
}

void say_missing(const Profile& profile, const Analysis& analysis) {
    if (!say_missing_quantities(profile, analysis)) return;
    const CollectCommand collect = collect_command(profile, nullptr, analysis);
    for (const std::string& words : collect.before)
        say(words);
    if (collect.command.empty()) return;
    say("To collect it:");
    say("  " + collect.command);
}

}  // namespace roofwalk::cli
