// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "profiler/wire/frame.h"
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

/// Makes frames in the buffer it is given: no allocation, no exception, no lock. One writer per stream.
class RecordWriter {
  public:
    explicit RecordWriter(std::span<std::byte> buffer) noexcept : buffer_(buffer) {}

    /// Another buffer from now on; the numbers of frames go on.
    void use(std::span<std::byte> buffer) noexcept { buffer_ = buffer; }

    /// The frame of `record`, in the buffer until the next call; empty when it does not fit there. The number
    /// of a frame that did not fit is spent, so that the reader misses it.
    template <class Record>
    [[nodiscard]] std::span<const std::byte> frame(const Record& record) noexcept {
        const std::uint64_t sequence = sequence_++;
        if (buffer_.size() < header_size) return {};
        const auto room = buffer_.subspan(header_size);
        FieldWriter fields(room.first(std::min(room.size(), longest_payload)));
        Record::each_field(record, fields);
        if (!fields.fits()) return {};
        const auto payload = room.first(fields.size());
        write_header(buffer_.first<header_size>(),
                     {wire_version, static_cast<std::uint16_t>(Record::kind),
                      static_cast<std::uint32_t>(payload.size()), checksum_of(payload), sequence});
        return buffer_.first(header_size + payload.size());
    }

    /// The last frame is not sent, and the reader is not to miss it.
    void take_back() noexcept { --sequence_; }

    /// Frames that were made, with those that did not fit.
    [[nodiscard]] std::uint64_t frames() const noexcept { return sequence_; }

  private:
    std::span<std::byte> buffer_;
    std::uint64_t sequence_ = 0;
};

}  // namespace roofwalk::wire
