// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <vector>

#include "profiler/wire/frame.h"

/// What of a stream its socket has not taken yet, in memory that the reader is given too: when the writer is
/// killed, it reads the rest there. Bytes are counted from the start of the stream, so that a reader that
/// knows how many came through the socket knows which follow.
namespace roofwalk::wire {

/// Stands at the start of that memory.
struct BacklogHead {
    std::atomic<std::uint64_t> end{0};     ///< of what was put there, in the stream [byte]
    std::atomic<std::uint64_t> frames{0};  ///< that were made by then, with those that were dropped
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "the other process has another lock");

inline constexpr std::size_t backlog_head_size = 4096;  ///< [byte], a page
/// A frame of any length finds room where nothing waits [byte].
inline constexpr std::size_t backlog_room = longest_payload + 4096;
inline constexpr std::size_t backlog_size = backlog_head_size + backlog_room;  ///< [byte]

/// The writer's side. Leaves errno as it likes, and allocates nothing but its memory.
class Backlog {
  public:
    Backlog() = default;
    Backlog(const Backlog&) = delete;
    Backlog& operator=(const Backlog&) = delete;
    ~Backlog() { close(); }

    /// New memory for a new stream; false when there is none. Where it cannot be shared it is of this process
    /// alone, and there is no descriptor.
    [[nodiscard]] bool open() noexcept {
        close();
        descriptor_ = make_shared_memory();
        const int sharing = descriptor_ < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
        void* const memory = mmap(nullptr, backlog_size, PROT_READ | PROT_WRITE, sharing, descriptor_, 0);
        if (memory == MAP_FAILED) {
            forget_descriptor();
            return false;
        }
        head_ = new (memory) BacklogHead;
        begin_ = end_ = 0;
        return true;
    }
    void close() noexcept {
        forget_descriptor();
        if (head_ != nullptr) munmap(head_, backlog_size);
        head_ = nullptr;
    }

    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(end_ - begin_); }

    /// What the reader is to have; -1 when it has it, or when there is none.
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
    void forget_descriptor() noexcept {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = -1;
    }

    /// Of what waits, the first bytes that stand in one piece.
    [[nodiscard]] std::span<const std::byte> front() const noexcept {
        const std::size_t at = place_of(begin_);
        return {bytes() + at, std::min(size(), backlog_room - at)};
    }

    /// The socket took so many more bytes of the stream: of those that wait, or where none does, others.
    void passed(std::size_t count) noexcept {
        begin_ += count;
        end_ = std::max(begin_, end_);
    }

    /// Needs `count` bytes of room beside what waits.
    void append(std::span<const std::byte> more) noexcept {
        const std::size_t at = place_of(end_);
        const std::size_t before_wrap = std::min(more.size(), backlog_room - at);
        std::memcpy(bytes() + at, more.data(), before_wrap);
        std::memcpy(bytes(), more.data() + before_wrap, more.size() - before_wrap);
        end_ += more.size();
        // Last: a writer that is killed before has not put it there.
        head_->end.store(end_, std::memory_order_release);
    }

    /// So many frames have been made: a reader that finds fewer misses the others.
    void report_frames(std::uint64_t frames) noexcept {
        head_->frames.store(frames, std::memory_order_release);
    }

  private:
    static constexpr int lowest_descriptor = 200;  ///< programs count on the low ones

    [[nodiscard]] static int make_shared_memory() noexcept {
        // A file beyond what the process may write would raise a signal in a program that knows nothing of
        // it.
        rlimit longest{};
        if (getrlimit(RLIMIT_FSIZE, &longest) != 0 || longest.rlim_cur < backlog_size) return -1;
        const int low = memfd_create("roofwalk", MFD_CLOEXEC);
        if (low < 0) return -1;
        const int made = fcntl(low, F_DUPFD_CLOEXEC, lowest_descriptor);
        ::close(low);
        // Pages that the system cannot give later would end the program when they are first written.
        if (made < 0 || fallocate(made, 0, 0, backlog_size) == 0) return made;
        ::close(made);
        return -1;
    }
    [[nodiscard]] static std::size_t place_of(std::uint64_t offset) noexcept {
        return static_cast<std::size_t>(offset % backlog_room);
    }
    [[nodiscard]] std::byte* bytes() const noexcept {
        return reinterpret_cast<std::byte*>(head_) + backlog_head_size;
    }

    BacklogHead* head_ = nullptr;
    int descriptor_ = -1;
    std::uint64_t begin_ = 0;  ///< of what waits, in the stream [byte]
    std::uint64_t end_ = 0;
};

/// What a writer that is gone left behind.
struct BacklogContent {
    std::vector<std::byte> bytes;  ///< of the stream, behind those that came through the socket
    std::uint64_t frames = 0;      ///< as Backlog::report_frames() said last
};

/// The reader's side, which believes nothing of the writer's: the memory is read like a file, and what cannot
/// be is empty. `received` bytes came through the socket.
[[nodiscard]] inline BacklogContent read_backlog(int descriptor, std::uint64_t received) {
    const auto read_at = [&](std::span<std::byte> room, std::size_t at) {
        return pread(descriptor, room.data(), room.size(), static_cast<off_t>(at)) ==
               static_cast<ssize_t>(room.size());
    };
    std::array<std::uint64_t, 2> head{};
    static_assert(sizeof(head) == sizeof(BacklogHead));
    if (!read_at(std::as_writable_bytes(std::span(head)), 0)) return {};
    BacklogContent left{{}, head[1]};
    if (head[0] <= received || head[0] - received > backlog_room) return left;
    left.bytes.resize(static_cast<std::size_t>(head[0] - received));
    const auto at = static_cast<std::size_t>(received % backlog_room);
    const std::size_t before_wrap = std::min(left.bytes.size(), backlog_room - at);
    const auto room = std::span(left.bytes);
    if (!read_at(room.first(before_wrap), backlog_head_size + at) ||
        !read_at(room.subspan(before_wrap), backlog_head_size))
        left.bytes.clear();
    return left;
}

}  // namespace roofwalk::wire
