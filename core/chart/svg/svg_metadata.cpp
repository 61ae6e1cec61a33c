// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg/svg_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "core/base/json_writer.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

/// A picture stays within 2 MB: a scenario that takes more of it by itself is not written into it.
constexpr std::size_t most_moves_told = std::size_t{512} << 10U;  // [bytes]

/// JSON that is XML text too: characters that XML treats specially or forbids stand in strings only, where
/// they become JSON escapes. A '>' ends no CDATA section unless brackets stand before it.
std::string xml_safe(const std::string& json) {
    std::string safe;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string_view rest = std::string_view(json).substr(i);
        if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
            safe += rest[2] == '\xBE' ? "\\ufffe" : "\\uffff";
            i += 2;
        } else if (json[i] == '<' || json[i] == '&' || (json[i] == '>' && safe.ends_with(']'))) {
            fmt::format_to(std::back_inserter(safe), "\\u{:04x}", static_cast<unsigned char>(json[i]));
        } else {
            safe += json[i];
        }
    }
    return safe;
}

/// A number that is JSON text already.
struct Digits {
    std::string text = "null";
};
void write_json(JsonWriter& json, const Digits& digits) {
    json.members(digits.text);
}

/// Without the sign and the zero of "1e+09": a row of a thousand has six of them.
Digits number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return {};
    std::string digits = fmt::format("{:.6g}", *value);
    const auto sign = digits.find('e') + 1;
    if (sign == 0) return {digits};
    if (digits[sign + 1] == '0') digits.erase(sign + 1, 1);
    if (digits[sign] == '+') digits.erase(sign, 1);
    return {digits};
}

template <class Quantity>
Digits number(const std::optional<Quantity>& value) {
    return value ? number(std::optional(value->value())) : Digits();
}

void write_roofs(JsonWriter& json, const Scene& scene) {
    json.object_lines("roofs", scene.roofs, [&](const Roof& roof) {
        json.member("id", roof.id);
        json.member("target", id_of(roof.target));
        json.member("rate", number(roof.rate));
        json.member("practical", roof.line == RoofLine::practical);
        const std::string_view kind = roof.line == RoofLine::other_device ? "other_device"
                                      : roof.line == RoofLine::theory     ? "theory"
                                      : roof.measured                     ? "measured"
                                                                          : "";
        if (!kind.empty()) json.member(kind, true);
        json.member("note", roof.note);
    });
    if (!scene.measured_roof) return;
    const MeasuredRoof& roof = scene.measured_roof->roof;
    json.next_line();
    json.object("measured_roof", [&] {
        json.member("slope", number(std::optional(roof.slope)));
        json.member("peak", number(std::optional(roof.peak)));
        json.member("sharpness", number(std::optional(roof.sharpness)));
        json.member("note", scene.measured_roof->note);
    });
}

/// Of a scene that is shaded, those with dots.
std::vector<std::uint32_t> points_told(const Scene& scene, const Analysis& analysis, const PageDots& dots) {
    std::vector<std::uint32_t> points;
    const std::size_t count = dots.drawn.empty() ? analysis.points.size() : dots.drawn.size();
    for (std::uint32_t point = 0; point < count; ++point)
        if (scene.shows(point) && dots.draws(point)) points.push_back(point);
    return points;
}

/// What a row holds beside name, time and work.
struct Columns {
    std::vector<MemoryLevel> levels;  ///< those drawn that some kernel has bytes for
    bool lower_bounds = false;        ///< some work was not counted
    bool limits = false;              ///< some kernel that has one is not drawn, so that no dot tells it
    bool sources = false;             ///< of several reports
    bool dots = false;                ///< rows are not numbered as the dots are
};

Columns columns_of(const Scene& scene, const Analysis& analysis, const std::vector<std::uint32_t>& points) {
    const auto some = [&](auto has) {
        return std::ranges::any_of(points, [&](std::uint32_t point) { return has(analysis.points[point]); });
    };
    Columns columns;
    for (const MemoryLevel level : all_levels)
        if (scene.options.levels[level] &&
            some([&](const KernelPoint& point) { return point.at(level).has_value(); }))
            columns.levels.push_back(level);
    columns.lower_bounds = some([](const KernelPoint& point) { return point.uncounted.any(); });
    columns.limits = some([](const KernelPoint& point) {
        return point.placement == Placement::not_drawn && share_of_limit(point);
    });
    columns.sources = analysis.several_reports;
    columns.dots = !scene.shown.empty() || points.size() < analysis.points.size();
    return columns;
}

void write_columns(JsonWriter& json, const Columns& columns, const Analysis& analysis) {
    std::vector<std::string> names{"name", "time_s", "work", "class"};
    if (columns.lower_bounds) names.emplace_back("work_is_lower_bound");
    if (columns.limits) names.insert(names.end(), {"limit", "share_of_limit"});
    for (const MemoryLevel level : columns.levels)
        names.push_back(std::string(id_of(analysis.options.boundaries[level])) + "_bytes");
    if (columns.sources) names.emplace_back("source");
    if (columns.dots) names.emplace_back("dot");
    json.line("columns", names);
}

/// Longer names are cut, so that a crowd stays below 2 MB whatever its kernels are called, escapes included.
constexpr std::size_t longest_name = 3'000;        // [bytes]
constexpr std::size_t names_of_crowd = 1'200'000;  // [bytes]

std::string cut_name(const std::string& name, std::size_t longest) {
    std::string text = name;
    const auto written = [&] {
        std::string json;
        append_json_string(json, text);
        return xml_safe(json).size();
    };
    constexpr std::size_t around = std::string_view("\"…\"").size();
    for (std::size_t kept = longest; written() > longest + around; kept /= 2)
        text = clean_utf8(name.substr(0, kept)) + "…";
    return text;
}

/// Texts that rows refer to by number, each written once: launches of one kernel share a long name.
class NumberedTexts {
  public:
    explicit NumberedTexts(std::size_t longest) : longest_(longest) {}

    std::size_t number_of(const std::string& text) {
        const auto [place, fresh] = numbers_.try_emplace(text, numbers_.size());
        if (fresh) texts_.push_back(cut_name(text, longest_));
        return place->second;
    }
    void write(JsonWriter& json, std::string_view name, bool on_lines) const {
        json.next_line();
        json.array(name, texts_, [&](const std::string& text) {
            if (on_lines || &text == &texts_.front()) json.next_line();
            json.value(text);
        });
    }

  private:
    std::size_t longest_;
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::string> texts_;
};

/// What rows refer to stands before them.
void write_kernels(JsonWriter& json, const Columns& columns, const Analysis& analysis,
                   const std::vector<std::uint32_t>& points) {
    const bool crowd = points.size() < analysis.points.size();
    const std::size_t longest =
        crowd ? std::min(longest_name, names_of_crowd / std::max<std::size_t>(points.size(), 1))
              : longest_name;
    NumberedTexts names(longest);
    NumberedTexts classes(longest);
    NumberedTexts sources(longest);
    JsonWriter rows;
    rows.array(points, [&](std::uint32_t index) {
        const KernelPoint& point = analysis.points[index];
        if (index == points.front()) rows.next_line();
        rows.begin_array();
        rows.value(names.number_of(point.name));
        rows.value(number(point.known_time()));
        rows.value(number(point.work));
        rows.value(classes.number_of(std::string(id_of(point.verdict.kernel_class))));
        if (columns.lower_bounds) rows.value(point.uncounted.any());
        if (columns.limits) {
            rows.value(limit_label(point));
            rows.value(number(share_of_limit(point)));
        }
        for (const MemoryLevel level : columns.levels) {
            const auto& at_level = point.at(level);
            rows.value(number(at_level ? std::optional(at_level->bytes) : std::nullopt));
        }
        if (columns.sources) rows.value(sources.number_of(std::string(name_of_report(point))));
        if (columns.dots) rows.value(index);
        rows.end_array();
    });
    names.write(json, "names", false);
    classes.write(json, "classes", false);
    if (columns.sources) sources.write(json, "sources", true);
    write_columns(json, columns, analysis);
    json.key("kernels");
    json.members(rows.take());
}

/// Of each kernel that is drawn with its target, what the JSON report has of it, under the same names.
void write_targets(JsonWriter& json, const Scene& scene, const Analysis& analysis) {
    if (scene.targets.empty()) return;
    json.next_line();
    json.object_lines("targets", scene.targets, [&](const TargetMark& mark) {
        const KernelPoint& point = analysis.points[mark.point];
        const AlgorithmicTarget& target = *point.target;
        const BoundOperation& operation = *target.operation;
        json.member("dot", mark.point);
        json.member("operation", operation.text);
        json.member("operation_source", operation.source);
        json.member("operation_why", why_words(operation));
        json.member("work", number(std::optional(target.work)));
        json.member("bytes", number(std::optional(target.bytes)));
        json.member("intensity", number(target.intensity));
        json.member("vertical_gap", number(point.gap ? std::optional(point.gap->factor) : std::nullopt));
        json.member("horizontal_gap", number(target.gap));
        json.member("byte_gap", number(target.byte_gap));
        json.member("useful_gap", number(target.useful));
        json.member("potential", number(target.potential));
    });
}

void write_paths(JsonWriter& json, const Scene& scene) {
    if (scene.paths.empty()) return;
    json.next_line();
    json.lines("paths", scene.paths, [&](const ScenePath& path) {
        json.begin_array();
        json.value(path.point);
        json.value(path.level);
        for (const PathPlace& place : path.places)
            if (place.rail == Rail::edge)
                json.object([&] { json.member("bandwidth", number(std::optional(place.y))); });
            else
                json.value(std::vector{number(std::optional(place.x)), number(std::optional(place.y))});
        json.end_array();
    });
    if (!scene.scenario.empty()) return;  // the numbers of both ends follow from the places
    json.next_line();
    json.lines("path_words", scene.paths, [&](const ScenePath& path) { json.value(path.title); });
}

}  // namespace

std::string chart_metadata(const Scene& scene, const Analysis& analysis, const PagePlacement& laid,
                           const std::string& moves) {
    const std::vector<std::uint32_t> points = points_told(scene, analysis, laid.dots);
    JsonWriter json;
    json.object([&] {
        json.member("format", "roofwalk-chart");
        json.member("version", 1);
        if (!scene.scenario.empty()) json.member("scenario", scene.scenario);
        if (const DensityMap& density = laid.density; density.inside > 0)
            json.object("shading", [&] {
                json.member("dots", density.inside);
                json.member("cell_px", density.cell);
                json.member("most_in_a_cell", density.max);
            });
        json.member("work_unit", work_unit(analysis.options.operations));
        write_roofs(json, scene);
        write_kernels(json, columns_of(scene, analysis, points), analysis, points);
        write_targets(json, scene, analysis);
        write_paths(json, scene);
        if (moves.empty() || moves.size() > most_moves_told) return;
        json.next_line();
        json.key("moves");
        json.members(moves);
    });
    return xml_safe(json.take());
}

}  // namespace roofwalk
