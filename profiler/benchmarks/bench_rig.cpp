// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/bench_rig.h"

#include <cuda_runtime_api.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "profiler/benchmarks/kernel_shapes.h"
#include "profiler/wire/uuid_text.h"

namespace roofwalk::ceilings {

namespace {

constexpr const char* hbm = "hbm/dram-rw";

Benchmark streaming(const char* id, const char* mix, const char* shape, StartKernel start, unsigned arrays) {
    return {id,
            hbm,
            mix,
            shape,
            CountedUnit::bytes,
            start,
            stream::blocks_per_sm,
            double(arrays) * stream::tile_bytes,
            {arrays, true, 0}};
}

Benchmark l2_read(double footprint) {
    return {"l2.read",
            "l2/sm-sectors",
            "read",
            "16-byte loads past L1, each block in an order of its own",
            CountedUnit::bytes,
            start_l2_read,
            stream::blocks_per_sm,
            stream::tile_bytes,
            {1, false, footprint}};
}

Benchmark chains(const char* id, const char* pipe, const char* shape, StartKernel start, unsigned lanes) {
    return {id, pipe, "", shape, CountedUnit::flop, start, fma::blocks_per_sm, fma::flop_per_round(lanes)};
}

Benchmark product(const char* id, const char* pipe, const char* shape, StartKernel start, double work,
                  CountedUnit counted = CountedUnit::flop) {
    return {id, pipe, "", shape, counted, start, mma::blocks_per_sm, work};
}

Benchmark hopper(const char* id, const char* pipe, const char* shape, StartKernel start,
                 unsigned element_bytes, CountedUnit counted = CountedUnit::flop) {
    return {id, pipe, "", shape, counted, start, wgmma::blocks_per_sm, wgmma::flop_per_round(element_bytes)};
}

void add_bandwidths(std::vector<Benchmark>& list, double l2_bytes) {
    list.push_back(streaming("hbm.read", "read", "16-byte loads, once over the memory", start_hbm_read, 1));
    list.push_back(
        streaming("hbm.write", "write", "16-byte stores, once over the memory", start_hbm_write, 1));
    list.push_back(streaming("hbm.copy", "1 read : 1 write", "16-byte loads and stores, one of each thread",
                             start_hbm_copy, 2));
    list.push_back(streaming("hbm.triad", "2 reads : 1 write", "a = b + s * c, 16 bytes of each thread",
                             start_hbm_triad, 3));
    constexpr std::array<double, 7> shares_of_l2{0.25, 0.375, 0.5, 0.75, 1, 1.5, 2};
    if (l2_bytes > 0)
        for (const double share : shares_of_l2)
            list.push_back(l2_read(share * l2_bytes));
    list.push_back({"smem.read", "smem/wavefronts", "read", "16-byte loads without bank conflicts",
                    CountedUnit::bytes, start_smem_read, shared::blocks_per_sm, shared::bytes_per_round});
}

void add_tensor_products(std::vector<Benchmark>& list, Capability capability) {
    const bool first = capability.major < 8;
    const bool has_fp64 = capability.minor == 0 && capability.major >= 8 && capability.major <= 10;
    if (has_fp64)
        list.push_back(capability.major == 8 ? product("mma.fp64", "tensor.fp64", "mma.sync m8n8k4",
                                                       start_mma_fp64, mma::flop_per_round(8, 8, 4))
                                             : product("mma.fp64", "tensor.fp64", "mma.sync m16n8k16",
                                                       start_mma_fp64, mma::flop_per_round(16, 8, 16)));
    if (!first) {
        list.push_back(product("mma.tf32", "tensor.tf32", "mma.sync m16n8k8", start_mma_tf32,
                               mma::flop_per_round(16, 8, 8)));
        list.push_back(product("mma.bf16", "tensor.bf16", "mma.sync m16n8k16", start_mma_bf16,
                               mma::flop_per_round(16, 8, 16)));
    }
    list.push_back(first ? product("mma.fp16", "tensor.fp16", "mma.sync m16n8k8", start_mma_fp16,
                                   mma::flop_per_round(16, 8, 8))
                         : product("mma.fp16", "tensor.fp16", "mma.sync m16n8k16", start_mma_fp16,
                                   mma::flop_per_round(16, 8, 16)));
    if ((capability.major == 8 && capability.minor == 9) || capability.major == 12)
        list.push_back(product("mma.fp8", "tensor.fp8", "mma.sync m16n8k32, E4M3", start_mma_fp8,
                               mma::flop_per_round(16, 8, 32)));
    list.push_back(first ? product("mma.int8", "tensor.int8", "mma.sync m8n8k16", start_mma_int8,
                                   mma::flop_per_round(8, 8, 16), CountedUnit::operations)
                         : product("mma.int8", "tensor.int8", "mma.sync m16n8k32", start_mma_int8,
                                   mma::flop_per_round(16, 8, 32), CountedUnit::operations));
}

void add_hopper_products(std::vector<Benchmark>& list) {
    list.push_back(hopper("wgmma.tf32", "tensor.tf32", "wgmma m64n256k8", start_wgmma_tf32, 4));
    list.push_back(hopper("wgmma.bf16", "tensor.bf16", "wgmma m64n256k16", start_wgmma_bf16, 2));
    list.push_back(hopper("wgmma.fp16", "tensor.fp16", "wgmma m64n256k16", start_wgmma_fp16, 2));
    list.push_back(hopper("wgmma.fp8", "tensor.fp8", "wgmma m64n256k32, E4M3", start_wgmma_fp8, 1));
    list.push_back(hopper("wgmma.int8", "tensor.int8", "wgmma m64n256k32", start_wgmma_int8, 1,
                          CountedUnit::operations));
}

constexpr double hertz_per_kilohertz = 1000;

double attribute(cudaDeviceAttr which, int ordinal) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess) return value;
    cudaGetLastError();
    return 0;
}

Problem problem_of(cudaError_t error) {
    switch (error) {
        case cudaErrorNoDevice:
            return {"no_gpu", "There is no NVIDIA GPU that CUDA can use here",
                    "Run this on the machine with the GPU, which a container has to be given, and look "
                    "whether CUDA_VISIBLE_DEVICES hides it."};
        case cudaErrorInsufficientDriver:
            return {"no_driver", "The NVIDIA driver is missing or too old",
                    "Install a driver for CUDA " + std::to_string(CUDART_VERSION / 1000) + " or later."};
        default:
            return {"cuda", std::string("CUDA cannot be used here: ") + cudaGetErrorString(error),
                    "nvidia-smi tells what is found of the driver."};
    }
}

using Clock = std::chrono::steady_clock;

constexpr double repetition_s = 4e-3;
constexpr unsigned repetitions = 12;
constexpr unsigned long long most_bytes = 16ULL << 30U;
constexpr double share_of_free = 0.6;
constexpr unsigned long long most_rounds = 1ULL << 32U;
constexpr unsigned most_blocks_per_sm = 2;
constexpr unsigned most_passes = 100;
constexpr unsigned graph_launches = 1000;
constexpr std::chrono::milliseconds warming{60};
constexpr std::chrono::milliseconds first_warming{500};

cudaEvent_t event(void* handle) {
    return static_cast<cudaEvent_t>(handle);
}

Problem cuda_problem(const char* what, int error) {
    return {"cuda", std::string(what) + ": " + cudaGetErrorString(static_cast<cudaError_t>(error)),
            "Other programs may hold the memory of the GPU; nvidia-smi names them."};
}

void add_new(std::vector<std::string> names, std::vector<std::string>& list) {
    for (std::string& name : names)
        if (std::ranges::find(list, name) == list.end()) list.push_back(std::move(name));
}

}  // namespace

std::vector<Benchmark> benchmarks_for(Capability capability, double l2_bytes) {
    std::vector<Benchmark> list;
    add_bandwidths(list, l2_bytes);
    list.push_back(chains("fma.fp64", "fp64", "chains of DFMA", start_fma_fp64, 1));
    list.push_back(chains("fma.fp32", "fp32", "chains of FFMA", start_fma_fp32, 1));
    list.push_back(chains("fma.fp16", "fp16", "chains of HFMA2", start_fma_fp16, 2));
    // Packed BF16 has no pipe of its own in a profile: it is told beside FP16.
    if (capability.major >= 8)
        list.push_back(chains("fma.bf16", "", "chains of HFMA2.BF16", start_fma_bf16, 2));
    add_tensor_products(list, capability);
    if (capability.major == 9 && capability.minor == 0) add_hopper_products(list);
    return list;
}

std::vector<Benchmark> sweep_points() {
    constexpr std::array<unsigned, 17> fma_per_float{1,  2,  4,  8,   16,  24,  32,  40, 48,
                                                     64, 80, 96, 128, 192, 256, 384, 512};
    std::vector<Benchmark> list;
    for (const unsigned fma : fma_per_float)
        list.push_back({"sweep",
                        "",
                        "read",
                        "FMA on what is read",
                        CountedUnit::flop,
                        start_intensity_sweep,
                        stream::blocks_per_sm,
                        sweep::flop_per_round(fma),
                        {1, true, 0},
                        fma});
    return list;
}

std::variant<std::vector<Gpu>, Problem> find_gpus() {
    // As nvidia-smi counts, not the fastest first.
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) return problem_of(error);
    if (count == 0) return problem_of(cudaErrorNoDevice);
    std::vector<Gpu> gpus;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        cudaDeviceProp properties{};
        if (const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal); error != cudaSuccess)
            return problem_of(error);
        std::array<char, 32> bus_id{};
        cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal);
        Gpu gpu;
        gpu.ordinal = ordinal;
        gpu.name = properties.name;
        gpu.uuid = wire::uuid_text<char>(gpu.name.find(" MIG ") != std::string::npos ? "MIG" : "GPU",
                                         properties.uuid.bytes);
        gpu.bus_id = bus_id.data();
        gpu.major = properties.major;
        gpu.minor = properties.minor;
        gpu.sm_count = properties.multiProcessorCount;
        gpu.l2_bytes = properties.l2CacheSize;
        gpu.memory_bytes = static_cast<double>(properties.totalGlobalMem);
        gpu.boost_clock = hertz_per_kilohertz * attribute(cudaDevAttrClockRate, ordinal);
        gpu.memory_clock = hertz_per_kilohertz * attribute(cudaDevAttrMemoryClockRate, ordinal);
        gpu.memory_bus_bits = properties.memoryBusWidth;
        gpu.ecc = properties.ECCEnabled != 0;
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

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
    const int error = start_fill_random(launch);
    return error == cudaSuccess ? cudaMemset(stamps_, 0, read_stamps_.size() * sizeof(BlockStamp)) : error;
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

BenchRig::Run BenchRig::run(const Benchmark& benchmark, const KernelLaunch& launch, unsigned passes,
                            BenchmarkResult* measured) const {
    Run run;
    run.error = cudaEventRecord(event(started_));
    for (unsigned pass = 0; pass < passes && run.error == cudaSuccess; ++pass)
        run.error = benchmark.start(launch);
    if (run.error == cudaSuccess) run.error = cudaEventRecord(event(ended_));
    // The driver tells of the moment, so it is asked while the kernel runs.
    if (run.error == cudaSuccess && measured != nullptr) {
        add_new(nvml_.throttle_reasons(), measured->throttled);
        if (const auto set = nvml_.set_clock()) measured->set_clock = std::max(set, measured->set_clock);
    }
    if (run.error == cudaSuccess) run.error = cudaEventSynchronize(event(ended_));
    float milliseconds = 0;
    if (run.error == cudaSuccess)
        run.error = cudaEventElapsedTime(&milliseconds, event(started_), event(ended_));
    run.seconds = milliseconds / 1000.0 / passes;
    return run;
}

Repetition BenchRig::repetition(const Benchmark& benchmark, const KernelLaunch& launch, Run run) {
    const double work = benchmark.work_per_round * launch.blocks * static_cast<double>(launch.rounds);
    Repetition repetition;
    repetition.rate = work / run.seconds;
    if (cudaMemcpy(read_stamps_.data(), stamps_, launch.blocks * sizeof(BlockStamp),
                   cudaMemcpyDeviceToHost) != cudaSuccess)
        return repetition;
    const HeldClock held = held_clock(std::span(read_stamps_).first(launch.blocks), run.seconds);
    repetition.clock = held.hertz;
    if (held.cycles > 0) repetition.rate_per_cycle = work / (held.cycles * gpu_.sm_count);
    return repetition;
}

std::optional<Problem> BenchRig::warm_up(const GoOn& go_on) {
    const Benchmark benchmark = sweep_points().back();
    const KernelLaunch launch = launch_for(benchmark);
    for (const auto end = Clock::now() + first_warming; Clock::now() < end && go_on();)
        if (const Run warm = run(benchmark, launch, 1); warm.error != cudaSuccess)
            return cuda_problem("No kernel runs on the GPU", warm.error);
    return std::nullopt;
}

std::variant<double, Problem> BenchRig::launch_floor() {
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    KernelLaunch launch{};
    launch.blocks = 1;
    int error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    launch.stream = stream;
    if (error == cudaSuccess) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    for (unsigned i = 0; i < graph_launches && error == cudaSuccess; ++i)
        error = start_nothing(launch);
    if (error == cudaSuccess) error = cudaStreamEndCapture(stream, &graph);
    if (error == cudaSuccess) error = cudaGraphInstantiate(&ready, graph, 0);
    float least = std::numeric_limits<float>::infinity();
    for (unsigned i = 0; i < repetitions && error == cudaSuccess; ++i) {
        float milliseconds = 0;
        error = cudaEventRecord(event(started_), stream);
        if (error == cudaSuccess) error = cudaGraphLaunch(ready, stream);
        if (error == cudaSuccess) error = cudaEventRecord(event(ended_), stream);
        if (error == cudaSuccess) error = cudaEventSynchronize(event(ended_));
        if (error == cudaSuccess) error = cudaEventElapsedTime(&milliseconds, event(started_), event(ended_));
        least = std::min(least, milliseconds);
    }
    if (ready != nullptr) cudaGraphExecDestroy(ready);
    if (graph != nullptr) cudaGraphDestroy(graph);
    if (stream != nullptr) cudaStreamDestroy(stream);
    if (error != cudaSuccess) return cuda_problem("The time of a launch cannot be measured", error);
    return least / 1000.0 / graph_launches;
}

std::variant<std::monostate, BenchmarkResult, Problem> BenchRig::measure(const Benchmark& benchmark,
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
        const Run trial = run(benchmark, launch, 1);
        if (trial.error != cudaSuccess) return cuda_problem("The kernel cannot run", trial.error);
        const double factor = repetition_s / std::max(1e-6, trial.seconds);
        launch.rounds = std::clamp(
            static_cast<unsigned long long>(std::llround(factor * static_cast<double>(launch.rounds))), 1ULL,
            limit);
        // A part of the memory would leave more of it in L2 for the next repetition.
        if (benchmark.memory.once && benchmark.fma == 0) launch.rounds = limit;
    }
    const Run whole = run(benchmark, launch, 1);
    const auto passes = static_cast<unsigned>(
        std::clamp(std::ceil(repetition_s / std::max(1e-6, whole.seconds)), 1.0, double{most_passes}));
    BenchmarkResult measured;
    measured.footprint = benchmark.memory.tiles == 0 ? 0 : static_cast<double>(launch.bytes);
    for (const auto end = Clock::now() + warming; Clock::now() < end && go_on();)
        if (const Run warm = run(benchmark, launch, passes); warm.error != cudaSuccess)
            return cuda_problem("The kernel cannot run", warm.error);
    std::vector<Repetition> runs;
    while (runs.size() < repetitions) {
        if (!go_on()) return std::monostate{};
        const Run timed = run(benchmark, launch, passes, &measured);
        if (timed.error != cudaSuccess) return cuda_problem("The kernel cannot run", timed.error);
        runs.push_back(repetition(benchmark, launch, timed));
    }
    measured.repeated = best_of(runs);
    return measured;
}

}  // namespace roofwalk::ceilings
