// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Patterns of names are regular expressions of RE2 everywhere. An agent has the C library's alone, in
/// programs of other people: it gets them as POSIX's extended ones.
namespace roofwalk::wire {

namespace posix {

inline constexpr char to_small = 'a' - 'A';
inline constexpr char most_ascii = 0x7f;

[[nodiscard]] inline bool is_punctuation(char c) {
    return c > ' ' && c <= '~' &&
           std::string_view(R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)").find(c) != std::string_view::npos;
}

/// What stands between the brackets of \d, \w, \s; empty of others.
[[nodiscard]] inline std::string_view members_of(char c) {
    switch (c) {
        case 'd':
            return "0-9";
        case 'w':
            return "0-9A-Za-z_";
        case 's':
            return " \t\n\f\r";
        default:
            return {};
    }
}

/// The expression for \ and `c` outside of brackets. The C library has other meanings for \< and \d.
[[nodiscard]] inline std::optional<std::string> escaped(char c) {
    if (const std::string_view members = members_of(c); !members.empty())
        return "[" + std::string(members) + "]";
    if (const std::string_view others = members_of(static_cast<char>(c + to_small)); !others.empty())
        return "[^" + std::string(others) + "]";
    if (c == 'b' || c == 'B') return std::string{'\\', c};  // glibc has them
    if (!is_punctuation(c)) return std::nullopt;
    return c == '^' || c == '\\' ? std::string{'\\', c} : std::string{'[', c, ']'};
}

/// A letter of ASCII in its other case; anything else as it is.
[[nodiscard]] inline char other_case(char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c + to_small);
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - to_small) : c;
}

/// The bytes of the UTF-8 letter that begins `text`: to the C library they are letters of their own.
[[nodiscard]] inline std::size_t letter_bytes(std::string_view text) {
    std::size_t bytes = 1;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U)
        ++bytes;
    return bytes;
}

/// The letters of ASCII and the classes such as [:digit:] that stand between brackets.
struct Members {
    std::bitset<most_ascii + 1> letters;
    std::string classes;

    void add(char first, char last) {
        for (auto c = static_cast<std::size_t>(first); c <= static_cast<std::size_t>(last); ++c)
            letters.set(c);
    }
    [[nodiscard]] bool has(char c) const { return letters[static_cast<std::size_t>(c)]; }
};

/// The bytes of what begins `rest`, which is added to `members`; 0 where it is an escape but \d, \w and \s,
/// or a letter beyond ASCII.
[[nodiscard]] inline std::size_t take_member(std::string_view rest, Members& members) {
    if (rest.starts_with("[:")) {
        const std::size_t end = rest.find(":]");
        if (end == std::string_view::npos) return 0;
        members.classes += rest.substr(0, end + 2);
        return end + 2;
    }
    if (rest[0] == '\\') {
        std::string_view escaped = rest.size() > 1 ? members_of(rest[1]) : std::string_view();
        if (escaped.empty()) return 0;
        while (!escaped.empty())
            escaped.remove_prefix(take_member(escaped, members));
        return 2;
    }
    const bool is_range = rest.size() > 2 && rest[1] == '-' && rest[2] != ']';
    const char last = is_range ? rest[2] : rest[0];
    const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) <= most_ascii; };
    if (!is_ascii(rest[0]) || !is_ascii(last) || last == '\\') return 0;
    members.add(rest[0], last);
    return is_range ? 3 : 1;
}

/// Between brackets. A ] has to begin them, a - ends them, and a ^ may not begin them: elsewhere these would
/// mean something.
[[nodiscard]] inline std::string bracketed(const Members& members, bool negated) {
    std::string text = members.has(']') ? "]" : "";
    for (std::size_t c = 0; c < members.letters.size(); ++c)
        if (members.letters[c] && c != ']' && c != '^' && c != '-') text += static_cast<char>(c);
    text += members.classes;
    const bool begins = text.empty() && !negated;
    for (const char c : std::string_view(begins ? "-^" : "^-"))
        if (members.has(c)) text += c;
    return begins && text == "^" ? "\\^" : (negated ? "[^" : "[") + text + "]";
}

/// The bracket expression that begins `rest`, and its length; absent where it cannot be written, as in any
/// case a class by its name.
struct Bracket {
    std::string text;
    std::size_t length = 0;
};
[[nodiscard]] inline std::optional<Bracket> bracket(std::string_view rest, bool any_case) {
    const bool negated = rest.substr(1).starts_with('^');
    const std::size_t begin = negated ? 2 : 1;
    Members members;
    std::size_t at = begin;
    while (at < rest.size() && (at == begin || rest[at] != ']')) {
        const std::size_t bytes = take_member(rest.substr(at), members);
        if (bytes == 0) return std::nullopt;
        at += bytes;
    }
    if (at >= rest.size() || (any_case && !members.classes.empty())) return std::nullopt;
    const auto letters = any_case ? members.letters : std::bitset<most_ascii + 1>();
    for (std::size_t c = 0; c < letters.size(); ++c)
        if (const char other = other_case(static_cast<char>(c)); letters[c]) members.add(other, other);
    return Bracket{bracketed(members, negated), at + 1};
}

/// The length of the {2}, {2,} or {2,3} that begins `rest`; 0 where none does.
[[nodiscard]] inline std::size_t counted_repetition(std::string_view rest) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t comma = rest.find_first_not_of(digits, 1);
    if (comma == 1 || comma == std::string_view::npos) return 0;
    const std::size_t end = rest[comma] == ',' ? rest.find_first_not_of(digits, comma + 1) : comma;
    return end != std::string_view::npos && rest[end] == '}' ? end + 1 : 0;
}

/// A letter outside of brackets, as one for what repeats it.
[[nodiscard]] inline std::string literal(std::string_view letter, bool any_case) {
    if (letter.size() > 1) return "(" + std::string(letter) + ")";
    if (letter == ".") return "[^\n]";
    const char other = other_case(letter[0]);
    return any_case && other != letter[0] ? std::string{'[', letter[0], other, ']'} : std::string(letter);
}

}  // namespace posix

/// The extended regular expression of POSIX that is found where `re2` is, a valid expression of RE2; absent
/// where it has what POSIX lacks: flags but (?i) before everything, classes of Unicode, letters by number,
/// between brackets letters beyond ASCII and escapes other than \d, \w and \s.
[[nodiscard]] inline std::optional<std::string> posix_expression(std::string_view re2) {
    constexpr std::string_view flag = "(?i)";
    const bool any_case = re2.starts_with(flag);
    if (any_case) re2.remove_prefix(flag.size());
    std::string expression;
    bool repeats = false;  // the last letter was a repetition
    for (std::size_t at = 0; at < re2.size(); ++at) {
        const char c = re2[at];
        const bool repeated = std::exchange(repeats, c == '*' || c == '+' || c == '?');
        if (c == '\\') {
            const auto text = at + 1 < re2.size() ? posix::escaped(re2[++at]) : std::nullopt;
            if (!text) return std::nullopt;
            expression += *text;
        } else if (c == '[') {
            const auto class_of = posix::bracket(re2.substr(at), any_case);
            if (!class_of) return std::nullopt;
            expression += class_of->text;
            at += class_of->length - 1;
        } else if (c == '?' && repeated) {
            repeats = false;  // to take few letters or many finds the same names
        } else if (re2.substr(at).starts_with("(?")) {
            if (!re2.substr(at).starts_with("(?:")) return std::nullopt;
            expression += '(';
            at += 2;
        } else if (c == '{') {
            const std::size_t length = posix::counted_repetition(re2.substr(at));
            expression += length > 0 ? re2.substr(at, length) : "[{]";
            at += length > 0 ? length - 1 : 0;
            repeats = length > 0;
        } else {
            const std::size_t bytes = posix::letter_bytes(re2.substr(at));
            expression += posix::literal(re2.substr(at, bytes), any_case);
            at += bytes - 1;
        }
    }
    return expression;
}

}  // namespace roofwalk::wire
