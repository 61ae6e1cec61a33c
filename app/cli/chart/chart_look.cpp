// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chart/chart_look.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "app/cli/console.h"
#include "app/cli/shared_options.h"
#include "core/base/text.h"

namespace roofwalk::cli {

namespace {

constexpr double least_on_axis = 1e-15;
constexpr double most_on_axis = 1e30;
constexpr double narrowest_range = 2;

/// "0.1:1000"
std::optional<Range> axis_range(std::string_view text) {
    const auto value = [](std::string_view part) {
        const double number = parse_number<double>(part).value_or(0);
        return number >= least_on_axis && number <= most_on_axis ? number : 0;
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const Range range{value(text.substr(0, colon)), value(text.substr(colon + 1))};
    if (range.lo <= 0 || range.hi < narrowest_range * range.lo) return std::nullopt;
    return range;
}

std::string axis_range_check(const std::string& text) {
    if (text == "all" || axis_range(text)) return {};
    return fmt::format(
        "'{}' is neither all nor a range of a logarithmic axis such as 0.1:1000, from {} to {}, the end at "
        "least twice the start",
        text, least_on_axis, most_on_axis);
}

/// Checks of the command line: what is wrong with the argument, or nothing.
std::string chart_size_check(const std::string& text) {
    if (page_of_size(text)) return {};
    const LengthUnit unit = unit_of(text);
    return fmt::format("'{}' is not a size such as 900x600, 3.5x2.8in or 89x70mm with sides of {} to {} {}",
                       text, std::ceil(100 * asked_sides[0] / unit.pixels) / 100,
                       std::floor(100 * asked_sides[1] / unit.pixels) / 100, unit.name);
}

}  // namespace

Theme ChartLook::colours() const {
    if (theme == "light") return Theme::light;
    return theme == "dark" ? Theme::dark : Theme::print;
}

PageSpec ChartLook::page(const std::optional<ChartView>& of_session) const {
    std::string_view by = size.empty() ? made_for : size;
    if (by.empty() && theme == "print") by = figure_uses.front().id;
    PageSpec page = with_letters(page_named(by).value_or(PageSpec{}), font_size);
    page.legend = enum_from_id<LegendPlace>(legend).value_or(page.legend);
    page.caption = caption != "off";
    page.key = key != "latex";
    page.x = x_range.empty() && of_session ? of_session->x : axis_range(x_range);
    page.y = y_range.empty() && of_session ? of_session->y : axis_range(y_range);
    return page;
}

double ChartLook::dots_per_inch() const {
    if (dpi) return *dpi;
    ChartLook by_size = *this;
    by_size.font_size.reset();
    return usual_dots_per_inch(by_size.page());
}

void say_changed(const PageSpec& asked, const PagePlacement& laid) {
    if (laid.legend_moved)
        say_warning(std::string(asked.legend == LegendPlace::inside
                                    ? "No corner of the plot has room for the legend"
                                    : "A page so narrow has no room for a legend beside the plot") +
                    ": it stands above the plot.");
    if (!laid.outside.empty()) say_warning("Not drawn: " + laid.outside + ".");
    if (const std::string words = lack_of_room(asked, laid.page); !words.empty()) {
        std::string remedies = "A larger --size";
        if (asked.legend != LegendPlace::off) remedies += ", --legend off";
        if (asked.caption) remedies += ", --caption off";
        if (!laid.page.key.empty()) remedies += ", --key latex";
        if (const std::size_t last = remedies.rfind(", "); last != std::string::npos)
            remedies.replace(last, 2, " or ");
        say_warning(words + " " + remedies + " makes room.");
    }
}

void add_look_options(CLI::App& verb, ChartLook& look, const std::function<bool()>& is_png) {
    verb.add_option("--theme", look.theme, "colours")
        ->check(CLI::IsMember({"print", "light", "dark"}))
        ->capture_default_str();
    std::vector<std::string> uses;
    for (const FigureUse& use : figure_uses)
        uses.emplace_back(use.id);
    CLI::Option* made_for =
        verb.add_option(
                "--for", look.made_for,
                "what the figure is made for, with letters of 7 to 9 points there. It is a column of 3.5 in, a page "
                "of 7 in, or a slide of 10 in. Column and page are as high as legend and caption need. Without a "
                "size, print is for a column, and other colours are 900x600")
            ->check(CLI::IsMember(uses));
    verb.add_option("--size", look.size,
                    "width and height in pixels, inches or millimetres: 900x600, 3.5x2.8in, 89x70mm")
        ->type_name("WxH")
        ->check(chart_size_check)
        ->excludes(made_for);
    verb.add_option(
            "--font-size", look.font_size,
            fmt::format(
                "of most letters, in points; lines and markers match it. Without it by the size: {} where "
                "that is in inches or millimetres. Down to {} where not all words have room, to 5 where "
                "legend or caption would be cut",
                usual_letters, least_letters))
        ->type_name("PT")
        ->check(number_between(asked_letters[0], asked_letters[1]));
    verb.add_option(
            "--dpi", look.dpi,
            "pixels of a PNG to the inch: without it 300 of a size on paper, else 96, which are those "
            "of the size")
        ->type_name("N")
        ->check(number_between(24, 1200))
        ->check([is_png](const std::string&) {
            return is_png() ? "" : "only a PNG has pixels to the inch: -o FILE.png";
        });
    verb.add_option("--legend", look.legend, "where the legend stands; inside in an empty corner, else above")
        ->check(CLI::IsMember({"above", "inside", "beside", "off"}))
        ->capture_default_str();
    verb.add_option("--caption", look.caption, "the words below the chart")
        ->check(CLI::IsMember({"on", "off"}))
        ->capture_default_str();
    verb.add_option(
            "--x-range", look.x_range,
            "arithmetic intensity from and to, in FLOP/byte, so that charts have the same axes, or all; the caption "
            "tells what is outside")
        ->type_name("LO:HI|all")
        ->check(axis_range_check);
    verb.add_option("--y-range", look.y_range, "performance from and to, in FLOP/s: 1e10:1e14, or all")
        ->type_name("LO:HI|all")
        ->check(axis_range_check);
    verb.add_option("--title", look.title, "title above the chart");
}

}  // namespace roofwalk::cli
