// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/selection_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"
#include "core/roofline/missing.h"
#include "core/roofline/ncu_command.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_rows = 12;
constexpr std::size_t most_reports = 64;
constexpr std::size_t selection_name_chars = 32;
constexpr std::size_t short_report_name = 16;
constexpr std::size_t untimed_name_chars = 24;

/// Adds a part; a sum that lacks one part is not known.
template <class Q>
void add(std::optional<Q>& sum, const std::optional<Q>& part) {
    if (sum && part)
        *sum += *part;
    else
        sum.reset();
}

std::string more_rows(std::size_t count) {
    return fmt::format("and {} more", format_count(static_cast<double>(count)));
}

/// "Kernels": what the rows are, as a heading.
std::string plural(const Analysis& analysis) {
    return capitalised(std::string(noun_of(analysis.options.group_by, 2)));
}

/// Classes, or sides of the ridge whatever is near its roof, by share of time.
template <class Share>
FactTable share_facts(const std::string& what, const Analysis& analysis, const std::vector<Share>& shares) {
    FactTable table{.headers = {what, plural(analysis), "Of time"}};
    for (const Share& share : shares)
        table.rows.push_back({{{std::string(label_of(share))},
                               {format_count(share.kernels)},
                               {share.share_of_time <= 0 && share.without_time > 0
                                    ? "–"
                                    : share_of_time(analysis, share.share_of_time)}}});
    return table;
}

/// How long no kernel ran on each device.
FactTable idle_facts(const Profile& profile, const Analysis& analysis) {
    FactTable table{.headers = {"Device", "No kernel ran", "of its run"}};
    const std::size_t shown = std::min(analysis.idle.size(), most_reports);
    for (const IdleTime& idle : std::span(analysis.idle).first(shown))
        table.rows.push_back(
            {{{profile.at(idle.device).name, profile.at(idle.source).path},
              {format(idle.idle)},
              {fmt::format("{} of {}", format_percent(idle.idle / idle.wall), format(idle.wall))}}});
    if (analysis.idle.size() > shown) table.rows.push_back({{{more_rows(analysis.idle.size() - shown)}}});
    return table;
}

FactTable device_facts(const Profile& profile) {
    FactTable table;
    for (const Device& device : profile.devices) {
        std::string facts;
        if (device.sm_count) facts = fmt::format("{} SMs", *device.sm_count);
        if (const auto& capability = device.compute_capability)
            facts +=
                fmt::format("{}CC {}.{}", facts.empty() ? "" : ", ", capability->major, capability->minor);
        table.rows.push_back({{{device.name}, {std::move(facts)}}});
    }
    return table;
}

/// Time by report.
FactTable report_facts(const Analysis& analysis) {
    FactTable table{.headers = {"Report", "Time", "Of time", "Recoverable"}};
    std::vector<ReportShare> shares = report_shares(analysis);
    const std::size_t shown = std::min(shares.size(), most_reports);
    std::vector<std::string_view> names;
    for (const ReportShare& report : std::span(shares).first(shown))
        names.emplace_back(report.source);
    const auto brief = cut_apart(names, short_report_name);
    for (const ReportShare& report : std::span(shares).first(shown))
        table.rows.push_back(
            {{{brief.at(report.source), report.source},
              {report.time ? marked_if(report.doubted, format(*report.time)) : "–"},
              {report.time ? share_of_time(analysis, report.share_of_time) : "–"},
              {report.recoverable ? marked_if(report.approximate, gain_words(*report.recoverable)) : "–"}}});
    if (shares.size() > shown) table.rows.push_back({{{more_rows(shares.size() - shown)}}});
    return table;
}

FactTable file_facts(const Profile& profile) {
    FactTable table;
    for (const SourceInfo& source : profile.sources)
        table.rows.push_back({{{std::string(file_name_of(source.path)), source.path},
                               {(source.tool.empty() ? std::string(label_of(source.format)) : source.tool) +
                                (source.partial ? ", partial" : "")}}});
    return table;
}

/// Time, work or bytes, or a part of them.
bool lacks_figures(const KernelPoint& point) {
    if (point.gap || point.modelled) return false;
    return point.uncounted.any() || !point.performance || !has_known_bytes(point);
}

/// Which roofs are not known, and what some kernels lack.
void add_unknown(TextPage& page, const Profile& profile, const Analysis& analysis) {
    const std::vector<Notice> roofless = devices_without_ceilings(profile, analysis, Audience::window);
    const auto lacks_ceiling = [](const KernelPoint& point) {
        return lacks_only_a_ceiling(point) || (point.verdict.nearest && !lacks_figures(point));
    };
    if (std::ranges::any_of(analysis.points, lacks_ceiling)) {
        page.add(BlockKind::heading, "Roof not known");
        if (roofless.empty())
            page.add(BlockKind::text,
                     "Some kernels have time, work and bytes, but no roof: a ceiling of their device is "
                     "missing. Type it into the Ceilings panel.");
    }
    for (const Notice& device : roofless)
        page.add(BlockKind::text, to_line(device));
    if (std::ranges::none_of(analysis.points, lacks_figures)) return;
    page.add(BlockKind::heading, "Not measured");
    page.add(BlockKind::text, "Some kernels lack time, work or bytes.");
    const CollectCommand collect = collect_command(profile, nullptr, analysis, {}, Audience::window);
    page.add_command(collect.before, "This command collects what a report can hold:", collect.command);
}

}  // namespace

SelectionSum sum_points(const Analysis& analysis, const std::vector<std::uint32_t>& points) {
    SelectionSum sum;
    sum.points = points.size();
    sum.rows = analysis.options.group_by;
    sum.time = Seconds();
    sum.work = Flops();
    std::ranges::fill(sum.bytes, Bytes());
    for (const std::uint32_t index : points) {
        const KernelPoint& point = analysis.points[index];
        sum.launches += point.launches;
        sum.time_share += point.time_share;
        sum.doubted |= point.share_doubted;
        add(sum.time, point.time);
        add(sum.work, point.known ? std::nullopt : point.work);
        sum.work_incomplete = sum.work_incomplete || point.uncounted.any();
        for (const MemoryLevel level : all_levels) {
            const auto& at_level = point.at(level);
            add(sum.bytes[level], at_level && !point.known ? std::optional(at_level->bytes) : std::nullopt);
        }
    }
    return sum;
}

std::string selection_sentence(const SelectionSum& sum) {
    const std::string count = rows_counted(sum.points, sum.rows);
    if (!sum.time) return count + " selected; not all of them have a time.";
    return fmt::format("{} selected: {}, {} of the time.", count, marked_if(sum.doubted, format(*sum.time)),
                       marked_if(sum.doubted, format_percent(sum.time_share)));
}

FactTable sum_facts(const SelectionSum& sum, const Analysis& analysis) {
    const std::string unit(work_unit(analysis.options.operations));
    FactTable table;
    const auto row = [&](std::string_view name, std::string value, std::string rest = {}) {
        table.rows.push_back({{{std::string(name)}, {std::move(value)}, {std::move(rest)}}});
    };
    row("Launches", format_count(static_cast<double>(sum.launches)));
    row("Time", sum.time ? marked_if(sum.doubted, format(*sum.time)) : "–",
        sum.time ? marked_if(sum.doubted, format_percent(sum.time_share)) : "–");
    const auto from_work = [&](const std::string& number) {
        return std::string(sign_of(sum.work_incomplete ? ShareBound::at_least : ShareBound::exact)) + number;
    };
    const bool rate_known = sum.work && sum.time && sum.time->value() > 0;
    row("Work", sum.work ? from_work(format(*sum.work, unit)) : "–",
        rate_known ? marked_if(sum.doubted, from_work(format(*sum.work / *sum.time, unit + "/s"))) : "");
    for (const MemoryLevel level : all_levels) {
        const auto& bytes = sum.bytes[level];
        if (!bytes) continue;
        const bool intensity_known = sum.work && bytes->value() > 0;
        row(label_of(level, analysis.options.memory), format(*bytes),
            !intensity_known ? ""
            : *sum.work == Flops(0) && !sum.work_incomplete
                ? "no " + unit
                : from_work(format(*sum.work / *bytes, unit + "/byte")));
    }
    return table;
}

FactTable longest_facts(const Analysis& analysis, std::vector<std::uint32_t> points) {
    FactTable table{.headers = {"Kernel", "Time", "Of time"}};
    const std::size_t shown = std::min(points.size(), most_rows);
    const auto share = [&](std::uint32_t index) { return analysis.points[index].time_share; };
    std::ranges::partial_sort(points, points.begin() + static_cast<std::ptrdiff_t>(shown),
                              std::ranges::greater(), share);
    for (std::size_t i = 0; i < shown; ++i) {
        const KernelPoint& point = analysis.points[points[i]];
        table.rows.push_back(
            {{{shorten_kernel_name(point.name, selection_name_chars) + in_report(analysis, point),
               point.name},
              {point.time ? marked_if(point.time_doubted, format(*point.time)) : "–"},
              {point.time ? marked_if(point.share_doubted, format_percent(point.time_share)) : "–"}}});
    }
    if (points.size() > shown) table.rows.push_back({{{more_rows(points.size() - shown)}}});
    return table;
}

TextPage selection_page(const Analysis& analysis, const std::vector<std::uint32_t>& points,
                        std::size_t hidden) {
    const SelectionSum sum = sum_points(analysis, points);
    TextPage page;
    page.add(BlockKind::title, selection_sentence(sum));
    if (hidden > 0) page.add(BlockKind::text, fmt::format("The filter hides {} of them.", hidden));
    page.add(BlockKind::heading, "Together");
    page.add(sum_facts(sum, analysis));
    page.add(BlockKind::note, "A sum is shown only where every selected kernel was measured.");
    page.add(BlockKind::heading, "Kernels");
    page.add(longest_facts(analysis, points));
    return page;
}

std::string untimed_words(const Analysis& analysis, const std::vector<bool>& matches) {
    std::vector<std::uint32_t> untimed;
    for (std::uint32_t i = 0; i < analysis.points.size(); ++i)
        if (!analysis.points[i].time && (matches.empty() || matches[i])) untimed.push_back(i);
    if (untimed.empty() || analysis.total_time.value() <= 0) return {};
    const std::size_t more = untimed.size() - 1;
    return fmt::format(
        "Not timed, so in no share here: {}{}.",
        one_line(shorten_kernel_name(analysis.points[untimed.front()].name, untimed_name_chars)),
        more == 0 ? "" : fmt::format(" and {} more {}", more, noun_of(analysis.options.group_by, more)));
}

TextPage session_page(const Profile& profile, const Analysis& analysis, const std::vector<bool>& matches) {
    TextPage page;
    const auto [headline, rest] = recoverable_sentences(analysis, matches);
    page.add(BlockKind::title, headline);
    page.add(BlockKind::text, rest);
    // Of classes and sides the tables tell.
    const std::string size = session_size(analysis, matches);
    if (headline.empty()) page.add(BlockKind::title, size + ".");
    if (const std::string clock = clock_gap_words(profile, analysis); !clock.empty())
        page.add(BlockKind::text, "The " + clock + ".");
    page.add(BlockKind::heading, "Where the time goes: " + size);
    page.add(share_facts("Class", analysis, class_shares(analysis, matches)));
    page.add(share_facts("Side of the ridge", analysis, side_shares(analysis, matches)));
    page.add(BlockKind::text, untimed_words(analysis, matches));
    if (!analysis.idle.empty()) page.add(idle_facts(profile, analysis));
    page.add(BlockKind::note, "Select a kernel in the table or on the chart, or press . for the first one.");
    if (analysis.several_reports) {
        page.add(BlockKind::heading, "By report");
        page.add(report_facts(analysis));
    }
    add_unknown(page, profile, analysis);
    page.add(BlockKind::heading, "Devices");
    page.add(device_facts(profile));
    page.add(BlockKind::heading, "Files");
    page.add(file_facts(profile));
    std::vector<std::string> warnings;
    for (const Warning& warning : profile.warnings)
        warnings.push_back(to_line(message_of(warning)));
    page.add_warnings(warnings);
    return page;
}

}  // namespace roofwalk
