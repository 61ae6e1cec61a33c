// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "profiler/wire/frame.h"
#include "profiler/wire/record.h"

namespace roofwalk::wire {

/// Where the entries of the lists of one record stand while it is looked at.
struct ListStorage {
    std::vector<std::vector<std::string_view>> texts;
    std::vector<MetricValue> values;
};

/// Takes fields out of a payload. Every length is compared with what is left before it is used.
class FieldReader {
  public:
    FieldReader(std::span<const std::byte> payload, ListStorage& lists) : rest_(payload), lists_(lists) {}

    template <class... Field>
    void operator()(Field&... field) {
        (get(field), ...);
    }

    /// Every field was there, every value is one that can be, and nothing is left over.
    [[nodiscard]] bool whole() const noexcept { return good_ && rest_.empty(); }

  private:
    /// `count` bytes, or none when there are fewer.
    std::span<const std::byte> take(std::size_t count) noexcept {
        if (!good_ || count > rest_.size()) {
            good_ = false;
            return {};
        }
        const auto taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }

    /// A number of things that need at least `smallest` bytes each.
    std::size_t get_count(std::size_t smallest, std::size_t most) noexcept {
        std::uint32_t count = 0;
        get(count);
        if (count > most || count > rest_.size() / smallest) good_ = false;
        return good_ ? count : 0;
    }

    template <class T>
    requires std::is_arithmetic_v<T>
    void get(T& value) noexcept {
        const auto bytes = take(sizeof(value));
        if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof(value));
    }

    void get(bool& value) noexcept {
        std::uint8_t number = 0;
        get(number);
        if (number > 1) good_ = false;
        value = number == 1;
    }

    template <class T>
    requires std::is_enum_v<T>
    void get_enum(T& value, T last) noexcept {
        std::underlying_type_t<T> number{};
        get(number);
        if (number > static_cast<std::underlying_type_t<T>>(last))
            good_ = false;
        else
            value = static_cast<T>(number);
    }

    void get(LaunchStatus& status) noexcept { get_enum(status, LaunchStatus::awaited); }
    void get(NoteLevel& level) noexcept { get_enum(level, NoteLevel::error); }
    void get(Replay& replay) noexcept { get_enum(replay, Replay::always); }

    template <class T>
    void get(std::optional<T>& value) {
        bool present = false;
        get(present);
        value.reset();
        if (present) get(value.emplace());
    }

    void get(std::array<std::uint8_t, 16>& bytes) noexcept {
        const auto taken = take(bytes.size());
        if (!taken.empty()) std::memcpy(bytes.data(), taken.data(), taken.size());
    }

    void get(Extent& extent) noexcept { (*this)(extent.x, extent.y, extent.z); }

    void get(MetricValue& value) noexcept { (*this)(value.metric, value.value); }

    void get(Text& text) noexcept {
        const auto bytes = take(get_count(1, longest_text));
        text = bytes.empty() ? Text() : Text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }

    void get(Image& image) noexcept { image = take(get_count(1, rest_.size())); }

    void get(TextList& list) {
        std::vector<std::string_view> texts(get_count(sizeof(std::uint32_t), longest_list));
        for (std::string_view& text : texts)
            get(text);
        list = lists_.texts.emplace_back(std::move(texts));
    }

    void get(std::span<const MetricValue>& list) {
        lists_.values.assign(get_count(sizeof(std::uint32_t) + sizeof(double), longest_list), {});
        for (MetricValue& value : lists_.values)
            get(value);
        list = lists_.values;
    }

    std::span<const std::byte> rest_;
    ListStorage& lists_;
    bool good_ = true;
};

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
