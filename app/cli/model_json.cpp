// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_view.h"
#include "core/report/json_text.h"
#include "core/roofline/launch_floor.h"
#include "core/roofline/utilisation.h"

namespace roofwalk::cli {

namespace {

void write_texts(JsonText& json, std::string_view key, const std::vector<std::string>& texts) {
    json.next_line();
    json.key(key);
    json.begin_array();
    for (const std::string& text : texts)
        json.value(text);
    json.end_array();
}

void write_arguments(JsonText& json, const OperationModel& model) {
    json.next_line();
    json.key("arguments");
    json.begin_array();
    for (const OperationArgument& argument : model.arguments) {
        json.begin_object();
        json.member("name", argument.name);
        json.member("value", argument.value);
        json.member("given", argument.given);
        json.end_object();
    }
    json.end_array();
}

void write_amounts(JsonText& json, const OperationModel& model) {
    json.next_line();
    json.member("unit", counts_integers(model) ? "OP" : "FLOP");
    json.key("pipes");
    json.begin_array();
    for (const PipeWork& part : model.work) {
        json.begin_object();
        json.member("pipe", id_of(part.pipe));
        json.member("work", part.work.value());
        json.end_object();
    }
    json.end_array();
    json.member("work", model.total_work().value());
    json.member("bytes_read", model.read.value());
    json.member("bytes_written", model.written.value());
    json.member("bytes", model.compulsory().value());
    json.member("intensity", model.intensity().value());
    json.next_line();
    json.member("intermediate_bytes", model.intermediates.value());
    json.known_member("intermediates", model.intermediates_of);
    json.member("variant_intensity", model.variant_intensity().value());
}

void write_formulas(JsonText& json, const OperationSpec& spec) {
    json.next_line();
    json.key("formula");
    json.begin_object();
    json.member("work", spec.work);
    json.member("bytes", spec.traffic);
    json.member("source", spec.source);
    json.end_object();
}

void write_bounds(JsonText& json, const KernelPoint& bounds) {
    json.key("bounds");
    json.begin_array();
    for (const PipeLoad& load : bounds.pipes) {
        json.begin_object();
        json.member("pipe", id_of(load.pipe));
        json.member("ceiling", load.ceiling);
        json.member("time_s", load.bound);
        json.end_object();
    }
    for (const auto& level : bounds.levels) {
        if (!level) continue;
        json.begin_object();
        json.member("boundary", id_of(level->boundary));
        json.member("ceiling", level->ceiling);
        json.member("time_s", level->bound);
        json.end_object();
    }
    json.end_array();
}

CeilingSet used_ceilings(const KernelPoint& bounds) {
    CeilingSet used;
    for (const PipeLoad& load : bounds.pipes)
        if (const ComputeCeiling* ceiling = bounds.ceilings->find(load.pipe))
            used.compute.push_back(*ceiling);
    for (const auto& level : bounds.levels)
        if (level)
            if (const BandwidthCeiling* ceiling = bounds.ceilings->find(level->boundary))
                used.bandwidth.push_back(*ceiling);
    return used;
}

void write_batch(JsonText& json, const ModelView& view) {
    json.key("batch_to_ridge");
    const auto batch = batch_to_ridge(view);
    if (!batch) return json.null();
    json.begin_object();
    json.key("exact");
    batch->exact ? json.value(*batch->exact) : json.null();
    json.member("asymptotic", batch->asymptotic);
    json.end_object();
}

/// What a launch takes at least is no part of time_s.
void write_launch(JsonText& json, const std::optional<Seconds>& least_time) {
    json.key("launch");
    json.begin_object();
    json.member("counted", false);
    json.member("shortest_s", shortest_launch.value());
    json.member("source", shortest_launch_source);
    json.key("longer_than_bound");
    least_time ? json.value(shortest_launch > *least_time) : json.null();
    json.end_object();
}

void write_device(JsonText& json, const ModelView& view) {
    json.next_line();
    json.key("device");
    if (!view.device) return json.null();
    json.begin_object();
    json.member("name", view.device->name);
    write_bounds(json, view.bounds);
    json.next_line();
    json.key("binding");
    view.bounds.binding ? json.value(label_of(*view.bounds.binding)) : json.null();
    json.member("class", id_of(view.bounds.verdict.kernel_class));
    json.member("time_s", view.bounds.speed_of_light);
    write_launch(json, view.bounds.speed_of_light);
    json.member("attainable", attainable_performance(view.bounds));
    json.key("ridge");
    if (const auto place = ridge_place(view.bounds)) {
        json.value(place->ridge.value());
        json.member("side", id_of(view.bounds.verdict.side.value()));
        json.member("near_ridge", view.bounds.verdict.near_ridge);
    } else {
        json.null();
    }
    json.key("fits_l2");
    const auto fits = fits_l2(view.model, *view.device);
    fits ? json.value(*fits) : json.null();
    write_batch(json, view);
    json.next_line();
    json.key("ceilings");
    write_ceilings(json, used_ceilings(view.bounds));
    json.end_object();
}

}  // namespace

std::string to_model_json(const ModelView& view) {
    JsonText json;
    json.begin_object();
    json.member("operation", view.model.operation);
    json.member("text", to_text(view.model));
    write_arguments(json, view.model);
    write_amounts(json, view.model);
    write_formulas(json, *view.spec);
    write_texts(json, "notes", view.model.notes);
    write_texts(json, "warnings", view.model.warnings);
    write_device(json, view);
    json.next_line();
    json.end_object();
    return json.take() + "\n";
}

}  // namespace roofwalk::cli
