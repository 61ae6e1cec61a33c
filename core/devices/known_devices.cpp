// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/known_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "core/base/json_decoder.h"
#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/device_ceilings.h"
#include "core/model/profile_codec.h"

namespace roofwalk {

namespace {

/// Of each pipe [10^12/s]
struct PipeRates {
    std::map<std::string, double, std::less<>> tera_per_s;

    friend bool read_json(const JsonValue& value, PipeRates& target) {
        return value.each_member([&](std::string_view pipe, const JsonValue& item) {
            return read_json(item, target.tera_per_s[std::string(pipe)]);
        });
    }
};

/// A row as it stands in the file.
struct TableRow {
    KnownDevice known;
    std::string words;
    std::optional<double> boost_mhz;
    std::optional<double> tensor_mhz;
    std::optional<double> l2_mib;
    std::optional<double> l2_bytes_per_cycle;
    double dram_gb_per_s = 0;
    PipeRates rates;
    std::string note;
    std::string tensor_note;           ///< of the tensor pipes alone
    bool second_hand = false;          ///< no page of NVIDIA prints the figures
    std::vector<std::string> sources;  ///< pages that print the figures, best first

    friend void each_field(auto& field, TableRow& row) {
        Device& device = row.known.device;
        field("name", device.name);
        field("match", row.words);
        field("form", row.known.form);
        field("memory_type", row.known.memory_type);
        field("memory_gib", row.known.memory_gib);
        field("chip", device.chip);
        field("compute_capability", device.compute_capability);
        field("sm_count", device.sm_count);
        field("boost_mhz", row.boost_mhz);
        field("tensor_mhz", row.tensor_mhz);
        field("bus_bits", device.memory_bus_bits);
        field("l2_mib", row.l2_mib);
        field("l2_bytes_per_cycle", row.l2_bytes_per_cycle);
        field("dram_gb_per_s", row.dram_gb_per_s);
        field("tera_per_s", row.rates);
        field("note", row.note);
        field("tensor_note", row.tensor_note);
        field("second_hand", row.second_hand);
        field("sources", row.sources);
    }
};

struct DeviceTable {
    std::vector<TableRow> rows;

    friend void each_field(auto& field, DeviceTable& table) { field("devices", table.rows); }
};

Provenance from_table(const std::string& row, std::optional<Hertz> clock, std::string_view figure) {
    return {.source = CeilingSource::table,
            .basis = ClockBasis::boost,
            .clock = clock,
            .detail = fmt::format("{} datasheet, {}", row, figure)};
}

std::optional<Hertz> hertz(std::optional<double> mega) {
    return mega ? std::optional(Hertz(*mega * 1e6)) : std::nullopt;
}

std::string_view mark_of(const TableRow& row) {
    return row.second_hand ? "second-hand, " : "";
}

/// "; https://…", the first of them.
std::string source_of(const TableRow& row) {
    return row.sources.empty() ? std::string() : "; " + row.sources.front();
}

void add_compute(const TableRow& row, Device& device) {
    const std::optional<Hertz> tensor_clock = hertz(row.tensor_mhz ? row.tensor_mhz : row.boost_mhz);
    for (const auto& [id, tera] : row.rates.tera_per_s) {
        const Pipe pipe = *pipe_from_id(id);
        const auto clock =
            is_tensor(pipe) && pipe.kind != PipeKind::tensor_fp64 ? tensor_clock : device.boost_clock;
        std::string figure = fmt::format("{}{}", mark_of(row), pipe.sparse ? "2:4 sparse" : "dense");
        for (const std::string& note : {row.note, is_tensor(pipe) ? row.tensor_note : ""})
            if (!note.empty()) figure += "; " + note;
        device.ceilings.compute.push_back(
            {pipe, FlopRate(tera * 1e12), from_table(device.name, clock, figure + source_of(row))});
    }
}

void add_bandwidth(const TableRow& row, Device& device) {
    device.ceilings.bandwidth.push_back(
        {Boundary::hbm_dram_rw, ByteRate(row.dram_gb_per_s * 1e9),
         from_table(device.name, std::nullopt,
                    fmt::format("{}memory read or write{}", mark_of(row), source_of(row)))});
    if (!row.l2_bytes_per_cycle || !device.boost_clock) return;
    const double bytes = *row.l2_bytes_per_cycle;
    const Architecture* architecture = architecture_of(device.compute_capability);
    const double own = architecture != nullptr ? architecture->l2.clock : 0;
    const double clock = own > 0 ? own : device.boost_clock->value();
    // No datasheet prints it: it is the peak that counters have in reports of such boards.
    Provenance counted = from_table({}, own > 0 ? std::nullopt : device.boost_clock, {});
    counted.detail =
        fmt::format("{}: {} B a cycle as counters have it, {}", device.name, format_count(bytes),
                    own > 0 ? fmt::format("at {}, the highest clock that they show of L2", format(Hertz(own)))
                            : "taken at the SM clock");
    add_l2_ceilings(device, ByteRate(bytes * clock), counted, device.ceilings);
}

/// What the datasheet does not give follows from SMs and clock: vector FP16, sparse rates, SMEM and L1.
void add_derived(Device& device) {
    const CeilingSet derived = ceilings_from_attributes(device);
    const auto relabelled = [&](Provenance provenance) {
        provenance.source = CeilingSource::table;
        provenance.detail = device.name + ": " + provenance.detail;
        return provenance;
    };
    const CeilingSet printed = device.ceilings;
    for (const ComputeCeiling& ceiling : derived.compute) {
        const ComputeCeiling* dense = printed.find(Pipe{ceiling.pipe.kind, false});
        if (!dense)
            device.ceilings.compute.push_back({ceiling.pipe, ceiling.rate, relabelled(ceiling.provenance)});
        else if (ceiling.pipe.sparse && !printed.find(ceiling.pipe))
            device.ceilings.compute.push_back(
                {ceiling.pipe, dense->rate * 2,
                 from_table(device.name, dense->provenance.clock, "2:4 sparse, twice the dense figure")});
    }
    for (const BandwidthCeiling& ceiling : derived.bandwidth)
        if (!device.ceilings.find(ceiling.boundary))
            device.ceilings.bandwidth.push_back(
                {ceiling.boundary, ceiling.rate, relabelled(ceiling.provenance)});
}

KnownDevice known_device(TableRow row) {
    KnownDevice known = std::move(row.known);
    Device& device = known.device;
    device.vendor = Vendor::nvidia;
    if (const Chip* chip = find_chip(device.chip)) device.compute_capability = chip->capability;
    device.boost_clock = hertz(row.boost_mhz);
    if (row.l2_mib) device.l2_size = Bytes(*row.l2_mib * 1048576);
    device.memory_size = Bytes(known.memory_gib * 1073741824);
    std::istringstream words(row.words);
    for (std::string word; words >> word;)
        known.model.push_back(word);
    add_compute(row, device);
    add_bandwidth(row, device);
    for (const ComputeCeiling& printed : device.ceilings.compute)
        known.published.emplace_back(printed.pipe);
    known.published.emplace_back(Boundary::hbm_dram_rw);
    add_derived(device);
    return known;
}

}  // namespace

bool is_of_datasheet(const Device& device, const CeilingTarget& target) {
    return std::ranges::any_of(known_device_rows(), [&](const KnownDevice& row) {
        return row.device.name == device.name &&
               std::ranges::find(row.published, target) != row.published.end();
    });
}

std::span<const KnownDevice> known_device_rows() {
    static const std::vector<KnownDevice> rows = [] {
        std::vector<KnownDevice> list;
        const auto table = read_json_document<DeviceTable>(devices_json(), "table of GPUs", "devices.json");
        for (const TableRow& row : table.value().rows)
            list.push_back(known_device(row));
        return list;
    }();
    return rows;
}

std::span<const Device> known_devices() {
    static const std::vector<Device> devices = [] {
        std::vector<Device> list;
        for (const KnownDevice& row : known_device_rows())
            list.push_back(row.device);
        return list;
    }();
    return devices;
}

}  // namespace roofwalk
