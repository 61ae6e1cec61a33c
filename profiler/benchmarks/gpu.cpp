// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/gpu.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstdlib>

#include "profiler/wire/uuid_text.h"

namespace roofwalk::ceilings {

namespace {

constexpr double hertz_per_kilohertz = 1000;

double attribute(cudaDeviceAttr which, int ordinal) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, ordinal) == cudaSuccess) return value;
    cudaGetLastError();
    return 0;
}

Problem problem_of(cudaError_t error) {
    switch (error) {
        case cudaErrorNoDevice:
            return {"no_gpu", "There is no NVIDIA GPU that CUDA can use here",
                    "Run this on the machine with the GPU; in a container pass it through (--gpus all), and "
                    "look whether CUDA_VISIBLE_DEVICES hides it."};
        case cudaErrorInsufficientDriver:
            return {"no_driver", "The NVIDIA driver is missing or too old",
                    "Install a driver for CUDA " + std::to_string(CUDART_VERSION / 1000) + " or later."};
        default:
            return {"cuda", "CUDA cannot be used here: " + cuda_words(error),
                    "roofwalk-cli check tells what is found of the driver."};
    }
}

}  // namespace

std::string cuda_words(int error) {
    return cudaGetErrorString(static_cast<cudaError_t>(error));
}

std::variant<std::vector<Gpu>, Problem> find_gpus() {
    // As nvidia-smi counts, not the fastest first.
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) return problem_of(error);
    if (count == 0) return problem_of(cudaErrorNoDevice);
    std::vector<Gpu> gpus;
    for (int ordinal = 0; ordinal < count; ++ordinal) {
        cudaDeviceProp properties{};
        if (const cudaError_t error = cudaGetDeviceProperties(&properties, ordinal); error != cudaSuccess)
            return problem_of(error);
        std::array<char, 32> bus_id{};
        cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), ordinal);
        Gpu gpu;
        gpu.ordinal = ordinal;
        gpu.name = properties.name;
        gpu.uuid = wire::uuid_text<char>(gpu.name.find(" MIG ") != std::string::npos ? "MIG" : "GPU",
                                         properties.uuid.bytes);
        gpu.bus_id = bus_id.data();
        gpu.major = properties.major;
        gpu.minor = properties.minor;
        gpu.sm_count = properties.multiProcessorCount;
        gpu.l2_bytes = properties.l2CacheSize;
        gpu.memory_bytes = static_cast<double>(properties.totalGlobalMem);
        gpu.boost_clock = hertz_per_kilohertz * attribute(cudaDevAttrClockRate, ordinal);
        gpu.memory_clock = hertz_per_kilohertz * attribute(cudaDevAttrMemoryClockRate, ordinal);
        gpu.memory_bus_bits = properties.memoryBusWidth;
        gpu.ecc = properties.ECCEnabled != 0;
        gpus.push_back(std::move(gpu));
    }
    return gpus;
}

}  // namespace roofwalk::ceilings
