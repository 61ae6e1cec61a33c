// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/base/units.h"
#include "core/import/profile_request.h"
#include "core/model/profile.h"
#include "core/model/recording_parts.h"

namespace roofwalk {

/// Something that yields profiles: a file that is read once, or a program that runs and yields again and
/// again. The window knows this interface only; what stands behind it is handed in by `app/`.
class ProfileSource {
  public:
    ProfileSource() = default;
    ProfileSource(const ProfileSource&) = delete;
    ProfileSource& operator=(const ProfileSource&) = delete;
    virtual ~ProfileSource() = default;

    /// Called on a worker thread. Returns the newest profile; blocks until there is one.
    [[nodiscard]] virtual Result<std::shared_ptr<const Profile>> read(const Progress& progress) = 0;
};

enum class RecordingPhase : std::uint8_t {
    starting,  ///< the program is being started, or its agent called
    waiting,   ///< for the agent in the program
    running,   ///< launches are recorded
    draining,  ///< what was recorded is still coming in
    ended,     ///< in order, or by the program's own end
    failed,    ///< nothing could be recorded
};

/// How a recording stands.
struct RecordingStatus {
    RecordingPhase phase = RecordingPhase::starting;
    std::string sentence;  ///< for people: what is going on, or how it ended
    std::string hint;      ///< what a person can do; may be empty
    Seconds elapsed;
    std::uint32_t processes = 0;  ///< that have told of themselves
    RecordingCounts counts;       ///< of all processes together
    std::vector<Error> problems;
    std::vector<std::string> files;  ///< that are written

    [[nodiscard]] bool over() const {
        return phase == RecordingPhase::ended || phase == RecordingPhase::failed;
    }
};

/// A program that runs, and the profile of what it has launched so far. All but read() may be called from any
/// thread and returns at once.
class LiveProfileSource : public ProfileSource {
  public:
    [[nodiscard]] virtual RecordingStatus status() const = 0;
    /// What the program has written since the last call.
    [[nodiscard]] virtual std::string take_output() = 0;
    /// No more launches: what is on its way is kept, and a program that was started here is ended.
    virtual void stop() = 0;
    /// As stop(), at once and whatever is on its way.
    virtual void cancel() = 0;
};

/// Starts a recording; an error says why it cannot be, before anything was started: also that it was stopped.
using StartRecording = std::function<Result<std::unique_ptr<LiveProfileSource>>(const ProfileRequest& request,
                                                                                const std::stop_token& stop)>;

}  // namespace roofwalk
