// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "app/cli/console.h"
#include "app/cli/end_signals.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "core/base/text.h"
#include "core/devices/ceiling_comparison.h"
#include "profiler/recording/ceiling_benchmark.h"
#include "profiler/recording/ceiling_store.h"

namespace roofwalk::cli {

namespace {

struct CeilingsOptions {
    std::string output;
    std::string format = "table";
    CeilingBenchmarkRequest request;
    std::string import;
    std::string program;
    bool list = false;
};

void say_all(const std::vector<Error>& problems) {
    for (const Error& problem : problems)
        say_warning(to_line(problem));
}

/// That it cannot be kept spoils nothing else.
void say_kept(const Result<StoreOutcome>& kept) {
    if (kept)
        say(kept->sentence);
    else
        say_warning(to_line(kept.error()));
}

int write_ceilings(const CeilingsOptions& options, const MeasuredCeilings& measured) {
    const std::string json = measured_ceilings_json(measured);
    if (!options.output.empty())
        if (const auto written = write_output(options.output, json); !written) return fail(written.error());
    if (options.output == "-") return exit_done;
    const auto shown = write_words("-", options.format == "json" ? json : ceiling_comparison_text(measured));
    return shown ? exit_done : fail(shown.error());
}

int import_ceilings(const CeilingsOptions& options) {
    const auto measured =
        open_input(options.import, "Give a file that `ceilings -o` wrote.")
            .and_then([&](const MappedFile& input) {
                return read_measured_ceilings(input.text(), name_for_display(options.import));
            });
    if (!measured) return fail(measured.error());
    say_kept(keep_ceilings(*measured));
    return write_ceilings(options, *measured);
}

/// "holds (not compared: locked clocks)", "of another machine", or why it is stale.
std::string age_of(const StoredCeilings& kept) {
    std::string text;
    for (const std::string& reason : kept.stale)
        text += (text.empty() ? "stale: " : " ") + reason;
    if (!text.empty()) return text;
    if (!kept.here) return "of another machine";
    return kept.not_compared.empty()
               ? "holds"
               : fmt::format("holds (not compared: {})", fmt::join(kept.not_compared, ", "));
}

/// What is kept needs no GPU to be named.
int list_ceilings(const CeilingsOptions& options) {
    const CeilingStoreContent kept = stored_ceilings();
    say_all(kept.problems);
    std::string text;
    for (const StoredCeilings& each : kept.kept) {
        const MeasuredCeilings& measured = *each.measured;
        text += printable(fmt::format("kept   {}  {}  {}{}, {}", measured.device.device.uuid,
                                      measured.device.device.name, measured.date,
                                      measured.complete ? "" : " (cut)", age_of(each))) +
                "\n";
    }
    const StopOnSignal stop;
    const auto gpus = list_gpus(options.request.program, stop.token());
    std::string here;
    if (gpus)
        for (const ListedGpu& gpu : *gpus)
            here += printable(fmt::format(
                        "GPU {}  {}  {}{}", gpu.index, gpu.device.device.uuid, gpu.device.device.name,
                        gpu.obstacle ? ", cannot be measured: " + gpu.obstacle->what : "")) +
                    "\n";
    if (const auto written = write_words("-", here + text); !written) return fail(written.error());
    if (gpus) return exit_done;
    if (kept.kept.empty()) return fail(gpus.error());
    say_warning(to_line(gpus.error()));
    return exit_done;
}

int measure_ceilings(const CeilingsOptions& options) {
    const StopOnSignal stop;
    CeilingBenchmarkRequest request = options.request;
    request.date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now()));
    std::optional<ProgressLine> line(std::in_place, "measuring the GPU");
    const auto measured = measure_ceilings(
        request, stop.token(), [&](const CeilingBenchmarkProgress& progress, const MeasuredCeilings&) {
            if (progress.count > 0) line->show(double(progress.done) / double(progress.count));
        });
    line.reset();
    if (!measured) return fail(measured.error());
    say_all(measured->problems);
    say_kept(keep_ceilings(*measured));
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
    CLI::Option* output = verb->add_option("-o,--output", options->output,
                                           "write them as JSON to FILE too (- for stdout alone)")
                              ->type_name("FILE");
    CLI::Option* format = verb->add_option("--format", options->format, "what stdout gets")
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
        ->excludes(device)
        ->excludes(output)
        ->excludes(format);
    import->excludes(device);
    verb->add_option("--program", options->program, "the benchmarks, where they are not installed")
        ->type_name("FILE")
        ->excludes(import);
    verb->callback([options, &status] {
        options->request.program = options->program;
        status = run_ceilings(*options);
    });
}

}  // namespace roofwalk::cli
