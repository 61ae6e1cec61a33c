// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/scene_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/chart/scene/scene_parts.h"
#include "core/model/kernel_name.h"

namespace roofwalk {

namespace {

constexpr float ghost_radius = 5;         // an older place, whatever its share of time was [px]
constexpr std::size_t longest_name = 24;  // of a report

PathLine line_of(ChangeVerdict verdict) {
    switch (verdict) {
        case ChangeVerdict::right:
        case ChangeVerdict::up:
        case ChangeVerdict::faster:
        case ChangeVerdict::both:
            return PathLine::solid;
        case ChangeVerdict::wrong_way:
            return PathLine::dashed;
        case ChangeVerdict::unchanged:
        case ChangeVerdict::mixed:
        case ChangeVerdict::other_work:
        case ChangeVerdict::not_compared:
            break;
    }
    return PathLine::dotted;
}

std::optional<PathPlace> place_of(const KernelPoint& point, MemoryLevel level, const Scene& scene) {
    const auto intensity = shown_intensity(point, level, scene.options);
    if (point.placement != Placement::chart || !intensity) return std::nullopt;
    return PathPlace{*intensity, point.performance->value(), ghost_radius, true};
}

/// Of kernels without counted work: across their lines, at one intensity that all of them reach.
std::vector<PathPlace> places_on_lines(const std::vector<const KernelPoint*>& points, MemoryLevel level,
                                       const Scene& scene) {
    constexpr double beside_gap_and_range = 0.4;
    std::vector<PathPlace> places;
    double most = std::numeric_limits<double>::infinity();
    for (const KernelPoint* point : points) {
        const auto rate = achieved_rate(*point, level, scene.options);
        if (!rate || point->placement != Placement::line) return {};
        places.push_back({0, *rate, ghost_radius, true});
        most = std::min(most, compute_limit(scene, *point, point != points.back()) / *rate);
    }
    const double x =
        std::min(most, place_on_line(scene, *points.back(), level, beside_gap_and_range, scene.paths.size()));
    for (PathPlace& place : places)
        place = {x, x * place.y, place.radius, place.ghost};
    places.back().radius = 0;
    return places;
}

/// All places of a kernel, or none where one of them is missing at this level, or is of a line and another
/// of a dot.
std::vector<PathPlace> places_at(const Comparison& comparison, const KernelPath& path, MemoryLevel level,
                                 const Scene& scene) {
    std::vector<const KernelPoint*> points;
    for (std::size_t i = 0; i < path.points.size(); ++i)
        points.push_back(&comparison.runs[path.first_run + i].point(path.points[i]));
    std::vector<PathPlace> places = places_on_lines(points, level, scene);
    if (places.empty())
        for (const KernelPoint* point : points) {
            const auto place = place_of(*point, level, scene);
            if (!place) return {};
            places.push_back(*place);
            places.back().radius = point == points.back() ? radius_of(point->time_share) : ghost_radius;
        }
    for (std::size_t i = 0; i + 1 < places.size(); ++i)
        places[i].line = line_of((path.steps.empty() ? path.whole : path.steps[i]).verdict);
    places.back().ghost = false;
    return places;
}

std::string label_for(const KernelPath& path) {
    const KernelChange& change = path.whole;
    if (change.contradicts())
        return std::string(change.times_unlike ? why_no_verdict(change) : "counters contradict") +
               ": no verdict";
    if (change.devices_differ) return {};  // the caption says it once
    const LevelChange level = change.judged_at ? change.at(*change.judged_at) : LevelChange{};
    const bool bytes_only = change.time && change.time->direction() == 0 && level.bytes;
    std::string label = bytes_only     ? bytes_text(change)
                        : !change.time ? std::string(label_of(change.verdict))
                                       : time_text(*change.time);
    if (change.clock_explains) label += " by the clock";
    if (path.points.size() > 2) label += " in " + std::to_string(path.points.size() - 1) + " steps";
    return label;
}

std::string title_for(const Comparison& comparison, const KernelPath& path) {
    const AnalysedProfile& before = comparison.first_run_of(path);
    const AnalysedProfile& after = comparison.last_run_of(path);
    std::string title = after.point(path.points.back()).name + ": " + change_text(path.whole);
    const std::vector<std::string> notes = change_notes(before, after, path.whole);
    return notes.empty() ? title : fmt::format("{}. {}", title, fmt::join(notes, " "));
}

std::optional<ScenePath> scene_path(const Scene& scene, const Comparison& comparison,
                                    const KernelPath& path) {
    std::vector<MemoryLevel> levels(all_levels.begin(), all_levels.end());
    if (path.whole.judged_at) levels.insert(levels.begin(), *path.whole.judged_at);
    for (const MemoryLevel level : levels) {
        std::vector<PathPlace> places = places_at(comparison, path, level, scene);
        if (places.empty()) continue;
        return ScenePath{.point = path.points.back(),
                         .level = level,
                         .places = std::move(places),
                         .label = label_for(path),
                         .title = title_for(comparison, path),
                         .selected = scene.options.selected == path.points.back()};
    }
    return std::nullopt;
}

/// Kernels of one kind, and how many of them have an arrow.
struct Count {
    std::size_t all = 0;
    std::size_t drawn = 0;

    void add(bool has_arrow) {
        ++all;
        if (has_arrow) ++drawn;
    }
    /// "3 of 5 changed kernels"; "5 kernels" of those that are never drawn
    [[nodiscard]] std::string words(std::string_view state, GroupBy rows) const {
        const bool some = drawn > 0 || state != " ";
        return (some ? format_count(static_cast<double>(drawn)) + " of " : "") +
               format_count(static_cast<double>(all)) + std::string(state) + std::string(noun_of(rows, all));
    }
};

/// What the arrows show of the comparison, and what they do not.
struct Counts {
    Count changed;
    Count other_device;
    Count not_compared;             ///< for another reason
    std::set<std::string> devices;  ///< names of the other ones
    std::size_t without_place = 0;

    [[nodiscard]] Count& of(const KernelChange& change) {
        if (change.verdict != ChangeVerdict::not_compared) return changed;
        return change.devices_differ && !change.contradicts() ? other_device : not_compared;
    }
};

/// "2 of 3 changed kernels, 1 of 1 kernel of another device (NVIDIA A100), not compared"
std::string arrows_words(const Counts& counts, GroupBy rows) {
    std::string words;
    const auto add = [&](const std::string& part) { words += (words.empty() ? "" : ", ") + part; };
    const bool some_not_compared = counts.other_device.all + counts.not_compared.all > 0;
    if (counts.changed.all > 0 || !some_not_compared) add(counts.changed.words(" changed ", rows));
    if (counts.not_compared.all > 0) add(counts.not_compared.words(" ", rows) + " not compared");
    if (counts.other_device.all == 0) return words;
    std::string devices;
    for (const std::string& device : counts.devices)
        if (!device.empty()) devices += (devices.empty() ? "" : ", ") + device;
    add(counts.other_device.words(" ", rows) + " of another device" +
        (devices.empty() ? "" : " (" + devices + ")") + ", not compared");
    return words;
}

/// Empty without a name.
const std::string& device_before(const Comparison& comparison, const KernelPath& path) {
    const AnalysedProfile& before = comparison.first_run_of(path);
    return before.device_of(before.point(path.points.front())).name;
}

std::string words_of(const Counts& counts, const Comparison& comparison,
                     const ComparisonSceneOptions& options) {
    const auto number = [](std::size_t count) { return format_count(static_cast<double>(count)); };
    const std::size_t between = comparison.runs.size() - 2;
    std::string words = "arrows from " + (options.older.empty() ? "the baseline" : options.older.front()) +
                        (between == 0   ? std::string()
                         : between == 1 ? " through 1 more report"
                                        : " through " + number(between) + " more reports") +
                        ": " + arrows_words(counts, rows_of(comparison));
    if (counts.without_place > 0) words += ", " + number(counts.without_place) + " without a place";
    const ComparisonTotals totals = totals_of(comparison);
    for (const auto& [count, what] :
         {std::pair(totals.added, " added"), std::pair(totals.removed, " removed"),
          std::pair(totals.ambiguous, " ambiguous")})
        if (count > 0) words += ", " + number(count) + what;
    return words;
}

}  // namespace

void add_comparison(Scene& scene, const Comparison& comparison, const ComparisonSceneOptions& options) {
    Counts counts;
    std::uint32_t drawn = 0;
    std::vector<std::string> names;  // of several older reports: where they differ
    if (options.older.size() > 1)
        for (DifferingPart& part :
             differing_parts({options.older.begin(), options.older.end()}, longest_name))
            names.push_back(std::move(part.text));
    for (const KernelPath& path : comparison.paths) {
        const bool newest = path.first_run + path.points.size() == comparison.runs.size();
        if (!newest || path.whole.verdict == ChangeVerdict::unchanged || !scene.shows(path.points.back()))
            continue;
        const bool selected = scene.options.selected == path.points.back();
        std::optional<ScenePath> way;
        if (drawn < options.arrows || selected) {
            way = scene_path(scene, comparison, path);
            if (!way) ++counts.without_place;
            if (way && (selected || (!scene.options.selected && drawn == 0)))
                for (std::size_t i = 0; i + 1 < way->places.size() && path.first_run + i < names.size(); ++i)
                    way->places[i].name = names[path.first_run + i];
            if (way && !selected) ++drawn;
        }
        Count& count = counts.of(path.whole);
        count.add(way.has_value());
        if (&count == &counts.other_device) counts.devices.insert(device_before(comparison, path));
        if (way) scene.paths.push_back(std::move(*way));
    }
    const bool some_not_compared = counts.other_device.drawn + counts.not_compared.drawn > 0;
    finish_paths(scene, "arrow: before to after", some_not_compared ? "neither, or not compared" : "neither");
    lead_caption(scene, words_of(counts, comparison, options));
    scene.summary += " Comparison: " + comparison_sentence(comparison);
}

}  // namespace roofwalk
