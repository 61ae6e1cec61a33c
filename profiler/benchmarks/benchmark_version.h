// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace roofwalk::ceilings {

/// Rises when a number may differ because of how it is measured.
inline constexpr std::uint32_t benchmark_version = 2;

}  // namespace roofwalk::ceilings
