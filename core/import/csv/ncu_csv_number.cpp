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

constexpr std::array<std::string_view, 14> counted_units{
    "byte", "bytes",  "b",     "hz",       "inst",    "sector",    "cycle",
    "warp", "thread", "block", "register", "request", "wavefront", "flop"};

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
/// with a zero, groups of three or two, and a last one of three. One group of two may have lost a digit.
bool groups_thousands(std::string_view whole, char separator, bool lakhs) {
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
    const bool may_be_twos = separator == ',' && (lakhs || std::ranges::count(whole, ',') > 2);
    return in_groups_of(3) || (may_be_twos && in_groups_of(2));
}

/// The sign before the decimals of a number; 0 where it has none, or one that may separate thousands as well.
char decimal_sign(std::string_view text, bool lakhs) {
    const std::size_t last = text.find_last_of(",.");
    if (last == std::string_view::npos) return 0;
    const char sign = text[last];
    const char other = sign == ',' ? '.' : ',';
    if (text.find(other) != std::string_view::npos) return sign;
    const bool groups = groups_thousands(text, sign, lakhs);
    if (std::ranges::count(text, sign) > 1) return groups ? other : '\0';
    return groups ? '\0' : sign;
}

/// The same number with a decimal point and without separators; empty when the separators make no sense.
std::string normalised(std::string_view text, NcuCsvNumberStyle style) {
    const char told = decimal_sign(text, style.lakhs);
    const char decimal = told != 0 ? told : style.decimal_commas ? ',' : '.';
    if (std::ranges::count(text, decimal) > 1) return {};
    const char separator = decimal == '.' ? ',' : '.';
    const std::string_view whole = text.substr(0, text.find(decimal));
    if (whole.find(separator) != std::string_view::npos && !groups_thousands(whole, separator, style.lakhs))
        return {};

    std::string result;
    for (const char c : text)
        if (c == decimal)
            result += '.';
        else if (c != ',' && c != '.')
            result += c;
    return result;
}

/// Without its instances; empty where it is no number.
std::string_view digits_of(std::string_view printed) {
    const std::string_view text = trimmed(printed.substr(0, std::min(printed.find(" ("), printed.find('{'))));
    const bool looks_right = text.find_first_not_of("0123456789.,+-eE") == std::string_view::npos &&
                             text.find_first_of("0123456789") != std::string_view::npos;
    return looks_right ? text : std::string_view();
}

}  // namespace

std::optional<double> ncu_csv_number(std::string_view text, NcuCsvNumberStyle style) {
    std::string digits = normalised(digits_of(text), style);
    if (digits.starts_with('+')) digits.erase(0, 1);
    const auto number = parse_number<double>(digits);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

void NcuCsvNumberVotes::add(std::string_view text) {
    const std::string_view number = digits_of(text);
    const char sign = decimal_sign(number, false);
    if (sign == ',')
        ++commas_over_points_;
    else if (sign == '.' || contains(number, ","))
        --commas_over_points_;
    const std::string_view whole = number.substr(0, number.find('.'));
    constexpr std::size_t two_and_three = 7;  // with their commas: ",45,848"
    lakhs_ = lakhs_ || (whole.size() > two_and_three && whole[whole.size() - two_and_three] == ',' &&
                        groups_thousands(whole, ',', false));
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
        const auto is_byte = [](std::string_view name) {
            return name == "byte" || name == "bytes" || name == "b";
        };
        const bool prefixed =
            numerator.size() > 1 && is_byte(known.substr(1)) &&
            std::ranges::find(prefixes, numerator.substr(0, 1), &Factor::name) != prefixes.end();
        if (!is_byte(known) && !prefixed) return std::nullopt;
    }
    return ncu_csv_unit_factor(unit);
}

}  // namespace roofwalk
