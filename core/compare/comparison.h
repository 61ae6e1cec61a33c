// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/compare/kernel_change.h"

namespace roofwalk {

/// One kernel through neighbouring runs.
struct KernelPath {
    std::uint32_t first_run = 0;
    std::vector<std::uint32_t> points;  ///< one for each run from the first on; at least two
    KernelChange whole;                 ///< from the first point to the last
    std::vector<KernelChange> steps;    ///< from each point to the next; empty where `whole` is the only step
};

/// Reports of one program, oldest first, and what became of its kernels.
struct Comparison {
    CompareOptions options;
    std::vector<AnalysedProfile> runs;   ///< at least two, analysed with the same options
    std::vector<KernelMatches> matches;  ///< between each run and the next
    std::vector<KernelPath> paths;       ///< longest time in the newest run first

    /// Whether the path leads from the oldest run to the newest.
    [[nodiscard]] bool spans(const KernelPath& path) const {
        return path.first_run == 0 && path.points.size() == runs.size();
    }
    [[nodiscard]] const AnalysedProfile& first_run_of(const KernelPath& path) const {
        return runs[path.first_run];
    }
    [[nodiscard]] const AnalysedProfile& last_run_of(const KernelPath& path) const {
        return runs[path.first_run + path.points.size() - 1];
    }
};

/// `runs` are at least two, oldest first.
[[nodiscard]] Comparison compare_runs(std::span<const AnalysedProfile> runs,
                                      const CompareOptions& options = {});

/// The path to a kernel of the newest run; null where no older one surely has it.
[[nodiscard]] const KernelPath* path_to(const Comparison& comparison, std::uint32_t point);

/// What the oldest and the newest run have of one another.
struct ComparisonTotals {
    EnumArray<ChangeVerdict, std::uint32_t> verdicts{};  ///< of the paths through all runs
    std::uint32_t compared = 0;                          ///< kernels on such a path
    std::uint32_t timed = 0;                             ///< of these, with a time in both runs
    std::uint32_t removed = 0;                           ///< kernels of the oldest run that the newest lacks
    std::uint32_t ambiguous = 0;  ///< kernels of the oldest run that the newest may have
    std::uint32_t added = 0;      ///< kernels of the newest run that no other has
    Seconds time_before;          ///< of everything that was measured in the oldest run
    Seconds time_after;
    bool doubted_before = false;  ///< some of these times are
    bool doubted_after = false;
    std::uint32_t contradicting = 0;  ///< of those compared, kernels whose counters contradict each other
    std::uint32_t times_unlike = 0;   ///< instead, with a time that may be far too long in one run only
    Seconds compared_before;          ///< of the kernels on a path through all runs
    Seconds compared_after;
    std::uint64_t launches_before = 0;  ///< of those kernels
    std::uint64_t launches_after = 0;
};

/// What a path stands for.
[[nodiscard]] GroupBy rows_of(const Comparison& comparison);

[[nodiscard]] ComparisonTotals totals_of(const Comparison& comparison);

/// "4 kernels compared: 2 both, 1 up, 1 unchanged; 1 not compared, 1 added; all kernels 34.1 ms → 20.2 ms
/// (1.69x faster)." Says too when the reports are of different devices, or have little in common.
[[nodiscard]] std::string comparison_sentence(const Comparison& comparison);

/// A kernel in one of the reports that are compared.
struct LineSide {
    const AnalysedProfile* run = nullptr;
    std::uint32_t number = 0;  ///< of the report, the oldest is 1
    std::uint32_t point = 0;   ///< index into Analysis::points

    [[nodiscard]] const KernelPoint& kernel() const { return run->point(point); }
};

/// One line of a comparison, for tables; refers to the comparison. A kernel of one report only has one side.
struct ComparisonLine {
    std::optional<LineSide> before;
    std::optional<LineSide> after;
    const KernelChange* change = nullptr;  ///< null where there is one side only
    std::string_view verdict;              ///< for people: "both", "added", "removed", "ambiguous"
    bool step = false;                     ///< part of the way that the line before the steps is of
};

/// Kernels that could be compared, those whose time changed most first, up or down; with more than two
/// reports a line for each step of a kernel after the line for its whole way; then added, removed and
/// ambiguous kernels.
[[nodiscard]] std::vector<ComparisonLine> comparison_lines(const Comparison& comparison);

}  // namespace roofwalk
