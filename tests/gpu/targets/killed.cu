// SPDX-License-Identifier: GPL-3.0-or-later
// Finishes launch after launch and is killed by its own hand. Usage: killed [TIMES]
#include <csignal>

#include "tests/gpu/targets/steps.h"

int main(int argc, char** argv) {
    const std::uint64_t times = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
    float* numbers = step_numbers();
    for (std::uint64_t time = 0; time < times; ++time) {
        launch_step(numbers);
        check(cudaDeviceSynchronize());
    }
    print_steps(times);
    return std::raise(SIGKILL);
}
