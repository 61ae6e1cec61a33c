// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/profile_codec.h"
#include "core/report/report_cells.h"

namespace roofwalk {

namespace {

struct Line {
    const Atlas* atlas = nullptr;
    const DeviceAtlas* on = nullptr;
    std::size_t number = 0;  ///< of the operation

    [[nodiscard]] const ModelOperation& operation() const { return atlas->work.operations[number]; }
    [[nodiscard]] const AtlasPlace& place() const { return on->places[number]; }
    [[nodiscard]] std::optional<Seconds> time() const {
        return place().time ? std::optional(*place().time * operation().times) : std::nullopt;
    }
};

template <int F, int B, int T>
ReportCell amount_or_unknown(const std::optional<Quantity<F, B, T>>& value) {
    return value ? number(value->value(), format(*value)) : no_ceiling_known();
}

ReportCell bound_cell(const Line& line) {
    if (line.place().launch_binds) return word("launch");
    const auto& binding = line.place().bounds.binding;
    return binding ? word(label_of(*binding)) : no_ceiling_known();
}

ReportCell share_cell(const Line& line) {
    const auto time = line.time();
    if (!time || !line.on->time) return no_ceiling_known();
    return number(*time / *line.on->time, format_percent(*time / *line.on->time));
}

ReportCell ridge_cell(const Line& line) {
    if (!line.operation().items_per_row) return does_not_apply();
    const auto& items = line.place().items_to_ridge;
    if (!items) return line.place().bounds.binding ? word("none") : no_ceiling_known();
    return number(std::ceil(*items), format_count(std::ceil(*items)));
}

std::string items(const Atlas& atlas) {
    return std::string(atlas.item()) + "s";
}

using Columns = std::vector<ColumnRule<Line>>;

template <class Cell>
void add(Columns& columns, ReportColumn column, Cell cell) {
    columns.push_back({std::move(column), cell});
}

void add_amounts(Columns& columns, const std::string& unit) {
    add(columns, {.id = "work", .title = "Work", .unit = unit}, [](const Line& line) {
        return amount_or_unknown(std::optional(line.operation().model.total_work()));
    });
    add(columns, {.id = "bytes", .title = "Bytes", .unit = "B"}, [](const Line& line) {
        return amount_or_unknown(std::optional(line.operation().model.compulsory()));
    });
    add(columns, {.id = "intensity", .title = "AI", .unit = unit + "/byte"}, [](const Line& line) {
        const double intensity = line.operation().model.intensity().value();
        return number(intensity, format_number(intensity));
    });
}

void add_times(Columns& columns) {
    add(columns, {.id = "roof_time", .title = "At the roof", .unit = "s", .quantity = "time"},
        [](const Line& line) { return amount_or_unknown(line.place().bounds.speed_of_light); });
    add(columns, {.id = "time", .title = "Time", .unit = "s", .quantity = "time"},
        [](const Line& line) { return amount_or_unknown(line.place().time); });
    add(columns, {.id = "step_time", .title = "In the step", .unit = "s"},
        [](const Line& line) { return amount_or_unknown(line.time()); });
    add(columns, {.id = "share", .title = "Share", .kind = ColumnKind::share}, share_cell);
}

Columns columns_of(const Atlas& atlas) {
    const bool integers = std::ranges::any_of(atlas.work.operations, [](const ModelOperation& operation) {
        return counts_integers(operation.model);
    });
    Columns columns;
    add(columns, {.id = "operation", .title = "Operation", .kind = ColumnKind::name},
        [](const Line& line) { return word(line.operation().name); });
    add(columns,
        {.id = "device", .title = "Device", .kind = ColumnKind::words, .place = ColumnPlace::context},
        [](const Line& line) { return word(line.on->device.name); });
    add(columns, {.id = "times", .title = "Times"}, [](const Line& line) {
        return number(line.operation().times, format_count(line.operation().times));
    });
    add_amounts(columns, integers ? "OP" : "FLOP");
    add(columns, {.id = "bound", .title = "Bound by", .kind = ColumnKind::words}, bound_cell);
    add_times(columns);
    add(columns, {.id = "ridge", .title = "Ridge at " + items(atlas)}, ridge_cell);
    add(columns,
        {.id = "model", .title = "One of them", .kind = ColumnKind::words, .place = ColumnPlace::detail},
        [](const Line& line) { return word(line.operation().text); });
    return columns;
}

std::vector<Line> lines_of(const Atlas& atlas, const DeviceAtlas& on) {
    std::vector<Line> list;
    for (std::size_t i = 0; i < on.places.size(); ++i)
        list.push_back({&atlas, &on, i});
    return list;
}

std::string row(std::string_view label, std::string_view value) {
    return fmt::format("  {:<18}{}\n", label, value);
}

/// The launch floor may change what a batch brings: it is said beside every pace.
std::string pace_rows(const Atlas& atlas, const DeviceAtlas& on) {
    if (!on.time || !on.items_per_second) return row("step", "unknown: a ceiling of this GPU is not known");
    std::string text = row("step", fmt::format("{} at least, {} {}/s at most", format(*on.time),
                                               format_number(*on.items_per_second), items(atlas)));
    text += row("launch", describe(on.floor) + " for each operation at least");
    std::string by_batch;
    for (const BatchStep& step : on.batches)
        by_batch += fmt::format("{}{}: {}", by_batch.empty() ? "" : ", ", format_count(step.batch),
                                format_number(step.items_per_second));
    return by_batch.empty() ? text : text + row(items(atlas) + "/s by batch", by_batch);
}

std::string memory_rows(const DeviceAtlas& on) {
    if (!on.device.memory_size) return row("memory", "unknown");
    std::string text = row("memory", format(*on.device.memory_size));
    if (!on.largest_batch) return text;
    return text + row("largest batch", *on.largest_batch < 1
                                           ? "none: weights and one KV cache do not fit"
                                           : format_count(*on.largest_batch) + ", activations not counted");
}

std::string model_rows(const Atlas& atlas) {
    const ModelWork& work = atlas.work;
    std::string text = row("parameters", format_si(work.weights + work.embeddings, ""));
    text += row("weights", format(work.weight_bytes(atlas.run)));
    const Bytes cache = work.kv_bytes_per_sequence(atlas.run);
    if (cache.value() > 0)
        text += row("KV cache",
                    fmt::format("{} a sequence, {} in all", format(cache), format(cache * atlas.run.batch)));
    return text;
}

void write_operation(JsonWriter& json, const Line& line) {
    const ModelOperation& operation = line.operation();
    const AtlasPlace& place = line.place();
    json.member("name", operation.name);
    json.member("operation", operation.text);
    json.member("times", operation.times);
    json.member("parameters", operation.parameters);
    json.member("work", operation.model.total_work());
    json.member("bytes", operation.model.compulsory());
    json.member("intensity", operation.model.intensity());
    json.member("binding",
                place.bounds.binding ? std::optional(label_of(*place.bounds.binding)) : std::nullopt);
    json.member("roof_time_s", place.bounds.speed_of_light);
    json.member("time_s", place.time);
    json.member("launch_binds", place.launch_binds);
    json.member("ridge_items", place.items_to_ridge);
}

void write_device(JsonWriter& json, const Atlas& atlas, const DeviceAtlas& on) {
    json.member("name", on.device.name);
    json.member("memory_bytes", on.device.memory_size);
    json.object("launch_floor", [&] {
        json.member("time_s", on.floor.time);
        json.member("source", on.floor.source);
    });
    json.member("step_time_s", on.time);
    json.member("items_per_s", on.items_per_second);
    json.member("largest_batch", on.largest_batch);
    json.object_lines("operations", lines_of(atlas, on),
                      [&](const Line& line) { write_operation(json, line); });
    json.next_line();
    json.objects("batches", on.batches, [&](const BatchStep& step) {
        json.member("batch", step.batch);
        json.member("step_time_s", step.time);
        json.member("items_per_s", step.items_per_second);
    });
}

}  // namespace

ReportTable atlas_table(const Atlas& atlas) {
    std::vector<Line> lines;
    for (const DeviceAtlas& on : atlas.devices)
        for (const Line& line : lines_of(atlas, on))
            lines.push_back(line);
    return filled(columns_of(atlas), lines);
}

std::string to_atlas_text(const Atlas& atlas) {
    std::string text = atlas.title() + "\n\n" + model_rows(atlas);
    for (const DeviceAtlas& on : atlas.devices) {
        text += fmt::format("\non {}\n", on.device.name) + memory_rows(on) + pace_rows(atlas, on) + '\n';
        text += to_text(filled(columns_of(atlas), lines_of(atlas, on)), TextColumns::main);
    }
    text += '\n';
    for (const std::string& note : atlas.work.notes)
        text += note + '\n';
    return text;
}

std::string to_atlas_json(const Atlas& atlas) {
    const ModelWork& work = atlas.work;
    JsonWriter json;
    json.begin_object();
    json.member("format", "roofwalk-atlas");
    json.member("version", 1);
    json.member("model", atlas.model.name);
    json.line("phase", atlas.run.phase);
    json.member("batch", atlas.run.batch);
    json.member("context", atlas.model.is_vision() ? std::nullopt : std::optional(atlas.run.context));
    json.member("weights", name_of(atlas.run.weights));
    json.member("kv", name_of(atlas.run.kv));
    json.member("activations", name_of(atlas.run.activations));
    json.line("item", atlas.item());
    json.member("items", work.items);
    json.member("parameters", work.weights + work.embeddings);
    json.member("weight_bytes", work.weight_bytes(atlas.run));
    json.member("kv_bytes_per_sequence", work.kv_bytes_per_sequence(atlas.run));
    json.line("notes", work.notes);
    json.next_line();
    json.object_lines("devices", atlas.devices,
                      [&](const DeviceAtlas& on) { write_device(json, atlas, on); });
    json.next_line();
    json.end_object();
    return json.take() + "\n";
}

}  // namespace roofwalk
