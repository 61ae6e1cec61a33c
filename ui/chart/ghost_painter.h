// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <string>
#include <vector>

#include "core/chart/layout/label_box.h"
#include "core/chart/scene/scene_ghosts.h"
#include "ui/chart/chart_scene.h"

class QPainter;

namespace roofwalk {

/// A kernel while a person carries it over the chart.
struct DraggedKernel {
    struct Position {
        MemoryLevel level = MemoryLevel::hbm;
        double from_x = 1;  ///< where it was measured [FLOP/byte]
        double from_y = 1;  ///< [FLOP/s]
        double x = 1;       ///< where it stands now
        double y = 1;
        PathLine line = PathLine::solid;  ///< of the arrow between both

        [[nodiscard]] bool has_moved() const { return x != from_x || y != from_y; }
    };
    std::uint32_t point = 0;
    MemoryLevel held = MemoryLevel::hbm;  ///< whose dot is under the hand
    std::vector<Position> places;
    std::optional<MemoryLevel> binding;  ///< whose dot the roof is above; else the first that is shown
    std::optional<double> roof;          ///< performance on the roof that binds it now
    std::optional<double> algorithmic;   ///< intensity at HBM of its algorithm
    KernelClass kernel_class = KernelClass::not_measured;  ///< where it stands now: its colour
    bool by_unit = false;                                  ///< as is_bound_by_unit()
    std::string class_label;
    std::vector<std::string> words;  ///< lines beside the held dot
};

/// Arrows from where kernels were, with an empty dashed dot there. Those of a kernel that is `dragged` are
/// left to paint_dragged_kernel().
void paint_paths(QPainter& painter, const Scene& scene, const Layout& layout,
                 std::optional<std::uint32_t> dragged = {});
void paint_path_labels(QPainter& painter, const Scene& scene, const Layout& layout,
                       std::optional<std::uint32_t> dragged = {});

/// Of the levels that have a dot.
[[nodiscard]] DraggedLook dragged_look(const DraggedKernel& dragged, const ChartScene& shown);
/// Its dots, ghosts, arrows and gaps.
[[nodiscard]] std::vector<ChartMark> dragged_marks(const DraggedKernel& dragged, const ChartScene& shown,
                                                   const View& view);

/// The dragged dots with arrows from their ghosts and with their gaps, the name of the held one's ghost, and
/// the words beside that dot: inside the plot and, where there is room, off the legend.
void paint_dragged_kernel(QPainter& painter, const ChartScene& shown, const View& view,
                          const DraggedKernel& dragged, const QRectF& legend, const Layout& layout);

/// Where words of `size` stand beside a dot, or as near as there is room: over as few of the marks and labels
/// as can be.
[[nodiscard]] QRectF place_of_words(QPointF dot, QSizeF size, const QRectF& plot, const QRectF& legend,
                                    const std::vector<QRectF>& marks = {},
                                    const std::vector<LabelBox>& labels = {});

}  // namespace roofwalk
