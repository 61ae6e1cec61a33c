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

std::string quoted(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    return xml_safe(json);
}

/// Without the sign and the zero of "1e+09": a row of a thousand has six of them.
std::string number(std::optional<double> value) {
    if (!value || !std::isfinite(*value)) return "null";
    std::string digits = fmt::format("{:.6g}", *value);
    const auto sign = digits.find('e') + 1;
    if (sign == 0) return digits;
    if (digits[sign + 1] == '0') digits.erase(sign + 1, 1);
    if (digits[sign] == '+') digits.erase(sign, 1);
    return digits;
}

template <class Quantity>
std::string number(const std::optional<Quantity>& value) {
    return value ? number(std::optional(value->value())) : "null";
}

std::string roofs_json(const Scene& scene) {
    std::string json;
    for (const Roof& roof : scene.roofs) {
        const char* kind = roof.line == RoofLine::other_device ? "\"other_device\":true,"
                           : roof.line == RoofLine::theory     ? "\"theory\":true,"
                           : roof.measured                     ? "\"measured\":true,"
                                                               : "";
        fmt::format_to(std::back_inserter(json),
                       "{}\n{{\"id\":{},\"target\":{},\"rate\":{},\"practical\":{},{}\"note\":{}}}",
                       json.empty() ? "" : ",", quoted(roof.id), quoted(id_of(roof.target)),
                       number(roof.rate), roof.line == RoofLine::practical, kind, quoted(roof.note));
    }
    return json;
}

std::string measured_roof_json(const Scene& scene) {
    if (!scene.measured_roof) return {};
    const MeasuredRoof& roof = scene.measured_roof->roof;
    return fmt::format(",\n\"measured_roof\":{{\"slope\":{},\"peak\":{},\"sharpness\":{},\"note\":{}}}",
                       number(std::optional(roof.slope)), number(std::optional(roof.peak)),
                       number(std::optional(roof.sharpness)), quoted(scene.measured_roof->note));
}

/// Of a scene that is shaded, those with dots.
std::vector<std::uint32_t> points_told(const Scene& scene, const Analysis& analysis, const PageDots& dots) {
    std::vector<std::uint32_t> points;
    const std::size_t count = dots.drawn.empty() ? analysis.points.size() : dots.drawn.size();
    for (std::uint32_t point = 0; point < count; ++point)
        if (scene.shows(point) && dots.draws(point)) points.push_back(point);
    return points;
}

std::string shading_json(const DensityMap& density) {
    if (density.inside == 0) return {};
    return fmt::format("\"shading\":{{\"dots\":{},\"cell_px\":{},\"most_in_a_cell\":{}}},", density.inside,
                       density.cell, density.max);
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

std::string columns_json(const Columns& columns, const Analysis& analysis) {
    std::string json = R"("name","time_s","work","class")";
    if (columns.lower_bounds) json += R"(,"work_is_lower_bound")";
    if (columns.limits) json += R"(,"limit","share_of_limit")";
    for (const MemoryLevel level : columns.levels) {
        const Boundary boundary = analysis.options.boundaries[level];
        json += "," + quoted(std::string(id_of(boundary)) + "_bytes");
    }
    if (columns.sources) json += R"(,"source")";
    if (columns.dots) json += R"(,"dot")";
    return json;
}

/// Longer names are cut, so that a crowd stays below 2 MB whatever its kernels are called, escapes included.
constexpr std::size_t longest_name = 3'000;        // [bytes]
constexpr std::size_t names_of_crowd = 1'200'000;  // [bytes]

std::string quoted_name(const std::string& name, std::size_t longest) {
    std::string text = quoted(name);
    for (std::size_t kept = longest; text.size() > longest + quoted("…").size(); kept /= 2)
        text = quoted(clean_utf8(name.substr(0, kept)) + "…");
    return text;
}

/// Texts that rows refer to by number, each written once: launches of one kernel share a long name.
class NumberedTexts {
  public:
    NumberedTexts(std::size_t longest, std::string_view separator)
        : longest_(longest), separator_(separator) {}

    std::string number_of(const std::string& text) {
        const auto [place, fresh] = numbers_.try_emplace(text, numbers_.size());
        if (fresh) json_.append(json_.empty() ? "\n" : separator_).append(quoted_name(text, longest_));
        return std::to_string(place->second);
    }
    const std::string& json() const { return json_; }

  private:
    std::size_t longest_;
    std::string_view separator_;
    std::unordered_map<std::string, std::size_t> numbers_;
    std::string json_;
};

struct Rows {
    std::string names;
    std::string classes;
    std::string sources;
    std::string kernels;
};

Rows rows_json(const Columns& columns, const Analysis& analysis, const std::vector<std::uint32_t>& points) {
    const bool crowd = points.size() < analysis.points.size();
    const std::size_t longest =
        crowd ? std::min(longest_name, names_of_crowd / std::max<std::size_t>(points.size(), 1))
              : longest_name;
    NumberedTexts names(longest, ",");
    NumberedTexts classes(longest, ",");
    NumberedTexts sources(longest, ",\n");
    std::string kernels;
    for (const std::uint32_t index : points) {
        const KernelPoint& point = analysis.points[index];
        kernels += (kernels.empty() ? "\n[" : ",[") + names.number_of(point.name) + "," +
                   number(point.known_time()) + "," + number(point.work) + "," +
                   classes.number_of(std::string(id_of(point.verdict.kernel_class)));
        if (columns.lower_bounds) kernels += point.uncounted.any() ? ",true" : ",false";
        if (columns.limits) kernels += "," + quoted(limit_label(point)) + "," + number(share_of_limit(point));
        for (const MemoryLevel level : columns.levels) {
            const auto& at_level = point.at(level);
            kernels += "," + number(at_level ? std::optional(at_level->bytes) : std::nullopt);
        }
        if (columns.sources) kernels += "," + sources.number_of(std::string(name_of_report(point)));
        if (columns.dots) kernels += "," + std::to_string(index);
        kernels += "]";
    }
    return {names.json(), classes.json(), sources.json(), std::move(kernels)};
}

/// Of each kernel that is drawn with its target, what the JSON report has of it, under the same names.
std::string targets_json(const Scene& scene, const Analysis& analysis) {
    if (scene.targets.empty()) return {};
    std::string json;
    for (const TargetMark& mark : scene.targets) {
        const KernelPoint& point = analysis.points[mark.point];
        const AlgorithmicTarget& target = *point.target;
        const BoundOperation& operation = *target.operation;
        fmt::format_to(
            std::back_inserter(json),
            "{}\n{{\"dot\":{},\"operation\":{},\"operation_source\":{},\"operation_why\":{},"
            "\"work\":{},\"bytes\":{},\"intensity\":{},\"vertical_gap\":{},"
            "\"horizontal_gap\":{},\"byte_gap\":{},\"useful_gap\":{},\"potential\":{}}}",
            json.empty() ? "" : ",", mark.point, quoted(operation.text), quoted(id_of(operation.source)),
            quoted(why_words(operation)), number(std::optional(target.work)),
            number(std::optional(target.bytes)), number(target.intensity),
            number(point.gap ? std::optional(point.gap->factor) : std::nullopt), number(target.gap),
            number(target.byte_gap), number(target.useful), number(target.potential));
    }
    return ",\n\"targets\":[" + json + "]";
}

std::string paths_json(const Scene& scene) {
    if (scene.paths.empty()) return {};
    std::string json;
    for (const ScenePath& path : scene.paths) {
        fmt::format_to(std::back_inserter(json), "{}\n[{},{}", json.empty() ? "" : ",", path.point,
                       quoted(id_of(path.level)));
        for (const PathPlace& place : path.places)
            json += place.rail == Rail::edge
                        ? ",{\"bandwidth\":" + number(std::optional(place.y)) + "}"
                        : ",[" + number(std::optional(place.x)) + "," + number(std::optional(place.y)) + "]";
        json += "]";
    }
    json = ",\n\"paths\":[" + json + "]";
    if (!scene.scenario.empty()) return json;  // the numbers of both ends follow from the places
    std::string words;
    for (const ScenePath& path : scene.paths)
        words += (words.empty() ? "\n" : ",\n") + quoted(path.title);
    return json + ",\n\"path_words\":[" + words + "]";
}

}  // namespace

std::string chart_metadata(const Scene& scene, const Analysis& analysis, const PagePlacement& laid,
                           const std::string& moves) {
    const std::vector<std::uint32_t> points = points_told(scene, analysis, laid.dots);
    const Columns columns = columns_of(scene, analysis, points);
    const Rows rows = rows_json(columns, analysis, points);
    return fmt::format(
        "{{\"format\":\"roofwalk-chart\",\"version\":1,{}{}\"work_unit\":{},\"roofs\":[{}]{},\n\"names\":[{}],"
        "\n\"classes\":[{}],{}\n\"columns\":[{}],\"kernels\":[{}]{}{}{}}}",
        scene.scenario.empty() ? "" : "\"scenario\":" + quoted(scene.scenario) + ",",
        shading_json(laid.density), quoted(work_unit(analysis.options.operations)), roofs_json(scene),
        measured_roof_json(scene), rows.names, rows.classes,
        columns.sources ? fmt::format("\n\"sources\":[{}],", rows.sources) : std::string(),
        columns_json(columns, analysis), rows.kernels, targets_json(scene, analysis), paths_json(scene),
        moves.empty() || moves.size() > most_moves_told ? std::string() : ",\n\"moves\":" + xml_safe(moves));
}

}  // namespace roofwalk
