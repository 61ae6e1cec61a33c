// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/ceiling.h"
#include "core/model/device.h"

namespace roofwalk {

/// The text of `resources/devices.json`, built into the program.
[[nodiscard]] std::string_view devices_json();

/// The GPUs of it: datasheet figures, dense, with the clock each one holds at.
[[nodiscard]] std::span<const Device> known_devices();

/// One row of the built-in table: a GPU and the words that tell it from its variants.
struct KnownDevice {
    Device device;
    std::vector<std::string> model;        ///< words in order, lower case: {"rtx", "4090"}
    std::string form;                      ///< "sxm", "pcie", "nvl"; empty where there is one only
    std::string memory_type;               ///< "hbm2", "hbm3e", "gddr6x", "lpddr5"
    double memory_gib = 0;                 ///< as it is sold
    std::vector<CeilingTarget> published;  ///< whose first ceiling is a figure that the maker prints

    [[nodiscard]] MemoryName memory() const {
        return memory_type.starts_with("hbm") ? MemoryName::hbm : MemoryName::dram;
    }
};

/// Whether the maker prints that figure of a row; the others of the table follow from clocks and cycles.
[[nodiscard]] bool is_of_datasheet(const Device& device, const CeilingTarget& target);

/// Every row, in the order of the file: of several that fit a name the first is the usual one.
[[nodiscard]] std::span<const KnownDevice> known_device_rows();

}  // namespace roofwalk
