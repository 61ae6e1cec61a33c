// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/op_registry.h"

#include <algorithm>
#include <iterator>

#include "core/base/nearest_names.h"
#include "core/base/text.h"
#include "core/operations/data_type.h"
#include "core/operations/op_table.h"

namespace roofwalk {

namespace {

/// In the order in which they are listed.
const std::vector<const OperationSpec*>& table() {
    static const auto all = [] {
        std::vector<const OperationSpec*> specs;
        for (const auto& some : {products, attentions, attention_variants, feed_forward_operations,
                                 tiled_products, normalisations, token_operations, stream_operations,
                                 convolutions, scientific_operations, factorisations, custom_operations})
            for (const OperationSpec& spec : some)
                specs.push_back(&spec);
        return specs;
    }();
    return all;
}

std::string normal_name(std::string_view name) {
    std::string normal = lower_case(name);
    std::ranges::replace(normal, '-', '_');
    return normal;
}

}  // namespace

std::span<const OperationSpec* const> operations() {
    return table();
}

const OperationSpec* find_operation(std::string_view name) {
    const std::string normal = normal_name(name);
    const auto found = std::ranges::find_if(table(), [&](const OperationSpec* spec) {
        return spec->name == normal || std::ranges::count(split_choices(spec->aliases), normal) > 0;
    });
    return found == table().end() ? nullptr : *found;
}

std::vector<DataType> operand_types(const OperationModel& model) {
    const OperationSpec* spec = find_operation(model.operation);
    std::vector<DataType> types;
    if (!spec) return types;
    for (std::size_t i = 0; i < std::min(spec->parameters.size(), model.arguments.size()); ++i)
        if (spec->parameters[i].kind == ParameterKind::type)
            if (const auto type = data_type_from_name(model.arguments[i].value)) types.push_back(*type);
    return types;
}

Error unknown_operation(std::string_view name) {
    std::vector<std::string_view> names;
    std::vector<std::string_view> with_aliases;
    for (const OperationSpec* spec : table()) {
        names.push_back(spec->name);
        with_aliases.push_back(spec->name);
        std::ranges::copy(split_choices(spec->aliases), std::back_inserter(with_aliases));
    }
    const std::string normal = normal_name(name);
    std::string hint;
    if (const auto nearest = nearest_names(normal, with_aliases); !nearest.empty())
        hint = "Did you mean " + joined(nearest, ", ") + "? ";
    return {ErrorCode::bad_argument, "There is no operation " + quoted_word(name), "",
            hint + "Known are " + joined(names, ", ") + "."};
}

}  // namespace roofwalk
