// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/trace/thread_ranges.h"

#include <numeric>
#include <tuple>
#include <utility>

namespace roofwalk {

void ThreadRanges::add(std::uint64_t thread, std::int64_t start, std::int64_t end, std::string_view text) {
    ranges_.push_back(
        {thread, start, end, texts_.intern(text), 0, static_cast<std::uint32_t>(ranges_.size())});
}

std::uint32_t ThreadRanges::path_of(std::uint32_t parent, TextId text) {
    const std::uint64_t key = std::uint64_t{parent} << 32U | static_cast<std::uint32_t>(text);
    const auto [known, added] = known_paths_.try_emplace(key, static_cast<std::uint32_t>(paths_.size()));
    if (added) paths_.push_back({parent, text, paths_[parent].depth + 1});
    return known->second;
}

void ThreadRanges::settle() {
    constexpr std::uint32_t deepest = 64;
    order_.resize(ranges_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t index) {
        const Range& range = ranges_[index];
        return std::tuple(range.thread, range.start, -range.end);
    });
    std::vector<std::uint32_t> open;
    for (const std::uint32_t index : order_) {
        Range& range = ranges_[index];
        while (!open.empty() &&
               (ranges_[open.back()].thread != range.thread || ranges_[open.back()].end <= range.start))
            open.pop_back();
        // Deeper ones are told as the deepest that is kept.
        if (!open.empty()) range.parent = open.back();
        const std::uint32_t around = open.empty() ? 0 : ranges_[open.back()].path;
        range.path = open.size() < deepest ? path_of(around, range.text) : around;
        if (open.size() < deepest) open.push_back(index);
    }
}

std::optional<std::size_t> ThreadRanges::around(std::uint64_t thread, std::int64_t time) const {
    const auto later = std::ranges::upper_bound(
        order_, std::pair(thread, time), {},
        [&](std::uint32_t index) { return std::pair(ranges_[index].thread, ranges_[index].start); });
    if (later == order_.begin()) return {};
    std::uint32_t at = *std::prev(later);
    if (ranges_[at].thread != thread) return {};
    while (ranges_[at].end <= time) {
        if (ranges_[at].parent == at) return {};
        at = ranges_[at].parent;
    }
    return at;
}

NvtxIndex ThreadRanges::stack(std::size_t range, ProfileBuilder& builder) {
    Path& path = paths_[ranges_[range].path];
    if (!path.stack) {
        NvtxStack stack;
        for (const Path* at = &path; at->depth > 0; at = &paths_[at->parent])
            stack.emplace_back(texts_.view(at->text));
        std::ranges::reverse(stack);
        path.stack = builder.nvtx(std::move(stack));
    }
    return *path.stack;
}

}  // namespace roofwalk
