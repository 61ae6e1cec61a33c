// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace roofwalk {

/// Font families of the chart, best first: the first three share their metrics, so that a chart laid out here
/// looks the same where another of them is installed.
inline constexpr std::string_view chart_fonts = "Liberation Sans, Arial, Helvetica, sans-serif";

/// Parts of the font size above and below the baseline that text may cover.
inline constexpr double text_ascent = 0.78;
inline constexpr double text_descent = 0.22;
inline constexpr double text_line = 1.15;  ///< from one baseline to the next

/// Width of a text in the chart's font at `size` [px], from a width table: close, never short.
[[nodiscard]] double text_width(std::string_view text, double size);

/// Where a text is cut; in the middle where its end tells it from others.
enum class Elide : std::uint8_t { end, middle };
/// `text`, or as much of it as fits into `width` px with "…".
[[nodiscard]] std::string elided(std::string_view text, double size, double width, Elide where = Elide::end);

struct CaptionLines {
    std::vector<std::string> lines;
    bool cut = false;  ///< one of them lost its end
};

/// A caption at font size `size` in at most `most` lines of `width` px, broken at "; "; what is too long ends
/// in "…".
[[nodiscard]] CaptionLines caption_lines(const std::string& caption, double size, double width,
                                         std::size_t most);

/// All of a text in lines of `width` px, broken at spaces, and longer words in them.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, double size, double width);

}  // namespace roofwalk
