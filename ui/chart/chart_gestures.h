// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <functional>

class QKeyEvent;
class QMouseEvent;
class QNativeGestureEvent;
class QWheelEvent;
class QWidget;

namespace roofwalk {

/// Reads what a person does with mouse, wheel and keys over a chart, and says what is meant. Positions are in
/// pixels of the widget.
class ChartGestures : public QObject {
    Q_OBJECT

  public:
    explicit ChartGestures(QWidget& chart);

    /// Says whether a press takes something up that can be dragged; without it every drag pans.
    void set_grips(std::function<bool(QPointF)> grips) { grips_ = std::move(grips); }

    /// Ends a drag or a rectangle without any effect; false when there was none.
    bool cancel();

  signals:
    void hovered(QPointF at);
    void left();
    void clicked(QPointF at);
    void toggle_asked(QPointF at);
    void fit_asked();
    void legend_asked();
    void zoomed_at(QPointF at, double factor);  ///< above 1 is nearer
    void zoomed(double factor);                 ///< about the middle
    void pan_started();
    void pan_dragged(QPointF by);  ///< the content follows the pointer, in pixels
    void pan_dropped();
    void pan_cancelled();               ///< the content goes back to where it was
    void panned(double dx, double dy);  ///< by shares of the view
    void dot_drag_started(QPointF at);  ///< what was under the pointer when it was pressed
    void dot_dragged(QPointF at, Qt::KeyboardModifiers modifiers);
    void dot_dropped();
    void dot_drag_cancelled();
    /// Steps with the arrow keys while Shift is held; `pass` while Ctrl is held too.
    void nudged(int right, int up, bool pass);
    void rectangle_changed(QRectF area);
    void rectangle_cancelled();
    void rectangle_drawn(QRectF area);   ///< with Shift
    void rectangle_zoomed(QRectF area);  ///< with Ctrl

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Mode { idle, pressed, panning, dot_dragging, rectangle };

    [[nodiscard]] Mode drag_of_press() const;
    void start_drag(Mode mode);

    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void wheel(const QWheelEvent& event);
    bool key(const QKeyEvent& event);
    bool nudge(const QKeyEvent& event);
    bool native(const QNativeGestureEvent& event);
    [[nodiscard]] QRectF rectangle(QPointF to) const;

    QWidget& chart_;
    std::function<bool(QPointF)> grips_;
    Mode mode_ = Mode::idle;
    Qt::KeyboardModifiers pressed_with_;
    QPointF pressed_at_;
    QPointF last_;
};

}  // namespace roofwalk
