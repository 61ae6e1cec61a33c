// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/operations/op_parser.h"
#include "core/operations/op_registry.h"

namespace roofwalk {

namespace {

bool is_amount(double value) {
    return std::isfinite(value) && value >= 0;
}

/// The parameters in their order, then the numbers with names of the user.
std::vector<OperationArgument> shown_arguments(const OperationArguments& arguments) {
    std::vector<OperationArgument> shown;
    for (const ParameterValue& value : arguments.values())
        shown.push_back({std::string(value.name), value.text, value.given});
    for (const NamedNumber& name : arguments.names())
        shown.push_back({name.name, number_text(name.value), true});
    return shown;
}

Result<OperationModel> checked(OperationModel model) {
    if (!is_amount(model.total_work().value()) || !is_amount(model.moved().value()))
        return tl::unexpected(Error{ErrorCode::bad_argument, "The amounts of this operation are out of range",
                                    model.operation, "Use smaller sizes."});
    if (model.compulsory().value() <= 0)
        return tl::unexpected(Error{ErrorCode::bad_argument, "This operation moves no bytes", model.operation,
                                    "Without bytes it has no arithmetic intensity."});
    return model;
}

}  // namespace

Result<OperationModel> model_operation(const WrittenOperation& operation) {
    const OperationSpec* spec = find_operation(operation.name);
    if (!spec) return tl::unexpected(unknown_operation(operation.name));
    const auto arguments = read_arguments(*spec, operation.arguments);
    if (!arguments) return tl::unexpected(arguments.error());
    auto model = spec->model(*arguments);
    if (!model) return model;
    model->operation = spec->name;
    model->arguments = shown_arguments(*arguments);
    return checked(*std::move(model));
}

Result<OperationModel> model_operation(std::string_view text) {
    return read_operation(text).and_then(
        [](const WrittenOperation& operation) { return model_operation(operation); });
}

}  // namespace roofwalk
