// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_model.h"

#include <algorithm>

#include "core/operations/op_parser.h"

namespace roofwalk {

Flops OperationModel::total_work() const {
    Flops sum;
    for (const PipeWork& part : work)
        sum += part.work;
    return sum;
}

Pipe pipe_on(const PipeWork& part, const CeilingSet& ceilings) {
    constexpr Pipe tensor{PipeKind::tensor_fp64};
    const bool may_move = part.matrix && part.pipe == Pipe{PipeKind::fp64};
    return may_move && ceilings.find(tensor) ? tensor : part.pipe;
}

bool counts_integers(const OperationModel& model) {
    return std::ranges::any_of(model.work, [](const PipeWork& part) { return counts_integers(part.pipe); });
}

std::string_view given_value(const OperationModel& model, std::string_view parameter) {
    const auto argument = std::ranges::find(model.arguments, parameter, &OperationArgument::name);
    return argument == model.arguments.end() || !argument->given ? std::string_view() : argument->value;
}

std::string assumed_type(const OperationModel& model) {
    const auto type = std::ranges::find(model.arguments, "dtype", &OperationArgument::name);
    if (type == model.arguments.end() || type->given) return {};
    const bool other_given = std::ranges::any_of(model.arguments, [](const OperationArgument& argument) {
        return argument.given && argument.name != "pipe" && data_type_from_name(argument.value);
    });
    return other_given ? std::string() : "dtype=" + type->value;
}

std::string to_text(const OperationModel& model) {
    WrittenOperation given{model.operation, {}};
    for (const OperationArgument& argument : model.arguments)
        if (argument.given) given.arguments.push_back({argument.name, argument.value});
    return to_text(given);
}

}  // namespace roofwalk
