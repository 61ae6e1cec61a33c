// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/dot_painter.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/chart/scene/nested_dots.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/dot_field.h"

namespace roofwalk {

namespace {

/// Puts pictures on device pixels, inside `area`: a scaled painter would resample every one of them.
class DevicePixels {
  public:
    DevicePixels(QPainter& painter, const RectF& area)
        : painter_(painter), ratio_(painter.device()->devicePixelRatioF()) {
        painter_.save();
        painter_.setClipRect(to_qt(area));
        painter_.scale(1 / ratio_, 1 / ratio_);
    }
    ~DevicePixels() { painter_.restore(); }
    DevicePixels(const DevicePixels&) = delete;
    DevicePixels& operator=(const DevicePixels&) = delete;

    void draw(PointF at, const QImage& picture) {
        painter_.drawImage(QPoint(static_cast<int>(std::lround(at.x * ratio_)) - picture.width() / 2,
                                  static_cast<int>(std::lround(at.y * ratio_)) - picture.height() / 2),
                           picture);
    }

  private:
    QPainter& painter_;
    double ratio_;
};

/// From RailDots::along to pixels along a rail. The edge goes along the foot of the plot from the right, then
/// up its left side.
struct RailPixels {
    RailPixels(Rail rail, const View& view) {
        const double decades = std::log(view.y.hi / view.y.lo);
        const auto height = static_cast<float>(view.plot.height);
        const auto width = static_cast<float>(view.plot.width);
        if (rail == Rail::no_work) {
            length = scale_before = scale_after = width;
            return;
        }
        scale_after = height / static_cast<float>(decades);
        length = height;
        corner = static_cast<float>(std::log(view.y.lo));
        if (rail != Rail::edge) return;
        corner = static_cast<float>(std::log(view.y.lo / view.x.lo));
        scale_before = width / static_cast<float>(std::log(view.x.hi / view.x.lo));
        before = width;
        length += width;
    }

    [[nodiscard]] float at(float along) const {
        const float beyond = along - corner;
        return before + beyond * (beyond < 0 ? scale_before : scale_after);
    }

    float corner = 0;
    float before = 0;
    float scale_before = 1;
    float scale_after = 1;
    float length = 0;
};

/// From few to many, premultiplied.
std::array<QRgb, 256> shades(const Palette& palette) {
    std::array<QRgb, 256> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const Shade shade = shade_at(static_cast<double>(i) / 255, palette);
        result[i] = qPremultiply(qRgba(shade.colour.r, shade.colour.g, shade.colour.b,
                                       static_cast<int>(std::lround(shade.opacity * 255))));
    }
    return result;
}

/// The colour of a cell by the logarithm of how many dots it holds, `most` at most.
class Shading {
  public:
    Shading(const Palette& palette, std::uint32_t most) : shades_(shades(palette)), most_(most) {
        for (std::uint32_t count = 1; count < few_.size() && count <= most; ++count)
            few_[count] = of_many(count);
    }

    [[nodiscard]] QRgb of(std::uint32_t count) const {
        return count < few_.size() ? few_[count] : of_many(count);
    }

  private:
    [[nodiscard]] QRgb of_many(std::uint32_t count) const {
        return shades_[static_cast<std::size_t>(shade_share(count, most_) * 255)];
    }

    std::array<QRgb, 256> shades_;
    std::uint32_t most_;
    std::array<QRgb, 256> few_{};  // nearly every cell, without a logarithm
};

}  // namespace

void DotPainter::paint(QPainter& painter, const ChartScene& scene, const View& view,
                       std::span<const std::uint32_t> always) {
    const double ratio = painter.device()->devicePixelRatioF();
    const Palette& palette = palette_of(scene.scene()->options.theme);
    std::vector<DotMark> marks;
    for (std::size_t i = 0; i < scene.scene()->dot_colours.size(); ++i)
        marks.push_back(scene.scene()->mark_of(static_cast<std::uint8_t>(i)));
    sprites_.prepare(scene.scene()->dot_colours, scene.scene()->options.theme, ratio, std::move(marks));
    const auto limit = static_cast<std::size_t>(static_cast<double>(sprite_limit) / (ratio * ratio));
    shaded_ = scene.field().placed() > limit;
    if (shaded_) {
        count_density(scene.field().log_x(), scene.field().log_y(), view, density_);
        shaded_ = density_.inside > limit;
    }
    if (shaded_) {
        painter.save();
        if (scene.selected().others_are_dimmed()) painter.setOpacity(0.5);
        paint_shading(painter, density_, view, palette, shading_);
        painter.restore();
    }
    const auto count = static_cast<std::uint32_t>(scene.scene()->dots.size());
    const std::uint32_t first = shaded_ ? count - std::min<std::uint32_t>(count, always_dots) : 0;
    if (scene.field().placed() > 0) paint_sprites(painter, scene, view, first, always);
}

void DotPainter::paint_rails(QPainter& painter, const ChartScene& scene, const View& view,
                             std::span<const std::uint32_t> always) {
    for (const Rail rail : {Rail::no_work, Rail::no_traffic, Rail::edge})
        if (!scene.field().on_rail(rail).dots.empty()) paint_rail(painter, scene, view, rail, always);
}

void DotPainter::paint_sprites(QPainter& painter, const ChartScene& scene, const View& view,
                               std::uint32_t first, std::span<const std::uint32_t> always) {
    DevicePixels pixels(painter, view.plot);
    const std::vector<Dot>& dots = scene.scene()->dots;
    const DotPlaces places(*scene.scene(), scene.field(), view);
    const auto draw = [&](std::uint32_t i) {
        if (dots[i].point == left_out_) return;
        if (const auto at = places.on_chart(i, dot_reach))
            pixels.draw(*at, sprites_.sprite(dots[i], look_of(*scene.scene(), i, view),
                                             scene.selected().is_dimmed(dots[i])));
    };
    for (const std::uint32_t i : always)
        if (i < first) draw(i);
    for (const DotName& name : scene.scene()->names)  // a label needs its dot
        if (name.dot < first) draw(name.dot);
    for (std::uint32_t i = first; i < dots.size(); ++i)
        draw(painted_at(dots, i));
}

void DotPainter::paint_rail(QPainter& painter, const ChartScene& scene, const View& view, Rail rail,
                            std::span<const std::uint32_t> always) {
    const RailDots& on_rail = scene.field().on_rail(rail);
    const RailPixels pixels_of(rail, view);
    // A rail is a line: of the dots at the same pixel only the largest can be seen, and it comes last.
    constexpr auto none = static_cast<std::uint32_t>(-1);
    largest_.assign(static_cast<std::size_t>(pixels_of.length) + 1, none);
    for (std::size_t i = 0; i < on_rail.dots.size(); ++i) {
        const float at = pixels_of.at(on_rail.along[i]);
        if (at >= 0 && at <= pixels_of.length) largest_[static_cast<std::size_t>(at)] = on_rail.dots[i];
    }
    std::erase(largest_, none);
    const std::vector<Dot>& dots = scene.scene()->dots;
    std::ranges::copy_if(always, std::back_inserter(largest_),
                         [&](std::uint32_t i) { return dots[i].rail == rail; });
    std::ranges::sort(largest_);
    largest_.erase(std::unique(largest_.begin(), largest_.end()), largest_.end());

    DevicePixels pixels(painter, view.frame());
    for (const std::uint32_t i : largest_) {
        const Dot& dot = dots[i];
        const PointF at = dot_position(dot, view);
        pixels.draw(at,
                    sprites_.sprite(dot, {static_cast<double>(dot.radius)}, scene.selected().is_dimmed(dot)));
    }
}

/// Calls `draw(pixels, dot index, place)` for dots in view, on the rails and in the plot.
template <class Draw>
void DotPainter::visit(QPainter& painter, const ChartScene& scene, const View& view,
                       std::span<const std::uint32_t> dots, const Draw& draw) {
    const DotPlaces places(*scene.scene(), scene.field(), view);
    for (const bool on_rail : {false, true}) {
        DevicePixels pixels(painter, on_rail ? view.frame() : view.plot);
        for (const std::uint32_t i : dots) {
            const Dot& dot = scene.scene()->dots[i];
            if (is_band(dot.rail) != on_rail || dot.point == left_out_) continue;
            if (const auto at = places.anywhere(i, dot_reach)) draw(pixels, i, *at);
        }
    }
}

void DotPainter::paint_rings(QPainter& painter, const ChartScene& scene, const View& view,
                             std::span<const std::uint32_t> dots) {
    visit(painter, scene, view, dots, [&](DevicePixels& pixels, std::uint32_t i, PointF at) {
        pixels.draw(at,
                    sprites_.ring(scene.scene()->dots[i], look_of(*scene.scene(), i, view), RingInk::thin));
    });
}

void DotPainter::paint_over(QPainter& painter, const ChartScene& scene, const View& view,
                            std::span<const std::uint32_t> dots) {
    visit(painter, scene, view, dots, [&](DevicePixels& pixels, std::uint32_t i, PointF at) {
        const Dot& dot = scene.scene()->dots[i];
        const DotLook look = look_of(*scene.scene(), i, view);
        pixels.draw(at, sprites_.ring(dot, look, RingInk::grounded));
        pixels.draw(at, sprites_.sprite(dot, look, false));
    });
}

void paint_shading(QPainter& painter, const DensityMap& density, const View& view, const Palette& palette,
                   QImage& image) {
    if (density.columns <= 0 || density.rows <= 0 || density.max == 0) return;
    const QSize size(density.columns, density.rows);
    if (image.size() != size) image = QImage(size, QImage::Format_ARGB32_Premultiplied);

    const Shading shading(palette, density.max);
    const std::uint32_t* count = density.counts.data();
    for (int row = 0; row < density.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < density.columns; ++column, ++count)
            line[column] = shading.of(*count);
    }
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(
        QRectF(view.plot.x, view.plot.y, density.cell * density.columns, density.cell * density.rows), image);
    painter.restore();
}

}  // namespace roofwalk
