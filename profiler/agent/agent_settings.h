// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace roofwalk::agent {

/// What the environment of the program says. Empty: not said.
struct AgentSettings {
    std::string socket;  ///< path of the collector's socket
    std::string cupti;   ///< path of the libcupti to load

    [[nodiscard]] static AgentSettings from_environment();
};

}  // namespace roofwalk::agent
