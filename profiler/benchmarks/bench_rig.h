// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "profiler/benchmarks/benchmark_table.h"
#include "profiler/benchmarks/gpu.h"
#include "profiler/benchmarks/nvml.h"
#include "profiler/benchmarks/repetitions.h"

namespace roofwalk::ceilings {

/// What one benchmark came to.
struct Measured {
    Repeated repeated;
    double footprint = 0;                ///< [byte] of memory that was used; 0: none
    std::vector<std::string> throttled;  ///< why the clock was held down in a repetition
    std::optional<double> set_clock;     ///< [1/s] that a setting held the SMs at; absent: none was seen
};

/// Asked between two kernels: whether to go on.
using GoOn = std::function<bool()>;

/// The memory of one device that benchmarks share, and how they are timed: each is warmed up, run in
/// repetitions of a few milliseconds between two events, and its blocks read the clock of their SM.
class BenchRig {
  public:
    /// Takes up to 3 GiB, and no more than 60 % of what is free; a problem where that fails.
    static std::optional<Problem> prepare(const Gpu& gpu, const Nvml& nvml, std::optional<BenchRig>& rig);

    BenchRig(BenchRig&& other) noexcept;
    BenchRig& operator=(BenchRig&&) = delete;
    ~BenchRig();

    /// Half a second of work, so that clocks have risen before the first number.
    std::optional<Problem> warm_up(const GoOn& go_on);

    /// A problem ends this benchmark, and with `go_on` false there is neither.
    std::variant<std::monostate, Measured, Problem> measure(const Benchmark& benchmark, const GoOn& go_on);

  private:
    BenchRig(const Gpu& gpu, const Nvml& nvml) : gpu_(gpu), nvml_(nvml) {}
    struct Run {
        int error = 0;
        float milliseconds = 0;
    };
    /// `measured` gets what holds the clock down meanwhile, where it is not there yet.
    Run run(const Benchmark& benchmark, const KernelLaunch& launch, Measured* measured = nullptr) const;
    /// Random numbers in all of the memory; what a benchmark wrote may be none. The cudaError_t.
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
