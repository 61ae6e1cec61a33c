// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <span>

#include "core/chart/layout.h"
#include "core/chart/scene.h"

class QPainter;

namespace roofwalk {

/// The sample of a row about `at`: a shape is an outline, a colour is a filled dot, so that neither can be
/// taken for the other.
void paint_legend_sample(QPainter& painter, const LegendRow& row, QPointF at, const Palette& palette);

/// The legend in the corner of the plot that holds least; one click on its heading folds it away. It starts
/// folded in a small plot.
class ChartLegend {
  public:
    /// Takes the rows of a scene; no rows, no legend.
    void set_scene(const Scene& scene);
    /// Chooses the corner. `dots` are places to keep free, `layout` gives lines and labels to keep free.
    void settle(const View& view, std::span<const PointF> dots, const Layout& layout);
    void paint(QPainter& painter, const Scene& scene, const View& view) const;

    [[nodiscard]] QRectF place(const View& view) const;    ///< empty without rows
    [[nodiscard]] QRectF heading(const View& view) const;  ///< where a click folds it
    /// Folds or unfolds it; until then it is folded while it would cover much of the plot.
    void toggle(const View& view) { folded_ = !folded(view); }
    [[nodiscard]] bool folded(const View& view) const;

  private:
    enum class Corner { top_left, bottom_right, top_right, bottom_left };

    [[nodiscard]] QRectF place_in(Corner corner, const View& view) const;

    QSizeF open_size_;
    QSizeF folded_size_;
    Corner corner_ = Corner::top_left;
    std::optional<bool> folded_;  // what a person chose
};

}  // namespace roofwalk
