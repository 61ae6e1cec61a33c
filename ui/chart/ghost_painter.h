// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "ui/chart/chart_scene.h"

class QPainter;

namespace roofwalk {

/// A kernel while a person carries it over the chart.
struct CarriedKernel {
    struct Place {
        MemoryLevel level = MemoryLevel::hbm;
        double from_x = 1;  ///< where it was taken up [FLOP/byte]
        double from_y = 1;  ///< [FLOP/s]
        double x = 1;       ///< where it stands now
        double y = 1;
    };
    std::uint32_t point = 0;
    MemoryLevel held = MemoryLevel::hbm;  ///< whose dot is under the hand
    std::vector<Place> places;
    std::vector<std::string> words;  ///< lines beside the held dot
};

/// The dots of moved kernels as they were measured, dashed, with the paths to where they went.
void paint_ghosts(QPainter& painter, const Scene& scene, const Layout& layout, const View& view);

/// The carried dots with their paths, and the words beside the held one.
void paint_carried(QPainter& painter, const ChartScene& shown, const View& view,
                   const CarriedKernel& carried);

}  // namespace roofwalk
