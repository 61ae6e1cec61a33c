// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// How the kernels of the benchmarks are cut, and what one round of their inner loops counts for. The kernels
/// are built from these numbers, so that what is counted is what is done.
namespace roofwalk::ceilings {

/// Rises when a number may differ because of how it is measured.
inline constexpr std::uint32_t benchmark_version = 4;

/// A multiplication and an addition.
inline constexpr double flop_per_fma = 2;

/// FLOP (operations for integers) of one matrix product D += A * B of m x k and k x n.
constexpr double flop_of_product(unsigned m, unsigned n, unsigned k) {
    return flop_per_fma * m * n * k;
}

inline constexpr unsigned warp_threads = 32;
inline constexpr unsigned load_bytes = 16;

/// Streams and L2: each thread has eight 16-byte accesses in flight for each array.
namespace stream {
inline constexpr unsigned threads = 512;
inline constexpr unsigned blocks_per_sm = 2;
inline constexpr unsigned accesses = 8;
/// Of one block, round and array.
inline constexpr unsigned tile_bytes = threads * accesses * load_bytes;
}  // namespace stream

/// Copy and triad of DRAM: blocks that end, with one 16-byte access of each thread for each array.
namespace moved {
inline constexpr unsigned threads = 256;
inline constexpr unsigned tiles_per_round = stream::tile_bytes / (threads * load_bytes);
static_assert(tiles_per_round * threads * load_bytes == stream::tile_bytes);
}  // namespace moved

/// Shared memory: every warp reads whole rows of 512 bytes, four wavefronts without a bank conflict.
namespace shared {
inline constexpr unsigned threads = 512;
inline constexpr unsigned blocks_per_sm = 2;
inline constexpr unsigned loads = 32;
inline constexpr unsigned bytes = 32 * 1024;
inline constexpr double bytes_per_round = double(threads) * loads * load_bytes;
}  // namespace shared

/// FMA: independent chains in registers.
namespace fma {
inline constexpr unsigned threads = 512;
inline constexpr unsigned blocks_per_sm = 2;
inline constexpr unsigned chains = 8;
inline constexpr unsigned steps = 32;
/// Of one block and round; `lanes` is 2 for packed half-precision numbers.
constexpr double flop_per_round(unsigned lanes) {
    return flop_per_fma * lanes * chains * steps * threads;
}
}  // namespace fma

/// mma.sync: every warp has independent accumulators.
namespace mma {
inline constexpr unsigned threads = 256;
inline constexpr unsigned blocks_per_sm = 2;
inline constexpr unsigned chains = 8;
inline constexpr unsigned steps = 4;
/// Of one block and round, for a warp-wide product of that shape.
constexpr double flop_per_round(unsigned m, unsigned n, unsigned k) {
    constexpr unsigned warps = threads / warp_threads;
    return flop_of_product(m, n, k) * chains * steps * warps;
}
}  // namespace mma

/// wgmma: two warpgroups of a block share B, each has its own A; both are tiles of 128-byte rows.
namespace wgmma {
inline constexpr unsigned warpgroup_threads = 128;
inline constexpr unsigned warpgroups = 2;
inline constexpr unsigned threads = warpgroups * warpgroup_threads;
inline constexpr unsigned blocks_per_sm = 1;
inline constexpr unsigned m = 64;
inline constexpr unsigned n = 256;
inline constexpr unsigned row_bytes = 128;
inline constexpr unsigned k_bytes = 32;  ///< of one instruction, whatever the type
inline constexpr unsigned slices = row_bytes / k_bytes;
inline constexpr unsigned steps = 4;
inline constexpr unsigned a_bytes = m * row_bytes;
inline constexpr unsigned b_bytes = n * row_bytes;
/// Of one block and round, for operands of `element_bytes`.
constexpr double flop_per_round(unsigned element_bytes) {
    return flop_of_product(m, n, k_bytes / element_bytes) * slices * steps * warpgroups;
}
}  // namespace wgmma

/// The sweep: every float that is read from DRAM takes part in a number of FMA.
namespace sweep {
inline constexpr unsigned floats_per_round = stream::tile_bytes / sizeof(float);
/// FLOP of one block and round.
constexpr double flop_per_round(unsigned fma_per_float) {
    return flop_per_fma * fma_per_float * floats_per_round;
}
/// FLOP for each byte that is read.
constexpr double intensity(unsigned fma_per_float) {
    return flop_per_fma * fma_per_float / sizeof(float);
}
}  // namespace sweep

}  // namespace roofwalk::ceilings
