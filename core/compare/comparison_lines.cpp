// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/comparison_lines.h"

namespace roofwalk {

namespace {

LineSide side_of(const Comparison& comparison, std::size_t run, std::uint32_t point) {
    return {&comparison.runs[run], static_cast<std::uint32_t>(run + 1), point};
}

void add_one_sided(const Comparison& comparison, std::size_t step, std::vector<ComparisonLine>& lines) {
    const auto add_before = [&](std::uint32_t point, std::string_view verdict) {
        lines.push_back({.before = side_of(comparison, step, point), .after = {}, .verdict = verdict});
    };
    const auto add_after = [&](std::uint32_t point, std::string_view verdict) {
        lines.push_back({.before = {}, .after = side_of(comparison, step + 1, point), .verdict = verdict});
    };
    const KernelMatches& matches = comparison.matches[step];
    for (const std::uint32_t point : matches.added)
        add_after(point, "added");
    for (const std::uint32_t point : matches.removed)
        add_before(point, "removed");
    for (const AmbiguousKernels& alike : matches.ambiguous) {
        for (const std::uint32_t point : alike.before)
            add_before(point, "ambiguous");
        for (const std::uint32_t point : alike.after)
            add_after(point, "ambiguous");
    }
}

}  // namespace

std::vector<ComparisonLine> comparison_lines(const Comparison& comparison) {
    std::vector<ComparisonLine> lines;
    const auto add = [&](const KernelChange& change, std::size_t from, std::size_t to, bool step) {
        lines.push_back({side_of(comparison, from, change.match.before),
                         side_of(comparison, to, change.match.after), &change, label_of(change.verdict),
                         step});
    };
    for (const KernelPath& path : comparison.paths) {
        add(path.whole, path.first_run, path.first_run + path.points.size() - 1, false);
        for (std::size_t step = 0; step < path.steps.size(); ++step)
            add(path.steps[step], path.first_run + step, path.first_run + step + 1, true);
    }
    for (std::size_t step = 0; step < comparison.matches.size(); ++step)
        add_one_sided(comparison, step, lines);
    return lines;
}

}  // namespace roofwalk
