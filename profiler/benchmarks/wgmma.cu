// SPDX-License-Identifier: Apache-2.0
// Chains of wgmma m64n256, compute capability 9.0 only. A block of two warpgroups is alone on its SM;
// operands lie in shared memory with the 128-byte swizzle: one tile B of 256 rows that both read and a tile A
// of 64 rows for each, rows of 128 bytes, whatever the type. An instruction takes a slice of 32 bytes of
// every row, four slices make a tile, and 16 instructions are on their way before a warpgroup waits; the
// other one works then. Nothing is loaded in the loop. Random numbers need not be moved to where the swizzle
// puts them.
#include "profiler/benchmarks/operands.cuh"

namespace roofwalk::ceilings {

/// What an instruction reads: address in units of 16 bytes; rows in groups of eight, 1024 bytes apart; the
/// swizzle of 128 bytes. The distance along a row is not used with it.
__device__ __forceinline__ unsigned long long swizzled_tile(const void* tile) {
    const auto address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
    return ((address & 0x3ffffU) >> 4) | (1ULL << 16) | ((8ULL * wgmma::row_bytes >> 4) << 32) | (1ULL << 62);
}

/// `Product` has: Operand, Accumulator, run_round(d, a, b).
template <class Product>
__device__ __forceinline__ void run_wgmma(const KernelLaunch& launch) {
    constexpr unsigned words = (wgmma::b_bytes + wgmma::warpgroups * wgmma::a_bytes) / sizeof(unsigned);
    __shared__ __align__(1024) unsigned tiles[words];
    for (unsigned i = threadIdx.x; i < words; i += wgmma::threads)
        tiles[i] = Product::Operand::word(blockIdx.x * words + i);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    const unsigned warpgroup = threadIdx.x / wgmma::warpgroup_threads;
    const unsigned long long b = swizzled_tile(tiles);
    const unsigned long long a =
        swizzled_tile(tiles + (wgmma::b_bytes + warpgroup * wgmma::a_bytes) / sizeof(unsigned));
    typename Product::Accumulator d[wgmma::m * wgmma::n / wgmma::warpgroup_threads] = {};
    stamp_start(launch.stamps);
#pragma unroll 1
    for (unsigned long long round = 0; round < launch.rounds; ++round)
        Product::run_round(d, a, b);
    stamp_end(launch.stamps);
    unsigned sum = 0;
#pragma unroll
    for (const auto value : d)
        sum += bits_of(value);
    keep(sum, launch.kept);
}

#define ROOFWALK_WGMMA_OPERANDS                                                                    \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                      \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "             \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "             \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "             \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"

#define ROOFWALK_WGMMA_ACCUMULATORS(C, d)                                                                    \
    C(d[0]), C(d[1]), C(d[2]), C(d[3]), C(d[4]), C(d[5]), C(d[6]), C(d[7]), C(d[8]), C(d[9]), C(d[10]),      \
        C(d[11]), C(d[12]), C(d[13]), C(d[14]), C(d[15]), C(d[16]), C(d[17]), C(d[18]), C(d[19]), C(d[20]),  \
        C(d[21]), C(d[22]), C(d[23]), C(d[24]), C(d[25]), C(d[26]), C(d[27]), C(d[28]), C(d[29]), C(d[30]),  \
        C(d[31]), C(d[32]), C(d[33]), C(d[34]), C(d[35]), C(d[36]), C(d[37]), C(d[38]), C(d[39]), C(d[40]),  \
        C(d[41]), C(d[42]), C(d[43]), C(d[44]), C(d[45]), C(d[46]), C(d[47]), C(d[48]), C(d[49]), C(d[50]),  \
        C(d[51]), C(d[52]), C(d[53]), C(d[54]), C(d[55]), C(d[56]), C(d[57]), C(d[58]), C(d[59]), C(d[60]),  \
        C(d[61]), C(d[62]), C(d[63]), C(d[64]), C(d[65]), C(d[66]), C(d[67]), C(d[68]), C(d[69]), C(d[70]),  \
        C(d[71]), C(d[72]), C(d[73]), C(d[74]), C(d[75]), C(d[76]), C(d[77]), C(d[78]), C(d[79]), C(d[80]),  \
        C(d[81]), C(d[82]), C(d[83]), C(d[84]), C(d[85]), C(d[86]), C(d[87]), C(d[88]), C(d[89]), C(d[90]),  \
        C(d[91]), C(d[92]), C(d[93]), C(d[94]), C(d[95]), C(d[96]), C(d[97]), C(d[98]), C(d[99]), C(d[100]), \
        C(d[101]), C(d[102]), C(d[103]), C(d[104]), C(d[105]), C(d[106]), C(d[107]), C(d[108]), C(d[109]),   \
        C(d[110]), C(d[111]), C(d[112]), C(d[113]), C(d[114]), C(d[115]), C(d[116]), C(d[117]), C(d[118]),   \
        C(d[119]), C(d[120]), C(d[121]), C(d[122]), C(d[123]), C(d[124]), C(d[125]), C(d[126]), C(d[127])

#define ROOFWALK_WGMMA_SLICE(INSTRUCTION, A, B, TAIL) \
    INSTRUCTION " " ROOFWALK_WGMMA_OPERANDS ", " A ", " B ", add" TAIL ";\n\t"

#define ROOFWALK_WGMMA_TILE(INSTRUCTION, TAIL)              \
    ROOFWALK_WGMMA_SLICE(INSTRUCTION, "%128", "%129", TAIL) \
    ROOFWALK_WGMMA_SLICE(INSTRUCTION, "a1", "b1", TAIL)     \
    ROOFWALK_WGMMA_SLICE(INSTRUCTION, "a2", "b2", TAIL)     \
    ROOFWALK_WGMMA_SLICE(INSTRUCTION, "a3", "b3", TAIL)

/// A round: D += A * B over all slices, four times. `CONSTRAINT` is that of the accumulators, `TAIL` what
/// follows the predicate. One statement, because the compiler makes instructions wait for each other when
/// anything stands between them that names an accumulator.
#define ROOFWALK_WGMMA_ROUND(INSTRUCTION, CONSTRAINT, TAIL, d, a, b)                                  \
    static_assert(wgmma::slices == 4 && wgmma::steps == 4 && wgmma::k_bytes == 32);                   \
    asm volatile(                                                                                     \
        "{\n\t.reg .pred add;\n\t.reg .b64 a1, a2, a3, b1, b2, b3;\n\t"                               \
        "setp.ne.b32 add, %130, 0;\n\t"                                                               \
        "add.s64 a1, %128, 2;\n\tadd.s64 a2, %128, 4;\n\tadd.s64 a3, %128, 6;\n\t"                    \
        "add.s64 b1, %129, 2;\n\tadd.s64 b2, %129, 4;\n\tadd.s64 b3, %129, 6;\n\t"                    \
        "wgmma.fence.sync.aligned;\n\t" ROOFWALK_WGMMA_TILE(INSTRUCTION, TAIL)                        \
            ROOFWALK_WGMMA_TILE(INSTRUCTION, TAIL) ROOFWALK_WGMMA_TILE(INSTRUCTION, TAIL)             \
                ROOFWALK_WGMMA_TILE(                                                                  \
                    INSTRUCTION,                                                                      \
                    TAIL) "wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n\t}" \
        : ROOFWALK_WGMMA_ACCUMULATORS(CONSTRAINT, d)                                                  \
        : "l"(a), "l"(b), "r"(1)                                                                      \
        : "memory")

/// The product of that INSTRUCTION, m64n256, with 128 accumulators and random operands, and its kernel.
#define ROOFWALK_WGMMA(TYPE, OPERAND, ACCUMULATOR, CONSTRAINT, INSTRUCTION, TAIL)                            \
    struct Wgmma_##TYPE {                                                                                    \
        using Operand = OPERAND;                                                                             \
        using Accumulator = ACCUMULATOR;                                                                     \
        static __device__ __forceinline__ void run_round(Accumulator (&d)[128], unsigned long long a,        \
                                                         unsigned long long b) {                             \
            ROOFWALK_WGMMA_ROUND("wgmma.mma_async.sync.aligned.m64n256" INSTRUCTION, CONSTRAINT, TAIL, d, a, \
                                 b);                                                                         \
        }                                                                                                    \
    };                                                                                                       \
    ROOFWALK_KERNEL(wgmma_##TYPE, wgmma, run_wgmma<Wgmma_##TYPE>, true)

ROOFWALK_WGMMA(fp16, HalfOperand, float, "+f", "k16.f32.f16.f16", ", 1, 1, 0, 0")
ROOFWALK_WGMMA(bf16, BrainOperand, float, "+f", "k16.f32.bf16.bf16", ", 1, 1, 0, 0")
ROOFWALK_WGMMA(tf32, Tf32Operand, float, "+f", "k8.f32.tf32.tf32", ", 1, 1")
ROOFWALK_WGMMA(fp8, Fp8Operand, float, "+f", "k32.f32.e4m3.e4m3", ", 1, 1")
ROOFWALK_WGMMA(int8, ByteOperand, int, "+r", "k32.s32.s8.s8", "")

}  // namespace roofwalk::ceilings
