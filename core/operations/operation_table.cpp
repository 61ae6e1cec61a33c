// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/operation_table.h"

#include <fmt/format.h>

#include "core/operations/op_parser.h"

namespace roofwalk {

Result<std::shared_ptr<const OperationModel>> OperationTable::model_of(const std::string& text) {
    if (const auto known = models_.find(text); known != models_.end()) return known->second;
    auto model = model_operation(text);
    if (!model) return tl::unexpected(std::move(model.error()));
    return models_.emplace(text, std::make_shared<const OperationModel>(*std::move(model))).first->second;
}

Result<std::uint32_t> OperationTable::place_of(std::string_view text, BindingSource source,
                                               std::string_view why) {
    std::string key = fmt::format("{}\n{}\n{}", id_of(source), why, text);
    if (const auto known = places_.find(key); known != places_.end()) return known->second;
    if (operations_.size() == most_operations)
        return tl::unexpected(
            Error{ErrorCode::bad_argument,
                  fmt::format("There are more than {} different operations", most_operations), "",
                  "Launches with further ones are not bound."});
    auto model = model_of(std::string(text));
    if (!model) return tl::unexpected(std::move(model.error()));
    operations_.push_back(std::make_shared<const BoundOperation>(
        BoundOperation{*std::move(model), std::string(text), source, std::string(why)}));
    const auto place = static_cast<std::uint32_t>(operations_.size());
    places_.emplace(std::move(key), place);
    return place;
}

}  // namespace roofwalk
