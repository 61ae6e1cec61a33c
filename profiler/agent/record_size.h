// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "profiler/wire/frame.h"
#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// Adds up how much room fields may need at most.
class FieldSizes {
  public:
    template <class... Field>
    void operator()(const Field&... field) noexcept {
        ((size_ += most(field)), ...);
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

  private:
    static constexpr std::size_t small = 32;  ///< more than any number, absent or not

    template <class T>
    static std::size_t most(const T&) noexcept {
        return small;
    }
    static std::size_t most(wire::Text text) noexcept { return small + text.size(); }
    static std::size_t most(wire::Image image) noexcept { return small + image.size(); }
    static std::size_t most(std::span<const wire::MetricValue> values) noexcept {
        return small + values.size_bytes();
    }
    static std::size_t most(wire::TextList list) noexcept {
        std::size_t sum = small;
        for (const wire::Text text : list)
            sum += most(text);
        return sum;
    }

    std::size_t size_ = 0;
};

/// A buffer of so many bytes holds the frame of `record`.
template <class Record>
[[nodiscard]] std::size_t room_for(const Record& record) noexcept {
    FieldSizes sizes;
    Record::each_field(record, sizes);
    return wire::header_size + sizes.size();
}

}  // namespace roofwalk::agent
