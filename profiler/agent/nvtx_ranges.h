// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace roofwalk::agent {

/// Names of the NVTX ranges that the calling thread has pushed and not popped, outermost first. Those of a
/// domain are written "domain/name".
[[nodiscard]] const std::vector<std::string>& current_ranges();

/// Names of the NVTX ranges of this process that were started and have not ended, on whatever thread, in the
/// order of their starts; written as those above.
[[nodiscard]] std::vector<std::string> started_ranges();

}  // namespace roofwalk::agent
