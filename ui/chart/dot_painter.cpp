// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/dot_painter.h"

#include <QPainter>
#include <array>
#include <cmath>
#include <numeric>
#include <unordered_set>
#include <vector>

#include "ui/chart/chart_theme.h"

namespace roofwalk {

namespace {

constexpr double reach = 40;  // px a dot's edge may stand beyond its middle

/// Puts pictures on device pixels: a scaled painter would resample every one of them.
class DevicePixels {
  public:
    explicit DevicePixels(QPainter& painter)
        : painter_(painter), ratio_(painter.device()->devicePixelRatioF()) {
        painter_.save();
        painter_.scale(1 / ratio_, 1 / ratio_);
    }
    ~DevicePixels() { painter_.restore(); }
    DevicePixels(const DevicePixels&) = delete;
    DevicePixels& operator=(const DevicePixels&) = delete;

    void draw(double x, double y, const QPixmap& picture) {
        painter_.drawPixmap(static_cast<int>(std::lround(x * ratio_)) - picture.width() / 2,
                            static_cast<int>(std::lround(y * ratio_)) - picture.height() / 2, picture);
    }

  private:
    QPainter& painter_;
    double ratio_;
};

/// The selected kernel, when it is on the chart: all others stand back then.
std::optional<std::uint32_t> selected_on_chart(const Scene& scene, const DotField& field) {
    const auto selected = scene.options.selected;
    return selected && !field.dots_of(*selected).empty() ? selected : std::nullopt;
}

/// From few to many: premultiplied, thin to solid.
std::array<QRgb, 256> shades(Theme theme) {
    const QColor few = to_qt(categorical_colour(0, theme));
    const Palette& palette = palette_of(theme);
    const QColor many = to_qt(palette.text);
    std::array<QRgb, 256> result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double share = static_cast<double>(i) / 255;
        const double mix = std::max(0.0, share - 0.4) / 0.6;
        const auto blend = [mix](int a, int b) { return static_cast<int>(std::lround(a + mix * (b - a))); };
        result[i] = qPremultiply(qRgba(blend(few.red(), many.red()), blend(few.green(), many.green()),
                                       blend(few.blue(), many.blue()), static_cast<int>(90 + 165 * share)));
    }
    return result;
}

}  // namespace

void DotPainter::paint(QPainter& painter, const Scene& scene, const DotField& field, const View& view) {
    const double ratio = painter.device()->devicePixelRatioF();
    sprites_.prepare(scene.dot_colours, ratio);
    selected_ = selected_on_chart(scene, field);
    const std::vector<std::uint32_t>& others = scene.options.also_selected;
    also_selected_ = {others.begin(), others.end()};
    const auto limit = static_cast<std::size_t>(static_cast<double>(sprite_limit) / (ratio * ratio));
    const std::size_t count = scene.dots.size();
    shaded_ = count > limit && count_cells(field, view) > limit;
    if (shaded_) paint_shading(painter, scene, view);
    paint_sprites(painter, scene, field, view, shaded_ && count > always_dots ? count - always_dots : 0);
    paint_rails(painter, scene, field, view);
}

void DotPainter::paint_sprites(QPainter& painter, const Scene& scene, const DotField& field, const View& view,
                               std::size_t first) {
    DevicePixels pixels(painter);
    const auto log_x = field.log_x();
    const auto log_y = field.log_y();
    const auto left = static_cast<float>(std::log(view.x.lo));
    const auto bottom = static_cast<float>(std::log(view.y.lo));
    const auto scale_x = static_cast<float>(view.plot.width / std::log(view.x.hi / view.x.lo));
    const auto scale_y = static_cast<float>(view.plot.height / std::log(view.y.hi / view.y.lo));
    const auto width = static_cast<float>(view.plot.width + reach);
    const auto height = static_cast<float>(view.plot.height + reach);
    for (std::size_t i = first; i < scene.dots.size(); ++i) {
        const float right_of = (log_x[i] - left) * scale_x;
        const float above = (log_y[i] - bottom) * scale_y;
        if (right_of < -static_cast<float>(reach) || right_of > width || above < -static_cast<float>(reach) ||
            above > height)
            continue;
        const Dot& dot = scene.dots[i];
        pixels.draw(view.plot.x + static_cast<double>(right_of),
                    view.plot.bottom() - static_cast<double>(above), sprites_.sprite(dot, stands_back(dot)));
    }
}

void DotPainter::paint_rails(QPainter& painter, const Scene& scene, const DotField& field, const View& view) {
    // A rail is a line: of the dots at the same pixel only the largest can be seen.
    std::unordered_set<std::uint64_t> taken;
    std::vector<std::uint32_t> seen;
    const auto rail_dots = field.rail_dots();
    for (auto dot = rail_dots.rbegin(); dot != rail_dots.rend(); ++dot) {
        const PointF at = dot_position(scene.dots[*dot], view);
        if (at.x < view.plot.x || at.x > view.plot.right() || at.y < view.plot.y || at.y > view.plot.bottom())
            continue;
        const auto column = static_cast<std::uint64_t>(at.x);
        const auto row = static_cast<std::uint64_t>(at.y);
        if (taken.insert(column << 32U | row).second) seen.push_back(*dot);
    }
    DevicePixels pixels(painter);
    for (auto dot = seen.rbegin(); dot != seen.rend(); ++dot) {
        const PointF at = dot_position(scene.dots[*dot], view);
        pixels.draw(at.x, at.y, sprites_.sprite(scene.dots[*dot], stands_back(scene.dots[*dot])));
    }
}

std::size_t DotPainter::count_cells(const DotField& field, const View& view) {
    count_density(field.log_x(), field.log_y(), view, density_);
    return std::accumulate(density_.counts.begin(), density_.counts.end(), std::size_t{0});
}

void DotPainter::paint_shading(QPainter& painter, const Scene& scene, const View& view) {
    if (density_.columns <= 0 || density_.rows <= 0 || density_.max == 0) return;
    const QSize size(density_.columns, density_.rows);
    if (shading_.size() != size) shading_ = QImage(size, QImage::Format_ARGB32_Premultiplied);

    const std::array<QRgb, 256> shade = shades(scene.options.theme);
    const float scale = 255.0F / std::log2(static_cast<float>(density_.max) + 1.0F);
    const std::uint32_t* count = density_.counts.data();
    for (int row = 0; row < density_.rows; ++row) {
        auto* line = reinterpret_cast<QRgb*>(shading_.scanLine(row));
        for (int column = 0; column < density_.columns; ++column, ++count)
            line[column] =
                *count == 0
                    ? 0
                    : shade[static_cast<std::size_t>(std::log2(static_cast<float>(*count) + 1.0F) * scale)];
    }
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (selected_) painter.setOpacity(0.5);
    painter.drawImage(QRectF(view.plot.x, view.plot.y, 2.0 * density_.columns, 2.0 * density_.rows),
                      shading_);
    painter.restore();
}

}  // namespace roofwalk
