// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/svg_metadata.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>

#include "core/text.h"

namespace roofwalk {

namespace {

/// A JSON string without any character that XML treats specially.
std::string quoted(std::string_view text) {
    std::string json = "\"";
    const std::string clean = clean_utf8(text);
    for (std::size_t i = 0; i < clean.size(); ++i) {
        const char c = clean[i];
        // U+FFFE and U+FFFF are valid UTF-8 but forbidden in XML 1.0; here they become escapes.
        const bool noncharacter = clean.compare(i, 2, "\xEF\xBF") == 0 && i + 2 < clean.size() &&
                                  (clean[i + 2] == '\xBE' || clean[i + 2] == '\xBF');
        if (noncharacter) {
            json += clean[i + 2] == '\xBE' ? "\\ufffe" : "\\uffff";
            i += 2;
        } else if (c == '"' || c == '\\') {
            json += '\\';
            json += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
            fmt::format_to(std::back_inserter(json), "\\u{:04x}", static_cast<unsigned char>(c));
        } else {
            json += c;
        }
    }
    return json + '"';
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

bool shown(const Scene& scene, MemoryLevel level) {
    return scene.options.levels[static_cast<std::size_t>(level)];
}

std::string columns_json(const Scene& scene, const Analysis& analysis) {
    std::string json = R"("name","time_s","work","vertical_gap")";
    for (const MemoryLevel level : all_levels)
        if (shown(scene, level))
            json += "," +
                    quoted(std::string(id_of(analysis.options.boundaries[static_cast<std::size_t>(level)])) +
                           "_bytes");
    return json;
}

std::string rows_json(const Scene& scene, const Analysis& analysis) {
    std::string json;
    for (const KernelPoint& point : analysis.points) {
        json += json.empty() ? "\n[" : ",\n[";
        json += quoted(point.name) + "," + number(point.time) + "," + number(point.work) + "," +
                number(point.gap ? std::optional(point.gap->factor) : std::nullopt);
        for (const MemoryLevel level : all_levels) {
            if (!shown(scene, level)) continue;
            const auto& at_level = point.at(level);
            json += "," + number(at_level ? std::optional(at_level->bytes) : std::nullopt);
        }
        json += "]";
    }
    return json;
}

}  // namespace

std::string chart_metadata(const Scene& scene, const Analysis& analysis) {
    return fmt::format(
        "{{\"format\":\"roofwalk-chart\",\"version\":1,\"work_unit\":{},\"roofs\":[{}],\n\"columns\":[{}],"
        "\"kernels\":[{}]}}",
        quoted(work_unit(analysis.options.operations)), roofs_json(scene), columns_json(scene, analysis),
        rows_json(scene, analysis));
}

}  // namespace roofwalk
