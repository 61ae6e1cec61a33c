// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

#include "core/ceilings/measured_ceilings.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Gives devices of the profile the ceilings that were measured on those very boards, found by their UUID; a
/// device that names none gets nothing. Of several measurements of a board the last one given holds. How many
/// devices got some.
std::size_t add_measured(Profile& profile, std::span<const MeasuredCeilings> measured);

/// The same because somebody asked for it: devices without a UUID get the ceilings too where they may be of
/// the same model. A device with another UUID gets nothing: another board reaches other rates.
std::size_t add_measured_on_request(Profile& profile, const MeasuredCeilings& measured);

}  // namespace roofwalk
