// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/import/live_profile_source.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/profile_session.h"

namespace roofwalk {

/// A session on a thread of its own, for a window.
class LiveSource : public LiveProfileSource {
  public:
    /// `warnings` stand before the problems of the session.
    explicit LiveSource(std::unique_ptr<RecordingSession> session, RecordingLog log = {},
                        std::vector<Error> warnings = {});
    ~LiveSource() override;

    /// A profile that is newer than the one before. When the recording is over: the last one, which may be
    /// read once; then an error (cancelled).
    Result<std::shared_ptr<const Profile>> read(const Progress& progress) override;

    RecordingStatus status() const override;
    std::string take_output() override;
    void stop() override;
    void cancel() override;

  private:
    enum class Wish { go_on, stop, cancel };

    void run(const std::stop_token& end);
    void publish(bool over);
    /// With the warnings, and with the name of the log where it has failed.
    [[nodiscard]] RecordingStatus status_now() const;

    std::unique_ptr<RecordingSession> session_;  ///< of the thread, as the next
    RecordingLog log_;
    std::vector<Error> warnings_;
    mutable std::mutex mutex_;
    std::condition_variable_any news_;
    std::shared_ptr<const Profile> profile_;  ///< not read yet; null: nothing new
    RecordingStatus status_;
    std::string output_;
    Wish wish_ = Wish::go_on;
    bool over_ = false;
    std::jthread thread_;
};

/// A StartRecording for a window: checks, prepares and starts a session, here, on another machine or with
/// Nsight Compute, on a thread of its own. `stop` ends the preparation.
[[nodiscard]] Result<std::unique_ptr<LiveProfileSource>> start_live_source(const ProfileRequest& request,
                                                                           const RecordingOptions& choices,
                                                                           std::string tool,
                                                                           const std::stop_token& stop = {});

}  // namespace roofwalk
