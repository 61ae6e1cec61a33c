// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/units.h"
#include "core/model/ceiling.h"
#include "core/model/memory_level.h"
#include "core/model/pipe.h"
#include "core/model/string_pool.h"

namespace roofwalk {

/// Arithmetic that ran, or may have run, while nothing counted it: the work that is known is a lower bound
/// then.
struct UncountedWork {
    bool fp32 = false;
    bool fp64 = false;
    bool packed_fp32 = false;  ///< FADD2, FMUL2, FFMA2: two FP32 operations a thread
    bool fp16 = false;
    bool tensor = false;
    bool integer = false;  ///< of a kernel whose FLOP and integer operations were asked for together

    [[nodiscard]] constexpr bool any() const {
        return fp32 || fp64 || packed_fp32 || fp16 || tensor || integer;
    }
    friend constexpr bool operator==(const UncountedWork&, const UncountedWork&) = default;
};

struct UncountedKind {
    std::string_view id;     ///< "packed_fp32": the stable name used in files
    std::string_view label;  ///< "packed FP32": for people
    bool UncountedWork::*member;
};

inline constexpr std::size_t uncounted_flop_kinds = 5;  ///< the first ones; a launch may lack these
inline constexpr std::array<UncountedKind, 6> uncounted_kinds{
    {{"fp32", "FP32", &UncountedWork::fp32},
     {"fp64", "FP64", &UncountedWork::fp64},
     {"packed_fp32", "packed FP32", &UncountedWork::packed_fp32},
     {"fp16", "FP16", &UncountedWork::fp16},
     {"tensor", "tensor", &UncountedWork::tensor},
     {"integer", "integer", &UncountedWork::integer}}};

constexpr UncountedWork& operator|=(UncountedWork& work, const UncountedWork& other) {
    for (const UncountedKind& kind : uncounted_kinds)
        work.*kind.member |= other.*kind.member;
    return work;
}
constexpr UncountedWork& operator&=(UncountedWork& work, const UncountedWork& other) {
    for (const UncountedKind& kind : uncounted_kinds)
        work.*kind.member &= other.*kind.member;
    return work;
}

/// "FP16, tensor"; empty when everything was counted.
[[nodiscard]] std::string labels_of(const UncountedWork& uncounted);

/// Indices into the vectors of a Profile.
enum class KernelIndex : std::uint32_t {};
enum class LaunchIndex : std::uint32_t {};
enum class DeviceIndex : std::uint32_t {};
enum class SourceIndex : std::uint32_t {};
enum class NvtxIndex : std::uint32_t { none = 0 };

struct Dim3 {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;

    friend constexpr auto operator<=>(const Dim3&, const Dim3&) = default;
};

/// How a number came to be.
enum class Origin : std::uint8_t {
    measured,   ///< a counter, or exact arithmetic on counters
    estimated,  ///< approximate; the source text says why
    modelled,   ///< given by a formula or typed by a person
};
template <>
inline constexpr EnumIds<Origin, 3> enum_ids<Origin>{"measured", "estimated", "modelled"};

/// How the time of a launch came to be, the surest first.
enum class TimeOrigin : std::uint8_t {
    measured,  ///< by a timer, or typed
    derived,   ///< cycles over a clock, both counted: longer than the launch where instructions are counted
    alike,     ///< that of another launch of the same kernel and geometry
};
template <>
inline constexpr EnumIds<TimeOrigin, 3> enum_ids<TimeOrigin>{"measured", "derived", "alike"};

/// What is launched: of graphs and ranges that a profiler measured as a whole, no kernel has figures of its
/// own.
enum class LaunchKind : std::uint8_t {
    kernel,
    graph,  ///< a CUDA graph
    range,  ///< what ran between two marks
};
template <>
inline constexpr EnumIds<LaunchKind, 3> enum_ids<LaunchKind>{"kernel", "graph", "range"};
/// "kernel", "CUDA graph", "range": for people.
[[nodiscard]] std::string_view label_of(LaunchKind kind);

/// Work of one launch on one pipe.
struct WorkSample {
    Pipe pipe;
    Origin origin = Origin::measured;
    TextId source = TextId::none;  ///< metrics and formula
    Flops work;                    ///< 0 is a measured zero
};

/// Traffic of one launch across one boundary.
struct TrafficSample {
    Boundary boundary = Boundary::hbm_dram_rw;
    Origin origin = Origin::measured;
    TextId source = TextId::none;  ///< metrics and formula
    Bytes total;                   ///< 0 is a measured zero
    std::optional<Bytes> read;
    std::optional<Bytes> write;
};

/// One further number a report has for a launch, under the profiler's own metric name and in its base unit.
struct MetricSample {
    TextId name = TextId::none;
    double value = 0;
};

/// Where in a file a launch begins.
struct FilePlace {
    SourceIndex source{};
    std::uint64_t offset = 0;  ///< [byte]; 0: of no file that holds more metrics
};

/// One execution of a kernel, or of what is measured as one. What was not measured is absent, never 0.
struct Launch {
    LaunchKind kind = LaunchKind::kernel;
    KernelIndex kernel{};
    DeviceIndex device{};
    SourceIndex source{};
    NvtxIndex nvtx = NvtxIndex::none;
    std::uint32_t range_call = 0;     ///< of the innermost range of `nvtx`, in its source; 0: not told
    TextId algorithm = TextId::none;  ///< the operation as the file states it, "gemm m=4096 n=4096 k=4096"
    Dim3 grid;                        ///< blocks
    Dim3 block;                       ///< threads
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    /// Where in its file it begins [byte], of files that hold more metrics than stand here; 0: of no such
    /// file.
    std::uint64_t file_offset = 0;
    std::vector<FilePlace> joined;  ///< where the runs that it was joined with have it
    bool failed = false;            ///< the profiler could not measure this launch
    bool instrumented = false;      ///< its instructions were counted, which slows it down many times
    TimeOrigin duration_origin = TimeOrigin::measured;
    bool precision_assumed = false;         ///< nobody says of which numbers `work` is
    TextId duration_source = TextId::none;  ///< metrics and formula
    std::optional<bool> clocks_locked;
    std::optional<Seconds> duration;
    std::optional<Seconds> start;        ///< since the start of the recording
    std::vector<WorkSample> work;        ///< at most one per pipe; empty: FLOPs were not measured
    UncountedWork uncounted;             ///< what `work` lacks
    UncountedWork unchecked;             ///< what `work` lacks if it ran at all, which nothing tells
    std::vector<TrafficSample> traffic;  ///< at most one per boundary; a missing boundary was not measured
    std::vector<MetricSample> metrics;
    std::shared_ptr<const CeilingSet>
        ceilings;  ///< at the clocks of this launch, from its counters; may be null

    [[nodiscard]] const TrafficSample* find(Boundary boundary) const;
    [[nodiscard]] const WorkSample* find(Pipe pipe) const;
};

/// Makes a launch of one profile one of another: its texts go to the pool there.
void move_texts(Launch& launch, const StringPool& from, StringPool& to);

}  // namespace roofwalk
