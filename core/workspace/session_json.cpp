// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/workspace/session_json.h"

#include <fmt/format.h>

#include <span>

#include "core/import/json/json_parser.h"
#include "core/import/json/json_reader_device.h"
#include "core/import/json/json_tree.h"
#include "core/report/practical_json.h"
#include "core/scenario/scenario_element.h"
#include "core/workspace/session_parts.h"

namespace roofwalk {

namespace {

static_assert(most_read_of_session > longest_json_element);

constexpr std::size_t start_looked_at = std::size_t{64} << 10U;
constexpr std::string_view space = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool read_path(JsonElement value, const JsonPath& at, JsonChecker& check, SessionSource& source) {
    if (!check.read(value, at, source.path)) return false;
    if (source.path.empty() || source.path.find('\0') != std::string::npos)
        return check.fail(at, "This is no path", "A path from the folder of the session is expected here.");
    return true;
}

constexpr JsonField<SessionSource> source_fields[] = {
    {"path", read_path},
    {"hash", read_member<&SessionSource::hash>},
};

bool read_source(JsonElement value, const JsonPath& at, JsonChecker& check, SessionSource& source) {
    if (!read_fields(value, at, check, source_fields, source)) return false;
    if (source.path.empty())
        return check.fail(at, "The source does not say which file it is", R"("path" names it.)");
    source.further = unknown_members(value, source_fields);
    return true;
}

template <auto Sources>
bool read_sources(JsonElement value, const JsonPath& at, JsonChecker& check, WorkspaceSpec& session) {
    std::vector<SessionSource>& sources = session.*Sources;
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        if (sources.size() == most_sources) return too_many(here, check, "sources", most_sources);
        return read_source(item, here, check, sources.emplace_back());
    });
}

constexpr JsonField<SessionCeilings> ceilings_fields[] = {
    {"device", read_member<&SessionCeilings::device>},
    {"ceilings",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionCeilings& target) {
         return read_json_ceilings(value, at, check, target.ceilings);
     }},
};

bool read_typed_ceilings(JsonElement value, const JsonPath& at, JsonChecker& check, WorkspaceSpec& session) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        SessionCeilings device;
        if (!read_fields(item, here, check, ceilings_fields, device)) return false;
        if (std::ranges::find(session.ceilings, device.device, &SessionCeilings::device) !=
            session.ceilings.end())
            return check.fail(here, "Ceilings of this device stand twice in the list", "Keep one of them.");
        device.further = unknown_members(item, ceilings_fields);
        session.ceilings.push_back(std::move(device));
        return true;
    });
}

constexpr JsonField<WorkspaceSpec> session_fields[] = {
    {"format", read_and_drop<std::string_view>},
    {"version", read_and_drop<std::optional<int>>},
    {"autosave_of", read_member<&WorkspaceSpec::autosave_of>},
    {"autosave_of_hash", read_member<&WorkspaceSpec::autosave_of_hash>},
    {"notes", read_member<&WorkspaceSpec::notes>},
    {"sources", read_sources<&WorkspaceSpec::sources>},
    {"baselines", read_sources<&WorkspaceSpec::baselines>},
    {"view", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                WorkspaceSpec& session) { return read_view(value, at, check, session.view); }},
    {"ceilings", read_typed_ceilings},
    {"bindings", read_bindings},
    {"advice", read_thresholds},
    {"scenario", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                    WorkspaceSpec& session) { return read_scenario(value, at, check, session.scenario); }},
};

/// Before all else: members of another version may look wrong for no reason of theirs.
bool check_format(JsonElement root, JsonChecker& check) {
    const JsonPath top;
    simdjson::dom::object object;
    if (root.get(object) != simdjson::SUCCESS) return check.fail(top, "An object is expected here");
    std::string_view format;
    if (object["format"].get(format) != simdjson::SUCCESS || format != session_format)
        return check.fail(top, "This JSON is no session",
                          R"(A session begins with {"format": "roofwalk-session", "version": 1.)");
    std::int64_t version = 0;
    const JsonPath at{&top, "version", {}};
    if (object["version"].get(version) != simdjson::SUCCESS)
        return check.fail(at, "The version of the session is missing", R"(Add "version": 1.)");
    if (version != session_version)
        return check.fail(at, "The session is of a version that is not known here",
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

bool looks_like_session(std::string_view start) {
    if (start.starts_with(byte_order_mark)) start.remove_prefix(byte_order_mark.size());
    start = start.substr(0, start_looked_at);
    if (!skip(start, "{")) return false;
    constexpr std::string_view key = "\"format\"";
    for (std::size_t at = start.find(key); at != std::string_view::npos; at = start.find(key, at + 1)) {
        std::string_view rest = start.substr(at + key.size());
        if (skip(rest, ":") && skip(rest, "\"roofwalk-session\"")) return true;
    }
    return false;
}

Result<WorkspaceSpec> read_session(std::string_view text, const std::string& name) {
    simdjson::dom::parser parser;
    const Result<JsonElement> root = parse_json_tree(parser, text, "session", name);
    if (!root) return tl::unexpected(root.error());
    JsonChecker check;
    WorkspaceSpec session;
    if (!check_format(*root, check) || !read_fields(*root, {}, check, session_fields, session))
        return tl::unexpected(error_of(check.fault(), name));
    session.further = unknown_members(*root, session_fields);
    return session;
}

namespace {

void write_sources(JsonText& json, const std::vector<SessionSource>& sources) {
    json.begin_array();
    for (const SessionSource& source : sources) {
        json.next_line();
        json.begin_object();
        json.member("path", source.path);
        json.known_member("hash", source.hash);
        json.members(source.further);
        json.end_object();
    }
    json.end_array();
}

void write_typed_ceilings(JsonText& json, const std::vector<SessionCeilings>& devices) {
    json.begin_array();
    for (const SessionCeilings& device : devices) {
        json.next_line();
        json.begin_object();
        json.member("device", device.device);
        json.key("ceilings");
        write_ceilings(json, device.ceilings);
        json.members(device.further);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::string to_json(const WorkspaceSpec& session) {
    JsonText json;
    const auto part = [&json](std::string_view name) {
        json.next_line();
        json.key(name);
    };
    json.begin_object();
    json.member("format", session_format);
    json.member("version", std::uint32_t{session_version});
    json.members(session.further);
    json.known_member("autosave_of", session.autosave_of);
    json.known_member("autosave_of_hash", session.autosave_of_hash);
    json.known_member("notes", session.notes);
    part("sources");
    write_sources(json, session.sources);
    if (!session.baselines.empty()) {
        part("baselines");
        write_sources(json, session.baselines);
    }
    part("view");
    write_view(json, session.view);
    part("ceilings");
    write_typed_ceilings(json, session.ceilings);
    part("bindings");
    write_bindings(json, session.bindings, session.bindings_further);
    part("advice");
    write_thresholds(json, session.thresholds, session.thresholds_further);
    part("scenario");
    write_scenario(json, session.scenario);
    json.end_object();
    json.end_line();
    return json.take();
}

Result<std::string> to_session_file(const WorkspaceSpec& session, const std::string& name) {
    std::string text = to_json(session);
    const Result<WorkspaceSpec> read = read_session(text, name);
    if (read) return text;
    return tl::unexpected(Error{
        read.error().code,
        "The session was not written, since it could not be opened again: " + read.error().what,
        read.error().where,
        "Nothing of it is lost while the window is open. Take some of them back, or divide the work among "
        "several sessions."});
}

namespace {

/// A value by its stable name; `known` lists the names for a person.
template <class Value, class FromId>
bool read_id(JsonElement value, const JsonPath& at, JsonChecker& check, FromId from_id, const char* known,
             Value& target) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto found = from_id(id);
    if (!found) return check.fail(at, "The name is unknown", std::string("Known are: ") + known + ".");
    target = *found;
    return true;
}

std::optional<ColourBy> colour_by_from_id(std::string_view id) {
    const auto found = std::ranges::find(colour_by_ids, id);
    if (found == colour_by_ids.end()) return std::nullopt;
    return static_cast<ColourBy>(found - colour_by_ids.begin());
}

bool read_levels(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    view.analysis.levels.fill(false);
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        MemoryLevel level{};
        if (!read_id(item, here, check, level_from_id, "hbm, l2, l1, smem", level)) return false;
        view.analysis.levels[static_cast<std::size_t>(level)] = true;
        return true;
    });
}

bool read_boundaries(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        std::string_view id;
        Boundary boundary{};
        if (!check.read(item, here, id) || !read_json_boundary(id, here, check, boundary)) return false;
        view.analysis.boundaries[static_cast<std::size_t>(level_of(boundary))] = boundary;
        return true;
    });
}

/// The pipes of a list, each once.
template <auto Member>
bool read_pipes(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
        std::string_view id;
        Pipe pipe{};
        if (!check.read(item, here, id) || !read_json_pipe(id, here, check, pipe)) return false;
        auto& pipes = view.scene.*Member;
        if (std::ranges::find(pipes, pipe) == pipes.end()) pipes.push_back(pipe);
        return true;
    });
}

bool read_share(JsonElement value, const JsonPath& at, JsonChecker& check, double& target) {
    double share = 0;
    if (!check.positive(value, at, share)) return false;
    if (share > 1) return check.fail(at, "A share is above 0 and at most 1");
    target = share;
    return true;
}

template <auto Part, auto Member>
bool read_share_of(JsonElement value, const JsonPath& at, JsonChecker& check, AnalysisOptions& options) {
    return read_share(value, at, check, options.*Part.*Member);
}

constexpr JsonField<AnalysisOptions> practical_fields[] = {
    {"compute", read_share_of<&AnalysisOptions::practical, &PracticalFactors::compute>},
    {"bandwidth", read_share_of<&AnalysisOptions::practical, &PracticalFactors::bandwidth>},
    {"little_room", read_share_of<&AnalysisOptions::practical_limits, &PracticalLimits::little_room>},
    {"some_room", read_share_of<&AnalysisOptions::practical_limits, &PracticalLimits::some_room>},
};

bool read_range(JsonElement value, const JsonPath& at, JsonChecker& check, Range& target) {
    std::vector<double> ends;
    if (!each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
            return ends.size() < 2 ? check.positive(item, here, ends.emplace_back())
                                   : check.fail(at, "A range has two ends");
        }))
        return false;
    if (ends.size() != 2 || ends[0] >= ends[1])
        return check.fail(at, "A range is two numbers, the lower one first");
    target = {ends[0], ends[1]};
    return true;
}

template <auto Member>
bool read_axis(JsonElement value, const JsonPath& at, JsonChecker& check, ChartView& view) {
    return read_range(value, at, check, view.*Member);
}

constexpr JsonField<ChartView> axes_fields[] = {
    {"x", read_axis<&ChartView::x>},
    {"y", read_axis<&ChartView::y>},
};

bool read_axes(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    for (const char* axis : {"x", "y"})
        if (value.at_key(axis).error() != simdjson::SUCCESS)
            return check.fail(at, "The ranges of both axes are expected here",
                              R"(As in {"x": [0.1, 1000], "y": [1e9, 1e14]}.)");
    return read_fields(value, at, check, axes_fields, view.axes.emplace());
}

bool read_noise(JsonElement value, const JsonPath& at, JsonChecker& check, ComparisonView& comparison) {
    double noise = 0;
    if (!check.finite(value, at, noise)) return false;
    if (noise < 0 || noise > 1) return check.fail(at, "The noise is a share between 0 and 1");
    comparison.noise = noise;
    return true;
}

bool read_arrows(JsonElement value, const JsonPath& at, JsonChecker& check, ComparisonView& comparison) {
    return check.read(value, at, comparison.arrows) &&
           (comparison.arrows <= most_drawn || check.fail(at, "No more than 10,000 arrows are drawn"));
}

constexpr JsonField<ComparisonView> comparison_fields[] = {
    {"noise", read_noise},
    {"arrows", read_arrows},
};

template <auto Member>
bool read_analysis_member(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    return check.read(value, at, view.analysis.*Member);
}

template <auto Member>
bool read_scene_member(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    return check.read(value, at, view.scene.*Member);
}

/// How many kernels are named, or have their gaps drawn.
template <auto Member>
bool read_count(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
    if (!check.read(value, at, view.scene.*Member)) return false;
    if (view.scene.*Member <= most_drawn) return true;
    return check.fail(at, "No more than 10,000 kernels are drawn so");
}

constexpr JsonField<SessionView> view_fields[] = {
    {"group", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                 SessionView& view) { return read_group_by(value, at, check, view.analysis.group_by); }},
    {"clock",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         return read_id(value, at, check, clock_basis_from_id, "measured, boost", view.analysis.clock);
     }},
    {"operations",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         return read_id(value, at, check, operation_class_from_id, "floating, integer, all",
                        view.analysis.operations);
     }},
    {"levels", read_levels},
    {"l1_where_it_binds", read_analysis_member<&AnalysisOptions::l1_where_it_binds>},
    {"boundaries", read_boundaries},
    {"practical",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         return read_fields(value, at, check, practical_fields, view.analysis);
     }},
    {"colour_by",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         return read_id(value, at, check, colour_by_from_id, "class, precision, kernel",
                        view.scene.colour_by);
     }},
    {"hidden_pipes", read_pipes<&SceneOptions::hidden_pipes>},
    {"extra_pipes", read_pipes<&SceneOptions::extra_pipes>},
    {"practical_roofs", read_scene_member<&SceneOptions::practical_roofs>},
    {"theory_roofs", read_scene_member<&SceneOptions::theory_roofs>},
    {"measured_roof", read_scene_member<&SceneOptions::measured_roof>},
    {"measured_ceilings",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         std::string choice;
         if (!check.read(value, at, choice)) return false;
         view.measured = measured_choice_from(choice);
         return true;
     }},
    {"zones", read_scene_member<&SceneOptions::zones>},
    {"names", read_count<&SceneOptions::labelled>},
    {"gaps", read_count<&SceneOptions::gaps>},
    {"roofs_of", read_member<&SessionView::roofs_of>},
    {"other_device", read_member<&SessionView::other_device>},
    {"comparison",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         if (!read_fields(value, at, check, comparison_fields, view.comparison)) return false;
         view.comparison.further = unknown_members(value, comparison_fields);
         return true;
     }},
    {"filter", read_member<&SessionView::filter>},
    {"selection",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& view) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (view.selection.size() == most_selected)
                 return too_many(here, check, "selected kernels", most_selected);
             return read_kernel_key(item, here, check, view.selection.emplace_back());
         });
     }},
    {"axes", read_axes},
};

void write_pipes(JsonText& json, std::string_view name, std::span<const Pipe> pipes) {
    if (pipes.empty()) return;
    json.key(name);
    json.begin_array();
    for (const Pipe pipe : pipes)
        json.value(id_of(pipe));
    json.end_array();
}

void write_levels(JsonText& json, const AnalysisOptions& options) {
    json.key("levels");
    json.begin_array();
    for (const MemoryLevel level : all_levels)
        if (options.levels[static_cast<std::size_t>(level)]) json.value(id_of(level));
    json.end_array();
    if (!options.l1_where_it_binds) json.member("l1_where_it_binds", false);
    json.key("boundaries");
    json.begin_array();
    for (const Boundary boundary : options.boundaries)
        json.value(id_of(boundary));
    json.end_array();
}

void write_range(JsonText& json, std::string_view name, const Range& range) {
    json.key(name);
    json.begin_array();
    json.value(range.lo);
    json.value(range.hi);
    json.end_array();
}

/// What differs from what is usual.
void write_comparison(JsonText& json, const ComparisonView& comparison) {
    const ComparisonView usual;
    if (comparison == usual) return;
    json.key("comparison");
    json.begin_object();
    if (comparison.noise != usual.noise) json.member("noise", comparison.noise);
    if (comparison.arrows != usual.arrows) json.member("arrows", comparison.arrows);
    json.members(comparison.further);
    json.end_object();
}

void write_selection(JsonText& json, std::span<const KernelKey> selection) {
    if (selection.empty()) return;
    json.next_line();
    json.key("selection");
    json.begin_array();
    for (const KernelKey& key : selection) {
        json.next_line();
        json.begin_object();
        write_kernel_key(json, key);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_view(JsonText& json, const SessionView& view) {
    json.begin_object();
    json.member("group", id_of(view.analysis.group_by));
    json.member("clock", id_of(view.analysis.clock));
    json.member("operations", id_of(view.analysis.operations));
    write_levels(json, view.analysis);
    write_practical(json, view.analysis);
    json.next_line();
    json.member("colour_by", colour_by_ids[static_cast<std::size_t>(view.scene.colour_by)]);
    write_pipes(json, "hidden_pipes", view.scene.hidden_pipes);
    write_pipes(json, "extra_pipes", view.scene.extra_pipes);
    json.member("practical_roofs", view.scene.practical_roofs);
    if (!view.scene.theory_roofs) json.member("theory_roofs", false);
    if (!view.scene.measured_roof) json.member("measured_roof", false);
    if (view.measured != MeasuredChoice{}) json.member("measured_ceilings", text_of(view.measured));
    json.member("zones", view.scene.zones);
    json.member("names", view.scene.labelled);
    json.member("gaps", view.scene.gaps);
    json.known_member("roofs_of", view.roofs_of);
    json.known_member("other_device", view.other_device);
    write_comparison(json, view.comparison);
    json.known_member("filter", view.filter);
    if (view.axes) {
        json.next_line();
        json.key("axes");
        json.begin_object();
        write_range(json, "x", view.axes->x);
        write_range(json, "y", view.axes->y);
        json.end_object();
    }
    write_selection(json, view.selection);
    json.members(view.further);
    json.end_object();
}

bool read_view(JsonElement value, const JsonPath& at, JsonChecker& check, SessionView& target) {
    if (!read_fields(value, at, check, view_fields, target)) return false;
    target.scene.levels = target.analysis.levels;
    target.further = unknown_members(value, view_fields);
    return true;
}

namespace {

constexpr const char* operation_hint = R"(As in "gemm m=4096 n=4096 k=4096".)";

bool read_subject(JsonElement value, const JsonPath& at, JsonChecker& check, BindingRule& rule) {
    std::string_view id;
    if (!check.read(value, at, id)) return false;
    const auto found = std::ranges::find(rule_subject_ids, id);
    if (found == rule_subject_ids.end())
        return check.fail(at, "It is unknown what the pattern is searched in", "Known are: kernel, nvtx.");
    rule.subject = static_cast<RuleSubject>(found - rule_subject_ids.begin());
    return true;
}

constexpr JsonField<BindingRule> rule_fields[] = {
    {"pattern", read_member<&BindingRule::pattern>},
    {"in", read_subject},
    {"operation", read_member<&BindingRule::operation>},
};

constexpr JsonField<UserBinding> kernel_fields[] = {
    {"kernel", read_member<&UserBinding::kernel>},
    {"launch", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                  UserBinding& binding) { return check.read(value, at, binding.launch.emplace()); }},
    {"operation", read_member<&UserBinding::operation>},
    {"suggested", read_member<&UserBinding::suggested>},
};

bool read_rule(JsonElement value, const JsonPath& at, JsonChecker& check, BindingRule& rule) {
    if (!read_fields(value, at, check, rule_fields, rule)) return false;
    if (rule.pattern.empty() || rule.operation.empty())
        return check.fail(at, "A rule has a pattern and an operation", operation_hint);
    rule.further = unknown_members(value, rule_fields);
    return true;
}

bool read_kernel(JsonElement value, const JsonPath& at, JsonChecker& check, UserBinding& binding) {
    if (!read_fields(value, at, check, kernel_fields, binding)) return false;
    if (binding.kernel.empty() || binding.operation.empty())
        return check.fail(at, "A bound kernel has a name and an operation", operation_hint);
    binding.further = unknown_members(value, kernel_fields);
    return true;
}

constexpr JsonField<Bindings> bindings_fields[] = {
    {"kernels",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Bindings& bindings) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (bindings.user.size() == most_bound)
                 return too_many(here, check, "bound kernels", most_bound);
             return read_kernel(item, here, check, bindings.user.emplace_back());
         });
     }},
    {"rules",
     [](JsonElement value, const JsonPath& at, JsonChecker& check, Bindings& bindings) {
         return each_item(value, at, check, [&](JsonElement item, const JsonPath& here) {
             if (bindings.rules.size() == most_rules) return too_many(here, check, "rules", most_rules);
             return read_rule(item, here, check, bindings.rules.emplace_back());
         });
     }},
};

}  // namespace

void write_bindings(JsonText& json, const Bindings& bindings, std::string_view further) {
    json.begin_object();
    json.key("kernels");
    json.begin_array();
    for (const UserBinding& binding : bindings.user) {
        json.next_line();
        json.begin_object();
        json.member("kernel", binding.kernel);
        if (binding.launch) json.member("launch", *binding.launch);
        json.member("operation", binding.operation);
        if (binding.suggested) json.member("suggested", true);
        json.members(binding.further);
        json.end_object();
    }
    json.end_array();
    json.key("rules");
    json.begin_array();
    for (const BindingRule& rule : bindings.rules) {
        json.next_line();
        json.begin_object();
        json.member("pattern", rule.pattern);
        json.member("in", rule_subject_ids[static_cast<std::size_t>(rule.subject)]);
        json.member("operation", rule.operation);
        json.members(rule.further);
        json.end_object();
    }
    json.end_array();
    json.members(further);
    json.end_object();
}

bool read_bindings(JsonElement value, const JsonPath& at, JsonChecker& check, WorkspaceSpec& target) {
    if (!read_fields(value, at, check, bindings_fields, target.bindings)) return false;
    target.bindings_further = unknown_members(value, bindings_fields);
    return true;
}

void write_thresholds(JsonText& json, const AdviceThresholds& thresholds, std::string_view further) {
    const AdviceThresholds usual;
    json.begin_object();
    for (const ThresholdSpec& spec : advice_threshold_specs())
        if (thresholds.*spec.member != usual.*spec.member) json.member(spec.id, thresholds.*spec.member);
    json.members(further);
    json.end_object();
}

bool read_thresholds(JsonElement value, const JsonPath& at, JsonChecker& check, WorkspaceSpec& target) {
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
