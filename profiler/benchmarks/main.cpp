// SPDX-License-Identifier: Apache-2.0
// Measures the ceilings of one GPU and tells of each as soon as it is known, as lines of JSON on standard
// output. A signal that ends a program ends it after the kernel that runs; what was told stays told.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <span>
#include <string>

#include "profiler/benchmarks/bench_rig.h"
#include "profiler/benchmarks/command_line.h"
#include "profiler/benchmarks/device_lock.h"
#include "profiler/benchmarks/kernel_shapes.h"

namespace roofwalk::ceilings {

namespace {

constexpr double format_version = 1;

enum Exit : int { done = 0, failed = 1, usage = 2, cancelled = 3 };

volatile std::sig_atomic_t asked_to_end = 0;

void note_signal(int /*number*/) {
    asked_to_end = 1;
}

/// Whole lines at once, so that a reader never waits for the rest of one. Nobody there to read: an end.
void tell(const JsonLine& record) {
    const std::string line = record.line();
    std::size_t told = 0;
    while (told < line.size()) {
        const ssize_t count = write(STDOUT_FILENO, line.data() + told, line.size() - told);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) {
            asked_to_end = 1;
            return;
        }
        told += static_cast<std::size_t>(count);
    }
}

void tell(const Problem& problem, const char* id = "") {
    JsonLine line("problem");
    line.text("code", problem.code).text("what", problem.what).text("hint", problem.hint);
    if (*id != '\0') line.text("id", id);
    tell(line);
}

void known(JsonLine& line, const char* key, std::optional<double> value) {
    if (value && *value > 0) line.number(key, *value);
}

void describe(JsonLine& line, const Gpu& gpu) {
    line.number("index", gpu.ordinal)
        .text("uuid", gpu.uuid)
        .text("name", gpu.name)
        .text("bus_id", gpu.bus_id);
    line.text("compute_capability", std::to_string(gpu.major) + "." + std::to_string(gpu.minor));
    line.number("sm_count", gpu.sm_count);
    known(line, "boost_clock_hz", gpu.boost_clock);
    known(line, "memory_clock_hz", gpu.memory_clock);
    known(line, "memory_bus_bits", gpu.memory_bus_bits);
    known(line, "l2_bytes", gpu.l2_bytes);
    known(line, "memory_bytes", gpu.memory_bytes);
    line.truth("ecc", gpu.ecc);
}

void describe(JsonLine& line, const Nvml& nvml) {
    if (const std::string driver = nvml.driver_version(); !driver.empty()) line.text("driver", driver);
    known(line, "power_limit_w", nvml.power_limit());
    known(line, "highest_sm_clock_hz", nvml.highest_sm_clock());
    known(line, "application_clock_hz", nvml.application_clock());
    known(line, "temperature_c", nvml.temperature());
    if (const auto others = nvml.computing_processes()) line.number("other_processes", *others);
}

const char* rate_key(CountedUnit counted) {
    switch (counted) {
        case CountedUnit::bytes:
            return "rate_byte_per_s";
        case CountedUnit::operations:
            return "rate_op_per_s";
        case CountedUnit::flop:
            break;
    }
    return "rate_flop_per_s";
}

void tell(const Benchmark& benchmark, const BenchmarkResult& measured) {
    const Repetition& best = measured.repeated.best;
    JsonLine line(benchmark.fma > 0 ? "sweep" : "result");
    if (benchmark.fma > 0)
        line.number("intensity_flop_per_byte", sweep::intensity(benchmark.fma));
    else
        line.text("id", benchmark.id).text("target", benchmark.target).text("mix", benchmark.mix);
    line.text("shape", benchmark.shape).number(rate_key(benchmark.counted), best.rate);
    if (best.rate_per_cycle > 0) line.number("rate_per_cycle_and_sm", best.rate_per_cycle);
    known(line, "sm_clock_hz", best.clock);
    line.number("spread", measured.repeated.spread);
    line.number("repetitions", static_cast<double>(measured.repeated.count));
    if (std::string_view(benchmark.target).starts_with("tensor")) line.text("operands", "random normal");
    if (benchmark.fma == 0) known(line, "footprint_bytes", measured.footprint);
    line.texts("throttled", measured.throttled);
    tell(line);
}

bool go_on() {
    return asked_to_end == 0;
}

/// `device`: what was told of it before.
int measure_all(const Gpu& gpu, const Nvml& nvml, JsonLine device) {
    std::optional<BenchRig> rig;
    std::optional<Problem> problem = BenchRig::prepare(gpu, nvml, rig);
    if (!problem) problem = rig->warm_up(go_on);
    if (problem) {
        tell(*problem);
        return failed;
    }
    std::vector<Benchmark> all = benchmarks_for({gpu.major, gpu.minor}, gpu.l2_bytes);
    const std::vector<Benchmark> sweep = sweep_points();
    all.insert(all.end(), sweep.begin(), sweep.end());
    std::optional<double> set_clock;
    for (std::size_t i = 0; i < all.size() && go_on(); ++i) {
        tell(JsonLine("progress")
                 .number("done", static_cast<double>(i))
                 .number("of", static_cast<double>(all.size()))
                 .text("id", all[i].id));
        const auto outcome = rig->measure(all[i], go_on);
        if (const auto* measured = std::get_if<BenchmarkResult>(&outcome)) {
            tell(all[i], *measured);
            set_clock = std::max(set_clock, measured->set_clock);
        }
        if (const auto* fault = std::get_if<Problem>(&outcome)) tell(*fault, all[i].id);
    }
    if (go_on()) {
        const auto floor = rig->launch_floor();
        if (const auto* seconds = std::get_if<double>(&floor)) known(device, "launch_floor_s", *seconds);
        if (const auto* fault = std::get_if<Problem>(&floor)) tell(*fault, "launch_floor");
    }
    // A locked clock is seen while the SMs work only: what is known of the device is told again with it.
    known(device, "set_sm_clock_hz", set_clock);
    tell(device);
    tell(JsonLine("end").truth("complete", go_on()));
    return go_on() ? done : cancelled;
}

bool is_slice(const Gpu& gpu, const Nvml& nvml) {
    return gpu.uuid.starts_with("MIG-") || nvml.multi_instance().value_or(false);
}

const Problem slice_problem{
    "mig", "This GPU is cut into instances (MIG), and only a slice of it can be measured",
    "A slice has no roofs of its own that a profile could name. Switch MIG off (nvidia-smi -mig 0) "
    "to measure the GPU, or go on with the built-in roofs."};

int measure(const Gpu& gpu, const CommandOptions& options) {
    const DeviceLock lock(options.lock_folder, gpu.uuid);
    if (lock.state() == DeviceLock::State::busy) {
        tell(Problem{"busy",
                     "Another measurement runs on this GPU" +
                         (lock.holder().empty() ? "" : " (process " + lock.holder() + ")"),
                     "Two at once would disturb each other; try again in a few seconds."});
        return failed;
    }
    if (lock.state() == DeviceLock::State::unavailable)
        tell(Problem{"no_lock", "Other measurements cannot be kept away: no lock file can be made",
                     lock.file().string()});
    // Asked before anything of ours runs on the device.
    const Nvml nvml(gpu.bus_id);
    const bool slice = is_slice(gpu, nvml);
    JsonLine device("device");
    describe(device, gpu);
    describe(device, nvml);
    device.truth("mig", slice);
    tell(device);
    if (slice) {
        tell(slice_problem);
        return failed;
    }
    return measure_all(gpu, nvml, device);
}

int run(std::span<const char* const> arguments) {
    const auto options = read_command_options(arguments);
    if (!options) {
        tell(Problem{"usage", "An argument is not understood",
                     "roofwalk-ceilings [--list] [--device UUID|NUMBER] [--lock-folder FOLDER]"});
        return usage;
    }
    tell(JsonLine("ceilings")
             .number("version", format_version)
             .number("benchmark_version", double{benchmark_version}));
    const auto found = find_gpus();
    if (const auto* problem = std::get_if<Problem>(&found)) {
        tell(*problem);
        return failed;
    }
    const auto& gpus = std::get<std::vector<Gpu>>(found);
    std::vector<std::string> uuids;
    for (const Gpu& gpu : gpus)
        uuids.push_back(gpu.uuid);
    if (options->list) {
        for (const Gpu& gpu : gpus) {
            JsonLine line("gpu");
            describe(line, gpu);
            const Nvml nvml(gpu.bus_id);
            describe(line, nvml);
            if (is_slice(gpu, nvml))
                line.text("obstacle", slice_problem.what).text("hint", slice_problem.hint);
            tell(line);
        }
        return done;
    }
    const auto chosen = meant_device(options->device, uuids);
    if (!chosen) {
        tell(Problem{"no_such_gpu", "No GPU here is '" + options->device + "', or more than one is",
                     "roofwalk-cli ceilings --list names them."});
        return failed;
    }
    return measure(gpus[*chosen], *options);
}

}  // namespace

}  // namespace roofwalk::ceilings

int main(int argc, char** argv) {
    std::signal(SIGINT, roofwalk::ceilings::note_signal);
    std::signal(SIGTERM, roofwalk::ceilings::note_signal);
    std::signal(SIGPIPE, SIG_IGN);
    return roofwalk::ceilings::run({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
}
