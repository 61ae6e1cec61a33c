// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/text.h"
#include "core/operations/op_registry.h"

namespace roofwalk {

namespace {

constexpr std::size_t longest_text = 4096;
constexpr std::string_view between = " \t\r\n,";
constexpr std::string_view form = "Write it as in: gemm m=4096 n=4096 k=4096, or gemm[m=4096,n=4096,k=4096].";

/// Walks over the text once.
class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    Result<WrittenOperation> run() {
        WrittenOperation operation;
        skip(between);
        operation.name = take_until(" \t\r\n,=[(])");
        if (operation.name.empty()) return fail("The name of an operation is missing");
        if (at_ < text_.size() && text_[at_] == '=')
            return fail(fmt::format("{} stands where the name of an operation must stand",
                                    quoted_word(operation.name + "=")));
        skip(" \t");
        const char close = closing_bracket();
        while (true) {
            skip(between);
            if (at_ == text_.size()) {
                if (close != 0) return fail(fmt::format("The closing {} is missing", close));
                return operation;
            }
            if (close != 0 && text_[at_] == close) return ended(operation);
            auto argument = pair(close);
            if (!argument) return tl::unexpected(argument.error());
            operation.arguments.push_back(*std::move(argument));
        }
    }

  private:
    char closing_bracket() {
        if (at_ == text_.size() || (text_[at_] != '[' && text_[at_] != '(')) return 0;
        return text_[at_++] == '[' ? ']' : ')';
    }

    Result<WrittenArgument> pair(char close) {
        const std::size_t start = at_;
        WrittenArgument argument;
        argument.name = take_until(close == ')' ? " \t\r\n,=)" : " \t\r\n,=]");
        skip(" \t");
        if (argument.name.empty() || at_ == text_.size() || text_[at_] != '=') {
            at_ = start;
            return fail(fmt::format("{} is no name=value", quoted_word(take_until(" \t\r\n,"))), start);
        }
        const std::size_t behind = ++at_;
        skip(" \t");
        const char quote = at_ < text_.size() ? text_[at_] : ' ';
        if (quote != '"' && quote != '\'') {
            const std::size_t value = at_;
            argument.value = bare_value(close);
            if (is_open(argument.value)) return fail("A ( of this value is never closed", value);
            if (value > behind && argument.value.find('=') != std::string::npos) {
                at_ = value;  // it is the next pair: this one has no value yet
                argument.value.clear();
            }
            return argument;
        }
        const std::size_t open = at_++;
        argument.value = take_until(std::string_view(&quote, 1));
        if (at_ == text_.size()) return fail("This quotation mark is never closed", open);
        ++at_;
        return argument;
    }

    /// Up to a space, a comma or the bracket that closes the operation; commas and spaces inside the value's
    /// own parentheses belong to it.
    std::string bare_value(char close) {
        const std::size_t start = at_;
        int depth = 0;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (depth == 0 && (c == close || between.find(c) != std::string_view::npos)) break;
            if (c == '(') ++depth;
            if (c == ')' && depth > 0) --depth;
        }
        return std::string(text_.substr(start, at_ - start));
    }

    static bool is_open(std::string_view value) {
        return std::ranges::count(value, '(') > std::ranges::count(value, ')');
    }

    Result<WrittenOperation> ended(WrittenOperation& operation) {
        ++at_;
        skip(" \t\r\n");
        if (at_ < text_.size()) return fail("Something follows the closing bracket");
        return std::move(operation);
    }

    std::string take_until(std::string_view stops) {
        const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
        const std::size_t start = std::exchange(at_, end);
        return std::string(text_.substr(start, end - start));
    }

    void skip(std::string_view characters) {
        at_ = std::min(text_.find_first_not_of(characters, at_), text_.size());
    }

    [[nodiscard]] tl::unexpected<Error> fail(std::string what) const { return fail(std::move(what), at_); }
    [[nodiscard]] static tl::unexpected<Error> fail(std::string what, std::size_t column) {
        return unexpected(ErrorCode::bad_argument, std::move(what), fmt::format("column {}", column + 1),
                          std::string(form));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Formulas hold spaces and commas, which would end a value.
std::string in_quotes_if_needed(const std::string& value) {
    if (value.find_first_of(" \t\r\n,()[]=\"'") == std::string::npos) return value;
    const char quote = value.find('"') == std::string::npos ? '"' : '\'';
    return quote + value + quote;
}

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
    if (!is_amount(model.total_work().value()) || !is_amount(model.bytes_moved().value()))
        return unexpected(ErrorCode::bad_argument, "The amounts of this operation are out of range",
                          model.operation, "Use smaller sizes.");
    if (model.compulsory().value() <= 0)
        return unexpected(ErrorCode::bad_argument, "This operation moves no bytes", model.operation,
                          "Without bytes it has no arithmetic intensity.");
    return model;
}

std::string upper_case(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

}  // namespace

std::string to_text(const WrittenOperation& operation) {
    std::string text = operation.name;
    for (const WrittenArgument& argument : operation.arguments)
        text += ' ' + argument.name + '=' + in_quotes_if_needed(argument.value);
    return text;
}

std::string shown_operation(std::string_view text) {
    const auto read = read_operation(text);
    if (!read || read->name != "gemm") return std::string(text);
    std::string sizes;
    std::string others;
    for (const auto& [name, value] : read->arguments)
        if (name == "m" || name == "n" || name == "k")
            sizes += (sizes.empty() ? " " : " x ") + value;
        else
            others += ", " + (name == "dtype" ? upper_case(value) : name + " " + value);
    return upper_case(read->name) + sizes + others;
}

Result<WrittenOperation> read_operation(std::string_view text) {
    if (text.size() > longest_text)
        return unexpected(ErrorCode::bad_argument, fmt::format("{} bytes are no operation", text.size()), "",
                          fmt::format("At most {} bytes are read.", longest_text));
    return Reader(text).run();
}

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
