// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"
#include "core/report/report_columns.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/missing.h"
#include "core/roofline/summary.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t name_in_notes = 40;

/// "The roof beside it: sgemm 42.6 % of its HBM roof; copy 20.1 % of its L2 roof; 3 kernels more.", in short
/// sentences; empty without any.
std::string named_kernels(std::string_view lead, const std::vector<std::string>& kernels, GroupBy group_by) {
    if (kernels.empty()) return {};
    constexpr std::size_t most_named = 4;
    const auto named = static_cast<std::ptrdiff_t>(std::min(most_named, kernels.size()));
    std::string text = fmt::format("{}{}", lead, fmt::join(kernels.begin(), kernels.begin() + named, "; "));
    if (kernels.size() > most_named)
        text += fmt::format("; {} more", rows_counted(kernels.size() - most_named, group_by));
    return short_sentences(text + ".", ClauseStart::name).text();
}

/// "Launches differ, and their figures are a mean: sgemm 12 launches, 90.0 M to 1.20 GFLOP/s. 3 kernels
/// more." Empty where all are alike.
std::string launch_ranges(const Analysis& analysis, const std::vector<std::uint32_t>& ranking) {
    std::vector<std::string> kernels;
    for (const std::uint32_t index : ranking) {
        const KernelPoint& point = analysis.points[index];
        const std::string range = launch_range_words(point, work_unit(analysis.options.operations));
        if (!range.empty())
            kernels.push_back(fmt::format("{} {} launches, {}",
                                          shorten_kernel_name(one_line(point.name), name_in_notes),
                                          format_count(point.launches), range));
    }
    return named_kernels("Launches differ, and the figures of a row are their mean: ", kernels,
                         analysis.options.group_by);
}

/// unchecked_words() of the kernels that have the same in common, a sentence each.
std::string unchecked_sentences(const Analysis& analysis) {
    std::map<std::string, std::size_t> kernels;
    for (const KernelPoint& point : analysis.points)
        if (const std::string words = unchecked_words(point); !words.empty()) ++kernels[words];
    std::string text;
    for (const auto& [words, count] : kernels)
        text += fmt::format("{}Of {} {}.", text.empty() ? "" : " ",
                            rows_among(count, analysis.points.size(), analysis.options.group_by), words);
    return text;
}

/// Which figures were estimated, and from what, as of the leading launches: "HBM bytes: dram__throughput *
/// ...".
std::set<std::string> estimates(const Profile& profile, const Analysis& analysis) {
    std::set<std::string> list;
    const auto add = [&](std::string figure, const auto* sample) {
        if (sample && sample->source != TextId::none)
            figure += fmt::format(": {}", profile.texts.view(sample->source));
        list.insert(std::move(figure));
    };
    for (const KernelPoint& point : analysis.points) {
        for (const HardwareUnit unit : all_hardware_units)
            if (point.sampled.units[unit])
                list.insert(
                    fmt::format("{} throughput: mean of PM samples, at least", label_of(unit, point.memory)));
        const Launch& leading =
            profile.at(analysis.grouping.launches_of(analysis.grouping.groups[point.group]).front());
        for (const MemoryLevel level : all_levels)
            if (analysis.options.levels[level] && bytes_origin(point, level) == Origin::estimated)
                add(fmt::format("{} bytes", label_of(level, point.memory)),
                    leading.find(point.at(level)->boundary));
        for (const PipeLoad& load : point.pipes)
            if (load.origin == Origin::estimated && load.work.value() > 0 && load.in_work)
                add(fmt::format("{} work", label_of(load.pipe)), leading.find(load.pipe));
    }
    return list;
}

/// What "by throughput" in the classes and a unit in Bound by mean, and the roofs beside it; empty where none
/// has it.
std::string throughput_words(const Analysis& analysis, const std::vector<std::uint32_t>& ranking) {
    bool by_unit = false;
    std::vector<std::string> roofs;
    for (const std::uint32_t index : ranking) {
        const KernelPoint& point = analysis.points[index];
        const auto limit = tightest_limit(point);
        if (share_of_launches(point)) continue;
        by_unit |=
            limit && point.verdict.launch_limits.empty() && std::holds_alternative<HardwareUnit>(limit->of);
        if (const std::string roof = roof_beside(point); !roof.empty())
            roofs.push_back(fmt::format("{} {}", shorten_kernel_name(point.name, name_in_notes), roof));
    }
    if (!by_unit) return {};
    return "By throughput: judged by how busy the profiler found the unit in Bound by, told in Of limit." +
           named_kernels(" The roof beside it: ", roofs, analysis.options.group_by);
}

/// What the second figures of ranges are with.
std::string range_notes(const Analysis& analysis, const std::vector<std::uint32_t>& ranking) {
    std::vector<std::string> notes;
    for (const std::uint32_t index : ranking)
        if (const std::string words = by_less_words(analysis.points[index]); !words.empty())
            notes.push_back(
                fmt::format("{} {}", shorten_kernel_name(analysis.points[index].name, name_in_notes), words));
    return named_kernels("The second figure of a range: ", notes, analysis.options.group_by);
}

/// Of each GPU whose roof of L1 and SMEM is not that of Nsight Compute's chart, where one of both is shown.
std::string l1_sentences(const Profile& profile, const Analysis& analysis) {
    std::set<const Device*> shown;
    for (const KernelPoint& point : analysis.points)
        for (const MemoryLevel level : {MemoryLevel::l1, MemoryLevel::smem})
            if (analysis.options.levels[level] && point.at(level))
                shown.insert(&device_of(profile, point, analysis));
    std::set<std::string> told;
    for (const Device* device : shown)
        if (const std::string words = l1_beside_ncu(*device); !words.empty()) told.insert(words + ".");
    return fmt::format("{}", fmt::join(told, " "));
}

/// What "~" in the cells means; empty where none has it.
std::string approximations(const Profile& profile, const Analysis& analysis) {
    constexpr std::size_t most_named = 4;
    std::string text;
    const std::set<std::string> list = estimates(profile, analysis);
    std::size_t named = 0;
    for (const std::string& figure : list)
        if (named++ < most_named) text += (text.empty() ? "~ is estimated: " : "; ") + figure;
    if (named > most_named)
        text += fmt::format("; and {} more", format_count(static_cast<double>(named - most_named)));
    if (!text.empty()) text += '.';
    if (std::ranges::any_of(analysis.points, &KernelPoint::of_operation))
        text += fmt::format("{}~ is {}of the operation that is bound, not measured.", text.empty() ? "" : " ",
                            list.empty() ? "" : "also ");
    if (analysis.has_doubted_times())
        text += std::string(text.empty() ? "~ is" : " ~ is also") +
                " of a time that is derived from cycles, and may be far too long.";
    return text;
}

}  // namespace

std::string doubt_sentences(const Analysis& analysis, const std::vector<std::uint32_t>& ranking) {
    std::vector<std::string> notes;
    for (const std::uint32_t index : ranking)
        if (const std::string words = doubt_words(analysis.points[index]); !words.empty())
            notes.push_back(fmt::format(
                "{}: {}", shorten_kernel_name(analysis.points[index].name, name_in_notes), words));
    return named_kernels("", notes, analysis.options.group_by);
}

ReportTable report_table(const Profile& profile, const Analysis& analysis) {
    std::vector<std::reference_wrapper<const KernelPoint>> ranked;
    const std::vector<std::uint32_t> ranking = ranked_points(analysis);
    for (const std::uint32_t index : ranking)
        ranked.emplace_back(analysis.points[index]);
    ReportTable table = export_table(report_columns(profile, analysis), ranked);
    table.note = partial_sentence(profile);
    for (const std::string& words : {clock_sentences(profile, analysis), launch_ranges(analysis, ranking),
                                     unchecked_sentences(analysis), throughput_words(analysis, ranking),
                                     range_notes(analysis, ranking), doubt_sentences(analysis, ranking),
                                     l1_sentences(profile, analysis), approximations(profile, analysis)})
        if (!words.empty()) table.note += (table.note.empty() ? "" : " ") + words;
    return table;
}

}  // namespace roofwalk
