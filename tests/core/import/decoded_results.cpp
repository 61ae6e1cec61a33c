// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/import/decoded_results.h"

#include <stdexcept>

namespace roofwalk::test {

std::vector<DecodedResult> decode_results(const ncu::Container& container) {
    std::vector<DecodedResult> results;
    for (const ncu::Block& block : container.blocks) {
        ncu::EntryCursor entries(block);
        while (const auto entry = entries.next())
            results.push_back(
                {ncu::decode_result(*entry, entries.kind()), &container.tables[block.table], block.process});
    }
    return results;
}

ncu::Container container_of(std::string_view report) {
    auto container = ncu::scan_container(report);
    if (!container) throw std::runtime_error(to_line(container.error()));
    return std::move(*container);
}

}  // namespace roofwalk::test
