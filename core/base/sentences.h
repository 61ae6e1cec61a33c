// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roofwalk {

/// What a sentence for people has at most; a colon ends none.
inline constexpr std::size_t most_words = 25;

/// What is no word: signs between spaces that hold no letter and no digit.
[[nodiscard]] std::size_t count_words(std::string_view text);

/// What is said: the first sentence is the headline.
struct Sentences {
    std::string first;
    std::string rest;  ///< empty of one sentence

    /// More of it; what it begins with a space or without.
    void add(std::string_view more);
    [[nodiscard]] std::string text() const { return rest.empty() ? first : first + " " + rest; }
};

/// As a sentence begins.
[[nodiscard]] std::string capitalised(std::string text);

/// With what clauses begin: words begin a sentence with a capital, names of kernels keep their letters.
enum class ClauseStart : std::uint8_t { word, name };

/// The same text, with full stops for semicolons where a sentence has more than `most_words`, a colon ending
/// none. What stands in parentheses stays as it is.
[[nodiscard]] Sentences short_sentences(std::string_view text, ClauseStart starts = ClauseStart::word);

}  // namespace roofwalk
