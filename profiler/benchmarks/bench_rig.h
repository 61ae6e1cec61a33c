// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "profiler/benchmarks/held_clock.h"
#include "profiler/benchmarks/kernel_launch.h"
#include "profiler/benchmarks/nvml.h"

namespace roofwalk::ceilings {

/// What a benchmark counts.
enum class CountedUnit { bytes, flop, operations };

/// How much of the memory a kernel walks through in one round of one block.
struct MemoryUse {
    unsigned tiles = 0;    ///< of stream::tile_bytes; 0: it uses none
    bool once = false;     ///< it may not come back to what it has read
    double footprint = 0;  ///< [byte] it stays in; 0: all there is
};

/// One thing that is measured.
struct Benchmark {
    const char* id;      ///< "hbm.read", "wgmma.bf16": unique but for footprints
    const char* target;  ///< the pipe or the boundary it is a measure of: "tensor.bf16", "hbm/dram-rw"
    const char* mix;     ///< "read", "1 read : 1 write"; empty for pipes
    const char* shape;   ///< in a few words
    CountedUnit counted;
    StartKernel start;
    unsigned blocks_per_sm;
    double work_per_round;  ///< of one block
    MemoryUse memory = {};
    unsigned fma = 0;  ///< per float; the sweep only
};

struct Capability {
    int major;
    int minor;
};

/// All that a device of this compute capability can do, in the order it is measured: bandwidths first, what
/// heats the device last.
[[nodiscard]] std::vector<Benchmark> benchmarks_for(Capability capability, double l2_bytes);

/// The points of the sweep, by rising intensity.
[[nodiscard]] std::vector<Benchmark> sweep_points();

/// One device, as CUDA describes it.
struct Gpu {
    int ordinal = 0;
    std::string uuid;  ///< "GPU-..."; of a slice of a GPU "MIG-..."
    std::string name;
    std::string bus_id;
    int major = 0;
    int minor = 0;
    int sm_count = 0;
    double l2_bytes = 0;
    double memory_bytes = 0;
    double boost_clock = 0;   ///< [1/s] highest of the SMs; 0: not told
    double memory_clock = 0;  ///< [1/s] highest; data moves twice a cycle; 0: not told
    int memory_bus_bits = 0;
    bool ecc = false;
};

/// Why a device cannot be used.
struct Problem {
    std::string code;  ///< "no_driver", "no_gpu", "cuda", ...
    std::string what;
    std::string hint;
};

/// All devices in the order of nvidia-smi, or why there are none.
[[nodiscard]] std::variant<std::vector<Gpu>, Problem> find_gpus();

/// What one benchmark came to.
struct BenchmarkResult {
    BestRepetition repeated;
    double footprint = 0;                ///< [byte] of memory that was used; 0: none
    std::vector<std::string> throttled;  ///< why the clock was held down in a repetition
    std::optional<double> set_clock;     ///< [1/s] that a setting held the SMs at; absent: none was seen
};

/// Asked between two kernels: whether to go on.
using GoOn = std::function<bool()>;

/// The memory of one device that benchmarks share, and how they are timed: each is warmed up, run in
/// repetitions of at least 4 ms between two events, of several passes where one through all the memory is
/// shorter, and blocks that stay on their SM read its clock.
class BenchRig {
  public:
    /// Takes up to 16 GiB, and no more than 60 % of what is free; a problem where that fails.
    static std::optional<Problem> prepare(const Gpu& gpu, const Nvml& nvml, std::optional<BenchRig>& rig);

    BenchRig(BenchRig&& other) noexcept;
    BenchRig& operator=(BenchRig&&) = delete;
    ~BenchRig();

    /// Half a second of work, so that clocks have risen before the first number.
    std::optional<Problem> warm_up(const GoOn& go_on);

    /// [s] from the start of a kernel that does nothing to that of the next, of a thousand in a graph, which
    /// the CPU does not slow down.
    std::variant<double, Problem> launch_floor();

    /// A problem ends this benchmark, and with `go_on` false there is neither.
    std::variant<std::monostate, BenchmarkResult, Problem> measure(const Benchmark& benchmark,
                                                                   const GoOn& go_on);

  private:
    BenchRig(const Gpu& gpu, const Nvml& nvml) : gpu_(gpu), nvml_(nvml) {}
    struct Run {
        int error = 0;
        double seconds = 0;  ///< of one pass
    };
    /// `measured` gets what holds the clock down meanwhile, where it is not there yet.
    Run run(const Benchmark& benchmark, const KernelLaunch& launch, unsigned passes,
            BenchmarkResult* measured = nullptr) const;
    /// Random numbers in all of the memory, since what a benchmark wrote may be none, and no stamps, since
    /// not every kernel makes some. The cudaError_t.
    [[nodiscard]] int fill() const;
    [[nodiscard]] KernelLaunch launch_for(const Benchmark& benchmark) const;
    [[nodiscard]] Repetition repetition(const Benchmark& benchmark, const KernelLaunch& launch, Run run);

    const Gpu& gpu_;
    const Nvml& nvml_;
    void* memory_ = nullptr;
    unsigned long long bytes_ = 0;
    BlockStamp* stamps_ = nullptr;
    unsigned* kept_ = nullptr;
    void* started_ = nullptr;  ///< events
    void* ended_ = nullptr;
    std::vector<BlockStamp> read_stamps_;
};

}  // namespace roofwalk::ceilings
