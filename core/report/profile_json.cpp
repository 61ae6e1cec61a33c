// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/profile_json.h"

#include <cmath>
#include <string>

namespace roofwalk {

namespace {

std::string id_of_device(std::size_t index) {
    return "gpu" + std::to_string(index);
}

/// A place without the file, which is named anew where the profile is read, and whose folders are nobody's
/// business: "offset 47970".
std::string_view place_in_file(std::string_view where, const Profile& profile) {
    for (const SourceInfo& source : profile.sources) {
        if (source.path.empty() || !where.starts_with(source.path)) continue;
        const std::string_view rest = where.substr(source.path.size());
        if (rest.empty()) return rest;
        if (rest.starts_with(", ")) return rest.substr(2);
    }
    return where;
}

/// The number of nanoseconds that reads back as the same time, where there is one: t * 1e9 * 1e-9 need not be
/// t. Whole numbers go first, as profilers count them.
double nanoseconds(Seconds time) {
    const double seconds = time.value();
    const double scaled = seconds * 1e9;
    for (const double candidate :
         {std::round(scaled), scaled, std::nextafter(scaled, 0.0), std::nextafter(scaled, HUGE_VAL)})
        if (candidate * 1e-9 == seconds) return candidate;
    return scaled;
}

void write_time(JsonText& json, std::string_view key, const std::optional<Seconds>& time) {
    if (time && *time >= Seconds(0)) json.known_member(key, nanoseconds(*time));
}

void write_size(JsonText& json, std::string_view key, const Dim3& size) {
    if (size == Dim3{}) return;
    json.key(key);
    json.begin_array();
    for (const std::uint32_t part : {size.x, size.y, size.z})
        json.value(part);
    json.end_array();
}

void write_number(JsonText& json, std::string_view key, std::uint32_t number) {
    if (number != 0) json.member(key, number);
}

/// How a sample came to be, where it is more than a plain measured number.
template <class Sample>
void write_derivation(JsonText& json, const Sample& sample, const SharedParts& shared) {
    if (sample.origin != Origin::measured) json.member("origin", id_of(sample.origin));
    if (sample.source != TextId::none) json.member("source", shared.place_of_text.at(sample.source));
}

template <class Sample>
bool is_plain(const Sample& sample) {
    return sample.origin == Origin::measured && sample.source == TextId::none;
}

void write_work(JsonText& json, const Launch& launch, const SharedParts& shared) {
    if (launch.work.empty()) return;
    json.key("flops");
    json.begin_object();
    for (const WorkSample& sample : launch.work) {
        json.key(id_of(sample.pipe));
        if (is_plain(sample)) {
            json.value(sample.work.value());
            continue;
        }
        json.begin_object();
        json.member("count", sample.work.value());
        write_derivation(json, sample, shared);
        json.end_object();
    }
    json.end_object();
}

void write_traffic(JsonText& json, const Launch& launch, const SharedParts& shared) {
    if (launch.traffic.empty()) return;
    json.key("bytes");
    json.begin_object();
    for (const TrafficSample& sample : launch.traffic) {
        json.key(id_of(sample.boundary));
        if (is_plain(sample) && !sample.read && !sample.write) {
            json.value(sample.total.value());
            continue;
        }
        json.begin_object();
        json.member("total", sample.total.value());
        json.known_member("read", sample.read);
        json.known_member("write", sample.write);
        write_derivation(json, sample, shared);
        json.end_object();
    }
    json.end_object();
}

void write_metrics(JsonText& json, const Profile& profile, const Launch& launch) {
    if (launch.metrics.empty()) return;
    json.key("metrics");
    json.begin_object();
    for (const MetricSample& sample : launch.metrics)
        json.known_member(profile.texts.view(sample.name), sample.value);
    json.end_object();
}

}  // namespace

void share_text(const Profile& profile, TextId id, SharedParts& shared) {
    if (id == TextId::none) return;
    const auto place = static_cast<std::uint32_t>(shared.texts.size());
    if (shared.place_of_text.emplace(id, place).second) shared.texts.push_back(profile.texts.view(id));
}

void share_texts_of(const Profile& profile, const Launch& launch, SharedParts& shared) {
    for (const WorkSample& sample : launch.work)
        share_text(profile, sample.source, shared);
    for (const TrafficSample& sample : launch.traffic)
        share_text(profile, sample.source, shared);
}

void write_json_source(JsonText& json, const SourceInfo& source) {
    json.begin_object();
    json.known_member("tool", source.tool);
    if (source.created) json.member("created", *source.created);
    if (source.partial) json.member("partial", true);
    if (source.range_results != 0) json.member("range_results", source.range_results);
    if (source.rank) json.member("rank", *source.rank);
    json.end_object();
}

void write_json_device(JsonText& json, const Device& device, std::size_t index) {
    json.begin_object();
    json.member("id", id_of_device(index));
    json.known_member("name", device.name);
    json.known_member("chip", device.chip);
    json.known_member("uuid", device.uuid);
    if (device.compute_capability)
        json.member("compute_capability", std::to_string(device.compute_capability->major) + "." +
                                              std::to_string(device.compute_capability->minor));
    if (device.sm_count) json.member("sm_count", std::int64_t{*device.sm_count});
    if (device.boost_clock || device.memory_clock) {
        json.key("clocks");
        json.begin_object();
        json.known_member("sm_hz", device.boost_clock);
        json.known_member("memory_hz", device.memory_clock);
        json.end_object();
    }
    if (device.memory_bus_bits) json.member("memory_bus_bits", std::int64_t{*device.memory_bus_bits});
    json.known_member("l2_bytes", device.l2_size);
    json.known_member("memory_bytes", device.memory_size);
    json.key("ceilings");
    write_ceilings(json, device.ceilings);
    json.end_object();
}

void write_json_warning(JsonText& json, const Profile& profile, const Warning& warning) {
    json.begin_object();
    json.member("code", name_of(warning.message.code));
    json.member("what", warning.message.what);
    json.known_member("where", place_in_file(warning.message.where, profile));
    json.known_member("hint", warning.message.hint);
    if (!warning.launches.empty()) write_launches(json, warning);
    json.end_object();
}

void write_kernel_members(JsonText& json, const Profile& profile, const Launch& launch,
                          const SharedParts& shared) {
    const Kernel& kernel = profile.kernel_of(launch);
    json.member("name", kernel.name);
    json.known_member("function", kernel.function_name);
    json.known_member("mangled", kernel.mangled_name);
    json.member("device", id_of_device(static_cast<std::size_t>(launch.device)));
    write_number(json, "source", static_cast<std::uint32_t>(launch.source));
    write_size(json, "grid", launch.grid);
    write_size(json, "block", launch.block);
    write_number(json, "stream", launch.stream);
    write_number(json, "context", launch.context);
    write_number(json, "process", launch.process);
    write_number(json, "thread", launch.thread);
    if (const NvtxStack& stack = profile.nvtx_of(launch); !stack.empty()) {
        json.key("nvtx");
        json.begin_array();
        for (const std::string& range : stack)
            json.value(range);
        json.end_array();
    }
    write_time(json, "start_ns", launch.start);
    if (launch.duration != Seconds(0)) write_time(json, "duration_ns", launch.duration);
    if (launch.failed) json.member("failed", true);
    if (launch.clocks_locked) json.member("clocks_locked", *launch.clocks_locked);
    write_work(json, launch, shared);
    if (launch.uncounted.any()) write_uncounted_work(json, launch.uncounted);
    write_traffic(json, launch, shared);
    write_metrics(json, profile, launch);
    json.known_member("algorithm", profile.texts.view(launch.algorithm));
    if (const auto it = shared.place_of_ceilings.find(launch.ceilings.get());
        it != shared.place_of_ceilings.end())
        json.member("ceiling_set", it->second);
}

}  // namespace roofwalk
