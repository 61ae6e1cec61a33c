// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/chart/chart_file.h"
#include "app/cli/chart/chart_look.h"
#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/input.h"
#include "app/cli/operations/target_devices.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "app/cli/verb.h"
#include "app/cli/view_arguments.h"
#include "core/atlas/atlas_chart.h"
#include "core/atlas/atlas_report.h"
#include "core/atlas/model_document.h"
#include "core/base/text.h"
#include "core/chart/svg/svg_writer.h"

namespace roofwalk::cli {

namespace {

constexpr std::uint64_t largest_batch = 1'000'000;
constexpr std::uint64_t longest_context = 100'000'000;

struct AtlasOptions {
    std::string model;
    TargetOptions target;
    std::uint64_t batch = 1;
    std::optional<std::uint64_t> context;
    std::string phase;  ///< empty: decode of a model that writes text
    std::string weights = "fp16";
    std::string kv;  ///< empty: as the activations
    std::string activations = "fp16";
    std::string format;  ///< empty: as the output is called
    std::string output = "-";
    ChartLook look;
    ViewArguments measured;  ///< of what is laid over it; without files nothing is
};

std::string type_check(const std::string& name) {
    return data_type_from_name(name) ? ""
                                     : "'" + name + "' is not a type such as fp16, bf16, fp8, int8 or int4";
}

DataType type_of(const std::string& name) {
    return data_type_from_name(name).value_or(DataType::fp16);
}

/// A name of the built-in models, or a file with sizes.
Result<ModelDocument> named_model(const std::string& name) {
    Result<ModelDocument> built_in = built_in_model(name);
    std::error_code ignored;
    if (built_in || (!is_stream(name) && name.find('/') == std::string::npos && !name.ends_with(".json") &&
                     !std::filesystem::is_regular_file(name, ignored)))
        return built_in;
    return open_input(name, "Give the config.json of a model; --report lays a report over the atlas.")
        .and_then([&](const MappedFile& file) { return read_model(file.text(), name_for_display(name)); });
}

Result<ModelRun> run_of(const ModelDocument& model, const AtlasOptions& options) {
    ModelRun run;
    if (model.is_vision() && options.context)
        return unexpected(ErrorCode::bad_argument, model.name + " works on images, which have no context",
                          "--context", "Its tokens follow from the size of the image.");
    run.batch = static_cast<double>(options.batch);
    run.context = static_cast<double>(options.context.value_or(4096));
    const bool prefill = options.phase.empty() ? model.is_vision() : options.phase == "prefill";
    run.phase = prefill ? ModelPhase::prefill : ModelPhase::decode;
    run.weights = type_of(options.weights);
    run.activations = type_of(options.activations);
    run.kv = options.kv.empty() ? run.activations : type_of(options.kv);
    return run;
}

/// What is written: as is asked for, else as the output is called. Fails where the two are not the same.
Result<std::string> format_of(const AtlasOptions& options) {
    const std::string suffix = suffix_of(options.output);
    for (const char* known : {"svg", "pdf", "png", "json", "csv"}) {
        if (suffix != std::string(".") + known) continue;
        if (options.format.empty() || options.format == known) return known;
        return unexpected(ErrorCode::bad_argument,
                          "--format " + options.format + " is not what a file of this name holds",
                          options.output, "Leave one of the two out.");
    }
    return options.format.empty() ? "table" : options.format;
}

/// What was measured of the model, where a report is named; on the GPU of the atlas where it names none. A
/// report that is left out gives `exit_code`.
Result<std::optional<MeasuredRun>> measured_run(const AtlasOptions& options, const Device& gpu,
                                                int& exit_code) {
    if (options.measured.files.empty()) return std::nullopt;
    return read_and_analyse(options.measured).transform([&](AnalysedReport report) {
        if (name_unnamed(report.profile, gpu, "--device"))
            say("A report that names no GPU is taken to be of " + gpu.name + ".");
        exit_code = report.files.exit_code;
        return std::optional(MeasuredRun{report.profile, report.analysis.options});
    });
}

Result<void> written(const Atlas& atlas, const AtlasOptions& options, const std::string& format,
                     const std::optional<MeasuredRun>& measured) {
    if (format == "svg" || format == "pdf" || format == "png") {
        const AtlasScene made = scene_of(atlas, {options.look.colours(), options.look.title}, measured);
        const PageSpec page = options.look.page();
        const PagePlacement laid = lay_out_page(made.scene, page);
        say_changed(page, laid);
        return chart_as(chart_format("chart." + format), to_svg(laid, made.scene, made.shown.analysis),
                        options.look)
            .and_then([&](const std::string& file) { return write_output(options.output, file); });
    }
    std::optional<AtlasProfile> laid;
    if (measured) laid = profile_of(atlas, measured);
    const AtlasProfile* beside = laid ? &*laid : nullptr;
    if (format == "json") return write_output(options.output, to_atlas_json(atlas, beside));
    if (format == "csv")
        return write_output(options.output,
                            to_csv(beside ? measured_table(atlas, *beside) : atlas_table(atlas)));
    return write_words(options.output, to_atlas_text(atlas, beside));
}

Result<int> made(const AtlasOptions& options) {
    const Result<std::string> format = format_of(options);
    if (!format) return tl::unexpected(format.error());
    const Result<ModelDocument> model = named_model(options.model);
    if (!model) return tl::unexpected(model.error());
    const Result<ModelRun> run = run_of(*model, options);
    if (!run) return tl::unexpected(run.error());
    const Result<TargetDevices> target = target_devices(options.target);
    if (!target) return tl::unexpected(target.error());
    int exit_code = exit_done;
    const auto measured = measured_run(options, target->devices.front(), exit_code);
    if (!measured) return tl::unexpected(measured.error());
    const Result<Atlas> atlas = atlas_of(*model, *run, target->devices, target->options, *measured);
    if (!atlas) return tl::unexpected(atlas.error());
    return written(*atlas, options, *format, *measured).map([&] { return exit_code; });
}

int atlas(const AtlasOptions& options) {
    const Result<int> status = made(options);
    return status ? *status : fail(status.error());
}

std::string model_names() {
    return joined(models_json(), ", ", &ModelText::id);
}

void add_run_options(CLI::App& verb, AtlasOptions& options) {
    verb.add_option("--batch", options.batch, "sequences, or images, of a step")
        ->check(whole_number(1, largest_batch))
        ->type_name("N")
        ->capture_default_str();
    verb.add_option("--context", options.context,
                    "tokens of each sequence: of its prompt, or in its KV cache")
        ->check(whole_number(1, longest_context))
        ->type_name("N")
        ->default_str("4096");
    verb.add_option(
            "--phase", options.phase,
            "decode writes one token of each sequence, prefill reads their prompts; images have prefill only")
        ->check(CLI::IsMember({"decode", "prefill"}));
    verb.add_option("--weights", options.weights, "type of the weights")
        ->check(type_check)
        ->capture_default_str();
    verb.add_option("--kv", options.kv, "type of the KV cache (default: that of the activations)")
        ->check(type_check);
    verb.add_option("--activations", options.activations, "type of what flows between the operations")
        ->check(type_check)
        ->capture_default_str();
}

}  // namespace

void add_atlas(CLI::App& app, int& status) {
    CLI::App* verb =
        app.add_subcommand("atlas", "Where the operations of a model stand on a GPU, without a report");
    const auto options = std::make_shared<AtlasOptions>();
    verb->add_option("--model", options->model,
                     "a built-in model (" + model_names() + "), or the config.json of another")
        ->type_name("NAME|FILE")
        ->required();
    add_target_options(*verb, options->target, 2);
    verb->get_option("--device")->required();
    add_run_options(*verb, *options);
    repeatable(verb->add_option(
                       "--report", options->measured.files,
                       "a report of the same model, or a session, to be laid over the atlas: its operations "
                       "beside their places; may be given several times")
                   ->type_name("FILE"));
    add_bind_option(*verb, options->measured.bind);
    verb->get_option("--bind")->needs("--report");
    verb->add_option("--format", options->format,
                     "what is written (default: as the output is called, else table)")
        ->check(CLI::IsMember({"table", "json", "csv", "svg", "pdf", "png"}));
    verb->add_option("-o,--output", options->output, "file to write, - for stdout")
        ->type_name("FILE")
        ->check([](const std::string& file) {
            if (suffix_of(file) == ".json" || suffix_of(file) == ".csv") return std::string();
            return chart_format(file) == ChartFormat::html
                       ? "an atlas is no page of kernels: .svg, .pdf or .png"
                       : chart_file_check(file);
        })
        ->capture_default_str();
    add_look_options(*verb, options->look, [options] { return format_of(*options) == "png"; });
    verb->callback([options, &status] { status = atlas(*options); });
}

}  // namespace roofwalk::cli
