// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/chart/scene/scene_parts.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

namespace {

constexpr double least_x_decades = 4;
constexpr double least_y_decades = 2;
/// Of the decades shown: above the highest roof for its label, below the lowest dot for those of the ridges.
constexpr double label_room = 0.055;
constexpr Range empty_x{0.01, 1000};
constexpr Range empty_y{1e9, 1e14};

/// Grows to hold values; keeps what is not positive or not finite out.
class Extent {
  public:
    void add(double value) {
        if (!(value > 0) || !std::isfinite(value)) return;
        range_.lo = std::min(range_.lo, value);
        range_.hi = std::max(range_.hi, value);
    }
    /// Of what is shown as far as there is room: a decade more on each side.
    void reach(const std::optional<Spread>& spread) {
        if (!spread || !(spread->min > 0) || !std::isfinite(spread->max)) return;
        reach_.lo = std::min(reach_.lo, spread->min);
        reach_.hi = std::max(reach_.hi, spread->max);
    }
    void take_reach() {
        constexpr double most = 10;
        if (empty()) return;
        const Range known = range_;
        add(std::max(reach_.lo, known.lo / most));
        add(std::min(reach_.hi, known.hi * most));
    }
    [[nodiscard]] bool empty() const { return range_.lo > range_.hi; }
    [[nodiscard]] Range range() const { return range_; }

  private:
    Range range_{std::numeric_limits<double>::infinity(), 0};
    Range reach_ = range_;
};

/// Whether an axis can show a value: further out logarithms and their distances are no numbers any more.
bool has_place(double value) {
    constexpr double farthest = 1e30;
    return value >= 1 / farthest && value <= farthest;
}

/// Sorted beside their shares: looking each share up in its point would miss the cache millions of times.
std::vector<std::uint32_t> smallest_share_first(const Analysis& analysis) {
    std::vector<std::pair<double, std::uint32_t>> shares;
    shares.reserve(analysis.points.size());
    for (const KernelPoint& point : analysis.points)
        shares.emplace_back(point.time_share, static_cast<std::uint32_t>(shares.size()));
    std::ranges::sort(shares);
    std::vector<std::uint32_t> order(shares.size());
    std::ranges::transform(shares, order.begin(), [](const auto& share) { return share.second; });
    return order;
}

}  // namespace

bool is_selected(const SceneOptions& options, std::uint32_t point) {
    return options.selected == point || std::ranges::binary_search(options.also_selected, point);
}

const KernelPoint* selected_point(const Analysis& analysis, const SceneOptions& options) {
    if (!options.selected || *options.selected >= analysis.points.size()) return nullptr;
    return &analysis.points[*options.selected];
}

const CeilingSet& ceilings_in_use(const Analysis& analysis, const SceneOptions& options) {
    const KernelPoint* selected = selected_point(analysis, options);
    if (selected && selected->ceilings && !selected->ceilings->empty()) return *selected->ceilings;
    if (options.roofs_of)
        for (const ModelCeilings& model : analysis.models)
            if (model.device == *options.roofs_of) return model.ceilings;
    return analysis.ceilings;
}

std::optional<DeviceIndex> device_in_use(const Profile& profile, const Analysis& analysis,
                                         const SceneOptions& options) {
    if (const KernelPoint* selected = selected_point(analysis, options))
        return model_of(profile, models_of(profile), analysis, *selected);
    if (options.roofs_of && std::ranges::find(analysis.models, *options.roofs_of, &ModelCeilings::device) !=
                                analysis.models.end())
        return options.roofs_of;
    if (!analysis.models.empty()) return analysis.models.front().device;
    return std::nullopt;
}

std::optional<DeviceIndex> board_in_use(const Profile& profile, const Analysis& analysis,
                                        const SceneOptions& options) {
    const KernelPoint* selected = selected_point(analysis, options);
    if (selected == nullptr) return device_in_use(profile, analysis, options);
    const KernelGroup& group = analysis.grouping.groups[selected->group];
    return profile.at(analysis.grouping.order[group.first]).device;
}

const LevelPoint* shown_level(const KernelPoint& point, MemoryLevel level, const SceneOptions& options) {
    if (!options.levels[level]) return nullptr;
    const auto& at_level = point.at(level);
    return at_level ? &*at_level : nullptr;
}

std::optional<double> shown_intensity(const KernelPoint& point, MemoryLevel level,
                                      const SceneOptions& options) {
    const LevelPoint* at_level = shown_level(point, level, options);
    if (!at_level || !at_level->intensity || !has_place(at_level->intensity->value())) return std::nullopt;
    return at_level->intensity->value();
}

std::optional<double> achieved_rate(const KernelPoint& point, MemoryLevel level,
                                    const SceneOptions& options) {
    const std::optional<ByteRate> reached = point.bandwidth(level);
    if (!options.levels[level] || !reached || !has_place(reached->value())) return std::nullopt;
    return reached->value();
}

std::optional<MemoryLevel> level_of_line(const KernelPoint& point, const SceneOptions& options) {
    std::optional<MemoryLevel> nearest;
    for (const MemoryLevel level : all_levels) {
        if (!achieved_rate(point, level, options)) continue;
        if (!nearest || point.bandwidth_share(level) > point.bandwidth_share(*nearest)) nearest = level;
    }
    return nearest;
}

std::vector<Boundary> boundaries_in_use(const Analysis& analysis, MemoryLevel level) {
    std::vector<Boundary> boundaries{analysis.options.boundaries[level]};
    for (const KernelPoint& point : analysis.points)
        if (const auto& at = point.at(level);
            at && std::ranges::find(boundaries, at->boundary) == boundaries.end())
            boundaries.push_back(at->boundary);
    return boundaries;
}

EnumArray<MemoryLevel, bool> levels_with_dots(const Analysis& analysis, const SceneOptions& options) {
    EnumArray<MemoryLevel, bool> with_dots{};
    bool any = false;
    for (const KernelPoint& point : analysis.points) {
        const bool line = point.placement == Placement::line;
        if (point.placement != Placement::chart && !line) continue;
        for (const MemoryLevel level : all_levels)
            if (line ? achieved_rate(point, level, options).has_value()
                     : shown_intensity(point, level, options).has_value())
                with_dots[level] = any = true;
    }
    return any ? with_dots : options.levels;
}

EnumArray<MemoryLevel, bool> levels_with_roofs(const Analysis& analysis, const SceneOptions& options) {
    EnumArray<MemoryLevel, bool> with_roofs = levels_with_dots(analysis, options);
    for (const KernelPoint& point : analysis.points) {
        if (point.placement != Placement::chart) continue;
        const auto limit = tightest_limit(point);
        const HardwareUnit* unit = limit ? std::get_if<HardwareUnit>(&limit->of) : nullptr;
        if (!unit) continue;
        if (*unit == HardwareUnit::l1tex && options.levels[MemoryLevel::l1])
            with_roofs[MemoryLevel::l1] = true;
        const bool l2 = *unit == HardwareUnit::l2 || *unit == HardwareUnit::l2_slice;
        if (l2 && options.levels[MemoryLevel::l2]) with_roofs[MemoryLevel::l2] = true;
    }
    return with_roofs;
}

void fit_ranges(Scene& scene, const Analysis& analysis) {
    Extent x;
    Extent y;
    // Of a line at least a decade is seen, below where it or the roof of its level ends.
    const auto add_line = [&](const KernelPoint& point) {
        constexpr double decade = 0.1;
        for (const Roof& roof : scene.roofs)
            if (const auto* boundary = std::get_if<Boundary>(&roof.target); boundary && !roof.is_beside())
                if (const auto rate = achieved_rate(point, level_of(*boundary), scene.options))
                    y.add(decade * std::min(*rate * roof.ends_at, compute_limit(scene, point)));
    };
    // Of bandwidth roofs that no compute roof ends, the lowest above a kernel is seen there [byte/s].
    EnumArray<MemoryLevel, double> endless{};
    for (const Roof& roof : scene.roofs)
        if (const auto* boundary = std::get_if<Boundary>(&roof.target);
            boundary && !std::isfinite(roof.ends_at))
            endless[level_of(*boundary)] = std::max(endless[level_of(*boundary)], roof.rate);
    for (const KernelPoint& point : analysis.points) {
        if (point.placement == Placement::line) add_line(point);
        if (!point.performance || !(point.performance->value() > 0)) continue;
        if (point.placement == Placement::rail_no_traffic) y.add(point.performance->value());
        if (point.placement != Placement::chart) continue;
        if (const auto target = target_intensity(point, scene.options)) x.add(*target);
        double lowest = std::numeric_limits<double>::infinity();
        for (const MemoryLevel level : all_levels)
            if (const auto intensity = shown_intensity(point, level, scene.options)) {
                x.add(*intensity);
                y.add(point.performance->value());
                if (endless[level] > 0) lowest = std::min(lowest, endless[level] * *intensity);
            }
        y.add(lowest);
    }
    for (const RidgeMark& ridge : scene.ridges)
        x.add(ridge.x);
    for (const Roof& roof : scene.roofs) {
        if (std::holds_alternative<Pipe>(roof.target))
            y.add(roof.rate);
        else
            x.add(roof.ends_at);
    }
    for (const KernelPoint& point : analysis.points) {
        if (point.placement != Placement::chart || !point.launches_differ) continue;
        if (shown_intensity(point, MemoryLevel::hbm, scene.options)) x.reach(point.intensity_spread);
        y.reach(point.performance_spread);
    }
    x.take_reach();
    y.take_reach();
    scene.x = padded(x.empty() ? empty_x : x.range(), least_x_decades);
    scene.y = padded(y.empty() ? empty_y : y.range(), 0);
    const double room = std::pow(scene.y.hi / scene.y.lo, label_room);
    scene.y.hi *= room;
    scene.y.lo /= room;
    // Above the highest roof nothing is to be seen: whatever is missing is added below.
    scene.y.lo = std::min(scene.y.lo, scene.y.hi / std::pow(10.0, least_y_decades));
}

Scene build_scene(const Profile& profile, const Analysis& analysis, const SceneOptions& options,
                  std::vector<bool> shown) {
    Scene scene;
    scene.options = options;
    scene.rows = analysis.options.group_by;
    scene.shown = std::move(shown);
    const auto hidden = [&](std::uint32_t point) {
        return point >= analysis.points.size() || !scene.shows(point);
    };
    if (options.selected && hidden(*options.selected)) scene.options.selected.reset();
    std::erase_if(scene.options.also_selected, hidden);
    std::vector<std::uint32_t> by_share = smallest_share_first(analysis);
    std::erase_if(by_share, hidden);
    const std::string unit(work_unit(analysis.options.operations));
    scene.unit = unit;
    scene.x_label = "Arithmetic intensity [" + unit + "/byte]";
    scene.y_label = "Performance [" + unit + "/s]";
    scene.no_work_label = "no " + unit;
    add_operation_ranges(scene);
    add_roofs(scene, profile, analysis);
    fit_ranges(scene, analysis);
    add_dots(scene, profile, analysis, by_share);
    drop_misleading_zones(scene, analysis);
    add_annotations(scene, analysis, by_share);
    add_words(scene, profile, analysis, by_share);
    return scene;
}

}  // namespace roofwalk
