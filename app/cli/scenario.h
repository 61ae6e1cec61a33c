// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "app/cli/view_arguments.h"

namespace roofwalk::cli {

/// Says that a session among the files has moves and that they are not made: "2 moves of walk.roofwalk are
/// left out: `instead`."
void say_moves_left_out(const NamedFiles& files, std::string_view instead);

/// A scenario file, or the scenario of a session; a pipe will do.
[[nodiscard]] Result<Scenario> read_scenario_file(const std::string& file);
/// Names the moves that are on and cannot be made on stderr, with the cure.
void say_unused_moves(const WhatIf& what_if);
/// An error (bad_argument) when a scenario has moves that are on and none of them can be made.
[[nodiscard]] Result<void> check_made(const WhatIf& what_if, const std::string& file);

}  // namespace roofwalk::cli
