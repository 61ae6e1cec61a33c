// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "profiler/wire/record.h"

namespace roofwalk::wire {

/// Puts fields into the room it is given, one behind the other, and notices when they do not fit.
class FieldWriter {
  public:
    explicit FieldWriter(std::span<std::byte> room) noexcept : room_(room) {}

    template <class... Field>
    void operator()(const Field&... field) noexcept {
        (put(field), ...);
    }

    [[nodiscard]] bool fits() const noexcept { return fits_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

  private:
    void put_bytes(const void* bytes, std::size_t count) noexcept {
        if (!fits_ || count > room_.size() - size_) {
            fits_ = false;
            return;
        }
        if (count > 0) std::memcpy(room_.data() + size_, bytes, count);
        size_ += count;
    }

    void put_count(std::size_t count) noexcept { put(static_cast<std::uint32_t>(count)); }

    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void put(const T& value) noexcept { put_bytes(&value, sizeof(value)); }

    template <class T>
    void put(const std::optional<T>& value) noexcept {
        put(static_cast<std::uint8_t>(value.has_value()));
        if (value) put(*value);
    }

    void put(const std::array<std::uint8_t, 16>& bytes) noexcept { put_bytes(bytes.data(), bytes.size()); }

    void put(const Extent& extent) noexcept { (*this)(extent.x, extent.y, extent.z); }

    void put(const MetricValue& value) noexcept { (*this)(value.metric, value.value); }

    void put(Text text) noexcept {
        std::size_t length = std::min(text.size(), longest_text);
        const auto inside_a_letter = [&] {
            return (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U;
        };
        while (length > 0 && length < text.size() && inside_a_letter())
            --length;
        put_count(length);
        put_bytes(text.data(), length);
    }

    void put(Image image) noexcept {
        if (image.size() > room_.size()) {
            fits_ = false;
            return;
        }
        put_count(image.size());
        put_bytes(image.data(), image.size());
    }

    template <class T>
    void put(std::span<const T> list) noexcept {
        const auto kept = list.first(std::min(list.size(), longest_list));
        put_count(kept.size());
        for (const T& entry : kept)
            put(entry);
    }

    std::span<std::byte> room_;
    std::size_t size_ = 0;
    bool fits_ = true;
};

}  // namespace roofwalk::wire
