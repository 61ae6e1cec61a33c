// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

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

/// One record as a line of JSON. Numbers are the shortest text that reads back as the same double; what is no
/// finite number is left out.
class JsonLine {
  public:
    explicit JsonLine(std::string_view record) { text("record", record); }

    JsonLine& text(std::string_view name, std::string_view value);
    JsonLine& number(std::string_view name, double value);
    JsonLine& truth(std::string_view name, bool value);
    JsonLine& texts(std::string_view name, std::span<const std::string> values);

    /// With the new line at its end.
    [[nodiscard]] std::string line() const { return line_ + "}\n"; }

  private:
    void key(std::string_view name);
    void quoted(std::string_view value);

    std::string line_ = "{";
};

}  // namespace roofwalk::ceilings
