// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/chart_page.h"

#include <QPainter>
#include <algorithm>
#include <vector>

#include "core/chart/layout.h"
#include "core/chart/log_axis.h"
#include "ui/chart/chart_legend.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_field.h"
#include "ui/chart/dot_sprites.h"
#include "ui/chart/gap_painter.h"
#include "ui/chart/rail_painter.h"
#include "ui/chart/roof_painter.h"
#include "ui/chart/selection_painter.h"

namespace roofwalk {

namespace {

constexpr double left = 74;
constexpr double right = 18;
constexpr double top = 14;
constexpr double title_height = 26;
constexpr double bottom = 66;
constexpr double tick_length = 5;
constexpr double number_size = 12;
constexpr double label_size = 13;
constexpr double title_size = 15;

View view_of(const Scene& scene, QSizeF size) {
    const double above = top + (scene.options.title.empty() ? 0 : title_height);
    return {{left, above, std::max(1.0, size.width() - left - right),
             std::max(1.0, size.height() - above - bottom)},
            scene.x,
            scene.y};
}

/// Grid lines and numbers of both axes.
class Axes {
  public:
    Axes(QPainter& painter, const Scene& scene, const View& view)
        : painter_(painter),
          scene_(scene),
          view_(view),
          palette_(palette_of(scene.options.theme)),
          x_(view.x, view.plot.x, view.plot.right()),
          y_(view.y, view.plot.bottom(), view.plot.y),
          x_ticks_(log_ticks(view.x, view.plot.width, TickLabels::plain)),
          y_ticks_(log_ticks(view.y, view.plot.height, TickLabels::si)) {}

    void paint_grid() const {
        for (const bool major : {false, true}) {
            painter_.setPen(QPen(to_qt(major ? palette_.grid : palette_.minor_grid), 1));
            for (const Tick& tick : x_ticks_) {
                const double x = x_.to_pixel(tick.value);
                if (tick.major == major)
                    painter_.drawLine(QPointF(x, view_.plot.y), QPointF(x, view_.plot.bottom()));
            }
            for (const Tick& tick : y_ticks_) {
                const double y = y_.to_pixel(tick.value);
                if (tick.major == major)
                    painter_.drawLine(QPointF(view_.plot.x, y), QPointF(view_.plot.right(), y));
            }
        }
    }

    void paint_frame() const {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(to_qt(palette_.axis), 1));
        painter_.drawRect(to_qt(view_.plot));
        for (const Tick& tick : x_ticks_) {
            const double x = x_.to_pixel(tick.value);
            if (tick.major)
                painter_.drawLine(QPointF(x, view_.plot.bottom() - tick_length),
                                  QPointF(x, view_.plot.bottom()));
        }
        for (const Tick& tick : y_ticks_) {
            const double y = y_.to_pixel(tick.value);
            if (tick.major)
                painter_.drawLine(QPointF(view_.plot.x, y), QPointF(view_.plot.x + tick_length, y));
        }
    }

    void paint_words(QSizeF size) const {
        painter_.setPen(to_qt(palette_.text));
        painter_.setFont(chart_font(number_size));
        for (const Tick& tick : x_ticks_)
            painter_.drawText(QRectF(x_.to_pixel(tick.value) - 60, view_.plot.bottom() + 5, 120, 16),
                              Qt::AlignHCenter | Qt::AlignTop, to_qt(tick.label));
        for (const Tick& tick : y_ticks_)
            painter_.drawText(QRectF(0, y_.to_pixel(tick.value) - 10, view_.plot.x - 6, 20),
                              Qt::AlignRight | Qt::AlignVCenter, to_qt(tick.label));
        painter_.setFont(chart_font(label_size));
        painter_.drawText(QRectF(view_.plot.x, view_.plot.bottom() + 22, view_.plot.width, 20),
                          Qt::AlignHCenter | Qt::AlignTop, to_qt(scene_.x_label));
        painter_.save();
        painter_.rotate(-90);
        painter_.drawText(QRectF(-view_.plot.bottom(), 4, view_.plot.height, 20),
                          Qt::AlignHCenter | Qt::AlignTop, to_qt(scene_.y_label));
        painter_.restore();
        if (!scene_.options.title.empty()) {
            QFont font = chart_font(title_size);
            font.setBold(true);
            painter_.setFont(font);
            painter_.drawText(QRectF(view_.plot.x, 10, view_.plot.width, title_height),
                              Qt::AlignHCenter | Qt::AlignTop, to_qt(scene_.options.title));
        }
        painter_.setFont(chart_font(11));
        painter_.setPen(to_qt(palette_.faint_text));
        const QString caption = QFontMetricsF(painter_.font())
                                    .elidedText(to_qt(scene_.caption), Qt::ElideRight, view_.plot.width);
        painter_.drawText(QPointF(view_.plot.x, size.height() - 8), caption);
    }

  private:
    QPainter& painter_;
    const Scene& scene_;
    const View& view_;
    const Palette& palette_;
    LogAxis x_;
    LogAxis y_;
    std::vector<Tick> x_ticks_;
    std::vector<Tick> y_ticks_;
};

std::vector<PointF> paint_dots(QPainter& painter, const Scene& scene, const View& view) {
    std::vector<PointF> places;
    places.reserve(scene.dots.size());
    for (const Dot& dot : scene.dots) {
        places.push_back(dot_position(dot, view));
        paint_dot(painter, to_qt(places.back()), dot.level, static_cast<double>(dot.radius),
                  scene.dot_colours[dot.colour]);
    }
    return places;
}

}  // namespace

void paint_chart_page(QPainter& painter, const Scene& scene, QSizeF size) {
    const View view = view_of(scene, size);
    const Layout layout = lay_out(scene, view);
    const Palette& palette = palette_of(scene.options.theme);
    const DotField field(scene);
    const Axes axes(painter, scene, view);

    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(QPointF(), size), to_qt(palette.background));
    painter.fillRect(to_qt(view.plot), to_qt(palette.plot));
    painter.setClipRect(to_qt(view.plot));
    paint_zones(painter, scene, layout);
    axes.paint_grid();
    paint_rails(painter, scene, layout);
    paint_roofs(painter, scene, layout);
    paint_mixed_ceilings(painter, scene, layout);
    paint_joins(painter, scene, layout);
    const std::vector<PointF> places = paint_dots(painter, scene, view);
    paint_gaps(painter, scene, layout);
    if (scene.options.selected) paint_rings(painter, scene, field, view, *scene.options.selected, true);
    paint_rail_labels(painter, scene, layout);
    paint_roof_labels(painter, scene, layout);
    paint_names(painter, scene, layout);
    paint_gap_labels(painter, scene, layout);
    ChartLegend legend;
    legend.set_scene(scene);
    legend.settle(view, places, layout);
    legend.paint(painter, scene, view);
    painter.setClipping(false);
    axes.paint_frame();
    paint_ridges(painter, scene, layout);
    axes.paint_words(size);
    painter.restore();
}

}  // namespace roofwalk
