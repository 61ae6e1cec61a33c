// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/roofline/analysis.h"

namespace roofwalk::cli {

/// Says on stderr which quantities were not measured, for how many kernels, and where the work is of a kind
/// that the options do not count. Returns whether anything was not measured.
bool say_missing_quantities(const Profile& profile, const Analysis& analysis);
/// The same, with what to look at first and the command that collects them, or why none does.
void say_missing(const Profile& profile, const Analysis& analysis);

}  // namespace roofwalk::cli
