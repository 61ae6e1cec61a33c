// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/chart/chart_look.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <optional>

namespace roofwalk::cli {

namespace {

constexpr int smallest_side = 200;
constexpr int largest_side = 10'000;

std::optional<int> side(std::string_view text) {
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (value < smallest_side || value > largest_side) return std::nullopt;
    return value;
}

/// "900x600", each side 200 to 10,000 px.
std::optional<PageSize> chart_size(const std::string& text) {
    const std::size_t cross = text.find('x');
    if (cross == std::string::npos) return std::nullopt;
    const auto width = side(std::string_view(text).substr(0, cross));
    const auto height = side(std::string_view(text).substr(cross + 1));
    if (!width || !height) return std::nullopt;
    PageSize size;
    size.width = *width;
    size.height = *height;
    return size;
}

/// Checks of the command line: what is wrong with the argument, or nothing.
std::string chart_size_check(const std::string& text) {
    if (chart_size(text)) return {};
    return "'" + text + "' is not a size such as 900x600 with sides of 200 to 10000 px";
}

}  // namespace

Theme ChartLook::colours() const {
    if (theme == "light") return Theme::light;
    return theme == "dark" ? Theme::dark : Theme::print;
}

PageSize ChartLook::page() const {
    return chart_size(size).value_or(PageSize{});
}

std::string svg_target(const std::string& file) {
    const std::string suffix = std::filesystem::path(file).extension();
    if (suffix != ".png" && suffix != ".pdf") return {};
    return "the chart is written as SVG; write a .svg and convert it, for example with rsvg-convert";
}

void add_look_options(CLI::App& verb, ChartLook& look) {
    verb.add_option("--theme", look.theme, "colours")
        ->check(CLI::IsMember({"print", "light", "dark"}))
        ->capture_default_str();
    verb.add_option("--size", look.size, "width and height in pixels")
        ->type_name("WxH")
        ->check(chart_size_check)
        ->capture_default_str();
    verb.add_option("--title", look.title, "title above the chart");
}

}  // namespace roofwalk::cli
