// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "profiler/benchmarks/kernel_launch.h"

namespace roofwalk::ceilings {

/// What a benchmark counts.
enum class Counted { bytes, flop, operations };

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
    Counted counted;
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

}  // namespace roofwalk::ceilings
