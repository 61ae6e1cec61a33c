// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "profiler/wire/field_writer.h"
#include "profiler/wire/frame.h"

namespace roofwalk::wire {

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
