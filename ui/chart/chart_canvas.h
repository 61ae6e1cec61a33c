// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <QString>
#include <cstddef>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/palette.h"

class QPainter;
class QWidget;

namespace roofwalk {

/// What a canvas asks for, from back to front.
class CanvasContent {
  public:
    virtual ~CanvasContent() = default;

    virtual void paint_behind_grid(QPainter& painter, const View& view) = 0;  ///< clipped to the plot
    virtual void paint_plot(QPainter& painter, const View& view) = 0;  ///< clipped to the plot and its bands
    virtual void paint_margins(QPainter& painter, const View& view) = 0;  ///< not clipped
    /// Over everything, not clipped; repainted alone by ChartCanvas::repaint_overlay().
    virtual void paint_overlay(QPainter& painter, const View& view) = 0;
};

/// Two logarithmic axes with their grid and titles, and paint buffers for what lies between them: the only
/// place that knows how QCustomPlot paints. Mouse events pass through to the parent widget.
class ChartCanvas {
  public:
    ChartCanvas(QWidget& parent, CanvasContent& content);

    [[nodiscard]] QWidget& widget();
    /// What is seen, in pixels of the parent widget.
    [[nodiscard]] View view() const;
    void set_ranges(Range x, Range y);
    /// Makes room for those that a scene needs.
    void set_bands(const Scene& scene);
    /// Makes room for a caption of so many lines.
    void set_caption_lines(std::size_t lines);
    void set_titles(const QString& x, const QString& y);
    void set_palette(const Palette& palette);

    /// Once per turn of the event loop, however often it is asked for.
    void repaint_later();
    void repaint_overlay();

  private:
    class Plot;
    Plot* plot_;  // owned by the parent widget
    QMargins margins_;
    int below_ = 0;  // px of the bands
    int beside_ = 0;
};

}  // namespace roofwalk
