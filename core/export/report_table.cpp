// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/report_table.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "core/export/report_cells.h"
#include "core/roofline/summary.h"
#include "core/text.h"

namespace roofwalk {

namespace {

/// A kernel above its roof has an efficiency, but no band.
ReportCell practical_band_cell(const KernelPoint& point, const PracticalLimits& limits) {
    if (const auto band = practical_band(point, limits)) return word(std::string(label_of(*band)));
    return point.practical_efficiency ? does_not_apply() : gap_cell(point, std::nullopt, format_percent);
}

/// W / T: the height of the roof that binds, above the dot. Without work there is no height.
ReportCell roof_cell(const KernelPoint& point, const std::string& rate) {
    if (point.work == Flops(0) && !point.uncounted.any()) return does_not_apply();
    if (!point.work || !point.speed_of_light) return why_unbound(point);
    return amount(std::optional(*point.work / *point.speed_of_light), rate);
}

ReportCell compute_ceiling_cell(const KernelPoint& point, const std::string& rate) {
    if (point.work && point.uncounted.any()) return work_incomplete();
    if (point.work == Flops(0)) return does_not_apply();
    if (point.work && !point.compute_ceiling) return no_ceiling_known();
    return amount(point.compute_ceiling, rate);
}

void add_summary_columns(bool with_targets, std::vector<KernelColumn>& rules) {
    rules.push_back({{"kernel", "Kernel", "", false}, [](const KernelPoint& p) { return word(p.name); }});
    rules.push_back({{"time_share", "Time share", ""}, [](const KernelPoint& p) {
                         return p.time ? number(p.time_share, format_percent(p.time_share)) : not_measured();
                     }});
    rules.push_back({{"time", "Time", "s"}, [](const KernelPoint& p) { return amount(p.time, "s"); }});
    rules.push_back(
        {{"class", "Class", "", false}, [](const KernelPoint& p) { return word(class_text(p)); }});
    rules.push_back({{"binding_ceiling", "Bound by", "", false}, binding_cell});
    rules.push_back({{"roof_share", "Of roof", ""}, roof_share_cell});
    rules.push_back({{"vertical_gap", "Below roof", ""}, [](const KernelPoint& p) {
                         return gap_cell(p, p.gap ? std::optional(p.gap->factor) : std::nullopt,
                                         format_factor);
                     }});
    if (with_targets) add_gap_columns(rules);
    rules.push_back({{"launches", "Launches", ""},
                     [](const KernelPoint& p) { return number(p.launches, format_count(p.launches)); }});
}

void add_level_columns(const AnalysisOptions& options, const std::string& unit,
                       std::vector<KernelColumn>& rules) {
    const auto each_level = [&](auto add) {
        for (const MemoryLevel level : all_levels)
            if (options.levels[static_cast<std::size_t>(level)])
                add(level, std::string(id_of(level)), std::string(label_of(level)));
    };
    each_level([&](MemoryLevel level, const std::string& id, const std::string& label) {
        rules.push_back({{id + "_intensity", "AI " + label, unit + "/byte"}, [=](const KernelPoint& p) {
                             return at_least(p, intensity_cell(p.at(level), unit + "/byte"));
                         }});
    });
    each_level([&](MemoryLevel level, const std::string& id, const std::string& label) {
        rules.push_back({{id + "_bytes", "Bytes " + label, "byte"}, [=](const KernelPoint& p) {
                             return p.at(level) ? amount(std::optional(p.at(level)->bytes), "B")
                                                : not_measured();
                         }});
    });
    each_level([&](MemoryLevel level, const std::string& id, const std::string& label) {
        rules.push_back({{id + "_boundary", "Boundary " + label, "", false}, [=](const KernelPoint& p) {
                             return p.at(level) ? word(std::string(id_of(p.at(level)->boundary)))
                                                : not_measured();
                         }});
    });
}

std::vector<KernelColumn> common_columns(const AnalysisOptions& options, bool with_targets) {
    const std::string unit(work_unit(options.operations));
    const std::string rate = unit + "/s";
    std::vector<KernelColumn> rules;
    add_summary_columns(with_targets, rules);
    rules.push_back({{"performance", "Performance", rate},
                     [=](const KernelPoint& p) { return at_least(p, amount(p.performance, rate)); }});
    rules.push_back({{"roof", "Roof", rate}, [=](const KernelPoint& p) { return roof_cell(p, rate); }});
    rules.push_back(
        {{"work", "Work", unit}, [=](const KernelPoint& p) { return at_least(p, amount(p.work, unit)); }});
    add_level_columns(options, unit, rules);
    if (with_targets) add_target_columns(unit, rules);
    rules.push_back({{"practical_efficiency", "Of practical roof", ""}, [](const KernelPoint& p) {
                         return gap_cell(p, p.practical_efficiency, format_percent);
                     }});
    rules.push_back({{"practical_band", "Practical band", "", false},
                     [limits = options.practical_limits](const KernelPoint& p) {
                         return practical_band_cell(p, limits);
                     }});
    rules.push_back({{"speed_of_light", "Speed-of-light time", "s"}, [](const KernelPoint& p) {
                         return p.speed_of_light ? amount(p.speed_of_light, "s") : why_unbound(p);
                     }});
    rules.push_back({{"compute_ceiling", "Compute ceiling", rate},
                     [=](const KernelPoint& p) { return compute_ceiling_cell(p, rate); }});
    rules.push_back({{"uncounted_work", "Not counted", "", false}, [](const KernelPoint& p) {
                         if (!p.work) return not_measured();
                         return word(p.uncounted.any() ? labels_of(p.uncounted) : "none");
                     }});
    rules.push_back({{"failed", "Failed", ""},
                     [](const KernelPoint& p) { return number(p.failed, format_count(p.failed)); }});
    return rules;
}

std::string shown(const Dim3& size) {
    if (size == Dim3{}) return {};
    return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

void add_launch_columns(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& rules) {
    /// What every launch of a point has in common; "various" where they differ.
    const auto add = [&](std::string id, std::string title, auto property, auto text_of) {
        rules.push_back(
            {{std::move(id), std::move(title), "", false}, [&, property, text_of](const KernelPoint& point) {
                 const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
                 const auto first = profile.at(launches.front()).*property;
                 for (const LaunchIndex index : launches)
                     if (profile.at(index).*property != first) return word("various");
                 const std::string text = text_of(first);
                 return text.empty() ? not_measured() : word(text);
             }});
    };
    add("device", "Device", &Launch::device,
        [&](DeviceIndex device) { return profile.devices[static_cast<std::size_t>(device)].name; });
    add("grid", "Grid", &Launch::grid, shown);
    add("block", "Block", &Launch::block, shown);
}

/// Longest first.
std::vector<std::reference_wrapper<const KernelPoint>> points_in_order(const Analysis& analysis) {
    std::vector<std::reference_wrapper<const KernelPoint>> points;
    for (const std::uint32_t index : points_by_time(analysis))
        points.emplace_back(analysis.points[index]);
    return points;
}

}  // namespace

ReportTable report_table(const Profile& profile, const Analysis& analysis) {
    const bool with_targets =
        std::ranges::any_of(analysis.points, [](const KernelPoint& p) { return p.target.has_value(); });
    std::vector<KernelColumn> rules = common_columns(analysis.options, with_targets);
    add_launch_columns(profile, analysis, rules);
    return filled(rules, points_in_order(analysis));
}

}  // namespace roofwalk
