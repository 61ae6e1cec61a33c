// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/device.h"

/// What holds for every board with a chip, and for every chip of an architecture. Boards, with their clocks
/// and sizes, are in `resources/devices.json`.
namespace roofwalk {

/// What L2 passes to the SMs in a cycle of its own, as `lts__t_sectors` has its peak in reports of Nsight
/// Compute. Absent (0) where the number of its slices is not known.
struct L2Slices {
    double bytes = 0;     ///< in a cycle, all slices together
    double mebibyte = 1;  ///< of an L2 of this size
    bool scales = false;  ///< with the size; else nothing is known of other sizes
    double clock =
        0;  ///< [1/s] the highest that counters show (9.0: an H100 SXM, a GH200); 0: that of the SMs
    /// Bytes of all clients over those of the SMs, as the peaks of `lts__t_sectors` and of that of the SMs in
    /// reports have it: 3 sectors to 2 where L2 has two partitions. 0: not known.
    double all_clients = 0;
};

/// Shared memory [KiB]. Source: CUDA programming guide, technical specifications by compute capability.
struct SharedSize {
    int of_sm = 0;
    int of_block = 0;  ///< the most that one block may have
};

/// All chips of one compute capability; 0 is "has none" or "not known". Sources: CUDA programming guide
/// (throughput of native arithmetic instructions) and white papers of the architectures.
struct Architecture {
    ComputeCapability capability;
    EnumArray<PipeKind, double>
        per_cycle{};         ///< FLOP (OP) of one SM in a cycle, dense, an FMA counted as two
    bool sparse = false;     ///< 2:4 sparsity doubles the rates of tensor cores, but for FP64
    double packed_bf16 = 0;  ///< FLOP of one SM in a cycle outside of tensor cores
    double l1_bytes = 0;     ///< that the L1/SMEM data stage of one SM moves in a cycle
    SharedSize shared{};
    L2Slices l2{};
    double tensor_instruction = 0;         ///< FLOP of the one that compilers use most
    MemoryName memory = MemoryName::dram;  ///< of every board with such a chip
    bool counts_dram = true;  ///< false where the memory is the host's, which has no counters on the GPU
};

/// Null for an architecture that is not known.
[[nodiscard]] const Architecture* architecture_of(std::optional<ComputeCapability> capability);

/// That its L1 roof is a part of Nsight Compute's; empty where the two are the same.
[[nodiscard]] std::string l1_beside_ncu(const Device& device);

/// Chips whose counters have the same names and share passes in the same way.
enum class ChipFamily {
    pascal,  ///< no plans: what counts here needs Volta
    volta,
    turing,
    turing_without_tensor,  ///< GeForce 16: FP16 units in the place of tensor cores
    ampere_100,
    ampere_10x,
    ada,
    hopper,
    blackwell_100,
    blackwell_110,
    blackwell_10b,
    blackwell_20x,
};

struct Chip {
    std::string_view name;  ///< as CUPTI calls it
    ComputeCapability capability;
    ChipFamily family;
    std::uint16_t pci_block =
        0;  ///< first of its 128 device numbers (pci-ids.ucw.cz/read/PC/10de); 0: not known
    int ncu_number =
        0;  ///< `device__attribute_chip`, as seen in reports beside the device's name; 0: not seen
};

/// Every chip that there are counter plans for.
[[nodiscard]] std::span<const Chip> planned_chips();
/// Null when there are no plans for one of that name.
[[nodiscard]] const Chip* find_chip(std::string_view name);
/// False where the memory is the host's.
[[nodiscard]] bool counts_dram(const Chip& chip);

/// The chip of a GPU by its PCI device number (vendor 0x10DE). Null where the block is not known. CUPTI's own
/// name, which needs a context on the GPU, goes before it.
[[nodiscard]] const Chip* chip_of_pci_device(std::uint16_t device);
[[nodiscard]] const Chip* chip_of_ncu_number(int number);

/// What one SM can do on one pipe in a cycle.
struct PipeRate {
    Pipe pipe;
    double per_cycle = 0;  ///< FLOP (integer operations for integer pipes), an FMA counted as two
};

/// Rates of a device by its compute capability, with what boards lack against their chip: GeForce accumulates
/// tensor products in FP32 at half rate (but for FP4), GTX 16 has no tensor cores, H800 has FP64 cut, L20 and
/// L40 have their tensor rates cut. Empty for architectures not known.
[[nodiscard]] std::vector<PipeRate> pipe_rates(const Device& device);

/// SharedSize in bytes.
struct SharedMemory {
    Bytes of_sm;
    Bytes of_block;  ///< the most that one block may have
    Bytes reserved;  ///< by the system, for each block
};
/// Absent for architectures not known.
[[nodiscard]] std::optional<SharedMemory> shared_memory_of(std::optional<ComputeCapability> capability);

/// Absent for architectures and sizes of L2 whose slices are not known.
[[nodiscard]] std::optional<double> l2_bytes_per_cycle(const Device& device);

/// Counters that depend on the architecture, by ranges of compute capabilities, which hold for those that
/// nobody knows yet. That of data that L1 returns to registers: without shared memory from 7.5 to 8.9, with
/// it on others (where the older one never had a part for it).
[[nodiscard]] std::string_view l1_writeback_counter(std::optional<ComputeCapability> capability);

/// The counters of bytes that DRAM reads and writes.
struct DramCounters {
    std::string_view read;
    std::string_view write;
};
[[nodiscard]] DramCounters dram_counters(std::optional<ComputeCapability> capability);

/// Bytes of DRAM by the share of its peak [%] that was reached, an estimate; absent where that is no share.
[[nodiscard]] std::optional<Bytes> dram_bytes_of_share(double share, ByteRate peak, Seconds time);
/// What the formula of these bytes says of them.
inline constexpr std::string_view dram_share_note =
    " (approximate: dram__bytes was not collected, and this share counts other activity too)";

/// Whether one FP32 instruction may work on two pairs of operands (FADD2, FMUL2, FFMA2): data-centre
/// Blackwell.
[[nodiscard]] bool has_packed_fp32(std::optional<ComputeCapability> capability);

}  // namespace roofwalk
