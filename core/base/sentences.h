// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace roofwalk {

/// What a sentence for people has at most; a colon ends one too.
inline constexpr std::size_t most_words = 25;

/// What is no word: signs between spaces that hold no letter and no digit.
[[nodiscard]] std::size_t count_words(std::string_view text);

/// A headline, and what else is said; empty of one sentence.
[[nodiscard]] std::pair<std::string, std::string> first_sentence(const std::string& text);

/// The same text, with full stops for semicolons where a sentence has more than `most_words`, a colon ending
/// none. What stands in parentheses stays as it is.
[[nodiscard]] std::string short_sentences(std::string_view text);

}  // namespace roofwalk
