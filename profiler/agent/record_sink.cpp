// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/record_sink.h"

#include <sys/eventfd.h>
#include <sys/stat.h>

#include <cerrno>

#include "profiler/agent/patience.h"
#include "profiler/wire/send_bytes.h"

namespace roofwalk::agent {

void RecordSink::open(int socket) {
    const std::lock_guard lock(mutex_);
    struct stat status {};
    if (fstat(socket, &status) != 0) return;
    socket_ = socket;
    device_ = status.st_dev;
    inode_ = status.st_ino;
    writer_ = wire::RecordWriter(buffer_);
    waiting_.clear();
    sent_of_waiting_ = 0;
    dropped_ = 0;
}

void RecordSink::close() {
    const std::lock_guard lock(mutex_);
    socket_ = -1;
}

bool RecordSink::is_open() const {
    const std::lock_guard lock(mutex_);
    return socket_ >= 0;
}

bool RecordSink::is_at_rest() const {
    return can_be_had(mutex_);
}

bool RecordSink::has_waiting() const {
    const std::lock_guard lock(mutex_);
    return socket_ >= 0 && sent_of_waiting_ < waiting_.size();
}

std::uint64_t RecordSink::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

bool RecordSink::is_still_ours() const {
    struct stat status {};
    return fstat(socket_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

void RecordSink::wake() const {
    if (event_counter_ >= 0) static_cast<void>(eventfd_write(event_counter_, 1));
}

std::size_t RecordSink::give(std::span<const std::byte> bytes) {
    // A program may close every descriptor it does not know, and then open a file of its own under this
    // number.
    const wire::Sent sent = is_still_ours() ? wire::send_bytes(socket_, bytes) : wire::Sent{0, EBADF};
    if (sent.error != 0 && sent.error != EAGAIN && sent.error != EWOULDBLOCK) {
        socket_ = -1;
        wake();
    }
    return sent.bytes;
}

bool RecordSink::pass_on(std::span<const std::byte> frame, Worth worth) {
    const bool nothing_waits = sent_of_waiting_ == waiting_.size();
    if (!frame.empty() && nothing_waits) {
        frame = frame.subspan(give(frame));
        if (socket_ < 0) return false;
        if (frame.empty()) return true;
    }
    if (frame.empty() ||
        (!nothing_waits && waiting_.size() - sent_of_waiting_ + frame.size() > most_waiting)) {
        if (worth == Worth::none)
            writer_.take_back();
        else
            ++dropped_;
        return false;
    }
    if (sent_of_waiting_ > waiting_.size() / 2) {
        waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(sent_of_waiting_));
        sent_of_waiting_ = 0;
    }
    waiting_.insert(waiting_.end(), frame.begin(), frame.end());
    if (nothing_waits) wake();
    return true;
}

bool RecordSink::drain() {
    const std::lock_guard lock(mutex_);
    if (socket_ < 0) return true;
    const auto rest = std::span<const std::byte>(waiting_).subspan(sent_of_waiting_);
    if (!rest.empty()) sent_of_waiting_ += give(rest);
    if (sent_of_waiting_ < waiting_.size()) return socket_ < 0;
    waiting_.clear();
    sent_of_waiting_ = 0;
    return true;
}

}  // namespace roofwalk::agent
