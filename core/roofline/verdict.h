// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/enum_array.h"
#include "core/roofline/roofline.h"
#include "core/roofline/unit_throughput.h"

namespace roofwalk {

struct KernelPoint;
struct Recoverable;

/// The class of a kernel: what its colour says.
enum class KernelClass : std::uint8_t {
    memory_bound,   ///< a memory level binds: left of the ridge of that level
    compute_bound,  ///< a pipe binds: right of every ridge
    latency_bound,  ///< both memory and compute below 60 % of their ceilings: latency-bound or
                    ///< under-occupied; never said when one of the two is unknown, nor while HBM, L2 or
                    ///< both L1 and SMEM are not judged
    low_use,        ///< what is judged is below 60 %, but something that no roof shows may be what binds: a
                    ///< level or the pipes where they are not judged, or a unit that the profiler found busy
                    ///< on the side where no ceiling binds
    near_roof,      ///< at least 80 % of the binding ceiling: "near the roof". Whether that is all one can
                    ///< ask for depends on the bytes: moves_needed_bytes_only()
    above_roof,     ///< faster than its ceilings allow: units, clocks, caches or counters need a look
    no_flop,        ///< no floating-point work
    no_traffic,     ///< no bytes at any level, of HBM for sure
    only_timed,     ///< work and HBM bytes are those that its operation needs: nobody counted any
    work_incomplete,  ///< a part of the work was not counted, and no level or unit is known: W is a lower
                      ///< bound
    not_measured,     ///< time is missing, or all of levels and units, or the ceiling of a pipe that may bind
};
template <>
inline constexpr EnumIds<KernelClass, 11> enum_ids<KernelClass>{
    "memory_bound", "compute_bound", "latency_bound", "low_use",         "near_roof",   "above_roof",
    "no_flop",      "no_traffic",    "only_timed",    "work_incomplete", "not_measured"};

/// Limits of the rules, editable.
struct VerdictThresholds {
    double near_ridge_low = 0.5;    ///< of I / ridge
    double near_ridge_high = 1.5;   ///< of I / ridge
    double latency = 0.60;          ///< of a ceiling: below it on both sides is latency-bound
    double near_roof = 0.80;        ///< of the binding ceiling
    double ridge_tolerance = 1e-3;  ///< relative
    double above_roof = 1.005;      ///< efficiency beyond which a kernel counts as above the roof

    friend bool operator==(const VerdictThresholds&, const VerdictThresholds&) = default;
};

/// What a share is of: a level by its bytes, a pipe by its work, or a unit by the profiler's throughput.
using LimitTarget = std::variant<Boundary, Pipe, HardwareUnit>;
[[nodiscard]] LimitTarget limit_of(const CeilingTarget& ceiling);
/// What is nearest to its limit of all that is known of a kernel without a roof.
struct NearestLimit {
    LimitTarget of;
    double share = 0;  ///< of that limit
};
/// Whether the share of a limit is known at least, as of HBM by KernelPoint::hbm_at_least and of anything
/// beside bytes of a level or work of a pipe without a ceiling, or at most, as of L1TEX by
/// KernelPoint::l1tex_while_active.
enum class ShareBound : std::uint8_t { exact, at_least, at_most };
template <>
inline constexpr EnumIds<ShareBound, 3> enum_ids<ShareBound>{"", "at_least", "at_most"};
/// Whether it is a memory level or a unit of memory.
[[nodiscard]] bool is_of_memory(const NearestLimit& limit);
/// "HBM", "FP32", "L1TEX".
[[nodiscard]] std::string label_of(const NearestLimit& limit, MemoryName memory);
/// "by bytes", "by work", "by throughput": what its share was told by.
[[nodiscard]] std::string_view evidence_of(const NearestLimit& limit);
/// The same of a kernel: "by bytes at least", "by throughput at most" where share_bound() is.
[[nodiscard]] std::string evidence_of(const KernelPoint& point, const NearestLimit& limit);
/// Of it and the busiest unit the one that is nearer to its limit; DRAM only where it is clearly nearer.
[[nodiscard]] std::optional<NearestLimit> nearer_of(const std::optional<NearestLimit>& limit,
                                                    const UnitThroughput& throughput);

/// Whether the bytes of a level take a larger share of its ceiling than the SM is busy: as no pipe is busier
/// than the SM, the kernel is left of the ridge by at least their ratio. What keeps L1TEX or L2 busy may be
/// more than bytes, and tells nothing of it.
[[nodiscard]] bool is_beyond_sm(const KernelPoint& point, const NearestLimit& nearest);

/// What the rules say of one kernel.
struct Verdict {
    KernelClass kernel_class = KernelClass::not_measured;
    /// What the class rests on where work, bytes or a ceiling is missing; absent where the gap tells it.
    std::optional<NearestLimit> nearest;
    /// Of the ridge that ridge_place() tells: of the memory level that binds, else of the farthest. Without
    /// such a ridge, the side of the ceiling that binds or of what is nearest to its limit, but of a
    /// busy SM, left of every ridge without FLOP, right of it without bytes; else absent, as where work that
    /// has no ceiling would be left of it.
    std::optional<Side> side;
    bool near_ridge = false;
    /// Why a kernel that is below the limit of every ceiling is not latency-bound: a unit that the profiler
    /// found busy with something else than the bytes and the work counted here.
    std::optional<BusyUnit> busy;
    /// Without a class: by bytes (work) alone it may seem far from a limit that others of its kernel are at
    /// by their work (bytes) or throughput.
    bool left_unjudged = false;
    /// Of a group whose sum is far from every limit though most of its launches are near one each: these, by
    /// the time of the launches, with the share that they reach. The class is theirs.
    std::vector<NearestLimit> launch_limits;
    double share_by_launches = 0;  ///< what its launches reach of their limits, over the time of all
    /// Launches bind: far from every other limit, what they take at least is as much of the time as a kernel
    /// near its roof reaches of that. Of an operation that nobody ran: its roofs ask for less time than a
    /// launch takes.
    bool launch_binds = false;
};

[[nodiscard]] std::string_view label_of(KernelClass kernel_class);  ///< "memory-bound"
/// What binds a kernel, and leaves it least to recover, wherever that is told: its roof or, without one, the
/// nearest limit; a unit where the profiler found it busier still; where its launches judge it, what most of
/// these are near, with the share of all.
[[nodiscard]] std::optional<NearestLimit> tightest_limit(const KernelPoint& point);
/// What is nearest to its limit once `limit` is relieved, with all of its side but the work that pipes do for
/// a busy SM.
[[nodiscard]] std::optional<NearestLimit> limit_after(const NearestLimit& limit, const KernelPoint& point);
/// share_bound() of it: exact where there is none.
[[nodiscard]] ShareBound bound_of_limit(const KernelPoint& point);
/// Its share.
[[nodiscard]] std::optional<double> share_of_limit(const KernelPoint& point);
/// Whether a roof judges it, be a unit nearer or not: a gap is known, and it is not its launches that do.
[[nodiscard]] bool has_roof(const KernelPoint& point);
/// Whether that is a share of its roof.
[[nodiscard]] bool is_judged_by_roof(const KernelPoint& point);
/// Verdict::nearest; absent where its launches judge it.
[[nodiscard]] std::optional<NearestLimit> judged_nearest(const KernelPoint& point);
/// Its unit, of a kernel with a roof that is farther; absent where the roof is what leaves least.
[[nodiscard]] std::optional<BusyUnit> unit_beyond_roof(const KernelPoint& point);
/// t (1 - share) of tightest_limit(): the time that a launch, or launches taken as one, takes above its speed
/// of light, which is all that it can lose while it keeps its bytes, its work, its instructions and its
/// launches: never below least_launch_time(). Absent where time or share are not known, above a roof, and
/// where counters contradict each other.
[[nodiscard]] std::optional<Recoverable> recoverable_as_one(const KernelPoint& point);
/// KernelPoint::recoverable; absent where it is known of no launch.
[[nodiscard]] std::optional<Seconds> recoverable_time(const KernelPoint& point);
/// Of a sum that is of both kinds exact, which has_approximate_recovery() tells.
[[nodiscard]] ShareBound bound_of_recoverable(const KernelPoint& point);
/// t - T of its operation: the time above AlgorithmicTarget::least_time, and no less than the other; absent
/// without an operation too.
[[nodiscard]] std::optional<Seconds> recoverable_with_operation(const KernelPoint& point);
/// The same for a share of the limit, also of figures that are in doubt.
[[nodiscard]] Seconds time_above(const KernelPoint& point, Seconds time, double share);
/// "HBM", "L1TEX", "HBM and SM" of launches: what tightest_limit() is, of a kernel without a time what would
/// be.
[[nodiscard]] std::string limit_label(const KernelPoint& point);
/// "HBM roof", "limit of L1TEX", "limits of its launches (HBM and SM)": the same in a sentence.
[[nodiscard]] std::string limit_words(const KernelPoint& point);
/// The memory level of its roof, whatever unit is nearer, or else of that, HBM for memory as a whole: whose
/// bytes may be too many. Absent where it is a pipe or the SM, or not known.
[[nodiscard]] std::optional<MemoryLevel> limiting_level(const KernelPoint& point);
/// Whether that unit serves other bytes than its roof counts, or none: no roof binds then.
[[nodiscard]] bool is_bound_beside_roof(const KernelPoint& point);
/// A unit that is so busy that the class rests on it, beside a roof or without one.
[[nodiscard]] std::optional<BusyUnit> busy_unit(const KernelPoint& point, const VerdictThresholds& limits);
/// Whether bytes and a time are known and no ceiling of anything, as where a file names no GPU.
[[nodiscard]] bool lacks_ceilings(const KernelPoint& point);
/// Whether what was measured is enough for a class but for a ceiling.
[[nodiscard]] bool lacks_only_a_ceiling(const KernelPoint& point);
inline constexpr std::string_view roof_not_known = "roof not known";
inline constexpr std::string_view bound_by_launch = "bound by the launch";
inline constexpr std::string_view class_not_judged = "not judged";
/// The one word of its class everywhere: its label; "SM-bound" where the profiler found a unit busy while no
/// roof is used much; instead of "not measured" roof_not_known where only a ceiling is missing, and
/// class_not_judged of one left unjudged; bound_by_launch where Verdict::launch_binds.
[[nodiscard]] std::string class_label(const KernelPoint& point);
/// The class in a table: "latency-bound", "low use (L2, L1/SMEM not judged)", "SM-bound (low use of every
/// roof)", "memory-bound (L2 busy)", "no
/// FLOP (integer tensor work)", "latency-bound (by throughput)", "above the roof (counters contradict)".
[[nodiscard]] std::string class_text(const KernelPoint& point);

/// The unit that the class of a kernel rests on that is below the limit of every ceiling: the busiest, where
/// it is busy enough. A busy SM may still wait for a level that nobody judged.
[[nodiscard]] std::optional<BusyUnit> deciding_unit(const UnitThroughput& throughput, bool every_level_judged,
                                                    const VerdictThresholds& limits);
/// The class of such a kernel that reaches `efficiency` of the ceiling that binds, a pipe where `compute`:
/// bound by that side where the unit is of it too, else low_use.
/// An SM counts as busy with the work of the pipe up to twice its efficiency, since an instruction that is no
/// FMA makes half the FLOP in the same cycles; beyond, it issues something else.
[[nodiscard]] KernelClass class_of_busy(const BusyUnit& busy, bool compute, double efficiency);

/// Whether a kernel can stand left of a ridge: its work, where it does any, has a ceiling, or was not all
/// counted, or a level binds that is_beyond_sm().
[[nodiscard]] bool may_stand_left_of_ridge(const KernelPoint& point);
/// Verdict::side and near_ridge, as they follow from the rest.
void add_side(const KernelPoint& point, const VerdictThresholds& thresholds, Verdict& verdict);
/// Applied to a kernel whose bounds and target are already computed.
[[nodiscard]] Verdict judge(const KernelPoint& point, const VerdictThresholds& thresholds);

/// What launches of a group are nearest to, each for itself, where the group is far from every limit.
class LaunchLimits {
  public:
    explicit LaunchLimits(const KernelPoint& group);
    void add(const KernelPoint& launch);
    /// Judges the group by its launches, where these are near.
    void judge(Verdict& verdict, const VerdictThresholds& thresholds);

  private:
    struct Part {
        LimitTarget of;
        Seconds time{};      ///< of the launches that are nearest to it
        Seconds at_limit{};  ///< that they would take there
    };
    bool far_;
    bool may_stand_left_;
    std::vector<Part> parts_;
    Seconds time_;
};

}  // namespace roofwalk
