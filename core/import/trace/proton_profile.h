// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/profile.h"

namespace roofwalk {

/// Whether a text begins as the tree of frames does that Triton's Proton writes (.hatchet).
[[nodiscard]] bool starts_proton_profile(std::string_view text);

/// Reads the tree that Proton writes: of each frame with a time a kernel, with the scopes around it as NVTX
/// ranges. Work and bytes are what the program itself told (launch_metadata, or those of a scope around one
/// kernel): modelled, of the pipe that their width names. Proton sums the launches of a frame: each launch
/// gets the average, up to 1,000,000 launches beyond the first of each frame; a frame of more is shown once
/// and without a time, and told.
[[nodiscard]] Result<Profile> read_proton_profile(std::string_view text, const std::string& name,
                                                  const Progress& progress);

}  // namespace roofwalk
