// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/model/kernel_name.h"
#include "core/roofline/group_totals.h"
#include "core/roofline/summary.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr double largest_in_crowd = 12;
constexpr double largest_radius = 16;  // [px]: a kernel with all the time
/// Where the first of few dots stands on the bottom rail: near its start, before its name.
constexpr double first_on_rail = rail_length / 6;
constexpr std::size_t coloured_kernels = 7;  // the eighth colour is for all others

/// The pipe with most work counts as a kernel's precision.
std::optional<PipeKind> precision_of(const KernelPoint& point, OperationClass operations) {
    std::optional<PipeKind> kind;
    double most = 0;
    for (const PipeLoad& load : point.pipes) {
        if (!counts_into_work(load.pipe, operations) || load.work.value() <= most) continue;
        most = load.work.value();
        kind = load.pipe.kind;
    }
    return kind;
}

/// Gives each thing it is asked about the next colour, the largest share of time first.
class ColourGiver {
  public:
    explicit ColourGiver(Theme theme) : theme_(theme) {}

    std::uint8_t colour_for(std::uint32_t thing) {
        const auto [it, fresh] =
            given_.try_emplace(thing, static_cast<std::uint8_t>(std::min(given_.size(), coloured_kernels)));
        return it->second;
    }
    [[nodiscard]] std::vector<Colour> colours() const {
        std::vector<Colour> list;
        for (std::size_t i = 0; i <= coloured_kernels; ++i)
            list.push_back(categorical_colour(i, theme_));
        return list;
    }

  private:
    Theme theme_;
    std::unordered_map<std::uint32_t, std::uint8_t> given_;
};

/// Index into Scene::dot_colours for every point.
std::vector<std::uint8_t> colour_points(Scene& scene, const Profile& profile, const Analysis& analysis,
                                        const std::vector<std::uint32_t>& by_share) {
    std::vector<std::uint8_t> colours(analysis.points.size());
    if (scene.options.colour_by == ColourBy::kernel_class) {
        for (const KernelClass kernel_class : enumerators<KernelClass>)
            scene.dot_colours.push_back(colour_of(kernel_class, scene.options.theme));
        scene.dot_colours.push_back(colour_of(KernelClass::low_use, scene.options.theme, true));
        for (const std::uint32_t i : by_share)
            colours[i] = class_look(analysis.points[i].verdict);
        return colours;
    }
    ColourGiver giver(scene.options.theme);
    const std::uint8_t none = coloured_kernels;
    for (auto it = by_share.rbegin(); it != by_share.rend(); ++it) {
        const KernelPoint& point = analysis.points[*it];
        if (scene.options.colour_by == ColourBy::precision) {
            const auto kind = precision_of(point, analysis.options.operations);
            colours[*it] = kind ? giver.colour_for(static_cast<std::uint32_t>(*kind)) : none;
        } else {
            const auto launches = analysis.grouping.launches_of(analysis.grouping.groups[point.group]);
            const Launch& launch = profile.at(launches.front());
            colours[*it] = giver.colour_for(scene.options.colour_by == ColourBy::report
                                                ? static_cast<std::uint32_t>(launch.source)
                                                : static_cast<std::uint32_t>(launch.kernel));
        }
    }
    scene.dot_colours = giver.colours();
    return colours;
}

/// The level whose shape a kernel on a rail gets: the farthest measured one.
std::optional<MemoryLevel> farthest_level(const KernelPoint& point, const SceneOptions& options) {
    for (const MemoryLevel level : all_levels)
        if (shown_level(point, level, options)) return level;
    return std::nullopt;
}

std::optional<Range> range_of(const std::optional<Spread>& spread) {
    const bool seen = spread && spread->min > 0 && spread->min < spread->max;
    return seen ? std::optional(Range{spread->min, spread->max}) : std::nullopt;
}

/// `dot` is that of its farthest level: of HBM, else it has no range of intensities.
void add_launch_range(Scene& scene, const KernelPoint& point, const Dot& dot, bool selected) {
    if (!point.launches_differ) return;
    const bool hbm = dot.level == MemoryLevel::hbm;
    scene.launch_ranges.push_back({dot.point, dot.x, dot.y,
                                   hbm ? range_of(point.intensity_spread) : std::nullopt,
                                   range_of(point.performance_spread), selected});
}

void add_on_chart(Scene& scene, const KernelPoint& point, Dot dot) {
    const std::size_t first = scene.dots.size();
    for (const MemoryLevel level : all_levels) {
        const auto intensity = shown_intensity(point, level, scene.options);
        if (!intensity) continue;
        dot.x = *intensity;
        dot.level = level;
        dot.binds = limiting_level(point) == level;
        scene.dots.push_back(dot);
    }
    const bool selected = scene.options.selected == dot.point;
    if (scene.dots.size() > first && (selected || scene.dots.size() <= few_dots))
        add_launch_range(scene, point, scene.dots[first], selected);
    if (scene.dots.size() - first < 2 || (!selected && scene.dots.size() > few_dots)) return;
    const auto [lo, hi] =
        std::minmax_element(scene.dots.begin() + static_cast<std::ptrdiff_t>(first), scene.dots.end(),
                            [](const Dot& a, const Dot& b) { return a.x < b.x; });
    scene.joins.push_back({dot.point, dot.y, lo->x, hi->x, selected});
}

/// Beyond this many selected kernels lines would be a thicket.
constexpr std::size_t most_selected_lines = 12;
/// Of the kernels that are not selected.
constexpr std::size_t longest_with_lines = 3;

/// Of a kernel whose work was not counted, a mark for each of its levels.
void add_at_edge(Scene& scene, const KernelPoint& point, Dot dot) {
    dot.rail = Rail::edge;
    const auto main_level = level_of_line(point, scene.options);
    for (const MemoryLevel level : all_levels) {
        const auto rate = achieved_rate(point, level, scene.options);
        if (!rate) continue;
        dot.y = *rate;
        dot.x = compute_limit(scene, point, dot.other_device) / *rate;
        dot.level = level;
        dot.binds = main_level == level;
        scene.dots.push_back(dot);
    }
}

/// Of the selected kernel every level, of the others the one that tells the gap.
void add_lines(Scene& scene) {
    std::size_t selected_lines = 0;
    std::size_t others = 0;
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot) {
        if (dot->rail != Rail::edge) continue;
        const bool selected = is_selected(scene.options, dot->point);
        const bool room = selected ? selected_lines < most_selected_lines : others < longest_with_lines;
        const bool whole = scene.options.selected == dot->point || (dot->binds && room);
        if (!whole && scene.dots.size() > crowd_of_dots) continue;
        scene.lines.push_back(
            {dot->point, dot->level, dot->y, dot->x, dot->colour, dot->other_device, dot->radius, whole});
        if (whole) ++(selected ? selected_lines : others);
    }
}

/// Along the bottom rail the largest share of time stands at the left, and each has as much room for its name
/// as there is. The rest of the rail is for its note.
void fill_rails(Scene& scene) {
    const auto on = [](Rail rail) { return [rail](const Dot& dot) { return dot.rail == rail; }; };
    const auto without_work = static_cast<double>(std::ranges::count_if(scene.dots, on(Rail::no_work)));
    if (without_work > 0) scene.rails.push_back(Rail::no_work);
    if (std::ranges::any_of(scene.dots, on(Rail::no_traffic))) scene.rails.push_back(Rail::no_traffic);
    scene.rail_step = rail_length / std::max(without_work, 1.0);
    double x = std::min(scene.rail_step / 2, first_on_rail);
    for (auto dot = scene.dots.rbegin(); dot != scene.dots.rend(); ++dot)
        if (dot->rail == Rail::no_work) dot->x = std::exchange(x, x + scene.rail_step);
}

/// No kernel of thousands has a share that could be told from that of another one: only beside the largest.
void scale_crowd(Scene& scene, const Analysis& analysis) {
    if (scene.dots.size() <= crowd_of_dots) return;
    const double largest = analysis.points[scene.dots.back().point].time_share;
    if (!(largest > 0)) return;
    for (Dot& dot : scene.dots)
        dot.radius = static_cast<float>(std::max(
            least_in_crowd, largest_in_crowd * std::sqrt(analysis.points[dot.point].time_share / largest)));
}

}  // namespace

float radius_of(double share) {
    return static_cast<float>(
        std::max(least_radius, largest_radius * std::sqrt(std::clamp(share, 0.0, 1.0))));
}

void add_dots(Scene& scene, const Profile& profile, const Analysis& analysis,
              const std::vector<std::uint32_t>& by_share) {
    const std::vector<std::uint8_t> colours = colour_points(scene, profile, analysis, by_share);
    const bool several = analysis.models.size() > 1;
    const std::vector<DeviceIndex> models = several ? models_of(profile) : std::vector<DeviceIndex>();
    const std::optional<DeviceIndex> device = device_in_use(profile, analysis, scene.options);
    const auto levels = static_cast<std::size_t>(std::ranges::count(scene.options.levels, true));
    scene.dots.reserve(by_share.size() * std::max<std::size_t>(levels, 1));
    for (const std::uint32_t i : by_share) {
        const KernelPoint& point = analysis.points[i];
        Dot dot;
        dot.point = i;
        dot.radius = radius_of(point.time_share);
        dot.colour = colours[i];
        dot.other_device = several && model_of(profile, models, analysis, point) != device;
        dot.modelled = point.modelled || point.modelled_work || point.modelled_bytes;
        if (point.performance) dot.y = point.performance->value();
        switch (point.placement) {
            case Placement::chart:
                if (dot.y > 0 && std::isfinite(dot.y)) add_on_chart(scene, point, dot);
                break;
            case Placement::line:
                add_at_edge(scene, point, dot);
                break;
            case Placement::rail_no_work:
            case Placement::rail_no_traffic:
                dot.rail = point.placement == Placement::rail_no_work ? Rail::no_work : Rail::no_traffic;
                dot.level = farthest_level(point, scene.options).value_or(MemoryLevel::hbm);
                scene.dots.push_back(dot);
                break;
            case Placement::not_drawn:
                break;
        }
    }
    scale_crowd(scene, analysis);
    add_lines(scene);
    fill_rails(scene);
    if (scene.dots.size() <= few_dots) return;
    std::erase_if(scene.joins, [](const LevelJoin& join) { return !join.selected; });
    std::erase_if(scene.launch_ranges, [](const LaunchRange& range) { return !range.selected; });
}

std::string time_share_words(const KernelPoint& point) {
    return point.time ? marked_if(point.share_doubted, format_percent(point.time_share)) + " of the time"
                      : "time not measured";
}

double compute_limit(const Scene& scene, const KernelPoint& point, bool other_device) {
    const Roof* highest = highest_compute_roof(scene);
    if (highest == nullptr) return std::numeric_limits<double>::infinity();
    if (other_device) return highest->rate;
    return highest->rate * std::min(1.0, point.throughput[HardwareUnit::sm].value_or(1.0));
}

double place_on_line(const Scene& scene, const KernelPoint& point, MemoryLevel level, double share,
                     std::size_t drawn) {
    constexpr double apart = 0.8;
    constexpr std::size_t places = 4;
    double end = std::min(scene.x.hi, compute_limit(scene, point) / point.bandwidth(level)->value());
    const Roof* highest = highest_compute_roof(scene);
    if (const auto& ceiling = point.at(level)->ceiling; ceiling && highest)
        end = std::min(end, highest->rate / ceiling->value());
    share *= std::pow(apart, static_cast<double>(drawn % places));
    return std::max(share * end, std::sqrt(scene.x.lo * end));
}

namespace {

/// Of the SM the busiest of memory, of memory the SM.
std::optional<BusyUnit> busiest_of_other_side(UnitThroughput units, HardwareUnit unit) {
    for (const HardwareUnit one : all_hardware_units)
        if ((one == HardwareUnit::sm) == (unit == HardwareUnit::sm)) units[one].reset();
    return busiest(units);
}

/// "low use (by throughput), 47.0 % of Memory, 45.0 % of SM": its class, and what limits it with the share of
/// that limit; of a unit with that of the other side.
std::string class_words(const KernelPoint& point) {
    std::string words = class_text(point);
    if (const auto share = share_of_limit(point))
        words += fmt::format(", {}{} of {}", bound_words(point), marked_share(point, format_percent(*share)),
                             limit_label(point));
    const auto beyond = unit_beyond_roof(point);
    std::optional<BusyUnit> busy = point.verdict.busy;
    if (beyond) {
        words += ", " + roof_beside(point);
        busy = busiest_of_other_side(point.throughput, beyond->unit);
        if (busy && busy->share <= point.gap->efficiency()) busy.reset();
    }
    if (const auto nearest = judged_nearest(point))
        if (const auto* unit = std::get_if<HardwareUnit>(&nearest->of))
            busy = busiest_of_other_side(point.throughput, *unit);
    if (busy)
        words += fmt::format(", {} of {}", marked(point, busy->unit, format_percent(busy->share)),
                             label_of(busy->unit, point.memory));
    return words;
}

/// "HBM 1.20 GB at 120 GB/s (7.43 %)" of each level where bytes moved.
std::vector<std::string> bytes_words(const KernelPoint& point, const EnumArray<MemoryLevel, bool>& levels) {
    std::vector<std::string> list;
    for (const MemoryLevel level : all_levels) {
        const auto& at = point.at(level);
        if (!levels[level] || !at || at->bytes.value() == 0) continue;
        std::string words = fmt::format("{} {}", label_of(level, point.memory),
                                        marked_if(is_inexact(point, level), format(at->bytes)));
        const auto mark = [&](const std::string& figure) { return marked(point, at->boundary, figure); };
        if (const auto rate = point.bandwidth(level)) words += " at " + mark(format(*rate));
        if (const auto share = point.bandwidth_share(level))
            words += " (" + mark(format_percent(*share)) + ")";
        list.push_back(std::move(words));
    }
    return list;
}

EnumArray<MemoryLevel, bool> levels_of(std::span<const Dot> dots) {
    EnumArray<MemoryLevel, bool> levels;
    for (const Dot& dot : dots)
        levels[dot.level] = true;
    return levels;
}

/// "433 µs, 2.80 % of the time".
std::string time_words(const KernelPoint& point) {
    const std::string time =
        point.time ? marked_if(point.time_doubted, format(*point.time)) + ", " : std::string();
    return time + time_share_words(point);
}

/// "HBM 0.17, L2 0.08 FLOP/byte, 1.2 TFLOP/s"; empty where the class tells that there is no work.
std::string place_words(const KernelPoint& point, std::span<const Dot> dots, const std::string& unit) {
    const Dot& first = dots.front();
    const bool told = point.verdict.kernel_class == KernelClass::no_flop || is_without_work(point);
    if (first.rail == Rail::no_work) return told ? std::string() : "no " + unit;
    if (first.rail == Rail::edge) return unit + " not counted: the mark tells bandwidth, not performance";
    const std::string rate = marked_if(point.time_doubted || has_inexact_work(point),
                                       at_least(point, format(FlopRate(first.y), unit + "/s")));
    if (first.rail == Rail::no_traffic) return "no bytes, " + rate;
    std::string words;
    for (const Dot& dot : dots)
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", label_of(dot.level, point.memory),
                             marked_intensity(point, dot.level, at_least(point, format_number(dot.x))));
    return fmt::format("{} {}/byte, {}", words, unit, rate);
}

/// What dots_title() says behind `name`, with the bytes of `levels`, and, after them, `directions`.
DotTitle title_with(std::string name, const Analysis& analysis, std::span<const Dot> dots,
                    const EnumArray<MemoryLevel, bool>& levels, const std::string& directions) {
    const KernelPoint& point = analysis.points[dots.front().point];
    const std::string unit(work_unit(analysis.options.operations));
    const std::vector<std::string> bytes = bytes_words(point, levels);
    const std::string place = place_words(point, dots, unit);
    std::string time = time_words(point);
    const std::string range = launch_range_words(point, unit);
    if (!range.empty()) time += fmt::format(", {} launches, {}", format_count(point.launches), range);
    const bool modelled = std::ranges::any_of(dots, &Dot::modelled) && point.target;
    const std::string assumed = modelled ? assumed_words(*point.target->operation) : "";

    std::string limits = class_words(point);
    DotTitle title{std::move(name), limits};
    for (const std::string& part : {place, joined(bytes, ", "), directions, time})
        if (!part.empty()) title.figures += "; " + part;
    title.figures += assumed;
    title.lines.push_back(time + assumed);
    title.lines.insert(title.lines.end(), bytes.begin(), bytes.end());
    for (const std::string& part : {directions, place, std::move(limits)})
        if (!part.empty()) title.lines.push_back(part);
    return title;
}

}  // namespace

std::string DotTitle::tooltip() const {
    return lines.empty() ? text() : name + "\n" + joined(lines, "\n");
}

Dot dot_of(const KernelLine& line) {
    return {.x = line.ends_at,
            .y = line.rate,
            .radius = line.radius,
            .point = line.point,
            .level = line.level,
            .colour = line.colour,
            .rail = Rail::edge};
}

std::string dots_title(const Analysis& analysis, std::span<const Dot> dots, const std::string& name) {
    return title_with(name, analysis, dots, levels_of(dots), {}).text();
}

DotTitle dots_title(const Analysis& analysis, std::span<const Dot> dots, const Profile* profile) {
    const KernelPoint& point = analysis.points[dots.front().point];
    EnumArray<MemoryLevel, bool> levels = levels_of(dots);
    if (dots.front().rail == Rail::edge) std::ranges::fill(levels, true);
    const std::string apart = profile ? directions_words(*profile, analysis, point, levels) : std::string();
    return title_with(shorten_kernel_name(point.name, 60) + in_report(analysis, point), analysis, dots,
                      levels, apart);
}

std::string dot_title(const Analysis& analysis, const Dot& dot, const Profile* profile) {
    return dots_title(analysis, std::span(&dot, 1), profile).text();
}

}  // namespace roofwalk
