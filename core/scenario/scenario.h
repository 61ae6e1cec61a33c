// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/scenario/move.h"

namespace roofwalk {

/// More than anybody makes: a file with more is refused.
inline constexpr std::size_t most_moves = 100'000;

/// What-if moves in the order in which they are made. A value: undo keeps the one before.
struct Scenario {
    std::string name;
    std::vector<Move> moves;
    std::string unknown_members;  ///< of its JSON object, as JSON text

    friend bool operator==(const Scenario&, const Scenario&) = default;
};

}  // namespace roofwalk
