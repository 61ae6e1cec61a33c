// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <variant>

#include "profiler/wire/field_reader.h"
#include "profiler/wire/frame.h"

namespace roofwalk::wire {

using Record = std::variant<SessionStart, Device, MetricTable, KernelLaunch, LaunchCounts, Note, SessionEnd,
                            Orders, CounterPlan, PlansSent, WantPlan>;

struct ReadRecord {
    std::uint64_t offset = 0;    ///< of the frame in the stream [byte]
    std::uint64_t sequence = 0;  ///< of the frame
    std::uint64_t missing = 0;   ///< frames between the record before it and this one that never came
    Record record;
};

enum class DamageKind {
    cut,              ///< the stream ends inside a frame
    no_frame,         ///< these bytes are no header of a frame
    checksum,         ///< the payload is not what was written
    unknown_version,  ///< written by another release
    unknown_kind,
    malformed,  ///< fields that do not fill their payload, or a value that cannot be
};

/// Bytes of the stream that gave no record.
struct Damage {
    DamageKind kind = DamageKind::no_frame;
    std::uint64_t offset = 0;  ///< of the first of them in the stream [byte]
    std::uint64_t length = 0;  ///< [byte]

    friend bool operator==(const Damage&, const Damage&) = default;
};

using Reading = std::variant<ReadRecord, Damage>;

/// Finds records in bytes as they arrive. Behind damage it goes on with the next frame that is whole.
class RecordReader {
  public:
    void append(std::span<const std::byte> bytes) {
        if (at_ > buffer_.size() / 2) {
            buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_));
            before_ += at_;
            at_ = 0;
        }
        buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }

    /// No more bytes will come: what waits for the rest of its frame is damage.
    void finish() noexcept { finished_ = true; }

    /// The next record or damage; absent when more bytes are needed, or all is read. What a record refers to
    /// is valid until the next call of this object.
    [[nodiscard]] std::optional<Reading> next() {
        for (;;) {
            const auto rest = std::span<const std::byte>(buffer_).subspan(at_);
            if (rest.empty()) return finished_ ? take_damage() : std::nullopt;
            FrameHeader header;
            const Start start = look_at(rest, header);
            if (start == Start::needs_more && !finished_) return std::nullopt;
            if (start == Start::whole) {
                lists_ = {};
                ReadRecord found{before_ + at_, header.sequence, 0, {}};
                const auto fault = decode(header, rest.subspan(header_size, header.length), found.record);
                if (!fault) {
                    if (damage_) return take_damage();
                    at_ += header_size + header.length;
                    if (header.sequence > expected_) found.missing = header.sequence - expected_;
                    expected_ = header.sequence + 1;
                    return found;
                }
                skip_frame(*fault, header_size + header.length);
            } else {
                skip_to_magic(start == Start::needs_more ? DamageKind::cut : DamageKind::no_frame);
            }
        }
    }

    /// Bytes that came and are not read [byte].
    [[nodiscard]] std::size_t waiting() const noexcept { return buffer_.size() - at_; }

    /// Frames of the stream up to the last record, with those that never came.
    [[nodiscard]] std::uint64_t frames() const noexcept { return expected_; }

  private:
    enum class Start { whole, needs_more, no_header };

    [[nodiscard]] static Start look_at(std::span<const std::byte> bytes, FrameHeader& header) noexcept {
        const std::size_t known = std::min(bytes.size(), frame_magic.size());
        if (std::memcmp(bytes.data(), frame_magic.data(), known) != 0) return Start::no_header;
        if (bytes.size() < header_size) return Start::needs_more;
        if (!read_header(bytes.first<header_size>(), header)) return Start::no_header;
        return header.length <= bytes.size() - header_size ? Start::whole : Start::needs_more;
    }

    template <class Kind>
    [[nodiscard]] bool fill(std::span<const std::byte> payload, Record& record) {
        FieldReader fields(payload, lists_);
        Kind::each_field(record.emplace<Kind>(), fields);
        return fields.whole();
    }

    /// Why this is no record; absent when it is one.
    [[nodiscard]] std::optional<DamageKind> decode(const FrameHeader& header,
                                                   std::span<const std::byte> payload, Record& record) {
        if (checksum_of(payload) != header.checksum) return DamageKind::checksum;
        if (header.version != wire_version) return DamageKind::unknown_version;
        const auto filled = [&]() -> std::optional<bool> {
            switch (static_cast<RecordKind>(header.kind)) {
                case RecordKind::session_start:
                    return fill<SessionStart>(payload, record);
                case RecordKind::device:
                    return fill<Device>(payload, record);
                case RecordKind::metric_table:
                    return fill<MetricTable>(payload, record);
                case RecordKind::kernel_launch:
                    return fill<KernelLaunch>(payload, record);
                case RecordKind::launch_counts:
                    return fill<LaunchCounts>(payload, record);
                case RecordKind::note:
                    return fill<Note>(payload, record);
                case RecordKind::session_end:
                    return fill<SessionEnd>(payload, record);
                case RecordKind::orders:
                    return fill<Orders>(payload, record);
                case RecordKind::counter_plan:
                    return fill<CounterPlan>(payload, record);
                case RecordKind::plans_sent:
                    return fill<PlansSent>(payload, record);
                case RecordKind::want_plan:
                    return fill<WantPlan>(payload, record);
            }
            return std::nullopt;
        }();
        if (!filled) return DamageKind::unknown_kind;
        if (!*filled) return DamageKind::malformed;
        return std::nullopt;
    }

    /// Passes over a frame of `length` bytes, which has been looked at whole and is none. Another may stand
    /// inside of it, where bytes were lost, but not for ever: whoever writes headers into payloads alone
    /// would have each byte looked at thousands of times.
    void skip_frame(DamageKind kind, std::size_t length) {
        constexpr std::uint64_t most_in_vain = 2 * longest_payload;
        looked_at_in_vain_ += length;
        if (looked_at_in_vain_ > most_in_vain + (before_ + buffer_.size()) / 4) return skip(kind, length);
        skip_to_magic(kind);
    }

    /// Adds the byte here and those up to where a frame could start to the damage.
    void skip_to_magic(DamageKind kind) {
        const auto from = buffer_.begin() + static_cast<std::ptrdiff_t>(at_);
        const auto to = std::find(from + 1, buffer_.end(), std::byte{frame_magic.front()});
        skip(kind, static_cast<std::size_t>(to - from));
    }

    void skip(DamageKind kind, std::size_t bytes) {
        if (!damage_) damage_ = Damage{kind, before_ + at_, 0};
        damage_->length += bytes;
        at_ += bytes;
    }

    [[nodiscard]] std::optional<Reading> take_damage() {
        if (!damage_) return std::nullopt;
        return *std::exchange(damage_, std::nullopt);
    }

    std::vector<std::byte> buffer_;
    std::size_t at_ = 0;        ///< first byte of the buffer that is not read
    std::uint64_t before_ = 0;  ///< bytes of the stream before the buffer
    std::uint64_t expected_ = 0;
    std::uint64_t looked_at_in_vain_ = 0;  ///< of frames that are none [byte]
    bool finished_ = false;
    std::optional<Damage> damage_;  ///< grows until a whole frame is found
    ListStorage lists_;
};

}  // namespace roofwalk::wire
