// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/bench_rig.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "profiler/benchmarks/held_clock.h"
#include "profiler/benchmarks/kernel_shapes.h"

namespace roofwalk::ceilings {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double repetition_ms = 4;
constexpr unsigned repetitions = 12;
constexpr unsigned long long most_bytes = 3ULL << 30U;
constexpr double share_of_free = 0.6;
constexpr unsigned long long most_rounds = 1ULL << 32U;
constexpr unsigned most_blocks_per_sm = 2;
constexpr std::chrono::milliseconds warming{60};
constexpr std::chrono::milliseconds first_warming{500};

cudaEvent_t event(void* handle) {
    return static_cast<cudaEvent_t>(handle);
}

Problem cuda_problem(const char* what, int error) {
    return {"cuda", std::string(what) + ": " + cuda_words(error),
            "Other programs may hold the memory of the GPU; nvidia-smi names them."};
}

void add_new(std::vector<std::string> names, std::vector<std::string>& list) {
    for (std::string& name : names)
        if (std::ranges::find(list, name) == list.end()) list.push_back(std::move(name));
}

}  // namespace

BenchRig::BenchRig(BenchRig&& other) noexcept
    : gpu_(other.gpu_),
      nvml_(other.nvml_),
      memory_(std::exchange(other.memory_, nullptr)),
      bytes_(other.bytes_),
      stamps_(std::exchange(other.stamps_, nullptr)),
      kept_(std::exchange(other.kept_, nullptr)),
      started_(std::exchange(other.started_, nullptr)),
      ended_(std::exchange(other.ended_, nullptr)),
      read_stamps_(std::move(other.read_stamps_)) {}

BenchRig::~BenchRig() {
    cudaFree(memory_);
    cudaFree(stamps_);
    cudaFree(kept_);
    if (started_ != nullptr) cudaEventDestroy(event(started_));
    if (ended_ != nullptr) cudaEventDestroy(event(ended_));
}

std::optional<Problem> BenchRig::prepare(const Gpu& gpu, const Nvml& nvml, std::optional<BenchRig>& made) {
    BenchRig rig(gpu, nvml);
    std::size_t free = 0;
    std::size_t total = 0;
    int error = cudaSetDevice(gpu.ordinal);
    if (error == cudaSuccess) error = cudaMemGetInfo(&free, &total);
    if (error != cudaSuccess) return cuda_problem("The GPU cannot be used", error);
    rig.bytes_ =
        std::min(most_bytes, static_cast<unsigned long long>(share_of_free * static_cast<double>(free)));
    rig.read_stamps_.resize(static_cast<std::size_t>(gpu.sm_count) * most_blocks_per_sm);
    cudaEvent_t started = nullptr;
    cudaEvent_t ended = nullptr;
    error = cudaMalloc(&rig.memory_, rig.bytes_);
    if (error == cudaSuccess)
        error =
            cudaMalloc(reinterpret_cast<void**>(&rig.stamps_), rig.read_stamps_.size() * sizeof(BlockStamp));
    if (error == cudaSuccess) error = cudaMalloc(reinterpret_cast<void**>(&rig.kept_), sizeof(unsigned));
    if (error == cudaSuccess) error = cudaEventCreate(&started);
    rig.started_ = started;
    if (error == cudaSuccess) error = cudaEventCreate(&ended);
    rig.ended_ = ended;
    if (error == cudaSuccess) error = rig.fill();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    if (error != cudaSuccess) return cuda_problem("The GPU cannot be prepared", error);
    made.emplace(std::move(rig));
    return std::nullopt;
}

int BenchRig::fill() const {
    KernelLaunch launch{};
    launch.blocks = static_cast<unsigned>(gpu_.sm_count) * stream::blocks_per_sm;
    launch.memory = memory_;
    launch.bytes = bytes_;
    return start_fill_random(launch);
}

KernelLaunch BenchRig::launch_for(const Benchmark& benchmark) const {
    KernelLaunch launch{};
    launch.blocks = static_cast<unsigned>(gpu_.sm_count) * benchmark.blocks_per_sm;
    launch.memory = memory_;
    launch.stamps = stamps_;
    launch.kept = kept_;
    launch.fma = benchmark.fma;
    launch.rounds = most_rounds;
    const MemoryUse& use = benchmark.memory;
    if (use.tiles == 0) return launch;
    const double wanted = use.footprint > 0 ? use.footprint : static_cast<double>(bytes_);
    const auto tiles =
        static_cast<unsigned long long>(std::min(wanted, static_cast<double>(bytes_))) / stream::tile_bytes;
    if (use.once) launch.rounds = tiles / (1ULL * launch.blocks * use.tiles);
    launch.bytes = use.once ? launch.rounds * launch.blocks * use.tiles * stream::tile_bytes
                            : tiles * stream::tile_bytes;
    return launch;
}

BenchRig::Run BenchRig::run(const Benchmark& benchmark, const KernelLaunch& launch,
                            Measured* measured) const {
    Run run;
    run.error = cudaEventRecord(event(started_));
    if (run.error == cudaSuccess) run.error = benchmark.start(launch);
    if (run.error == cudaSuccess) run.error = cudaEventRecord(event(ended_));
    // The driver tells of the moment, so it is asked while the kernel runs.
    if (run.error == cudaSuccess && measured != nullptr) {
        add_new(nvml_.throttle_reasons(), measured->throttled);
        if (const auto set = nvml_.set_clock()) measured->set_clock = std::max(set, measured->set_clock);
    }
    if (run.error == cudaSuccess) run.error = cudaEventSynchronize(event(ended_));
    if (run.error == cudaSuccess)
        run.error = cudaEventElapsedTime(&run.milliseconds, event(started_), event(ended_));
    return run;
}

Repetition BenchRig::repetition(const Benchmark& benchmark, const KernelLaunch& launch, Run run) {
    const double seconds = run.milliseconds / 1000.0;
    const double work = benchmark.work_per_round * launch.blocks * static_cast<double>(launch.rounds);
    Repetition repetition;
    repetition.rate = work / seconds;
    if (cudaMemcpy(read_stamps_.data(), stamps_, launch.blocks * sizeof(BlockStamp),
                   cudaMemcpyDeviceToHost) != cudaSuccess)
        return repetition;
    const HeldClock held = held_clock(std::span(read_stamps_).first(launch.blocks), seconds);
    repetition.clock = held.hertz;
    if (held.cycles > 0) repetition.rate_per_cycle = work / (held.cycles * gpu_.sm_count);
    return repetition;
}

std::optional<Problem> BenchRig::warm_up(const GoOn& go_on) {
    const Benchmark benchmark = sweep_points().back();
    const KernelLaunch launch = launch_for(benchmark);
    for (const auto end = Clock::now() + first_warming; Clock::now() < end && go_on();)
        if (const Run warm = run(benchmark, launch); warm.error != cudaSuccess)
            return cuda_problem("No kernel runs on the GPU", warm.error);
    return std::nullopt;
}

std::variant<std::monostate, Measured, Problem> BenchRig::measure(const Benchmark& benchmark,
                                                                  const GoOn& go_on) {
    KernelLaunch launch = launch_for(benchmark);
    const unsigned long long limit = launch.rounds;
    if (limit == 0 || (benchmark.memory.footprint > 0 &&
                       static_cast<double>(launch.bytes) < 0.9 * benchmark.memory.footprint))
        return Problem{"memory", "Too little memory of the GPU is free",
                       "End what else runs on the GPU, and measure again."};
    launch.rounds = std::min(limit, 16ULL);
    if (benchmark.memory.tiles > 0)
        if (const int error = fill(); error != cudaSuccess)
            return cuda_problem("The memory cannot be filled", error);
    // The first run of a kernel also loads it, and the rounds of a short one say little of a long one.
    for (unsigned turn = 0; turn < 3; ++turn) {
        const Run trial = run(benchmark, launch);
        if (trial.error != cudaSuccess) return cuda_problem("The kernel cannot run", trial.error);
        const double factor = repetition_ms / std::max(0.001, static_cast<double>(trial.milliseconds));
        launch.rounds = std::clamp(
            static_cast<unsigned long long>(std::llround(factor * static_cast<double>(launch.rounds))), 1ULL,
            limit);
        // A part of the memory would leave more of it in L2 for the next repetition.
        if (benchmark.memory.once && benchmark.fma == 0) launch.rounds = limit;
    }
    Measured measured;
    measured.footprint = benchmark.memory.tiles == 0 ? 0 : static_cast<double>(launch.bytes);
    for (const auto end = Clock::now() + warming; Clock::now() < end && go_on();)
        if (const Run warm = run(benchmark, launch); warm.error != cudaSuccess)
            return cuda_problem("The kernel cannot run", warm.error);
    std::vector<Repetition> runs;
    while (runs.size() < repetitions) {
        if (!go_on()) return std::monostate{};
        const Run timed = run(benchmark, launch, &measured);
        if (timed.error != cudaSuccess) return cuda_problem("The kernel cannot run", timed.error);
        runs.push_back(repetition(benchmark, launch, timed));
    }
    measured.repeated = best_of(runs);
    return measured;
}

}  // namespace roofwalk::ceilings
