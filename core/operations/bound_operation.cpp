// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bound_operation.h"

#include <unordered_map>

#include "core/operations/op_model.h"

namespace roofwalk {

std::string why_words(const BoundOperation& operation) {
    return operation.why + assumed_words(operation);
}

bool is_partly_assumed(const BoundOperation& operation) {
    return !operation.assumed.empty() || !assumed_type(*operation.model).empty();
}

std::string assumed_words(const BoundOperation& operation) {
    const std::string type = assumed_type(*operation.model);
    return operation.assumed + (type.empty() ? "" : "; " + type + " is assumed");
}

std::shared_ptr<const BoundOperation> LaunchOperations::of(LaunchIndex launch) const {
    const auto index = static_cast<std::size_t>(launch);
    const bool is_part = index < execution_of.size() && execution_of[index] != 0;
    return is_part ? nullptr : whole_operation_of(index);
}

std::shared_ptr<const BoundOperation> LaunchOperations::whole_operation_of(std::size_t launch) const {
    if (launch >= of_launch.size() || of_launch[launch] == 0) return nullptr;
    return operations[of_launch[launch] - 1];
}

Executions LaunchOperations::executions_of(std::span<const LaunchIndex> launches) const {
    Executions found;
    std::unordered_map<std::uint32_t, std::uint32_t> seen;  // launches by execution
    for (const LaunchIndex launch : launches) {
        const auto index = static_cast<std::size_t>(launch);
        auto operation = whole_operation_of(index);
        if (!operation) {
            ++found.not_bound;
            continue;
        }
        const std::uint32_t execution = index < execution_of.size() ? execution_of[index] : 0;
        if (execution != 0) {
            if (!found.in_part) found.in_part = operation;
            const std::uint32_t all = launches_of_execution[execution - 1];
            const bool last = ++seen[execution] == all;
            ++found.not_bound;
            if (!last) continue;
            found.not_bound -= all;
            found.bound += all;
        } else {
            ++found.bound;
        }
        found.operations.push_back(std::move(operation));
    }
    return found;
}

LaunchLabels labels_of(const LaunchOperations& operations) {
    LaunchLabels labels;
    std::unordered_map<std::string_view, std::uint32_t> known;
    std::vector<std::uint32_t> label_of{0};
    for (const auto& operation : operations.operations) {
        const auto next = static_cast<std::uint32_t>(labels.texts.size() + 1);
        const auto [label, fresh] = known.try_emplace(operation->text, next);
        if (fresh) labels.texts.push_back(operation->text);
        label_of.push_back(label->second);
    }
    for (const std::uint32_t place : operations.of_launch)
        labels.of_launch.push_back(label_of[place]);
    return labels;
}

}  // namespace roofwalk
