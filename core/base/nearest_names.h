// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// The names that somebody who typed `word` may have meant, nearest first, at most three: few letters away
/// (Levenshtein distance), or with the word inside.
[[nodiscard]] std::vector<std::string_view> nearest_names(std::string_view word,
                                                          std::span<const std::string_view> names);

/// "a, b, c": texts, or what `text_of` makes of items, with `between` between them.
template <class Items, class TextOf = std::identity>
[[nodiscard]] std::string joined(const Items& items, std::string_view between, TextOf text_of = {}) {
    std::string text;
    for (const auto& item : items) {
        if (!text.empty()) text += between;
        text += std::invoke(text_of, item);
    }
    return text;
}
/// A word from a stranger, valid UTF-8 and cut to a length that a sentence bears.
[[nodiscard]] std::string shortened_word(std::string_view word);
/// The same between apostrophes.
[[nodiscard]] std::string quoted_word(std::string_view word);

}  // namespace roofwalk
