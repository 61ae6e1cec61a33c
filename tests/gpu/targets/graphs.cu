// SPDX-License-Identifier: GPL-3.0-or-later
// A graph of two kernels, one of them in a graph of its own inside of the first, launched several times.
#include "tests/gpu/targets/steps.h"

namespace {

constexpr std::uint64_t times = 4;

__global__ void other_step(float* numbers) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    numbers[i] = __fadd_rn(numbers[i], 1.0F);
}

cudaGraphNode_t add(cudaGraph_t graph, void* kernel, void** arguments) {
    cudaKernelNodeParams parameters{};
    parameters.func = kernel;
    parameters.gridDim = dim3(step_blocks);
    parameters.blockDim = dim3(step_threads);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
    return node;
}

}  // namespace

int main() {
    float* numbers = step_numbers();
    void* arguments[] = {&numbers};
    cudaGraph_t inner = nullptr;
    cudaGraph_t outer = nullptr;
    check(cudaGraphCreate(&inner, 0));
    check(cudaGraphCreate(&outer, 0));
    add(inner, reinterpret_cast<void*>(other_step), arguments);
    const cudaGraphNode_t before = add(outer, reinterpret_cast<void*>(short_step), arguments);
    cudaGraphNode_t child = nullptr;
    check(cudaGraphAddChildGraphNode(&child, outer, &before, 1, inner));
    cudaGraphExec_t ready = nullptr;
    check(cudaGraphInstantiate(&ready, outer, 0));
    for (std::uint64_t time = 0; time < times; ++time)
        check(cudaGraphLaunch(ready, nullptr));
    check(cudaDeviceSynchronize());
    print_steps(times);
    print({"other_step", times, {{"fp32", step_work / 2}}, {}, {}, {}});
    return 0;
}
