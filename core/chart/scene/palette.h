// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
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

/// Every colour of the chart under one theme; categorical colours are Okabe and Ito's.
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
[[nodiscard]] Colour colour_of(KernelClass kernel_class, Theme theme);
[[nodiscard]] Colour colour_of(MemoryLevel level, Theme theme);
/// One of eight categorical colours, for kernel groups and pipes.
[[nodiscard]] Colour categorical_colour(std::size_t index, Theme theme);

}  // namespace roofwalk
