// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/nearest_names.h"
#include "core/base/text.h"

namespace roofwalk {

namespace {

/// Every whole number up to here is a double of its own.
constexpr double largest_count = 9007199254740992;

/// Reads into `value`; false when the text is no value of this kind.
bool read_word(const ParameterSpec& parameter, const std::string& word, ParameterValue& value) {
    switch (parameter.kind) {
        case ParameterKind::type:
            if (const auto type = data_type_from_name(word)) {
                value.type = *type;
                value.text = name_of(*type);
                return true;
            }
            return false;
        case ParameterKind::choice:
            value.text = word;
            return std::ranges::count(split_choices(parameter.choices), word) > 0;
        case ParameterKind::flag:
            value.text = word == "yes" || word == "true" || word == "1" ? "yes" : "no";
            return value.text == "yes" || word == "no" || word == "false" || word == "0";
        case ParameterKind::pipe:
            value.text = word;
            value.pipe = pipe_from_id(word);
            return value.pipe || word == "auto";
        default:
            return false;
    }
}

bool in_range(const ParameterSpec& parameter, double number) {
    if (parameter.kind == ParameterKind::number) return number >= 0 && number <= largest_count;
    return number >= parameter.minimum && number <= largest_count && number == std::floor(number);
}

Error not_allowed(const OperationSpec& spec, const ParameterSpec& parameter, std::string_view text) {
    return {ErrorCode::bad_argument,
            text.empty() ? fmt::format("{} has no value yet", parameter.name)
                         : fmt::format("{}={} is not possible", parameter.name, shortened_word(text)),
            std::string(spec.name),
            fmt::format("{}: {}, {}.", parameter.name, parameter.meaning, allowed_values(parameter))};
}

/// Reads the value of one parameter. Numbers may be typed as formulas without names: 2^20, 32*128.
Result<ParameterValue> read_value(const OperationSpec& spec, const ParameterSpec& parameter,
                                  std::string_view text) {
    ParameterValue value{.name = parameter.name, .text = std::string(text)};
    if (parameter.kind == ParameterKind::formula) {
        if (text.empty()) return tl::unexpected(not_allowed(spec, parameter, text));
        return value;
    }
    if (parameter.kind != ParameterKind::count && parameter.kind != ParameterKind::number) {
        if (!read_word(parameter, lower_case(text), value))
            return tl::unexpected(not_allowed(spec, parameter, text));
        return value;
    }
    const auto number = evaluate(text);
    if (!number && text.empty()) return tl::unexpected(not_allowed(spec, parameter, text));
    if (!number) {
        Error error = not_allowed(spec, parameter, text);
        error.where += fmt::format(", {}: {}", number.error().where, number.error().what);
        return tl::unexpected(std::move(error));
    }
    if (!in_range(parameter, *number)) return tl::unexpected(not_allowed(spec, parameter, text));
    value.number = *number;
    value.text = number_text(*number);
    return value;
}

bool names_parameter(const ParameterSpec& parameter, std::string_view word) {
    return parameter.name == word || (!parameter.alias.empty() && parameter.alias == word);
}

Error bad(std::string what, const OperationSpec& spec, std::string hint) {
    return {ErrorCode::bad_argument, std::move(what), std::string(spec.name), std::move(hint)};
}

/// What was written, by the parameter it belongs to.
struct SortedArguments {
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

Result<SortedArguments> sort_by_parameter(const OperationSpec& spec,
                                          const std::vector<WrittenArgument>& written) {
    SortedArguments sorted;
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

std::vector<std::string_view> split_choices(std::string_view choices) {
    std::vector<std::string_view> list;
    while (!choices.empty()) {
        const std::size_t bar = std::min(choices.find('|'), choices.size());
        list.push_back(choices.substr(0, bar));
        choices.remove_prefix(std::min(bar + 1, choices.size()));
    }
    return list;
}

std::vector<std::string> choices_of(const ParameterSpec& parameter) {
    std::vector<std::string> words;
    switch (parameter.kind) {
        case ParameterKind::type:
            for (const DataType type : all_data_types)
                words.emplace_back(name_of(type));
            break;
        case ParameterKind::choice:
            for (const std::string_view choice : split_choices(parameter.choices))
                words.emplace_back(choice);
            break;
        case ParameterKind::flag:
            words = {"yes", "no"};
            break;
        case ParameterKind::pipe:
            words = {"auto"};
            for (const PipeKind kind : all_pipe_kinds)
                words.push_back(id_of(Pipe{kind}));
            break;
        default:
            break;
    }
    return words;
}

std::string allowed_values(const ParameterSpec& parameter) {
    switch (parameter.kind) {
        case ParameterKind::count:
            return fmt::format("a whole number of {} to 2^53", parameter.minimum);
        case ParameterKind::number:
            return "a number of 0 to 2^53";
        case ParameterKind::type:
        case ParameterKind::choice:
            return fmt::format("one of {}", fmt::join(choices_of(parameter), ", "));
        case ParameterKind::flag:
            return fmt::format("{}", fmt::join(choices_of(parameter), " or "));
        case ParameterKind::pipe: {
            const std::vector<std::string> pipes = choices_of(parameter);
            return fmt::format("{} or one of {}", pipes.front(),
                               fmt::join(pipes.begin() + 1, pipes.end(), ", "));
        }
        case ParameterKind::formula:
            return "a formula of numbers, names, + - * / ^ ( ), min, max, ceil, floor, log2 and sqrt";
    }
    return {};
}

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
