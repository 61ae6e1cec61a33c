// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roofwalk {

/// A number as ncu prints it: "5,376", "22.592000", "1.234.567,5", "1e+06", "10,50,320"; and a value with its
/// instances, "720 (1; 2; 3)", or their number, "720 {3}". One sign before exactly three digits may separate
/// thousands or decimals: `decimal_comma` says which sign does what. Absent for anything else: "n/a", "nan",
/// "inf", text.
[[nodiscard]] std::optional<double> ncu_csv_number(std::string_view text, bool decimal_comma = false);
/// Whether more numbers of a text can only have a decimal comma ("65,77", "13.490.336") than a point: ncu
/// writes them as the system does.
[[nodiscard]] bool has_decimal_commas(std::string_view text);

/// What a printed value of that unit is to be multiplied with to get the base unit that reports store (ns,
/// byte, Hz, counts): "Kbyte" 1e3, "us" 1e3, "Ghz" 1e9, "cycle/nsecond" 1e9, "Gbyte/second" 1e9. 1 for units
/// without a prefix and for unknown ones.
[[nodiscard]] double ncu_csv_unit_factor(std::string_view unit);
/// The same of a metric: absent for a time that has no unit of time, and for bytes that have none of bytes.
[[nodiscard]] std::optional<double> ncu_csv_unit_factor(std::string_view metric, std::string_view unit);

/// The unit of a number after that: "byte/s" of "Gbyte/second", "ns" of "us", "Hz" of "Ghz".
[[nodiscard]] std::string ncu_csv_base_unit(std::string_view unit);

}  // namespace roofwalk
