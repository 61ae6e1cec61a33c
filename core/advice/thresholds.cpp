// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/advice/thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/json_decoder.h"
#include "core/base/nearest_names.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

using Limits = AdviceThresholds;

constexpr std::array<ThresholdSpec, 21> threshold_specs{{
    {"bytes_per_sector", &Limits::bytes_per_sector, "B",
     "bytes used of a 32-byte sector; below it accesses are uncoalesced", 32},
    {"l2_hit_rate", &Limits::l2_hit_rate, "share", "below it L2 does not keep data that would fit", 1},
    {"local_share", &Limits::local_share, "share",
     "sectors of local memory over those of global memory, from here on", 1e3},
    {"l2_reuse", &Limits::l2_reuse, "x",
     "L2 bytes over those of device memory; from here on blocks load the same data", 1e6},
    {"wide_work", &Limits::wide_work, "share",
     "of the work on numbers of 16 bits or more; from here on fewer bits are worth a look", 1},
    {"more_bytes", &Limits::more_bytes, "x",
     "bytes of device memory over the least bytes of the operation, from here on", 1e6},
    {"atomics", &Limits::atomics, "share", "atomic instructions over global loads, from here on", 1e3},
    {"sectors_per_request", &Limits::sectors_per_request, "sectors",
     "sectors of a coalesced global load; below it the loads are narrow", 32},
    {"occupancy", &Limits::occupancy, "share", "achieved occupancy; below it too few warps are resident", 1},
    {"stall_share", &Limits::stall_share, "share",
     "of the cycles between two instructions of a warp, spent on one kind of wait, from here on", 1},
    {"issue_active", &Limits::issue_active, "share",
     "cycles in which a scheduler issues; from here on waits are hidden", 1},
    {"channel_imbalance", &Limits::channel_imbalance, "x",
     "bytes of the busiest memory channel over the mean, from here on", 1e3},
    {"tensor_use", &Limits::tensor_use, "share", "tensor pipe busy; below it the pipe idles", 1},
    {"bank_conflicts", &Limits::bank_conflicts, "x",
     "shared-memory wavefronts over those without conflicts, from here on", 1e3},
    {"active_threads", &Limits::active_threads, "threads",
     "threads active in an instruction; below it warps diverge", 32},
    {"pipe_busy", &Limits::pipe_busy, "share",
     "ALU, XU or LSU busy; from here on other instructions are in the way", 1},
    {"waves", &Limits::waves, "waves", "waves of blocks; below it SMs stay empty", 1e6},
    {"shortest_time", &Limits::shortest_time, "s", "time of a launch; below it launch and timer weigh", 1e3},
    {"l2_resident", &Limits::l2_resident, "share",
     "bytes of device memory over L2 bytes; below it the data lives in L2, where it fits", 1},
    {"mixed_work", &Limits::mixed_work, "share", "of the work on a second pipe, from here on", 1},
    {"predicated", &Limits::predicated, "share",
     "active threads that are not predicated off; below it the work is masked", 1},
}};

Error bad(std::string what, std::string where, std::string hint = {}) {
    return {ErrorCode::bad_argument, std::move(what), std::move(where), std::move(hint)};
}

Error unknown_threshold(std::string_view name) {
    std::array<std::string_view, threshold_specs.size()> names{};
    std::ranges::transform(threshold_specs, names.begin(), &ThresholdSpec::id);
    const auto near = nearest_names(name, names);
    return bad("There is no threshold " + quoted_word(name), "",
               near.empty() ? "Known are " + joined(names, ", ") + "."
                            : "Did you mean " + joined(near, " or ") + "?");
}

Result<void> set(Limits& limits, std::string_view name, double value) {
    const auto spec = std::ranges::find(threshold_specs, name, &ThresholdSpec::id);
    if (spec == threshold_specs.end()) return tl::unexpected(unknown_threshold(name));
    if (!(value >= 0 && value <= spec->highest))
        return tl::unexpected(bad(fmt::format("{} is {}", name, value), "",
                                  fmt::format("It is a number from 0 to {}.", spec->highest)));
    limits.*(spec->member) = value;
    return {};
}

}  // namespace

std::span<const ThresholdSpec> advice_threshold_specs() {
    return threshold_specs;
}

Result<void> set_threshold(AdviceThresholds& thresholds, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals != std::string_view::npos) {
        if (const auto value = parse_number<double>(assignment.substr(equals + 1)))
            return set(thresholds, assignment.substr(0, equals), *value);
    }
    return tl::unexpected(
        bad(quoted_word(assignment) + " sets no threshold", "", "Write NAME=VALUE, as in occupancy=0.4."));
}

Result<AdviceThresholds> thresholds_from_json(std::string_view json, const AdviceThresholds& base,
                                              const std::string& name) {
    AdviceThresholds limits = base;
    JsonDecoder decoder;
    JsonElement root;
    const auto each_threshold = [&](auto& field) {
        for (const ThresholdSpec& spec : threshold_specs)
            field(spec.id, limits.*(spec.member));
    };
    if (!decoder.parse_document(json, "file of thresholds", root) ||
        !read_fields(JsonValue{root, decoder}, each_threshold))
        return tl::unexpected(decoder.error(name));
    const auto refused = [&](Error why) {
        return unexpected(ErrorCode::bad_schema, std::move(why.what), name, std::move(why.hint));
    };
    for (const simdjson::dom::key_value_pair member : simdjson::dom::object(root)) {
        const auto spec = std::ranges::find(threshold_specs, member.key, &ThresholdSpec::id);
        if (spec == threshold_specs.end()) return refused(unknown_threshold(member.key));
        if (member.value.is_null())
            return refused(bad(std::string(spec->id) + " is null", "", "It is a number."));
        if (Result<void> good = set(limits, spec->id, limits.*(spec->member)); !good)
            return refused(std::move(good).error());
    }
    return limits;
}

}  // namespace roofwalk
