// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/known_devices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/text.h"
#include "core/devices/device_ceilings.h"
#include "core/devices/devices_json.h"

namespace roofwalk {

namespace {

using nlohmann::json;

constexpr std::string_view datasheet = " datasheet, ";

Provenance from_table(const std::string& row, std::optional<Hertz> clock, std::string_view figure) {
    return {.source = CeilingSource::table,
            .basis = ClockBasis::boost,
            .clock = clock,
            .detail = fmt::format("{}{}{}", row, datasheet, figure),
            .mix = {},
            .date = {}};
}

ComputeCapability capability_of(const std::string& text) {
    ComputeCapability capability;
    char dot = 0;
    std::istringstream(text) >> capability.major >> dot >> capability.minor;
    return capability;
}

void add_compute(const json& row, Device& device) {
    const Hertz tensor_clock(row.value("tensor_mhz", row.at("boost_mhz").get<double>()) * 1e6);
    const std::string note = row.contains("note") ? "; " + row.at("note").get<std::string>() : "";
    for (const auto& [id, tera] : row.at("tera_per_s").items()) {
        const Pipe pipe = *pipe_from_id(id);
        const Hertz clock =
            is_tensor(pipe) && pipe.kind != PipeKind::tensor_fp64 ? tensor_clock : *device.boost_clock;
        device.ceilings.compute.push_back(
            {pipe, FlopRate(tera.get<double>() * 1e12), from_table(device.name, clock, "dense" + note)});
    }
}

void add_bandwidth(const json& row, Device& device) {
    device.ceilings.bandwidth.push_back({Boundary::hbm_dram_rw,
                                         ByteRate(row.at("dram_gb_per_s").get<double>() * 1e9),
                                         from_table(device.name, std::nullopt, "DRAM read or write")});
    if (!row.contains("l2_bytes_per_cycle")) return;
    const double bytes = row.at("l2_bytes_per_cycle").get<double>();
    // No datasheet prints it: it is the peak that counters have in reports of such boards.
    Provenance counted = from_table({}, device.boost_clock, {});
    counted.detail = fmt::format("{}: {} B a cycle as counters have it, taken at the SM clock", device.name,
                                 format_count(bytes));
    device.ceilings.bandwidth.push_back(
        {Boundary::l2_sm_sectors, ByteRate(bytes * device.boost_clock->value()), std::move(counted)});
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
        else if (ceiling.pipe.sparse)
            device.ceilings.compute.push_back(
                {ceiling.pipe, dense->rate * 2,
                 from_table(device.name, dense->provenance.clock, "2:4 sparse, twice the dense figure")});
    }
    for (const BandwidthCeiling& ceiling : derived.bandwidth)
        if (!device.ceilings.find(ceiling.boundary))
            device.ceilings.bandwidth.push_back(
                {ceiling.boundary, ceiling.rate, relabelled(ceiling.provenance)});
}

KnownDevice read_row(const json& row) {
    KnownDevice known;
    Device& device = known.device;
    device.name = row.at("name");
    device.chip = row.at("chip");
    device.compute_capability = capability_of(row.at("compute_capability"));
    device.sm_count = row.at("sm_count");
    device.boost_clock = Hertz(row.at("boost_mhz").get<double>() * 1e6);
    if (row.contains("bus_bits")) device.memory_bus_bits = row.at("bus_bits");
    device.l2_size = Bytes(row.at("l2_mib").get<double>() * 1048576);
    known.memory_gib = row.at("memory_gib").get<std::vector<double>>();
    if (known.memory_gib.size() == 1) device.memory_size = Bytes(known.memory_gib.front() * 1073741824);
    known.form = row.value("form", "");
    known.memory_type = row.value("memory_type", "");
    std::istringstream words(row.at("match").get<std::string>());
    for (std::string word; words >> word;)
        known.model.push_back(word);
    add_compute(row, device);
    add_bandwidth(row, device);
    add_derived(device);
    return known;
}

}  // namespace

bool is_of_datasheet(const Provenance& provenance) {
    return provenance.source == CeilingSource::table &&
           provenance.detail.find(datasheet) != std::string::npos;
}

std::span<const KnownDevice> known_device_rows() {
    static const std::vector<KnownDevice> rows = [] {
        std::vector<KnownDevice> list;
        const json table = json::parse(devices_json());
        for (const json& row : table.at("devices"))
            list.push_back(read_row(row));
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
