// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "profiler/recording/prepare_session.h"

namespace CLI {
class App;
}

namespace roofwalk::cli {

/// What `profile` and `attach` have in common.
struct RecordOptions {
    ProfileRequest request;
    SessionChoices choices;
    bool timing = false;
    bool until_input_ends = false;
    std::vector<std::string> except;  ///< empty: as LaunchFilter has it
};

void add_record_options(CLI::App& verb, RecordOptions& options);
/// The request as the options make it.
[[nodiscard]] ProfileRequest request_of(const RecordOptions& options);

}  // namespace roofwalk::cli
