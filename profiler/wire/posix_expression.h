// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// Patterns of names are regular expressions of RE2 everywhere. An agent has the C library's alone, in
/// programs of other people: it gets them as POSIX's extended ones.
namespace roofwalk::wire {

namespace posix {

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
    constexpr char to_small = 'a' - 'A';
    if (const std::string_view others = members_of(static_cast<char>(c + to_small)); !others.empty())
        return "[^" + std::string(others) + "]";
    if (c == 'b' || c == 'B') return std::string{'\\', c};  // glibc has them
    if (!is_punctuation(c)) return std::nullopt;
    return c == '^' || c == '\\' ? std::string{'\\', c} : std::string{'[', c, ']'};
}

/// With every letter of ASCII in the other case.
[[nodiscard]] inline std::string other_case(std::string_view text) {
    constexpr char to_small = 'a' - 'A';
    std::string other(text);
    for (char& c : other) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + to_small);
        else if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - to_small);
    }
    return other;
}

/// The bytes of the UTF-8 letter that begins `text`: to the C library they are letters of their own.
[[nodiscard]] inline std::size_t letter_bytes(std::string_view text) {
    std::size_t bytes = 1;
    while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U)
        ++bytes;
    return bytes;
}

/// The bracket expression that begins `rest`, and its length; absent where it has an escape but \d, \w, \s,
/// or a letter beyond ASCII.
struct Bracket {
    std::string text;
    std::size_t length = 0;
};
[[nodiscard]] inline std::optional<Bracket> bracket(std::string_view rest, bool any_case) {
    Bracket found{"[", 1};
    const auto take = [&](std::size_t letters) {
        found.text += rest.substr(found.length, letters);
        found.length += letters;
    };
    if (rest.substr(1).starts_with('^')) take(1);
    const std::size_t members_begin = found.text.size();
    if (rest.substr(found.length).starts_with(']')) take(1);
    while (found.length < rest.size() && rest[found.length] != ']') {
        if (rest.substr(found.length).starts_with("[=") || rest.substr(found.length).starts_with("[.")) {
            return std::nullopt;
        }
        if (rest.substr(found.length).starts_with("[:")) {
            const std::size_t end = rest.find(":]", found.length);
            if (end == std::string_view::npos) return std::nullopt;
            take(end + 2 - found.length);
        } else if (rest[found.length] == '\\') {
            const std::string_view members =
                found.length + 1 < rest.size() ? members_of(rest[found.length + 1]) : std::string_view();
            if (members.empty()) return std::nullopt;
            found.text += members;
            found.length += 2;
        } else if (letter_bytes(rest.substr(found.length)) > 1) {
            return std::nullopt;
        } else {
            take(1);
        }
    }
    if (found.length >= rest.size()) return std::nullopt;
    if (any_case) {
        // A class by its name has no other case that can be written so.
        if (found.text.find("[:", members_begin) != std::string::npos) return std::nullopt;
        const std::string others = other_case(found.text.substr(members_begin));
        if (others != found.text.substr(members_begin)) found.text.insert(members_begin, others);
    }
    take(1);
    return found;
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
    const std::string other = other_case(letter);
    return any_case && other != letter ? "[" + std::string(letter) + other + "]" : std::string(letter);
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
