// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace roofwalk::cli {

/// Checks the text of an option that counts something: a whole number from `least` to `most`. Empty when it
/// is one, else what is wrong.
[[nodiscard]] std::function<std::string(const std::string&)> whole_number(std::uint64_t least,
                                                                          std::uint64_t most);

}  // namespace roofwalk::cli
