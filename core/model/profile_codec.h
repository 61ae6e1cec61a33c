// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/json_writer.h"
#include "core/model/profile.h"
#include "core/model/recording_parts.h"

/// The parts of a profile as JSON: of profiles, of recordings, and of the documents that hold such parts
/// too (`resources/schema/profile.schema.json`).
namespace roofwalk {

bool read_json(const JsonValue& value, Pipe& target);
bool read_json(const JsonValue& value, Boundary& target);
/// The same of a key.
bool read_pipe(const JsonValue& value, std::string_view id, Pipe& target);
bool read_boundary(const JsonValue& value, std::string_view id, Boundary& target);

bool read_json(const JsonValue& value, Origin& target);
bool read_json(const JsonValue& value, CeilingSource& target);
bool read_json(const JsonValue& value, ClockBasis& target);
bool read_json(const JsonValue& value, TimeOrigin& target);
bool read_json(const JsonValue& value, LaunchKind& target);
bool read_json(const JsonValue& value, Vendor& target);
void write_json(JsonWriter& json, LaunchIndex launch);
bool read_json(const JsonValue& value, LaunchIndex& target);
void write_json(JsonWriter& json, SourceIndex source);
bool read_json(const JsonValue& value, SourceIndex& target);
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

void each_field(auto& field, MaybeConst<SourceInfo> auto& source) {
    field("tool", source.tool);
    field("created", source.created);
    field("partial", unless(source.partial, false));
    field("range_results", unless(source.range_results, 0));
    field("left_out", unless(source.left_out, 0));
    field("rank", source.rank);
    field("process", source.process);
    field("joined_with", source.joined_with);
}

void each_field(auto& field, MaybeConst<Warning> auto& warning) {
    each_field(field, warning.message);
    field("launches", warning.launches);
    field("refuses_time", unless(warning.refuses_time, false));
    field("refuses_figures", unless(warning.refuses_figures, false));
}

void each_field(auto& field, MaybeConst<RecordingCounts> auto& counts) {
    field("seen", counts.seen);
    field("recorded", counts.recorded);
    field("filtered", counts.filtered);
    field("sampled_out", counts.sampled_out);
    field("dropped", counts.dropped);
}

/// A device and the name by which kernels refer to it.
struct JsonDevice {
    std::string id;
    Device device;
};

void each_field(auto& field, MaybeConst<JsonDevice> auto& entry) {
    auto& device = entry.device;
    field("id", always(entry.id));
    const bool told = device.vendor != Vendor::unknown && device.vendor != likely_vendor(device);
    field("vendor", unless(device.vendor, told ? Vendor::unknown : device.vendor));
    field("name", device.name);
    field("chip", device.chip);
    field("uuid", device.uuid);
    field("compute_capability", device.compute_capability);
    field("sm_count", device.sm_count);
    field.object_unless_empty("clocks", [&](auto& clock) {
        clock("sm_hz", device.boost_clock);
        clock("memory_hz", device.memory_clock);
    });
    field("memory_bus_bits", device.memory_bus_bits);
    field("l2_bytes", device.l2_size);
    field("memory_bytes", device.memory_size);
    field("ceilings", device.ceilings);
}

/// How a recording ended, as its last line says.
struct JsonRecordingEnd {
    bool whole = true;
    std::string what;  ///< why it is not
};

void each_field(auto& field, MaybeConst<JsonRecordingEnd> auto& end) {
    field("whole", end.whole);
    field("what", end.what);
}

/// A time that files hold in nanoseconds.
struct StartTime {
    static bool known(const std::optional<Seconds>& time);
    static void write(JsonWriter& json, const std::optional<Seconds>& time);
    static bool read(const JsonValue& value, std::optional<Seconds>& target);
};
/// The same of one that is above 0.
struct Duration : StartTime {
    static bool known(const std::optional<Seconds>& time);
    static bool read(const JsonValue& value, std::optional<Seconds>& target);
};

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
    field("kind", unless(launch.kind, LaunchKind::kernel));
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
    field("range_call", refusable(unless(launch.range_call, 0)));
    field("start_ns", refusable(coded<StartTime>(launch.start)));
    field("duration_ns", refusable(coded<Duration>(launch.duration)));
    field("duration_origin", unless(launch.duration_origin, TimeOrigin::measured));
    field("duration_source", kernel.duration_source);
    field("failed", unless(launch.failed, false));
    field("clocks_locked", launch.clocks_locked);
    field("precision", kernel.precision);
    field("precision_assumed", unless(launch.precision_assumed, false));
    field("flops", kernel.flops);
    field("uncounted_work", launch.uncounted);
    field("unchecked_work", launch.unchecked);
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
