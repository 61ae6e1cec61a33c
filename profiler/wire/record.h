// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// What an agent tells its collector, and what that tells it. Texts and lists are views: a writer sees the
/// caller's memory, and what a reader hands out is valid until it reads on. An absent value was not known; it
/// is never 0 instead.
namespace roofwalk::wire {

inline constexpr std::size_t longest_text = 16384;  ///< [byte]; a writer cuts what is longer
inline constexpr std::size_t longest_list = 4096;   ///< entries; a writer cuts what is longer

using Text = std::string_view;
using TextList = std::span<const std::string_view>;
using Image = std::span<const std::byte>;  ///< opaque bytes of CUPTI; never cut

/// Stands behind the names of ranges that were started and not pushed: the launch was made while they were
/// open in its process, perhaps by another thread.
inline constexpr Text started_range = " (start/end)";

enum class RecordKind : std::uint16_t {
    session_start = 1,
    device,
    metric_table,
    kernel_launch,
    launch_counts,
    note,
    session_end,
    orders,
    counter_plan,
    plans_sent,
    want_plan,
};

/// The first record of a process.
struct SessionStart {
    static constexpr RecordKind kind = RecordKind::session_start;
    std::uint32_t process = 0;
    std::uint32_t parent = 0;
    std::uint64_t start_ns = 0;  ///< since 1970 [ns]
    Text host;
    Text directory;
    TextList command;
    TextList rank_environment;  ///< "NAME=value" of what mpirun, srun and torchrun set
    Text agent_version;

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.process, self.parent, self.start_ns, self.host, self.directory, self.command,
               self.rank_environment, self.agent_version);
    }
};

struct Device {
    static constexpr RecordKind kind = RecordKind::device;
    std::uint32_t device = 0;  ///< ordinal in its process
    std::array<std::uint8_t, 16> uuid{};
    Text name;
    Text chip;  ///< as CUPTI calls it: "GH100"
    Text driver_version;
    std::uint32_t capability_major = 0;
    std::uint32_t capability_minor = 0;
    std::uint32_t sm_count = 0;
    std::optional<std::uint32_t> sm_clock_khz;  ///< highest
    std::optional<std::uint32_t> memory_clock_khz;
    std::optional<std::uint32_t> memory_bus_bits;
    std::optional<std::uint64_t> memory_bytes;
    Image counter_availability;                  ///< empty when CUPTI gave none
    std::optional<std::uint32_t> cupti_version;  ///< CUPTI_API_VERSION of the library in the program

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.device, self.uuid, self.name, self.chip, self.driver_version, self.capability_major,
               self.capability_minor, self.sm_count, self.sm_clock_khz, self.memory_clock_khz,
               self.memory_bus_bits, self.memory_bytes, self.counter_availability, self.cupti_version);
    }
};

/// Names that the values of launches refer to by their place here.
struct MetricTable {
    static constexpr RecordKind kind = RecordKind::metric_table;
    std::uint32_t table = 0;
    std::uint32_t device = 0;
    TextList metrics;

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.table, self.device, self.metrics);
    }
};

struct MetricValue {
    std::uint32_t metric = 0;  ///< place in the metric table of the launch
    double value = 0;

    friend bool operator==(const MetricValue&, const MetricValue&) = default;
};

enum class LaunchStatus : std::uint8_t {
    counted,  ///< counters were read
    timed,    ///< time only
    failed,   ///< neither: a note says why
    awaited,  ///< its time comes in another record of the same id, if the process lives so long
};

struct Extent {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;

    friend auto operator<=>(const Extent&, const Extent&) = default;
};

struct KernelLaunch {
    static constexpr RecordKind kind = RecordKind::kernel_launch;
    std::uint64_t id = 0;  ///< counts the launches as LaunchCounts does, those that are not recorded too
    Text name;             ///< as the driver calls it: mangled when it is C++
    std::uint32_t device = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    Extent grid;
    Extent block;
    std::optional<std::uint32_t> registers;       ///< per thread
    std::optional<std::uint32_t> static_shared;   ///< per block [byte]
    std::optional<std::uint32_t> dynamic_shared;  ///< per block [byte]
    std::optional<std::uint64_t> start_ns;        ///< since 1970 [ns]
    std::optional<std::uint64_t> duration_ns;
    TextList nvtx;  ///< ranges that were started, then those that its thread pushed, outermost first
    std::optional<char> plan;  ///< letter of the counter plan
    std::uint32_t passes = 0;
    LaunchStatus status = LaunchStatus::timed;
    std::uint32_t metric_table = 0;
    std::span<const MetricValue> values;
    Image counter_data;       ///< to be evaluated by the collector; empty when it is not here
    std::uint32_t range = 0;  ///< which of the ranges of the counter data is this launch
    std::optional<std::uint64_t> image_launch;  ///< id of the record with the counter data, if not this one

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.id, self.name, self.device, self.context, self.stream, self.grid, self.block,
               self.registers, self.static_shared, self.dynamic_shared, self.start_ns, self.duration_ns,
               self.nvtx, self.plan, self.passes, self.status, self.metric_table, self.values,
               self.counter_data, self.range, self.image_launch);
    }
};

/// Launches of the process since its collector came. Also the answer to Orders, when what came before these
/// has been sent.
struct LaunchCounts {
    static constexpr RecordKind kind = RecordKind::launch_counts;
    std::uint64_t seen = 0;
    std::uint64_t recorded = 0;
    std::uint64_t filtered = 0;  ///< left out by the filters of the person
    std::uint64_t sampled_out = 0;
    std::uint64_t dropped = 0;  ///< the collector did not keep up

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.seen, self.recorded, self.filtered, self.sampled_out, self.dropped);
    }
};

enum class NoteLevel : std::uint8_t { information, warning, error };

struct Note {
    static constexpr RecordKind kind = RecordKind::note;
    NoteLevel level = NoteLevel::information;
    std::optional<std::int32_t> code;  ///< of CUPTI or of the driver
    Text what;                         ///< one sentence
    Text where;                        ///< the call, or the kernel

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.level, self.code, self.what, self.where);
    }
};

/// The last record of a process that ends in order. A stream without one was cut: the process crashed or was
/// killed.
struct SessionEnd {
    static constexpr RecordKind kind = RecordKind::session_end;
    std::uint64_t end_ns = 0;    ///< since 1970 [ns]
    std::uint64_t launches = 0;  ///< all that the process made since its collector came

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.end_ns, self.launches);
    }
};

/// Which launches get FLOP of their own, in the same launch as time and bytes: it runs once for each pass,
/// and CUPTI saves and restores the memory that its kernel writes.
enum class Replay : std::uint8_t {
    never,   ///< FLOP are those of another launch of the shape
    once,    ///< the first launch of a shape, where there is little memory to save
    always,  ///< each that is measured
};

/// Short launches that are replayed after the last one that had to be: another plan takes 0.14 s, one pass of
/// hardware counters 0.024 s (H100, driver 580, CUPTI 13.0).
inline constexpr std::uint32_t most_replayed_on = 3;

/// What the collector wants recorded; the last ones hold. Nothing is recorded before the first ones.
struct Orders {
    static constexpr RecordKind kind = RecordKind::orders;
    bool armed = false;
    bool counters = true;                ///< false: time only
    bool work = true;                    ///< plan C, once for a shape
    bool tensor = true;                  ///< plans that are wanted by WantPlan
    std::uint32_t memory_first = 5;      ///< launches of a shape that get plan A before it is thinned out
    std::uint32_t memory_every = 20;     ///< after those, every so many of its launches gets plan A; 0: none
    TextList kernels;                    ///< names to record, as posix_expression() has them; none: all
    TextList except;                     ///< names to leave alone
    TextList nvtx_ranges;                ///< ranges to record inside of; none: everywhere
    std::uint64_t skip = 0;              ///< launches that pass the filter and are left alone first
    std::optional<std::uint64_t> count;  ///< launches recorded after those; absent: all
    Text cupti;                          ///< path of the libcupti to load where the agent has found none
    Replay replay = Replay::once;

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.armed, self.counters, self.work, self.tensor, self.memory_first, self.memory_every,
               self.kernels, self.except, self.nvtx_ranges, self.skip, self.count, self.cupti, self.replay);
    }
};

/// What to count on a device under one plan. The answer is a MetricTable, or a Note.
struct CounterPlan {
    static constexpr RecordKind kind = RecordKind::counter_plan;
    std::uint32_t device = 0;
    char plan = 'A';
    std::uint32_t table = 0;  ///< the number that its launches will give
    std::uint32_t passes = 1;
    TextList metrics;
    Image config;

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.device, self.plan, self.table, self.passes, self.metrics, self.config);
    }
};

/// All counter plans of a device have been sent; without any of them its launches are only timed.
struct PlansSent {
    static constexpr RecordKind kind = RecordKind::plans_sent;
    std::uint32_t device = 0;

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.device);
    }
};

/// The next launch of this shape shall have this plan.
struct WantPlan {
    static constexpr RecordKind kind = RecordKind::want_plan;
    Text name;  ///< as in KernelLaunch
    std::uint32_t device = 0;
    Extent grid;
    Extent block;
    std::uint32_t dynamic_shared = 0;  ///< per block [byte]
    char plan = 'B';

    template <class Self, class Fields>
    static void each_field(Self& self, Fields& fields) {
        fields(self.name, self.device, self.grid, self.block, self.dynamic_shared, self.plan);
    }
};

}  // namespace roofwalk::wire
