// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/job.h"

namespace roofwalk {

namespace {
constexpr int poll_interval_ms = 40;
constexpr double not_reported = -1;
}  // namespace

Job::Job(QObject* parent) : QObject(parent), stop_(std::nostopstate) {
    // The worker only stores a number; asking for it here keeps every signal on this thread.
    connect(&poll_, &QTimer::timeout, this, [this] {
        const double share = share_->load();
        if (share != not_reported) emit progressed(share);
    });
    poll_.setInterval(poll_interval_ms);
}

Job::~Job() {
    stop_.request_stop();
}

Progress Job::begin() {
    stop_.request_stop();
    ++newest_;
    stop_ = std::stop_source();
    share_ = std::make_shared<std::atomic<double>>(not_reported);
    set_running(true);
    return {[share = share_](double value) { share->store(value); }, stop_.get_token()};
}

bool Job::finish(std::uint64_t ticket) {
    if (ticket != newest_) return false;
    set_running(false);
    return true;
}

void Job::drop() {
    stop_.request_stop();
    ++newest_;
    set_running(false);
}

void Job::cancel() {
    stop_.request_stop();
}

Error Job::out_of_memory() {
    return {ErrorCode::too_large,
            "There is not enough memory for this.",
            {},
            "Close other programs, or open a smaller file."};
}

void Job::set_running(bool running) {
    if (running)
        poll_.start();
    else
        poll_.stop();
    if (running == running_) return;
    running_ = running;
    emit running_changed(running);
}

}  // namespace roofwalk
