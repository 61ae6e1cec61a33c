// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/source/profile_request.h"
#include "profiler/session/recording_files.h"
#include "profiler/session/recording_session.h"

namespace roofwalk {

/// A recording by roofwalk-cli on another machine, which a command such as `ssh node` starts there: its
/// recording comes through standard output, and the end of its standard input stops it.
class RemoteSession : public RecordingSession {
  public:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] static Result<std::unique_ptr<RemoteSession>> start(const ProfileRequest& request);

    void step(std::chrono::milliseconds limit, const OnChildText& on_text) override;
    void stop() override;
    void cancel() override;
    [[nodiscard]] bool over() const override { return status_.over(); }
    [[nodiscard]] RecordingStatus status() const override;
    [[nodiscard]] Profile snapshot() const override;
    [[nodiscard]] std::uint64_t revision() const override { return revision_; }

  private:
    RemoteSession(ChildProcess child, RecordingFiles files, std::string command);
    void take(std::string_view text, const OnChildText& on_text);
    void take_line(std::string_view line, const OnChildText& on_text);
    void keep_words(std::string_view text);
    void finish(const ChildEnd& end);
    [[nodiscard]] std::string last_words() const;

    ChildProcess child_;
    RecordingFiles files_;
    std::string command_;  ///< that reaches the other machine, for people
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> stopped_;
    RecordingStatus status_;
    std::string lines_;       ///< of the recording, whole ones
    std::string unfinished_;  ///< start of the next
    std::string words_;       ///< the last that came on standard error
    std::uint64_t launches_ = 0;
    std::uint64_t revision_ = 0;
    bool cancelled_ = false;
};

}  // namespace roofwalk
