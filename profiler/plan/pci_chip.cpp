// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/pci_chip.h"

#include <algorithm>
#include <array>

namespace roofwalk {

namespace {

struct Block {
    std::uint16_t first;
    std::uint16_t last;
    std::string_view chip;
};

/// Blocks of the PCI ID repository (pci-ids.ucw.cz/read/PC/10de).
constexpr auto blocks = std::to_array<Block>({
    {0x1d80, 0x1dff, "GV100"}, {0x1e00, 0x1e7f, "TU102"}, {0x1e80, 0x1eff, "TU104"},
    {0x1f00, 0x1f7f, "TU106"}, {0x1f80, 0x1fff, "TU117"}, {0x2080, 0x20ff, "GA100"},
    {0x2180, 0x21ff, "TU116"}, {0x2200, 0x227f, "GA102"}, {0x2300, 0x237f, "GH100"},
    {0x2400, 0x247f, "GA103"}, {0x2480, 0x24ff, "GA104"}, {0x2500, 0x257f, "GA106"},
    {0x2580, 0x25ff, "GA107"}, {0x2680, 0x26ff, "AD102"}, {0x2700, 0x277f, "AD103"},
    {0x2780, 0x27ff, "AD104"}, {0x2800, 0x287f, "AD106"}, {0x2880, 0x28ff, "AD107"},
    {0x2900, 0x297f, "GB100"}, {0x2b80, 0x2bff, "GB202"}, {0x2c00, 0x2c7f, "GB203"},
    {0x2d00, 0x2d7f, "GB206"}, {0x2d80, 0x2dff, "GB207"}, {0x2f00, 0x2f7f, "GB205"},
    {0x3180, 0x31ff, "GB110"},
});

}  // namespace

std::string_view chip_of_pci_device(std::uint16_t device) {
    const auto found = std::ranges::find_if(
        blocks, [&](const Block& block) { return block.first <= device && device <= block.last; });
    return found == blocks.end() ? std::string_view() : found->chip;
}

}  // namespace roofwalk
