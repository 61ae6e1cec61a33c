// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/import/csv/ncu_csv_reader.h"
#include "core/import/csv/ncu_text_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data),
                                size);  // NOLINT: bytes seen as characters
    for (const auto read : {roofwalk::read_ncu_csv, roofwalk::read_ncu_text}) {
        const auto profile = read(text, "fuzz.csv", {});
        if (!profile && profile.error().what.empty()) __builtin_trap();
    }
    return 0;
}
