// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/devices/chip.h"
#include "core/import/ncu/ncu_ceilings.h"
#include "core/model/ncu_counters.h"

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
    constexpr std::string_view name = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    const auto percent = values.value(name);
    const auto peak = dram_peak(values);
    constexpr double most = 200;  // [%]: more is no share of a peak
    if (!percent || *percent < 0 || *percent > most || !peak || !values.duration()) return std::nullopt;
    NcuTraffic traffic;
    traffic.origin = Origin::estimated;
    traffic.total = Bytes(*percent / 100 * peak->value * values.duration()->value);
    traffic.source =
        std::string(name) + " * " + peak->formula + " * " + values.duration()->formula +
        " (approximate: DRAM bytes were not collected, and this share counts other activity too)";
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

}  // namespace roofwalk
