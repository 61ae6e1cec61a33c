// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/measured_facts.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/devices/ceiling_comparison.h"

namespace roofwalk {

namespace {

/// "3.20 T", without its unit; "-" where it is not known.
std::string prefixed_number(const std::optional<double>& rate) {
    if (!rate) return "-";
    std::string text = format_si(*rate, "");
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

/// How it was measured: clock, repetitions, spread, per cycle and SM, operands.
std::string measured_words(const CeilingComparison& row) {
    const MeasuredRate& rate = row.measured;
    std::string words = rate.shape;
    const auto add = [&](const std::string& part) { words += (words.empty() ? "" : "; ") + part; };
    if (rate.clock) add("SM clock held " + format(*rate.clock));
    add(fmt::format("best of {}, spread {}", rate.repetitions, format_percent(rate.spread)));
    if (rate.rate_per_cycle_and_sm) add(format_number(*rate.rate_per_cycle_and_sm, 4) + " per cycle and SM");
    if (!rate.operands.empty()) add("operands " + rate.operands);
    for (const std::string& reason : rate.throttled)
        add("clock held down by: " + reason);
    return words;
}

std::string theory_words(const CeilingComparison& row) {
    if (!row.theoretical) return "no theory: " + row.theory_missing;
    std::string words = row.theory_source + "; at the boost clock";
    if (row.theoretical_held)
        words += fmt::format("; {} at the clock held", rate_like(row.measured, row.theoretical_held));
    if (const auto share = row.share_of_theory())
        words += fmt::format("; measured: {} of it", format_percent(*share));
    return words;
}

}  // namespace

FactTable measured_facts(const MeasuredCeilings& measured) {
    FactTable table{.headers = {"", "measured", "theory", "published"}};
    const std::vector<CeilingComparison> rows = compare_ceilings(measured);
    for (const RateUnit unit :
         {RateUnit::byte_per_second, RateUnit::flop_per_second, RateUnit::op_per_second}) {
        bool first = true;
        for (const CeilingComparison& row : rows) {
            if (row.measured.unit != unit) continue;
            // A unit stands once over its numbers: in each cell it would not leave room for them.
            if (first) table.rows.push_back({{{std::string(label_of(unit))}, {}, {}, {}}});
            first = false;
            const std::string name = name_of(row.measured);
            table.rows.push_back(
                {{{name, row.roof ? name + ": a roof of the chart" : name},
                  {prefixed_number(row.measured.rate), measured_words(row)},
                  {prefixed_number(row.theoretical), theory_words(row)},
                  {prefixed_number(row.published),
                   row.published ? "the maker's figure in Roofwalk's table of GPUs, dense" : ""}},
                 row.roof});
        }
    }
    return table;
}

}  // namespace roofwalk
