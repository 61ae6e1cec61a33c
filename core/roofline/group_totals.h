// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/enum_array.h"
#include "core/roofline/analysis.h"

namespace roofwalk {

/// Sums over the launches of a group that were measured. A sum is known only when every one of them has the
/// quantity: a sum over some of them beside a time over all of them would put the dot in a wrong place. Of a
/// group of which only some have it, known_first() tells the launches to sum.
struct GroupTotals {
    struct Traffic {
        Origin origin = Origin::measured;
        Bytes bytes;
    };

    std::uint32_t failed = 0;
    std::optional<Seconds> time;
    TimeOrigin time_origin = TimeOrigin::measured;  ///< the weakest
    /// Without ceilings and bounds yet. Empty when a launch has no work at all recorded. A pipe that a launch
    /// leaves out while it has others counts as 0: profilers collect the same pipes for every launch and
    /// leave out what they cannot count.
    std::vector<PipeLoad> pipes;
    UncountedWork uncounted;                                 ///< what the pipes of one of the launches lack
    UncountedWork unchecked;                                 ///< the same, if it ran at all
    EnumArray<MemoryLevel, std::optional<Traffic>> traffic;  ///< at the boundaries of the options
    bool throughput = false;                                 ///< every launch has some
    bool unlike = false;  ///< some launches have time, work, bytes of a level or throughput; others do not
};

/// Launches of a group that have a time.
struct TimedLaunches {
    std::uint32_t count = 0;
    Seconds time;

    void add(Seconds of_launch) {
        ++count;
        time += of_launch;
    }
    /// Whether these, a part of all, may stand for them: they take most of the time, or about as long each.
    [[nodiscard]] bool stand_for(const TimedLaunches& all) const;
};

[[nodiscard]] GroupTotals sum_launches(const Profile& profile, std::span<const LaunchIndex> launches,
                                       const AnalysisOptions& options,
                                       const StoredThroughput* throughput = nullptr);

/// Puts those first, in their order, by which a group is judged where its launches are unlike, and returns
/// how many: all that have a time and the best of what some have: work and bytes of a level, bytes, then work
/// or throughput, which more have. Of several levels that of most launches counts. 0 where none has a time.
[[nodiscard]] std::uint32_t known_first(const Profile& profile, std::span<LaunchIndex> launches,
                                        const AnalysisOptions& options,
                                        const StoredThroughput* throughput = nullptr);

/// Of which boundaries launches have bytes.
[[nodiscard]] EnumArray<Boundary, bool> boundaries_with_bytes(const Profile& profile);

/// Bytes at one boundary, apart by direction.
struct TrafficDirections {
    Bytes read;
    Bytes write;
};
/// Of the launches that did not fail; absent where one of them does not tell reads and writes apart.
[[nodiscard]] std::optional<TrafficDirections> directions_of(const Profile& profile,
                                                             std::span<const LaunchIndex> launches,
                                                             Boundary boundary);

/// One of them is absent where only the other was counted.
struct KnownDirections {
    std::optional<Bytes> read;
    std::optional<Bytes> write;
};
/// The same of a kernel that has bytes of its own at a level.
[[nodiscard]] KnownDirections directions_at(const Profile& profile, const Analysis& analysis,
                                            const KernelPoint& point, MemoryLevel level);
/// "HBM read 805 MB (1.10 TB/s), written 767 MB (1.05 TB/s); L2 read …", by the time of the kernel, of those
/// of `levels` that tell them apart; "HBM read 805 MB (1.10 TB/s), writes not counted".
[[nodiscard]] std::string directions_words(const Profile& profile, const Analysis& analysis,
                                           const KernelPoint& point,
                                           const EnumArray<MemoryLevel, bool>& levels);

/// Whether the pipe's work is part of W.
[[nodiscard]] bool counts_into_work(Pipe pipe, OperationClass operations);

/// W: absent when no pipe of the class was measured.
[[nodiscard]] std::optional<Flops> work_of(std::span<const PipeLoad> pipes, OperationClass operations);

/// Whether integer operations are most of what a kernel did: tensor cores did more of them than there is
/// FLOP, or there is no more FLOP than a trace. INT32 beside FLOP is what addresses and loops take, and does
/// not make a kernel an integer one.
[[nodiscard]] bool is_mostly_integer(std::span<const PipeLoad> pipes);

/// W of one launch.
[[nodiscard]] std::optional<Flops> work_of(const Launch& launch, OperationClass operations);
/// Integer operations were counted, and in no launch more FLOP than traces.
[[nodiscard]] bool holds_only_integer_work(const Profile& profile);

/// Performance, HBM intensity and HBM bandwidth over the launches of a group, those that carry one operation
/// out together as one; absent where fewer than two have a value.
struct GroupSpreads {
    std::optional<Spread> performance;
    std::optional<Spread> intensity;
    std::optional<Spread> bandwidth;
    bool differ = false;  ///< KernelPoint::launches_differ
};
/// Of launches that differ, from what to what: "90.0 M to 1.20 GFLOP/s", of unknown work "0.300 to 1.20 TB/s
/// at HBM", else "with different grids"; empty where they are alike.
[[nodiscard]] std::string launch_range_words(const KernelPoint& point, std::string_view work_unit);
[[nodiscard]] GroupSpreads spread_launches(const Profile& profile, std::span<const LaunchIndex> launches,
                                           const AnalysisOptions& options);

}  // namespace roofwalk
