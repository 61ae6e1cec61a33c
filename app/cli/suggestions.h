// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/profile.h"
#include "core/operations/bound_operation.h"

namespace roofwalk::cli {

/// Says on stderr which operations kernels without one seem to carry out, with the numbers that speak for
/// each and the --bind that accepts it.
void say_suggestions(const Profile& profile, const LaunchOperations& operations);

}  // namespace roofwalk::cli
