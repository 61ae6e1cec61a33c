// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/units.h"

/// Numbers for people. SI prefixes are decimal (k = 10^3); a rate or an amount never appears without its
/// unit.
namespace roofwalk {

/// The number that a text is from its first character to its last, whatever the locale.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "1.23 T" + unit: `format_si(1.234e12, "FLOP/s")` is "1.23 TFLOP/s". `digits` significant digits.
[[nodiscard]] std::string format_si(double value, std::string_view unit, int digits = 3);

/// A power of thousand and its symbol: 1e9 and "G".
struct SiPrefix {
    double factor = 1;
    std::string_view symbol;
};

/// The prefix under which format_si() writes `value` with three digits; none for zero and for what is no
/// number.
[[nodiscard]] SiPrefix si_prefix_of(double value);

/// `number` times the SI prefix in `unit` (n, u, µ, m, k, K, M, G, T, P, E). `base` is the unit behind the
/// prefix ("s", "FLOP/s"); a prefix alone is enough ("1.2 T"), a number with neither is not.
[[nodiscard]] std::optional<double> scaled_value(double number, std::string_view unit, std::string_view base);

[[nodiscard]] std::string format(FlopRate rate, std::string_view unit = "FLOP/s");
[[nodiscard]] std::string format(Flops work, std::string_view unit = "FLOP");
[[nodiscard]] std::string format(ByteRate rate);
[[nodiscard]] std::string format(Bytes bytes);
[[nodiscard]] std::string format(Seconds time);
[[nodiscard]] std::string format(Hertz clock);
[[nodiscard]] std::string format(Intensity intensity, std::string_view unit = "FLOP/byte");

/// A bare number with `digits` significant digits, four from 1,000 on; from 10,000 on whole, with commas, and
/// "4.57e8" from ten million on.
[[nodiscard]] std::string format_number(double value, int digits = 3);
/// "1.25x", "14.5x": three significant digits, so that a factor can be checked by hand.
[[nodiscard]] std::string format_factor(double factor);
/// "29.4 %" for 0.294 and "100.0 %" for 1: three significant digits below 100 %, four from there on; "< 0.001
/// %" for less.
[[nodiscard]] std::string format_percent(double share);
/// "~1.25x": a figure that is in doubt.
[[nodiscard]] std::string marked_if(bool doubted, const std::string& figure);
/// Two shares with as many digits as it takes to tell them apart: "59.96 %" and "60.00 %".
[[nodiscard]] std::pair<std::string, std::string> format_percents_apart(double share, double other);
/// "a, b and c".
[[nodiscard]] std::string joined_with_and(std::span<const std::string> parts);
/// "1,234,567".
[[nodiscard]] std::string format_count(double count);

/// Makes any bytes safe inside XML text and attributes; invalid UTF-8 and what is_unprintable() become
/// U+FFFD, but line feeds stay, and tabs and carriage returns are references.
[[nodiscard]] std::string escape_xml(std::string_view text);
/// A text from a stranger on one line, in which nothing acts as Markdown.
[[nodiscard]] std::string escape_markdown(std::string_view text);
/// Quotes a word for a POSIX shell when it needs quoting.
[[nodiscard]] std::string quote_shell(std::string_view word);
/// The same for a command that is shown or copied: a word with what a terminal would obey is $'…' of bash,
/// ksh and zsh, with each such byte as "\033".
[[nodiscard]] std::string quote_shell_shown(std::string_view word);

/// Whether a terminal obeys a character, or writes what follows in another direction: C0, DEL and C1, line
/// and paragraph separators, marks and overrides of direction.
[[nodiscard]] bool is_unprintable(char32_t character);
/// Names and paths come from strangers, and this is how they reach a terminal: valid UTF-8 on one line, with
/// U+FFFD for each character that is_unprintable().
[[nodiscard]] std::string printable(std::string_view text);
/// The same for a text of ours of several lines, whose ends stay.
[[nodiscard]] std::string printable_lines(std::string_view text);
/// The same with a space for each, for the cells of a table.
[[nodiscard]] std::string one_line(std::string_view text);
/// The same with what a program reads back for each: "\u001b".
[[nodiscard]] std::string with_escapes(std::string_view text);
/// Whether it is UTF-8 without any character that is_unprintable().
[[nodiscard]] bool is_plain_text(std::string_view bytes);
/// Whether `part` stands in it.
[[nodiscard]] inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}
/// With ASCII letters in lower case, whatever the locale.
[[nodiscard]] std::string lower_case(std::string_view text);
/// Whether it is an ASCII digit.
[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
/// A text without blanks at its ends: spaces, tabs and carriage returns.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// A text without the white space and the characters that are not seen at its start.
[[nodiscard]] std::string_view without_blank_start(std::string_view text);
/// Valid UTF-8: bad sequences become U+FFFD, NUL characters at the end are dropped.
[[nodiscard]] std::string clean_utf8(std::string_view bytes);

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
