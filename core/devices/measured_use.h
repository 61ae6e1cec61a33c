// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/measured_ceilings.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Which devices get ceilings that were measured apart from their report.
struct MeasuredChoice {
    bool own_board = true;  ///< a device gets what was measured on that very board, found by its UUID
    /// UUID of a measured board: devices that name no UUID get what was measured on it where they may be of
    /// its model. Somebody has to ask for that: another board reaches other rates. Empty: none.
    std::string for_model;

    friend bool operator==(const MeasuredChoice&, const MeasuredChoice&) = default;
};

/// "own", "none", or the UUID of the board whose ceilings devices of its model get: what files hold.
[[nodiscard]] std::string text_of(const MeasuredChoice& choice);
[[nodiscard]] MeasuredChoice measured_choice_from(const std::string& text);

/// The measurements that hold today, and which devices get them.
struct MeasuredUse {
    std::vector<std::shared_ptr<const MeasuredCeilings>> known;  ///< of several of a board the last holds
    MeasuredChoice choice;

    friend bool operator==(const MeasuredUse&, const MeasuredUse&) = default;
};

/// What a device gets; null: nothing.
[[nodiscard]] const MeasuredCeilings* measured_for(const Device& device, const MeasuredUse& use);

/// AnalysisOptions::measured of a profile.
[[nodiscard]] std::map<std::string, CeilingSet> measured_sets(const Profile& profile, const MeasuredUse& use);

/// Puts what was measured before the other ceilings of the devices that get it, so that a profile that is
/// written carries it; what benchmarks found of the same targets before goes.
void merge_measured(Profile& profile, const MeasuredUse& use);

}  // namespace roofwalk
