// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profiler/wire/record.h"

namespace roofwalk::agent {

/// What a record of this process refers to.
struct SessionFacts {
    std::string host;
    std::string directory;
    std::string command_bytes;  ///< arguments, each with a zero behind it
    std::vector<std::string> ranks;

    [[nodiscard]] static SessionFacts of_this_process();

    [[nodiscard]] std::vector<std::string_view> command() const;
};

}  // namespace roofwalk::agent
