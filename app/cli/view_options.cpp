// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/view_options.h"

#include <CLI/CLI.hpp>

#include "app/cli/console.h"
#include "app/cli/input.h"
#include "app/cli/measured_roofs.h"
#include "app/cli/session_file.h"
#include "core/base/text.h"
#include "core/devices/taken_for.h"
#include "core/operations/op_binding.h"
#include "core/report/kernel_filter.h"

namespace roofwalk::cli {

namespace {

std::string binding_rule_check(const std::string& text) {
    const Result<BindingRule> rule = read_binding_rule(text);
    return rule ? std::string() : to_line(rule.error());
}

/// The operations of all launches; what could not be used is said on stderr.
LaunchOperations bound_operations(const Profile& profile, const ViewOptions& options,
                                  const Bindings& of_session) {
    Bindings bindings;
    bindings.user = of_session.user;
    for (const std::string& text : options.bind)
        if (const Result<BindingRule> rule = read_binding_rule(text)) bindings.rules.push_back(*rule);
    const std::size_t typed = bindings.rules.size();
    bindings.rules.insert(bindings.rules.end(), of_session.rules.begin(), of_session.rules.end());
    LaunchOperations operations = bind_operations(profile, bindings);
    for (const Error& problem : operations.problems)
        say_warning(to_line(problem));
    for (std::size_t i = 0; i < typed; ++i)
        if (operations.bound_by_rule[i] == 0) say_warning("--bind " + options.bind[i] + " binds no launch");
    return operations;
}

/// What a session holds for the window only is not left out in silence.
void say_left_out(const NamedFiles& files) {
    const Session& session = files.session;
    if (!session.baselines.empty())
        say("The older reports of " + files.session_file + " are left out; compare " +
            quote_shell_shown(files.session_file) + " compares with them.");
    if (!session.view.other_device.empty())
        say("The roofs of " + session.view.other_device + ", named by " + files.session_file +
            ", are for the window and left out; compare --device and chart --other-roofs take it.");
}

/// As typed, else that of the session: one that cannot be used is told there and shows every kernel, as in
/// the window.
Result<KernelFilter> filter_of(const ViewOptions& options, const NamedFiles& files) {
    if (options.filter) return parse_kernel_filter(*options.filter);
    Result<KernelFilter> filter = parse_kernel_filter(files.session.view.filter);
    if (filter) return filter;
    say_warning("The filter of " + files.session_file + " is not used. " + to_line(filter.error()));
    return KernelFilter();
}

/// In place: a million points are most of the memory in use.
void keep_matching(std::vector<KernelPoint>& points, const std::vector<bool>& matching) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < matching.size(); ++i)
        if (matching[i] && kept++ != i) points[kept - 1] = std::move(points[i]);
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(kept), points.end());
}

}  // namespace

void add_lost(Profile& profile, const std::vector<LostReport>& lost) {
    for (const LostReport& report : lost) {
        SourceInfo source;
        source.path = report.file;
        source.partial = true;
        profile.sources.push_back(std::move(source));
        profile.warnings.push_back({report.why, {}});
    }
}

void add_view_options(CLI::App& verb, ViewOptions& options) {
    verb.add_option(
            "FILE", options.files,
            "Nsight Compute reports, Roofwalk JSON or JSON Lines, CSV of `ncu --csv`; - is stdin; or a "
            "session (.roofwalk), whose reports are read with its view, ceilings and operations")
        ->required()
        ->type_name("");
    verb.add_option("--group", options.group, "what one row or dot stands for")
        ->check(CLI::IsMember({"kernel", "launch", "nvtx"}))
        ->default_str("kernel");
    verb.add_option("--clock", options.clock, "clock at which ceilings hold")
        ->check(CLI::IsMember({"measured", "boost"}))
        ->default_str("measured");
    verb.add_option("--operations", options.operations, "which operations count as work")
        ->check(CLI::IsMember({"floating", "integer", "all"}))
        ->default_str("floating");
    verb.add_option("--view", options.view, "count bytes as Nsight Compute's chart or NERSC's recipe does")
        ->check(CLI::IsMember({"nsight", "nersc"}));
    verb.add_option(
            "--levels", options.levels,
            "memory levels that are drawn and listed, some of hbm,l2,l1,smem (default hbm,l2,smem, and "
            "l1 where it binds a kernel); all that were measured limit kernels")
        ->delimiter(',')
        ->check(CLI::IsMember({"hbm", "l2", "l1", "smem"}))
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name("LIST");
    verb.add_option(
            "--filter", options.filter,
            "only kernels that match, in the language of the window: TEXT in their name, /REGEX/ (RE2), or "
            "'gap > 2 and time > 5%'; of a session its own filter holds without it")
        ->type_name("FILTER");
    verb.add_option(
            "--ceilings", options.ceilings,
            "ceilings measured on the device, as `ceilings -o` writes them; without it those that are kept "
            "of the very board are used, with none no measured ones")
        ->type_name("FILE|none");
    verb.add_option(
            "--bind", options.bind,
            "the operation of kernels whose name holds PATTERN (an RE2 expression), as in "
            "'gemm_(\\d+)x(\\d+)x(\\d+)=gemm m=$1 n=$2 k=$3'; nvtx:PATTERN looks at NVTX ranges; may be "
            "given several times, the first that fits holds")
        ->type_name("PATTERN=OPERATION")
        ->expected(1)
        ->take_all()
        ->check(binding_rule_check);
}

AnalysisOptions analysis_options(const ViewOptions& options, const Session& session) {
    AnalysisOptions analysis = session.view.analysis;
    for (const SessionCeilings& device : session.ceilings)
        analysis.overrides[device.device] = device.ceilings;
    if (options.view == "nsight") analysis = nsight_view(analysis);
    if (options.view == "nersc") analysis = nersc_view(analysis);
    analysis.group_by = group_by_from_id(options.group).value_or(analysis.group_by);
    analysis.clock = clock_basis_from_id(options.clock).value_or(analysis.clock);
    analysis.operations = operation_class_from_id(options.operations).value_or(analysis.operations);
    if (!options.levels.empty()) {
        analysis.levels.fill(false);
        analysis.l1_where_it_binds = false;
        for (const std::string& id : options.levels)
            if (const auto level = level_from_id(id))
                analysis.levels[static_cast<std::size_t>(*level)] = true;
    }
    return analysis;
}

Result<Viewed> read_and_analyse(const ViewOptions& options, NamedFiles files, AnalysisOptions how) {
    const Result<KernelFilter> filter = filter_of(options, files);
    if (!filter) return tl::unexpected(filter.error());
    Result<Profile> profile = read_reports(files);
    if (!profile) return tl::unexpected(profile.error());
    Result<MeasuredUse> measured = measured_use(*profile, options.ceilings, files.session.view.measured);
    if (!measured) return tl::unexpected(measured.error());
    how.measured = measured_sets(*profile, *measured);
    add_lost(*profile, files.lost);
    say_left_out(files);
    for (const Device& device : profile->devices)
        if (const std::string words = taken_for_words(device); !words.empty())
            say_warning(words + " The name in full chooses.");
    how.launch_operations =
        std::make_shared<const LaunchOperations>(bound_operations(*profile, options, files.session.bindings));
    Analysis analysis = analyse(*profile, how);
    if (*filter) {
        keep_matching(analysis.points, *matching_points(analysis, *filter));
        if (analysis.points.empty())
            say_warning("no kernel matches '" + options.filter.value_or(files.session.view.filter) + "'");
        else if (!options.filter && !files.session_file.empty())
            say("The filter of " + files.session_file + ", " + files.session.view.filter +
                ", holds; --filter '' shows every kernel.");
    }
    return Viewed{std::move(*profile), std::move(analysis), std::move(files), *std::move(measured)};
}

Result<Viewed> read_and_analyse(const ViewOptions& options) {
    return open_sessions(options.files).and_then([&](NamedFiles files) {
        AnalysisOptions how = analysis_options(options, files.session);
        return read_and_analyse(options, std::move(files), std::move(how));
    });
}

}  // namespace roofwalk::cli
