// SPDX-License-Identifier: GPL-3.0-or-later
// Launches between the marks that Nsight Compute replays as a range.
#include <cuda_profiler_api.h>

#include "tests/gpu/targets/steps.h"

int main() {
    constexpr std::uint64_t times = 4;
    float* numbers = step_numbers();
    check(cudaDeviceSynchronize());
    check(cudaProfilerStart());
    for (std::uint64_t time = 0; time < times; ++time)
        launch_step(numbers);
    check(cudaDeviceSynchronize());
    check(cudaProfilerStop());
    print_steps(times);
    return 0;
}
