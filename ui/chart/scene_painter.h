// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QSizeF>
#include <memory>
#include <optional>

#include "ui/chart/chart_canvas.h"
#include "ui/chart/chart_legend.h"
#include "ui/chart/chart_scene.h"
#include "ui/chart/dot_painter.h"
#include "ui/chart/ghost_painter.h"

namespace roofwalk {

/// What lies over the chart while the pointer is on it; at most one is shown, in this order.
struct PointerMarks {
    std::optional<RectF> rectangle{};    ///< being drawn
    std::optional<std::uint32_t> dot{};  ///< under the pointer
    std::optional<PointF> at{};          ///< on empty ground
};

/// Puts a scene on a canvas, layer by layer.
class ScenePainter : public CanvasContent {
  public:
    void set_scene(ChartScene shown);
    [[nodiscard]] const ChartScene& shown() const { return shown_; }
    [[nodiscard]] const std::shared_ptr<const Scene>& scene() const { return shown_.scene(); }
    [[nodiscard]] ChartLegend& legend() { return legend_; }
    [[nodiscard]] const ChartLegend& legend() const { return legend_; }
    /// Lets the legend look for the emptiest place in the next frame, as after a change of the plot's size.
    void settle_legend() { settled_in_.reset(); }
    /// How many lines the caption takes in a view of that width, but for what the figures of a frame add.
    [[nodiscard]] std::size_t caption_lines_in(const View& view) const;
    /// The dot no farther than `reach` px, else that of the line of a kernel.
    [[nodiscard]] std::optional<std::uint32_t> dot_at(const View& view, PointF at, double reach) const;
    /// The horizontal gap whose tick is no farther than `reach` px; null: none.
    [[nodiscard]] const TargetMark* target_at(PointF at, double reach) const;
    /// The roof whose line is no farther than `reach` px.
    [[nodiscard]] std::optional<std::uint32_t> roof_at(PointF at, double reach) const;
    /// For words about a dot: where they hide no other and no label, if there is such a place.
    [[nodiscard]] QRectF free_place(const View& view, QPointF dot, QSizeF size) const;
    [[nodiscard]] bool is_on_caption(const View& view, PointF at) const;
    /// The whole caption where a part of it had no room; else empty.
    [[nodiscard]] std::string cut_caption(const View& view) const;
    /// Puts a kernel in hand over everything, instead of `pointer_marks`, or puts it down. Returns whether
    /// more than the overlay changes: marks of the measured place and zones go or come back, or the legend
    /// has other rows or makes way.
    [[nodiscard]] bool set_dragged(std::optional<DraggedKernel> dragged, const View& view);
    [[nodiscard]] const std::optional<DraggedKernel>& dragged() const { return dragged_; }

    PointerMarks pointer_marks;
    std::optional<double> intensity_mark;  ///< [FLOP/byte], below the others
    std::optional<QColor> focus_frame;     ///< while the chart has the keyboard
    LabelSearch label_search = LabelSearch::thorough;

    void paint_behind_grid(QPainter& painter, const View& view) override;
    void paint_plot(QPainter& painter, const View& view) override;
    void paint_margins(QPainter& painter, const View& view) override;
    void paint_overlay(QPainter& painter, const View& view) override;

  private:
    void paint_rings(QPainter& painter, const View& view, std::uint32_t point) const;
    [[nodiscard]] std::optional<std::uint32_t> dragged_point() const;
    [[nodiscard]] std::optional<DraggedLegend> dragged_legend(const View& view) const;
    [[nodiscard]] std::string caption() const;
    void paint_caption(QPainter& painter, const View& view) const;
    void paint_empty_note(QPainter& painter, const View& view) const;
    void paint_rectangle(QPainter& painter, const RectF& area) const;

    ChartScene shown_;
    std::optional<DraggedKernel> dragged_;
    Layout layout_;
    DotPainter dots_;
    ChartLegend legend_;
    std::optional<QSizeF> settled_in_;  // the plot that the legend has its place in
};

}  // namespace roofwalk
