// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/chart/layout/density.h"
#include "core/chart/layout/layout.h"
#include "ui/chart/chart_scene.h"
#include "ui/chart/dot_sprites.h"

class QPainter;

namespace roofwalk {

/// Paints every dot in view: one picture each, or shading with the largest dots over it when there are more
/// than pictures can carry at 60 frames a second.
class DotPainter {
  public:
    /// The dots of this kernel are painted by nobody here: a person carries it.
    void leave_out(std::optional<std::uint32_t> point) { left_out_ = point; }
    /// The dots in the plot; those in `always` and those with a name are painted over shading too.
    void paint(QPainter& painter, const ChartScene& scene, const View& view,
               std::span<const std::uint32_t> always);
    /// The dots on the bands of rails; those in `always` also where a larger one stands. After paint().
    void paint_rails(QPainter& painter, const ChartScene& scene, const View& view,
                     std::span<const std::uint32_t> always);
    /// Rings around dots, in the colour of a selection; after paint().
    void paint_rings(QPainter& painter, const ChartScene& scene, const View& view,
                     std::span<const std::uint32_t> dots);
    /// The same, with the dots themselves: over a crowd of others.
    void paint_over(QPainter& painter, const ChartScene& scene, const View& view,
                    std::span<const std::uint32_t> dots);
    /// Whether the last frame was shading.
    [[nodiscard]] bool shaded() const { return shaded_; }

    static constexpr std::size_t sprite_limit = 30'000;  ///< visible dots, at one device pixel per pixel
    static constexpr std::size_t always_dots = 500;      ///< the largest, even over shading

  private:
    /// The dots from `first` on, and those of `always`.
    void paint_sprites(QPainter& painter, const ChartScene& scene, const View& view, std::uint32_t first,
                       std::span<const std::uint32_t> always);
    template <class Draw>
    void visit(QPainter& painter, const ChartScene& scene, const View& view,
               std::span<const std::uint32_t> dots, const Draw& draw);
    void paint_rail(QPainter& painter, const ChartScene& scene, const View& view, Rail rail,
                    std::span<const std::uint32_t> always);

    DotSprites sprites_;
    DensityMap density_;
    QImage shading_;
    std::vector<std::uint32_t> largest_;  // of each pixel of a rail
    bool shaded_ = false;
    std::optional<std::uint32_t> left_out_;
};

/// Shades the cells of a plot by how many dots they hold. `image` is what is painted, its memory used again.
void paint_shading(QPainter& painter, const DensityMap& density, const View& view, const Palette& palette,
                   QImage& image);

}  // namespace roofwalk
