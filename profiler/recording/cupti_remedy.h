// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace roofwalk {

/// What a person can do where `call`, a function of CUPTI, refuses with this code (`cupti_result.h`), which
/// the agent passed on; empty where nobody knows.
[[nodiscard]] std::string_view remedy_for_cupti(std::int32_t code, std::string_view call);

}  // namespace roofwalk
