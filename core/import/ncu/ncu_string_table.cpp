// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/import/ncu/ncu_string_table.h"

#include <algorithm>

#include "core/base/text.h"

namespace roofwalk::ncu {

bool StringTable::holds_any(const std::vector<std::string_view>& names) const {
    return std::ranges::any_of(names, [&](std::string_view name) { return ids_.contains(name); });
}

void StringTable::append(const std::vector<std::string_view>& names) {
    for (const std::string_view name : names) {
        const bool fresh = ids_.emplace(name, static_cast<std::uint32_t>(names_.size())).second;
        names_.push_back(name);
        if (!is_plain_text(name)) ++damaged_;
        if (!fresh) ++repeated_;
    }
}

std::optional<std::uint32_t> StringTable::find(std::string_view name) const {
    const auto it = ids_.find(name);
    if (it == ids_.end()) return std::nullopt;
    return it->second;
}

}  // namespace roofwalk::ncu
