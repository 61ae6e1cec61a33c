// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report_cells.h"

namespace roofwalk {

namespace {

/// A figure of the target, or why there is none.
ReportCell target_cell(const KernelPoint& point, std::optional<double> AlgorithmicTarget::*figure) {
    if (!point.target) return word("no operation");
    if (point.target->not_bound > 0) return word("not all bound");
    if (const auto value = (*point.target).*figure) return number(*value, format_factor(*value));
    if (point.uncounted.any()) return word("work incomplete");
    const bool without_work = point.target->work.value() <= 0 || point.work == Flops(0);
    return without_work && point.target->byte_gap ? does_not_apply() : not_measured();
}

void add_factor(std::string id, std::string title, ColumnPlace place,
                std::optional<double> AlgorithmicTarget::*figure, std::vector<KernelColumn>& rules) {
    rules.push_back({{std::move(id), std::move(title), "", true, place},
                     [figure](const KernelPoint& point) { return target_cell(point, figure); }});
}

std::string operation_text(const AlgorithmicTarget& target) {
    if (target.operations == 1) return target.operation->text;
    return target.operation->text + " and " + format_count(target.operations - 1) + " more";
}

}  // namespace

void add_gap_columns(ColumnPlace place, std::vector<KernelColumn>& rules) {
    add_factor("horizontal_gap", "Horizontal gap", place, &AlgorithmicTarget::gap, rules);
    add_factor("potential", "Potential", place, &AlgorithmicTarget::potential, rules);
}

void add_target_columns(ColumnPlace place, const std::string& unit, std::vector<KernelColumn>& rules) {
    rules.push_back({{"algorithmic_intensity", "AI algorithm", unit + "/byte", true, place},
                     [=](const KernelPoint& point) {
                         if (!point.target) return word("no operation");
                         if (point.target->not_bound > 0) return word("not all bound");
                         if (!point.target->intensity) return does_not_apply();
                         return number(point.target->intensity->value(),
                                       format(*point.target->intensity, unit + "/byte"));
                     }});
    add_factor("byte_gap", "HBM bytes / needed", place, &AlgorithmicTarget::byte_gap, rules);
    add_factor("useful_gap", "Useful gap", place, &AlgorithmicTarget::useful, rules);
    add_factor("work_ratio", "Work / model", place, &AlgorithmicTarget::work_ratio, rules);
    rules.push_back({{"operation", "Operation", "", false, place}, [](const KernelPoint& point) {
                         return word(point.target ? operation_text(*point.target) : "none");
                     }});
    rules.push_back({{"operation_source", "Operation from", "", false, place}, [](const KernelPoint& point) {
                         return word(point.target ? point.target->operation->why : "none");
                     }});
}

}  // namespace roofwalk
