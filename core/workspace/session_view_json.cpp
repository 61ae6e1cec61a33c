// SPDX-License-Identifier: GPL-3.0-or-later
#include <span>

#include "core/import/json/json_reader_device.h"
#include "core/import/json/json_tree.h"
#include "core/report/practical_json.h"
#include "core/scenario/scenario_element.h"
#include "core/workspace/session_parts.h"

namespace roofwalk {

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

}  // namespace roofwalk
