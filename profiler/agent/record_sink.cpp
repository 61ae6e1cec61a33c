// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/record_sink.h"

#include <cerrno>

#include "profiler/agent/clock.h"
#include "profiler/wire/send_bytes.h"

namespace roofwalk::agent {

void RecordSink::open(int socket) {
    const std::lock_guard lock(mutex_);
    socket_ = {};
    shared_ = false;
    if (!waiting_.open()) return;
    socket_ = GuardedDescriptor(socket);
    writer_ = wire::RecordWriter(buffer_);
    dropped_ = 0;
}

void RecordSink::close() {
    const std::lock_guard lock(mutex_);
    socket_ = {};
    waiting_.close();
}

bool RecordSink::is_open() const {
    const std::lock_guard lock(mutex_);
    return socket_.is_open();
}

bool RecordSink::is_shared() const {
    const std::lock_guard lock(mutex_);
    return shared_;
}

bool RecordSink::is_at_rest() const {
    return try_lock_for(mutex_).owns_lock();
}

bool RecordSink::has_waiting() const {
    const std::lock_guard lock(mutex_);
    return socket_.is_open() && waiting_.size() > 0;
}

std::uint64_t RecordSink::dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
}

void RecordSink::wake() const {
    if (waker_ != nullptr) waker_->wake();
}

std::size_t RecordSink::give(std::span<const std::byte> bytes) {
    const wire::SendResult sent = socket_.is_ours()
                                      ? wire::send_bytes(socket_.number(), bytes, waiting_.descriptor())
                                      : wire::SendResult{0, EBADF};
    if (sent.bytes == 0 && sent.error != EAGAIN && waiting_.descriptor() >= 0) {
        // Rules of the system may forbid to pass one on.
        waiting_.forget_descriptor();
        return give(bytes);
    }
    if (sent.bytes > 0 && waiting_.descriptor() >= 0) {
        shared_ = true;
        waiting_.forget_descriptor();
    }
    waiting_.passed(sent.bytes);
    if (sent.error != 0 && sent.error != EAGAIN) {
        socket_ = {};
        wake();
    }
    return sent.bytes;
}

bool RecordSink::pass_on(std::span<const std::byte> frame, Worth worth) {
    const bool nothing_waits = waiting_.size() == 0;
    if (!frame.empty() && nothing_waits) {
        frame = frame.subspan(give(frame));
        if (!socket_.is_open()) return false;
        if (frame.empty()) return true;
    }
    if (frame.empty() || (!nothing_waits && waiting_.size() + frame.size() > most_waiting)) {
        if (worth == Worth::none)
            writer_.take_back();
        else
            ++dropped_;
        waiting_.report_frames(writer_.frames());
        return false;
    }
    waiting_.report_frames(writer_.frames());
    waiting_.append(frame);
    if (nothing_waits) wake();
    return true;
}

bool RecordSink::drain() {
    const std::lock_guard lock(mutex_);
    while (socket_.is_open() && waiting_.size() > 0) {
        const auto part = waiting_.front();
        if (give(part) < part.size()) break;
    }
    return !socket_.is_open() || waiting_.size() == 0;
}

}  // namespace roofwalk::agent
