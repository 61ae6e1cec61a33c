// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/layout/text_metrics.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace roofwalk {

namespace {

/// Advance widths of Liberation Sans Regular for U+0020 to U+007E, in 1/2048 of the font size.
constexpr std::array<std::uint16_t, 95> advances{
    569,  569,  727,  1139, 1139, 1821, 1366, 391,  682,  682,  797,  1196, 569,  682,  569,  569,
    1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 1139, 569,  569,  1196, 1196, 1196, 1139,
    2079, 1366, 1366, 1479, 1479, 1366, 1251, 1593, 1479, 569,  1024, 1366, 1139, 1706, 1479, 1593,
    1366, 1593, 1479, 1366, 1251, 1479, 1366, 1933, 1366, 1366, 1251, 569,  569,  569,  961,  1139,
    682,  1139, 1139, 1024, 1139, 1139, 569,  1139, 1139, 455,  455,  1024, 455,  1706, 1139, 1139,
    1139, 1139, 682,  1024, 569,  1139, 1024, 1479, 1024, 1024, 1024, 684,  532,  684,  1196};
constexpr double units_per_em = 2048;

/// Latin, Greek and Cyrillic letters are no wider than a capital M but for a few; everything beyond counts as
/// a full square.
constexpr unsigned two_byte_advance = 1706;
constexpr unsigned wide_advance = 2048;

constexpr std::string_view ellipsis = "…";

/// Width of the code point that starts with `byte`; continuation bytes have none.
unsigned advance_of(unsigned char byte) {
    if (byte >= 0x20 && byte < 0x7F) return advances[byte - 0x20U];
    if (byte >= 0x80 && byte < 0xC0) return 0;
    return byte < 0xE0 ? two_byte_advance : wide_advance;
}

bool is_within_letter(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

/// How many bytes from the start of a text fit, in whole letters.
std::size_t fitting(std::string_view text, double size, double room) {
    double used = 0;
    std::size_t end = 0;
    while (end < text.size()) {
        used += text_width(text.substr(end, 1), size);
        if (used > room) break;
        ++end;
        while (end < text.size() && is_within_letter(text[end]))
            ++end;
    }
    return end;
}

/// How many bytes of a word that is longer than a line stand in it: its parts that fit, else its letters.
std::size_t part_in_line(std::string_view word, double size, double width) {
    const std::size_t fits = fitting(word, size, width);
    const std::size_t part = word.substr(0, fits).find_last_of("_:<,/");
    if (part != std::string_view::npos) return part + 1;
    return fits > 0 ? fits : word.size();
}

}  // namespace

double text_width(std::string_view text, double size) {
    unsigned long units = 0;
    for (const char c : text)
        units += advance_of(static_cast<unsigned char>(c));
    return static_cast<double>(units) * size / units_per_em;
}

std::string elided(std::string_view text, double size, double width, Elide where) {
    if (text_width(text, size) <= width) return std::string(text);
    const double room = std::max(0.0, width - text_width(ellipsis, size));
    const std::size_t head = fitting(text, size, where == Elide::end ? room : room / 2);
    std::size_t tail = text.size();
    double left = where == Elide::middle ? room - text_width(text.substr(0, head), size) : 0;
    for (std::size_t letter = tail; letter > head && left > 0;) {
        do
            --letter;
        while (letter > head && is_within_letter(text[letter]));
        left -= text_width(text.substr(letter, 1), size);
        if (left >= 0) tail = letter;
    }
    return std::string(text.substr(0, head)) + std::string(ellipsis) + std::string(text.substr(tail));
}

CaptionLines caption_lines(const std::string& caption, double size, double width, std::size_t most) {
    CaptionLines laid;
    std::vector<std::string>& lines = laid.lines;
    std::size_t begin = 0;
    while (begin < caption.size()) {
        const std::size_t stop = caption.find("; ", begin);
        const std::size_t end = stop == std::string::npos ? caption.size() : stop;
        const std::string part = caption.substr(begin, end - begin);
        const std::string joined = lines.empty() ? part : lines.back() + "; " + part;
        const bool fits = text_width(joined, size) <= width;
        if (lines.empty() || (!fits && lines.size() < most))
            lines.push_back(part);
        else
            lines.back() = joined;
        begin = stop == std::string::npos ? caption.size() : stop + 2;
    }
    for (std::string& line : lines) {
        laid.cut = laid.cut || text_width(line, size) > width;
        line = elided(line, size, width);
    }
    return laid;
}

std::vector<std::string> wrapped(std::string_view text, double size, double width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        while (!word.empty() && text_width(word, size) > width) {
            const std::size_t part = part_in_line(word, size, width);
            lines.emplace_back(word.substr(0, part));
            word.remove_prefix(part);
        }
        const std::string joined = lines.empty() ? std::string(word) : lines.back() + " " + std::string(word);
        if (lines.empty() || text_width(joined, size) > width)
            lines.emplace_back(word);
        else
            lines.back() = joined;
    }
    return lines;
}

}  // namespace roofwalk
