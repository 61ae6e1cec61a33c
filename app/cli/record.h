// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/base/error.h"
#include "profiler/recording/prepare_session.h"
#include "profiler/recording/recording_log.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// What `profile` and `attach` have in common.
struct RecordOptions {
    ProfileRequest request;
    RecordingOptions choices;
    bool timing = false;
    bool until_input_ends = false;
    std::vector<std::string> except;  ///< empty: as LaunchFilter has it
};

void add_record_options(CLI::App& verb, RecordOptions& options);
/// The request as the options make it.
[[nodiscard]] ProfileRequest request_of(const RecordOptions& options);

/// Records until the session is over, and says on stderr how it went. Signals that end a program are given to
/// the program that was started; a process that we attached to is left. The exit code: that of the program
/// where it was started and is not 0, else ours.
[[nodiscard]] int record(const RecordOptions& options);

/// A log of what is to be recorded.
[[nodiscard]] RecordingLog begin_log(const ProfileRequest& request);
/// Says why nothing is recorded and where its log is. The exit code.
[[nodiscard]] int refuse_recording(const Error& error, const RecordingLog& log);

/// Says where the recording stands, and how to look at it.
void say_recorded_in(const std::string& file);

/// The same by Nsight Compute, into a report of its own. The exit code is that of ncu, else ours.
[[nodiscard]] int record_with_ncu(const RecordOptions& options);

}  // namespace roofwalk::cli
