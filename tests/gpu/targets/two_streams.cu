// SPDX-License-Identifier: GPL-3.0-or-later
// The same kernel on two streams in turn.
#include "tests/gpu/targets/steps.h"

int main() {
    constexpr std::uint64_t times = 8;
    cudaStream_t streams[2];
    float* numbers[2];
    for (int i = 0; i < 2; ++i) {
        check(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        numbers[i] = step_numbers();
    }
    check(cudaDeviceSynchronize());
    for (std::uint64_t time = 0; time < times; ++time)
        launch_step(numbers[time % 2], streams[time % 2]);
    check(cudaDeviceSynchronize());
    print_steps(times);
    return 0;
}
