// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/profile_to_json.h"

#include <map>

#include "core/model/profile_codec.h"
#include "core/model/source_names.h"

namespace roofwalk {

namespace {

std::string id_of_device(std::size_t index) {
    return "gpu" + std::to_string(index);
}

void share_text(const Profile& profile, TextId id, SharedParts& shared) {
    if (id == TextId::none) return;
    const auto place = static_cast<std::uint32_t>(shared.texts.size());
    if (shared.place_of_text.emplace(id, place).second) shared.texts.push_back(profile.texts.view(id));
}

/// How a sample came to be, where it is more than a plain measured number.
template <class Fields, class Sample>
void add_derivation(const Sample& sample, const SharedParts& shared, Fields& fields) {
    if (sample.origin != Origin::measured) fields.origin = sample.origin;
    if (sample.source != TextId::none) fields.source = shared.place_of_text.at(sample.source);
}

template <class Fields>
void write_sample(JsonWriter& json, double number, const Fields& fields, bool plain) {
    if (plain)
        json.value(number);
    else
        json.value(fields);
}

struct WorkOfLaunch {
    const Launch& launch;
    const SharedParts& shared;

    friend bool is_known(const WorkOfLaunch& work) { return !work.launch.work.empty(); }
    friend void write_json(JsonWriter& json, const WorkOfLaunch& work) {
        json.object([&] {
            for (const WorkSample& sample : work.launch.work) {
                JsonWork<std::uint32_t> fields{.count = sample.work, .origin = {}, .source = {}};
                add_derivation(sample, work.shared, fields);
                json.key(id_of(sample.pipe));
                write_sample(json, sample.work.value(), fields, !fields.origin && !fields.source);
            }
        });
    }
};

struct TrafficOfLaunch {
    const Launch& launch;
    const SharedParts& shared;

    friend bool is_known(const TrafficOfLaunch& traffic) { return !traffic.launch.traffic.empty(); }
    friend void write_json(JsonWriter& json, const TrafficOfLaunch& traffic) {
        json.object([&] {
            for (const TrafficSample& sample : traffic.launch.traffic) {
                JsonTraffic<std::uint32_t> fields{.boundary = {},
                                                  .total = sample.total,
                                                  .read = sample.read,
                                                  .write = sample.write,
                                                  .origin = {},
                                                  .source = {}};
                add_derivation(sample, traffic.shared, fields);
                const bool plain = !fields.origin && !fields.source && !fields.read && !fields.write;
                json.key(id_of(sample.boundary));
                write_sample(json, sample.total.value(), fields, plain);
            }
        });
    }
};

struct MetricsOfLaunch {
    const Profile& profile;
    const Launch& launch;

    friend bool is_known(const MetricsOfLaunch& metrics) { return !metrics.launch.metrics.empty(); }
    friend void write_json(JsonWriter& json, const MetricsOfLaunch& metrics) {
        json.object([&] {
            for (const MetricSample& sample : metrics.launch.metrics)
                if (std::isfinite(sample.value))
                    json.member(metrics.profile.texts.view(sample.name), sample.value);
        });
    }
};

struct CeilingsOfLaunch {
    const CeilingSet* set = nullptr;

    friend bool is_known(const CeilingsOfLaunch& ceilings) { return ceilings.set && !ceilings.set->empty(); }
    friend void write_json(JsonWriter& json, const CeilingsOfLaunch& ceilings) { json.value(*ceilings.set); }
};

struct WrittenKernel {
    const Launch& launch;
    std::string_view name;
    std::string_view function;
    std::string_view mangled;
    std::string device;
    std::uint32_t source;
    const NvtxStack& nvtx;
    std::optional<std::uint32_t> duration_source{};
    Dropped<Pipe> precision{};
    WorkOfLaunch flops;
    TrafficOfLaunch bytes;
    MetricsOfLaunch metrics;
    std::string_view algorithm;
    std::optional<std::uint32_t> ceiling_set{};
    CeilingsOfLaunch ceilings{};
    std::optional<std::uint64_t> number{};
    std::optional<std::uint64_t> like{};
};

SharedParts collect_shared(const Profile& profile) {
    SharedParts shared;
    std::map<std::string, std::uint32_t> place_of_content;
    for (const Launch& launch : profile.launches) {
        share_texts_of(profile, launch, shared);
        const CeilingSet* set = launch.ceilings.get();
        if (!set || set->empty() || shared.place_of_ceilings.contains(set)) continue;
        JsonWriter content;
        content.value(*set);
        const auto [it, added] =
            place_of_content.emplace(content.take(), static_cast<std::uint32_t>(shared.ceilings.size()));
        if (added) shared.ceilings.push_back(set);
        shared.place_of_ceilings.emplace(set, it->second);
    }
    return shared;
}

/// The members of the outer object but for the kernels.
void write_header(JsonWriter& json, const Profile& profile, const SharedParts& shared) {
    const auto list = [&json](std::string_view name, const auto& items, auto write) {
        json.next_line();
        json.lines(name, items, write);
    };
    json.next_line();
    json.member("format", "roofwalk-profile");
    json.member("version", 1);
    list("sources", profile.sources, [&](const SourceInfo& source) { json.value(source); });
    if (!profile.warnings.empty())
        list("warnings", profile.warnings, [&](const Warning& warning) { json.value(warning); });
    std::size_t device_index = 0;
    list("devices", profile.devices,
         [&](const Device& device) { write_device(json, device, device_index++); });
    if (!shared.texts.empty()) list("texts", shared.texts, [&](std::string_view text) { json.value(text); });
    if (!shared.ceilings.empty())
        list("ceiling_sets", shared.ceilings, [&](const CeilingSet* set) { json.value(*set); });
}

}  // namespace

void write_launch(JsonWriter& json, const Profile& profile, const Launch& launch, const SharedParts& shared,
                  const RecordedLaunch* recorded) {
    const Kernel& kernel = profile.kernel_of(launch);
    WrittenKernel written{.launch = launch,
                          .name = kernel.name,
                          .function = kernel.function_name,
                          .mangled = kernel.mangled_name,
                          .device = id_of_device(static_cast<std::size_t>(launch.device)),
                          .source = static_cast<std::uint32_t>(launch.source),
                          .nvtx = profile.nvtx_of(launch),
                          .flops = {launch, shared},
                          .bytes = {launch, shared},
                          .metrics = {profile, launch},
                          .algorithm = profile.texts.view(launch.algorithm)};
    if (launch.duration_source != TextId::none)
        written.duration_source = shared.place_of_text.at(launch.duration_source);
    if (const auto it = shared.place_of_ceilings.find(launch.ceilings.get());
        it != shared.place_of_ceilings.end())
        written.ceiling_set = it->second;
    if (recorded) {
        written.ceilings.set = recorded->ceilings;
        written.number = recorded->number;
        written.like = recorded->like;
    }
    json.value(written);
}

void write_device(JsonWriter& json, const Device& device, std::size_t index) {
    json.value(JsonDevice{id_of_device(index), device});
}

void share_texts_of(const Profile& profile, const Launch& launch, SharedParts& shared) {
    share_text(profile, launch.duration_source, shared);
    for (const WorkSample& sample : launch.work)
        share_text(profile, sample.source, shared);
    for (const TrafficSample& sample : launch.traffic)
        share_text(profile, sample.source, shared);
}

std::string to_json(const Profile& profile) {
    const SharedParts shared = collect_shared(profile);
    JsonWriter json;
    json.object([&] {
        write_header(json, profile, shared);
        json.next_line();
        json.lines("kernels", profile.launches,
                   [&](const Launch& launch) { write_launch(json, profile, launch, shared); });
        json.next_line();
    });
    json.end_line();
    return json.take();
}

std::string to_json_lines(const Profile& profile) {
    const SharedParts shared = collect_shared(profile);
    JsonWriter json(true);
    json.object([&] { write_header(json, profile, shared); });
    json.end_line();
    for (const Launch& launch : profile.launches) {
        write_launch(json, profile, launch, shared);
        json.end_line();
    }
    return json.take();
}

void write_sources(JsonWriter& json, const Profile& profile) {
    json.object_lines("sources", profile.sources, [&](const SourceInfo& source) {
        json.member("file", file_name_of(source.path));
        json.member("format", label_of(source.format));
        json.member("tool", source.tool);
        json.member("partial", source.partial);
    });
}

}  // namespace roofwalk
