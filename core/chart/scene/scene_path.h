// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/memory_level.h"

namespace roofwalk {

/// How the line of a path is drawn, so that it can be told in print too.
enum class PathLine : std::uint8_t {
    solid,   ///< for the better
    dashed,  ///< for the worse
    dotted,  ///< neither can be said
};

/// A place on the chart where a kernel was, is or may be.
struct PathPlace {
    double x = 1;                          ///< [FLOP/byte]
    double y = 1;                          ///< [FLOP/s]
    float radius = 4;                      ///< of its dot [px]
    bool ghost = false;                    ///< no dot stands here: an empty marker is drawn
    std::optional<std::uint8_t> colour{};  ///< of the marker, into Scene::dot_colours; faint without
    PathLine line = PathLine::solid;       ///< of the arrow to the next place
};

/// The way of one kernel over the chart at one level, an arrow from each place to the next.
struct ScenePath {
    std::uint32_t point = 0;  ///< index into Analysis::points
    MemoryLevel level = MemoryLevel::hbm;
    std::vector<PathPlace> places;  ///< at least two
    std::string label;              ///< beside it: "2.42x faster"
    std::string title;              ///< for tooltips: all that is to be said
    bool selected = false;
};

}  // namespace roofwalk
