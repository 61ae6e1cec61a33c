// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QPainterPath>
#include <span>
#include <vector>

#include "core/chart/layout/layout.h"
#include "core/chart/scene/scene.h"

class QPainter;

namespace roofwalk {

/// Outline of a dot about the origin: circle, square, diamond or triangle by level, all of the same area.
[[nodiscard]] QPainterPath dot_shape(MemoryLevel level, double radius);

/// An outline stands around the dot of another level.
enum class DotInk : quint8 { filled, outline };

/// A grounded ring is seen over any dots.
enum class RingInk : quint8 { thin, grounded };

/// How dot `i` of a scene is drawn in a view.
struct DotLook {
    double radius = 4;  ///< [px]
    DotInk ink = DotInk::filled;
    Theme theme = Theme::light;
};
[[nodiscard]] DotLook look_of(const Scene& scene, std::uint32_t i, const View& view);

/// What tells the class or report of a colour in the middle of a dot.
using DotMark = std::span<const MarkStroke>;
void paint_dot_mark(QPainter& painter, DotMark mark, QPointF at, double radius, Colour ink);

/// One drawn dot. One from another device is hollow, one that was only timed has a broken outline too.
void paint_dot(QPainter& painter, QPointF at, const Dot& dot, DotLook look, Colour colour, DotMark mark = {});

/// The ring around a dot.
void paint_ring(QPainter& painter, QPointF at, const Dot& dot, double radius, Colour colour);
/// The same on a ground that parts it from what lies below, and farther from its dot.
void paint_grounded_ring(QPainter& painter, QPointF at, const Dot& dot, double radius, Theme theme);

/// Pictures of dots and of rings around them, each drawn once: by shape, colour, radius and whether the dot
/// stands back.
class DotSprites {
  public:
    /// Forgets every picture when anything they depend on has changed.
    void prepare(const std::vector<Colour>& colours, Theme theme, double device_pixel_ratio,
                 std::vector<DotMark> marks = {});

    /// The picture in device pixels; its middle is the dot's place.
    [[nodiscard]] const QImage& sprite(const Dot& dot, DotLook look, bool dimmed);
    [[nodiscard]] const QImage& ring(const Dot& dot, DotLook look, RingInk ink);

  private:
    /// The outermost line of a picture [px].
    struct Outline {
        MemoryLevel level = MemoryLevel::hbm;
        double radius = 0;
        double pen = 1;
    };
    /// In half device pixels: radii between them share a picture.
    [[nodiscard]] quint32 step_of(DotLook look) const;
    template <class Paint>
    const QImage& picture(quint32 key, const Outline& outline, const Paint& paint);

    std::vector<Colour> colours_;
    std::vector<DotMark> marks_;  // of these
    Theme theme_ = Theme::light;
    double ratio_ = 0;
    QHash<quint32, QImage> sprites_;
};

}  // namespace roofwalk
