// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/model/profile.h"

namespace roofwalk::bench {

/// A profile of `kernels` functions and `launches` launches on an A100, spread over six decades of intensity
/// and performance; the same for the same arguments.
[[nodiscard]] Profile made_profile(std::uint32_t kernels, std::uint32_t launches);

/// The same as Roofwalk JSON Lines.
[[nodiscard]] std::string made_json_lines(std::uint32_t kernels, std::uint32_t launches);

}  // namespace roofwalk::bench
