// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_traffic.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/devices/chip.h"
#include "core/import/ncu/ncu_ceilings.h"
#include "core/roofline/unit_throughput.h"

namespace roofwalk {

namespace {

struct ReadWrite {
    std::string_view read;
    std::string_view write;
    double bytes;  ///< of one count
};

constexpr std::array<ReadWrite, 3> dram_reads_and_writes{{
    {"dram__bytes_read", "dram__bytes_write", 1},
    {"dram__bytes_op_read", "dram__bytes_op_write", 1},  // GeForce Blackwell
    {"dram__sectors_read", "dram__sectors_write", bytes_per_sector},
}};

std::string scaled(double bytes, const std::string& formula) {
    return bytes == 1 ? formula : fmt::format("{:g} * ", bytes) + formula;
}

std::optional<NcuTraffic> dram_read_write(const NcuValues& values) {
    for (const ReadWrite& counter : dram_reads_and_writes) {
        const auto read = values.total(counter.read);
        const auto write = values.total(counter.write);
        if (!read || !write) continue;
        NcuTraffic traffic;
        traffic.read = Bytes(counter.bytes * read->value);
        traffic.write = Bytes(counter.bytes * write->value);
        traffic.total = *traffic.read + *traffic.write;
        traffic.source = counter.bytes == 1
                             ? read->formula + " + " + write->formula
                             : scaled(counter.bytes, "(" + read->formula + " + " + write->formula + ")");
        return traffic;
    }
    return std::nullopt;
}

std::optional<NcuTraffic> dram_from_percent(const NcuValues& values) {
    std::string_view name = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    if (!values.value(name)) name = "fbpa__sol_pct";  // of 2019
    const auto share = values.value(name);
    const auto peak = dram_peak(values);
    if (!share || !peak || !values.duration()) return std::nullopt;
    const auto bytes = dram_bytes_of_share(*share, ByteRate(peak->value), Seconds(values.duration()->value));
    if (!bytes) return std::nullopt;
    NcuTraffic traffic;
    traffic.origin = Origin::estimated;
    traffic.total = *bytes;
    traffic.source =
        fmt::format("{} * {} * {}{}", name, peak->formula, values.duration()->formula, dram_share_note);
    return traffic;
}

std::optional<NcuTraffic> simple(const NcuValues& values, Boundary boundary, std::string_view counter,
                                 double bytes) {
    const auto total = values.total(counter);
    if (!total) return std::nullopt;
    NcuTraffic traffic;
    traffic.boundary = boundary;
    traffic.total = Bytes(bytes * total->value);
    traffic.source = scaled(bytes, total->formula);
    return traffic;
}

std::optional<NcuTraffic> l2_sectors(const NcuValues& values) {
    constexpr std::string_view counter = "lts__t_sectors_srcunit_tex";
    auto traffic = simple(values, Boundary::l2_sm_sectors, counter, bytes_per_sector);
    if (!traffic) return std::nullopt;
    const auto part = [&](std::string_view operation) -> std::optional<Bytes> {
        const auto sectors = values.total(std::string(counter).append(operation));
        return sectors ? std::optional(Bytes(bytes_per_sector * sectors->value)) : std::nullopt;
    };
    traffic->read = part("_op_read");
    traffic->write = part("_op_write");
    return traffic;
}

std::optional<NcuTraffic> first_of(std::optional<NcuTraffic> a, std::optional<NcuTraffic> b) {
    return a ? std::move(a) : std::move(b);
}

/// All LSU wavefronts: the count, else the share of one wavefront a cycle and SM.
std::optional<NcuTraffic> l1_unified(const NcuValues& values) {
    constexpr std::string_view counter = "l1tex__data_pipe_lsu_wavefronts";
    if (auto counted = simple(values, Boundary::l1_unified, counter, bytes_per_wavefront)) return counted;
    const std::string percent_name = std::string(counter) + ".avg.pct_of_peak_sustained_elapsed";
    const auto percent = values.value(percent_name);
    const auto peak = sm_cycle_rate(values);
    if (!percent || !peak || !values.duration()) return std::nullopt;
    NcuTraffic traffic;
    traffic.boundary = Boundary::l1_unified;
    const double most = peak->value * values.duration()->value;
    traffic.total = Bytes(bytes_per_wavefront * std::round(*percent / 100 * most));
    traffic.source = fmt::format("{} * {:g} B * {} * {}", percent_name, bytes_per_wavefront, peak->formula,
                                 values.duration()->formula);
    return traffic;
}

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

bool has_no_dram(const Device& device) {
    const Architecture* architecture = architecture_of(device.compute_capability);
    return architecture != nullptr && !architecture->counts_dram;
}

std::optional<NcuTraffic> hbm_traffic(const NcuValues& values) {
    if (has_no_dram(values.device())) return std::nullopt;
    auto split = dram_read_write(values);
    if (auto total = simple(values, Boundary::hbm_dram_rw, "dram__bytes", 1)) {
        if (split) {
            total->read = split->read;
            total->write = split->write;
        }
        // Exact sums go before products of rates; they agree to the last digit where both exist.
        const bool exact = values.value("dram__bytes.sum").has_value();
        return exact || !split ? total : split;
    }
    return first_of(std::move(split), dram_from_percent(values));
}

std::optional<DramPart> dram_part(const NcuValues& values) {
    if (has_no_dram(values.device()) || hbm_traffic(values)) return std::nullopt;
    for (const ReadWrite& counter : dram_reads_and_writes) {
        if (const auto read = values.total(counter.read))
            return DramPart{dram_reads, counter.bytes * read->value};
        if (const auto write = values.total(counter.write))
            return DramPart{dram_writes, counter.bytes * write->value};
    }
    return std::nullopt;
}

std::vector<NcuTraffic> cache_traffic(const NcuValues& values) {
    std::vector<NcuTraffic> found;
    const auto take = [&](std::optional<NcuTraffic> traffic) {
        if (traffic) found.push_back(std::move(*traffic));
    };
    take(l2_sectors(values));
    take(first_of(simple(values, Boundary::l2_sm_return, "lts__lts2xbar_cycles_active", bytes_per_sector),
                  simple(values, Boundary::l2_sm_return, "l1tex__m_xbar2l1tex_read_bytes", 1)));
    take(first_of(simple(values, Boundary::l2_all, "lts__t_bytes", 1),
                  simple(values, Boundary::l2_all, "lts__t_sectors", bytes_per_sector)));
    take(l1_unified(values));
    take(simple(values, Boundary::l1_writeback, l1_writeback_counter(values.device().compute_capability),
                bytes_per_wavefront));
    take(first_of(simple(values, Boundary::l1_tag, "l1tex__t_bytes", 1),
                  simple(values, Boundary::l1_tag, "l1tex__t_sectors", bytes_per_sector)));
    return found;
}

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
