// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/shading_painter.h"

#include <QPainter>
#include <array>
#include <cmath>

#include "core/chart/layout/density.h"

namespace roofwalk {

namespace {

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
