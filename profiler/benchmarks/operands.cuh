// SPDX-License-Identifier: Apache-2.0
// Random operands of the tensor cores, 32 bits at a time. About normal with deviation 1, since what is
// multiplied decides how much power the tensor cores draw, and with it their clock; zeros would flatter them.
#pragma once

#include "profiler/benchmarks/device_code.cuh"

namespace roofwalk::ceilings {

struct HalfOperand {
    static __device__ __forceinline__ unsigned word(unsigned seed) {
        unsigned short low;
        unsigned short high;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(low) : "f"(random_normal(2 * seed)));
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(high) : "f"(random_normal(2 * seed + 1)));
        return low | (static_cast<unsigned>(high) << 16);
    }
};

struct BrainOperand {
    static __device__ __forceinline__ unsigned word(unsigned seed) {
        return (__float_as_uint(random_normal(2 * seed)) >> 16) |
               (__float_as_uint(random_normal(2 * seed + 1)) & 0xffff0000U);
    }
};

/// FP32 without the 13 bits of the mantissa that TF32 lacks.
struct Tf32Operand {
    static __device__ __forceinline__ unsigned word(unsigned seed) {
        return __float_as_uint(random_normal(seed)) & 0xffffe000U;
    }
};

/// Four E4M3 numbers: sign, exponent 4 bits with bias 7, mantissa 3 bits, cut from FP32; what is below the
/// smallest normal number becomes it.
struct Fp8Operand {
    static __device__ __forceinline__ unsigned word(unsigned seed) {
        unsigned packed = 0;
#pragma unroll
        for (unsigned i = 0; i < 4; ++i) {
            const unsigned bits = __float_as_uint(random_normal(4 * seed + i));
            const int exponent = static_cast<int>((bits >> 23) & 0xffU) - 127 + 7;
            const unsigned magnitude = exponent < 1 ? 0x08U : (exponent << 3) | ((bits >> 20) & 7U);
            packed |= ((bits >> 24 & 0x80U) | magnitude) << (8 * i);
        }
        return packed;
    }
};

/// Four bytes, normal with deviation 32.
struct ByteOperand {
    static __device__ __forceinline__ unsigned word(unsigned seed) {
        unsigned packed = 0;
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            packed |= (static_cast<unsigned>(static_cast<int>(32.0F * random_normal(4 * seed + i))) & 0xffU)
                      << (8 * i);
        return packed;
    }
};

}  // namespace roofwalk::ceilings
