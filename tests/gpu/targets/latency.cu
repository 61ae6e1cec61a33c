// SPDX-License-Identifier: GPL-3.0-or-later
// One thread that follows pointers: bound by latency, with next to no work and traffic.
#include "tests/gpu/targets/known.h"

namespace {

constexpr std::uint64_t times = 4;
constexpr unsigned steps = 100'000;
constexpr unsigned step = 64;  // words: 256 bytes, a sector of its own each time

__global__ void link(unsigned* next, unsigned count) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        next[i] = (i + step) % count;
}

__global__ void pointer_chase(const unsigned* next, unsigned* out) {
    unsigned at = 0;
    for (unsigned i = 0; i < steps; ++i)
        at = __ldcg(next + at);
    *out = at;
}

}  // namespace

int main() {
    constexpr unsigned count = step * (steps + 1);
    auto* next = device_array<unsigned>(count);
    auto* out = device_array<unsigned>(1);
    link<<<many_blocks(), 256>>>(next, count);
    for (std::uint64_t time = 0; time < times; ++time)
        pointer_chase<<<1, 1>>>(next, out);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    print({"pointer_chase", times, {}, {{"l2", 32.0 * steps}}, {{"smem", 0}}, {}});
    return 0;
}
