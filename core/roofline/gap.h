// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/model/ceiling.h"
#include "core/operations/bound_operation.h"
#include "core/operations/data_type.h"
#include "core/roofline/unit_throughput.h"

namespace roofwalk {

/// How far a kernel is below the roof that binds it: Gv = t / T, T its speed-of-light time. 1 is on the roof;
/// less than 1 happens (clock, cache and counter edge cases) and is kept.
struct VerticalGap {
    double factor = 1;

    /// Share of the roof that is reached: 0.25 for a factor of 4.
    [[nodiscard]] double efficiency() const { return 1 / factor; }
    /// Distance on the logarithmic axis.
    [[nodiscard]] double decades() const;
    /// Whether the kernel stands on its roof.
    [[nodiscard]] bool is_none() const;
};

[[nodiscard]] VerticalGap vertical_gap(Seconds time, Seconds speed_of_light);

/// "3.40x below HBM", "on the HBM roof", "above the HBM roof: ~1.20x" for a roof of that name; `approximate`
/// marks its figures, `which` follows the name where several roofs have it.
[[nodiscard]] std::string vertical_distance_words(const VerticalGap& gap, const std::string& roof,
                                                  bool approximate, const std::string& which = {});
/// The same with its share: "3.40x below HBM (29.4 %)".
[[nodiscard]] std::string gap_words(const VerticalGap& gap, const std::string& roof, bool approximate,
                                    const std::string& which = {});

struct AnalysisOptions;
struct KernelPoint;
struct Profile;

/// What the operations of a kernel's launches need, and how far from it the kernel is: the horizontal gap.
/// Every factor is 1 at the target. Less than 1 happens (data served from cache, a model that over-counts)
/// and is kept.
struct AlgorithmicTarget {
    /// Of the first launch that has one; never null.
    std::shared_ptr<const BoundOperation> operation;
    std::uint32_t operations = 1;  ///< different ones among the launches
    std::uint32_t bound = 0;       ///< measured launches with an operation
    std::uint32_t not_bound = 0;   ///< measured launches without; while there are any, no gap is known
    /// Of those without, some carry one out with kernels that are not among the launches.
    bool in_part = false;
    Flops work;   ///< W_alg of the bound launches, of the chosen operation class
    Bytes bytes;  ///< Q_min of the bound launches

    std::optional<Intensity> intensity;  ///< I_alg = W_alg / Q_min; absent without work
    /// Where the kernel would stand with Q_min: I_alg where it does the work of the model, else W / Q_min, as
    /// FLOP must be counted alike on both sides of a gap. Absent as I_alg is.
    std::optional<Intensity> place;
    /// Gh = place / I_hbm, the distance on the chart.
    std::optional<double> gap;
    /// Q_hbm / Q_min: the same, and known without any work.
    std::optional<double> byte_gap;
    std::optional<double> work_ratio;  ///< W / W_alg
    /// Gx = roof(place) / roof(I_hbm) at the W of the kernel, by every ceiling it has: what the way there is
    /// worth. The bytes of the other levels stay as they are.
    std::optional<double> useful;
    /// Where on the way something else than HBM binds, so that more intensity is no lever; absent where HBM
    /// binds up to the place.
    std::optional<Intensity> useful_until;
    std::optional<CeilingTarget> binding;  ///< the ceiling that binds at the place
    std::optional<double> potential;       ///< Gv * Gx, and no more than a busy unit leaves
    std::optional<Seconds> pipe_time;  ///< the longest that a pipe needs for W_alg; absent without a ceiling
    /// T of the operations: the larger of that and Q_min at the HBM roof, whatever the kernel did and moved.
    std::optional<Seconds> least_time;
    /// Of launches that carry operations out together with others: what these operations can recover as a
    /// whole, and the part of it that falls to these launches by their share of the time.
    std::optional<Seconds> whole_recoverable;
    std::optional<Seconds> shared_recoverable;
};

/// Gaps between kernel and model count as the same work up to this relative difference.
inline constexpr double same_work_tolerance = 0.01;

/// Factors this near to 1 are at the target: a figure would show 1.00.
inline constexpr double target_tolerance = 0.005;

/// From this factor on a horizontal gap is worth closing.
inline constexpr double noticeable_gap = 1.1;

/// Whether a kernel has no horizontal gap to speak of: neither its HBM bytes nor its roof would change by
/// noticeable_gap. Absent where the bytes that its algorithm needs, or its own, are not known.
[[nodiscard]] std::optional<bool> moves_needed_bytes_only(const KernelPoint& point);

/// How the one operation of a kernel stores its operands; empty where nobody said, or it has several.
[[nodiscard]] std::vector<DataType> stated_types(const KernelPoint& point);

/// Whether nothing is told of a kernel, as others carry out its operation with it.
[[nodiscard]] bool is_part_of_operation(const KernelPoint& point);

/// Whether kernel and model count the same work, so that Gh by intensity and by bytes agree.
[[nodiscard]] bool counts_same_work(const AlgorithmicTarget& target);

/// What the profiler found too busy for the kernel to gain AlgorithmicTarget::useful: it gains 1 / share, as
/// Recoverable::with_needed_bytes tells. Absent where nothing is known to be.
[[nodiscard]] std::optional<BusyUnit> unit_in_the_way(const KernelPoint& point);

/// "3.30x left of its algorithm", "right of" below 1, "at its algorithm" where a figure would show 1.
[[nodiscard]] std::string horizontal_distance_words(double gap, bool approximate);

/// The gaps of a target that follow from the work, the bytes and the bounds of its point: computed anew, as
/// after a move.
void compute_target_gaps(const KernelPoint& point, AlgorithmicTarget& target);

/// The target of a point whose bounds are computed; absent when none of its measured launches is bound.
[[nodiscard]] std::optional<AlgorithmicTarget> target_of(const KernelPoint& point, const Profile& profile,
                                                         std::span<const LaunchIndex> launches,
                                                         const AnalysisOptions& options);

/// "moves 2.10x as many HBM bytes as a GEMM of this shape needs"; empty while the bytes or an operation are
/// not known.
[[nodiscard]] std::string horizontal_clause(const KernelPoint& point);

/// Whether work and bytes are below those of the operation by more than noticeable_gap, which no cache
/// explains: its sizes are others, and no horizontal gap is told then.
[[nodiscard]] bool has_size_mismatch(const KernelPoint& point);
/// "the sizes of a GEMM do not fit the counters: work is 0.420x the operation's, HBM bytes are 0.420x"; empty
/// where they fit.
[[nodiscard]] std::string size_mismatch_words(const KernelPoint& point);
/// "gemm m=8 n=8 k=8 (rule 1: gemm; dtype=fp16 is assumed).": which operation, who says so and what is
/// assumed.
[[nodiscard]] std::string operation_sentence(const AlgorithmicTarget& target);
/// "Fewer DRAM bytes alone save no time, as L1 binds. With those of every level falling together, as tiles
/// let them, 17.0x at most: FP16 Tensor binds then.", where bytes limit the kernel and fewer of HBM are no
/// lever; else empty.
[[nodiscard]] std::string all_levels_sentence(const KernelPoint& point);

/// What a panel says of the target, a sentence each: the operation and who says so, its needs, the gap by
/// intensity and by bytes, what of it is useful, and why a figure is missing or below 1.
[[nodiscard]] std::vector<std::string> target_sentences(const KernelPoint& point,
                                                        const AnalysisOptions& options);

}  // namespace roofwalk
