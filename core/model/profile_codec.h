// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/model/profile.h"
#include "core/model/recording_counts.h"

/// The parts of a profile as JSON: of profiles, of recordings, and of the documents that hold such parts
/// too (`resources/schema/profile.schema.json`).
namespace roofwalk {

struct JsonValue;

bool read_json(const JsonValue& value, Pipe& target);
bool read_json(const JsonValue& value, Boundary& target);
/// The same of a key.
bool read_pipe(const JsonValue& value, std::string_view id, Pipe& target);
bool read_boundary(const JsonValue& value, std::string_view id, Boundary& target);

bool read_json(const JsonValue& value, Origin& target);
bool read_json(const JsonValue& value, CeilingSource& target);
bool read_json(const JsonValue& value, ClockBasis& target);
void write_json(JsonWriter& json, LaunchIndex launch);
bool read_json(const JsonValue& value, LaunchIndex& target);
void write_json(JsonWriter& json, ErrorCode code);
/// A code that is not known leaves the target as it was.
bool read_json(const JsonValue& value, ErrorCode& target);

/// One to three whole numbers; what is left out is 1, as in a CUDA launch.
void write_json(JsonWriter& json, const Dim3& size);
bool read_json(const JsonValue& value, Dim3& target);
void write_json(JsonWriter& json, const UncountedWork& uncounted);
bool read_json(const JsonValue& value, UncountedWork& target);
void write_json(JsonWriter& json, const ComputeCapability& capability);
bool read_json(const JsonValue& value, ComputeCapability& target);
/// Ceilings without a rate are left out.
void write_json(JsonWriter& json, const CeilingSet& ceilings);
bool read_json(const JsonValue& value, CeilingSet& target);

void write_json(JsonWriter& json, const SourceInfo& source);
bool read_json(const JsonValue& value, SourceInfo& target);
void write_json(JsonWriter& json, const Warning& warning);
bool read_json(const JsonValue& value, Warning& target);
void write_json(JsonWriter& json, const RecordingCounts& counts);
bool read_json(const JsonValue& value, RecordingCounts& target);

[[nodiscard]] constexpr bool is_known(const Dim3& size) {
    return size != Dim3{};
}
[[nodiscard]] constexpr bool is_known(const UncountedWork& uncounted) {
    return uncounted.any();
}

void each_field(auto& field, MaybeConst<Error> auto& error) {
    field("code", error.code);
    field("what", always(error.what));
    field("where", error.where);
    field("hint", error.hint);
}

/// A device and the name by which kernels refer to it.
struct JsonDevice {
    std::string id;
    Device device;
};
void write_json(JsonWriter& json, const JsonDevice& device);
bool read_json(const JsonValue& value, JsonDevice& target);

/// How a recording ended, as its last line says.
struct JsonRecordingEnd {
    bool whole = true;
    std::string what;  ///< why it is not
};
void write_json(JsonWriter& json, const JsonRecordingEnd& end);
bool read_json(const JsonValue& value, JsonRecordingEnd& target);

/// A time that files hold in nanoseconds.
template <class Time>
struct Nanoseconds {
    Time& time;
    bool above_zero;  ///< 0 is no time
};
template <class Time>
Nanoseconds(Time&, bool) -> Nanoseconds<Time>;
[[nodiscard]] bool is_known(const Nanoseconds<const std::optional<Seconds>>& field);
void write_json(JsonWriter& json, const Nanoseconds<const std::optional<Seconds>>& field);
bool read_json(const JsonValue& value, const Nanoseconds<std::optional<Seconds>>& field);

/// The members of a kernel, for reader and writers: what it refers to is kept by the one and known to the
/// others, in members of these names.
template <class Kernel>
concept JsonKernel = requires(Kernel& kernel) {
    kernel.launch.grid;
    kernel.ceiling_set;
    kernel.like;
};
void each_field(auto& field, JsonKernel auto& kernel) {
    auto& launch = kernel.launch;
    field("name", always(kernel.name));
    field("function", kernel.function);
    field("mangled", kernel.mangled);
    field("description", Dropped<std::string_view>{});
    field("device", kernel.device);
    field("source", unless(kernel.source, 0));
    field("grid", refusable(launch.grid));
    field("block", refusable(launch.block));
    field("stream", refusable(unless(launch.stream, 0)));
    field("context", refusable(unless(launch.context, 0)));
    field("process", refusable(unless(launch.process, 0)));
    field("thread", refusable(unless(launch.thread, 0)));
    field("nvtx", kernel.nvtx);
    field("start_ns", refusable(Nanoseconds(launch.start, false)));
    field("duration_ns", refusable(Nanoseconds(launch.duration, true)));
    field("failed", unless(launch.failed, false));
    field("clocks_locked", launch.clocks_locked);
    field("precision", kernel.precision);
    field("flops", kernel.flops);
    field("uncounted_work", launch.uncounted);
    field("bytes", kernel.bytes);
    field("metrics", kernel.metrics);
    field("algorithm", kernel.algorithm);
    field("ceiling_set", kernel.ceiling_set);
    field("ceilings", kernel.ceilings);
    field("launch", kernel.number);
    field("like", kernel.like);
}

/// Work on a pipe that is more than a number. `Source` is the text, or its place among those of the profile.
template <class Source>
struct JsonWork {
    std::optional<Flops> count;
    std::optional<Origin> origin;
    std::optional<Source> source;

    friend void each_field(auto& field, MaybeConst<JsonWork> auto& work) {
        field("count", work.count);
        field("origin", work.origin);
        field("source", work.source);
    }
};

/// The same of traffic across a boundary.
template <class Source>
struct JsonTraffic {
    std::optional<std::string_view> boundary;
    std::optional<Bytes> total;
    std::optional<Bytes> read;
    std::optional<Bytes> write;
    std::optional<Origin> origin;
    std::optional<Source> source;

    friend void each_field(auto& field, MaybeConst<JsonTraffic> auto& traffic) {
        field("boundary", traffic.boundary);
        field("total", traffic.total);
        field("read", traffic.read);
        field("write", traffic.write);
        field("origin", traffic.origin);
        field("source", traffic.source);
    }
};

}  // namespace roofwalk
