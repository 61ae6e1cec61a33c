// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/operations/bound_operation.h"

namespace roofwalk {

/// Every different operation of a profile, modelled once however many launches carry it out.
class OperationTable {
  public:
    /// More different operations than this are not kept: a file of a million of them would fill the memory.
    static constexpr std::size_t most_operations = 100'000;

    /// The place of the operation, from 1, or why there is none.
    [[nodiscard]] Result<std::uint32_t> place_of(std::string_view text, BindingSource source,
                                                 std::string_view why);

    [[nodiscard]] std::vector<std::shared_ptr<const BoundOperation>> take() { return std::move(operations_); }
    [[nodiscard]] const BoundOperation& at(std::uint32_t place) const { return *operations_[place - 1]; }

  private:
    [[nodiscard]] Result<std::shared_ptr<const OperationModel>> model_of(const std::string& text);

    std::vector<std::shared_ptr<const BoundOperation>> operations_;
    std::unordered_map<std::string, std::uint32_t> places_;
    std::unordered_map<std::string, std::shared_ptr<const OperationModel>> models_;
};

}  // namespace roofwalk
