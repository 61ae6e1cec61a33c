// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

/// Named numbers of one launch, as in {{"fp32", 2e9}}.
using Figures = std::vector<std::pair<std::string, double>>;

/// What is known of a kernel of this program before it is measured.
struct Known {
    std::string kernel;          ///< its name; "!name": all kernels but that one, together
    std::uint64_t launches = 0;  ///< by which the figures of all are divided
    Figures flops;               ///< by pipe [FLOP]
    Figures bytes;               ///< by memory level [byte]
    Figures at_most;             ///< by memory level [byte], where next to nothing is moved
    Figures shown;  ///< by memory level [byte]: compared, but no verdict, since chips count it differently
    std::uint64_t inside = 0;  ///< launches that lie in NVTX ranges
};

inline void check(cudaError_t result) {
    if (result == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(result));
    std::exit(1);
}

inline std::string json_of(const Figures& figures) {
    std::string text = "{";
    for (const auto& [name, value] : figures) {
        char number[32];
        std::snprintf(number, sizeof number, "%.0f", value);
        text += (text.size() > 1 ? ", \"" : "\"") + name + "\": " + number;
    }
    return text + "}";
}

/// One line of JSON on standard output.
inline void print(const Known& known) {
    std::printf(
        "{\"kernel\": \"%s\", \"launches\": %llu, \"flops\": %s, \"bytes\": %s, \"at_most\": %s, \"shown\": "
        "%s, \"inside\": %llu}\n",
        known.kernel.c_str(), static_cast<unsigned long long>(known.launches), json_of(known.flops).c_str(),
        json_of(known.bytes).c_str(), json_of(known.at_most).c_str(), json_of(known.shown).c_str(),
        static_cast<unsigned long long>(known.inside));
    std::fflush(stdout);
}

template <class T>
T* device_array(std::size_t count) {
    T* array = nullptr;
    check(cudaMalloc(&array, count * sizeof(T)));
    check(cudaMemset(array, 0, count * sizeof(T)));
    return array;
}

/// Bytes of an array beside which what stays in the L2 cache from launch to launch is nothing: 64 caches, or
/// a fifth of the memory that is free.
inline std::size_t large_array() {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0));
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total));
    const std::size_t wanted =
        std::min<std::size_t>(64 * static_cast<std::size_t>(device.l2CacheSize), free / 5);
    constexpr std::size_t granule = std::size_t{1} << 20U;
    return std::max(granule, wanted / granule * granule);
}

/// Blocks that fill the device several times over.
inline unsigned many_blocks() {
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    return static_cast<unsigned>(multiprocessors) * 8U;
}
