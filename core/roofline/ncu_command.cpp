// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/roofline/ncu_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/roofline/missing.h"
#include "core/roofline/recorded_command.h"
#include "core/roofline/utilisation.h"

namespace roofwalk {

namespace {

/// More names than this make a filter nobody wants to read; the whole program is profiled then.
constexpr std::size_t most_names = 8;
constexpr ComputeCapability oldest_profiled{7, 0};
constexpr std::string_view report_name = "roofwalk_report";

bool wanted(const AnalysisOptions& options, Boundary boundary) {
    const MemoryLevel level = level_of(boundary);
    return options.levels[level] && options.boundaries[level] == boundary;
}

/// L2 sectors and shared-memory wavefronts are in the set `full` only. Its own charts had neither half
/// precision nor tensor work before 2025.1: the sections that have are added by name.
std::string sections(const AnalysisOptions& options, std::span<const NcuOption> more) {
    const bool full = wanted(options, Boundary::l2_sm_sectors) || wanted(options, Boundary::smem_wavefronts);
    if (full) return "--set full --section 'regex:SpeedOfLight_.*RooflineChart'";
    std::string text = "--set roofline";
    for (const NcuOption& option : more)
        if (!option.section.empty()) text += " " + to_text(option);
    return text;
}

/// Arithmetic that the sections did not count, or would not count, of one kernel or of all.
UncountedWork easily_missed(const KernelPoint* point, const Device& device, const Analysis& analysis) {
    UncountedWork missed;
    if (point)
        missed = point->uncounted;
    else
        for (const KernelPoint& any : analysis.points)
            missed |= any.uncounted;
    missed.packed_fp32 |= has_packed_fp32(device.compute_capability);
    missed.integer = false;  // asked for with the class of operations
    return missed;
}

/// What no section set holds in every version.
std::string extra_metrics(const AnalysisOptions& options, const Device& device, const UncountedWork& missed,
                          std::span<const NcuOption> more) {
    std::vector<std::string> list;
    const auto add = [&](const std::vector<std::string>& names) {
        list.insert(list.end(), names.begin(), names.end());
    };
    for (const Boundary boundary :
         {Boundary::l2_all, Boundary::l1_unified, Boundary::l1_tag, Boundary::smem_requested})
        if (wanted(options, boundary)) add(metrics_of(boundary, device));
    if (options.operations != OperationClass::integer) add(metrics_of(missed));
    if (options.operations != OperationClass::floating) add(integer_metrics());
    for (const NcuOption& option : more)
        if (option.section.empty()) add(option.metrics);
    return list.empty() ? std::string() : " --metrics " + quote_shell(joined(list, ","));
}

bool plain_identifier(const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

/// Function names of a point, each once; empty when one of them cannot be filtered for.
std::vector<std::string> function_names(const Profile& profile, const KernelPoint& point,
                                        const Analysis& analysis) {
    std::vector<std::string> names;
    for (const LaunchIndex index : analysis.grouping.launches_of(analysis.grouping.groups[point.group])) {
        const std::string& name = profile.kernel_of(profile.at(index)).function_name;
        if (!plain_identifier(name)) return {};
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
        if (names.size() > most_names) return {};
    }
    return names;
}

std::string kernel_filter(const std::vector<std::string>& names) {
    if (names.empty()) return {};
    std::string pattern = joined(names, "|");
    if (names.size() > 1) pattern = "(" + pattern + ")";
    return " -k " + quote_shell("regex:^" + pattern + "$");
}

std::size_t source_of(const Profile& profile, const KernelPoint& point, const Analysis& analysis) {
    const KernelGroup& group = analysis.grouping.groups[point.group];
    return static_cast<std::size_t>(profile.at(analysis.grouping.order[group.first]).source);
}

/// The program of a kernel.
std::string application(const Profile& profile, const KernelPoint* point, const Analysis& analysis) {
    constexpr std::string_view unknown = "./your_program";
    const std::size_t source = point ? source_of(profile, *point, analysis) : profile.sources.size();
    if (source >= profile.sources.size()) return std::string(unknown);
    const std::string recorded = application_of(profile.sources[source].command_line);
    return recorded.empty() ? std::string(unknown) : recorded;
}

/// Of several programs and devices those of the first kernel that lacks something, best of one that was run;
/// null without kernels.
const KernelPoint* example(const Profile& profile, const Analysis& analysis) {
    const auto lacks = [&](const KernelPoint& point) {
        return !missing_quantities(profile, point, analysis).empty();
    };
    const auto was_run = [&](const KernelPoint& point) { return lacks(point) && !comes_from_model(point); };
    auto found = std::ranges::find_if(analysis.points, was_run);
    if (found == analysis.points.end()) found = std::ranges::find_if(analysis.points, lacks);
    if (found != analysis.points.end()) return &*found;
    return analysis.points.empty() ? nullptr : &analysis.points.front();
}

/// Programs of the kernels that lack something, or of all, each once, that of the command first.
std::vector<std::string> programs_to_run(const Profile& profile, const Analysis& analysis, bool of_all) {
    std::vector<std::string> programs{application(profile, example(profile, analysis), analysis)};
    if (profile.sources.size() < 2) return programs;
    std::vector<bool> told(profile.sources.size());
    for (const KernelPoint& point : analysis.points) {
        const std::size_t source = source_of(profile, point, analysis);
        if (source >= told.size() || told[source] || comes_from_model(point) ||
            (!of_all && missing_quantities(profile, point, analysis).empty()))
            continue;
        told[source] = true;
        std::string program = application(profile, &point, analysis);
        if (std::ranges::find(programs, program) == programs.end()) programs.push_back(std::move(program));
    }
    return programs;
}

/// "The command is for each of 2 programs, with a report of its own (-o): ./a; ./b." Empty of one.
std::string each_program_words(const std::vector<std::string>& programs) {
    constexpr std::size_t most_programs = 8;
    if (programs.size() < 2) return {};
    const auto named = std::span(programs).first(std::min(most_programs, programs.size()));
    const std::string more = programs.size() > most_programs
                                 ? fmt::format("; and {} more", programs.size() - most_programs)
                                 : std::string();
    return fmt::format("The command is for each of {} programs, with a report of its own (-o): {}{}.",
                       programs.size(), one_line(fmt::format("{}", fmt::join(named, "; "))), more);
}

}  // namespace

std::string to_text(const NcuOption& option) {
    if (!option.section.empty()) return "--section " + option.section;
    return option.metrics.empty() ? std::string() : "--metrics " + joined(option.metrics, ",");
}

std::string why_nothing_was_counted(const Profile& profile, const Analysis& analysis, Audience audience) {
    const auto timed = [](const KernelPoint& point) { return point.time.has_value(); };
    const auto counted = [](const KernelPoint& point) {
        return (!point.modelled && (point.work || has_known_bytes(point))) || point.failed > 0;
    };
    const auto of_ncu = [](const SourceInfo& source) { return source.format == SourceFormat::ncu_report; };
    const auto ours = [](const SourceInfo& source) { return source.tool.starts_with("Roofwalk "); };
    if (analysis.points.empty() || std::ranges::any_of(analysis.points, counted)) return {};
    const bool some_time = std::ranges::any_of(analysis.points, timed);
    if (some_time && std::ranges::all_of(profile.sources, ours))
        return audience == Audience::window
                   ? "Only time was recorded. File > Record a program counts bytes and FLOP too, and tells "
                     "whether this user may read the counters."
                   : "Only time was recorded. roofwalk-cli profile without --timing counts bytes and FLOP too, "
                     "and roofwalk-cli check tells whether this user may read the counters.";
    if (some_time || !std::ranges::all_of(profile.sources, of_ncu)) return {};
    return std::string(
               "No performance counter is in this report: none was asked for, or this user may not "
               "read them (ERR_NVGPUCTRPERM). ") +
           (audience == Audience::window ? "File > Record a program" : "roofwalk-cli check") +
           " on the machine of the GPU tells whether it may, and what gives the permission.";
}

std::string why_not_collectable(const Profile& profile, const KernelPoint* point, const Analysis& analysis) {
    const KernelPoint* one = point ? point : example(profile, analysis);
    if (!one) return {};
    if (comes_from_model(*one))
        return "The figures come from a model or were typed by hand: there is no run to profile again.";
    // What was refused is in a file that somebody wrote; a report to collect it with there is none.
    const auto is_mended_by_hand = [](const SourceInfo& source) {
        return source.partial && source.tool.empty() &&
               (source.format == SourceFormat::roofwalk_json ||
                source.format == SourceFormat::roofwalk_lines);
    };
    if (!profile.sources.empty() && std::ranges::all_of(profile.sources, is_mended_by_hand))
        return "A part of the file could not be read, and no report of Nsight Compute is behind it: correct the file "
               "where the warnings say.";
    const Device& device = device_of(profile, *one, analysis);
    if (device.vendor != Vendor::nvidia && device.vendor != Vendor::unknown)
        return fmt::format(
            "No command collects it: Nsight Compute profiles GPUs of NVIDIA, and this one is {}'s.",
            label_of(device.vendor));
    const auto& capability = device.compute_capability;
    if (!capability || *capability >= oldest_profiled) return {};
    return fmt::format(
        "No command collects it: Nsight Compute since 2020.1, which counts rooflines, needs a GPU of compute "
        "capability {}.{} or later, and this one has {}.{}.",
        oldest_profiled.major, oldest_profiled.minor, capability->major, capability->minor);
}

std::string ncu_command(const Profile& profile, const KernelPoint* point, const AnalysisOptions& options,
                        const Analysis& analysis, std::span<const NcuOption> more) {
    const KernelPoint* one = point ? point : example(profile, analysis);
    const Device device = one ? device_of(profile, *one, analysis) : Device{};
    const UncountedWork missed = easily_missed(point, device, analysis);
    const std::string filter =
        point ? kernel_filter(function_names(profile, *point, analysis)) : std::string();
    return fmt::format("ncu {}{}{} -o {} {}", sections(options, more),
                       extra_metrics(options, device, missed, more), filter, report_name,
                       application(profile, one, analysis));
}

CollectCommand collect_command(const Profile& profile, const KernelPoint* point, const Analysis& analysis,
                               std::span<const NcuOption> more, Audience audience) {
    if (std::string why = why_not_collectable(profile, point, analysis); !why.empty())
        return {{std::move(why)}, {}};
    CollectCommand collect;
    const KernelPoint* one = point ? point : example(profile, analysis);
    const LaunchKind kind = one ? leading_launch(profile, *one, analysis).kind : LaunchKind::kernel;
    if (kind != LaunchKind::kernel)
        collect.before.push_back(fmt::format(
            "Nsight Compute counts no FLOP of a {} but those of tensor cores: the command profiles its "
            "kernels one by one.",
            label_of(kind)));
    if (std::string why = why_nothing_was_counted(profile, analysis, audience); !why.empty())
        collect.before.push_back(std::move(why));
    if (!point)
        if (std::string words = each_program_words(programs_to_run(profile, analysis, !more.empty()));
            !words.empty())
            collect.before.push_back(std::move(words));
    collect.command = one_line(ncu_command(profile, point, analysis.options, analysis, more));
    return collect;
}

}  // namespace roofwalk
