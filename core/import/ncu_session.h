// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/ncu_value.h"

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
    std::string tool_version;  ///< "2025.1.1.0"; empty before 2020.3
    std::vector<SessionDevice> devices;

    /// Merges one piece: single values replace, lists grow. Throws protozero::exception.
    void add_piece(std::string_view message);
    /// The device of that id; without an id the only one. May be null.
    [[nodiscard]] const SessionDevice* device(std::optional<double> id) const;
};

}  // namespace roofwalk::ncu
