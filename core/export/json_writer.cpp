// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/json_writer.h"

#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/export/json_text.h"

namespace roofwalk {

namespace {

/// What launches share is written once, in the header, and named by its place there.
struct SharedParts {
    std::vector<std::string_view> texts;
    std::unordered_map<TextId, std::uint32_t> place_of_text;
    std::vector<const CeilingSet*> ceilings;
    std::unordered_map<const CeilingSet*, std::uint32_t> place_of_ceilings;
};

void share_text(const Profile& profile, TextId id, SharedParts& shared) {
    if (id == TextId::none) return;
    const auto place = static_cast<std::uint32_t>(shared.texts.size());
    if (shared.place_of_text.emplace(id, place).second) shared.texts.push_back(profile.texts.view(id));
}

SharedParts collect_shared(const Profile& profile) {
    SharedParts shared;
    std::map<std::string, std::uint32_t> place_of_content;
    for (const Launch& launch : profile.launches) {
        for (const WorkSample& sample : launch.work)
            share_text(profile, sample.source, shared);
        for (const TrafficSample& sample : launch.traffic)
            share_text(profile, sample.source, shared);
        const CeilingSet* set = launch.ceilings.get();
        if (!set || set->empty() || shared.place_of_ceilings.contains(set)) continue;
        JsonText content;
        write_ceilings(content, *set);
        const auto [it, added] =
            place_of_content.emplace(content.take(), static_cast<std::uint32_t>(shared.ceilings.size()));
        if (added) shared.ceilings.push_back(set);
        shared.place_of_ceilings.emplace(set, it->second);
    }
    return shared;
}

std::string id_of_device(std::size_t index) {
    return "gpu" + std::to_string(index);
}

void write_source(JsonText& json, const SourceInfo& source) {
    json.begin_object();
    json.known_member("tool", source.tool);
    if (source.created) json.member("created", *source.created);
    if (source.partial) json.member("partial", true);
    if (source.range_results != 0) json.member("range_results", source.range_results);
    json.end_object();
}

void write_device(JsonText& json, const Device& device, std::size_t index) {
    json.begin_object();
    json.member("id", id_of_device(index));
    json.known_member("name", device.name);
    json.known_member("chip", device.chip);
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

template <class Items, class Write>
void write_list(JsonText& json, std::string_view key, const Items& items, Write write) {
    json.next_line();
    json.key(key);
    json.begin_array();
    for (std::size_t i = 0; i < items.size(); ++i) {
        json.next_line();
        write(items[i], i);
    }
    json.end_array();
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

void write_warning(JsonText& json, const Profile& profile, const Warning& warning) {
    json.begin_object();
    json.member("code", name_of(warning.message.code));
    json.member("what", warning.message.what);
    json.known_member("where", place_in_file(warning.message.where, profile));
    json.known_member("hint", warning.message.hint);
    if (!warning.launches.empty()) write_launches(json, warning);
    json.end_object();
}

/// The members of the outer object but for the kernels.
void write_header(JsonText& json, const Profile& profile, const SharedParts& shared) {
    json.next_line();
    json.member("format", "roofwalk-profile");
    json.member("version", 1U);
    write_list(json, "sources", profile.sources,
               [&](const SourceInfo& source, std::size_t) { write_source(json, source); });
    if (!profile.warnings.empty())
        write_list(json, "warnings", profile.warnings,
                   [&](const Warning& warning, std::size_t) { write_warning(json, profile, warning); });
    write_list(json, "devices", profile.devices,
               [&](const Device& device, std::size_t index) { write_device(json, device, index); });
    if (!shared.texts.empty())
        write_list(json, "texts", shared.texts,
                   [&](std::string_view text, std::size_t) { json.value(text); });
    if (!shared.ceilings.empty())
        write_list(json, "ceiling_sets", shared.ceilings,
                   [&](const CeilingSet* set, std::size_t) { write_ceilings(json, *set); });
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

void write_kernel(JsonText& json, const Profile& profile, const Launch& launch, const SharedParts& shared) {
    const Kernel& kernel = profile.kernel_of(launch);
    json.begin_object();
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
    json.end_object();
}

}  // namespace

std::string to_json(const Profile& profile) {
    const SharedParts shared = collect_shared(profile);
    JsonText json;
    json.begin_object();
    write_header(json, profile, shared);
    write_list(json, "kernels", profile.launches,
               [&](const Launch& launch, std::size_t) { write_kernel(json, profile, launch, shared); });
    json.next_line();
    json.end_object();
    json.end_line();
    return json.take();
}

std::string to_json_lines(const Profile& profile) {
    const SharedParts shared = collect_shared(profile);
    JsonText json(true);
    json.begin_object();
    write_header(json, profile, shared);
    json.end_object();
    json.end_line();
    for (const Launch& launch : profile.launches) {
        write_kernel(json, profile, launch, shared);
        json.end_line();
    }
    return json.take();
}

}  // namespace roofwalk
