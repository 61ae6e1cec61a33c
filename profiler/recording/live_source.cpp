// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/live_source.h"

#include <algorithm>
#include <utility>

#include "profiler/recording/agent_injection.h"
#include "profiler/recording/ncu_session.h"
#include "profiler/recording/remote_session.h"

namespace roofwalk {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds turn{50};
constexpr std::chrono::milliseconds between_profiles{250};
/// Of the thread's time that may go into profiles nobody may look at.
constexpr int share_of_copies = 10;
constexpr std::size_t most_output = std::size_t{4} << 20U;

Result<std::unique_ptr<RecordingSession>> start_session(const ProfileRequest& request,
                                                        const RecordingOptions& choices, std::string tool,
                                                        const RecordingLog& log,
                                                        const std::stop_token& stop) {
    if (request.with_ncu)
        return prepare_ncu(request, choices.despite_findings).and_then([](const LaunchPlan& plan) {
            return NcuSession::start(plan);
        });
    if (!request.launch.through.empty()) return RemoteSession::start(request);
    auto parts = prepare_session(request, choices, std::move(tool), log, stop);
    if (!parts) return tl::unexpected(parts.error());
    if (request.attach_to && request.inject)
        if (const auto waits = make_agent_wait(static_cast<pid_t>(*request.attach_to), injection_tools_here(),
                                               parts->agent, parts->cupti);
            !waits)
            return tl::unexpected(waits.error());
    // Whoever started the window has no terminal that the program should write to.
    parts->streams = ChildProcess::Streams::surviving;
    return ProfileSession::start(request, *std::move(parts));
}

}  // namespace

LiveSource::LiveSource(std::unique_ptr<RecordingSession> session, RecordingLog log,
                       std::vector<Error> warnings)
    : session_(std::move(session)),
      log_(std::move(log)),
      warnings_(std::move(warnings)),
      status_(status_now()),
      thread_([this](const std::stop_token& end) { run(end); }) {}

LiveSource::~LiveSource() {
    thread_.request_stop();
    thread_.join();
}

void LiveSource::run(const std::stop_token& end) {
    const OnChildText keep_output = [this](ChildStream, std::string_view text) {
        const std::lock_guard lock(mutex_);
        output_ += text;
        if (output_.size() > most_output) output_.erase(0, output_.size() - most_output);
    };
    std::uint64_t published = session_->revision();
    Clock::time_point next{};
    bool told_to_stop = false;
    while (!session_->over()) {
        Wish wish = Wish::go_on;
        {
            const std::lock_guard lock(mutex_);
            wish = std::exchange(wish_, Wish::go_on);
        }
        if (end.stop_requested() && !std::exchange(told_to_stop, true)) wish = Wish::cancel;
        if (wish == Wish::stop) session_->stop();
        if (wish == Wish::cancel) session_->cancel();
        session_->step(turn, keep_output);
        RecordingStatus now_status = status_now();
        {
            const std::lock_guard lock(mutex_);
            status_ = std::move(now_status);
        }
        if (session_->revision() == published || Clock::now() < next) continue;
        published = session_->revision();
        const auto before = Clock::now();
        publish(false);
        const auto now = Clock::now();
        next = now + std::max<Clock::duration>(between_profiles, share_of_copies * (now - before));
    }
    publish(true);
}

RecordingStatus LiveSource::status_now() const {
    RecordingStatus status = session_->status();
    status.problems.insert(status.problems.begin(), warnings_.begin(), warnings_.end());
    log_.follow(status);
    if (status.phase == RecordingPhase::failed)
        status.hint += (status.hint.empty() ? "" : " ") + log_.name_for_person();
    return status;
}

void LiveSource::publish(bool over) {
    auto profile = std::make_shared<const Profile>(session_->snapshot());
    RecordingStatus status = status_now();
    {
        const std::lock_guard lock(mutex_);
        profile_ = std::move(profile);
        status_ = std::move(status);
        over_ = over;
    }
    news_.notify_all();
}

Result<std::shared_ptr<const Profile>> LiveSource::read(const Progress& progress) {
    std::unique_lock lock(mutex_);
    news_.wait(lock, progress.stop, [this] { return profile_ != nullptr || over_; });
    if (profile_ != nullptr) return std::exchange(profile_, nullptr);
    return unexpected(ErrorCode::cancelled, over_ ? "The recording is over" : "Reading was cancelled");
}

RecordingStatus LiveSource::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

std::string LiveSource::take_output() {
    const std::lock_guard lock(mutex_);
    return std::exchange(output_, {});
}

void LiveSource::stop() {
    const std::lock_guard lock(mutex_);
    if (wish_ == Wish::go_on) wish_ = Wish::stop;
}

void LiveSource::cancel() {
    const std::lock_guard lock(mutex_);
    wish_ = Wish::cancel;
}

Result<std::unique_ptr<LiveProfileSource>> start_live_source(const ProfileRequest& request,
                                                             const RecordingOptions& choices,
                                                             std::string tool, const std::stop_token& stop) {
    const RecordingLog log = RecordingLog::begin(tool, request);
    auto session = start_session(request, choices, std::move(tool), log, stop);
    if (!session) return tl::unexpected(log.failed(session.error()));
    return std::make_unique<LiveSource>(*std::move(session), log, choices.warnings);
}

}  // namespace roofwalk
