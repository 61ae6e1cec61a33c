// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_array.h"
#include "core/roofline/analysis.h"
#include "core/roofline/group_totals.h"

namespace roofwalk {

/// Fills everything of a point that follows from its sums and its ceilings (`point.ceilings`, already set;
/// where the sums are of `point.known`, so is the time of all): levels, pipes, bounds, binding ceiling, gap,
/// practical efficiency and placement.
void apply_totals(GroupTotals totals, const AnalysisOptions& options, KernelPoint& point);

/// Where a point with known sums stands while these levels are shown (indexed by MemoryLevel).
[[nodiscard]] Placement placement_of(const KernelPoint& point, const EnumArray<MemoryLevel, bool>& levels);

/// Where every point stands, by the levels that `analysis.options` shows now.
void place_points(Analysis& analysis);
/// Whether L1 binds a point, or where no roof is known, is nearest to its limit of all levels by its bytes.
[[nodiscard]] bool l1_binds(const KernelPoint& point);
/// Adds L1, which is drawn on request, to the levels that are shown where it binds a point, unless a person
/// hid it.
void show_l1_where_it_binds(Analysis& analysis);

/// Whether shared memory makes up all bytes of a level that counts it too, but for rounding: then it is
/// shared memory that binds, not that level.
[[nodiscard]] bool is_mostly_shared(Boundary boundary, Seconds bound,
                                    const std::optional<Seconds>& bound_of_shared);

/// The largest of some bounds of a point, and what sets it.
struct BindingBound {
    Seconds bound;
    std::optional<CeilingTarget> target;  ///< absent when there is no bound above 0
};

/// What bounds a point when every ceiling counts with its practical share; another than the one that binds it
/// where their shares differ.
struct PracticalRoof {
    CeilingTarget target;
    double share = 1;       ///< of the ceiling
    bool measured = false;  ///< on the device, so that its share is 1
};

/// Absent when there is no bound above 0.
[[nodiscard]] std::optional<PracticalRoof> practical_roof(const KernelPoint& point,
                                                          const PracticalFactors& practical);

/// The largest of the bounds that are known: where another is not, its time is no shorter.
[[nodiscard]] BindingBound largest_known_bound(const KernelPoint& point);
/// What would bind a point if it moved no bytes across HBM.
[[nodiscard]] BindingBound largest_bound_beside_hbm(const KernelPoint& point);

/// The bound that is the longest after the one that binds: from there on fewer bytes of the latter gain
/// nothing. L1 counts shared memory too, so one of the two says nothing beside the other.
struct NextBound {
    std::string name;
    double times_shorter = 0;  ///< than the one that binds
};
/// Absent where no memory level binds, and where nothing beside it takes time.
[[nodiscard]] std::optional<NextBound> next_bound(const KernelPoint& point);
/// What bounds a point once every level moves no more bytes than its operation needs, as with larger tiles
/// together. Absent as next_bound() is, and without an operation whose bytes are known.
[[nodiscard]] std::optional<NextBound> bound_with_operation(const KernelPoint& point);

/// Work of a class by what bounds it. INT32 has a ceiling on no device: what the profiler told of the SM
/// bounds it, where other work or what binds takes more.
struct BoundedWork {
    Flops bounded;
    Flops int32;
    Flops without_ceiling;

    void add(Pipe pipe, bool has_ceiling, Flops work);
    /// Whether the pipes that did more than a trace of it have ceilings.
    [[nodiscard]] bool is_bounded(bool int32_judged) const;
};

/// How many times as much a kernel moves and computes as it was measured with. Absent where bytes are not
/// known.
struct LoadGrowth {
    std::optional<double> hbm;
    std::optional<double> l2;
    std::optional<double> l1tex;  ///< what L1TEX serves: the bytes of L1 and of shared memory
    double work = 1;
    double needs = 1;  ///< the bytes that its algorithm needs, as in data of fewer bits
};
using LevelBytes = EnumArray<MemoryLevel, std::optional<Bytes>>;
/// From some bytes to others. `shared_in_l1`: those of L1 hold those of shared memory.
[[nodiscard]] LoadGrowth growth_of(const LevelBytes& before, const LevelBytes& after, bool shared_in_l1);
/// What the units then have to do, over the peak of the time that was measured: L1TEX and L2 serve the bytes
/// of their levels, memory those of the unit that makes it so busy (else of the level that grew most), and
/// the SM what grew most of the work and of what its load and store pipe serves. Fewer bytes need no fewer
/// instructions, also where no work was counted: only of an SM that its load and store pipe keeps busy
/// (`sm_beside_loads`) it is known that fewer bytes near it relieve it, down to its other parts. Where the
/// bytes of a unit were not measured, L2 and DRAM serve what grew most of the levels, of which one that was
/// not measured either grows as what the algorithm needs, and L1TEX, for which fewer bytes may be as many
/// requests, what grew most of all.
[[nodiscard]] UnitThroughput with_growth(UnitThroughput throughput,
                                         const std::optional<double>& sm_beside_loads,
                                         const LoadGrowth& growth);

struct SavedTime {
    Seconds time;
    /// A unit that is as busy, and ends it before a roof does. Where fewer bytes relieve it too they save
    /// more.
    std::optional<BusyUnit> held_by;
    bool one_level = false;  ///< of the bytes of the level that binds, while others move as many
};
/// What fewer bytes at the level that binds save, until something else binds or is as busy: of L2 or nearer
/// while the bytes of other levels stay, unless an operation is bound that tells what they can fall to; of
/// HBM where those of all levels fall alike, as in data of fewer bits. Absent of a kernel that bytes do not
/// limit.
[[nodiscard]] std::optional<SavedTime> room_for_fewer_bytes(const KernelPoint& point);
/// The most that they save: that, across HBM until they are those that the operation needs, without which
/// nothing tells that fewer do.
[[nodiscard]] std::optional<SavedTime> saved_by_fewer_bytes(const KernelPoint& point);
/// What launches that take as long as any does save at most as fewer ones: until all their work, as one
/// launch, takes what its limit or a launch does. Absent of others, and of one launch.
[[nodiscard]] std::optional<Seconds> saved_by_fewer_launches(const KernelPoint& point);
/// Which bytes these are: "bytes across L2 alone"; "bytes across HBM and every nearer level"; of L2 or nearer
/// "bytes across every level" where an operation tells what they can fall to.
[[nodiscard]] std::string bytes_in_the_way(const KernelPoint& point, const SavedTime& saved);
/// "more only by relieving SM too (69.4 % busy)"; "more where the bytes of every level fall, as with larger
/// tiles" of one level alone. Empty where no more is to be had.
[[nodiscard]] std::string held_words(const KernelPoint& point, const SavedTime& saved);

}  // namespace roofwalk
