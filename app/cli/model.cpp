// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/device_name.h"
#include "app/cli/exit_code.h"
#include "app/cli/model_list.h"
#include "app/cli/model_view.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/operations/data_type.h"
#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"
#include "core/roofline/utilisation.h"

namespace roofwalk::cli {

namespace {

struct ModelOptions {
    std::vector<std::string> words;  ///< an operation, as one word or as several
    std::string device;
    std::string format = "table";
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
    std::string text;
    for (const std::string& word : options.words)
        text += (text.empty() ? "" : " ") + word;
    auto model = model_operation(text);
    if (!model) return tl::unexpected(model.error());
    ModelView view{.model = *std::move(model), .spec = nullptr, .device = nullptr, .bounds = {}};
    if (!options.device.empty()) {
        const auto device = named_device(options.device);
        if (!device) return tl::unexpected(device.error());
        view.device = *device;
    }
    view.spec = find_operation(view.model.operation);
    if (view.device) view.bounds = bounds_of(view.model, *view.device);
    for (const std::string& warning : view.model.warnings)
        say_warning(warning);
    return options.format == "json" ? to_model_json(view) : to_model_text(view);
}

/// With a batch a matrix times a vector is a GEMM, which runs where matrix products of its type do unless a
/// pipe was chosen.
std::optional<Intensity> ridge_of_batched(const ModelView& view) {
    const std::vector<PipeWork>& work = view.model.work;
    const auto chosen = std::ranges::find(view.model.arguments, "pipe", &OperationArgument::name);
    const bool is_chosen = chosen != view.model.arguments.end() && chosen->given;
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

int model(const ModelOptions& options) {
    const bool lists = options.list || options.words.empty();
    const auto written = (lists ? listed(options) : modelled(options)).and_then([&](const std::string& text) {
        return write_words(options.output, text);
    });
    if (written) return exit_done;
    return fail(written.error());
}

}  // namespace

std::optional<BatchToRidge> batch_to_ridge(const ModelView& view) {
    if (!view.model.batchable) return std::nullopt;
    const GemmShape& shape = *view.model.batchable;
    const auto ridge = ridge_of_batched(view);
    if (!ridge) return std::nullopt;
    return BatchToRidge{*ridge, gemm_batch_to_ridge(shape, *ridge), ridge->value() * bytes_of(shape.b) / 2};
}

void add_model(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("model", "Work, least bytes and least time of an operation");
    const auto options = std::make_shared<ModelOptions>();
    verb->add_option(
            "OPERATION", options->words,
            "such as \"gemm m=4096 n=4096 k=4096 dtype=fp16\"; without it, every operation is listed")
        ->type_name("");
    verb->add_option("--device", options->device, "GPU of the built-in table, such as \"H100 SXM\"")
        ->type_name("NAME");
    verb->add_flag("--list", options->list, "list operations with their parameters; all, or those named");
    verb->add_option("--format", options->format, "how the numbers are written")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    verb->add_option("-o,--output", options->output, "file to write, - for stdout")
        ->type_name("FILE")
        ->capture_default_str();
    verb->callback([options, &status] { status = model(*options); });
}

}  // namespace roofwalk::cli
