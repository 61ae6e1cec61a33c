// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/profile.h"

/// Times that are cycles over a clock. Counting instructions makes a launch take many times longer, and its
/// cycles count that too.
namespace roofwalk {

/// Whether a derived time is beyond what the clock explains, beside a time of the same launch, or of one that
/// is alike, which is not of a pass that counted instructions.
[[nodiscard]] bool is_of_counting_pass(Seconds derived, Seconds other);

/// For readers: warns once of derived times of instrumented launches, which may be far too long.
void doubt_derived_times(Profile& profile);

/// By launch, whether its time stands and is doubted; empty where none is.
[[nodiscard]] std::vector<bool> doubted_times(const Profile& profile);

/// Takes such times out of a profile and warns of a contradiction: those that launches of the same kernel,
/// geometry and GPU deny, which were timed, or else, of one with counted work, have a derived time and none,
/// or else moved about as many bytes (these by the median). Of the same number in runs with as many, else the
/// longest. Where most of a kernel in a run are denied, so are the rest, but of a geometry that launches
/// alike confirm. Warns of those without counted work that only the bytes of others deny.
void refuse_derived_times(Profile& profile);

}  // namespace roofwalk
