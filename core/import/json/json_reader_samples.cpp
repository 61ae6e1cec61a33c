// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/json/json_reader_samples.h"

#include <bitset>

#include "core/import/json/json_reader_device.h"

namespace roofwalk {

namespace {

struct SampleDraft {
    std::optional<Flops> count;
    std::optional<Bytes> total;
    std::optional<Bytes> read;
    std::optional<Bytes> write;
    std::optional<std::string_view> boundary;
    std::optional<Origin> origin;
    std::optional<JsonElement> source;
};

bool read_sample_origin(JsonElement value, const JsonPath& at, JsonChecker& check, SampleDraft& target) {
    return read_json_origin(value, at, check, target.origin.emplace());
}

bool keep_source(JsonElement value, const JsonPath&, JsonChecker&, SampleDraft& target) {
    target.source = value;
    return true;
}

constexpr JsonField<SampleDraft> work_fields[] = {
    {"count", read_member<&SampleDraft::count>},
    {"origin", read_sample_origin},
    {"source", keep_source},
};

constexpr JsonField<SampleDraft> traffic_fields[] = {
    {"boundary", [](JsonElement value, const JsonPath& at, JsonChecker& check,
                    SampleDraft& target) { return check.read(value, at, target.boundary.emplace()); }},
    {"total", read_member<&SampleDraft::total>},
    {"read", read_member<&SampleDraft::read>},
    {"write", read_member<&SampleDraft::write>},
    {"origin", read_sample_origin},
    {"source", keep_source},
};

/// The boundary that a key and a "boundary" beside it mean together.
bool resolve_boundary(std::string_view key, const std::optional<std::string_view>& inner, const JsonPath& at,
                      JsonChecker& check, Boundary& target) {
    const auto level = level_from_id(key);
    if (level) target = default_boundary(*level);
    if (!level && !read_json_boundary(key, at, check, target)) return false;
    if (!inner) return true;
    const JsonPath here{&at, "boundary", {}};
    const Boundary outer = target;
    if (!read_json_boundary(*inner, here, check, target)) return false;
    if (level ? level_of(target) == *level : target == outer) return true;
    return check.fail(here, "The boundary does not belong to the level it stands under");
}

}  // namespace

bool JsonSampleReader::read_derivation(const std::optional<JsonElement>& value, const JsonPath& at,
                                       TextId& target) {
    if (!value) return true;
    const JsonPath here{&at, "source", {}};
    if (value->is_string()) {
        std::string_view text;
        if (!check_.read(*value, here, text)) return false;
        target = texts_.intern(text);
        return true;
    }
    std::uint32_t index = 0;
    if (!check_.read(*value, here, index)) return false;
    if (index >= header_.texts.size())
        return check_.fail(here, "There is no such entry in \"texts\"",
                           "Give the text itself or its place in the list, from 0.");
    target = header_.texts[index];
    return true;
}

bool JsonSampleReader::read_work_sample(JsonElement value, const JsonPath& at, WorkSample& target) {
    target.origin = header_.origin;
    if (!value.is_object()) return check_.read(value, at, target.work);
    SampleDraft draft;
    if (!read_fields(value, at, check_, work_fields, draft)) return false;
    if (!draft.count)
        return check_.fail({&at, "count", {}}, "The count is missing", "In FLOP, or operations of integers.");
    target.work = *draft.count;
    if (draft.origin) target.origin = *draft.origin;
    return read_derivation(draft.source, at, target.source);
}

bool JsonSampleReader::read_work(JsonElement value, const JsonPath& at, std::optional<Pipe> precision,
                                 std::vector<WorkSample>& target) {
    if (!value.is_object()) {
        WorkSample sample;
        sample.pipe = precision.value_or(Pipe{PipeKind::fp32});
        if (!read_work_sample(value, at, sample)) return false;
        target.push_back(sample);
        return true;
    }
    if (precision)
        return check_.fail(at, "\"precision\" belongs to a plain number of FLOP",
                           "Here the pipes are named one by one; leave \"precision\" out.");
    simdjson::dom::object pipes;
    if (value.get(pipes) == simdjson::SUCCESS) target.reserve(std::min<std::size_t>(pipes.size(), 4));
    return each_member(value, at, check_, [&](std::string_view key, JsonElement item, const JsonPath& here) {
        WorkSample sample;
        if (!read_json_pipe(key, here, check_, sample.pipe)) return false;
        if (std::ranges::find(target, sample.pipe, &WorkSample::pipe) != target.end())
            return check_.fail(here, "The pipe occurs twice", "Keep one of them.");
        if (!read_work_sample(item, here, sample)) return false;
        target.push_back(sample);
        return true;
    });
}

bool JsonSampleReader::read_traffic_sample(std::string_view key, JsonElement value, const JsonPath& at,
                                           TrafficSample& target) {
    target.origin = header_.origin;
    if (!resolve_boundary(key, {}, at, check_, target.boundary)) return false;
    if (!value.is_object()) return check_.read(value, at, target.total);
    SampleDraft draft;
    if (!read_fields(value, at, check_, traffic_fields, draft)) return false;
    if (!resolve_boundary(key, draft.boundary, at, check_, target.boundary)) return false;
    if (!draft.total && !(draft.read && draft.write))
        return check_.fail({&at, "total", {}}, "The total is missing", "Give it, or both read and write.");
    target.total = draft.total ? *draft.total : *draft.read + *draft.write;
    target.read = draft.read;
    target.write = draft.write;
    if (draft.origin) target.origin = *draft.origin;
    return read_derivation(draft.source, at, target.source);
}

bool JsonSampleReader::read_traffic(JsonElement value, const JsonPath& at,
                                    std::vector<TrafficSample>& target) {
    if (!value.is_object()) {
        TrafficSample sample;
        if (!read_traffic_sample(id_of(MemoryLevel::hbm), value, at, sample))
            return check_.leave_out_number();
        target.push_back(sample);
        return true;
    }
    simdjson::dom::object boundaries;
    if (value.get(boundaries) == simdjson::SUCCESS)
        target.reserve(std::min<std::size_t>(boundaries.size(), boundary_count));
    std::bitset<boundary_count> seen;
    return each_member(value, at, check_, [&](std::string_view key, JsonElement item, const JsonPath& here) {
        TrafficSample sample;
        const bool read = read_traffic_sample(key, item, here, sample);
        if (!read && !check_.leave_out_number()) return false;
        const auto boundary = static_cast<std::size_t>(sample.boundary);
        if (seen.test(boundary)) return check_.fail(here, "The boundary occurs twice", "Keep one of them.");
        seen.set(boundary);
        if (read) target.push_back(sample);
        return true;
    });
}

bool JsonSampleReader::read_metrics(JsonElement value, const JsonPath& at,
                                    std::vector<MetricSample>& target) {
    std::vector<TextId> names;
    const bool read =
        each_member(value, at, check_, [&](std::string_view key, JsonElement item, const JsonPath& here) {
            MetricSample sample;
            if (!check_.finite(item, here, sample.value)) return false;
            sample.name = texts_.intern(key);
            target.push_back(sample);
            names.push_back(sample.name);
            return true;
        });
    if (!read) return false;
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice == names.end()) return true;
    return check_.fail({&at, texts_.view(*twice), {}}, "The metric occurs twice", "Keep one of them.");
}

}  // namespace roofwalk
