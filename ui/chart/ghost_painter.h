// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <string>
#include <vector>

#include "core/chart/layout/label_box.h"
#include "ui/chart/chart_scene.h"

class QPainter;

namespace roofwalk {

/// A kernel while a person carries it over the chart.
struct DraggedKernel {
    struct Position {
        MemoryLevel level = MemoryLevel::hbm;
        double from_x = 1;  ///< where it was taken up [FLOP/byte]
        double from_y = 1;  ///< [FLOP/s]
        double x = 1;       ///< where it stands now
        double y = 1;
    };
    std::uint32_t point = 0;
    MemoryLevel held = MemoryLevel::hbm;  ///< whose dot is under the hand
    std::vector<Position> places;
    std::optional<MemoryLevel> binding;  ///< whose dot the roof is above; else the first that is shown
    std::optional<double> roof;          ///< performance on the roof that binds it now
    std::optional<double> algorithmic;   ///< intensity at HBM of its algorithm
    KernelClass kernel_class = KernelClass::not_measured;  ///< where it stands now: its colour
    bool by_unit = false;                                  ///< as is_bound_by_unit()
    std::vector<std::string> words;                        ///< lines beside the held dot
};

/// Arrows from where kernels were, with an empty dashed dot there.
void paint_paths(QPainter& painter, const Scene& scene, const Layout& layout);
void paint_path_labels(QPainter& painter, const Scene& scene, const Layout& layout);

/// The dragged dots with ghosts where they were taken up, their paths and their gaps, and the words beside
/// the held one: inside the plot and, where there is room, off the legend.
void paint_dragged_kernel(QPainter& painter, const ChartScene& shown, const View& view,
                          const DraggedKernel& dragged, const QRectF& legend, const Layout& layout);

/// Where words of `size` stand beside a dot, or as near as there is room: over as few of the marks and labels
/// as can be.
[[nodiscard]] QRectF place_of_words(QPointF dot, QSizeF size, const QRectF& plot, const QRectF& legend,
                                    const std::vector<QRectF>& marks = {},
                                    const std::vector<LabelBox>& labels = {});

}  // namespace roofwalk
