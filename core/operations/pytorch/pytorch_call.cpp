// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/pytorch/pytorch_call.h"

#include "core/base/text.h"

namespace roofwalk {

namespace {

/// More inputs or dimensions than this are no call of an operator.
constexpr std::size_t most_numbers = 4096;

/// What stands after ", key = ": a list in its brackets, or all up to the next comma. Empty without the key.
std::string_view value_of(std::string_view text, std::string_view key) {
    const std::string opening = ", " + std::string(key) + " = ";
    const std::size_t at = text.find(opening);
    if (at == std::string_view::npos) return {};
    std::string_view value = text.substr(at + opening.size());
    if (!value.starts_with('[')) return value.substr(0, value.find(','));
    int depth = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '[') ++depth;
        if (value[i] == ']' && --depth == 0) return value.substr(0, i + 1);
    }
    return {};
}

/// The items between brackets, without the spaces after their commas.
std::vector<std::string_view> items_of(std::string_view list, char open, char close) {
    std::vector<std::string_view> items;
    if (list.size() < 2) return items;
    list = list.substr(1, list.size() - 2);
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= list.size() && items.size() < most_numbers; ++i) {
        if (i < list.size() && list[i] == open) ++depth;
        if (i < list.size() && list[i] == close) --depth;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        while (begin < i && list[begin] == ' ')
            ++begin;
        if (i > begin || i < list.size() || !items.empty()) items.push_back(list.substr(begin, i - begin));
        begin = i + 1;
    }
    return items;
}

std::optional<std::vector<PytorchCall::Sizes>> sizes_in(std::string_view list) {
    std::vector<PytorchCall::Sizes> sizes;
    for (const std::string_view item : items_of(list, '[', ']')) {
        if (!item.starts_with('[') || !item.ends_with(']')) return std::nullopt;
        PytorchCall::Sizes& dimensions = sizes.emplace_back();
        for (const std::string_view dimension : items_of(item, '[', ']')) {
            const auto number = parse_number<std::uint64_t>(dimension);
            if (!number) return std::nullopt;
            dimensions.push_back(static_cast<double>(*number));
        }
    }
    return sizes;
}

std::string_view unquoted(std::string_view word) {
    const bool quoted = word.size() >= 2 && word.front() == '"' && word.back() == '"';
    return quoted ? word.substr(1, word.size() - 2) : word;
}

/// "(5,0)" is the first output of the call 5.
std::uint64_t maker_in(std::string_view item) {
    if (!item.starts_with('(') || !item.ends_with(",0)")) return 0;
    return parse_number<std::uint64_t>(item.substr(1, item.size() - 4)).value_or(0);
}

}  // namespace

std::string_view operator_name(std::string_view name) {
    if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos)
        name.remove_prefix(colons + 2);
    if (name.ends_with('_')) name.remove_suffix(1);
    return name;
}

std::optional<PytorchCall> read_pytorch_call(std::string_view text) {
    const std::string_view list = value_of(text, "sizes");
    if (list.empty()) return std::nullopt;
    auto sizes = sizes_in(list);
    if (!sizes) return std::nullopt;
    const std::string_view name = text.substr(0, text.find(','));
    PytorchCall op;
    op.name = operator_name(name);
    op.id = parse_number<std::uint64_t>(value_of(text, "op_id"));
    op.numbered = op.id || parse_number<std::uint64_t>(value_of(text, "seq"));
    op.sizes = *std::move(sizes);
    for (const std::string_view type : items_of(value_of(text, "types"), '[', ']'))
        op.types.emplace_back(unquoted(type));
    for (const std::string_view value : items_of(value_of(text, "inputs"), '[', ']'))
        op.values.emplace_back(value);
    for (const std::string_view item : items_of(value_of(text, "input_op_ids"), '(', ')'))
        op.made_by.push_back(maker_in(item));
    op.text = std::string(name) + ", sizes = " + std::string(list);
    return op;
}

}  // namespace roofwalk
