// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/past_moves.h"

#include <algorithm>

#include "core/scenario/preset_rules.h"

namespace roofwalk {

void PastMoves::add(const Move& move) {
    if (move.preset.empty()) return;
    preset_rules::narrow_as(move, stored_);
    const auto known = std::ranges::find(factors_, move.preset, &PresetFactors::preset);
    if (known == factors_.end()) {
        factors_.push_back({move.preset, move.bytes});
        return;
    }
    for (const MemoryLevel level : all_levels)
        known->bytes[level] = bounded_factor(known->bytes[level] * move.bytes[level]);
}

double PastMoves::left_by(std::string_view preset, MemoryLevel level) const {
    const auto known = std::ranges::find(factors_, preset, &PresetFactors::preset);
    return known == factors_.end() ? 1 : known->bytes[level];
}

}  // namespace roofwalk
