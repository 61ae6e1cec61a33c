// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// The names that somebody who typed `word` may have meant, nearest first, at most three: few letters away
/// (Levenshtein distance), or with the word inside.
[[nodiscard]] std::vector<std::string_view> nearest_names(std::string_view word,
                                                          std::span<const std::string_view> names);

}  // namespace roofwalk
