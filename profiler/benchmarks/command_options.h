// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

namespace roofwalk::ceilings {

/// What the program is asked for.
struct CommandOptions {
    std::string device;  ///< UUID, a beginning of one, or number as nvidia-smi counts; empty: the first
    bool list = false;   ///< only name the devices
    std::string lock_folder = "/tmp";  ///< the same for all users
};

/// Absent when an argument is not known or lacks its value.
[[nodiscard]] std::optional<CommandOptions> read_command_options(std::span<const char* const> arguments);

/// Which of the devices is meant; absent when none or more than one is.
[[nodiscard]] std::optional<std::size_t> meant_device(const std::string& asked,
                                                      std::span<const std::string> uuids);

}  // namespace roofwalk::ceilings
