// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/atlas/atlas_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/atlas/measured_places.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/model/kernel_name.h"
#include "core/model/profile_codec.h"
#include "core/operations/op_bounds.h"
#include "core/report/report_cells.h"
#include "core/roofline/utilisation.h"

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
    return value ? number_cell(value->value(), format(*value)) : no_ceiling_known();
}

ReportCell bound_cell(const Line& line) {
    if (line.place().launch_binds) return word_cell("launch");
    const auto& binding = line.place().bounds.binding;
    return binding ? word_cell(label_of(*binding, line.place().bounds.memory)) : no_ceiling_known();
}

ReportCell share_cell(const Line& line) {
    const auto time = line.time();
    if (!time || !line.on->time) return no_ceiling_known();
    return number_cell(*time / *line.on->time, format_percent(*time / *line.on->time));
}

ReportCell ridge_cell(const Line& line) {
    if (!line.operation().items_per_row) return does_not_apply();
    const auto& items = line.place().items_to_ridge;
    if (!items) return line.place().bounds.binding ? word_cell("none") : no_ceiling_known();
    return number_cell(std::ceil(*items), format_count(std::ceil(*items)));
}

ReportCell asymptotic_ridge_cell(const Line& line) {
    if (!line.operation().items_per_row) return does_not_apply();
    const auto& items = line.place().asymptotic_items;
    return items ? number_cell(std::ceil(*items), format_count(std::ceil(*items))) : no_ceiling_known();
}

/// Absent of what is no product with weights.
std::optional<Intensity> asymptotic_intensity_of(const ModelOperation& operation) {
    if (!operation.items_per_row || !operation.model.batchable) return std::nullopt;
    return asymptotic_intensity(*operation.model.batchable);
}

ReportCell asymptotic_intensity_cell(const Line& line) {
    const auto intensity = asymptotic_intensity_of(line.operation());
    return intensity ? number_cell(intensity->value(), format_number(intensity->value())) : does_not_apply();
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
    add(columns, {.id = "intensity", .title = "AI", .unit = unit + "/byte"}, [unit](const Line& line) {
        const double intensity = line.operation().model.intensity().value();
        return intensity > 0 ? number_cell(intensity, format_number(intensity)) : word_cell("no " + unit);
    });
    add(columns,
        {.id = "asymptotic_intensity",
         .title = "Asymptotic AI",
         .unit = unit + "/byte",
         .place = ColumnPlace::detail},
        asymptotic_intensity_cell);
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
        [](const Line& line) { return word_cell(line.operation().name); });
    add(columns, words_column("device", "Device", ColumnPlace::context),
        [](const Line& line) { return word_cell(line.on->device.name); });
    add(columns, {.id = "times", .title = "Times"}, [](const Line& line) {
        return number_cell(line.operation().times, format_count(line.operation().times));
    });
    add_amounts(columns, integers ? "OP" : "FLOP");
    add(columns, words_column("bound", "Bound by"), bound_cell);
    add_times(columns);
    add(columns, {.id = "ridge", .title = "Ridge at " + items(atlas)}, ridge_cell);
    add(columns, {.id = "asymptotic_ridge", .title = "Asymptotic " + items(atlas)}, asymptotic_ridge_cell);
    add(columns, words_column("model", "One of them", ColumnPlace::detail),
        [](const Line& line) { return word_cell(line.operation().text); });
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

/// Of the products, as exact as the batches at it, which are rounded up: nothing where none has one.
Facts ridge_facts(const Atlas& atlas, const DeviceAtlas& on) {
    for (std::size_t i = 0; i < on.places.size(); ++i)
        if (const auto at = ridge_place(on.places[i].bounds); at && on.places[i].asymptotic_items)
            return {
                fact("ridge", fmt::format("{} {}/byte at {}; in {} the next whole number",
                                          format_number(at->ridge.value(), 5),
                                          counts_integers(atlas.work.operations[i].model) ? "OP" : "FLOP",
                                          label_of(at->level, on.places[i].bounds.memory), items(atlas)))};
    return {};
}

/// The launch floor may change what a batch brings: it is said beside every pace.
Facts pace_facts(const Atlas& atlas, const DeviceAtlas& on) {
    Facts facts = ridge_facts(atlas, on);
    if (!on.time || !on.items_per_second) {
        facts.push_back(fact("step", "unknown: a ceiling of this GPU is not known"));
        return facts;
    }
    facts.push_back(fact("step", fmt::format("{} at least, {} {}/s at most", format(*on.time),
                                             format_number(*on.items_per_second), items(atlas))));
    facts.push_back(fact("launch", describe(on.floor) + " for each operation at least"));
    return facts;
}

/// Nothing without a pace.
Facts batch_facts(const Atlas& atlas, const DeviceAtlas& on) {
    const std::string by_batch = joined(on.batches, ", ", [](const BatchStep& step) {
        return fmt::format("{}: {}", format_count(step.batch), format_number(step.items_per_second));
    });
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

bool batch_fits(const Atlas& atlas, const DeviceAtlas& on) {
    return !on.largest_batch || atlas.run.batch <= *on.largest_batch;
}

std::string too_large_batch(const Atlas& atlas) {
    return fmt::format("A batch of {} does not fit into the memory of one such GPU.",
                       format_count(atlas.run.batch));
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

/// "In the step\n[ms]": broken, since the cells are short.
std::string header_of(const ReportColumn& column) {
    if (!column.shown_unit.empty()) return fmt::format("{}\n[{}]", column.title, column.shown_unit);
    std::string words = column.title;
    if (const std::size_t space = words.rfind(' '); space != std::string::npos) words[space] = '\n';
    return words;
}

/// The columns of `table` that a narrow page has room for.
FactTable narrow(const ReportTable& table, const std::vector<std::string_view>& ids) {
    FactTable facts;
    facts.rows.resize(table.rows.size());
    for (const std::string_view id : ids) {
        const auto column = std::ranges::find(table.columns, id, &ReportColumn::id);
        facts.headers.push_back(header_of(*column));
        for (std::size_t row = 0; row < table.rows.size(); ++row)
            facts.rows[row].cells.push_back(
                {table.rows[row][static_cast<std::size_t>(column - table.columns.begin())].text});
    }
    return facts;
}

std::vector<std::string_view> page_columns(const Atlas& atlas, std::size_t device, bool measured) {
    std::vector<std::string_view> ids{"operation"};
    if (device == 0) ids.insert(ids.end(), {"times", "intensity", "work", "bytes"});
    ids.insert(ids.end(), {"bound", "time", "step_time", "share", "ridge"});
    if (measured || atlas.devices.size() > 1) return ids;
    ids.insert(ids.begin() + 3, "asymptotic_intensity");
    ids.emplace_back("asymptotic_ridge");
    return ids;
}

/// What was measured, beside its place.
struct MeasuredLine {
    const Atlas* atlas = nullptr;
    const KernelPoint* point = nullptr;
    MeasuredPlace place;

    [[nodiscard]] bool is_of_model() const { return !place.operations.empty(); }
    [[nodiscard]] const DeviceAtlas& on() const { return atlas->devices[place.device]; }
    [[nodiscard]] std::string names() const {
        return is_of_model() ? names_of(atlas->work, place.operations) : point->name;
    }
    [[nodiscard]] std::optional<Intensity> intensity() const {
        const LevelPoint* hbm = point->measured_level(MemoryLevel::hbm);
        return hbm ? hbm->intensity : std::nullopt;
    }
    [[nodiscard]] std::optional<FlopRate> performance() const {
        return point->modelled ? std::nullopt : point->performance;
    }
};

std::vector<MeasuredLine> measured_lines(const Atlas& atlas, const AtlasProfile& laid) {
    std::vector<MeasuredLine> lines;
    for (MeasuredPlace& place : measured_places(atlas, laid))
        lines.push_back({&atlas, &laid.analysis.points[place.point], std::move(place)});
    return lines;
}

using MeasuredColumns = std::vector<ColumnRule<MeasuredLine>>;

/// A figure of the place, which only operations of the model have.
template <class Quantity>
ReportCell place_cell(const MeasuredLine& line, const std::optional<Quantity>& value) {
    return line.is_of_model() ? amount_or_unknown(value) : does_not_apply();
}

void add_places(MeasuredColumns& columns) {
    columns.push_back({{.id = "intensity", .title = "AI", .unit = "FLOP/byte"}, [](const MeasuredLine& line) {
                           const auto& intensity = line.place.intensity;
                           return intensity
                                      ? number_cell(intensity->value(), format_number(intensity->value()))
                                      : does_not_apply();
                       }});
    columns.push_back({{.id = "attainable", .title = "Attainable", .unit = "FLOP/s", .quantity = "rate"},
                       [](const MeasuredLine& line) { return place_cell(line, line.place.attainable); }});
    columns.push_back({{.id = "least_time", .title = "Least", .unit = "s", .quantity = "time"},
                       [](const MeasuredLine& line) { return place_cell(line, line.place.least_time); }});
}

void add_measured(MeasuredColumns& columns) {
    columns.push_back({{.id = "measured_intensity", .title = "AI by counters", .unit = "FLOP/byte"},
                       [](const MeasuredLine& line) {
                           const auto intensity = line.intensity();
                           return intensity
                                      ? number_cell(intensity->value(), format_number(intensity->value()))
                                      : not_measured();
                       }});
    columns.push_back({{.id = "performance", .title = "Performance", .unit = "FLOP/s", .quantity = "rate"},
                       [](const MeasuredLine& line) { return quantity_cell(line.performance(), "FLOP/s"); }});
    columns.push_back({{.id = "time", .title = "Time", .unit = "s", .quantity = "time"},
                       [](const MeasuredLine& line) { return quantity_cell(line.place.time, "s"); }});
    columns.push_back({{.id = "factor", .title = "Over its least"}, [](const MeasuredLine& line) {
                           if (!line.is_of_model()) return does_not_apply();
                           const auto& factor = line.place.factor;
                           return factor ? number_cell(*factor, format_factor(*factor)) : not_measured();
                       }});
}

MeasuredColumns measured_columns() {
    MeasuredColumns columns;
    const auto words = [&](const char* id, const char* title, ColumnPlace place, auto text) {
        columns.push_back({words_column(id, title, place),
                           [text](const MeasuredLine& line) { return word_cell(text(line)); }});
    };
    columns.push_back({{.id = "operation", .title = "Operation", .kind = ColumnKind::name},
                       [](const MeasuredLine& line) { return word_cell(line.names()); }});
    words("gpu", "Ran on", ColumnPlace::context, [](const MeasuredLine& line) {
        return line.place.gpu.empty() ? std::string("a GPU without a name") : line.place.gpu;
    });
    columns.push_back({{.id = "executions", .title = "Times"}, [](const MeasuredLine& line) {
                           return number_cell(line.place.executions, format_count(line.place.executions));
                       }});
    add_places(columns);
    add_measured(columns);
    words("measured", "Carried out", ColumnPlace::detail,
          [](const MeasuredLine& line) { return line.place.operation; });
    words("kernels", "Kernels", ColumnPlace::detail,
          [](const MeasuredLine& line) { return joined(line.place.kernels, "; "); });
    return columns;
}

/// What the rows mean, and what is not among them.
std::vector<std::string> measured_notes(const Atlas& atlas, const std::vector<MeasuredLine>& lines) {
    std::vector<std::string> notes;
    Seconds matched;
    Seconds all;
    std::vector<bool> found(atlas.work.operations.size());
    bool elsewhere = false;
    for (const MeasuredLine& line : lines) {
        const Seconds time = line.point->time.value_or(Seconds(0));
        all += time;
        if (line.is_of_model()) matched += time;
        elsewhere = elsewhere || line.place.gpu != line.on().device.name;
        for (const std::size_t number : line.place.operations)
            found[number] = true;
    }
    if (all.value() > 0)
        notes.push_back(fmt::format(
            "Operations of the model are {} of the time that was measured.{}", format_percent(matched / all),
            std::ranges::all_of(lines, &MeasuredLine::is_of_model)
                ? ""
                : " The others are not of it, have other sizes, or are bound to no kernel."));
    if (elsewhere)
        notes.push_back("What ran on a GPU that the atlas has not stands beside its places on the " +
                        atlas.devices.front().device.name + ".");
    if (std::ranges::none_of(lines, [](const auto& line) { return line.intensity() || line.performance(); }))
        notes.emplace_back(
            "AI and performance of what ran are not known: the report tells its times, and counted no "
            "work and no bytes. A report of Nsight Compute does (ncu --set full).");
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!found[i]) missing.push_back(i);
    if (!missing.empty()) notes.push_back("Not measured: " + names_of(atlas.work, missing) + ".");
    return notes;
}

void write_measured(JsonWriter& json, const MeasuredLine& line) {
    std::vector<std::string> operations;
    for (const std::size_t number : line.place.operations)
        operations.push_back(line.atlas->work.operations[number].name);
    const std::string& bound = line.place.operation;
    json.member("operations", operations);
    json.member("operation", bound.empty() ? std::nullopt : std::optional(bound));
    json.member("kernels", line.place.kernels);
    json.member("device", line.on().device.name);
    json.member("gpu", line.place.gpu);
    json.member("executions", line.place.executions);
    json.member("intensity", line.place.intensity);
    json.member("attainable", line.place.attainable);
    json.member("least_time_s", line.place.least_time);
    json.member("measured_intensity", line.intensity());
    json.member("performance", line.performance());
    json.member("time_s", line.place.time);
    json.member("factor", line.place.factor);
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
    const Intensity intensity = operation.model.intensity();
    json.member("intensity", intensity.value() > 0 ? std::optional(intensity) : std::nullopt);
    json.member("binding", place.bounds.binding
                               ? std::optional(label_of(*place.bounds.binding, place.bounds.memory))
                               : std::nullopt);
    json.member("binding_id", place.bounds.binding);
    json.member("roof_time_s", place.bounds.speed_of_light);
    json.member("time_s", place.time);
    json.member("launch_binds", place.launch_binds);
    json.member("attainable", rate_within(operation.model, place.time));
    json.member("ridge_items", place.items_to_ridge);
    json.member("asymptotic_ridge_items", place.asymptotic_items);
    json.member("asymptotic_intensity", asymptotic_intensity_of(operation));
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
    json.member("batch_fits", on.largest_batch ? std::optional(batch_fits(atlas, on)) : std::nullopt);
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
    return export_table(columns_of(atlas), lines);
}

std::string to_atlas_text(const Atlas& atlas, const AtlasProfile* measured) {
    std::string text = atlas.title() + "\n\n" + to_text(model_facts(atlas));
    for (const DeviceAtlas& on : atlas.devices) {
        text += fmt::format("\non {}\n", on.device.name) + to_text(memory_facts(on)) +
                to_text(pace_facts(atlas, on)) + to_text(batch_facts(atlas, on)) + '\n';
        if (!batch_fits(atlas, on)) text += too_large_batch(atlas) + "\n\n";
        text += to_text(export_table(columns_of(atlas), lines_of(atlas, on)), TextColumns::main);
    }
    text += '\n';
    for (const std::string& note : atlas.work.notes)
        text += note + '\n';
    if (!measured) return text;
    text += "\nmeasured\n\n" + to_text(measured_table(atlas, *measured), TextColumns::main) + '\n';
    for (const std::string& note : measured_notes(atlas, measured_lines(atlas, *measured)))
        text += note + '\n';
    return text;
}

TextPage atlas_page(const Atlas& atlas, std::size_t device, bool measured) {
    const DeviceAtlas& on = atlas.devices[device];
    TextPage page{.subject = on.device.name};
    page.add(BlockKind::title, on.device.name);
    FactTable facts{.rows = pace_facts(atlas, on), .wide_column = 1};
    page.add(std::move(facts));
    if (!batch_fits(atlas, on)) page.add(BlockKind::text, too_large_batch(atlas));
    page.add(BlockKind::heading, "Operations");
    const ReportTable table = export_table(columns_of(atlas), lines_of(atlas, on));
    page.add(narrow(table, page_columns(atlas, device, measured)));
    page.add(
        BlockKind::note,
        fmt::format("A larger batch gains from a product up to its ridge, and nothing from what has none: "
                    "there each {} brings bytes of its own. Asymptotic is the rule of thumb, for weights "
                    "much larger than all else.",
                    atlas.model.is_vision() ? "image" : "sequence"));
    FactTable sizes{.rows = memory_facts(on), .wide_column = 1};
    for (FactRow& row : model_facts(atlas))
        sizes.rows.push_back(std::move(row));
    page.add(BlockKind::heading, "Memory");
    page.add(std::move(sizes));
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

ReportTable measured_table(const Atlas& atlas, const AtlasProfile& laid) {
    return export_table(measured_columns(), measured_lines(atlas, laid));
}

TextPage measured_page(const Atlas& atlas, const AtlasProfile& laid) {
    constexpr std::size_t most_rows = 40;
    constexpr std::size_t name_chars = 40;
    FactTable facts = narrow(measured_table(atlas, laid), {"operation", "intensity", "measured_intensity",
                                                           "least_time", "time", "factor"});
    if (facts.rows.size() > most_rows) facts.rows.resize(most_rows);
    for (FactRow& row : facts.rows)
        row.cells[0] = {shorten_kernel_name(row.cells[0].text, name_chars), row.cells[0].text};
    TextPage page{.subject = "measured"};
    page.add(BlockKind::title, "Measured");
    page.add(std::move(facts));
    for (const std::string& note : measured_notes(atlas, measured_lines(atlas, laid)))
        page.add(BlockKind::note, note);
    return page;
}

std::string to_atlas_json(const Atlas& atlas, const AtlasProfile* measured) {
    const ModelWork& work = atlas.work;
    return json_document([&](JsonWriter& json) {
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
        if (measured) {
            json.next_line();
            json.object_lines("measured", measured_lines(atlas, *measured),
                              [&](const MeasuredLine& line) { write_measured(json, line); });
        }
        json.next_line();
    });
}

}  // namespace roofwalk
