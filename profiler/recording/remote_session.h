// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/import/json/recording_reader.h"
#include "core/import/profile_request.h"
#include "core/model/recording_parts.h"
#include "profiler/recording/recording_files.h"
#include "profiler/recording/recording_session.h"

namespace roofwalk {

/// The words that run roofwalk-cli on another machine and write its recording to standard output:
/// `ssh node roofwalk-cli profile -o - ... -- ./app`. Where `through` ends with a program named roofwalk-cli,
/// that one is run. Behind each word named ssh the rest passes one more shell, and is quoted for it.
[[nodiscard]] std::vector<std::string> remote_command(const ProfileRequest& request);

struct RemoteLimits {
    std::chrono::milliseconds silence_limit{10'000};  ///< until a person is told what it may wait for
    std::chrono::milliseconds drain{15'000};          ///< for what is on its way after the stop
    std::size_t line{std::size_t{16} << 20U};         ///< longest one that is taken [byte]
};

/// A recording by roofwalk-cli on another machine, which a command such as `ssh node` starts there: its
/// recording comes through standard output, and the end of its standard input stops it.
class RemoteSession : public RecordingSession {
  public:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] static Result<std::unique_ptr<RemoteSession>> start(const ProfileRequest& request,
                                                                      const RemoteLimits& limits = {});

    void step(std::chrono::milliseconds limit, const OnChildText& on_text) override;
    void stop() override;
    void cancel() override;
    [[nodiscard]] bool over() const override { return status_.over(); }
    [[nodiscard]] RecordingStatus status() const override;
    [[nodiscard]] Profile snapshot() const override;
    [[nodiscard]] std::uint64_t revision() const override { return revision_; }

  private:
    RemoteSession(ChildProcess child, RecordingFiles files, std::string command, const std::string& program,
                  const RemoteLimits& limits);
    void take(std::string_view text, const OnChildText& on_text);
    void take_line(std::string_view line, const OnChildText& on_text);
    void keep(const RecordingPart& part);
    [[nodiscard]] RecordingReader* reader_of(std::size_t part);
    void begin();
    [[nodiscard]] bool all_ended() const;
    void refuse();
    void tell_of_waiting();
    void keep_words(std::string_view text);
    void add_problem(Error problem);
    void finish(const ChildEnd& end);
    void finish_without_recording(const ChildEnd& end, const std::string& quoted);
    [[nodiscard]] std::string last_words() const;

    ChildProcess child_;
    RecordingFiles files_;
    std::string command_;  ///< that reaches the other machine, for people
    RemoteLimits limits_;
    std::string program_;
    std::vector<std::unique_ptr<RecordingReader>>
        parts_;  ///< one for each process; the first is always there
    Clock::time_point start_ = Clock::now();
    std::optional<Clock::time_point> stopped_;
    RecordingStatus status_;
    std::string line_;              ///< start of the next
    bool leaves_line_out_ = false;  ///< it is too long
    std::string words_;             ///< the last that came on standard error
    std::uint64_t revision_ = 0;
    bool unreadable_ = false;
    bool cancelled_ = false;
};

}  // namespace roofwalk
