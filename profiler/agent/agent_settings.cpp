// SPDX-License-Identifier: Apache-2.0
#include "profiler/agent/agent_settings.h"

#include <cstdlib>

#include "profiler/wire/agent_environment.h"

namespace roofwalk::agent {

AgentSettings AgentSettings::from_environment() {
    const auto text_of = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    return {text_of(wire::agent_socket_variable), text_of(wire::agent_cupti_variable)};
}

}  // namespace roofwalk::agent
