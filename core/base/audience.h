// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace roofwalk {

/// Who reads what can be done: each is told of its own means, options or menus and panels.
enum class Audience : std::uint8_t { commands, window };

}  // namespace roofwalk
