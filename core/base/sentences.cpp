// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentences.h"

#include <utility>

namespace roofwalk {

std::size_t count_words(std::string_view text) {
    std::size_t count = 0;
    bool counted = false;
    for (const char c : text) {
        const bool sign = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        count += sign && !counted ? 1U : 0U;
        counted = c != ' ' && c != '\n' && (counted || sign);
    }
    return count;
}

void Sentences::add(std::string_view more) {
    if (more.starts_with(' ')) more.remove_prefix(1);
    if (!rest.empty() && !more.empty()) rest += ' ';
    rest += more;
}

std::string capitalised(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

Sentences short_sentences(std::string_view text, ClauseStart starts) {
    std::string out;
    std::size_t start = 0;
    std::size_t words = 0;  // of the sentence so far
    std::size_t first = 0;  // sentence, with the space behind it
    const auto end_sentence = [&] {
        words = 0;
        if (first == 0) first = out.size();
    };
    const auto add_up_to = [&](std::size_t end) {
        std::string part(text.substr(start, end - start));
        const std::size_t more = count_words(part);
        if (words > 0 && words + more > most_words) {
            out.replace(out.size() - 2, 1, ".");
            end_sentence();
            if (starts == ClauseStart::word) part = capitalised(std::move(part));
        }
        words += more;
        out += part;
        start = end;
    };
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth > 0 || text[i + 1] != ' ' || std::string_view(";.!?").find(text[i]) == std::string::npos)
            continue;
        add_up_to(i + 2);
        if (text[i] != ';') end_sentence();
    }
    add_up_to(text.size());
    if (first == 0) return {std::move(out), {}};
    return {out.substr(0, first - 1), out.substr(first)};
}

}  // namespace roofwalk
