// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "profiler/agent/guarded_descriptor.h"
#include "profiler/wire/backlog.h"
#include "profiler/wire/frame.h"
#include "profiler/wire/record.h"
#include "profiler/wire/record_writer.h"

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

/// Sends records to the collector from any thread, and never waits for it: what its socket does not take at
/// once stands, up to a bound, in memory that the collector shares, so that it has it when this process is
/// killed. What is beyond the bound is dropped and counted.
class RecordSink {
  public:
    /// What a record is worth that is dropped.
    enum class Worth { is_missed, none };

    static constexpr std::size_t most_waiting = std::size_t{8} << 20U;  ///< [byte]

    RecordSink() = default;
    RecordSink(const RecordSink&) = delete;
    RecordSink& operator=(const RecordSink&) = delete;

    /// A new stream over `socket`, which stays the caller's. Stays closed where there is no memory for what
    /// would have to wait.
    void open(int socket);
    void close();

    /// False when the record was not sent and will not be. One of no worth is not counted then.
    template <class Record>
    bool send(const Record& record, Worth worth = Worth::is_missed) {
        const std::lock_guard lock(mutex_);
        if (!socket_.is_open()) return false;
        const std::size_t room = room_for(record);
        if (buffer_.size() < room) {
            buffer_.resize(room);
            writer_.use(buffer_);
        }
        return pass_on(writer_.frame(record), worth);
    }

    /// Whether the collector has been given the memory: what stands there is not lost with this process.
    [[nodiscard]] bool is_shared() const;

    /// Sends what stands in memory, as far as the socket takes it; true when nothing is left.
    bool drain();

    [[nodiscard]] bool is_open() const;
    [[nodiscard]] bool is_at_rest() const;  ///< no thread is in the midst of it, after a moment of waiting
    [[nodiscard]] bool has_waiting() const;
    [[nodiscard]] std::uint64_t dropped() const;  ///< records that are missed, since open()

    /// Is woken when something starts to stand in memory, or the collector is lost.
    void notify(Waker& waker) { waker_ = &waker; }

  private:
    bool pass_on(std::span<const std::byte> frame, Worth worth);
    [[nodiscard]] std::size_t give(std::span<const std::byte> bytes);
    void wake() const;

    mutable std::mutex mutex_;
    GuardedDescriptor socket_;
    Waker* waker_ = nullptr;
    std::vector<std::byte> buffer_;
    wire::Backlog waiting_;
    bool shared_ = false;
    std::uint64_t dropped_ = 0;
    wire::RecordWriter writer_{{}};
};

}  // namespace roofwalk::agent
