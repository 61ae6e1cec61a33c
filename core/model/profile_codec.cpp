// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/profile_codec.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "core/base/json_decoder.h"

namespace roofwalk {

void each_field(auto& field, MaybeConst<Provenance> auto& provenance) {
    field("source", provenance.source);
    field("basis", provenance.basis);
    field("clock_hz", provenance.clock);
    field("detail", provenance.detail);
    field("mix", provenance.mix);
    field("date", provenance.date);
}

namespace {

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

/// A ceiling of either kind as it stands in a file.
struct CeilingFields {
    void each(auto& field, auto& kind, auto& pipe, auto& boundary, auto& rate, auto& provenance) const {
        field("kind", kind);
        field("pipe", pipe);
        field("boundary", boundary);
        field("rate", rate);
        field("provenance", provenance);
    }
};

template <class List>
void write_ceilings(JsonWriter& json, const List& ceilings, std::string_view kind) {
    for (const auto& ceiling : ceilings) {
        const double rate = ceiling.rate.value();
        if (!std::isfinite(rate) || rate <= 0) continue;
        std::optional<Pipe> pipe;
        std::optional<Boundary> boundary;
        if constexpr (requires { ceiling.pipe; })
            pipe = ceiling.pipe;
        else
            boundary = ceiling.boundary;
        json.next_line();
        json.object([&] {
            FieldWriter field(json);
            CeilingFields().each(field, kind, pipe, boundary, rate, ceiling.provenance);
        });
    }
}

bool read_ceiling(const JsonValue& value, CeilingSet& target) {
    std::string_view kind;
    std::optional<Pipe> pipe;
    std::optional<Boundary> boundary;
    double rate = 0;
    Coded<PositiveNumber, double> above_zero{rate};
    Provenance provenance;
    const bool read = read_fields(value, [&](auto& field) {
        CeilingFields().each(field, kind, pipe, boundary, above_zero, provenance);
    });
    if (!read) return false;
    if (rate == 0) return value.fail("A ceiling needs a rate", "In FLOP/s or byte/s.");
    if (kind == "compute" && pipe && !boundary) {
        target.compute.push_back({*pipe, FlopRate(rate), std::move(provenance)});
        return true;
    }
    if (kind == "bandwidth" && boundary && !pipe) {
        target.bandwidth.push_back({*boundary, ByteRate(rate), std::move(provenance)});
        return true;
    }
    return value.fail("The kind of the ceiling does not fit its other fields",
                      R"(A "compute" ceiling names a pipe, a "bandwidth" ceiling a boundary.)");
}

}  // namespace

void write_json(JsonWriter& json, ErrorCode code) {
    json.value(name_of(code));
}

void write_json(JsonWriter& json, const Dim3& size) {
    json.array(std::array{size.x, size.y, size.z}, [&](std::uint32_t part) { json.value(part); });
}

void write_json(JsonWriter& json, LaunchIndex launch) {
    json.value(static_cast<std::uint32_t>(launch));
}

void write_json(JsonWriter& json, SourceIndex source) {
    json.value(static_cast<std::uint32_t>(source));
}

void write_json(JsonWriter& json, const UncountedWork& uncounted) {
    json.array(uncounted_kinds, [&](const UncountedKind& kind) {
        if (uncounted.*kind.member) json.value(kind.id);
    });
}

void write_json(JsonWriter& json, const ComputeCapability& capability) {
    json.value(std::to_string(capability.major) + "." + std::to_string(capability.minor));
}

void write_json(JsonWriter& json, const CeilingSet& ceilings) {
    json.begin_array();
    write_ceilings(json, ceilings.compute, "compute");
    write_ceilings(json, ceilings.bandwidth, "bandwidth");
    json.end_array();
}

bool read_json(const JsonValue& value, Pipe& target) {
    std::string_view id;
    if (!read_json(value, id)) return false;
    return read_pipe(value, id, target);
}

bool read_pipe(const JsonValue& value, std::string_view id, Pipe& target) {
    const auto pipe = pipe_from_id(id);
    if (!pipe) {
        std::string hint = "Known are:";
        for (const PipeKind kind : all_pipe_kinds)
            hint += " " + id_of(Pipe{kind, false});
        return value.fail("The pipe is unknown", hint + R"(, each with ".sparse" too.)");
    }
    target = *pipe;
    return true;
}

bool read_json(const JsonValue& value, Boundary& target) {
    std::string_view id;
    if (!read_json(value, id)) return false;
    return read_boundary(value, id, target);
}

bool read_boundary(const JsonValue& value, std::string_view id, Boundary& target) {
    const auto boundary = enum_from_id<Boundary>(id);
    if (!boundary) {
        std::string hint = "Known are:";
        for (const Boundary known : all_boundaries)
            hint += " " + std::string(id_of(known));
        return value.fail("The boundary is unknown", hint + ".");
    }
    target = *boundary;
    return true;
}

bool read_json(const JsonValue& value, Origin& target) {
    return read_id(value, "The origin is unknown", target);
}

bool read_json(const JsonValue& value, TimeOrigin& target) {
    return read_id(value, "The origin of the time is unknown", target);
}

bool read_json(const JsonValue& value, LaunchKind& target) {
    return read_id(value, "The kind of launch is unknown", target);
}

bool read_json(const JsonValue& value, Vendor& target) {
    return read_id(value, "The maker of the GPU is unknown", target);
}

bool read_json(const JsonValue& value, CeilingSource& target) {
    return read_id(value, "The source of the ceiling is unknown", target);
}

bool read_json(const JsonValue& value, ClockBasis& target) {
    return read_id(value, "The clock basis is unknown", target);
}

bool read_json(const JsonValue& value, ErrorCode& target) {
    std::string_view name;
    if (!read_json(value, name)) return false;
    target = error_code_from_name(name).value_or(target);
    return true;
}

bool read_json(const JsonValue& value, Dim3& target) {
    Dim3 size{1, 1, 1};
    const std::array<std::uint32_t*, 3> parts{&size.x, &size.y, &size.z};
    std::size_t count = 0;
    const bool read = value.each_item([&](const JsonValue& item) {
        if (count == parts.size()) return value.fail("At most three sizes are expected here");
        return read_json(item, *parts[count++]);
    });
    if (read) target = size;
    return read;
}

bool read_json(const JsonValue& value, LaunchIndex& target) {
    std::uint32_t index = 0;
    if (!read_json(value, index)) return false;
    target = LaunchIndex{index};
    return true;
}

bool read_json(const JsonValue& value, SourceIndex& target) {
    std::uint32_t index = 0;
    if (!read_json(value, index)) return false;
    target = SourceIndex{index};
    return true;
}

bool read_json(const JsonValue& value, UncountedWork& target) {
    return value.each_item([&](const JsonValue& item) {
        std::string_view id;
        if (!read_json(item, id)) return false;
        const auto known = std::span(uncounted_kinds).first(uncounted_flop_kinds);
        const auto kind = std::ranges::find(known, id, &UncountedKind::id);
        if (kind == known.end())
            return item.fail("The kind of work is unknown", "Known are: packed_fp32, fp16, tensor.");
        target.*(kind->member) = true;
        return true;
    });
}

/// "8.0"
bool read_json(const JsonValue& value, ComputeCapability& target) {
    std::string_view text;
    if (!read_json(value, text)) return false;
    ComputeCapability capability;
    const char* end = text.data() + text.size();
    const auto major = std::from_chars(text.data(), end, capability.major);
    if (major.ec == std::errc() && major.ptr != end && *major.ptr == '.') {
        const auto minor = std::from_chars(major.ptr + 1, end, capability.minor);
        if (minor.ec == std::errc() && minor.ptr == end && capability >= ComputeCapability{}) {
            target = capability;
            return true;
        }
    }
    return value.fail("The compute capability cannot be read", R"(It looks like "8.0".)");
}

bool read_json(const JsonValue& value, CeilingSet& target) {
    return value.each_item([&](const JsonValue& item) { return read_ceiling(item, target); });
}

bool StartTime::known(const std::optional<Seconds>& time) {
    return time && *time >= Seconds(0) && std::isfinite(nanoseconds(*time));
}

void StartTime::write(JsonWriter& json, const std::optional<Seconds>& time) {
    json.value(nanoseconds(*time));
}

bool StartTime::read(const JsonValue& value, std::optional<Seconds>& target) {
    double number = 0;
    if (!read_json(value, number)) return false;
    target = Seconds(number * 1e-9);
    return true;
}

bool Duration::known(const std::optional<Seconds>& time) {
    return StartTime::known(time) && *time > Seconds(0);
}

bool Duration::read(const JsonValue& value, std::optional<Seconds>& target) {
    double number = 0;
    return PositiveNumber::read(value, number) && StartTime::read(value, target);
}

}  // namespace roofwalk
