// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/model_view.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/model/profile_codec.h"
#include "core/roofline/launch_floor.h"
#include "core/roofline/utilisation.h"

namespace roofwalk::cli {

namespace {

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
    if (!bound) return row(label, "unknown", "no ceiling known");
    return row(label, format(*bound), fmt::format("at {:<16} {}", ceiling, provenance));
}

std::string bounds_rows(const KernelPoint& bounds) {
    std::string text;
    for (const PipeLoad& load : bounds.pipes)
        if (load.work.value() > 0)
            text += bound_row(
                label_of(load.pipe), load.bound,
                load.ceiling ? format(*load.ceiling, counts_integers(load.pipe) ? "OP/s" : "FLOP/s") : "",
                provenance_of(bounds.ceilings->find(load.pipe)));
    for (const auto& level : bounds.levels)
        if (level)
            text += bound_row(label_of(level_of(level->boundary)), level->bound,
                              level->ceiling ? format(*level->ceiling) : "",
                              provenance_of(bounds.ceilings->find(level->boundary)));
    return text;
}

std::string verdict_rows(const ModelView& view) {
    const KernelPoint& bounds = view.bounds;
    if (!bounds.binding) return row("binds", "unknown", "a ceiling that may bind is not known");
    const std::string ridge = ridge_words(bounds);
    std::string text =
        row("binds", label_of(*bounds.binding),
            std::string(label_of(bounds.verdict.kernel_class)) + (ridge.empty() ? "" : ", " + ridge));
    text += row("least time", format(*bounds.speed_of_light),
                *bounds.speed_of_light < shortest_launch
                    ? "shorter than any launch: no kernel of its own gets there"
                    : "");
    text += row("launch", "not counted",
                fmt::format("{} on the GPU at least, beside this bound ({})", format(shortest_launch),
                            shortest_launch_source));
    const auto attainable = attainable_performance(bounds);
    if (attainable && bounds.compute_ceiling)
        text += row("attainable", format(*attainable, counts_integers(view.model) ? "OP/s" : "FLOP/s"),
                    format_percent(*attainable / *bounds.compute_ceiling) + " of the compute ceiling");
    if (fits_l2(view.model, *view.device).value_or(false))
        text += row("", "",
                    fmt::format("All bytes fit into the L2 of {}: repeated launches need not reach HBM.",
                                format(*view.device->l2_size)));
    return text;
}

std::string batch_row(const ModelView& view) {
    const auto batch = batch_to_ridge(view);
    if (!batch) return {};
    const std::string ridge = format_number(batch->ridge.value());
    if (!batch->exact) return row("batch to ridge", "none", "no batch reaches the HBM ridge of " + ridge);
    return row("batch to ridge", format_count(std::ceil(*batch->exact)),
               fmt::format("as m of a gemm reaches the HBM ridge of {} (with very large weights {})", ridge,
                           format_count(std::ceil(batch->asymptotic))));
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

}  // namespace

std::string to_model_text(const ModelView& view) {
    std::string text = fmt::format("{}: {}\n", view.spec->name, view.spec->summary);
    std::string arguments;
    for (const OperationArgument& argument : view.model.arguments)
        arguments += fmt::format(" {}={}", argument.name, argument.value);
    text += " " + printable(arguments) + "\n\n" + amounts(view.model);
    if (view.device)
        text += fmt::format("\nlower bounds of time on {}\n", view.device->name) + bounds_rows(view.bounds) +
                verdict_rows(view) + batch_row(view);
    return text + "\n" + conventions(view);
}

namespace {

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
    json.line("binding", bounds.binding ? std::optional(label_of(*bounds.binding)) : std::nullopt);
    json.member("class", bounds.verdict.kernel_class);
    json.member("time_s", bounds.speed_of_light);
    // What a launch takes at least is no part of time_s.
    json.object("launch", [&] {
        json.member("counted", false);
        json.member("shortest_s", shortest_launch);
        json.member("source", shortest_launch_source);
        const auto& least = bounds.speed_of_light;
        json.member("longer_than_bound", least ? std::optional(shortest_launch > *least) : std::nullopt);
    });
    json.member("attainable", attainable_performance(bounds));
    const auto place = ridge_place(bounds);
    json.member("ridge", place ? std::optional(place->ridge) : std::nullopt);
    if (place) {
        json.member("side", bounds.verdict.side.value());
        json.member("near_ridge", bounds.verdict.near_ridge);
    }
    json.member("fits_l2", fits_l2(view.model, device));
    json.object_or_null("batch_to_ridge", batch_to_ridge(view), [&](const auto& batch) {
        json.member("exact", batch.exact);
        json.member("asymptotic", batch.asymptotic);
    });
    json.line("ceilings", used_ceilings(bounds));
}

}  // namespace

std::string to_model_json(const ModelView& view) {
    JsonWriter json;
    json.begin_object();
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
    json.line("notes", view.model.notes);
    json.line("warnings", view.model.warnings);
    json.next_line();
    json.object_or_null("device", view.device,
                        [&](const Device& device) { write_device(json, view, device); });
    json.next_line();
    json.end_object();
    return json.take() + "\n";
}

}  // namespace roofwalk::cli
