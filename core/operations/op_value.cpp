// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/nearest_names.h"

namespace roofwalk {

namespace {

/// Every whole number up to here is a double of its own.
constexpr double largest_count = 9007199254740992;

std::vector<std::string_view> split_choices(std::string_view choices) {
    std::vector<std::string_view> list;
    while (!choices.empty()) {
        const std::size_t bar = std::min(choices.find('|'), choices.size());
        list.push_back(choices.substr(0, bar));
        choices.remove_prefix(std::min(bar + 1, choices.size()));
    }
    return list;
}

std::string lower(std::string_view text) {
    std::string word(text);
    for (char& c : word)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return word;
}

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
            fmt::format("{}={} is not possible", parameter.name, shortened_word(text)),
            std::string(spec.name),
            fmt::format("{}: {}, {}.", parameter.name, parameter.meaning, allowed_values(parameter))};
}

}  // namespace

Result<ParameterValue> read_value(const OperationSpec& spec, const ParameterSpec& parameter,
                                  std::string_view text) {
    ParameterValue value{.name = parameter.name, .text = std::string(text)};
    if (parameter.kind == ParameterKind::formula) {
        if (text.empty()) return tl::unexpected(not_allowed(spec, parameter, text));
        return value;
    }
    if (parameter.kind != ParameterKind::count && parameter.kind != ParameterKind::number) {
        if (!read_word(parameter, lower(text), value))
            return tl::unexpected(not_allowed(spec, parameter, text));
        return value;
    }
    const auto number = evaluate(text);
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

std::string allowed_values(const ParameterSpec& parameter) {
    switch (parameter.kind) {
        case ParameterKind::count:
            return fmt::format("a whole number of {} to 2^53", parameter.minimum);
        case ParameterKind::number:
            return "a number of 0 to 2^53";
        case ParameterKind::type: {
            std::vector<std::string_view> names;
            for (const DataType type : all_data_types)
                names.push_back(name_of(type));
            return "one of " + joined(names, ", ");
        }
        case ParameterKind::choice:
            return "one of " + joined(split_choices(parameter.choices), ", ");
        case ParameterKind::flag:
            return "yes or no";
        case ParameterKind::pipe: {
            std::string list = "auto or one of ";
            for (const PipeKind kind : all_pipe_kinds)
                list += (kind == PipeKind::fp64 ? "" : ", ") + id_of(Pipe{kind});
            return list;
        }
        case ParameterKind::formula:
            return "a formula of numbers, names, + - * / ^ ( ), min, max, ceil, floor, log2 and sqrt";
    }
    return {};
}

}  // namespace roofwalk
