// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>
#include <memory>

#include "core/chart/scene/scene.h"
#include "ui/chart/roofline_chart.h"

namespace roofwalk::test {

/// A chart on screen with a scene, and hands to use it.
class ShownChart {
  public:
    explicit ShownChart(Scene scene) {
        chart.resize(900, 600);
        chart.set_scene(ChartScene(std::make_shared<const Scene>(std::move(scene))), false);
        chart.show();
        shown = QTest::qWaitForWindowExposed(&chart);
        QCoreApplication::processEvents();
    }

    [[nodiscard]] QPoint place_of(std::uint32_t dot) const { return chart.dot_position(dot).toPoint(); }
    /// Inside the plot, far from every dot and every corner.
    [[nodiscard]] QPoint empty_place() const {
        const QRectF plot = chart.plot_area();
        return (plot.topLeft() + QPointF(0.46 * plot.width(), 0.8 * plot.height())).toPoint();
    }

    void click(QPoint at) { QTest::mouseClick(&chart, Qt::LeftButton, Qt::NoModifier, at); }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&chart, Qt::LeftButton, modifiers, from);
        QTest::mouseMove(&chart, (from + to) / 2);
        QTest::mouseMove(&chart, to);
        QTest::mouseRelease(&chart, Qt::LeftButton, modifiers, to);
    }
    /// Moves the pointer without a button down: QTest's own depends on where the cursor was.
    void hover(QPoint at) {
        QMouseEvent event(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(&chart, &event);
    }
    void wheel(QPoint at, int angle) {
        QWheelEvent event(at, chart.mapToGlobal(at), {}, {0, angle}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&chart, &event);
    }

    RooflineChart chart;
    bool shown = false;
};

}  // namespace roofwalk::test
