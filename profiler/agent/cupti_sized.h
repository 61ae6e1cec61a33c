// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace roofwalk::agent {

/// Parameters of a call as CUPTI wants them: with their size, and nothing else set.
template <class Params>
[[nodiscard]] Params sized(std::size_t size) noexcept {
    Params params{};
    params.structSize = size;
    return params;
}

}  // namespace roofwalk::agent
