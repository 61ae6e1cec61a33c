// SPDX-License-Identifier: GPL-3.0-or-later
// Good launches, then one that writes where nothing is. Ends with exit code 3.
#include "tests/gpu/targets/steps.h"

namespace {

__global__ void wild_write(float* nowhere) {
    nowhere[threadIdx.x] = 1.0F;
}

}  // namespace

int main() {
    constexpr std::uint64_t times = 4;
    float* numbers = step_numbers();
    for (std::uint64_t time = 0; time < times; ++time)
        launch_step(numbers);
    check(cudaDeviceSynchronize());
    print_steps(times);
    wild_write<<<1, 32>>>(reinterpret_cast<float*>(std::uintptr_t{4096}));
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
