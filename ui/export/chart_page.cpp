// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/chart_page.h"

#include <QPainter>

#include "core/chart/layout/page.h"
#include "ui/chart/chart_legend.h"
#include "ui/chart/chart_scene.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_field.h"
#include "ui/chart/dot_painter.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/gap_painter.h"
#include "ui/chart/ghost_painter.h"
#include "ui/chart/roof_painter.h"
#include "ui/chart/text_painter.h"

namespace roofwalk {

namespace {

/// Paints what stands around the plot; the plot itself is painted as on screen.
class PagePainter {
  public:
    PagePainter(QPainter& painter, const Scene& scene, const Page& page)
        : painter_(painter), page_(page), plot_(page.view.plot), palette_(palette_of(scene.options.theme)) {}

    void paint_grid() const {
        for (const bool major : {false, true}) {
            painter_.setPen(QPen(to_qt(major ? palette_.grid : palette_.minor_grid), major ? 1 : 0.6));
            const RectF& ranges = page_.view.ranges;
            for (const Tick& tick : page_.x_ticks) {
                if (tick.major != major) continue;
                const double x = page_.x_of(tick);
                painter_.drawLine(QPointF(x, plot_.y), QPointF(x, plot_.bottom()));
                if (major && ranges.height > 0)
                    painter_.drawLine(QPointF(x, ranges.y), QPointF(x, ranges.bottom()));
            }
            for (const Tick& tick : page_.y_ticks)
                if (tick.major == major)
                    painter_.drawLine(QPointF(plot_.x, page_.y_of(tick)),
                                      QPointF(plot_.right(), page_.y_of(tick)));
        }
    }

    void paint_axes() const {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(to_qt(palette_.axis), 1));
        painter_.drawRect(to_qt(plot_));
        const auto length = [](const Tick& tick) { return page_tick_length / (tick.major ? 1 : 2); };
        const double foot = page_.view.frame().bottom();
        for (const Tick& tick : page_.x_ticks)
            painter_.drawLine(QPointF(page_.x_of(tick), foot),
                              QPointF(page_.x_of(tick), foot + length(tick)));
        for (const Tick& tick : page_.y_ticks)
            painter_.drawLine(QPointF(plot_.x - length(tick), page_.y_of(tick)),
                              QPointF(plot_.x, page_.y_of(tick)));
    }

    void paint_words() const {
        for (const PlacedText& label : page_.tick_labels)
            paint(label, palette_.text);
        paint(page_.x_label, palette_.text);
        paint(page_.y_label, palette_.text);
        paint(page_.title, palette_.text, QFont::Bold);
        for (const PlacedText& line : page_.empty_note)
            paint_text(painter_, line, to_qt(palette_.faint_text), to_qt(palette_.plot, 215));
        for (const PlacedText& line : page_.caption)
            paint(line, palette_.faint_text);
        for (const PlacedText& cell : page_.key)
            paint(cell, palette_.text);
    }

    void paint_legend() const {
        if (page_.legend_ground) {
            constexpr int ground_opacity = 215;
            painter_.setPen(QPen(to_qt(palette_.grid), 1));
            painter_.setBrush(to_qt(palette_.plot, ground_opacity));
            painter_.drawRect(to_qt(*page_.legend_ground));
        }
        for (const PlacedLegendRow& row : page_.legend) {
            const bool sample = row.row.has_sample();
            const QPointF centre(row.at.x + 5, row.at.y - 4);
            if (sample) paint_legend_sample(painter_, row.row, centre, palette_);
            paint({.at = {row.at.x + (sample ? page_sample_width : 0), row.at.y},
                   .size = page_text_size,
                   .text = row.row.text},
                  palette_.text);
        }
    }

  private:
    void paint(const PlacedText& text, Colour colour, QFont::Weight weight = QFont::Normal) const {
        paint_text(painter_, text, to_qt(colour), Qt::transparent, weight);
    }

    QPainter& painter_;
    const Page& page_;
    const RectF& plot_;
    const Palette& palette_;
};

void paint_dots(QPainter& painter, const Scene& scene, const PagePlacement& laid, bool on_rails) {
    const View& view = laid.page.view;
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
        if (const Dot& dot = scene.dots[i]; laid.dots.draws(dot.point) && is_band(dot.rail) == on_rails) {
            const QPointF at = to_qt(dot_position(dot, view));
            if (!to_qt(view.frame()).contains(at)) continue;
            const DotLook look = look_of(scene, i, view);
            paint_dot(painter, at, dot, look, scene.dot_colours[dot.colour], scene.mark_of(dot.colour));
        }
}

void paint_rings(QPainter& painter, const Scene& scene, const PagePlacement& laid) {
    const View& view = laid.page.view;
    const DotField field(scene);
    const std::vector<std::uint32_t> selected =
        SelectedDots(scene, field).largest_in(DotPlaces(scene, field, view), scene.dots.size());
    for (const std::uint32_t index : selected) {
        const Dot& dot = scene.dots[index];
        if (!laid.dots.draws(dot.point)) continue;
        const QPointF at = to_qt(dot_position(dot, view));
        const DotLook look = look_of(scene, index, view);
        const Palette& palette = palette_of(scene.options.theme);
        if (scene.dots.size() > crowd_of_dots) {
            paint_grounded_ring(painter, at, dot, look.radius, scene.options.theme);
            paint_dot(painter, at, dot, look, scene.dot_colours[dot.colour]);
        } else {
            paint_ring(painter, at, dot, look.radius, palette.highlight);
        }
    }
}

}  // namespace

void paint_chart_page(QPainter& painter, const Scene& scene, const PagePlacement& laid) {
    const Page& page = laid.page;
    const View& view = page.view;
    const Layout& layout = laid.layout;
    const Palette& palette = palette_of(scene.options.theme);
    const PagePainter around(painter, scene, page);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(page.scale, page.scale);
    painter.fillRect(QRectF(0, 0, page.drawing.width, page.drawing.height), to_qt(palette.background));
    painter.fillRect(to_qt(view.plot), to_qt(palette.plot));
    paint_rails(painter, scene, layout);
    paint_zones(painter, scene, layout);
    around.paint_grid();
    painter.setClipRect(to_qt(view.plot));
    const bool crowd = scene.dots.size() > crowd_of_dots;
    if (crowd) {
        QImage shading;
        paint_shading(painter, laid.density, view, palette, shading);
        paint_dots(painter, scene, laid, false);
        paint_roof_grounds(painter, scene, layout);
    }
    paint_measured_roof(painter, scene, layout);
    paint_roofs(painter, scene, layout);
    paint_kernel_ceilings(painter, scene, layout);
    paint_kernel_lines(painter, scene, layout);
    paint_joins(painter, scene, layout);
    paint_paths(painter, scene, layout);
    paint_gaps(painter, scene, layout);
    painter.setClipping(false);
    around.paint_axes();
    if (!crowd) paint_dots(painter, scene, laid, false);  // whole at the frame
    painter.setClipRect(to_qt(view.frame()));
    paint_dots(painter, scene, laid, true);
    paint_rings(painter, scene, laid);
    paint_roof_labels(painter, scene, layout);
    paint_names(painter, scene, layout);
    paint_kernel_ceiling_labels(painter, scene, layout);
    paint_gap_labels(painter, scene, layout);
    paint_path_labels(painter, scene, layout);
    painter.setClipping(false);
    paint_zone_labels(painter, scene, layout);
    paint_ridges(painter, scene, layout);
    paint_rail_labels(painter, scene, layout);
    around.paint_words();
    around.paint_legend();
    painter.restore();
}

}  // namespace roofwalk
