// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/base/enum_array.h"
#include "core/roofline/analysis.h"

/// A kernel as a handful of numbers, so that what a move makes of it is found without memory of its own: the
/// core of a drag frame.
namespace roofwalk {

/// Dense and sparse ones.
inline constexpr auto all_pipes = [] {
    std::array<Pipe, 2 * enum_size<PipeKind>> pipes{};
    for (std::size_t i = 0; i < pipes.size(); ++i)
        pipes[i] = {all_pipe_kinds[i / 2], i % 2 == 1};
    return pipes;
}();

/// A `T` for each pipe.
template <class T>
struct PipeArray {
    EnumArray<PipeKind, T> dense{};
    EnumArray<PipeKind, T> sparse{};

    [[nodiscard]] T& operator[](Pipe pipe) { return (pipe.sparse ? sparse : dense)[pipe.kind]; }
    [[nodiscard]] const T& operator[](Pipe pipe) const { return (pipe.sparse ? sparse : dense)[pipe.kind]; }
    friend bool operator==(const PipeArray&, const PipeArray&) = default;
};

/// Factors that differ by less are the same: the rounding of a few products and quotients.
inline constexpr double factor_rounding = 1e-9;

/// What the algorithm itself needs, over what it needed when the kernel was measured: narrower data and
/// shared weights make it need less.
struct AlgorithmNeeds {
    double bytes = 1;
    double work = 1;

    friend bool operator==(const AlgorithmNeeds&, const AlgorithmNeeds&) = default;
    /// I_alg over what it was.
    [[nodiscard]] double intensity() const { return work / bytes; }
};

/// What moves change of a kernel.
struct KernelState {
    std::optional<Seconds> time;
    PipeArray<Flops> work;  ///< 0 also where nothing was counted
    EnumArray<MemoryLevel, std::optional<Bytes>> bytes{};
    AlgorithmNeeds needs;
    double inputs =
        1;  ///< that a launch serves, over those it was measured with; time, work and bytes are for one
    double launches = 1;  ///< over those that were measured: fused kernels share theirs
    double calls = 1;     ///< of the host to launch, over those that were made: kernels of a graph share one
    Seconds others_save{};  ///< launches that lack what these have, once they reach limits of their own
    /// What the roofs give, where that is less than the launches or a busy unit take and `time` is what they
    /// do take; so a move that takes back what made it so short finds its time again.
    std::optional<Seconds> below_floor{};

    friend bool operator==(const KernelState&, const KernelState&) = default;
};

/// What bounds a kernel, whatever is done to it.
struct KernelRoofs {
    PipeArray<std::optional<FlopRate>> peak;
    PipeArray<bool> counts;  ///< whether the pipe's work is part of W
    EnumArray<MemoryLevel, std::optional<ByteRate>> bandwidth{};
    EnumArray<MemoryLevel, Boundary> boundary{};
    Seconds launch_floor;       ///< what all its launches take at least, as they were measured
    bool int32_judged = false;  ///< by what the profiler told of the SM
    bool complete = false;  ///< nothing that may bind went uncounted; else there is no speed-of-light time
};

/// What beside state and roofs decides the class of a kernel; see Verdict.
struct ClassFacts {
    KernelClass measured = KernelClass::not_measured;
    bool modelled = false;
    bool both_judged = false;         ///< a memory level and every pipe that matters have a ceiling
    bool every_level_judged = false;  ///< no level of which one may bind is left out
    bool by_nearest = false;          ///< the class rests on Verdict::nearest
    bool all_judged = false;          ///< then: neither a level nor the pipes are left out
    bool by_launches = false;         ///< or on Verdict::launch_limits
    bool bytes_of_share = false;      ///< has_bytes_of_share()
    UnitThroughput throughput{};      ///< while it was measured
    /// KernelPoint::sm_beside_loads
    std::optional<double> sm_beside_loads{};
};

/// A kernel that can be moved: as it was measured, and what holds for it.
struct KernelModel {
    KernelState measured;
    KernelRoofs roofs;
    ClassFacts facts;
    double launches = 1;   ///< measured; the state is their sum
    Seconds other_time{};  ///< of launches that lack what these have; no move changes it but to the roof
    Seconds others_recoverable{};  ///< of these: Recoverable::of_others
    LaunchFloor launch_floor{};    ///< of each of them
    double apart =
        1;  ///< the time that its launches take at their own limits, over that of their sum at its limit
    std::optional<NearestLimit> nearest{};  ///< as measured, of a kernel without a roof
    std::optional<MemoryLevel> nearest_level{};
    MemoryName memory = MemoryName::dram;  ///< KernelPoint::memory
    std::optional<BusyUnit> busy{};        ///< as measured, what its class rests on
    bool work_known = false;               ///< of the chosen operation class
    std::string_view work_unit = "FLOP";   ///< work_unit() of that class
    bool time_doubted = false;             ///< KernelPoint::time_doubted
    bool approximate = false;              ///< so is what moves make of its time: has_approximate_gap()
};

[[nodiscard]] KernelModel kernel_model(const KernelPoint& point, const AnalysisOptions& options);

/// The time of the kernel with its other launches, as reports show it.
[[nodiscard]] std::optional<Seconds> time_of_all(const KernelState& state, const KernelModel& model);
/// The time that the roofs give: below `time` where the launches or a unit take longer. Absent without a
/// time.
[[nodiscard]] std::optional<Seconds> time_by_roofs(const KernelState& state);
/// What the launches of a state take at least, for each input.
[[nodiscard]] Seconds launch_floor_of(const KernelState& state, const KernelRoofs& roofs);
/// `time` less what the launches took that are saved from one state to the other; all of it is theirs where
/// it is no more. Where fewer bytes made `time` shorter, so they did with what the launches took of it.
[[nodiscard]] Seconds without_saved_launches(const KernelState& from, const KernelState& to,
                                             const KernelRoofs& roofs, Seconds time);
/// What a unit takes at least that is busier than the roofs say, by what the profiler found of it; 0 where
/// none is. No longer than the kernel took in `from` already.
[[nodiscard]] Seconds busy_time(const KernelState& from, const KernelState& state, const KernelModel& model);
/// Sets the time that the roofs give, of a state that follows `from`; its launches and its units take no less
/// than they do.
void set_time_by_roofs(const KernelState& from, KernelState& state, const KernelModel& model, Seconds time);
/// Whether it takes longer than the roofs give as a unit has no more room, and not for its launches.
[[nodiscard]] bool is_held_by_unit(const KernelState& state, const KernelRoofs& roofs);

/// The largest bound of time, and what gives it.
struct SpeedOfLight {
    Seconds time;
    CeilingTarget binding;
};

/// Absent where a bound is not known that may be the largest: the rule of KernelPoint::binding.
[[nodiscard]] std::optional<SpeedOfLight> speed_of_light(const KernelState& state, const KernelRoofs& roofs);
/// Gv; absent without a speed-of-light time or a time.
[[nodiscard]] std::optional<VerticalGap> gap_of(const KernelState& state, const KernelRoofs& roofs);
/// What is nearest to its limit where no roof is known: as measured while the time is, since a move that
/// promises nothing leaves open what takes it.
[[nodiscard]] std::optional<NearestLimit> limit_without_roof(const KernelState& state,
                                                             const KernelModel& model);
/// The limit that recoverable_time() honours, of a state with the throughput of the units moved.
[[nodiscard]] std::optional<NearestLimit> tightest_limit(const KernelState& state, const KernelModel& model);
/// What a state is told to be bound by: a unit that has no more room, else its roof; limit_without_roof()
/// where none is known. Its share is 0 without a time.
[[nodiscard]] std::optional<NearestLimit> what_binds(const KernelState& state, const KernelModel& model);
/// The time in which the kernel would reach it: the speed-of-light time, or more where a unit is busier.
[[nodiscard]] std::optional<Seconds> time_at_limit(const KernelState& state, const KernelModel& model);
/// W of the chosen operation class.
[[nodiscard]] Flops work_of(const KernelState& state, const KernelRoofs& roofs);

/// What the profiler found of the units, once they serve the bytes and the work of `state` in its time:
/// with_growth().
[[nodiscard]] UnitThroughput moved_throughput(const KernelModel& model, const KernelState& state);

/// The class by the rules of judge(), with the throughput of the units moved.
[[nodiscard]] KernelClass class_of(const KernelState& state, const KernelModel& model,
                                   const VerdictThresholds& limits);

/// Whether it has low use of every roof for a unit that is nearer to its limit, as is_bound_by_unit() of a
/// Verdict.
[[nodiscard]] bool is_bound_by_unit(const KernelState& state, const KernelModel& model,
                                    const VerdictThresholds& thresholds);
/// Its label; roof_not_known where time, work and bytes are known and only a ceiling is missing.
[[nodiscard]] std::string class_name(const KernelState& state, const KernelModel& model,
                                     const VerdictThresholds& thresholds);

/// Whether the bytes of L1 hold those of shared memory: both are counted in wavefronts.
[[nodiscard]] bool shared_is_part_of_l1(const KernelRoofs& roofs);
/// Sets the bytes of a level that has some. L1 changes by as many bytes where shared memory is part of it;
/// every other level stays as it is: what a change does to levels behind or before is for the person who
/// makes it to say.
void set_bytes(KernelState& state, const KernelRoofs& roofs, MemoryLevel level, Bytes bytes);

/// A place on the chart.
struct ChartPlace {
    double x = 1;  ///< intensity [FLOP/byte]
    double y = 1;  ///< performance [FLOP/s]
};

/// Where the dot of a level stands; absent when it stands on no chart: time, work or bytes unknown or 0.
[[nodiscard]] std::optional<ChartPlace> place_of(const KernelState& state, const KernelRoofs& roofs,
                                                 MemoryLevel level);

}  // namespace roofwalk
