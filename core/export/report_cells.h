// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/export/report_table.h"
#include "core/text.h"

/// What the columns of the report are made of.
namespace roofwalk {

struct ColumnRule {
    ReportColumn column;
    std::function<ReportCell(const KernelPoint&)> cell;
};

inline ReportCell not_measured() {
    return {.number = {}, .text = "not measured", .known = false};
}

inline ReportCell word(std::string text) {
    return {.number = {}, .text = std::move(text), .known = true};
}

inline ReportCell number(double value, std::string text) {
    return {.number = value, .text = std::move(text), .known = true};
}

inline ReportCell does_not_apply() {
    return word("–");
}

template <int F, int B, int T>
ReportCell amount(const std::optional<Quantity<F, B, T>>& value, const std::string& unit) {
    return value ? number(value->value(), format_si(value->value(), unit)) : not_measured();
}

/// Horizontal gap and potential, beside the vertical gap.
void add_gap_columns(std::vector<ColumnRule>& rules);
/// Further figures of the target, and the operation with its source.
void add_target_columns(const std::string& unit, std::vector<ColumnRule>& rules);

}  // namespace roofwalk
