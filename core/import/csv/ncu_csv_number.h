// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace roofwalk {

/// How the numbers of a file are written, where one alone does not tell.
struct NcuCsvNumberStyle {
    bool decimal_commas = false;  ///< "5,376" is 5.376, and "117.344" 117,344
    bool lakhs = false;           ///< "1,23,456" is a number, not one that lost a digit
};

/// What the values of metrics tell of the style of their file: decimal commas where more can only have one
/// ("65,77", "13.490.336") than have a point or, as "5,376" may, a comma between thousands; lakhs where one
/// has a crore ("1,67,45,848").
class NcuCsvNumberVotes {
  public:
    void add(std::string_view text);
    [[nodiscard]] NcuCsvNumberStyle style() const { return {commas_over_points_ > 0, lakhs_}; }

  private:
    long commas_over_points_ = 0;
    bool lakhs_ = false;
};

/// A number as ncu prints it: "5,376", "22.592000", "1.234.567,5", "1e+06", "1,67,45,848"; and a value with
/// its instances, "720 (1; 2; 3)", or their number, "720 {3}". Absent for anything else: "n/a", "nan", "inf",
/// text.
[[nodiscard]] std::optional<double> ncu_csv_number(std::string_view text, NcuCsvNumberStyle style = {});

/// What a printed value of that unit is to be multiplied with to get the base unit that reports store (ns,
/// byte, Hz, counts): "Kbyte" 1e3, "us" 1e3, "Ghz" 1e9, "cycle/nsecond" 1e9, "Gbyte/second" 1e9. 1 for units
/// without a prefix and for unknown ones.
[[nodiscard]] double ncu_csv_unit_factor(std::string_view unit);
/// The same of a metric: absent for a time that has no unit of time, and for bytes that have none of bytes.
[[nodiscard]] std::optional<double> ncu_csv_unit_factor(std::string_view metric, std::string_view unit);

/// The unit of a number after that: "byte/s" of "Gbyte/second", "ns" of "us", "Hz" of "Ghz".
[[nodiscard]] std::string ncu_csv_base_unit(std::string_view unit);

}  // namespace roofwalk
