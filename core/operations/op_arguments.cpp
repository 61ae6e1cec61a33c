// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "core/base/nearest_names.h"
#include "core/operations/op_spec.h"
#include "core/operations/op_value.h"

namespace roofwalk {

namespace {

bool names_parameter(const ParameterSpec& parameter, std::string_view word) {
    return parameter.name == word || (!parameter.alias.empty() && parameter.alias == word);
}

Error bad(std::string what, const OperationSpec& spec, std::string hint) {
    return {ErrorCode::bad_argument, std::move(what), std::string(spec.name), std::move(hint)};
}

/// What was written, by the parameter it belongs to.
struct Sorted {
    std::vector<const WrittenArgument*>
        of_parameter;  ///< as long as the table; null where nothing is written
    std::vector<NamedNumber> names;
};

Error unknown_parameter(const OperationSpec& spec, const WrittenArgument& written) {
    std::vector<std::string_view> known;
    for (const ParameterSpec& parameter : spec.parameters)
        known.push_back(parameter.name);
    std::string hint;
    if (const auto nearest = nearest_names(written.name, known); !nearest.empty())
        hint = "Did you mean " + joined(nearest, " or ") + "? ";
    return bad(fmt::format("{} has no parameter {}", spec.name, quoted_word(written.name)), spec,
               hint + "It takes " + joined(known, ", ") + ".");
}

/// A number for the formulas of an operation that takes them.
Result<NamedNumber> read_name(const OperationSpec& spec, const WrittenArgument& written) {
    if (!is_formula_name(written.name))
        return tl::unexpected(bad(fmt::format("{} cannot be the name of a number", quoted_word(written.name)),
                                  spec, "A name is letters, digits and _, and no function."));
    auto value = evaluate(written.value);
    if (value) return NamedNumber{written.name, *value};
    Error error = std::move(value.error());
    error.where = written.name + "=, " + error.where;
    return tl::unexpected(std::move(error));
}

Result<Sorted> sort_by_parameter(const OperationSpec& spec, const std::vector<WrittenArgument>& written) {
    Sorted sorted;
    sorted.of_parameter.resize(spec.parameters.size());
    for (const WrittenArgument& argument : written) {
        const auto parameter = std::ranges::find_if(spec.parameters, [&](const ParameterSpec& known) {
            return names_parameter(known, argument.name);
        });
        bool twice = false;
        if (parameter != spec.parameters.end()) {
            const auto index = static_cast<std::size_t>(parameter - spec.parameters.begin());
            twice = sorted.of_parameter[index] != nullptr;
            sorted.of_parameter[index] = &argument;
        } else if (spec.takes_names) {
            auto name = read_name(spec, argument);
            if (!name) return tl::unexpected(name.error());
            twice = std::ranges::find(sorted.names, name->name, &NamedNumber::name) != sorted.names.end();
            sorted.names.push_back(*std::move(name));
        } else {
            return tl::unexpected(unknown_parameter(spec, argument));
        }
        if (twice)
            return tl::unexpected(
                bad(fmt::format("{} is given twice", quoted_word(argument.name)), spec, ""));
    }
    return sorted;
}

/// The default of a parameter nobody wrote: its own, or the value of one that stands before it.
Result<ParameterValue> default_of(const OperationSpec& spec, const ParameterSpec& parameter,
                                  const std::vector<ParameterValue>& before) {
    if (parameter.required())
        return tl::unexpected(bad(fmt::format("{} needs {}", spec.name, parameter.name), spec,
                                  fmt::format("{}: {}, {}; as in: {}", parameter.name, parameter.meaning,
                                              allowed_values(parameter), spec.example)));
    if (!parameter.default_value.starts_with('='))
        return read_value(spec, parameter, parameter.default_value);
    const auto source = std::ranges::find(before, parameter.default_value.substr(1), &ParameterValue::name);
    assert(source != before.end());
    ParameterValue value = *source;
    value.name = parameter.name;
    value.given = false;
    return value;
}

}  // namespace

const ParameterValue& OperationArguments::at(std::string_view name) const {
    const auto found = std::ranges::find(values_, name, &ParameterValue::name);
    assert(found != values_.end());
    return *found;
}

Result<OperationArguments> read_arguments(const OperationSpec& spec,
                                          const std::vector<WrittenArgument>& written) {
    auto sorted = sort_by_parameter(spec, written);
    if (!sorted) return tl::unexpected(sorted.error());
    std::vector<ParameterValue> values;
    for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
        const ParameterSpec& parameter = spec.parameters[i];
        const WrittenArgument* argument = sorted->of_parameter[i];
        auto value =
            argument ? read_value(spec, parameter, argument->value) : default_of(spec, parameter, values);
        if (!value) return tl::unexpected(value.error());
        value->given = argument != nullptr;
        values.push_back(*std::move(value));
    }
    return OperationArguments(std::move(values), std::move(sorted->names));
}

}  // namespace roofwalk
