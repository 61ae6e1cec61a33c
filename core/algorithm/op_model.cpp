// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algorithm/op_model.h"

#include <algorithm>

namespace roofwalk {

namespace {

/// Formulas hold spaces and commas, which would end a value.
std::string in_quotes_if_needed(const std::string& value) {
    return value.find_first_of(" \t,()[]=") == std::string::npos ? value : '"' + value + '"';
}

}  // namespace

Flops OperationModel::total_work() const {
    Flops sum;
    for (const PipeWork& part : work)
        sum += part.work;
    return sum;
}

bool counts_integers(const OperationModel& model) {
    return std::ranges::any_of(model.work, [](const PipeWork& part) { return counts_integers(part.pipe); });
}

std::string to_text(const OperationModel& model) {
    std::string text = model.operation;
    for (const OperationArgument& argument : model.arguments)
        if (argument.given) text += ' ' + argument.name + '=' + in_quotes_if_needed(argument.value);
    return text;
}

}  // namespace roofwalk
