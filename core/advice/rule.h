// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/advice/advice.h"
#include "core/advice/evidence.h"
#include "core/roofline/group_totals.h"

/// How a rule is written: what it looks at and what it says. Read by advise() and by the tests.
namespace roofwalk {

/// Everything a rule may look at.
struct AdviceFacts {
    const KernelPoint& point;
    const Evidence& evidence;
    const Device& device;
    const AdviceThresholds& limits;
    /// What the reader found among the counters of these launches that cannot all be true.
    std::vector<const Error*> contradictions = {};
    std::optional<TrafficDirections> hbm{};  ///< bytes read and written; absent where they are not told apart
    std::optional<TrafficDirections> l2{};
    std::ptrdiff_t wholes = 0;    ///< measured launches that are a graph or a range
    double threads = 0;           ///< of the measured launches
    double threads_of_block = 0;  ///< the largest of the measured launches; 0: not known
    double warps = 0;             ///< of them
    double full_warps = 0;        ///< the fewest that hold the threads of each: launches share none
    double in_use = VerdictThresholds{}.latency;  ///< share of a limit below which nothing waits for it
};

inline constexpr double threads_of_warp = 32;  ///< on every NVIDIA GPU

/// What a rule found. A rule that does not apply to the kernel finds nothing: no evidence, nothing missing.
struct RuleOutcome {
    Finding finding = Finding::ruled_out;
    std::vector<AdviceEvidence> evidence;
    std::optional<AdviceWorth> worth;
    std::vector<MissingEvidence> missing;
    std::string detail;  ///< a sentence that the numbers add to the text

    [[nodiscard]] bool applies() const { return !evidence.empty() || !missing.empty(); }

    /// Adds a metric that fires below `limit` (at or above it). Returns whether it did.
    bool below(const AdviceFacts& facts, AdviceMetric metric, double limit);
    bool at_least(const AdviceFacts& facts, AdviceMetric metric, double limit);
    /// The same of a number that is not a metric.
    bool below(AdviceEvidence number);
    bool at_least(AdviceEvidence number);
    /// Adds shares of the time that warps wait; while the schedulers find something to issue, such waits are
    /// hidden and do not fire.
    void waits(const AdviceFacts& facts, std::initializer_list<AdviceMetric> reasons);
    /// Adds a metric that only explains; nothing where it is not known.
    void explain(const AdviceFacts& facts, AdviceMetric metric);
    void lacks(AdviceMetric metric);
    void lacks(MissingEvidence number);
    /// Adds a number that needs no threshold: that it is there is the finding.
    void state(AdviceEvidence number);

  private:
    bool add(AdviceEvidence number, bool fires);
};

/// Bytes of a measured launch, on average.
[[nodiscard]] double per_launch(const KernelPoint& point, Bytes bytes);
/// Whether something else than HBM is what takes the time: fewer HBM bytes gain nothing then. Not so of a
/// kernel that only waits.
[[nodiscard]] bool fewer_hbm_bytes_gain_nothing(const KernelPoint& point);

/// How many times the bytes that it needs cross the level which limits a kernel, since global accesses are
/// not coalesced, or shared-memory ones conflict; 1 where these are no surplus there, or were not counted.
[[nodiscard]] double excessive_sectors_factor(const AdviceFacts& facts);
/// The same of what it asks of local memory: registers that spill, arrays.
[[nodiscard]] double local_sectors_factor(const AdviceFacts& facts);
[[nodiscard]] double bank_conflicts_factor(const AdviceFacts& facts);
/// What it is worth to move so many times fewer bytes across that level, up to what binds next; absent where
/// it is next to nothing.
[[nodiscard]] std::optional<AdviceWorth> fewer_bytes(const KernelPoint& point, double times,
                                                     std::string_view when = {});

/// "; 1.44x of time, more only by relieving SM too (69.4 % busy)", of so many times fewer bytes; empty
/// where no unit ends them before.
[[nodiscard]] std::string limit_of_fewer_bytes(const KernelPoint& point, double times);

/// What has a worth beyond 1 changes places, the largest first; the rest of a list stays where it is.
template <class Item, class Worth>
void sort_by_worth(std::vector<Item>& list, const Worth& worth) {
    std::vector<std::size_t> places;
    std::vector<Item> known;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (worth(list[i]) <= 1) continue;
        places.push_back(i);
        known.push_back(std::move(list[i]));
    }
    std::ranges::stable_sort(known, std::ranges::greater(), worth);
    for (std::size_t i = 0; i < places.size(); ++i)
        list[places[i]] = std::move(known[i]);
}

struct AdviceRule {
    std::string_view id;
    AdviceList list;
    AdviceAxis axis;
    std::string_view title;
    std::string_view text;
    std::string_view source;
    RuleOutcome (*look)(const AdviceFacts& facts);
    bool of_one_launch = false;  ///< not to be told of a graph or a range, which is several
};

[[nodiscard]] std::span<const AdviceRule> latency_rules();   // rules_latency.cpp
[[nodiscard]] std::span<const AdviceRule> compute_rules();   // rules_compute.cpp
[[nodiscard]] std::span<const AdviceRule> traffic_rules();   // rules_traffic.cpp
[[nodiscard]] std::span<const AdviceRule> validity_rules();  // rules_validity.cpp

}  // namespace roofwalk
