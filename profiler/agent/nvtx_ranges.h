// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace roofwalk::agent {

/// Names of the NVTX ranges that the calling thread has pushed and not popped, outermost first. Those of a
/// domain are written "domain/name".
[[nodiscard]] const std::vector<std::string>& current_ranges();

}  // namespace roofwalk::agent
