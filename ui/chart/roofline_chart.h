// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QWidget>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/workspace/workspace_spec.h"
#include "ui/chart/chart_scene.h"
#include "ui/chart/ghost_painter.h"

namespace roofwalk {

/// What stands at a place of the chart: at most one of them.
struct ChartPart {
    std::optional<std::uint32_t> point = {};       ///< of Analysis::points
    std::optional<std::uint32_t> roof = {};        ///< of Scene::roofs
    std::optional<std::uint32_t> legend_row = {};  ///< of Scene::legend
};

/// The roofline chart on screen: paints a Scene, pans and zooms over it, and says what the person points at.
/// Knows nothing of documents: whoever owns it hands in scenes and listens.
class RooflineChart : public QWidget {
    Q_OBJECT

  public:
    explicit RooflineChart(QWidget* parent = nullptr);
    ~RooflineChart() override;

    /// Shows a scene. The view stays where it is when `keep_view` is set and the chart already showed one,
    /// unless all of that was seen and a part of the new one would not be, or it lies under other roofs.
    void set_scene(ChartScene scene, bool keep_view);
    [[nodiscard]] const std::shared_ptr<const Scene>& scene() const;

    /// Says what dots of one kernel at one place are, for a tooltip. Lines are kept, markup is not read.
    void set_dot_titles(std::function<DotTitle(std::span<const Dot>)> title_of);

    /// Paints a kernel where it is dragged to, over its dots that stay where they are; nothing ends it, and a
    /// new scene does.
    void set_dragged_kernel(std::optional<DraggedKernel> dragged);
    [[nodiscard]] const std::optional<DraggedKernel>& dragged_kernel() const;

    /// Marks the intensity [FLOP/byte] that a dialog asks about, until it is told that there is none.
    void set_intensity_mark(std::optional<double> intensity);
    [[nodiscard]] std::optional<double> intensity_mark() const;

    /// Whether a person zoomed or panned since everything was shown.
    [[nodiscard]] bool seen_by_hand() const;
    [[nodiscard]] Range x_range() const;  ///< seen now [FLOP/byte]
    [[nodiscard]] Range y_range() const;  ///< seen now [FLOP/s]
    /// The part of the axes that a person zoomed or panned to; absent while there is none.
    [[nodiscard]] std::optional<ChartView> part_seen() const;
    /// Between the axes, in widget coordinates.
    [[nodiscard]] QRectF plot_area() const;
    /// Where a dot of the scene is painted, in widget coordinates.
    [[nodiscard]] QPointF dot_position(std::uint32_t dot) const;
    /// What set_dot_titles() says of a dot of the scene; empty without it.
    [[nodiscard]] QString dot_title(std::uint32_t dot) const;

  public slots:
    void fit();                      ///< the whole scene
    void look_at(Range x, Range y);  ///< within what the chart can show
    void zoom(double factor);        ///< about the middle; above 1 is nearer
    void pan(double dx, double dy);  ///< by shares of the plot's width and height
    /// As before the last zoom or pan; forward takes that back.
    void go_through_views(bool forward);
    /// Moves a kernel's dots to the middle; shows everything when they are there already, or there are none.
    void focus_or_fit(std::optional<std::uint32_t> point);

  signals:
    /// A kernel was clicked, or nothing was.
    void point_clicked(std::optional<std::uint32_t> point);
    /// A roof or a row of the legend was clicked.
    void part_clicked(const roofwalk::ChartPart& part);
    /// The caption, which names the clock of the ceilings and their device.
    void caption_clicked();
    /// A person wants to know what can be done with what stands at a place.
    void menu_asked(const roofwalk::ChartPart& place, QPoint on_screen);
    /// A kernel was clicked with Ctrl or Shift held: into the selection, or out of it.
    void point_toggled(std::uint32_t point);
    /// A rectangle was drawn (Shift + drag): the kernels inside, maybe none.
    void points_picked(const std::vector<std::uint32_t>& points);
    /// The dot of a kernel was pressed and begins to move; then where it is wanted: intensity [FLOP/byte] and
    /// performance [FLOP/s]. It is let go there, or goes back.
    void dot_taken(std::uint32_t point, roofwalk::MemoryLevel level);
    void dot_dragged(double intensity, double performance, Qt::KeyboardModifiers modifiers);
    void dot_dropped();
    void dot_drag_cancelled();
    /// Shift and an arrow key: the selected kernel by steps; with Ctrl past what would stop it.
    void nudged(int right, int up, bool pass);
    /// Whether there is a view to go back to, and one to go forward to.
    void views_changed(bool back, bool forward);
    /// The pointer moved over the plot: intensity [FLOP/byte] and performance [FLOP/s] under it.
    void pointer_moved(double intensity, double performance);
    void pointer_left();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    class Private;
    std::unique_ptr<Private> d_;
};

}  // namespace roofwalk
