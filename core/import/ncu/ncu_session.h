// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/ncu/ncu_value.h"

namespace roofwalk::ncu {

/// A device of the session list; attribute names carry the prefix `device__attribute_`, as metrics do.
struct SessionDevice {
    std::uint32_t id = 0;
    std::vector<std::pair<std::string_view, Value>> attributes;

    [[nodiscard]] const Value* find(std::string_view name) const;
};

/// What a report says about the whole run, gathered from the pieces in its block headers.
struct Session {
    std::optional<std::int64_t> created;  ///< Unix time [s]
    std::string command_line;
    std::string tool_version;            ///< "2025.1.1.0"; empty before 2020.3
    std::vector<SessionDevice> devices;  ///< each once, though every part of a merged report lists them

    /// Merges one piece: single values replace, lists grow, up to so many devices in all. Throws
    /// protozero::exception.
    void add_piece(std::string_view message, std::size_t most_devices);
    /// The device of that id; without an id the only one. May be null.
    [[nodiscard]] const SessionDevice* device(std::optional<double> id) const;

  private:
    std::set<std::string_view> device_messages_;  ///< those of `devices`
};

/// The most different devices of a report of so many bytes: a device with its attributes fills some 8 KiB
/// there, beside the kernels that ran on it.
[[nodiscard]] constexpr std::size_t most_session_devices(std::size_t file_size) {
    return 1024 + file_size / 16384;
}

}  // namespace roofwalk::ncu
