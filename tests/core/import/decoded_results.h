// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/import/ncu/ncu_container.h"
#include "core/import/ncu/ncu_result.h"

namespace roofwalk::test {

/// One result of a report with the table that names its metrics.
struct DecodedResult {
    ncu::ResultEntry entry;
    const ncu::StringTable* names = nullptr;
    std::uint32_t process = 0;
};

/// All results of a report, ranges and graphs included. The container must outlive them.
[[nodiscard]] std::vector<DecodedResult> decode_results(const ncu::Container& container);

/// The container of a report that must be sound enough to have one; throws otherwise.
[[nodiscard]] ncu::Container container_of(std::string_view report);

}  // namespace roofwalk::test
