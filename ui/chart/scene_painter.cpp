// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/scene_painter.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/chart/layout/label_box.h"
#include "core/chart/scene/scene_ghosts.h"
#include "ui/chart/chart_frame.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_field.h"
#include "ui/chart/gap_painter.h"
#include "ui/chart/hover_ruler.h"
#include "ui/chart/roof_painter.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

void ScenePainter::set_scene(ChartScene shown) {
    shown_ = std::move(shown);
    if (scene()) legend_.set_scene(*scene());
    pointer_marks = {};
    dragged_.reset();
}

void ScenePainter::paint_behind_grid(QPainter& painter, const View& view) {
    if (!scene()) return;
    const QSizeF plot = to_qt(view.plot).size();
    if (settled_in_ != plot)
        legend_.settle(view, shown_, lay_out(*scene(), view, {}, LabelSearch::quick), dragged_legend(view));
    settled_in_ = plot;
    layout_ = lay_out(*scene(), view, to_core(legend_.place(view)), label_search);
    if (dragged_) {  // another level or a pipe may bind it where it goes
        layout_.memory_zone.clear();
        layout_.compute_zone.clear();
        layout_.zone_labels.clear();
    }
    paint_zones(painter, *scene(), layout_);
}

void ScenePainter::paint_plot(QPainter& painter, const View& view) {
    if (!scene()) return;
    paint_rails(painter, *scene(), layout_);
    painter.save();
    painter.setClipRect(to_qt(view.plot));
    const std::vector<std::uint32_t> selected =
        shown_.selected().largest_in(DotPlaces(*scene(), shown_.field(), view), DotPainter::always_dots);
    dots_.leave_out(dragged_point());
    const bool crowd = scene()->dots.size() > crowd_of_dots;
    if (crowd) {
        dots_.paint(painter, shown_, view, selected);
        paint_roof_grounds(painter, *scene(), layout_);
    }
    paint_measured_roof(painter, *scene(), layout_);
    paint_roofs(painter, *scene(), layout_);
    paint_kernel_ceilings(painter, *scene(), layout_);
    paint_kernel_lines(painter, *scene(), layout_);
    paint_joins(painter, *scene(), layout_);
    paint_paths(painter, *scene(), layout_, dragged_point());
    if (!crowd) dots_.paint(painter, shown_, view, selected);
    painter.restore();
    dots_.paint_rails(painter, shown_, view, selected);
    if (crowd)
        dots_.paint_over(painter, shown_, view, selected);
    else
        dots_.paint_rings(painter, shown_, view, selected);
    painter.save();
    painter.setClipRect(to_qt(view.plot));
    paint_gaps(painter, *scene(), layout_, dragged_point());
    painter.restore();
    paint_zone_labels(painter, *scene(), layout_);
    paint_roof_labels(painter, *scene(), layout_);
    paint_names(painter, *scene(), layout_, dragged_point());  // the card of a drag names its kernel
    paint_kernel_ceiling_labels(painter, *scene(), layout_);
    paint_gap_labels(painter, *scene(), layout_, dragged_point());
    paint_path_labels(painter, *scene(), layout_, dragged_point());
    legend_.paint(painter, *scene(), view);
    if (!scene()->empty_note.empty()) paint_empty_note(painter, view);
}

void ScenePainter::paint_margins(QPainter& painter, const View& view) {
    if (!scene()) return;
    paint_ridges(painter, *scene(), layout_);
    paint_rail_labels(painter, *scene(), layout_);
    paint_caption(painter, view);
    if (!focus_frame) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(*focus_frame, 1.5));
    painter.drawRect(to_qt(view.frame()));
}

void ScenePainter::paint_overlay(QPainter& painter, const View& view) {
    if (!scene()) return;
    if (intensity_mark) paint_intensity_mark(painter, *scene(), view, *intensity_mark, layout_);
    if (dragged_) {
        paint_dragged_kernel(painter, shown_, view, *dragged_, legend_.place(view), layout_);
    } else if (pointer_marks.rectangle) {
        paint_rectangle(painter, *pointer_marks.rectangle);
    } else if (pointer_marks.dot) {
        const Dot& dot = scene()->dots[*pointer_marks.dot];
        painter.save();
        painter.setClipRect(to_qt(dot.rail == Rail::none ? view.plot : view.frame()));
        if (scene()->options.selected != dot.point) paint_rings(painter, view, dot.point);
        painter.restore();
        paint_ruler(painter, *scene(), view, dot, layout_);
    } else if (pointer_marks.at) {
        paint_crosshair(painter, *scene(), view, *pointer_marks.at, layout_);
    }
}

std::optional<std::uint32_t> ScenePainter::dot_at(const View& view, PointF at, double reach) const {
    if (const auto dot = shown_.index().nearest(view, at, reach)) return dot;
    for (const PlacedLine& placed : layout_.kernel_lines) {
        if (distance_to_line(at, placed.from, placed.to) > reach) continue;
        const KernelLine& line = scene()->lines[placed.index];
        for (const std::uint32_t dot : shown_.field().dots_of(line.point))
            if (scene()->dots[dot].level == line.level) return dot;
    }
    return std::nullopt;
}

QRectF ScenePainter::free_place(const View& view, QPointF dot, QSizeF size) const {
    return place_of_words(dot, size, to_qt(view.plot), legend_.place(view), {},
                          label_obstacles(*scene(), view, layout_));
}

const TargetMark* ScenePainter::target_at(PointF at, double reach) const {
    for (const PlacedLine& tick : layout_.target_ticks)
        if (distance_to_line(at, tick.from, tick.to) <= reach) return &scene()->targets[tick.index];
    return nullptr;
}

std::optional<std::uint32_t> ScenePainter::roof_at(PointF at, double reach) const {
    for (const PlacedLine& placed : layout_.roofs)
        if (distance_to_line(at, placed.from, placed.to) <= reach) return placed.index;
    return std::nullopt;
}

std::optional<std::uint32_t> ScenePainter::dragged_point() const {
    return dragged_ ? std::optional(dragged_->point) : std::nullopt;
}

std::optional<DraggedLegend> ScenePainter::dragged_legend(const View& view) const {
    if (!dragged_) return std::nullopt;
    return DraggedLegend{dragged_->point,
                         legend_with_dragged(*scene(), dragged_->point, dragged_look(*dragged_, shown_)),
                         dragged_marks(*dragged_, shown_, view)};
}

bool ScenePainter::set_dragged(std::optional<DraggedKernel> dragged, const View& view) {
    const std::optional<DraggedKernel> before = std::exchange(dragged_, std::move(dragged));
    if (!scene() || (!before && !dragged_)) return false;
    const bool stays = before && dragged_ &&
                       dragged_look(*before, shown_) == dragged_look(*dragged_, shown_) &&
                       !legend_.is_in_the_way(view, dragged_marks(*dragged_, shown_, view));
    if (!stays) settle_legend();
    return !stays;
}

/// Around the dots of the kernel under the pointer.
void ScenePainter::paint_rings(QPainter& painter, const View& view, std::uint32_t point) const {
    for (const std::uint32_t index : shown_.field().dots_of(point)) {
        const Dot& dot = scene()->dots[index];
        paint_ring(painter, to_qt(dot_position(dot, view)), dot, look_of(*scene(), index, view).radius,
                   palette_of(scene()->options.theme).text);
    }
}

std::string ScenePainter::caption() const {
    std::string caption = scene()->caption;
    if (const std::string left_out = figures_left_out(layout_); !left_out.empty())
        caption = left_out + "; " + caption;
    if (dots_.shaded())
        caption = QCoreApplication::translate("RooflineChart",
                                              "%1 dots: shading shows how many, the %2 largest are drawn; ")
                      .arg(to_qt(format_count(static_cast<double>(scene()->dots.size()))))
                      .arg(DotPainter::always_dots)
                      .toStdString() +
                  caption;
    return caption;
}

void ScenePainter::paint_caption(QPainter& painter, const View& view) const {
    const Colour colour = palette_of(scene()->options.theme).faint_text;
    std::size_t line = 0;
    for (const std::string& text :
         caption_lines(caption(), caption_size, caption_width(view.frame()), caption_lines_shown).lines)
        paint_text(painter, {.at = caption_start(view.frame(), line++), .size = caption_size, .text = text},
                   to_qt(colour), Qt::transparent);
}

std::size_t ScenePainter::caption_lines_in(const View& view) const {
    if (!scene()) return caption_lines_usual;
    const std::size_t lines = roofwalk::caption_lines(scene()->caption, caption_size,
                                                      caption_width(view.frame()), caption_lines_shown)
                                  .lines.size();
    return std::max(lines, caption_lines_usual);
}

bool ScenePainter::is_on_caption(const View& view, PointF at) const {
    const double top = caption_start(view.frame(), 0).y - caption_size;
    return scene() && !caption().empty() && at.y >= top;
}

std::string ScenePainter::cut_caption(const View& view) const {
    std::string whole = caption();
    const bool cut = caption_lines(whole, caption_size, caption_width(view.frame()), caption_lines_shown).cut;
    return cut ? whole : std::string();
}

void ScenePainter::paint_empty_note(QPainter& painter, const View& view) const {
    const QString words = to_qt(scene()->empty_note);
    QRectF area = to_qt(view.plot);
    const double quarter = area.height() / 4;  // names of dots in a band stand up from it
    if (const QRectF legend = legend_.place(view); legend.center().x() > area.center().x())
        area.setRight(legend.left());
    else
        area.setLeft(std::max(area.left(), legend.right()));
    const double middle = scene()->dots.empty() ? area.bottom() - quarter : area.top() + quarter;
    paint_plate(painter, words, {area.center().x(), middle}, area, palette_of(scene()->options.theme));
}

void ScenePainter::paint_rectangle(QPainter& painter, const RectF& area) const {
    const QColor colour = to_qt(palette_of(scene()->options.theme).highlight);
    QColor fill = colour;
    fill.setAlpha(30);
    painter.save();
    painter.setPen(QPen(colour, 1, Qt::DashLine));
    painter.setBrush(fill);
    painter.drawRect(to_qt(area));
    painter.restore();
}

}  // namespace roofwalk
