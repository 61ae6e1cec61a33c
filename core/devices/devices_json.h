// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace roofwalk {

/// The text of `resources/devices.json`, built into the program.
[[nodiscard]] std::string_view devices_json();

}  // namespace roofwalk
