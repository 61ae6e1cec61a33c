// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/profile_codec.h"
#include "core/report/report_cells.h"
#include "core/roofline/summary.h"

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

using Facts = std::vector<FactRow>;

FactRow fact(std::string label, std::string value) {
    return {{{std::move(label)}, {std::move(value)}}};
}

std::string to_text(const Facts& facts) {
    std::string text;
    for (const FactRow& row : facts)
        text += fmt::format("  {:<18}{}\n", row.cells[0].text, row.cells[1].text);
    return text;
}

/// The launch floor may change what a batch brings: it is said beside every pace.
Facts pace_facts(const Atlas& atlas, const DeviceAtlas& on) {
    if (!on.time || !on.items_per_second)
        return {fact("step", "unknown: a ceiling of this GPU is not known")};
    return {fact("step", fmt::format("{} at least, {} {}/s at most", format(*on.time),
                                     format_number(*on.items_per_second), items(atlas))),
            fact("launch", describe(on.floor) + " for each operation at least")};
}

/// Nothing without a pace.
Facts batch_facts(const Atlas& atlas, const DeviceAtlas& on) {
    std::string by_batch;
    for (const BatchStep& step : on.batches)
        by_batch += fmt::format("{}{}: {}", by_batch.empty() ? "" : ", ", format_count(step.batch),
                                format_number(step.items_per_second));
    if (by_batch.empty() || !on.time) return {};
    return {fact(items(atlas) + "/s by batch", by_batch)};
}

Facts memory_facts(const DeviceAtlas& on) {
    if (!on.device.memory_size) return {fact("memory", "unknown")};
    Facts facts{fact("memory", format(*on.device.memory_size))};
    if (on.largest_batch)
        facts.push_back(
            fact("largest batch", *on.largest_batch < 1
                                      ? "none: weights and one KV cache do not fit"
                                      : format_count(*on.largest_batch) + ", activations not counted"));
    return facts;
}

Facts model_facts(const Atlas& atlas) {
    const ModelWork& work = atlas.work;
    Facts facts{fact("parameters", format_si(work.weights + work.embeddings, "")),
                fact("weights", format(work.weight_bytes(atlas.run)))};
    const Bytes cache = work.kv_bytes_per_sequence(atlas.run);
    if (cache.value() > 0)
        facts.push_back(fact("KV cache", fmt::format("{} a sequence, {} in all", format(cache),
                                                     format(cache * atlas.run.batch))));
    return facts;
}

/// The columns of `table` that a narrow page has room for.
FactTable narrow(const ReportTable& table, std::initializer_list<std::string_view> ids) {
    FactTable facts;
    facts.rows.resize(table.rows.size());
    for (const std::string_view id : ids) {
        const auto column = std::ranges::find(table.columns, id, &ReportColumn::id);
        facts.headers.push_back(column->shown_unit.empty()
                                    ? column->title
                                    : fmt::format("{} [{}]", column->title, column->shown_unit));
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            facts.rows[row].cells.push_back(
                {table.rows[row][static_cast<std::size_t>(column - table.columns.begin())].text});
    }
    return facts;
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
    std::string text = atlas.title() + "\n\n" + to_text(model_facts(atlas));
    for (const DeviceAtlas& on : atlas.devices) {
        text += fmt::format("\non {}\n", on.device.name) + to_text(memory_facts(on)) +
                to_text(pace_facts(atlas, on)) + to_text(batch_facts(atlas, on)) + '\n';
        text += to_text(filled(columns_of(atlas), lines_of(atlas, on)), TextColumns::main);
    }
    text += '\n';
    for (const std::string& note : atlas.work.notes)
        text += note + '\n';
    return text;
}

TextPage atlas_page(const Atlas& atlas, std::size_t device) {
    const DeviceAtlas& on = atlas.devices[device];
    TextPage page{.subject = on.device.name};
    page.add(BlockKind::title, on.device.name);
    FactTable facts{.rows = pace_facts(atlas, on), .wide_column = 1};
    for (const Facts& more : {memory_facts(on), model_facts(atlas)})
        facts.rows.insert(facts.rows.end(), more.begin(), more.end());
    page.add(std::move(facts));
    if (on.largest_batch && *on.largest_batch < atlas.run.batch)
        page.add(BlockKind::text, fmt::format("A batch of {} does not fit into the memory of one such GPU.",
                                              format_count(atlas.run.batch)));
    page.add(BlockKind::heading, "Operations");
    page.add(narrow(filled(columns_of(atlas), lines_of(atlas, on)),
                    {"operation", "bound", "step_time", "share", "ridge"}));
    page.add(
        BlockKind::note,
        fmt::format("A larger batch gains from a product up to its ridge, and nothing from what has none: "
                    "there each {} brings bytes of its own.",
                    atlas.model.is_vision() ? "image" : "sequence"));
    if (!on.batches.empty()) {
        FactTable paces{.headers = {"Batch", "Step", items(atlas) + "/s"}};
        for (const BatchStep& step : on.batches)
            paces.rows.push_back(
                {{{format_count(step.batch)}, {format(step.time)}, {format_number(step.items_per_second)}},
                 step.batch == atlas.run.batch});
        page.add(BlockKind::heading, "By batch, at most");
        page.add(std::move(paces));
    }
    for (const std::string& note : atlas.work.notes)
        page.add(BlockKind::note, note);
    return page;
}

TextPage measured_page(const Atlas& atlas, const AtlasProfile& laid) {
    constexpr std::size_t most_kernels = 20;
    constexpr std::size_t name_chars = 40;
    const auto factor = [](const std::optional<double>& value) {
        return value ? format_factor(*value) : std::string("–");
    };
    FactTable kernels{.headers = {"Kernel", "Time", "Below its roof", "Left of its algorithm"}};
    for (const std::uint32_t index : ranked_points(laid.analysis)) {
        const KernelPoint& point = laid.analysis.points[index];
        const std::optional<double> share = share_of_limit(point);
        if (!is_measured(atlas, point) || kernels.rows.size() == most_kernels) continue;
        kernels.rows.push_back({{{shorten_kernel_name(point.name, name_chars), point.name},
                                 {point.time ? format(*point.time) : "–"},
                                 {factor(share ? std::optional(1 / *share) : std::nullopt)},
                                 {factor(point.target ? point.target->byte_gap : std::nullopt)}}});
    }
    TextPage page{.subject = "measured"};
    page.add(BlockKind::title, "Measured");
    page.add(std::move(kernels));
    page.add(BlockKind::note,
             "Those with most time. A kernel is left of its algorithm by the bytes that it moves "
             "beyond what its operation needs; –: not known, or no operation is bound to it.");
    return page;
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
