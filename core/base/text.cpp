// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace roofwalk {

namespace {

constexpr std::array<SiPrefix, 13> prefixes{{{1e18, "E"},
                                             {1e15, "P"},
                                             {1e12, "T"},
                                             {1e9, "G"},
                                             {1e6, "M"},
                                             {1e3, "k"},
                                             {1, ""},
                                             {1e-3, "m"},
                                             {1e-6, "µ"},
                                             {1e-9, "n"},
                                             {1e-12, "p"},
                                             {1e-15, "f"},
                                             {1e-18, "a"}}};

/// Rounded to `digits` significant digits, so that 999.9996 picks the next prefix instead of printing "1000".
double rounded(double value, int digits) {
    if (value == 0 || !std::isfinite(value)) return value;
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(decimals));
    if (!std::isfinite(scale)) return value;
    return decimals >= 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

std::string fixed(double value, int digits) {
    if (value == 0) return "0";
    const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return fmt::format("{:.{}f}", value, std::clamp(digits - before, 0, 17));
}

constexpr int percent_digits = 3;

/// `digits` significant digits below 100 %, one more from there on.
std::string percent(double share, int digits) {
    const double shown = rounded(share * 100, digits);
    if (shown < 100) return format_number(shown, digits) + " %";
    return format_number(std::max(share * 100, 100.0), digits + 1) + " %";
}

const SiPrefix& prefix_for(double magnitude) {
    for (const SiPrefix& prefix : prefixes)
        if (magnitude >= prefix.factor) return prefix;
    return prefixes.back();
}

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

/// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none.
std::size_t utf8_sequence(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                                                             : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
    const bool beyond = lead == 0xF4 && byte(1) >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

struct CharacterRange {
    char32_t first;
    char32_t last;
};

constexpr std::array steering{CharacterRange{0x0000, 0x001F}, CharacterRange{0x007F, 0x009F},
                              CharacterRange{0x061C, 0x061C}, CharacterRange{0x200E, 0x200F},
                              CharacterRange{0x2028, 0x202E}, CharacterRange{0x2066, 0x2069}};

/// Unicode's White_Space and Default_Ignorable_Code_Point, but for what steers.
constexpr std::array blank{
    CharacterRange{0x0020, 0x0020},  CharacterRange{0x00A0, 0x00A0}, CharacterRange{0x00AD, 0x00AD},
    CharacterRange{0x034F, 0x034F},  CharacterRange{0x061C, 0x061C}, CharacterRange{0x115F, 0x1160},
    CharacterRange{0x1680, 0x1680},  CharacterRange{0x17B4, 0x17B5}, CharacterRange{0x180B, 0x180F},
    CharacterRange{0x2000, 0x200F},  CharacterRange{0x2028, 0x202F}, CharacterRange{0x205F, 0x206F},
    CharacterRange{0x3000, 0x3000},  CharacterRange{0x3164, 0x3164}, CharacterRange{0xFE00, 0xFE0F},
    CharacterRange{0xFEFF, 0xFEFF},  CharacterRange{0xFFA0, 0xFFA0}, CharacterRange{0xFFF0, 0xFFF8},
    CharacterRange{0xE0000, 0xE0FFF}};

bool is_in(char32_t character, std::span<const CharacterRange> ranges) {
    return std::ranges::any_of(ranges, [character](const CharacterRange& range) {
        return character >= range.first && character <= range.last;
    });
}

/// The character that valid UTF-8 begins with, and its bytes.
std::pair<char32_t, std::string_view> first_character(std::string_view text) {
    const std::string_view bytes = text.substr(0, utf8_sequence(text));
    constexpr std::array<unsigned, 5> lead_bits{0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t character = static_cast<unsigned char>(bytes.front()) & lead_bits[bytes.size()];
    for (const char next : bytes.substr(1))
        character = (character << 6U) | (static_cast<unsigned char>(next) & 0x3FU);
    return {character, bytes};
}

/// Valid UTF-8 where `replacement(character, bytes)` stands for what would steer a terminal.
template <class Replacement>
std::string without_steering(std::string_view text, Replacement replacement) {
    // Nearly every name is plain ASCII, and tables have a million of them.
    if (std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; })) return std::string(text);
    const std::string clean = clean_utf8(text);
    std::string safe;
    safe.reserve(clean.size());
    for (std::string_view rest = clean; !rest.empty();) {
        const auto [character, bytes] = first_character(rest);
        if (is_unprintable(character))
            safe += replacement(character, bytes);
        else
            safe += bytes;
        rest.remove_prefix(bytes.size());
    }
    return safe;
}

}  // namespace

std::string format_si(double value, std::string_view unit, int digits) {
    if (!std::isfinite(value)) return fmt::format("{} {}", value, unit);
    const double shown = rounded(value, digits);
    if (shown == 0) return fmt::format("0 {}", unit);
    const SiPrefix& prefix = prefix_for(std::abs(shown));
    return fmt::format("{} {}{}", fixed(rounded(shown / prefix.factor, digits), digits), prefix.symbol, unit);
}

SiPrefix si_prefix_of(double value) {
    constexpr int digits = 3;
    const double shown = rounded(value, digits);
    return shown == 0 || !std::isfinite(shown) ? SiPrefix{} : prefix_for(std::abs(shown));
}

std::optional<double> scaled_value(double number, std::string_view unit, std::string_view base) {
    if (unit == base) return number;
    std::string_view symbol = unit;
    // A small b is a bit; FLOP/s may be written as anyone likes.
    const bool as_it_is = unit.ends_with(base);
    if (as_it_is || (base != "B/s" && lower_case(unit).ends_with(lower_case(base))))
        symbol.remove_suffix(base.size());
    if (symbol.empty()) return unit.empty() ? std::nullopt : std::optional(number);
    if (symbol == "u") symbol = "µ";
    if (symbol == "K") symbol = "k";
    constexpr double least = 1e-9;
    const auto prefix = std::ranges::find(prefixes, symbol, &SiPrefix::symbol);
    if (prefix == prefixes.end() || prefix->factor < least) return std::nullopt;
    return number * prefix->factor;
}

std::string format(FlopRate rate, std::string_view unit) {
    return format_si(rate.value(), unit);
}
std::string format(Flops work, std::string_view unit) {
    return format_si(work.value(), unit);
}
std::string format(ByteRate rate) {
    return format_si(rate.value(), "B/s");
}
std::string format(Bytes bytes) {
    return format_si(bytes.value(), "B");
}
std::string format(Seconds time) {
    return format_si(time.value(), "s");
}
std::string format(Hertz clock) {
    return format_si(clock.value(), "Hz", 4);
}
std::string format(Intensity intensity, std::string_view unit) {
    return format_number(intensity.value()) + " " + std::string(unit);
}

std::string format_number(double value, int digits) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    const bool four_before_the_point = std::abs(value) >= 1e3 && std::abs(value) < 1e4;
    const double shown = rounded(value, four_before_the_point ? std::max(digits, 4) : digits);
    const double magnitude = std::abs(shown);
    if (shown != 0 && magnitude < 1e-4) return fmt::format("{:.{}e}", shown, digits - 1);
    if (magnitude >= 1e7) {  // digits beyond those that are told would be read as told
        const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
        return fmt::format("{:.{}f}e{}", shown / std::pow(10, exponent), digits - 1, exponent);
    }
    return magnitude >= 1e4 ? format_count(shown) : fixed(shown, digits);
}

std::string format_factor(double factor) {
    return format_number(factor) + "x";
}

std::string format_percent(double share) {
    constexpr double least = 1e-5;
    if (share > 0 && share < least) return "< 0.001 %";
    return percent(share, percent_digits);
}

std::string marked_if(bool doubted, const std::string& figure) {
    return doubted ? "~" + figure : figure;
}

std::pair<std::string, std::string> format_percents_apart(double share, double other) {
    constexpr int exact = 17;
    int digits = percent_digits;
    while (share != other && digits < exact && percent(share, digits) == percent(other, digits))
        ++digits;
    if (digits == percent_digits) return {format_percent(share), format_percent(other)};
    return {percent(share, digits), percent(other, digits)};
}

std::string format_count(double count) {
    std::string digits = fmt::format("{:.0f}", std::abs(count));
    for (std::size_t at = digits.size(); at > 3; at -= 3)
        digits.insert(at - 3, ",");
    return count < 0 ? "-" + digits : digits;
}

bool is_plain_text(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t length = utf8_sequence(bytes);
        if (length == 0 || is_unprintable(first_character(bytes).first)) return false;
        bytes.remove_prefix(length);
    }
    return true;
}

std::string clean_utf8(std::string_view bytes) {
    while (!bytes.empty() && bytes.back() == '\0')
        bytes.remove_suffix(1);
    std::string clean;
    clean.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t length = utf8_sequence(bytes);
        if (length == 0)
            clean += replacement_character;
        else
            clean += bytes.substr(0, length);
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return clean;
}

std::string escape_xml(std::string_view text) {
    const std::string clean = without_steering(text, [](char32_t character, std::string_view bytes) {
        const bool breaks_lines = character == '\t' || character == '\n' || character == '\r';
        return breaks_lines ? bytes : replacement_character;
    });
    std::string safe;
    safe.reserve(clean.size());
    for (std::size_t i = 0; i < clean.size(); ++i) {
        const char c = clean[i];
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            case '\'':
                safe += "&#39;";
                break;
            case '\t':
                safe += "&#9;";
                break;
            case '\r':
                safe += "&#13;";
                break;
            default: {
                // U+FFFE and U+FFFF are valid UTF-8 but forbidden in XML 1.0.
                const bool noncharacter = clean.compare(i, 2, "\xEF\xBF") == 0 && i + 2 < clean.size() &&
                                          (clean[i + 2] == '\xBE' || clean[i + 2] == '\xBF');
                if (noncharacter) i += 2;
                if (noncharacter)
                    safe += replacement_character;
                else
                    safe += c;
            }
        }
    }
    return safe;
}

std::string escape_markdown(std::string_view text) {
    constexpr std::string_view markup = "\\`*_[]<>|~&#@";
    std::string safe;
    for (const char c : one_line(text)) {
        if (markup.find(c) != std::string_view::npos) safe += '\\';
        safe += c;
    }
    return safe;
}

std::string quote_shell(std::string_view word) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
    if (!word.empty() && word.find_first_not_of(harmless) == std::string_view::npos) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string quote_shell_shown(std::string_view word) {
    if (printable(word) == word) return quote_shell(word);
    std::string quoted = "$'";
    for (std::string_view rest = word; !rest.empty();) {
        const std::size_t length = utf8_sequence(rest);
        const std::string_view bytes = rest.substr(0, std::max<std::size_t>(length, 1));
        rest.remove_prefix(bytes.size());
        if (length == 0 || is_unprintable(first_character(bytes).first))
            for (const char byte : bytes)
                quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
        else if (bytes == "'" || bytes == "\\")
            quoted.append("\\").append(bytes);
        else
            quoted += bytes;
    }
    return quoted + "'";
}

bool is_unprintable(char32_t character) {
    return is_in(character, steering);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view without_blank_start(std::string_view text) {
    while (!text.empty() && utf8_sequence(text) > 0) {
        const auto [character, bytes] = first_character(text);
        if (!is_in(character, blank)) break;
        text.remove_prefix(bytes.size());
    }
    return text;
}

std::string printable(std::string_view text) {
    return without_steering(text, [](char32_t, std::string_view) { return replacement_character; });
}

std::string printable_lines(std::string_view text) {
    return without_steering(text, [](char32_t character, std::string_view bytes) {
        return character == '\n' ? bytes : replacement_character;
    });
}

std::string one_line(std::string_view text) {
    return without_steering(text, [](char32_t, std::string_view) { return " "; });
}

std::string joined_with_and(std::span<const std::string> parts) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
    return text;
}

std::string with_escapes(std::string_view text) {
    return without_steering(text, [](char32_t character, std::string_view) {
        return fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    });
}

std::string shortened_word(std::string_view word) {
    constexpr std::size_t longest_word = 40;
    if (word.size() <= longest_word) return clean_utf8(word);
    return clean_utf8(word.substr(0, longest_word)) + "…";
}

std::string quoted_word(std::string_view word) {
    return "'" + shortened_word(word) + "'";
}

}  // namespace roofwalk
