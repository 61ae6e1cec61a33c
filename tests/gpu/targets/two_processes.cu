// SPDX-License-Identifier: GPL-3.0-or-later
// Starts itself anew, and both use the device.
#include <spawn.h>
#include <sys/wait.h>

#include "tests/gpu/targets/steps.h"

extern char** environ;

int main(int argc, char** argv) {
    constexpr std::uint64_t times = 4;
    float* numbers = step_numbers();
    for (std::uint64_t time = 0; time < times; ++time)
        launch_step(numbers);
    check(cudaDeviceSynchronize());
    if (argc > 1) return 0;
    char child_mark[] = "child";
    char* arguments[] = {argv[0], child_mark, nullptr};
    pid_t child = 0;
    if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ) != 0) return 1;
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
    print_steps(2 * times);
    return 0;
}
