// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/evidence.h"
#include "core/advice/thresholds.h"
#include "core/base/enum_array.h"
#include "core/roofline/analysis.h"

/// What the counters suggest to do about a kernel: rules with thresholds, each resting on numbers that were
/// measured. A rule whose numbers are missing says so and never guesses.
namespace roofwalk {

/// Where a kernel stands under its roof. Which roof is the one that binds; near or below it is what the class
/// says.
enum class RoofPosition : std::uint8_t {
    at_memory_roof,
    below_memory_roof,
    at_compute_roof,
    below_compute_roof,
    below_both,  ///< neither memory nor compute is busy, at any intensity
};
template <>
inline constexpr EnumIds<RoofPosition, 5> enum_ids<RoofPosition>{
    "at_memory_roof", "below_memory_roof", "at_compute_roof", "below_compute_roof", "below_both"};

/// What a position means, whatever the kernel.
struct PositionGuide {
    RoofPosition position;
    std::string_view title;
    std::string_view symptom;  ///< what the counters show there
    std::string_view meaning;  ///< what that says of the kernel
};

[[nodiscard]] const PositionGuide& position_guide(RoofPosition position);

/// Absent where nobody can tell: no roof is known, a part of the work was not counted, the work is integer
/// and not counted as such, or the kernel is above its roof.
[[nodiscard]] std::optional<RoofPosition> position_of(const KernelPoint& point,
                                                      const VerdictThresholds& limits);

/// Which kind of cause a rule looks for.
enum class AdviceList : std::uint8_t {
    latency,   ///< A: too little in flight, so that the memory roof is not reached
    compute,   ///< B: a pipe that is not fed
    traffic,   ///< C: more bytes than the operation needs
    validity,  ///< the model itself says little here
};
template <>
inline constexpr EnumIds<AdviceList, 4> enum_ids<AdviceList>{"latency", "compute", "traffic", "validity"};

/// Where the dot goes when the cause is removed: right is fewer bytes for the same work, up the same in less
/// time.
enum class AdviceAxis : std::uint8_t { none, right, up, both };
template <>
inline constexpr EnumIds<AdviceAxis, 4> enum_ids<AdviceAxis>{"none", "right", "up", "both"};

enum class Finding : std::uint8_t {
    indicated,     ///< the numbers are beyond the threshold
    ruled_out,     ///< they are within it
    not_measured,  ///< at least one of them is missing
};

/// One number that a rule rests on.
struct AdviceEvidence {
    std::string label;   ///< "achieved occupancy"
    std::string metric;  ///< names of the profiler, or how Roofwalk computes it
    double value = 0;
    std::string unit;                 ///< "B", "share", "x", "threads", "s", ...
    std::optional<double> threshold;  ///< absent where the number only explains
    bool approximate = false;         ///< it follows from figures that are in doubt or no exact counts
    bool fires = false;               ///< it is beyond the threshold
};

/// "achieved occupancy: 34.1 % (threshold 50.0 %)"
[[nodiscard]] std::string to_text(const AdviceEvidence& evidence);

/// A number that would decide a rule, and the option of `ncu` that collects it.
struct MissingEvidence {
    std::string label;
    std::string metric;
    NcuOption option;  ///< asks for nothing where no option collects it
};

/// The most that removing the cause can be worth.
struct AdviceWorth {
    double factor = 1;
    std::string of;            ///< "fewer sectors between L1 and L2"
    bool approximate = false;  ///< AdviceEvidence::approximate
};

struct Advice {
    std::string_view id;  ///< "uncoalesced_access": the stable name of the rule
    AdviceList list = AdviceList::validity;
    AdviceAxis axis = AdviceAxis::none;
    Finding finding = Finding::not_measured;
    std::string title;
    std::string text;
    std::string source;  ///< where the rule comes from
    std::vector<AdviceEvidence> evidence;
    std::optional<AdviceWorth> worth;
    std::vector<MissingEvidence> missing;
};

/// What can be said of one kernel.
struct KernelAdvice {
    std::optional<RoofPosition> position;
    /// What limits the model here: beyond the numbers, not advice on the kernel.
    std::vector<Advice> warnings;
    /// Causes that the numbers indicate: in the order to look at them, those of known worth by it.
    std::vector<Advice> indicated;
    /// Causes that may be there: their numbers were not collected. Of a kernel that comes from a model none
    /// that only a run could tell.
    std::vector<Advice> not_measured;
    /// Causes that the numbers rule out.
    std::vector<Advice> ruled_out;
    /// What of the SM its throughput is the share of: Evidence::busiest_of_sm().
    std::optional<AdviceMetric> busiest_of_sm;
    bool fills_gpu = false;  ///< its blocks were counted, and make a wave over all SMs or more
};

/// How many times as fast the kernel may get by it; 1 where it is not known, or where the way that the dot
/// would go is no lever: fewer bytes of a kernel that only waits, or of one that a pipe binds.
[[nodiscard]] double worth_of(const Advice& advice, RoofPosition position);

/// The options of `ncu` that collect what the rules miss, each once; empty when no option collects any of it.
[[nodiscard]] std::vector<NcuOption> options_to_collect(const KernelAdvice& advice);

/// The figures of a kernel that are no exact counts: "HBM (modelled)", "FP32 (estimated)".
[[nodiscard]] std::vector<std::string> inexact_figures(const KernelPoint& point);

/// Whether a rule that says how to read the figures is among them.
[[nodiscard]] bool has_warning(const KernelAdvice& advice, std::string_view rule);

/// Whether a kernel that only waits moves more bytes than its operation needs by far more than it is below
/// its roof: then they come before how they are asked for.
[[nodiscard]] bool bytes_outweigh_waiting(const KernelPoint& point);

[[nodiscard]] KernelAdvice advise(const Profile& profile, const Analysis& analysis, const KernelPoint& point,
                                  const AdviceThresholds& limits = {});

}  // namespace roofwalk
