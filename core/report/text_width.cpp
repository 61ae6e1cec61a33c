// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/text_width.h"

#include <algorithm>
#include <array>

namespace roofwalk {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Unicode 15, East Asian Width W and F, whole blocks where a block is nearly all wide.
constexpr std::array wide{Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2E80, 0x303E},
                          Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},
                          Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},
                          Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
                          Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF},
                          Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};
constexpr std::array no_width{Range{0x0300, 0x036F}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
                              Range{0x200B, 0x200D}, Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F},
                              Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}};

template <std::size_t Count>
bool in(const std::array<Range, Count>& ranges, char32_t c) {
    return std::ranges::any_of(ranges, [c](Range range) { return c >= range.first && c <= range.last; });
}

/// Takes the first character off valid UTF-8.
char32_t take_character(std::string_view& text, std::string_view& bytes) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    bytes = text.substr(0, length);
    text.remove_prefix(bytes.size());
    char32_t c = length == 1 ? lead : lead & (0x7FU >> length);
    for (const char next : bytes.substr(1))
        c = (c << 6) | (static_cast<unsigned char>(next) & 0x3FU);
    return c;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    std::string_view bytes;
    while (!text.empty()) {
        const char32_t c = take_character(text, bytes);
        width += in(wide, c) ? 2U : in(no_width, c) ? 0U : 1U;
    }
    return width;
}

}  // namespace roofwalk
