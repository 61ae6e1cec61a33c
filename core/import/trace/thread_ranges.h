// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/model/profile_builder.h"

namespace roofwalk {

/// What threads of a program were in, and when: operations of a framework, NVTX ranges. Tells in which of
/// them a kernel was launched.
class ThreadRanges {
  public:
    /// Times are in nanoseconds since any moment. Its number is how many were added before.
    void add(std::uint64_t thread, std::int64_t start, std::int64_t end, std::string_view text);
    /// Finds out which lies in which; after the last add().
    void settle();

    [[nodiscard]] std::size_t size() const { return ranges_.size(); }
    /// The innermost range in which a thread was.
    [[nodiscard]] std::optional<std::size_t> around(std::uint64_t thread, std::int64_t time) const;
    /// A range and those around it, outermost first, at most 64 deep.
    [[nodiscard]] NvtxIndex stack(std::size_t range, ProfileBuilder& builder);

  private:
    struct Range {
        std::uint64_t thread;
        std::int64_t start;
        std::int64_t end;
        TextId text;
        std::uint32_t path = 0;  // in paths_, with those around it
        std::uint32_t parent;    // itself: none
    };
    struct Path {
        std::uint32_t parent;
        TextId text;
        std::uint32_t depth;
        std::optional<NvtxIndex> stack{};
    };

    std::uint32_t path_of(std::uint32_t parent, TextId text);

    std::vector<Range> ranges_;
    std::vector<std::uint32_t> order_;  // of ranges_ by thread, start, and the longer first
    std::vector<Path> paths_{{0, TextId::none, 0, NvtxIndex::none}};
    std::unordered_map<std::uint64_t, std::uint32_t> known_paths_;  // by parent and text
    StringPool texts_;
};

/// The calls that launched kernels, by the number that these name.
template <class Number>
class LaunchCalls {
  public:
    struct Call {
        Number number;
        std::uint64_t thread;
        std::int64_t start;
        bool one_range = true;  ///< all calls of the number were made in the same range
    };

    void add(const Number& number, std::uint64_t thread, std::int64_t start) {
        calls_.push_back({number, thread, start});
    }
    /// After the last add() here and to the ranges.
    void settle(const ThreadRanges& ranges) {
        std::ranges::stable_sort(calls_, {}, &Call::number);
        auto end = calls_.begin();
        for (const Call& call : calls_) {
            if (end == calls_.begin() || std::prev(end)->number != call.number) {
                *end++ = call;
                continue;
            }
            Call& first = *std::prev(end);
            first.one_range = first.one_range && ranges.around(first.thread, first.start) ==
                                                     ranges.around(call.thread, call.start);
        }
        calls_.erase(end, calls_.end());
    }
    /// The first call of a number; null where there is none.
    [[nodiscard]] const Call* find(const Number& number) const {
        const auto found = std::ranges::lower_bound(calls_, number, {}, &Call::number);
        return found == calls_.end() || found->number != number ? nullptr : &*found;
    }

  private:
    std::vector<Call> calls_;
};

}  // namespace roofwalk
