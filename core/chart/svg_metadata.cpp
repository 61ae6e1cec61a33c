// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>

#include "core/export/json_text.h"

namespace roofwalk {

namespace {

/// A JSON string that is XML too: characters that XML treats specially or forbids become JSON escapes.
std::string quoted(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    std::string safe;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string_view rest = std::string_view(json).substr(i);
        if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
            safe += rest[2] == '\xBE' ? "\\ufffe" : "\\uffff";
            i += 2;
        } else if (json[i] == '<' || json[i] == '>' || json[i] == '&') {
            fmt::format_to(std::back_inserter(safe), "\\u{:04x}", static_cast<unsigned char>(json[i]));
        } else {
            safe += json[i];
        }
    }
    return safe;
}

std::string number(std::optional<double> value) {
    return value && std::isfinite(*value) ? fmt::format("{:.6g}", *value) : "null";
}

template <class Quantity>
std::string number(const std::optional<Quantity>& value) {
    return value ? number(std::optional(value->value())) : "null";
}

std::string target_id(const CeilingTarget& target) {
    if (const Pipe* pipe = std::get_if<Pipe>(&target)) return id_of(*pipe);
    return std::string(id_of(std::get<Boundary>(target)));
}

std::string roofs_json(const Scene& scene) {
    std::string json;
    for (const Roof& roof : scene.roofs)
        fmt::format_to(std::back_inserter(json),
                       "{}\n{{\"id\":{},\"target\":{},\"rate\":{},\"practical\":{},\"note\":{}}}",
                       json.empty() ? "" : ",", quoted(roof.id), quoted(target_id(roof.target)),
                       number(roof.rate), roof.practical, quoted(roof.note));
    return json;
}

/// Levels that are shown and that some kernel has bytes for.
std::vector<MemoryLevel> measured_levels(const Scene& scene, const Analysis& analysis) {
    std::vector<MemoryLevel> levels;
    for (const MemoryLevel level : all_levels)
        if (scene.options.levels[static_cast<std::size_t>(level)] &&
            std::ranges::any_of(analysis.points,
                                [&](const KernelPoint& point) { return point.at(level).has_value(); }))
            levels.push_back(level);
    return levels;
}

bool some_work_is_a_lower_bound(const Analysis& analysis) {
    return std::ranges::any_of(analysis.points,
                               [](const KernelPoint& point) { return point.uncounted.any(); });
}

std::string columns_json(std::span<const MemoryLevel> levels, const Analysis& analysis) {
    std::string json = R"("name","time_s","work")";
    if (some_work_is_a_lower_bound(analysis)) json += R"(,"work_is_lower_bound")";
    for (const MemoryLevel level : levels) {
        const Boundary boundary = analysis.options.boundaries[static_cast<std::size_t>(level)];
        json += "," + quoted(std::string(id_of(boundary)) + "_bytes");
    }
    return json;
}

/// Rows refer to names by number: launches of one kernel share a long name.
struct Rows {
    std::string names;
    std::string kernels;
};

Rows rows_json(std::span<const MemoryLevel> levels, const Analysis& analysis) {
    Rows rows;
    std::unordered_map<std::string_view, std::size_t> numbers;
    const bool lower_bounds = some_work_is_a_lower_bound(analysis);
    for (const KernelPoint& point : analysis.points) {
        const auto [name, fresh] = numbers.try_emplace(point.name, numbers.size());
        if (fresh) rows.names += (rows.names.empty() ? "\n" : ",\n") + quoted(point.name);
        rows.kernels += (rows.kernels.empty() ? "\n[" : ",\n[") + std::to_string(name->second) + "," +
                        number(point.time) + "," + number(point.work);
        if (lower_bounds) rows.kernels += point.uncounted.any() ? ",true" : ",false";
        for (const MemoryLevel level : levels) {
            const auto& at_level = point.at(level);
            rows.kernels += "," + number(at_level ? std::optional(at_level->bytes) : std::nullopt);
        }
        rows.kernels += "]";
    }
    return rows;
}

}  // namespace

std::string chart_metadata(const Scene& scene, const Analysis& analysis) {
    const std::vector<MemoryLevel> levels = measured_levels(scene, analysis);
    const Rows rows = rows_json(levels, analysis);
    return fmt::format(
        "{{\"format\":\"roofwalk-chart\",\"version\":1,\"work_unit\":{},\"roofs\":[{}],\n\"names\":[{}],"
        "\n\"columns\":[{}],\"kernels\":[{}]}}",
        quoted(work_unit(analysis.options.operations)), roofs_json(scene), rows.names,
        columns_json(levels, analysis), rows.kernels);
}

}  // namespace roofwalk
