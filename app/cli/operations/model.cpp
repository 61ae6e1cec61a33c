// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/cli/console.h"
#include "app/cli/operations/target_devices.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/base/enum_array.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/devices/device_ceilings.h"
#include "core/model/profile_codec.h"
#include "core/operations/data_type.h"
#include "core/operations/op_bounds.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"
#include "core/operations/op_spec.h"
#include "core/roofline/launch_floor.h"
#include "core/roofline/utilisation.h"
#include "core/roofline/verdict_words.h"

namespace roofwalk::cli {

namespace {

constexpr EnumArray<ParameterKind, std::string_view, 7> kind_ids{"count", "number", "type",   "choice",
                                                                 "flag",  "pipe",   "formula"};

/// "needed", "4096", "as heads"
std::string default_text(const ParameterSpec& parameter) {
    if (parameter.required()) return "needed";
    if (parameter.default_value.starts_with('='))
        return fmt::format("as {}", parameter.default_value.substr(1));
    return std::string(parameter.default_value);
}

/// What follows the meaning: choices, unit, second name.
std::string remarks(const ParameterSpec& parameter) {
    std::string text;
    const auto add = [&](std::string_view what) {
        text += fmt::format("{}{}", text.empty() ? "" : "; ", what);
    };
    if (parameter.kind == ParameterKind::choice || parameter.kind == ParameterKind::flag)
        add(allowed_values(parameter));
    if (!parameter.alias.empty()) add(fmt::format("also {}", parameter.alias));
    return text.empty() ? text : " (" + text + ")";
}

void write_parameter(JsonWriter& json, const ParameterSpec& parameter) {
    FieldWriter field(json);
    field("name", always(parameter.name));
    field("alias", parameter.alias);
    field("kind", kind_ids[parameter.kind]);
    field("required", parameter.required());
    field("default", parameter.default_value);
    field("unit", parameter.unit);
    field("meaning", always(parameter.meaning));
    field("allowed", always(allowed_values(parameter)));
}

/// Operations with their parameters, formulas and an example, for people and for scripts.
std::string to_list_text(std::span<const OperationSpec* const> specs) {
    std::string text;
    for (const OperationSpec* spec : specs) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", spec->name, spec->summary);
        text += spec->aliases.empty()
                    ? "\n"
                    : fmt::format(" (also {})\n", joined(split_choices(spec->aliases), ", "));
        for (const ParameterSpec& parameter : spec->parameters)
            text += fmt::format("  {:<18}{:<11} {}{}\n", parameter.name, default_text(parameter),
                                parameter.meaning, remarks(parameter));
        if (spec->takes_names)
            text += "  NAME              number      any further number, for the formulas\n";
        text +=
            fmt::format("  work: {}\n  bytes: {}\n  as in: {}\n", spec->work, spec->traffic, spec->example);
    }
    return text;
}

std::string to_list_json(std::span<const OperationSpec* const> specs) {
    return json_document([&](JsonWriter& json) {
        json.member("format", "roofwalk-operations");
        json.member("version", 1);
        json.object_lines("operations", specs, [&](const OperationSpec* spec) {
            json.member("name", spec->name);
            json.array("aliases", split_choices(spec->aliases),
                       [&](std::string_view alias) { json.value(alias); });
            json.member("summary", spec->summary);
            json.member("work", spec->work);
            json.member("bytes", spec->traffic);
            json.member("source", spec->source);
            json.member("example", spec->example);
            json.member("takes_names", spec->takes_names);
            json.object_lines("parameters", spec->parameters,
                              [&](const ParameterSpec& parameter) { write_parameter(json, parameter); });
        });
        json.next_line();
    });
}

/// An operation, and where it stands under the roofs of a device when one was named.
struct ModelView {
    OperationModel model;
    const OperationSpec* spec = nullptr;
    std::optional<Device> device;  ///< absent without one
    KernelPoint bounds;            ///< empty without a device
    LaunchFloor floor{};

    /// What a launch of its own takes: its bound, or the floor of launches. Absent where no bound is known.
    [[nodiscard]] std::optional<Seconds> least_time() const {
        const auto& bound = bounds.speed_of_light;
        return bound ? std::optional(std::max(*bound, floor.time)) : std::nullopt;
    }
    [[nodiscard]] bool launch_binds() const { return least_time() > bounds.speed_of_light; }
    [[nodiscard]] std::optional<FlopRate> attainable() const {
        const auto at_roofs = attainable_performance(bounds);
        return at_roofs && launch_binds() ? std::optional(*bounds.work / floor.time) : at_roofs;
    }
};

/// Where the floor of launches is from.
std::string source_of(const LaunchFloor& floor) {
    return std::string(floor.source == LaunchFloorSource::usual ? usual_launch_floor_source
                                                                : id_of(floor.source));
}

/// The M that lifts the operation to the ridge of its device.
struct BatchToRidge {
    Intensity ridge;
    std::optional<double> exact;  ///< absent: no batch reaches it
    double asymptotic = 0;        ///< asymptotic_batch()
};

/// With a batch a matrix times a vector is a GEMM, which runs where matrix products of its type do unless a
/// pipe was chosen.
std::optional<Intensity> ridge_of_batched(const ModelView& view) {
    const std::vector<PipeWork>& work = view.model.work;
    const bool is_chosen = !given_value(view.model, "pipe").empty();
    if (!view.bounds.ceilings || is_chosen || work.size() != 1 || work.front().matrix) {
        const auto place = ridge_place(view.bounds);
        return place ? std::optional(place->ridge) : std::nullopt;
    }
    const CeilingSet& ceilings = *view.bounds.ceilings;
    const GemmShape& shape = *view.model.batchable;
    const PipeWork product{matrix_pipe(product_type(shape.a, shape.b)), work.front().work, true};
    const ComputeCeiling* compute = ceilings.find(pipe_on(product, ceilings));
    const BandwidthCeiling* memory = ceilings.find(default_boundary(MemoryLevel::hbm));
    if (compute == nullptr || memory == nullptr) return std::nullopt;
    return compute->rate / memory->rate;
}

/// Absent where the operation has no batch or the ridge is unknown.
std::optional<BatchToRidge> batch_to_ridge(const ModelView& view) {
    if (!view.model.batchable) return std::nullopt;
    const GemmShape& shape = *view.model.batchable;
    const auto ridge = ridge_of_batched(view);
    if (!ridge) return std::nullopt;
    return BatchToRidge{*ridge, gemm_batch_to_ridge(shape, *ridge), asymptotic_batch(shape, *ridge)};
}

std::string row(std::string_view label, std::string_view value, std::string_view remark = {}) {
    constexpr std::size_t value_width = 18;
    const std::string_view apart = value.size() >= value_width ? "  " : "";
    std::string line = fmt::format("  {:<16}{:<{}}{}{}", label, value, value_width, apart, remark);
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

/// Every digit, where a double still has them.
std::string exact(double amount, std::string_view unit) {
    return amount >= 1000 && amount < 1e15 ? fmt::format("{} {}", format_count(amount), unit) : "";
}

std::string bytes_row(std::string_view label, Bytes bytes) {
    return row(label, format(bytes), exact(bytes.value(), "B"));
}

std::string amounts(const OperationModel& model) {
    const std::string_view unit = counts_integers(model) ? "OP" : "FLOP";
    const std::string per_byte = fmt::format(" {}/byte", unit);
    std::string text;
    for (const PipeWork& part : model.work)
        text += row("work", format(part.work, unit),
                    fmt::format("{:<30}{}", exact(part.work.value(), unit), label_of(part.pipe)));
    text += bytes_row("read", model.read);
    text += bytes_row("written", model.written);
    text += bytes_row("bytes", model.compulsory());
    text += row("intensity", format_number(model.intensity().value(), 5) + per_byte, "work / bytes");
    if (model.intermediates.value() > 0) {
        text += bytes_row("unfused", model.intermediates);
        text += row("", "", model.intermediates_of);
        text += row("intensity", format_number(model.variant_intensity().value(), 5) + per_byte,
                    "work / (bytes + unfused)");
    }
    return text;
}

template <class Ceiling>
std::string provenance_of(const Ceiling* ceiling) {
    return ceiling ? describe(ceiling->provenance) : std::string();
}

std::string bound_row(std::string_view label, std::optional<Seconds> bound, std::string_view ceiling,
                      const std::string& provenance) {
    if (!bound) return row(label, "unknown", provenance);
    return row(label, format(*bound), fmt::format("at {:<16} {}", ceiling, provenance));
}

std::string bounds_rows(const KernelPoint& bounds) {
    std::string text;
    for (const PipeLoad& load : bounds.pipes)
        if (load.work.value() > 0)
            text += bound_row(
                label_of(load.pipe), load.bound,
                load.ceiling ? format(*load.ceiling, counts_integers(load.pipe) ? "OP/s" : "FLOP/s") : "",
                load.ceiling ? provenance_of(bounds.ceilings->find(load.pipe))
                : load.pipe.kind == PipeKind::int32
                    ? "no one rate: additions and multiply-adds are of two pipes (help, Ceilings)"
                    : "no ceiling known");
    for (const auto& level : bounds.levels)
        if (level)
            text += bound_row(label_of(level_of(level->boundary), bounds.memory), level->bound,
                              level->ceiling ? format(*level->ceiling) : "",
                              level->ceiling ? provenance_of(bounds.ceilings->find(level->boundary))
                                             : no_ceiling_words(*bounds.ceilings));
    return text;
}

std::string verdict_rows(const ModelView& view) {
    const KernelPoint& bounds = view.bounds;
    if (!bounds.binding) return row("binds", "unknown", "a ceiling that may bind is not known");
    const std::string ridge = ridge_words(bounds);
    std::string text =
        row("binds", label_of(*bounds.binding, bounds.memory),
            std::string(label_of(bounds.verdict.kernel_class)) + (ridge.empty() ? "" : ", " + ridge));
    if (view.launch_binds())
        text += row("at the roofs", format(*bounds.speed_of_light), "shorter than a launch takes");
    text += row("least time", format(*view.least_time()), view.launch_binds() ? "what a launch takes" : "");
    text += row("launch", format(view.floor.time),
                fmt::format("on the GPU at least ({})", source_of(view.floor)));
    const auto attainable = view.attainable();
    if (attainable && bounds.compute_ceiling)
        text += row("attainable", format(*attainable, counts_integers(view.model) ? "OP/s" : "FLOP/s"),
                    format_percent(*attainable / *bounds.compute_ceiling) + " of the compute ceiling");
    if (const auto residence = l2_residence(view.model, *view.device))
        text += row("", "", l2_sentence(*residence, *view.device->l2_size, view.bounds.memory));
    return text;
}

/// Of a product in tiles, where it stands at each level.
std::string tile_rows(const ModelView& view) {
    const std::string unit = counts_integers(view.model) ? "OP" : "FLOP";
    std::string text;
    for (const TileLevel& level : tile_levels(view.model, view.bounds)) {
        const Intensity intensity = view.model.total_work() / level.bytes;
        std::string rate;
        if (level.rate && view.bounds.compute_ceiling)
            rate = fmt::format("ridge {} at {}, {}",
                               format_number((*view.bounds.compute_ceiling / *level.rate).value()),
                               format(*level.rate), level.source);
        text += row(level.name, format(intensity, unit + "/byte"), rate);
    }
    return text.empty() ? text : "\nintensity at each level\n" + text;
}

std::string batch_row(const ModelView& view) {
    const auto batch = batch_to_ridge(view);
    if (!batch) return {};
    const std::string ridge = format_number(batch->ridge.value(), 5);
    if (!batch->exact)
        return row("batch to ridge", "none",
                   fmt::format("no batch reaches the {} ridge of {}", label_of(view.bounds.memory), ridge));
    return row(
        "batch to ridge", format_count(std::ceil(*batch->exact)),
        fmt::format(
            "as m of a gemm reaches the {} ridge of {} (with very large weights {}), the next whole number",
            label_of(view.bounds.memory), ridge, format_count(std::ceil(batch->asymptotic))));
}

std::string conventions(const ModelView& view) {
    std::string text = "how it is counted\n";
    for (const auto& [label, words] :
         {std::pair("work", view.spec->work), std::pair("bytes", view.spec->traffic),
          std::pair("source", view.spec->source)})
        text += fmt::format("  {:<16}{}\n", label, words);
    for (const std::string& note : view.model.notes)
        text += fmt::format("  {}\n", note);
    return text;
}

void write_amounts(JsonWriter& json, const OperationModel& model) {
    json.line("unit", counts_integers(model) ? "OP" : "FLOP");
    json.objects("pipes", model.work, [&](const PipeWork& part) {
        json.member("pipe", part.pipe);
        json.member("work", part.work);
    });
    json.member("work", model.total_work());
    json.member("bytes_read", model.read);
    json.member("bytes_written", model.written);
    json.member("bytes", model.compulsory());
    json.member("intensity", model.intensity());
    json.line("intermediate_bytes", model.intermediates);
    if (!model.intermediates_of.empty()) json.member("intermediates", model.intermediates_of);
    json.member("variant_intensity", model.variant_intensity());
}

void write_bounds(JsonWriter& json, const KernelPoint& bounds) {
    json.key("bounds");
    json.begin_array();
    for (const PipeLoad& load : bounds.pipes)
        json.object([&] {
            json.member("pipe", load.pipe);
            json.member("ceiling", load.ceiling);
            json.member("time_s", load.bound);
        });
    for (const auto& level : bounds.levels)
        if (level)
            json.object([&] {
                json.member("boundary", level->boundary);
                json.member("ceiling", level->ceiling);
                json.member("time_s", level->bound);
            });
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

void write_device(JsonWriter& json, const ModelView& view, const Device& device) {
    const KernelPoint& bounds = view.bounds;
    json.member("name", device.name);
    write_bounds(json, bounds);
    json.line("binding",
              bounds.binding ? std::optional(label_of(*bounds.binding, bounds.memory)) : std::nullopt);
    json.member("binding_id", bounds.binding);
    json.member("class", bounds.verdict.kernel_class);
    json.member("time_s", view.least_time());
    json.member("roof_time_s", bounds.speed_of_light);
    json.object("launch", [&] {
        json.member("floor_s", view.floor.time);
        json.member("source", source_of(view.floor));
        json.member("longer_than_bound",
                    bounds.speed_of_light ? std::optional(view.launch_binds()) : std::nullopt);
    });
    json.member("attainable", view.attainable());
    const auto place = ridge_place(bounds);
    json.member("ridge", place ? std::optional(place->ridge) : std::nullopt);
    if (place) {
        json.member("side", bounds.verdict.side.value());
        json.member("near_ridge", bounds.verdict.near_ridge);
    }
    const auto residence = l2_residence(view.model, device);
    json.member("fits_l2", residence ? std::optional(residence->fit == L2Fit::all) : std::nullopt);
    json.object_or_null("l2", residence, [&](const L2Residence& found) {
        json.member("fits", found.fit);
        json.member("bytes", found.needed);
        json.member("share", found.share);
    });
    json.object_or_null("batch_to_ridge", batch_to_ridge(view), [&](const auto& batch) {
        json.member("exact", batch.exact);
        json.member("asymptotic", batch.asymptotic);
    });
    json.line("ceilings", used_ceilings(bounds));
}

/// For people: amounts, bounds, conventions.
std::string to_model_text(const ModelView& view) {
    std::string text = fmt::format("{}: {}\n", view.spec->name, view.spec->summary);
    std::string arguments;
    for (const OperationArgument& argument : view.model.arguments)
        arguments += fmt::format(" {}={}", argument.name, argument.value);
    text += " " + printable(arguments) + "\n\n" + amounts(view.model);
    if (view.device)
        text += fmt::format("\nlower bounds of time on {}\n", view.device->name) + bounds_rows(view.bounds) +
                verdict_rows(view) + batch_row(view);
    text += tile_rows(view);
    return text + "\n" + conventions(view);
}

/// For scripts, in base units.
std::string to_model_json(const ModelView& view) {
    return json_document([&](JsonWriter& json) {
        json.member("format", "roofwalk-operation");
        json.member("version", 1);
        json.next_line();
        json.member("operation", view.model.operation);
        json.member("text", to_text(view.model));
        json.next_line();
        json.objects("arguments", view.model.arguments, [&](const OperationArgument& argument) {
            json.member("name", argument.name);
            json.member("value", argument.value);
            json.member("given", argument.given);
        });
        write_amounts(json, view.model);
        json.next_line();
        json.object("formula", [&] {
            json.member("work", view.spec->work);
            json.member("bytes", view.spec->traffic);
            json.member("source", view.spec->source);
        });
        json.next_line();
        json.objects("levels", tile_levels(view.model, view.bounds), [&](const TileLevel& level) {
            json.member("level", level.name);
            json.member("bytes", level.bytes);
            json.member("intensity", view.model.total_work() / level.bytes);
            json.member("rate", level.rate);
            json.member("source", level.source);
        });
        json.line("notes", view.model.notes);
        json.line("warnings", view.model.warnings);
        json.next_line();
        json.object_or_null("device", view.device,
                            [&](const Device& device) { write_device(json, view, device); });
        json.next_line();
    });
}

struct ModelOptions {
    std::vector<std::string> words;  ///< an operation, as one word or as several
    TargetOptions target;
    std::string format;
    std::string output = "-";
    bool list = false;
};

/// The operations named, or all of them.
Result<std::string> listed(const ModelOptions& options) {
    std::vector<const OperationSpec*> specs(operations().begin(), operations().end());
    if (!options.words.empty()) specs.clear();
    for (const std::string& word : options.words) {
        const OperationSpec* spec = find_operation(word);
        if (!spec) return tl::unexpected(unknown_operation(word));
        specs.push_back(spec);
    }
    return options.format == "json" ? to_list_json(specs) : to_list_text(specs);
}

Result<std::string> modelled(const ModelOptions& options) {
    auto model = model_operation(joined(options.words, " "));
    if (!model) return tl::unexpected(model.error());
    ModelView view{.model = *std::move(model), .spec = nullptr, .device = {}, .bounds = {}};
    Result<TargetDevices> target = target_devices(options.target);
    if (!target) return tl::unexpected(target.error());
    if (!target->devices.empty()) {
        view.device = std::move(target->devices.front());
        view.floor = target->floors.front();
        view.bounds = bounds_of(view.model, *view.device, target->options);
    }
    view.spec = find_operation(view.model.operation);
    for (const std::string& warning : view.model.warnings)
        say_warning(warning);
    return options.format == "json" ? to_model_json(view) : to_model_text(view);
}

int model(const ModelOptions& options) {
    const bool lists = options.list || options.words.empty();
    const auto written = (lists ? listed(options) : modelled(options)).and_then([&](const std::string& text) {
        return write_words(options.output, text);
    });
    if (written) return exit_done;
    return fail(written.error());
}

}  // namespace

void add_model(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("model", "Work, least bytes and least time of an operation");
    const auto options = std::make_shared<ModelOptions>();
    verb->add_option(
            "OPERATION", options->words,
            "such as \"gemm m=4096 n=4096 k=4096 dtype=fp16\"; without it, every operation is listed")
        ->type_name("");
    add_target_options(*verb, options->target, 1);
    verb->add_flag("--list", options->list, "list operations with their parameters; all, or those named");
    add_output_options(*verb, options->format, options->output, {"table", "json"});
    verb->callback([options, &status] { status = model(*options); });
}

}  // namespace roofwalk::cli
