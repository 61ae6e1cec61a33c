// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <optional>
#include <unordered_set>

#include "core/chart/density.h"
#include "core/chart/layout.h"
#include "core/chart/scene.h"
#include "ui/chart/dot_field.h"
#include "ui/chart/dot_sprites.h"

class QPainter;

namespace roofwalk {

/// Paints every dot in view: one picture each, or shading with the largest dots over it when there are more
/// than pictures can carry at 60 frames a second.
class DotPainter {
  public:
    void paint(QPainter& painter, const Scene& scene, const DotField& field, const View& view);
    /// Whether the last frame was shading.
    [[nodiscard]] bool shaded() const { return shaded_; }

    static constexpr std::size_t sprite_limit = 50'000;  ///< visible dots, at one device pixel per pixel
    static constexpr std::size_t always_dots = 500;      ///< the largest, even over shading

  private:
    void paint_sprites(QPainter& painter, const Scene& scene, const DotField& field, const View& view,
                       std::size_t first);
    void paint_rails(QPainter& painter, const Scene& scene, const DotField& field, const View& view);
    /// Fills the shading's cells; how many dots they hold.
    [[nodiscard]] std::size_t count_cells(const DotField& field, const View& view);
    void paint_shading(QPainter& painter, const Scene& scene, const View& view);

    [[nodiscard]] bool stands_back(const Dot& dot) const {
        return selected_ && dot.point != *selected_ && !also_selected_.contains(dot.point);
    }

    DotSprites sprites_;
    DensityMap density_;
    QImage shading_;
    bool shaded_ = false;
    std::optional<std::uint32_t> selected_;
    std::unordered_set<std::uint32_t> also_selected_;
};

}  // namespace roofwalk
