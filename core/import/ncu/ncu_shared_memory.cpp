// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_shared_memory.h"

#include <array>

namespace roofwalk {

namespace {

constexpr std::string_view source_counter_name = "memory_l1_wavefronts_shared";
constexpr std::string_view hardware_total = "l1tex__data_pipe_lsu_wavefronts_mem_shared";

constexpr std::array<std::string_view, 2> load_opcodes{"LDS", "LDSM"};
constexpr std::array<std::string_view, 3> store_opcodes{"STS", "STSM", "LDGSTS"};
constexpr std::array<std::string_view, 1> atomic_opcodes{"ATOMS"};
/// Instructions that read or write shared memory: its own, generic ones, bulk copies, and tensor instructions
/// that take their operands from there.
constexpr std::array<std::string_view, 24> shared_opcodes{
    "LDS",   "LDSM",   "STS",     "STSM",    "LDGSTS",   "ATOMS",   "LD",      "ST",
    "ATOM",  "UBLKCP", "UTMALDG", "UTMASTG", "UTMAREDG", "UBLKRED", "HGMMA",   "IGMMA",
    "QGMMA", "BGMMA",  "LDTM",    "UTCHMMA", "UTCIMMA",  "UTCQMMA", "UTCOMMA", "UTCCP"};

NcuTraffic wavefronts(double count, std::string source) {
    NcuTraffic traffic;
    traffic.boundary = Boundary::smem_wavefronts;
    traffic.total = Bytes(bytes_per_wavefront * count);
    traffic.source = std::move(source);
    return traffic;
}

std::string with_suffix(std::string_view suffix) {
    return std::string(hardware_total).append(suffix);
}

/// Wavefronts of one kind; 0 when its opcodes never ran.
std::optional<NcuAmount> part(const NcuValues& values, std::string_view suffix,
                              std::span<const std::string_view> opcodes) {
    if (auto counted = values.total(with_suffix(suffix))) return counted;
    if (values.never_ran(opcodes)) return NcuAmount{0, "0 (no such instruction)"};
    return std::nullopt;
}

std::optional<NcuTraffic> total_without_misc(const NcuValues& values) {
    const auto total = values.total(hardware_total);
    const auto misc = values.total(with_suffix("_op_misc"));
    if (!total || !misc) return std::nullopt;
    double count = total->value - misc->value;
    std::string formula = total->formula + " - " + misc->formula;
    // Data-centre Blackwell feeds its tensor cores through a path of their own.
    if (const auto tensor = values.total("l1tex__data_pipe_tc_wavefronts_mem_shared")) {
        count += tensor->value;
        formula += " + " + tensor->formula;
    }
    return wavefronts(count, "128 * (" + formula + ")");
}

/// By instruction, asynchronous copies included; operands that tensor cores read by themselves are not.
std::optional<NcuTraffic> of_instructions(const NcuValues& values) {
    const auto counted = values.total("sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared");
    if (!counted) return std::nullopt;
    return wavefronts(counted->value, "128 * " + counted->formula);
}

std::optional<NcuTraffic> loads_stores_atomics(const NcuValues& values) {
    const auto loads = part(values, "_op_ld", load_opcodes);
    const auto stores = part(values, "_op_st", store_opcodes);
    const auto atomics = part(values, "_op_atom", atomic_opcodes);
    if (!loads || !stores || !atomics) return std::nullopt;
    auto traffic =
        wavefronts(loads->value + stores->value + atomics->value,
                   "128 * (" + loads->formula + " + " + stores->formula + " + " + atomics->formula + ")");
    if (values.opcode("LDGSTS").value_or(0) > 0) {
        traffic.origin = Origin::estimated;
        traffic.source += " (approximate: asynchronous copies are not in these counters)";
    }
    return traffic;
}

std::optional<NcuTraffic> wavefront_traffic(const NcuValues& values) {
    if (const auto counted = values.source_counter(source_counter_name))
        return wavefronts(*counted, "128 * " + std::string(source_counter_name));
    if (auto found = total_without_misc(values)) return found;
    if (auto found = of_instructions(values)) return found;
    if (auto found = loads_stores_atomics(values)) return found;
    if (values.never_ran(shared_opcodes)) return wavefronts(0, "no shared-memory instruction executed");
    return std::nullopt;
}

}  // namespace

std::vector<NcuTraffic> shared_memory_traffic(const NcuValues& values) {
    std::vector<NcuTraffic> found;
    if (auto traffic = wavefront_traffic(values)) found.push_back(std::move(*traffic));
    for (const std::string_view counter :
         {"sm__sass_data_bytes_mem_shared", "smsp__sass_data_bytes_mem_shared"})
        if (auto bytes = values.total(counter)) {
            NcuTraffic traffic;
            traffic.boundary = Boundary::smem_requested;
            traffic.total = Bytes(bytes->value);
            traffic.source = std::move(bytes->formula);
            found.push_back(std::move(traffic));
            break;
        }
    return found;
}

bool shared_memory_counters_disagree(const NcuValues& values) {
    const auto counted = values.source_counter(source_counter_name);
    const auto loads = values.value(with_suffix("_op_ld.sum"));
    const auto stores = values.value(with_suffix("_op_st.sum"));
    return counted && *counted > 0 && loads == 0.0 && stores.value_or(0) == 0.0 &&
           values.value(with_suffix("_op_atom.sum")).value_or(0) == 0.0;
}

}  // namespace roofwalk
