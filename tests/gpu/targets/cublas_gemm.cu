// SPDX-License-Identifier: GPL-3.0-or-later
// C = A * B by cuBLAS. Usage: cublas_gemm fp32|bf16|fp16
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstring>

#include "tests/gpu/targets/known.h"

namespace {

constexpr int size = 4096;
constexpr std::uint64_t times = 4;

void check(cublasStatus_t status) {
    if (status == CUBLAS_STATUS_SUCCESS) return;
    std::fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
    std::exit(1);
}

/// Numbers between -1 and 1 without a pattern: a product of zeros draws less power.
template <class T>
__global__ void fill(T* array, std::size_t count) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
         i += gridDim.x * std::size_t{blockDim.x}) {
        const auto mixed = static_cast<unsigned>(i * 2654435761U) ^ static_cast<unsigned>(i >> 7U);
        array[i] = T(static_cast<float>(mixed % 2001U) / 1000.0F - 1.0F);
    }
}

template <class T>
void multiply(cudaDataType type, const char* pipe) {
    constexpr std::size_t elements = std::size_t{size} * size;
    auto* a = device_array<T>(elements);
    auto* b = device_array<T>(elements);
    auto* c = device_array<T>(elements);
    fill<<<many_blocks(), 256>>>(a, elements);
    fill<<<many_blocks(), 256>>>(b, elements);
    cublasHandle_t handle = nullptr;
    check(cublasCreate(&handle));
    const float one = 1;
    const float none = 0;
    for (std::uint64_t time = 0; time < times; ++time)
        check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, a, type, size, b, type,
                           size, &none, c, type, size, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    check(cudaDeviceSynchronize());
    check(cublasDestroy(handle));
    print({"!fill", times, {{pipe, 2.0 * size * size * size}}, {}, {}, {}});
}

}  // namespace

int main(int argc, char** argv) {
    const char* type = argc == 2 ? argv[1] : "";
    if (std::strcmp(type, "fp32") == 0)
        multiply<float>(CUDA_R_32F, "fp32");
    else if (std::strcmp(type, "bf16") == 0)
        multiply<__nv_bfloat16>(CUDA_R_16BF, "tensor.bf16");
    else if (std::strcmp(type, "fp16") == 0)
        multiply<__half>(CUDA_R_16F, "tensor.fp16");
    else {
        std::fprintf(stderr, "usage: cublas_gemm fp32|bf16|fp16\n");
        return 2;
    }
    return 0;
}
