// SPDX-License-Identifier: GPL-3.0-or-later
// Launches outside of NVTX ranges, in one, and in one inside of it.
#include <nvtx3/nvToolsExt.h>

#include "tests/gpu/targets/steps.h"

int main() {
    float* numbers = step_numbers();
    launch_step(numbers);
    nvtxRangePushA("outer");
    launch_step(numbers);
    nvtxRangePushA("inner");
    launch_step(numbers);
    nvtxRangePop();
    nvtxRangePop();
    const nvtxRangeId_t open = nvtxRangeStartA("started");
    launch_step(numbers);
    nvtxRangeEnd(open);
    check(cudaDeviceSynchronize());
    print_steps(4, 2);  // one lies in a range that nobody asked for
    return 0;
}
