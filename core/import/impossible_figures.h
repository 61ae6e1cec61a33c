// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/profile.h"

namespace roofwalk {

/// Whether a launch can take that long: from a cycle of the fastest clock to a year.
[[nodiscard]] bool is_possible_duration(Seconds duration);

/// Takes out of a profile what cannot be, as one flipped bit of a file makes it, and warns of it: clocks that
/// no chip has; ceilings more than 10^4 times from what the device can do by its attributes or the built-in
/// table; times that is_possible_duration() denies; work and bytes below 0 or at more than 10^4 times their
/// ceiling; bytes of which a part is more than 1.3 times the whole (from 1.05 times on the whole stays, and
/// what was read and written of it is not known); grids and blocks beyond CUDA's limits. Where half or more
/// of what a launch did is beyond that, its time may be what is wrong, and all figures that a rate is made of
/// are refused. What is refused counts as not measured, and all else stays, but for the work of other pipes:
/// without the refused one it is not the work of the launch. A file with a refused time, work or bytes counts
/// as partial.
/// Of launches whose counters contradict each other, what is above its ceiling counts as not known.
///
/// For whatever reads a profile, whichever format it has; `name` stands for the file.
void refuse_impossible_figures(Profile& profile, const std::string& name);

/// Warns of names of kernels, ranges and devices whose bytes were no UTF-8; once, when a file is read.
void tell_damaged_names(Profile& profile, const std::string& name);

}  // namespace roofwalk
