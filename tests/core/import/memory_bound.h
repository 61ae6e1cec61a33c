// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace roofwalk::test {

/// What open_profile() promises in words: bytes of memory that one byte of a file may make a reader take, one
/// kernel that is read, and what does not grow with the file. A launch fills some 600 bytes while the list of
/// them grows, however few stand in the file for it.
inline constexpr std::size_t memory_per_byte = 24;
inline constexpr std::size_t memory_per_kernel = std::size_t{1} << 10U;
inline constexpr std::size_t memory_allowance = std::size_t{64} << 20U;

/// The most memory [byte] that reading a file takes at any moment, what it read included and whatever the
/// file claims. `bytes` are those of the file, unpacked.
constexpr std::size_t memory_bound(std::size_t bytes, std::size_t kernels) {
    return memory_per_byte * bytes + memory_per_kernel * kernels + memory_allowance;
}

/// The most memory [byte] that unpacking takes at any moment when `unpacked` bytes came out: they are moved
/// into half as much room again as they outgrow theirs, beside a chunk and the window of the compressor.
constexpr std::size_t unpacking_memory_bound(std::size_t unpacked) {
    constexpr std::size_t chunk_and_window = std::size_t{192} << 20U;
    return unpacked / 2 * 5 + chunk_and_window;
}

}  // namespace roofwalk::test
