// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/csv/ncu_csv_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/base/text.h"

namespace roofwalk {

namespace {

struct Factor {
    std::string_view name;
    double factor;
};

/// Numerators of time become nanoseconds.
constexpr std::array<Factor, 9> time_units{{{"nsecond", 1},
                                            {"ns", 1},
                                            {"usecond", 1e3},
                                            {"us", 1e3},
                                            {"msecond", 1e6},
                                            {"ms", 1e6},
                                            {"second", 1e9},
                                            {"s", 1e9},
                                            {"minute", 60e9}}};

constexpr std::array<Factor, 6> prefixes{
    {{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}}};

constexpr std::array<std::string_view, 13> counted_units{
    "byte",   "b",     "hz",       "inst",    "sector",    "cycle", "warp",
    "thread", "block", "register", "request", "wavefront", "flop"};

double factor_of(std::string_view unit, bool denominator) {
    if (const auto time = std::ranges::find(time_units, unit, &Factor::name); time != time_units.end())
        return denominator ? 1e9 / time->factor : time->factor;
    const auto prefix = std::ranges::find(prefixes, unit.substr(0, 1), &Factor::name);
    if (prefix == prefixes.end()) return 1;
    const bool known = std::ranges::find(counted_units, lower_case(unit.substr(1))) != counted_units.end();
    return known ? prefix->factor : 1;
}

/// Without its prefix; times become those of factor_of().
std::string base_unit(std::string_view unit, bool denominator) {
    if (std::ranges::find(time_units, unit, &Factor::name) != time_units.end())
        return denominator ? "s" : "ns";
    if (lower_case(unit) == "hz") return "Hz";
    const bool scaled = unit.size() > 1 && factor_of(unit, denominator) != 1;
    return scaled ? base_unit(unit.substr(1), denominator) : std::string(unit);
}

/// "16,777,216" or, as in India, "1,67,77,216", with its sign and without decimals: digits that do not start
/// with a zero, groups of three or two, and a last one of three.
bool groups_thousands(std::string_view whole, char separator) {
    if (whole.starts_with('-') || whole.starts_with('+')) whole.remove_prefix(1);
    const std::size_t last = whole.rfind(separator);
    if (last == std::string_view::npos || whole.size() - last != 4 || whole.starts_with('0') ||
        whole.find_first_of("eE") != std::string_view::npos)
        return false;
    const auto in_groups_of = [&](std::size_t group) {
        std::size_t at = last;
        for (; at > group && whole[at - group - 1] == separator; at -= group + 1)
            if (contains(whole.substr(at - group, group), {&separator, 1})) return false;
        return at > 0 && at <= group && !contains(whole.substr(0, at), {&separator, 1});
    };
    return in_groups_of(3) || (separator == ',' && in_groups_of(2));
}

/// The sign before the decimals of a number; 0 where it has none, or one that may separate thousands as well.
char decimal_sign(std::string_view text) {
    const std::size_t last = text.find_last_of(",.");
    if (last == std::string_view::npos) return 0;
    const char sign = text[last];
    const char other = sign == ',' ? '.' : ',';
    if (text.find(other) != std::string_view::npos) return sign;
    const bool groups = groups_thousands(text, sign);
    if (std::ranges::count(text, sign) > 1) return groups ? other : '\0';
    return groups ? '\0' : sign;
}

/// The same number with a decimal point and without separators; empty when the separators make no sense.
std::string normalised(std::string_view text, bool decimal_comma) {
    const char told = decimal_sign(text);
    const char decimal = told != 0 ? told : decimal_comma ? ',' : '.';
    if (std::ranges::count(text, decimal) > 1) return {};
    const char separator = decimal == '.' ? ',' : '.';
    const std::string_view whole = text.substr(0, text.find(decimal));
    if (whole.find(separator) != std::string_view::npos && !groups_thousands(whole, separator)) return {};

    std::string result;
    for (const char c : text)
        if (c == decimal)
            result += '.';
        else if (c != ',' && c != '.')
            result += c;
    return result;
}

}  // namespace

std::optional<double> ncu_csv_number(std::string_view text, bool decimal_comma) {
    text = text.substr(0, std::min(text.find(" ("), text.find('{')));
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    const bool looks_right = !text.empty() &&
                             text.find_first_not_of("0123456789.,+-eE") == std::string_view::npos &&
                             text.find_first_of("0123456789") != std::string_view::npos;
    if (!looks_right) return std::nullopt;
    std::string digits = normalised(text, decimal_comma);
    if (digits.starts_with('+')) digits.erase(0, 1);
    const auto number = parse_number<double>(digits);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

bool has_decimal_commas(std::string_view text) {
    constexpr std::string_view digits = "0123456789";
    constexpr std::string_view edges = " \t\r\n\"";
    constexpr std::size_t enough = std::size_t{1} << 20U;
    text = text.substr(0, enough);
    int commas_over_points = 0;
    for (std::size_t begin = text.find_first_of(digits); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_not_of("0123456789.,", begin), text.size());
        const bool stands_alone = (begin == 0 || contains(edges, text.substr(begin - 1, 1))) &&
                                  contains(edges, text.substr(end, 1)) && is_digit(text[end - 1]);
        const std::string_view number = text.substr(begin, end - begin);
        const char sign = stands_alone ? decimal_sign(number) : '\0';
        if (sign == ',') ++commas_over_points;
        // "CC 8.6" is no number.
        if (sign == '.' && number.size() > number.rfind(sign) + 2) --commas_over_points;
        begin = text.find_first_of(digits, end);
    }
    return commas_over_points > 0;
}

double ncu_csv_unit_factor(std::string_view unit) {
    const auto slash = std::min(unit.find('/'), unit.size());
    double factor = factor_of(unit.substr(0, slash), false);
    // "%/Kbyte" is a value divided by a thousand too: the prefix says how it was scaled wherever it stands.
    if (slash < unit.size()) factor *= factor_of(unit.substr(slash + 1), true);
    return factor;
}

std::string ncu_csv_base_unit(std::string_view unit) {
    const auto slash = std::min(unit.find('/'), unit.size());
    const std::string base = base_unit(unit.substr(0, slash), false);
    return slash == unit.size() ? base : base + "/" + base_unit(unit.substr(slash + 1), true);
}

std::optional<double> ncu_csv_unit_factor(std::string_view metric, std::string_view unit) {
    const std::string_view numerator = unit.substr(0, unit.find('/'));
    const auto holds = [&](std::string_view part) { return contains(metric, part); };
    const bool share = holds(".pct") || holds(".ratio") || unit == "%";
    if (holds("time_duration") && !share &&
        std::ranges::find(time_units, numerator, &Factor::name) == time_units.end())
        return std::nullopt;
    if (holds("bytes") && !share) {
        const std::string known = lower_case(numerator);
        const bool bare = known == "byte" || known == "b";
        const bool prefixed =
            numerator.size() > 1 && (known.substr(1) == "byte" || known.substr(1) == "b") &&
            std::ranges::find(prefixes, numerator.substr(0, 1), &Factor::name) != prefixes.end();
        if (!bare && !prefixed) return std::nullopt;
    }
    return ncu_csv_unit_factor(unit);
}

}  // namespace roofwalk
