// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/match_device.h"
#include "core/model/kernel_name.h"
#include "core/model/source_names.h"
#include "core/roofline/gap.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/point_bounds.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr std::size_t name_length = 40;

void append(std::string& list, std::string_view part, std::string_view separator) {
    if (part.empty()) return;
    if (!list.empty()) list += separator;
    list += part;
}

/// "roofs at the measured clock 1.095 GHz", of the compute roofs that are drawn; where they hold at several
/// clocks, each with its roofs: "FP32 at the boost clock 1.980 GHz, FP16 Tensor at the boost clock 1.830
/// GHz". Those of a selection are at the clock of its launches.
std::string clock_words(const Scene& scene, const CeilingSet& ceilings, bool of_selection) {
    struct Clock {
        std::string words;
        ClockBasis basis = ClockBasis::boost;
        std::string roofs;
    };
    std::vector<Clock> clocks;
    for (const Roof& roof : scene.roofs) {
        const Pipe* pipe = std::get_if<Pipe>(&roof.target);
        const ComputeCeiling* ceiling = pipe && !roof.is_beside() ? ceilings.find(*pipe) : nullptr;
        if (!ceiling || !ceiling->provenance.clock) continue;
        const Clock clock{format(*ceiling->provenance.clock), ceiling->provenance.basis, {}};
        auto same = std::ranges::find_if(clocks, [&](const Clock& other) {
            return other.words == clock.words && other.basis == clock.basis;
        });
        if (same == clocks.end()) same = clocks.insert(same, clock);
        append(same->roofs, roof.name, " and ");
    }
    const auto basis = [&](const Clock& clock) {
        if (clock.basis != ClockBasis::measured) return "boost clock";
        return of_selection ? "selected kernel's measured clock" : "measured clock";
    };
    std::string words;
    for (const Clock& clock : clocks)
        append(words,
               (clocks.size() > 1 ? clock.roofs + " at the " : std::string("roofs at the ")) + basis(clock) +
                   " " + clock.words,
               ", ");
    return words;
}

/// "DRAM roof over all kernels: 707 GB/s": of a selected kernel's own roof, whose clock the caption does not
/// name. Counters of two launches differ by less than it takes to be told.
std::string memory_words(const Scene& scene, const Analysis& analysis, DeviceIndex device) {
    const auto model = std::ranges::find(analysis.models, device, &ModelCeilings::device);
    const Boundary hbm = analysis.options.boundaries[MemoryLevel::hbm];
    const auto roof = std::ranges::find_if(
        scene.roofs, [&](const Roof& one) { return one.target == CeilingTarget(hbm) && !one.is_beside(); });
    const BandwidthCeiling* whole = model == analysis.models.end() ? nullptr : model->ceilings.find(hbm);
    constexpr double telling = 0.01;
    if (!whole || roof == scene.roofs.end() || std::abs(whole->rate.value() / roof->rate - 1) < telling)
        return {};
    return fmt::format("{} roof over all {}: {}", roof->name, noun_of(scene.rows, 2), format(whole->rate));
}

/// The roofs drawn whose ceilings were typed, so that nobody takes them for the device's: "HBM 3.00 TB/s
/// typed".
std::string typed_words(const Scene& scene, const CeilingSet& typed) {
    std::string words;
    for (const Roof& roof : scene.roofs)
        if (!roof.is_beside() && typed.find(roof.target))
            append(words, roof.name + " " + roof.value + " typed", ", ");
    return words;
}

/// What has no bandwidth of a level, beside levels of which there is one: "L2", and beside the roof of bytes
/// that are counted otherwise "L2 by sectors".
std::string without_bandwidth(const Analysis& analysis, const SceneOptions& options, MemoryLevel level) {
    const CeilingSet& ceilings = ceilings_in_use(analysis, options);
    const std::vector<Boundary> boundaries = boundaries_in_use(analysis, level);
    std::string words;
    for (const Boundary boundary : boundaries)
        if (!ceilings.empty() && !ceilings.find(boundary))
            append(words,
                   boundaries.size() > 1 ? name_of(boundary, analysis.options.memory)
                                         : std::string(label_of(level, analysis.options.memory)),
                   ", ");
    return words;
}

bool is_measured(const Analysis& analysis, MemoryLevel level) {
    return std::ranges::any_of(analysis.points,
                               [&](const KernelPoint& point) { return point.at(level).has_value(); });
}

/// Why levels that are switched on have no roof: "no roof for L2, SMEM: bytes not measured".
std::string missing_levels(const Analysis& analysis, const SceneOptions& options) {
    const EnumArray<MemoryLevel, bool> with_dots = levels_with_dots(analysis, options);
    const EnumArray<MemoryLevel, bool> with_roofs = levels_with_roofs(analysis, options);
    std::string by_throughput;
    std::string without_bytes;
    std::string unknown;
    std::string unused;
    std::string without_dots;
    std::string without_rate;
    std::string without_all;  // that is, without bytes too
    for (const MemoryLevel level : all_levels) {
        const bool measured = is_measured(analysis, level);
        if (options.levels[level] && with_roofs[level])
            append(measured ? without_rate : without_all, without_bandwidth(analysis, options, level), ", ");
        if (!options.levels[level] || with_dots[level]) continue;
        const bool used = std::ranges::any_of(analysis.points, [&](const KernelPoint& point) {
            return point.at(level) && point.at(level)->bytes.value() > 0;
        });
        append(with_roofs[level] ? (measured && !used ? without_bytes : by_throughput)
               : used            ? without_dots
               : measured        ? unused
                                 : unknown,
               label_of(level, analysis.options.memory), ", ");
    }
    std::string words;
    if (!without_rate.empty())
        append(words,
               fmt::format("no roof for {}: {}", without_rate,
                           no_ceiling_words(ceilings_in_use(analysis, options))),
               "; ");
    if (!without_all.empty())
        append(words, "no roof for " + without_all + ": neither bandwidth nor bytes are known", "; ");
    if (!by_throughput.empty())
        append(words, by_throughput + " limits by throughput: no bytes for a dot are known there", "; ");
    if (!without_bytes.empty())
        append(words, without_bytes + " limits by throughput: 0 bytes were counted there, so no dot", "; ");
    if (!unknown.empty()) append(words, "no roof for " + unknown + ": bytes not measured", "; ");
    if (!unused.empty()) append(words, "no roof for " + unused + ": no bytes are counted there", "; ");
    if (!without_dots.empty())
        append(words, "no roof for " + without_dots + ": the kernels with bytes there have no dot", "; ");
    return words;
}

/// Why a chart of work has no flat roof: "no ceiling known for INT32".
std::string missing_pipes(const Scene& scene, const Analysis& analysis) {
    const auto is_flat = [](const Roof& roof) {
        return !roof.is_beside() && std::holds_alternative<Pipe>(roof.target);
    };
    if (ceilings_in_use(analysis, scene.options).empty() || std::ranges::any_of(scene.roofs, is_flat))
        return {};
    for (const Dot& dot : scene.dots)
        if (std::string words = pipes_without_ceiling(analysis.points[dot.point]); !words.empty())
            return words;
    return {};
}

/// The levels that are switched off and each of which, once it is shown, gives a kernel without a place one.
std::vector<std::string_view> hidden_levels(const KernelPoint& point) {
    std::vector<std::string_view> levels;
    if (point.placement != Placement::not_drawn) return levels;
    for (const MemoryLevel level : all_levels) {
        EnumArray<MemoryLevel, bool> shown{};
        shown[level] = true;
        if (placement_of(point, shown) != Placement::not_drawn)
            levels.push_back(label_of(level, point.memory));
    }
    return levels;
}

/// "not measured", "only measured at L1, which is hidden", "integer work not counted"
std::string why_not_drawn(const KernelPoint& point) {
    if (const auto levels = hidden_levels(point); !levels.empty())
        return fmt::format("only measured at {}, which {} hidden", fmt::join(levels, ", "),
                           levels.size() == 1 ? "is" : "are");
    const auto time = point.known_time();
    if (time && time->value() <= 0) return "its time is 0";
    const bool lacks_work = time && point.work && point.uncounted.any() && has_known_bytes(point);
    if (lacks_work) return labels_of(point.uncounted) + " work not counted";
    if (is_part_of_operation(point)) return "part of an operation, which groups by operation show";
    return point.verdict.nearest ? "bytes not measured" : "not measured";
}

/// "2 kernels not drawn: not measured; 1 kernel not drawn: only measured at L1, which is hidden".
std::string not_drawn_words(const Analysis& analysis, const std::vector<std::uint32_t>& by_share) {
    std::map<std::string, std::size_t> reasons;
    for (const std::uint32_t i : by_share)
        if (analysis.points[i].placement == Placement::not_drawn)
            ++reasons[why_not_drawn(analysis.points[i])];
    std::string words;
    for (const auto& [reason, count] : reasons)
        append(words, rows_counted(count, analysis.options.group_by) + " not drawn: " + reason, "; ");
    return words;
}

/// "3 kernels are lines (FLOP not counted), whose marks at the edge are no points".
std::string lines_words(const Scene& scene, const Analysis& analysis,
                        const std::vector<std::uint32_t>& by_share) {
    const auto count = static_cast<std::size_t>(std::ranges::count_if(
        by_share, [&](std::uint32_t i) { return analysis.points[i].placement == Placement::line; }));
    if (count == 0) return {};
    return fmt::format(
        "{} ({} not counted), {}",
        rows_counted(count, analysis.options.group_by) + (count == 1 ? " is a line" : " are lines"),
        scene.unit,
        count == 1 ? "whose mark at the edge is no point" : "whose marks at the edge are no points");
}

/// "2 kernels have no number": of a chart with a key, whose rows are all drawn.
std::string unnumbered_words(const Scene& scene, const Analysis& analysis,
                             const std::vector<std::uint32_t>& by_share) {
    const auto drawn = static_cast<std::size_t>(std::ranges::count_if(
        by_share, [&](std::uint32_t i) { return analysis.points[i].placement != Placement::not_drawn; }));
    if (scene.key.empty() || drawn <= scene.key.size()) return {};
    const std::size_t without = drawn - scene.key.size();
    return fmt::format("{} {} no number", rows_counted(without, analysis.options.group_by),
                       without == 1 ? "has" : "have");
}

/// Of kernels that stand low, or in the band without FLOP, for work of another kind.
std::string integer_words(const Analysis& analysis, const std::vector<std::uint32_t>& by_share,
                          const SceneOptions& options) {
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(by_share, [&](std::uint32_t i) { return analysis.points[i].mostly_integer; }));
    if (count == 0) return {};
    if (count == 1 && by_share.size() > 1) {
        const auto one = std::ranges::find_if(
            by_share, [&](std::uint32_t i) { return analysis.points[i].mostly_integer; });
        const std::string& name = analysis.points[*one].name;
        const std::string told = called(name, name_length, options);
        if (told == called(name, name.size(), options))  // not cut
            return fmt::format("integer work of {} not counted", told);
    }
    return fmt::format("integer work of {} not counted", rows_counted(count, analysis.options.group_by));
}

/// Why there is no dot above the bands.
std::string why_empty(const Scene& scene, const Analysis& analysis,
                      const std::vector<std::uint32_t>& by_share) {
    if (analysis.points.empty()) return "No kernels";
    if (by_share.empty()) return "No kernel matches the filter";
    if (!scene.dots.empty()) {
        const auto of_integers = [&](std::uint32_t i) { return analysis.points[i].mostly_integer; };
        return std::ranges::all_of(by_share, of_integers) ? "Integer work only, which is not counted as FLOP"
                                                          : "";
    }
    const bool hidden = std::ranges::any_of(
        by_share, [&](std::uint32_t i) { return !hidden_levels(analysis.points[i]).empty(); });
    const bool only_time = std::ranges::all_of(by_share, [&](std::uint32_t i) {
        const KernelPoint& point = analysis.points[i];
        return point.known_time() && !point.work && !has_known_bytes(point) && !point.verdict.nearest;
    });
    if (only_time) return "Only time was measured: measure FLOP and bytes, or name the operation of a kernel";
    if (hidden) return "No kernel can be placed at the levels shown";
    std::vector<std::string> lacking;
    const auto add = [&](std::string_view what, auto has) {
        if (std::ranges::none_of(by_share, [&](std::uint32_t i) { return has(analysis.points[i]); }))
            lacking.emplace_back(what);
    };
    add("time", [](const KernelPoint& point) { return point.known_time().has_value(); });
    add(work_unit(analysis.options.operations),
        [](const KernelPoint& point) { return point.work.has_value(); });
    add("bytes", has_known_bytes);
    if (lacking.empty()) lacking = {"time, work or bytes"};
    return fmt::format("No kernel can be placed: {} not measured", joined_with_and(lacking));
}

/// Which of several compute roofs the ridges refer to.
std::string ridge_pipe(const Scene& scene) {
    const auto compute_roofs = std::ranges::count_if(scene.roofs, [](const Roof& roof) {
        return !roof.is_beside() && std::holds_alternative<Pipe>(roof.target);
    });
    const bool evident =
        compute_roofs < 2 && std::ranges::any_of(scene.roofs, [&](const Roof& roof) {
            return !scene.ridges.empty() && !roof.is_beside() && roof.target == scene.ridges.front().compute;
        });
    if (scene.ridges.empty() || evident) return {};
    return "ridges: with " + scene.ridges.front().pipe;
}

/// A name that fits several boards stands with the one whose roofs are drawn.
std::string device_words(const Device& device) {
    const std::string entry = matched_entry(device);
    return entry.empty() ? device.name : device.name + ", taken for the " + entry;
}

/// Rows whose counters cannot all be true stand where one of them says; the table names them.
std::string contradicted_words(const Analysis& analysis) {
    const auto count =
        static_cast<std::size_t>(std::ranges::count_if(analysis.points, &KernelPoint::contradicted));
    if (count == 0) return {};
    return rows_counted(count, analysis.options.group_by) + " with counters that contradict each other";
}

/// Whether the roofs drawn are those of the selected kernel's launches.
bool has_own_roofs(const Analysis& analysis, const SceneOptions& options) {
    const KernelPoint* selected = selected_point(analysis, options);
    return selected && selected->ceilings && !selected->ceilings->empty();
}

/// "bytes: HBM read+write, L2 by sectors", of the levels that have roofs.
std::string boundary_words(const Scene& scene, const Analysis& analysis) {
    std::string boundaries;
    const EnumArray<MemoryLevel, bool> with_roofs = levels_with_roofs(analysis, scene.options);
    for (const MemoryLevel level : all_levels)
        if (with_roofs[level] && is_measured(analysis, level))
            for (const Boundary boundary : boundaries_in_use(analysis, level))
                append(boundaries, name_of(boundary, analysis.options.memory), ", ");
    return boundaries.empty() ? boundaries : "bytes: " + boundaries;
}

/// What tells the device whose roofs are drawn from others, as the legend tells of these.
std::string_view marks_of_device(const Scene& scene) {
    const bool filled = std::ranges::any_of(scene.dots, [](const Dot& dot) { return !dot.is_hollow(); });
    const bool lines = std::ranges::find(scene.lines, false, &KernelLine::other_device) != scene.lines.end();
    return filled && lines ? ": its dots are filled, its lines dashed"
           : filled        ? ": its dots are filled"
           : lines         ? ": its lines are dashed"
                           : "";
}

void add_caption(Scene& scene, const Profile& profile, const Analysis& analysis, const Device* device,
                 const std::vector<std::uint32_t>& by_share) {
    std::string& caption = scene.caption = partial_words(profile);
    const std::size_t models = analysis.models.size();
    if (device && models > 1)
        append(caption,
               "roofs of " + model_name(profile, *device) + " only, one of " + std::to_string(models) +
                   " devices" + std::string(marks_of_device(scene)),
               "; ");
    else if (device)
        append(caption, device_words(*device), "; ");
    scene.caption_device = caption.size();
    // Early, so that a narrow chart cuts something else: without its boundary an intensity says nothing.
    append(caption, boundary_words(scene, analysis), "; ");
    append(
        caption,
        clock_words(scene, ceilings_in_use(analysis, scene.options), has_own_roofs(analysis, scene.options)),
        "; ");
    append(caption, clock_gap_words(profile, analysis), "; ");
    if (const auto index = device_in_use(profile, analysis, scene.options);
        index && has_own_roofs(analysis, scene.options))
        append(caption, memory_words(scene, analysis, *index), "; ");
    if (device) append(caption, typed_words(scene, overrides_of(analysis.options, *device)), "; ");
    append(caption, ridge_pipe(scene), "; ");
    append(caption, roof_line_words(scene), "; ");
    if (analysis.several_reports)
        append(caption, fmt::format("{} reports", report_shares(analysis).size()), "; ");
    append(caption, not_drawn_words(analysis, by_share), "; ");
    append(caption, unnumbered_words(scene, analysis, by_share), "; ");
    append(caption, lines_words(scene, analysis, by_share), "; ");
    append(caption, integer_words(analysis, by_share, scene.options), "; ");
    append(caption, contradicted_words(analysis), "; ");
    append(caption, missing_levels(analysis, scene.options), "; ");
    append(caption, missing_pipes(scene, analysis), "; ");
    if (device && ceilings_in_use(analysis, scene.options).empty())
        append(caption, "no ceiling of this GPU is known, so no roof", "; ");
    if (std::ranges::find(scene.rails, Rail::no_work) != scene.rails.end())
        append(caption, "kernels with " + scene.no_work_label + ": longest first", "; ");
    if (!scene.operation_ranges.empty())
        append(caption,
               "bars: typical AI of operations in the literature, by formula, not measured (" +
                   operation_sources() + ")",
               "; ");
}

/// What the colour of a class stands for: of low use by a unit each of the units, of what is not measured
/// why.
std::vector<std::string> classes_of(const Scene& scene, const Analysis& analysis, std::size_t colour) {
    std::vector<std::string> classes;
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot) {
        if (dot->colour != colour) continue;
        const KernelPoint& point = analysis.points[dot->point];
        if (std::string label = class_label(point); std::ranges::find(classes, label) == classes.end())
            classes.push_back(std::move(label));
    }
    return classes;
}

void add_colour_rows(Scene& scene, const Profile& profile, const Analysis& analysis) {
    // The text of a colour is the first thing that got it, largest share first; the last colour is of others.
    std::array<const KernelPoint*, 256> example{};
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot)
        if (!example[dot->colour]) example[dot->colour] = &analysis.points[dot->point];
    for (std::size_t i = 0; i < scene.dot_colours.size(); ++i) {
        const KernelPoint* point = example[i];
        if (!point) continue;
        LegendRow row{.shape = std::nullopt, .colour = scene.dot_colours[i], .text = "other"};
        row.look = static_cast<std::uint8_t>(i);
        row.mark = scene.mark_of(*row.look);
        const bool last = i + 1 == scene.dot_colours.size();
        row.others = last && scene.options.colour_by != ColourBy::kernel_class;
        if (scene.options.colour_by == ColourBy::kernel_class) {
            row.classes = classes_of(scene, analysis, i);
            row.text = fmt::format("{}", fmt::join(row.classes, ", "));
        } else if (!last && scene.options.colour_by == ColourBy::kernel) {
            const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point->group]);
            row.text = called(name_or_placeholder(profile.kernel_of(profile.at(launches.front())).name),
                              name_length, scene.options);
        } else if (!last && scene.options.colour_by == ColourBy::report) {
            row.text = name_of_report(*point);
        } else if (!last) {
            const PipeLoad* most = nullptr;
            for (const PipeLoad& load : point->pipes)
                if (counts_into_work(load.pipe, analysis.options.operations) &&
                    (!most || most->work < load.work))
                    most = &load;
            if (most) row.text = label_of(Pipe{most->pipe.kind, false});
        }
        scene.legend.push_back(std::move(row));
    }
}

/// The dots of one kernel are neighbours.
std::size_t drawn_kernels(const Scene& scene) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < scene.dots.size(); ++i)
        if (i == 0 || scene.dots[i].point != scene.dots[i - 1].point) ++count;
    return count;
}

/// What a line and its mark mean, and the bar where one ends.
void add_line_rows(Scene& scene, const Device* device) {
    if (scene.lines.empty()) return;
    LegendRow row{
        std::nullopt, line_colour(scene.dot_colours[scene.lines.front().colour], scene.options.theme), {}};
    row.kernel_line = true;
    row.bar = std::ranges::any_of(scene.kernel_ceilings, [&](const KernelCeiling& end) {
        return std::ranges::find(scene.lines, end.point, &KernelLine::point) != scene.lines.end();
    });
    row.text = scene.unit + " not counted: on its line" + (row.bar ? ", up to its bar (SM throughput)" : "");
    scene.legend.push_back(std::move(row));
    if (device && std::ranges::find(scene.lines, true, &KernelLine::other_device) != scene.lines.end())
        scene.legend.push_back({std::nullopt, std::nullopt, "dash-dotted line: not on " + device->name});
}

/// Of the dashed lines at a kernel, where some are seen: to its algorithm, and where its arrow ends at no
/// roof that is drawn. On paper the figures beside them say so, and rows cost room.
void add_gap_rows(Scene& scene) {
    if (scene.options.theme == Theme::print) return;
    constexpr double seen = 1.05;  // else it is too short, or on a roof
    const auto apart = [](double a, double b) { return a > b * seen || b > a * seen; };
    const auto is_far = [&](const TargetMark& mark) { return apart(mark.from, mark.to); };
    const auto gains = [&](const TargetMark& mark) { return mark.useful_to > mark.from * seen; };
    if (std::ranges::any_of(scene.targets, is_far))
        scene.legend.push_back(
            {std::nullopt, std::nullopt,
             std::string("dashed arrow across: to its algorithm") +
                 (std::ranges::any_of(scene.targets, gains) ? ", solid where that gains" : "")});
    const auto ends_alone = [&](const GapMark& gap) {
        return gap.binding_roof_piece != BindingRoofPiece::none &&
               std::ranges::all_of(scene.roofs, [&](const Roof& roof) {
                   const double height =
                       std::holds_alternative<Pipe>(roof.target) ? roof.rate : roof.rate * gap.x;
                   return roof.is_beside() || apart(height, gap.to);
               });
    };
    if (std::ranges::any_of(scene.gaps, ends_alone))
        scene.legend.push_back({std::nullopt, std::nullopt, "dashed line where an arrow ends: its limit"});
}

void add_legend(Scene& scene, const Profile& profile, const Analysis& analysis, const Device* device) {
    EnumArray<MemoryLevel, bool> drawn{};
    for (const Dot& dot : scene.dots)
        drawn[dot.level] = true;
    for (const MemoryLevel level : all_levels)
        if (drawn[level])
            scene.legend.push_back(
                {level, std::nullopt, std::string(label_of(level, analysis.options.memory))});
    add_colour_rows(scene, profile, analysis);
    const bool print = scene.options.theme == Theme::print;
    if (const std::size_t most = print ? crowd_of_dots : marked_on_screen;
        scene.dots.size() > most && scene.options.colour_by == ColourBy::kernel_class)
        scene.legend.push_back(
            {std::nullopt, std::nullopt, fmt::format("classes by colour alone: over {} dots", most)});
    if (scene.dots.size() > drawn_kernels(scene)) {
        LegendRow row{.shape = std::nullopt,
                      .colour = std::nullopt,
                      .text = "outline: another level at the same place"};
        row.outlines = true;
        scene.legend.push_back(std::move(row));
    }
    const auto filled_at_home = [](const Dot& dot) {
        return dot.other_device && !dot.modelled && dot.rail != Rail::edge;
    };
    if (device && std::ranges::any_of(scene.dots, filled_at_home))
        scene.legend.push_back({std::nullopt, std::nullopt, "hollow: not on " + device->name});
    if (std::ranges::any_of(scene.dots, &Dot::modelled)) {
        const bool assumed = std::ranges::any_of(scene.dots, [&](const Dot& dot) {
            const auto& target = analysis.points[dot.point].target;
            return dot.modelled && target && is_partly_assumed(*target->operation);
        });
        scene.legend.push_back(
            {std::nullopt, std::nullopt,
             std::string("broken outline: at what its operation needs") + (assumed ? ", part assumed" : "")});
    }
    if (!scene.dots.empty()) scene.legend.push_back({std::nullopt, std::nullopt, "area: share of time"});
    if (!scene.launch_ranges.empty()) {
        LegendRow row{
            .shape = std::nullopt, .colour = std::nullopt, .text = "whiskers: launches that differ"};
        if (scene.dots.size() > few_dots) row.text += ", of the selected kernel";
        row.whiskers = true;
        scene.legend.push_back(std::move(row));
    }
    const auto of_a_dot = [&](const KernelCeiling& bar) {
        return std::ranges::find(scene.lines, bar.point, &KernelLine::point) == scene.lines.end();
    };
    if (std::ranges::any_of(scene.kernel_ceilings, of_a_dot))
        scene.legend.push_back({std::nullopt, std::nullopt, "bar: ceiling of a kernel's pipes together"});
    add_line_rows(scene, device);
    add_gap_rows(scene);
    add_roof_line_rows(scene);
}

std::string summary_of(const Scene& scene, const Analysis& analysis, const Device* device,
                       const std::vector<std::uint32_t>& by_share) {
    const std::size_t drawn = drawn_kernels(scene);
    std::string summary = "Roofline of " + rows_counted(drawn, analysis.options.group_by);
    if (device && !device->name.empty()) summary += " on " + device->name;
    std::string roofs;
    for (const Roof& roof : scene.roofs)
        if (!roof.is_beside()) roofs += (roofs.empty() ? "; roofs: " : ", ") + roof.name + " " + roof.value;
    summary += roofs;
    const KernelPoint* point = selected_point(analysis, scene.options);
    const char* role = "; selected: ";
    if (!point && !by_share.empty() && analysis.points[by_share.back()].time) {
        point = &analysis.points[by_share.back()];
        role = "; most time: ";
    }
    if (point) {
        summary += role + shorten_kernel_name(point->name, name_length) + in_report(analysis, *point) + ", " +
                   time_share_words(*point) + ", " + class_text(*point);
        if (const auto share = share_of_limit(*point))
            summary += fmt::format(", {}{} of {}{}", bound_words(*point),
                                   marked_share(*point, format_percent(*share)), limit_label(*point),
                                   is_judged_by_roof(*point) ? " roof" : "");
        if (const std::string clause = horizontal_clause(*point); !clause.empty()) summary += ", " + clause;
    }
    return summary + ".";
}

}  // namespace

void lead_caption(Scene& scene, const std::string& words) {
    if (words.empty()) return;
    const std::string lead = words + (scene.caption.empty() ? "" : "; ");
    scene.caption.insert(0, lead);
    if (scene.caption_device > 0) scene.caption_device += lead.size();
}

std::string called(std::string_view name, std::size_t max_chars, const SceneOptions& options) {
    const auto given = options.names.find(name);
    return given != options.names.end() ? given->second : shorten_kernel_name(name, max_chars);
}

void add_words(Scene& scene, const Profile& profile, const Analysis& analysis,
               const std::vector<std::uint32_t>& by_share) {
    const std::optional<DeviceIndex> index = device_in_use(profile, analysis, scene.options);
    const Device* device = index ? &profile.at(*index) : nullptr;
    add_caption(scene, profile, analysis, device, by_share);
    add_legend(scene, profile, analysis, device);
    if (std::ranges::all_of(scene.dots, [](const Dot& dot) { return dot.rail == Rail::no_work; }))
        scene.empty_note = why_empty(scene, analysis, by_share);
    scene.summary = summary_of(scene, analysis, device, by_share);
}

}  // namespace roofwalk
