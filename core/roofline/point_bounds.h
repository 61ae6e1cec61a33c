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
/// What bounds a point once every level moves no more bytes than its operation needs, as tiles let them fall
/// together. Absent as next_bound() is, and without an operation whose bytes are known.
[[nodiscard]] std::optional<NextBound> bound_with_operation(const KernelPoint& point);

struct SavedTime {
    Seconds time;
    /// A unit that is as busy, and ends it before a roof does. Where fewer bytes relieve it too they save
    /// more.
    std::optional<BusyUnit> held_by;
};
/// The time that fewer bytes at the level that binds save at most: across L2 and nearer until something else
/// binds or is as busy, where an operation is bound with those of all levels, across HBM until they are
/// those that the operation needs, without which nothing tells that fewer do. Absent of a kernel that bytes
/// do not limit.
[[nodiscard]] std::optional<SavedTime> saved_by_fewer_bytes(const KernelPoint& point);
/// "more only where they relieve SM too (69.4 % busy)": its held_by; empty where there is none.
[[nodiscard]] std::string held_words(const KernelPoint& point);

}  // namespace roofwalk
