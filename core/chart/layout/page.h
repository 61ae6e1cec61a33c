// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/enum_array.h"
#include "core/base/error.h"
#include "core/chart/layout/density.h"
#include "core/chart/layout/layout.h"

/// The page of an exported chart: one plan for SVG, PNG and PDF.
namespace roofwalk {

/// A page with more dots shades.
inline constexpr std::size_t most_page_dots = 5'000;
/// So many kernels (or launches: what a point stands for) stay dots over shading: those with most time, and
/// of those selected again those with most time.
inline constexpr std::size_t longest_on_page = 500;

/// Which dots a page draws one by one. A page is for people and papers: of more dots than can be told apart
/// it shades how many stand where, and only those that matter most stay dots.
struct PageDots {
    std::vector<bool> drawn;     ///< by point: with its dots; empty: every one
    std::size_t longest = 0;     ///< points drawn because they have most time
    std::size_t selected = 0;    ///< points drawn because they are selected
    std::size_t unringed = 0;    ///< selected points that are not drawn
    std::size_t off_rails = 0;   ///< dots that a rail leaves out, each where a longer one stands
    std::vector<float> log_x{};  ///< natural logarithms of the places of the dots that are shading
    std::vector<float> log_y{};

    [[nodiscard]] bool draws(std::uint32_t point) const { return drawn.empty() || drawn[point]; }
    /// How many dots are shading; 0 where each is drawn.
    [[nodiscard]] std::size_t shaded() const { return log_x.size(); }
};

/// Beside the longest, those with a gap, a target, a path or a name are dots whatever their time.
[[nodiscard]] PageDots page_dots(const Scene& scene);

/// Where those that are shading stand, in cells of `density_cell`, or larger ones where few dots would be
/// snow, and on a page so large that a file would be all cells.
[[nodiscard]] DensityMap density_of(const PageDots& dots, const View& view);

/// For the caption: "2,998,500 of 3,000,000 dots are shading, stronger where more stand; the 500 longest
/// launches are dots"; empty where each is drawn.
[[nodiscard]] std::string page_dots_words(const Scene& scene, const PageDots& dots);

inline constexpr double page_pixels_per_inch = 96;
inline constexpr double page_pixels_per_point = page_pixels_per_inch / 72;

struct PageSize {
    double width = 0;   ///< [px]
    double height = 0;  ///< [px]
};

/// too_large, with what a person can do, where a picture of so many pixels would take more than 1 GB.
[[nodiscard]] Result<void> refuse_huge_picture(const PageSize& pixels, std::string hint);

enum class LegendPlace : std::uint8_t { above, inside, beside, off };
template <>
inline constexpr EnumIds<LegendPlace, 4> enum_ids<LegendPlace>{"above", "inside", "beside", "off"};

/// What a page shall be.
struct PageSpec {
    double width = 900;   ///< [px]; a large chart is a small one scaled up, lines and letters too
    double height = 600;  ///< [px]
    /// Font size of most letters [px], lines and markers to match; smaller where the page has no room for
    /// them. Absent: by the size of the page.
    std::optional<double> letters = {};
    /// The page is as much higher as a whole legend and a whole caption need, then where labels lack room.
    bool grows = false;
    LegendPlace legend = LegendPlace::above;  ///< inside: in an empty corner of the plot, else above it
    bool caption = true;
    bool captioned_values = true;   ///< of roofs, as in View; never without a caption
    bool captioned_kernels = true;  ///< likewise
    bool key = true;                ///< Scene::key, where it has rows
    std::optional<Range> x = {};    ///< of the axes; absent: those of the scene
    std::optional<Range> y = {};
    /// Letters may be as small as this where not all words have room in larger ones [px].
    std::optional<double> least_letters = {};
};

/// Most letters of a figure with a size on paper, and the smallest where not all words have room [pt].
inline constexpr double usual_letters = 8;
inline constexpr double least_letters = 6.6;
/// What a person may ask for: letters [pt] and sides [px].
inline constexpr std::array asked_letters{4.0, 72.0};
inline constexpr std::array asked_sides{200.0, 10'000.0};

/// In what the sides of a page are given: the end of "89x70mm".
struct LengthUnit {
    std::string_view name;
    double pixels = 1;
};
inline constexpr std::array length_units{LengthUnit{"in", page_pixels_per_inch},
                                         LengthUnit{"mm", page_pixels_per_inch / 25.4}, LengthUnit{"px", 1}};
/// Of a size: "px" where it names none.
[[nodiscard]] LengthUnit unit_of(std::string_view size);
/// "900x600", "3.5x2.8in", "89x70mm": a page of this size, whose letters follow it, and on paper have points.
/// Absent where it is none, or a side is too long or too short.
[[nodiscard]] std::optional<PageSpec> page_of_size(std::string_view size);
/// With letters of so many points, however little room there is; without a number as it is.
[[nodiscard]] PageSpec with_letters(PageSpec page, std::optional<double> points);
/// Of a PNG, by a size whose letters nobody chose: as on paper, else so that its pixels are those of the
/// size.
[[nodiscard]] double usual_dots_per_inch(const PageSpec& by_size);

/// What a figure is made for, at the size that it has there: letters of 7 to 9 points.
struct FigureUse {
    std::string_view id;
    PageSpec page;
};
inline constexpr std::array figure_uses{
    FigureUse{"column", {336, 270, 7.7 * page_pixels_per_point, true}},  // 3.5 in
    FigureUse{"page", {672, 420, 8 * page_pixels_per_point, true}},      // 7 in
    FigureUse{"slide", {960, 540, 8.25 * page_pixels_per_point}}};       // 16:9, 10 in
/// Of one of these by its id, or of a size.
[[nodiscard]] std::optional<PageSpec> page_named(std::string_view use_or_size);

/// A row of the legend in its place: the sample, then the text.
struct PlacedLegendRow {
    LegendRow row;
    PointF at;  ///< start of the sample, on the text's baseline
};

/// Where everything stands: title, legend, plot, axes, caption, from top to bottom. All places are in pixels
/// of the drawing, which `scale` brings to the size that was asked for.
struct Page {
    PageSize drawing;
    double scale = 1;
    bool on_paper = false;  ///< letters of a given size: it is told in millimetres
    View view;
    std::vector<Tick> x_ticks;
    std::vector<Tick> y_ticks;
    std::vector<PlacedText> tick_labels;
    std::vector<PlacedLegendRow> legend;
    std::optional<RectF> legend_ground;  ///< of one inside the plot
    PlacedText title;                    ///< empty without one
    PlacedText x_label;
    PlacedText y_label;
    std::vector<PlacedText> caption;     ///< lines, cut to the page
    bool whole = true;                   ///< nothing of legend and caption is left out
    bool fits = true;                    ///< the plot has room beside axes, legend, caption and key
    std::vector<PlacedText> key;         ///< the cells of Scene::key below it, as many rows as have room
    std::vector<PlacedText> empty_note;  ///< its lines; empty when there are dots

    /// What was asked for, or higher where it grows [px].
    [[nodiscard]] PageSize size() const { return {scale * drawing.width, scale * drawing.height}; }
    [[nodiscard]] double letters() const;  ///< most of them [pt]
    /// Where the note of an empty chart stands, else the legend inside the plot; absent without both.
    [[nodiscard]] std::optional<RectF> reserved() const;
    [[nodiscard]] double x_of(const Tick& tick) const;
    [[nodiscard]] double y_of(const Tick& tick) const;
};

inline constexpr double page_title_size =
    14;  ///< and no more than `figure_title_size` over letters of a given size
inline constexpr double figure_title_size = 12;
inline constexpr double page_text_size = 11;
inline constexpr double page_small_size = 10;
inline constexpr double page_line_height = 16;
inline constexpr double page_caption_height = 13;  ///< of a line
inline constexpr double page_sample_width = 15;    ///< of a legend row, with the gap to its text
inline constexpr double page_tick_length = 4;      ///< outwards; half of it without a number

/// The corner of a legend inside the plot, 1 at the right and at the foot, and how long its lines may be
/// [px].
struct LegendCorner {
    PointF at;
    double width = 0;
};

/// `note` begins the caption, `shading` the legend; without `corner` no legend stands inside the plot.
[[nodiscard]] Page plan_page(const Scene& scene, const PageSpec& spec, const std::string& note = {},
                             const std::string& shading = {}, const std::optional<LegendCorner>& corner = {});

/// A page and what stands in its plot; the caption says what found no place there, and of what is shaded.
struct PagePlacement {
    Page page;
    Layout layout;
    PageDots dots;
    DensityMap density;         ///< empty where every dot is drawn
    bool legend_moved = false;  ///< above the plot, which has no room for one inside or beside it
    /// What ranges of axes leave out: "2 kernels outside the axes: saxpy, sgemm; roof outside the axes:
    /// FP32".
    std::string outside{};
};
[[nodiscard]] PagePlacement lay_out_page(const Scene& scene, PageSpec spec);
/// "There is no room for letters of 12 pt: those of the figure have 9.5 pt.": what of letters, legend and
/// caption that were asked for is not so for want of room, empty where all is.
[[nodiscard]] std::string lack_of_room(const PageSpec& asked, const Page& page);

}  // namespace roofwalk
