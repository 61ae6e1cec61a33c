// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/import/live_profile_source.h"
#include "core/import/profile_request.h"

namespace roofwalk {

/// Where the logs of this user's recordings stand, whether or not the folder is there; absent where the user
/// has no folder for such files.
[[nodiscard]] std::optional<std::filesystem::path> recording_log_folder();

/// The log of the last recording; absent where there is none.
[[nodiscard]] std::optional<std::filesystem::path> last_recording_log();

/// What one recording went through, in a file that a person can send: versions, what this machine has, plans,
/// agents, what failed. It holds no value of an environment variable and no argument of the program. The
/// lines go to the sinks of spdlog's default logger too. Copies write the same log.
class RecordingLog {
  public:
    /// Writes nothing.
    RecordingLog() = default;

    /// A new log, in the folder of this user's logs, of which the last few are kept. Where no file can be
    /// made there, the lines go to the default logger alone. `tool` names this program.
    [[nodiscard]] static RecordingLog begin(std::string_view tool, const ProfileRequest& request);

    void info(std::string_view line) const;
    void error(const Error& error) const;
    /// How the recording stands, where that is new.
    void follow(const RecordingStatus& status) const;

    /// Empty where there is no file.
    [[nodiscard]] std::filesystem::path path() const;
    /// "The log of this recording is FILE."; empty where there is no file.
    [[nodiscard]] std::string name_for_person() const;
    /// Writes down what ends the recording; the same with the name of the log in its hint.
    [[nodiscard]] Error failed(Error ending) const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace roofwalk
