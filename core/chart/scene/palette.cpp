// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/chart/scene/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/roofline/verdict_words.h"

namespace roofwalk {

namespace {

constexpr Colour rgb(unsigned hex) {
    return Colour{static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U & 0xFFU),
                  static_cast<std::uint8_t>(hex & 0xFFU)};
}

constexpr EnumArray<Theme, Palette, 3> palettes{Palette{.background = rgb(0xfafafa),
                                                        .plot = rgb(0xffffff),
                                                        .text = rgb(0x1f2328),
                                                        .faint_text = rgb(0x59636e),
                                                        .axis = rgb(0x59636e),
                                                        .grid = rgb(0xdfe2e6),
                                                        .minor_grid = rgb(0xf1f2f4),
                                                        .roof = rgb(0x2f363d),
                                                        .faint_roof = rgb(0x828b95),
                                                        .highlight = rgb(0xb3261e),
                                                        .memory_zone = rgb(0xeaf3fa),
                                                        .compute_zone = rgb(0xfdf4e3)},
                                                Palette{.background = rgb(0x1b1e23),
                                                        .plot = rgb(0x15171b),
                                                        .text = rgb(0xe6e8eb),
                                                        .faint_text = rgb(0xa3abb5),
                                                        .axis = rgb(0x8b949e),
                                                        .grid = rgb(0x30353c),
                                                        .minor_grid = rgb(0x22262b),
                                                        .roof = rgb(0xd0d5db),
                                                        .faint_roof = rgb(0x747c86),
                                                        .highlight = rgb(0xff7b72),
                                                        .memory_zone = rgb(0x162430),
                                                        .compute_zone = rgb(0x2a2316)},
                                                Palette{.background = rgb(0xffffff),
                                                        .plot = rgb(0xffffff),
                                                        .text = rgb(0x000000),
                                                        .faint_text = rgb(0x444444),
                                                        .axis = rgb(0x000000),
                                                        .grid = rgb(0xdddddd),
                                                        .minor_grid = rgb(0xf2f2f2),
                                                        .roof = rgb(0x000000),
                                                        .faint_roof = rgb(0x777777),
                                                        .highlight = rgb(0x990000),
                                                        .memory_zone = rgb(0xf4f8fb),
                                                        .compute_zone = rgb(0xfcf8f0)}};

/// In the order they are handed out: the hues of Okabe and Ito's eight, of a lightness that stands out from
/// every ground and parts neighbours for the colour blind too. The last one, which is the text colour in
/// their set, is a neutral grey: that of "all others".
constexpr std::size_t category_count = 8;
constexpr std::array<Colour, category_count> on_white{rgb(0x1f4a96), rgb(0xbe7c1a), rgb(0x17714e),
                                                      rgb(0xd850a8), rgb(0x8e2216), rgb(0x388cdb),
                                                      rgb(0x766d02), rgb(0x666d75)};
constexpr std::array<Colour, category_count> on_black{rgb(0x378de3), rgb(0xf6a824), rgb(0x2aba77),
                                                      rgb(0xc171a5), rgb(0xe86a3b), rgb(0x73d7ff),
                                                      rgb(0xf9f675), rgb(0xb2b1ae)};

constexpr std::size_t grey = category_count - 1;

constexpr std::array upright{MarkStroke{0, -1, 0, 1}};
constexpr std::array bar{MarkStroke{-1, 0, 1, 0}};
constexpr std::array slash{MarkStroke{-0.7, 0.7, 0.7, -0.7}};
constexpr std::array backslash{MarkStroke{-0.7, -0.7, 0.7, 0.7}};
constexpr std::array cross{MarkStroke{0, -1, 0, 1}, MarkStroke{-1, 0, 1, 0}};
constexpr std::array diagonal_cross{MarkStroke{-0.7, -0.7, 0.7, 0.7}, MarkStroke{-0.7, 0.7, 0.7, -0.7}};
constexpr std::array chevron{MarkStroke{-0.8, -0.5, 0, 0.6}, MarkStroke{0, 0.6, 0.8, -0.5}};

struct ClassLook {
    Colour on_white;
    Colour on_black;
    std::span<const MarkStroke> mark = {};
};
constexpr ClassLook not_placed{on_white[grey], on_black[grey]};

/// Every dot has an edge. With that of low use by a unit eight steps of lightness, 12 L* or more each at the
/// opacity of a dot, in grey and to the colour blind. On black near_roof has a contrast of 3 by its fill
/// alone: it is what a tuned kernel shows.
constexpr EnumArray<KernelClass, ClassLook> class_looks{
    ClassLook{rgb(0x053d82), rgb(0x6b90b9)},                  // memory_bound
    ClassLook{rgb(0xeba315), rgb(0xe8da95), upright},         // compute_bound
    ClassLook{rgb(0xc769be), rgb(0xc8aad7), bar},             // latency_bound
    ClassLook{rgb(0xe6da8f), rgb(0xfffffe), slash},           // low_use
    ClassLook{rgb(0x002611), rgb(0x317a59), cross},           // near_roof
    ClassLook{rgb(0x040105), rgb(0x010002), diagonal_cross},  // above_roof
    not_placed,                                               // no_flop
    not_placed,                                               // no_traffic
    not_placed,                                               // only_timed
    ClassLook{rgb(0xfdffff), rgb(0x132430), chevron},         // work_incomplete
    not_placed};                                              // not_measured
constexpr ClassLook low_use_by_unit{rgb(0x66616c), rgb(0x004098), backslash};

const ClassLook& look_of(KernelClass kernel_class, bool by_unit) {
    return by_unit ? low_use_by_unit : class_looks[kernel_class];
}

/// Relative luminance as WCAG 2.1 defines it.
double luminance(Colour colour) {
    const auto linear = [](std::uint8_t channel) {
        const double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

}  // namespace

std::string to_hex(Colour colour) {
    return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

const Palette& palette_of(Theme theme) {
    return palettes[theme];
}

Colour colour_of(KernelClass kernel_class, Theme theme, bool by_unit) {
    const ClassLook& look = look_of(kernel_class, by_unit);
    return theme == Theme::dark ? look.on_black : look.on_white;
}

Colour line_colour(Colour fill, Theme theme) {
    // A contrast of 3 on every ground, also where the line stands back.
    constexpr double lightest_line = 0.19;
    constexpr double darkest_line = 0.18;
    const int away = theme == Theme::dark ? 255 : 0;
    const auto nearer = [&](std::uint8_t channel) {
        return static_cast<std::uint8_t>((channel * 15 + away) / 16);
    };
    while (away > 0 ? luminance(fill) < darkest_line : luminance(fill) > lightest_line)
        fill = {nearer(fill.r), nearer(fill.g), nearer(fill.b)};
    return fill;
}

Colour ink_on(Colour fill) {
    constexpr double as_far_from_both = 0.179;
    return luminance(fill) > as_far_from_both ? rgb(0x000000) : rgb(0xffffff);
}

std::span<const MarkStroke> mark_of(KernelClass kernel_class, bool by_unit) {
    return look_of(kernel_class, by_unit).mark;
}

std::uint8_t class_look(const Verdict& verdict) {
    return class_look(verdict.kernel_class, is_bound_by_unit(verdict));
}

std::uint8_t class_look(KernelClass kernel_class, bool by_unit) {
    return by_unit ? std::uint8_t{enumerators<KernelClass>.size()} : static_cast<std::uint8_t>(kernel_class);
}

std::span<const MarkStroke> mark_of_report(std::size_t colour) {
    constexpr std::array<std::span<const MarkStroke>, 8> marks{
        {{}, upright, bar, slash, cross, diagonal_cross, chevron, backslash}};
    return marks[std::min(colour, marks.size() - 1)];
}

double dot_mark_half_width(double radius) {
    constexpr double share = 0.5;
    constexpr double least = 1.8;
    constexpr double most = 4.5;
    return std::clamp(share * radius, least, most);
}

Colour categorical_colour(std::size_t index, Theme theme) {
    const auto& categories = theme == Theme::dark ? on_black : on_white;
    return categories[index % category_count];
}

}  // namespace roofwalk
