// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/chip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"

namespace roofwalk {

namespace {

constexpr L2Slices of_each_mebibyte(double bytes, double all_clients = 1) {
    return {.bytes = bytes, .mebibyte = 1, .scales = true, .all_clients = all_clients};
}

/// An architecture of SoCs, whose rates nobody has checked.
constexpr Architecture integrated(ComputeCapability capability, double tensor_instruction = 0,
                                  SharedSize shared = {}) {
    return {.capability = capability,
            .shared = shared,
            .tensor_instruction = tensor_instruction,
            .counts_dram = false};
}

/// One whose boards all have HBM.
constexpr Architecture with_hbm(Architecture architecture) {
    architecture.memory = MemoryName::hbm;
    return architecture;
}

/// The last column but one is of the most usual tensor instruction: Volta has one shape. On Turing HMMA.1688
/// and IMMA.8816 both do 2048 (a report with opcode counts and `smsp__inst_executed_pipe_tensor.sum` shows
/// one instruction for one HMMA); GA10x and Ada run HMMA.16816 for 16 bit types. The clock of Hopper's L2
/// (`lts__cycles_elapsed.avg.per_second`) is that of an H100 SXM with its SMs at 1.980 GHz and of a GH200
/// with its SMs at 1.545 GHz.
constexpr auto architectures = std::to_array<Architecture>({
    // fp64 fp32 fp16 | tensor: fp64 tf32 bf16 fp16 fp16.acc16 fp8 fp6 fp4 int8 int4
    with_hbm({{6, 0}, {64, 128, 256}, false, 0, 128, {64, 48}}),
    {{6, 1}, {8, 256, 4}, false, 0, 128, {96, 48}},
    with_hbm(
        {{7, 0}, {64, 128, 256, 0, 0, 0, 1024, 1024}, false, 0, 128, {96, 96}, {2048, 6, false, 0, 1}, 512}),
    integrated({7, 2}, 512),
    {{7, 5},
     {4, 128, 256, 0, 0, 0, 1024, 1024, 0, 0, 0, 2048, 4096},
     false,
     0,
     64,
     {64, 64},
     of_each_mebibyte(256),
     2048},
    with_hbm({{8, 0},
              {64, 128, 512, 128, 1024, 2048, 2048, 2048, 0, 0, 0, 4096, 8192},
              true,
              256,
              128,
              {164, 163},
              of_each_mebibyte(128, 1.5)}),
    {{8, 6},
     {4, 256, 256, 0, 512, 1024, 1024, 1024, 0, 0, 0, 2048, 4096},
     true,
     256,
     128,
     {100, 99},
     of_each_mebibyte(256),
     4096},
    integrated({8, 7}, 4096, {164, 163}),
    {{8, 9}, {4, 256, 256, 0, 512, 1024, 1024, 1024, 2048, 0, 0, 2048}, true, 256, 128, {100, 99}, {}, 4096},
    with_hbm({{9, 0},
              {128, 256, 512, 256, 2048, 4096, 4096, 4096, 8192, 0, 0, 8192},
              true,
              512,
              128,
              {228, 227},
              {5120, 50, false, 1.709e9, 1.5}}),
    with_hbm({{10, 0},
              {128, 256, 256, 128, 4096, 8192, 8192, 8192, 16384, 0, 32768, 16384},
              true,
              0,
              128,
              {228, 227}}),
    integrated({10, 1}),
    with_hbm({{10, 3}, {0, 256, 256, 0, 4096, 8192, 8192, 8192, 16384}, true, 0, 128, {228, 227}}),
    integrated({11, 0}),
    {{12, 0}, {4, 256, 256, 0, 512, 1024, 1024, 1024, 2048, 0, 4096, 2048}, true, 0, 128, {100, 99}},
    integrated({12, 1}),
});

/// The oldest first: those after `first_planned` have counter plans.
constexpr auto chips = [] {
    using enum ChipFamily;
    return std::to_array<Chip>({
        {"GP104", {6, 1}, pascal, 0, 308},
        {"GV100", {7, 0}, volta, 0x1d80, 320},
        {"TU102", {7, 5}, turing, 0x1e00},
        {"TU104", {7, 5}, turing, 0x1e80, 356},
        {"TU106", {7, 5}, turing, 0x1f00, 358},
        {"TU116", {7, 5}, turing_without_tensor, 0x2180, 360},
        {"TU117", {7, 5}, turing_without_tensor, 0x1f80, 359},
        {"GA100", {8, 0}, ampere_100, 0x2080, 368},
        {"GA102", {8, 6}, ampere_10x, 0x2200, 370},
        {"GA103", {8, 6}, ampere_10x, 0x2400},
        {"GA104", {8, 6}, ampere_10x, 0x2480, 372},
        {"GA106", {8, 6}, ampere_10x, 0x2500},
        {"GA107", {8, 6}, ampere_10x, 0x2580},
        {"GA10B", {8, 7}, ampere_10x},
        {"AD102", {8, 9}, ada, 0x2680},
        {"AD103", {8, 9}, ada, 0x2700, 403},
        {"AD104", {8, 9}, ada, 0x2780},
        {"AD106", {8, 9}, ada, 0x2800},
        {"AD107", {8, 9}, ada, 0x2880},
        {"GH100", {9, 0}, hopper, 0x2300, 384},
        {"GB100", {10, 0}, blackwell_100, 0x2900, 416},
        {"GB102", {10, 0}, blackwell_100},
        {"GB110", {10, 3}, blackwell_110, 0x3180},
        {"GB10B", {11, 0}, blackwell_10b},
        {"GB202", {12, 0}, blackwell_20x, 0x2b80},
        {"GB203", {12, 0}, blackwell_20x, 0x2c00},
        {"GB205", {12, 0}, blackwell_20x, 0x2f00},
        {"GB206", {12, 0}, blackwell_20x, 0x2d00},
        {"GB207", {12, 0}, blackwell_20x, 0x2d80},
        {"GB20B", {12, 1}, blackwell_20x},
    });
}();
constexpr std::size_t first_planned = 1;
static_assert(chips[first_planned - 1].family == ChipFamily::pascal &&
              chips[first_planned].family == ChipFamily::volta);

template <class Key, Key Chip::*member>
const Chip* chip_with(Key key) {
    const auto found = std::ranges::find(chips, key, member);
    return key == Key{} || found == chips.end() ? nullptr : &*found;
}

bool named(const Device& device, std::string_view part) {
    return contains(device.name, part);
}

bool lacks_tensor_cores(const Device& device) {
    const Chip* chip = find_chip(device.chip);
    return named(device, "GTX 16") || (chip && chip->family == ChipFamily::turing_without_tensor);
}

void cut_to_board(const Device& device, EnumArray<PipeKind, double>& rates) {
    using enum PipeKind;
    const auto scale = [&](double factor, std::initializer_list<PipeKind> pipes) {
        for (const PipeKind pipe : pipes)
            rates[pipe] *= factor;
    };
    if (lacks_tensor_cores(device)) {
        scale(0, {tensor_fp16, tensor_fp16_acc16, tensor_int8, tensor_int4});
    } else if (named(device, "GeForce")) {
        scale(0.5, {tensor_fp16, tensor_bf16, tensor_tf32, tensor_fp8});
    } else if (named(device, "H800")) {
        rates[fp64] = 4;
        rates[tensor_fp64] = 0;
    } else if (named(device, "H20") && !named(device, "H200")) {  // capped, at rates that no clock explains
        scale(0, {fp64, tensor_fp64, tensor_fp16, tensor_bf16, tensor_tf32, tensor_fp8, tensor_int8,
                  tensor_fp16_acc16});
    } else if (std::ranges::any_of(std::array{"L20", "L40", "A10G"},
                                   [&](const char* end) { return device.name.ends_with(end); })) {
        scale(0.5, {tensor_fp16, tensor_bf16, tensor_tf32, tensor_fp8, tensor_int8, tensor_int4,
                    tensor_fp16_acc16});
    }
}

}  // namespace

const Architecture* architecture_of(std::optional<ComputeCapability> capability) {
    const auto found = std::ranges::find(architectures, capability, &Architecture::capability);
    return found == architectures.end() ? nullptr : &*found;
}

std::span<const Chip> planned_chips() {
    return std::span(chips).subspan(first_planned);
}

const Chip* find_chip(std::string_view name) {
    const auto planned = planned_chips();
    const auto found = std::ranges::find(planned, name, &Chip::name);
    return found == planned.end() ? nullptr : &*found;
}

bool counts_dram(const Chip& chip) {
    const Architecture* architecture = architecture_of(chip.capability);
    return architecture == nullptr || architecture->counts_dram;
}

const Chip* chip_of_pci_device(std::uint16_t device) {
    constexpr unsigned block_size = 128;
    return chip_with<std::uint16_t, &Chip::pci_block>(
        static_cast<std::uint16_t>(device / block_size * block_size));
}

const Chip* chip_of_ncu_number(int number) {
    return chip_with<int, &Chip::ncu_number>(number);
}

std::vector<PipeRate> pipe_rates(const Device& device) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    if (architecture == nullptr) return {};
    EnumArray<PipeKind, double> rates = architecture->per_cycle;
    cut_to_board(device, rates);
    std::vector<PipeRate> list;
    for (const PipeKind kind : all_pipe_kinds) {
        const Pipe pipe{kind};
        if (rates[kind] == 0) continue;
        list.push_back({pipe, rates[kind]});
        if (architecture->sparse && is_tensor(pipe) && kind != PipeKind::tensor_fp64)
            list.push_back({{kind, true}, 2 * rates[kind]});
    }
    return list;
}

std::optional<SharedMemory> shared_memory_of(std::optional<ComputeCapability> capability) {
    const Architecture* architecture = architecture_of(capability);
    if (architecture == nullptr || architecture->shared.of_sm == 0) return std::nullopt;
    constexpr double kibibyte = 1024;
    const bool reserves = architecture->capability >= ComputeCapability{8, 0};
    return SharedMemory{Bytes(architecture->shared.of_sm * kibibyte),
                        Bytes(architecture->shared.of_block * kibibyte), Bytes(reserves ? kibibyte : 0)};
}

std::optional<double> l2_bytes_per_cycle(const Device& device) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    if (architecture == nullptr || architecture->l2.bytes == 0 || !device.l2_size) return std::nullopt;
    constexpr double mebibyte = 1024.0 * 1024.0;
    const L2Slices& l2 = architecture->l2;
    const double size = device.l2_size->value() / mebibyte;
    return l2.scales || size == l2.mebibyte ? std::optional(l2.bytes * (size / l2.mebibyte)) : std::nullopt;
}

std::string l1_beside_ncu(const Device& device) {
    constexpr double bytes_per_wavefront = 128;
    const Architecture* architecture = architecture_of(device.compute_capability);
    const double bytes = architecture != nullptr ? architecture->l1_bytes : 0;
    if (bytes <= 0 || bytes >= bytes_per_wavefront) return {};
    return fmt::format(
        "L1 and SMEM of {} move {:g} B a clock and SM, {} of the {:g} B that Nsight Compute's chart draws",
        device.name.empty() ? "this GPU" : device.name, bytes, format_percent(bytes / bytes_per_wavefront),
        bytes_per_wavefront);
}

std::string_view l1_writeback_counter(std::optional<ComputeCapability> capability) {
    if (capability <= ComputeCapability{7, 2}) return "l1tex__lsu_writeback_active";
    if (capability < ComputeCapability{9, 0}) return "l1tex__lsu_writeback_active_mem_lg";
    return "l1tex__lsu_writeback_active_mem_lgds";
}

DramCounters dram_counters(std::optional<ComputeCapability> capability) {
    if (capability && capability->major == 12) return {"dram__bytes_op_read", "dram__bytes_op_write"};
    return {"dram__bytes_read", "dram__bytes_write"};
}

std::optional<Bytes> dram_bytes_of_share(double share, ByteRate peak, Seconds time) {
    constexpr double most = 200;  // [%]: more is no share of a peak
    if (share < 0 || share > most) return std::nullopt;
    return Bytes(share / 100 * peak.value() * time.value());
}

bool has_packed_fp32(std::optional<ComputeCapability> capability) {
    return capability && capability->major == 10;
}

}  // namespace roofwalk
