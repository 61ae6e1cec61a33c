// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_json.h"

#include <fmt/format.h>

#include <array>

#include "core/base/enum_array.h"
#include "core/base/json_decoder.h"
#include "core/base/mapped_file.h"
#include "core/model/profile_codec.h"
#include "core/roofline/practical_codec.h"
#include "core/scenario/scenario_json.h"

namespace roofwalk {

namespace {

static_assert(most_read_of_session > longest_json_element);

constexpr std::string_view session_format = "roofwalk-session";
constexpr int session_version = 1;
constexpr std::size_t start_looked_at = std::size_t{64} << 10U;
constexpr std::string_view space = " \t\r\n";
constexpr const char* name_unknown = "The name is unknown";
constexpr const char* operation_hint = R"(As in "gemm m=4096 n=4096 k=4096".)";

struct ShownLevels {
    static void write(JsonWriter& json, const auto& levels) {
        json.array(all_levels, [&](MemoryLevel level) {
            if (levels[level]) json.value(level);
        });
    }
    static bool read(const JsonValue& value, auto& levels) {
        std::ranges::fill(levels, false);
        return value.each_item([&](const JsonValue& item) {
            MemoryLevel level{};
            if (!read_id(item, name_unknown, level)) return false;
            levels[level] = true;
            return true;
        });
    }
};

/// By level, which of its boundaries is meant.
struct LevelBoundaries {
    static void write(JsonWriter& json, const auto& boundaries) {
        json.array(boundaries, [&](Boundary boundary) { json.value(boundary); });
    }
    static bool read(const JsonValue& value, auto& boundaries) {
        return value.each_item([&](const JsonValue& item) {
            Boundary boundary{};
            if (!read_json(item, boundary)) return false;
            boundaries[level_of(boundary)] = boundary;
            return true;
        });
    }
};

/// Each once.
struct PipeSet {
    static bool read(const JsonValue& value, std::vector<Pipe>& pipes) {
        return value.each_item([&](const JsonValue& item) {
            Pipe pipe{};
            if (!read_json(item, pipe)) return false;
            if (std::ranges::find(pipes, pipe) == pipes.end()) pipes.push_back(pipe);
            return true;
        });
    }
};

/// How many kernels are named, have their gaps drawn, or an arrow.
struct PastTheRidge {
    static bool read(const JsonValue& value, double& target) {
        double multiple = 0;
        if (!read_json(value, multiple)) return false;
        if (multiple < 1) return value.fail("Near the ridge ends at the ridge or past it: at least 1");
        target = multiple;
        return true;
    }
};

struct DrawnCount {
    static bool read(const JsonValue& value, std::uint32_t& target) {
        return read_json(value, target) &&
               (target <= most_drawn || value.fail("No more than 10,000 kernels are drawn so"));
    }
};

struct ArrowCount : DrawnCount {
    static bool known(std::uint32_t arrows) { return arrows != ComparisonView{}.arrows; }
};

struct MeasuredText {
    static bool known(const MeasuredChoice& choice) { return choice != MeasuredChoice{}; }
    static void write(JsonWriter& json, const MeasuredChoice& choice) { json.value(text_of(choice)); }
    static bool read(const JsonValue& value, MeasuredChoice& target) {
        std::string text;
        if (!read_json(value, text)) return false;
        target = measured_choice_from(text);
        return true;
    }
};

/// A GPU by its name, and what was typed of it.
struct NamedGpu {
    static void each(auto& field, MaybeConst<Device> auto& device) {
        field("name", always(device.name));
        field("compute_capability", device.compute_capability);
        field("sm_count", device.sm_count);
        field("ceilings", unless(device.ceilings, {}));
    }
    static bool known(const std::optional<Device>& device) { return device.has_value(); }
    static void write(JsonWriter& json, const std::optional<Device>& device) {
        json.object([&] {
            FieldWriter field(json);
            each(field, *device);
        });
    }
    static bool read(const JsonValue& value, std::optional<Device>& target) {
        return read_fields(value, [&device = target.emplace()](auto& field) { each(field, device); });
    }
};

/// The same; the name alone where nothing was typed.
struct NameOrGpu : NamedGpu {
    static void write(JsonWriter& json, const std::optional<Device>& device) {
        if (device->ceilings.empty())
            json.value(device->name);
        else
            NamedGpu::write(json, device);
    }
    static bool read(const JsonValue& value, std::optional<Device>& target) {
        if (!value.element.is_string()) return NamedGpu::read(value, target);
        std::string name;
        if (!read_json(value, name)) return false;
        if (!name.empty()) target.emplace().name = std::move(name);
        return true;
    }
};

/// A number from 0 on that is left out where it is as usual.
template <class Number>
struct BoundedNumber {
    Number& number;
    double usual;
    double highest;
    std::string_view what;
    std::string_view hint{};

    friend bool is_known(const BoundedNumber& field) { return field.number != field.usual; }
    friend void write_json(JsonWriter& json, const BoundedNumber& field) { json.value(field.number); }
    friend bool read_json(const JsonValue& value, const BoundedNumber& field) {
        double read = 0;
        if (!read_finite(value, read)) return false;
        if (read < 0 || read > field.highest)
            return value.fail(fmt::format("The {} is not between 0 and {}", field.what, field.highest),
                              std::string(field.hint));
        field.number = read;
        return true;
    }
};
template <class Number>
BoundedNumber(Number&, double, double, std::string_view) -> BoundedNumber<Number>;
template <class Number>
BoundedNumber(Number&, double, double, std::string_view, std::string_view) -> BoundedNumber<Number>;

bool check_format(const JsonValue& root) {
    simdjson::dom::object object;
    if (root.element.get(object) != simdjson::SUCCESS) return root.fail("An object is expected here");
    std::string_view format;
    if (object["format"].get(format) != simdjson::SUCCESS || format != session_format)
        return root.fail("This JSON is no session",
                         R"(A session begins with {"format": "roofwalk-session", "version": 1.)");
    std::int64_t version = 0;
    if (object["version"].get(version) != simdjson::SUCCESS)
        return root.fail_member("version", "The version of the session is missing", R"(Add "version": 1.)");
    if (version != session_version)
        return root.fail_member(
            "version", "The session is of a version that is not known here",
            "Open it with the Roofwalk that wrote it, or a newer one. The file stays as it is.",
            ErrorCode::unsupported_version);
    return true;
}

/// Moves past a text, with the white space before it.
bool skip(std::string_view& text, std::string_view expected) {
    text.remove_prefix(std::min(text.find_first_not_of(space), text.size()));
    if (!text.starts_with(expected)) return false;
    text.remove_prefix(expected.size());
    return true;
}

}  // namespace

void each_field(auto& field, MaybeConst<SessionSource> auto& source) {
    field("path", always(source.path));
    field("hash", source.hash);
    field.unknown(source.unknown_members);
}

void each_field(auto& field, MaybeConst<SessionCeilings> auto& device) {
    field("device", always(device.device));
    field("ceilings", device.ceilings);
    field.unknown(device.unknown_members);
}

void each_field(auto& field, MaybeConst<ComparisonView> auto& comparison) {
    const ComparisonView usual;
    field("noise", BoundedNumber{comparison.noise, usual.noise, 1, "noise"});
    field("arrows", coded<ArrowCount>(comparison.arrows));
    field.unknown(comparison.unknown_members);
}

void each_field(auto& field, MaybeConst<ChartView> auto& axes) {
    field("x", axes.x);
    field("y", axes.y);
}

void each_field(auto& field, MaybeConst<SessionView> auto& view) {
    auto& analysis = view.analysis;
    auto& scene = view.scene;
    field("group", analysis.group_by);
    field("clock", analysis.clock);
    field("operations", analysis.operations);
    field("levels", coded<ShownLevels>(analysis.levels));
    field("l1_where_it_binds", unless(analysis.l1_where_it_binds, true));
    field("boundaries", coded<LevelBoundaries>(analysis.boundaries));
    each_practical_field(field, analysis);
    field.object("near_ridge", [&](auto& share) {
        share("low", coded<ShareNumber>(analysis.thresholds.near_ridge_low));
        share("high", coded<PastTheRidge>(analysis.thresholds.near_ridge_high));
    });
    field("launch_floor_s", analysis.launch_floor);
    field.line("colour_by", scene.colour_by);
    field("hidden_pipes", coded<PipeSet>(scene.hidden_pipes));
    field("extra_pipes", coded<PipeSet>(scene.extra_pipes));
    field("practical_roofs", scene.practical_roofs);
    field("theory_roofs", unless(scene.theory_roofs, true));
    field("measured_roof", unless(scene.measured_roof, true));
    field("measured_ceilings", coded<MeasuredText>(view.measured));
    field("zones", scene.zones);
    field("operation_ranges", unless(scene.operation_ranges, false));
    field("names", coded<DrawnCount>(scene.labelled));
    field("gaps", coded<DrawnCount>(scene.gaps));
    field("roofs_of", view.roofs_of);
    field("other_device", coded<NameOrGpu>(view.other_device));
    field("ran_on", coded<NamedGpu>(view.ran_on));
    field("comparison", unless(view.comparison, {}));
    field("filter", view.filter);
    field.line("axes", view.axes);
    field.line("selection", lines(view.selection, most_selected, "selected kernels"));
    field.unknown(view.unknown_members);
}

void each_field(auto& field, MaybeConst<UserBinding> auto& binding) {
    field("kernel", always(binding.kernel));
    field("launch", binding.launch);
    field("operation", always(binding.operation));
    field("suggested", unless(binding.suggested, false));
    field("assumption", unless(binding.assumption, {}));
    field.unknown(binding.unknown_members);
}

void each_field(auto& field, MaybeConst<BindingRule> auto& rule) {
    field("pattern", always(rule.pattern));
    field("in", rule.subject);
    field("operation", always(rule.operation));
    field.unknown(rule.unknown_members);
}

void each_field(auto& field, MaybeConst<WorkspaceSpec> auto& session) {
    field("format", Fixed{session_format});
    field("version", Fixed{session_version});
    field.unknown(session.unknown_members);
    field("autosave_of", session.autosave_of);
    field("autosave_of_hash", session.autosave_of_hash);
    field("notes", session.notes);
    field.line("sources", always(lines(session.sources, most_sources, "sources")));
    field("joined", unless(session.joined, false));
    field.line("baselines", lines(session.baselines, most_sources, "sources"));
    field.line("view", session.view);
    field.line("ceilings", always(lines(session.ceilings)));
    field.next_line();
    field.object("bindings", [&](auto& list) {
        list("kernels", always(lines(session.bindings.user, most_bound, "bound kernels")));
        list("rules", always(lines(session.bindings.rules, most_rules, "rules")));
        list.unknown(session.unknown_members_of_bindings);
    });
    field.next_line();
    field.object("advice", [&](auto& threshold) {
        const AdviceThresholds usual;
        for (const ThresholdSpec& spec : advice_threshold_specs())
            threshold(spec.id, BoundedNumber{session.thresholds.*spec.member, usual.*spec.member,
                                             spec.highest, "threshold", spec.meaning});
        threshold.unknown(session.unknown_members_of_thresholds);
    });
    field.line("scenario", session.scenario);
}

static bool read_json(const JsonValue& value, OperationClass& target) {
    return read_id(value, name_unknown, target);
}

static bool read_json(const JsonValue& value, ColourBy& target) {
    return read_id(value, name_unknown, target);
}

static bool read_json(const JsonValue& value, RuleSubject& target) {
    return read_id(value, "It is unknown what the pattern is searched in", target);
}

static void write_json(JsonWriter& json, const Range& range) {
    json.array(std::array{range.lo, range.hi}, [&](double end) { json.value(end); });
}

static bool read_json(const JsonValue& value, Range& target) {
    std::vector<double> ends;
    const bool read = value.each_item([&](const JsonValue& item) {
        return ends.size() < 2 ? PositiveNumber::read(item, ends.emplace_back())
                               : value.fail("A range has two ends");
    });
    if (!read) return false;
    if (ends.size() != 2 || ends[0] >= ends[1])
        return value.fail("A range is two numbers, the lower one first");
    target = {ends[0], ends[1]};
    return true;
}

static bool read_json(const JsonValue& value, ChartView& target) {
    for (const char* axis : {"x", "y"})
        if (!value.has(axis))
            return value.fail("The ranges of both axes are expected here",
                              R"(As in {"x": [0.1, 1000], "y": [1e9, 1e14]}.)");
    return read_object(value, target);
}

static bool read_json(const JsonValue& value, SessionSource& target) {
    if (!read_object(value, target)) return false;
    if (!value.has("path"))
        return value.fail("The source does not say which file it is", R"("path" names it.)");
    return (!target.path.empty() && target.path.find('\0') == std::string::npos) ||
           value.fail_member("path", "This is no path",
                             "A path from the folder of the session is expected here.");
}

static bool read_json(const JsonValue& value, SessionView& target) {
    if (!read_object(value, target)) return false;
    target.scene.levels = target.analysis.levels;
    return true;
}

static bool read_json(const JsonValue& value, UserBinding& target) {
    if (!read_object(value, target)) return false;
    return (!target.kernel.empty() && !target.operation.empty()) ||
           value.fail("A bound kernel has a name and an operation", operation_hint);
}

static bool read_json(const JsonValue& value, BindingRule& target) {
    if (!read_object(value, target)) return false;
    return (!target.pattern.empty() && !target.operation.empty()) ||
           value.fail("A rule has a pattern and an operation", operation_hint);
}

static bool read_json(const JsonValue& root, WorkspaceSpec& target) {
    // Before all else: members of another version may look wrong for no reason of theirs.
    if (!check_format(root) || !read_object(root, target)) return false;
    const JsonPath list{&root.path, "ceilings", {}};
    for (std::size_t i = 0; i < target.ceilings.size(); ++i)
        for (std::size_t other = 0; other < i; ++other)
            if (target.ceilings[i].device == target.ceilings[other].device)
                return root.decoder.fail({&list, {}, i}, "Ceilings of this device stand twice in the list",
                                         "Keep one of them.");
    return true;
}

bool looks_like_session(std::string_view start) {
    start = without_byte_order_mark(start).substr(0, start_looked_at);
    if (!skip(start, "{")) return false;
    constexpr std::string_view key = "\"format\"";
    for (std::size_t at = start.find(key); at != std::string_view::npos; at = start.find(key, at + 1)) {
        std::string_view rest = start.substr(at + key.size());
        if (skip(rest, ":") && skip(rest, "\"roofwalk-session\"")) return true;
    }
    return false;
}

Result<WorkspaceSpec> read_session(std::string_view text, const std::string& name) {
    return read_json_document<WorkspaceSpec>(text, "session", name);
}

std::string to_json(const WorkspaceSpec& session) {
    JsonWriter json;
    json.value(session);
    json.end_line();
    return json.take();
}

Result<std::string> to_session_file(const WorkspaceSpec& session, const std::string& name) {
    std::string text = to_json(session);
    const Result<WorkspaceSpec> read = read_session(text, name);
    if (read) return text;
    return unexpected(
        read.error().code,
        "The session was not written, since it could not be opened again: " + read.error().what,
        read.error().where,
        "Nothing of it is lost while the window is open. Take some of them back, or divide the work among "
        "several sessions.");
}

}  // namespace roofwalk
