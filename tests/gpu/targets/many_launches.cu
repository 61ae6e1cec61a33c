// SPDX-License-Identifier: GPL-3.0-or-later
// One short kernel, a thousand times. Usage: many_launches [TIMES]
#include "tests/gpu/targets/steps.h"

int main(int argc, char** argv) {
    const std::uint64_t times = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
    float* numbers = step_numbers();
    for (std::uint64_t time = 0; time < times; ++time)
        launch_step(numbers);
    check(cudaDeviceSynchronize());
    print_steps(times);
    return 0;
}
