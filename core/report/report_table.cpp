// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_table.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "core/base/text.h"
#include "core/model/launch_numbers.h"
#include "core/model/partial_words.h"
#include "core/report/report_cells.h"
#include "core/roofline/summary.h"

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

/// Adds a column for each level; `place` is that of the levels that are shown.
template <class Add>
void each_level(const AnalysisOptions& options, ColumnPlace place, Add add) {
    for (const MemoryLevel level : all_levels) {
        const bool shown = options.levels[level];
        add(level, std::string(id_of(level)), std::string(label_of(level)),
            shown ? place : ColumnPlace::file);
    }
}

/// What is read first, in the order in which it is asked: how much time, how fast, where on the chart, under
/// which roof and how far.
void add_main_columns(const AnalysisOptions& options, bool with_targets, std::vector<KernelColumn>& rules) {
    const std::string unit(work_unit(options.operations));
    rules.push_back({{"kernel", "Kernel", "", false}, [](const KernelPoint& p) { return word(p.name); }});
    rules.push_back({{"launches", "Launches", ""},
                     [](const KernelPoint& p) { return number(p.launches, format_count(p.launches)); }});
    rules.push_back({{"time", "Time", "s"}, [](const KernelPoint& p) { return amount(p.time, "s"); }});
    rules.push_back({{"time_share", "Of time", ""}, [](const KernelPoint& p) {
                         return p.time ? number(p.time_share, format_percent(p.time_share)) : not_measured();
                     }});
    rules.push_back({{"performance", "Performance", unit + "/s"},
                     [=](const KernelPoint& p) { return at_least(p, amount(p.performance, unit + "/s")); }});
    each_level(options, ColumnPlace::main,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   rules.push_back({{id + "_intensity", "AI " + label, unit + "/byte", true, place},
                                    [=](const KernelPoint& p) { return intensity_cell(p, level, unit); }});
               });
    rules.push_back({{"binding_ceiling", "Bound by", "", false}, binding_cell});
    rules.push_back({{"roof_share", "Of roof", ""}, roof_share_cell});
    add_gap_columns(with_targets ? ColumnPlace::main : ColumnPlace::file, rules);
    rules.push_back(
        {{"class", "Class", "", false}, [](const KernelPoint& p) { return word(class_text(p)); }});
}

void add_roof_columns(const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string rate = std::string(work_unit(options.operations)) + "/s";
    rules.push_back({{"vertical_gap", "Below roof", "", true, ColumnPlace::detail}, [](const KernelPoint& p) {
                         return gap_cell(p, p.gap ? std::optional(p.gap->factor) : std::nullopt,
                                         format_factor);
                     }});
    rules.push_back({{"roof", "Roof", rate, true, ColumnPlace::detail},
                     [=](const KernelPoint& p) { return roof_cell(p, rate); }});
    rules.push_back({{"compute_ceiling", "Compute ceiling", rate, true, ColumnPlace::detail},
                     [=](const KernelPoint& p) { return compute_ceiling_cell(p, rate); }});
    rules.push_back(
        {{"speed_of_light", "Speed-of-light time", "s", true, ColumnPlace::detail}, [](const KernelPoint& p) {
             return p.speed_of_light ? amount(p.speed_of_light, "s") : why_unbound(p);
         }});
    rules.push_back(
        {{"practical_efficiency", "Of practical roof", "", true, ColumnPlace::detail},
         [](const KernelPoint& p) { return gap_cell(p, p.practical_efficiency, format_percent); }});
    rules.push_back({{"practical_band", "Practical band", "", false, ColumnPlace::detail},
                     [limits = options.practical_limits](const KernelPoint& p) {
                         return practical_band_cell(p, limits);
                     }});
}

void add_amount_columns(const AnalysisOptions& options, std::vector<KernelColumn>& rules) {
    const std::string unit(work_unit(options.operations));
    rules.push_back({{"work", "Work", unit, true, ColumnPlace::detail},
                     [=](const KernelPoint& p) { return at_least(p, amount(p.work, unit)); }});
    rules.push_back(
        {{"uncounted_work", "Not counted", "", false, ColumnPlace::detail}, [](const KernelPoint& p) {
             if (!p.work) return not_measured();
             return word(p.uncounted.any() ? labels_of(p.uncounted) : "none");
         }});
    each_level(options, ColumnPlace::detail,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   // Bytes that are not shown have no say in the unit of those that are.
                   rules.push_back({{id + "_bytes", "Bytes " + label, "byte", true, place,
                                     place == ColumnPlace::file ? "" : "bytes"},
                                    [=](const KernelPoint& p) {
                                        return p.at(level) ? amount(std::optional(p.at(level)->bytes), "B")
                                                           : not_measured();
                                    }});
               });
    each_level(options, ColumnPlace::context,
               [&](MemoryLevel level, const std::string& id, const std::string& label, ColumnPlace place) {
                   rules.push_back(
                       {{id + "_boundary", "Boundary " + label, "", false, place}, [=](const KernelPoint& p) {
                            return p.at(level) ? word(std::string(id_of(p.at(level)->boundary)))
                                               : not_measured();
                        }});
               });
}

std::string shown(const Dim3& size) {
    if (size == Dim3{}) return {};
    return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" + std::to_string(size.z);
}

std::string stream_text(std::uint32_t stream) {
    return stream == 0 ? std::string() : std::to_string(stream);
}

/// After the name: launches of one kernel are else told apart by their figures alone.
void add_launch_number(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& rules) {
    if (analysis.options.group_by != GroupBy::launch) {
        rules.insert(rules.begin() + 1, {{"launch", "Launch", "", true, ColumnPlace::file},
                                         [](const KernelPoint&) { return does_not_apply(); }});
        return;
    }
    rules.insert(rules.begin() + 1,
                 {{"launch", "Launch", ""},
                  [&, numbers = std::make_shared<const LaunchNumbers>(profile)](const KernelPoint& point) {
                      const auto launches =
                          analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
                      const std::uint32_t place = numbers->of(launches.front());
                      return number(place, std::to_string(place));
                  }});
}

void add_launch_columns(const Profile& profile, const Analysis& analysis, std::vector<KernelColumn>& rules) {
    /// What every launch of a point has in common; "various" where they differ.
    const auto add = [&](std::string id, std::string title, ColumnPlace place, auto property, auto text_of) {
        rules.push_back({{std::move(id), std::move(title), "", false, place},
                         [&, property, text_of](const KernelPoint& point) {
                             const auto launches =
                                 analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
                             const auto first = profile.at(launches.front()).*property;
                             for (const LaunchIndex index : launches)
                                 if (profile.at(index).*property != first) return word("various");
                             const std::string text = text_of(first);
                             return text.empty() ? not_measured() : word(text);
                         }});
    };
    rules.push_back({{"failed", "Failed", "", true, ColumnPlace::detail},
                     [](const KernelPoint& p) { return number(p.failed, format_count(p.failed)); }});
    add("device", "Device", ColumnPlace::context, &Launch::device,
        [&](DeviceIndex device) { return profile.at(device).name; });
    add("grid", "Grid", ColumnPlace::detail, &Launch::grid, shown);
    add("block", "Block", ColumnPlace::detail, &Launch::block, shown);
    add("nvtx", "NVTX", ColumnPlace::detail, &Launch::nvtx,
        [&](NvtxIndex stack) { return nvtx_path(profile.at(stack)); });
    add("stream", "Stream", ColumnPlace::detail, &Launch::stream, stream_text);
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
    std::vector<KernelColumn> rules;
    add_main_columns(analysis.options, with_targets, rules);
    add_launch_number(profile, analysis, rules);
    add_roof_columns(analysis.options, rules);
    add_amount_columns(analysis.options, rules);
    add_target_columns(with_targets ? ColumnPlace::detail : ColumnPlace::file,
                       std::string(work_unit(analysis.options.operations)), rules);
    add_launch_columns(profile, analysis, rules);
    ReportTable table = filled(rules, points_in_order(analysis));
    table.note = partial_sentence(profile);
    return table;
}

}  // namespace roofwalk
