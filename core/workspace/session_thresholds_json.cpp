// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/import/json/json_tree.h"
#include "core/workspace/session_parts.h"

namespace roofwalk {

void write_thresholds(JsonText& json, const AdviceThresholds& thresholds, std::string_view further) {
    const AdviceThresholds usual;
    json.begin_object();
    for (const ThresholdSpec& spec : advice_threshold_specs())
        if (thresholds.*spec.member != usual.*spec.member) json.member(spec.id, thresholds.*spec.member);
    json.members(further);
    json.end_object();
}

bool read_thresholds(JsonElement value, const JsonPath& at, JsonChecker& check, Session& target) {
    const auto specs = advice_threshold_specs();
    target.thresholds_further = unknown_members(value, specs, &ThresholdSpec::id);
    return each_member(value, at, check, [&](std::string_view key, JsonElement item, const JsonPath& here) {
        const auto spec = std::ranges::find(specs, key, &ThresholdSpec::id);
        if (spec == specs.end()) return true;  // of a later Roofwalk
        double number = 0;
        if (!check.finite(item, here, number)) return false;
        if (number < 0 || number > spec->highest)
            return check.fail(here, fmt::format("The threshold is not between 0 and {}", spec->highest),
                              std::string(spec->meaning));
        target.thresholds.*spec->member = number;
        return true;
    });
}

}  // namespace roofwalk
