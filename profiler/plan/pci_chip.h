// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace roofwalk {

/// The chip of a GPU by its PCI device number (vendor 0x10DE), as CUPTI calls it: NVIDIA gives numbers of a
/// chip in blocks of 128. Empty where the block is not known. CUPTI's own name, which needs a context
/// on the GPU, goes before it.
[[nodiscard]] std::string_view chip_of_pci_device(std::uint16_t device);

}  // namespace roofwalk
