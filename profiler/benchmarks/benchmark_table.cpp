// SPDX-License-Identifier: Apache-2.0
#include "profiler/benchmarks/benchmark_table.h"

#include <array>

#include "profiler/benchmarks/kernel_shapes.h"

namespace roofwalk::ceilings {

namespace {

constexpr const char* hbm = "hbm/dram-rw";

Benchmark streaming(const char* id, const char* mix, const char* shape, StartKernel start, unsigned arrays) {
    return {id,
            hbm,
            mix,
            shape,
            Counted::bytes,
            start,
            stream::blocks_per_sm,
            double(arrays) * stream::tile_bytes,
            {arrays, true, 0}};
}

Benchmark l2_read(double footprint) {
    return {"l2.read",
            "l2/sm-sectors",
            "read",
            "16-byte loads past L1, every SM reads all",
            Counted::bytes,
            start_l2_read,
            stream::blocks_per_sm,
            stream::tile_bytes,
            {1, false, footprint}};
}

Benchmark chains(const char* id, const char* pipe, const char* shape, StartKernel start, unsigned lanes) {
    return {id, pipe, "", shape, Counted::flop, start, fma::blocks_per_sm, fma::flop_per_round(lanes)};
}

Benchmark product(const char* id, const char* pipe, const char* shape, StartKernel start, double work,
                  Counted counted = Counted::flop) {
    return {id, pipe, "", shape, counted, start, mma::blocks_per_sm, work};
}

Benchmark hopper(const char* id, const char* pipe, const char* shape, StartKernel start,
                 unsigned element_bytes, Counted counted = Counted::flop) {
    return {id, pipe, "", shape, counted, start, wgmma::blocks_per_sm, wgmma::flop_per_round(element_bytes)};
}

void add_bandwidths(std::vector<Benchmark>& list, double l2_bytes) {
    list.push_back(streaming("hbm.read", "read", "16-byte loads, once over the memory", start_hbm_read, 1));
    list.push_back(
        streaming("hbm.write", "write", "16-byte stores, once over the memory", start_hbm_write, 1));
    list.push_back(streaming("hbm.copy", "1 read : 1 write", "16-byte loads and stores", start_hbm_copy, 2));
    list.push_back(streaming("hbm.triad", "2 reads : 1 write", "a = b + s * c", start_hbm_triad, 3));
    constexpr std::array<double, 8> shares_of_l2{0.125, 0.25, 0.375, 0.5, 0.75, 1, 1.5, 2};
    if (l2_bytes > 0)
        for (const double share : shares_of_l2)
            list.push_back(l2_read(share * l2_bytes));
    list.push_back({"smem.read", "smem/wavefronts", "read", "16-byte loads without bank conflicts",
                    Counted::bytes, start_smem_read, shared::blocks_per_sm, shared::bytes_per_round});
}

void add_tensor_products(std::vector<Benchmark>& list, Capability capability) {
    const bool first = capability.major < 8;
    const bool has_fp64 = capability.minor == 0 && capability.major >= 8 && capability.major <= 10;
    if (has_fp64)
        list.push_back(capability.major == 8 ? product("mma.fp64", "tensor.fp64", "mma.sync m8n8k4",
                                                       start_mma_fp64, mma::flop_per_round(8, 8, 4))
                                             : product("mma.fp64", "tensor.fp64", "mma.sync m16n8k16",
                                                       start_mma_fp64, mma::flop_per_round(16, 8, 16)));
    if (!first) {
        list.push_back(product("mma.tf32", "tensor.tf32", "mma.sync m16n8k8", start_mma_tf32,
                               mma::flop_per_round(16, 8, 8)));
        list.push_back(product("mma.bf16", "tensor.bf16", "mma.sync m16n8k16", start_mma_bf16,
                               mma::flop_per_round(16, 8, 16)));
    }
    list.push_back(first ? product("mma.fp16", "tensor.fp16", "mma.sync m16n8k8", start_mma_fp16,
                                   mma::flop_per_round(16, 8, 8))
                         : product("mma.fp16", "tensor.fp16", "mma.sync m16n8k16", start_mma_fp16,
                                   mma::flop_per_round(16, 8, 16)));
    if ((capability.major == 8 && capability.minor == 9) || capability.major == 12)
        list.push_back(product("mma.fp8", "tensor.fp8", "mma.sync m16n8k32, E4M3", start_mma_fp8,
                               mma::flop_per_round(16, 8, 32)));
    list.push_back(first ? product("mma.int8", "tensor.int8", "mma.sync m8n8k16", start_mma_int8,
                                   mma::flop_per_round(8, 8, 16), Counted::operations)
                         : product("mma.int8", "tensor.int8", "mma.sync m16n8k32", start_mma_int8,
                                   mma::flop_per_round(16, 8, 32), Counted::operations));
}

void add_hopper_products(std::vector<Benchmark>& list) {
    list.push_back(hopper("wgmma.tf32", "tensor.tf32", "wgmma m64n256k8", start_wgmma_tf32, 4));
    list.push_back(hopper("wgmma.bf16", "tensor.bf16", "wgmma m64n256k16", start_wgmma_bf16, 2));
    list.push_back(hopper("wgmma.fp16", "tensor.fp16", "wgmma m64n256k16", start_wgmma_fp16, 2));
    list.push_back(hopper("wgmma.fp8", "tensor.fp8", "wgmma m64n256k32, E4M3", start_wgmma_fp8, 1));
    list.push_back(
        hopper("wgmma.int8", "tensor.int8", "wgmma m64n256k32", start_wgmma_int8, 1, Counted::operations));
}

}  // namespace

std::vector<Benchmark> benchmarks_for(Capability capability, double l2_bytes) {
    std::vector<Benchmark> list;
    add_bandwidths(list, l2_bytes);
    list.push_back(chains("fma.fp64", "fp64", "chains of DFMA", start_fma_fp64, 1));
    list.push_back(chains("fma.fp32", "fp32", "chains of FFMA", start_fma_fp32, 1));
    list.push_back(chains("fma.fp16", "fp16", "chains of HFMA2", start_fma_fp16, 2));
    // Packed BF16 has no pipe of its own in a profile: it is told beside FP16.
    if (capability.major >= 8)
        list.push_back(chains("fma.bf16", "", "chains of HFMA2.BF16", start_fma_bf16, 2));
    add_tensor_products(list, capability);
    if (capability.major == 9 && capability.minor == 0) add_hopper_products(list);
    return list;
}

std::vector<Benchmark> sweep_points() {
    constexpr std::array<unsigned, 17> fma_per_float{1,  2,  4,  8,   16,  24,  32,  40, 48,
                                                     64, 80, 96, 128, 192, 256, 384, 512};
    std::vector<Benchmark> list;
    for (const unsigned fma : fma_per_float)
        list.push_back({"sweep",
                        "",
                        "read",
                        "FMA on what is read",
                        Counted::flop,
                        start_intensity_sweep,
                        stream::blocks_per_sm,
                        sweep::flop_per_round(fma),
                        {1, true, 0},
                        fma});
    return list;
}

}  // namespace roofwalk::ceilings
