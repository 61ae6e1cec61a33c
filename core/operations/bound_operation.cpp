// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/bound_operation.h"

#include "core/base/enum_array.h"

namespace roofwalk {

namespace {

constexpr EnumArray<BindingSource, std::string_view, 4> source_ids{"profile", "user", "rule", "suggestion"};

}  // namespace

std::string_view id_of(BindingSource source) {
    return source_ids[source];
}

std::shared_ptr<const BoundOperation> LaunchOperations::of(LaunchIndex launch) const {
    const auto index = static_cast<std::size_t>(launch);
    if (index >= of_launch.size() || of_launch[index] == 0) return nullptr;
    return operations[of_launch[index] - 1];
}

}  // namespace roofwalk
