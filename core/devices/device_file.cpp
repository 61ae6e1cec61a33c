// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/devices/device_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "core/base/json_decoder.h"
#include "core/base/text.h"
#include "core/devices/chip.h"
#include "core/devices/match_device.h"
#include "core/model/profile_codec.h"
#include "core/model/source_names.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 20U;

bool is_number(const JsonValue& value) {
    return value.element.is_number();
}

/// Of each pipe; a number is that of all that compute in floating point.
struct TypedPeaks {
    std::map<Pipe, FlopRate> rates;
    bool one = false;

    friend bool read_json(const JsonValue& value, TypedPeaks& target) {
        FlopRate rate;
        if (!is_number(value))
            return value.each_member([&](std::string_view key, const JsonValue& item) {
                Pipe pipe;
                if (!read_pipe(value, key, pipe) || !read_json(item, rate)) return false;
                target.rates[pipe] = rate;
                return true;
            });
        if (!read_json(value, rate)) return false;
        target.one = true;
        for (const PipeKind kind : all_pipe_kinds)
            if (!counts_integers({kind})) target.rates[{kind}] = rate;
        return true;
    }
};

/// Of each boundary; a number is that of HBM. What is typed of a level is of each of its boundaries that has
/// no figure of its own.
struct TypedBandwidths {
    std::map<Boundary, ByteRate> rates;

    friend bool read_json(const JsonValue& value, TypedBandwidths& target) {
        if (is_number(value)) return read_json(value, target.rates[Boundary::hbm_dram_rw]);
        std::map<Boundary, ByteRate> of_levels;
        const bool read = value.each_member([&](std::string_view key, const JsonValue& item) {
            Boundary boundary{};
            ByteRate rate;
            const auto level = enum_from_id<MemoryLevel>(key);
            if ((!level && !read_boundary(value, key, boundary)) || !read_json(item, rate)) return false;
            if (!level) target.rates[boundary] = rate;
            for (const Boundary of : all_boundaries)
                if (level && level_of(of) == *level) of_levels[of] = rate;
            return true;
        });
        target.rates.merge(of_levels);
        return read;
    }
};

struct DeviceFile {
    std::string name;
    std::optional<ComputeCapability> capability;
    std::optional<int> sm_count;
    TypedBandwidths bandwidth;
    TypedPeaks peak;

    friend void each_field(auto& field, DeviceFile& file) {
        field("$schema", Dropped<std::string_view>{});
        field("description", Dropped<std::string_view>{});
        field("name", file.name);
        field("compute_capability", file.capability);
        field("sm_count", file.sm_count);
        field("bandwidth", file.bandwidth);
        field("peak", file.peak);
    }
};

Error incomplete(std::string what, const std::string& where) {
    return {ErrorCode::bad_schema, std::move(what), where,
            R"(Two numbers are enough: {"bandwidth": 9e11, "peak": 4e13}, in byte/s and FLOP/s.)"};
}

bool is_other_than(const Device& named, const Device& device) {
    return device.compute_capability && named.compute_capability &&
           *device.compute_capability != *named.compute_capability;
}

Error other_capability(const Device& device, const Device& named) {
    return {ErrorCode::bad_argument,
            fmt::format("The file was measured at compute capability {}.{}, and {} has {}.{}",
                        device.compute_capability->major, device.compute_capability->minor, named.name,
                        named.compute_capability->major, named.compute_capability->minor),
            "--device", "Name the GPU that ran it; compare --device tells what another GPU would change."};
}

struct DramPeak {
    ByteRate rate;
    std::string formula;
};

/// Of its bus at the clock of the launch, else what is known of the GPU.
std::optional<DramPeak> dram_peak(const Profile& profile, const Launch& launch, const Device& gpu) {
    constexpr std::string_view clock_name = "dram__cycles_elapsed.avg.per_second";
    constexpr double noise = 1.05;
    const BandwidthCeiling* roof = gpu.ceilings.find(Boundary::hbm_dram_rw);
    const auto clock = profile.metric(launch, clock_name);
    const ByteRate of_bus(2.0 / 8 * gpu.memory_bus_bits.value_or(0) * clock.value_or(0));
    if (of_bus > ByteRate() && (roof == nullptr || of_bus <= roof->rate * noise))
        return DramPeak{of_bus, fmt::format("2 * memory bus width of the {} * {}", gpu.name, clock_name)};
    return roof ? std::optional(DramPeak{roof->rate, "bandwidth of the " + gpu.name}) : std::nullopt;
}

/// As the reader estimates them where a file tells the bus of its GPU.
void estimate_dram_bytes(Profile& profile, DeviceIndex device, const Device& gpu) {
    constexpr std::string_view share_name = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
    const Architecture* architecture = architecture_of(gpu.compute_capability);
    if (architecture != nullptr && !architecture->counts_dram) return;
    for (Launch& launch : profile.launches) {
        if (launch.device != device || !launch.duration || launch.find(Boundary::hbm_dram_rw)) continue;
        const auto share = profile.metric(launch, share_name);
        const auto peak = dram_peak(profile, launch, gpu);
        if (!share || !peak) continue;
        const auto bytes = dram_bytes_of_share(*share, peak->rate, *launch.duration);
        if (!bytes) continue;
        const std::string source =
            fmt::format("{} * {} * time{}", share_name, peak->formula, dram_share_note);
        launch.traffic.push_back(
            {Boundary::hbm_dram_rw, Origin::estimated, profile.texts.intern(source), *bytes, {}, {}});
    }
}

}  // namespace

Device described_part(const Device& device) {
    const auto is_typed = [](const auto& ceiling) {
        return ceiling.provenance.source == CeilingSource::user;
    };
    Device described;
    described.name = device.name;
    std::ranges::copy_if(device.ceilings.compute, std::back_inserter(described.ceilings.compute), is_typed);
    std::ranges::copy_if(device.ceilings.bandwidth, std::back_inserter(described.ceilings.bandwidth),
                         is_typed);
    if (described.ceilings.empty()) return described;
    described.compute_capability = device.compute_capability;
    described.sm_count = device.sm_count;
    return described;
}

const Device* known_or_described(const Device& part) {
    return part.ceilings.empty() ? find_known_device(part.name) : &part;
}

bool name_unnamed_devices(Profile& profile, const Device& named) {
    const Device described = described_part(named);
    const Device* known = known_or_described(described);
    bool any = false;
    for (std::size_t i = 0; i < profile.devices.size(); ++i) {
        Device& device = profile.devices[i];
        if (!device.name.empty()) continue;
        if (is_other_than(named, device)) {  // it stays without a name: the roofs would be of two GPUs
            profile.warnings.push_back({other_capability(device, named), {}});
            continue;
        }
        any = true;
        device.name = named.name;
        if (!device.compute_capability) device.compute_capability = described.compute_capability;
        if (!device.sm_count) device.sm_count = described.sm_count;
        std::ranges::copy(described.ceilings.compute, std::back_inserter(device.ceilings.compute));
        std::ranges::copy(described.ceilings.bandwidth, std::back_inserter(device.ceilings.bandwidth));
        if (known != nullptr) estimate_dram_bytes(profile, static_cast<DeviceIndex>(i), *known);
    }
    return any;
}

const Device* unnamed_device(const Profile& profile) {
    const auto found = std::ranges::find_if(profile.devices, &std::string::empty, &Device::name);
    return found == profile.devices.end() ? nullptr : &*found;
}

Result<Device> read_device(std::string_view text, const std::string& where) {
    if (text.size() > most_bytes)
        return unexpected(ErrorCode::too_large, "A GPU is described in at most 1 MiB", where,
                          "Is it the file that you mean?");
    JsonDecoder decoder;
    JsonElement root;
    DeviceFile file;
    if (!decoder.parse_document(text, "GPU", root) || !read_json(JsonValue{root, decoder}, file))
        return tl::unexpected(decoder.error(where));
    if (!decoder.ignored().empty())
        return tl::unexpected(
            incomplete("A GPU has no member '" + decoder.ignored().begin()->first + "'", where));
    if (file.name.empty()) file.name = clean_utf8(std::filesystem::path(where).stem().string());
    if (file.bandwidth.rates.empty()) return tl::unexpected(incomplete("The GPU has no bandwidth", where));
    if (file.peak.rates.empty()) return tl::unexpected(incomplete("The GPU has no peak", where));
    Device device;
    device.vendor = vendor_in_name(file.name);
    device.name = std::move(file.name);
    device.compute_capability = file.capability;
    device.sm_count = file.sm_count;
    const auto typed = [&](bool one) {
        const std::string detail =
            std::string(file_name_of(where)) + (one ? ", one peak for every floating-point pipe" : "");
        return Provenance{
            .source = CeilingSource::user, .basis = ClockBasis::boost, .clock = {}, .detail = detail};
    };
    for (const auto& [pipe, rate] : file.peak.rates)
        device.ceilings.compute.push_back({pipe, rate, typed(file.peak.one)});
    for (const auto& [boundary, rate] : file.bandwidth.rates)
        device.ceilings.bandwidth.push_back({boundary, rate, typed(false)});
    return device;
}

}  // namespace roofwalk
