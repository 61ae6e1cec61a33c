// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <stop_token>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/exit_code.h"
#include "app/cli/input_text.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/ceilings/ceiling_comparison.h"
#include "profiler/measure/ceiling_cache.h"
#include "profiler/measure/measuring.h"

namespace roofwalk::cli {

namespace {

struct CeilingsOptions {
    std::string output;
    std::string format = "table";
    MeasureRequest request;
    std::string import;
    std::string program;
    bool list = false;
};

int refused(const Error& error) {
    say_error(error);
    return exit_code_of(error.code);
}

std::string today() {
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now()));
}

void say_all(const std::vector<Error>& problems) {
    for (const Error& problem : problems)
        say_warning(printable(to_line(problem)));
}

/// Keeps a measurement where later reports find it; that it cannot be kept spoils nothing else.
void keep_ceilings(const MeasuredCeilings& measured) {
    const auto cache = CeilingCache::of_user();
    if (!cache) {
        say_warning("Neither XDG_DATA_HOME nor HOME names a folder: the ceilings are not kept");
        return;
    }
    const CeilingCache::Kept before = cache->read();
    const bool whole_is_kept = std::ranges::any_of(before.measured, [&](const MeasuredCeilings& kept) {
        return kept.complete && kept.device.device.uuid == measured.device.device.uuid;
    });
    if (!measured.complete && whole_is_kept) {
        say_warning("A whole measurement of this board is kept already: this one does not replace it");
        return;
    }
    const auto file = cache->keep(measured);
    if (!file)
        say_warning(printable(to_line(file.error())));
    else
        say(printable("Kept in " + file->string() + "; reports of this board use it from now on."));
}

int write_ceilings(const CeilingsOptions& options, const MeasuredCeilings& measured) {
    const std::string json = measured_ceilings_json(measured);
    if (!options.output.empty())
        if (const auto written = write_output(options.output, json); !written)
            return refused(written.error());
    if (options.output == "-") return exit_done;
    const auto shown = write_output("-", options.format == "json" ? json : ceiling_comparison_text(measured));
    return shown ? exit_done : refused(shown.error());
}

int import_ceilings(const CeilingsOptions& options) {
    const auto measured = InputText::read(options.import).and_then([&](const InputText& input) {
        return read_measured_ceilings(input.text(), said_name(options.import));
    });
    if (!measured) return refused(measured.error());
    keep_ceilings(*measured);
    return write_ceilings(options, *measured);
}

std::string age_of(const MeasuredCeilings& kept, const std::vector<ListedGpu>& gpus) {
    const auto here = std::ranges::find(gpus, kept.device.device.uuid,
                                        [](const ListedGpu& gpu) { return gpu.device.device.uuid; });
    if (here == gpus.end()) return gpus.empty() ? "age not known here" : "of another machine";
    const std::vector<std::string> reasons = why_stale(kept, here->device);
    std::string text;
    for (const std::string& reason : reasons)
        text += (text.empty() ? "stale: " : " ") + reason;
    return text.empty() ? "holds" : text;
}

int list_ceilings(const CeilingsOptions& options) {
    const auto gpus = list_gpus(options.request.program);
    const auto cache = CeilingCache::of_user();
    const CeilingCache::Kept kept = cache ? cache->read() : CeilingCache::Kept{};
    say_all(kept.problems);
    std::string text;
    if (gpus)
        for (const ListedGpu& gpu : *gpus)
            text += printable(fmt::format("GPU {}  {}  {}", gpu.index, gpu.device.device.uuid,
                                          gpu.device.device.name)) +
                    "\n";
    for (const MeasuredCeilings& measured : kept.measured)
        text += printable(fmt::format("kept   {}  {}  {}{}, {}", measured.device.device.uuid,
                                      measured.device.device.name, measured.date,
                                      measured.complete ? "" : " (cut)",
                                      age_of(measured, gpus.value_or(std::vector<ListedGpu>{})))) +
                "\n";
    if (const auto written = write_output("-", text); !written) return refused(written.error());
    return gpus ? exit_done : refused(gpus.error());
}

int measure_ceilings(const CeilingsOptions& options) {
    EndSignals signals;
    std::stop_source stop;
    MeasureRequest request = options.request;
    request.date = today();
    std::optional<ProgressLine> line(std::in_place, "measuring the GPU");
    const auto measured = measure_ceilings(request, stop.get_token(),
                                           [&](const MeasuringProgress& progress, const MeasuredCeilings&) {
                                               if (signals.take() != 0) stop.request_stop();
                                               if (progress.of > 0)
                                                   line->show(double(progress.done) / double(progress.of));
                                           });
    line.reset();
    if (!measured) return refused(measured.error());
    say_all(measured->problems);
    keep_ceilings(*measured);
    const int written = write_ceilings(options, *measured);
    if (measured->complete || written != exit_done) return written;
    say_warning("The measurement was cut: not every roof is among what was measured");
    return exit_no_profiling;
}

int run_ceilings(const CeilingsOptions& options) {
    if (options.list) return list_ceilings(options);
    return options.import.empty() ? measure_ceilings(options) : import_ceilings(options);
}

}  // namespace

void add_ceilings(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand(
        "ceilings",
        "Measure the roofs of a GPU of this machine, and keep them for its reports (about 10 seconds)");
    const auto options = std::make_shared<CeilingsOptions>();
    verb->add_option("-o,--output", options->output, "write them as JSON to FILE too (- for stdout alone)")
        ->type_name("FILE");
    verb->add_option("--format", options->format, "what stdout gets")
        ->check(CLI::IsMember({"table", "json"}))
        ->default_str("table");
    CLI::Option* device = verb->add_option("--device", options->request.device,
                                           "UUID, a beginning of one, or number of nvidia-smi")
                              ->type_name("UUID|NUMBER");
    CLI::Option* import = verb->add_option("--import", options->import,
                                           "measure nothing: keep what -o wrote, on this machine or another")
                              ->type_name("FILE");
    verb->add_flag("--list", options->list, "measure nothing: name the GPUs here, and what is kept")
        ->excludes(import)
        ->excludes(device);
    import->excludes(device);
    verb->add_option("--program", options->program, "the benchmarks, where they are not installed")
        ->type_name("FILE");
    verb->callback([options, &status] {
        options->request.program = options->program;
        status = run_ceilings(*options);
    });
}

}  // namespace roofwalk::cli
