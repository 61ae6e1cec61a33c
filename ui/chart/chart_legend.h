// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"
#include "ui/chart/chart_scene.h"

class QPainter;

namespace roofwalk {

/// The sample of a row about `at`: a shape is an outline, a colour is a filled dot, so that neither can be
/// taken for the other.
void paint_legend_sample(QPainter& painter, const LegendRow& row, QPointF at, const Palette& palette);

/// What a kernel that is dragged makes of the legend.
struct DraggedLegend {
    std::uint32_t point = 0;
    std::vector<LegendRow> rows;   ///< instead of those of the scene
    std::vector<ChartMark> marks;  ///< that it leaves free
};

/// The legend at the place along the plot's edge that holds least; one click on its heading folds it away. It
/// stands over no dot and no mark of the selected or dragged kernel: where there is no such place, as in a
/// small plot, its rows without a sample go, then those of colours, then those of shapes.
class ChartLegend {
  public:
    /// Takes the rows of a scene; no rows, no legend.
    void set_scene(const Scene& scene, bool whiskers = true);
    /// Chooses the place, for a view that it stood in before first the one there: it comes back with a zoom,
    /// and after a drag.
    /// `layout` gives the marks of the selected kernel, and the lines and labels that are kept free after
    /// these.
    void settle(const View& view, const ChartScene& shown, const Layout& layout,
                const std::optional<DraggedLegend>& dragged = {});
    /// Whether it stands over more of a dragged kernel's marks than it had to when it was settled.
    [[nodiscard]] bool is_in_the_way(const View& view, const std::vector<ChartMark>& marks) const;
    void paint(QPainter& painter, const Scene& scene, const View& view) const;

    [[nodiscard]] QRectF place(const View& view) const;    ///< empty without rows
    [[nodiscard]] QRectF heading(const View& view) const;  ///< where a click folds it
    /// The row of the scene's legend at a place; while a kernel is dragged, of that which it makes.
    [[nodiscard]] std::optional<std::uint32_t> row_at(const View& view, QPointF at) const;
    /// Folds or unfolds it; until then it is folded while it would cover a dot or much of the plot.
    void toggle(const View& view) { folded_ = !folded(view); }
    [[nodiscard]] bool folded(const View& view) const { return seen_rows(view) < rows_.size(); }

  private:
    /// Shares of the room that is left beside it and above it.
    struct Spot {
        double across = 0;
        double down = 0;
    };
    /// What it would cover; dots and marks of kernels count first.
    struct Cover {
        std::size_t marks = 0;
        double clutter = 0;  // px of lines, and labels at a rate
        friend auto operator<=>(const Cover&, const Cover&) = default;
    };

    /// What it keeps off.
    struct Obstacles {
        const ChartScene& shown;
        const Layout& layout;
        std::optional<std::uint32_t> dragged;  // whose dots are at `marks`
        std::vector<ChartMark> marks;
    };

    /// All, those of shapes and colours, those of shapes or none.
    [[nodiscard]] std::size_t seen_rows(const View& view) const;
    [[nodiscard]] QSizeF size_of(std::size_t rows) const;
    [[nodiscard]] QRectF place_at(Spot spot, const View& view) const;
    [[nodiscard]] Cover cover_at(Spot spot, const View& view, const Obstacles& obstacles) const;
    /// Moves to the best spot; a spot is left only for a clearly better one, so that it does not hop about.
    Cover move_to_best(const View& view, const Obstacles& obstacles);
    /// Of those that tell of whiskers and outlines only where there are some.
    void set_rows(std::vector<LegendRow> legend, bool whiskers, bool nested);

    std::vector<LegendRow> legend_;    // all
    std::vector<std::uint32_t> rows_;  // of these, that it has
    std::vector<double> widths_;       // of heading and rows
    std::size_t key_ = 0;              // how many rows, the first, tell a shape
    std::size_t coloured_ = 0;         // and how many a shape or a colour
    std::size_t most_ = 0;             // how many rows cover no dot and no mark
    std::size_t in_the_way_ = 0;       // of how many marks of a dragged kernel it has to be
    Spot spot_;
    std::vector<std::pair<std::array<double, 4>, Spot>> spots_;  // by the ranges of views that were seen
    std::optional<bool> folded_;                                 // what a person chose
};

}  // namespace roofwalk
