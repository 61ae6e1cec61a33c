// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/model/memory_level.h"
#include "core/roofline/verdict.h"

namespace roofwalk {

struct Colour {
    std::uint8_t r = 0;
    std::uint8_t g = 0;
    std::uint8_t b = 0;

    friend bool operator==(const Colour&, const Colour&) = default;
};

[[nodiscard]] std::string to_hex(Colour colour);  ///< "#0072b2"

enum class Theme : std::uint8_t { light, dark, print };

/// Every colour of the chart under one theme; categorical colours have the hues of Okabe and Ito's.
struct Palette {
    Colour background;
    Colour plot;  ///< behind the plot area
    Colour text;
    Colour faint_text;
    Colour axis;
    Colour grid;
    Colour minor_grid;
    Colour roof;        ///< compute roofs and the HBM slope
    Colour faint_roof;  ///< practical and non-binding roofs
    Colour highlight;   ///< selection, binding roof, gap arrows
    Colour memory_zone;
    Colour compute_zone;
};

[[nodiscard]] const Palette& palette_of(Theme theme);
/// Those of kernels in the plot, and of low use that is_bound_by_unit(), differ by at least 12 L* at
/// dot_opacity in a grey copy and to the colour blind.
[[nodiscard]] Colour colour_of(KernelClass kernel_class, Theme theme, bool by_unit = false);
/// Of a filled dot, whose edge has the colour of the axes.
inline constexpr double dot_opacity = 0.95;
/// For a line or an outline of what has this fill: the fill, darker or lighter where the plot would hide it.
[[nodiscard]] Colour line_colour(Colour fill, Theme theme);
/// Black or white, whichever is seen better on a fill.
[[nodiscard]] Colour ink_on(Colour fill);

/// A stroke of a mark, in a circle of radius 1 about the origin, y downwards.
struct MarkStroke {
    double from_x = 0;
    double from_y = 0;
    double to_x = 0;
    double to_y = 0;
};
/// The mark in the middle of a dot that tells its class without colour, one of its own for low use that
/// is_bound_by_unit(); empty: none.
[[nodiscard]] std::span<const MarkStroke> mark_of(KernelClass kernel_class, bool by_unit = false);
/// Index into Scene::dot_colours: of the class, or after those of all classes.
[[nodiscard]] std::uint8_t class_look(const Verdict& verdict);
[[nodiscard]] std::uint8_t class_look(KernelClass kernel_class, bool by_unit);
/// The mark of a report by the number of its colour: the first has none.
[[nodiscard]] std::span<const MarkStroke> mark_of_report(std::size_t colour);
/// Half of the width of a mark in a dot of a radius, and the width of its strokes [px].
[[nodiscard]] double dot_mark_half_width(double radius);
inline constexpr double mark_pen = 1.2;
/// One of eight categorical colours, for kernel groups and pipes.
[[nodiscard]] Colour categorical_colour(std::size_t index, Theme theme);

}  // namespace roofwalk
