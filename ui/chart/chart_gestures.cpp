// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_gestures.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <QWidget>
#include <cmath>
#include <utility>

#include "ui/chart/view_motion.h"

namespace roofwalk {

namespace {

constexpr double wheel_zoom_per_step = 1.2;  // one notch of a mouse wheel
constexpr double wheel_step = 120;           // angle of one notch, in eighths of a degree

}  // namespace

ChartGestures::ChartGestures(QWidget& chart) : QObject(&chart), chart_(chart) {
    chart_.installEventFilter(this);
    chart_.setMouseTracking(true);
}

bool ChartGestures::cancel() {
    const Mode was = std::exchange(mode_, Mode::idle);
    chart_.unsetCursor();
    if (was == Mode::rectangle) emit rectangle_cancelled();
    if (was == Mode::panning) emit pan_cancelled();
    if (was == Mode::dot_dragging) emit dot_drag_cancelled();
    return was != Mode::idle;
}

bool ChartGestures::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            press(*static_cast<QMouseEvent*>(event));
            return true;
        case QEvent::MouseMove:
            move(*static_cast<QMouseEvent*>(event));
            return true;
        case QEvent::MouseButtonRelease:
            release(*static_cast<QMouseEvent*>(event));
            return true;
        case QEvent::MouseButtonDblClick:
            if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) emit fit_asked();
            return true;
        case QEvent::Wheel:
            wheel(*static_cast<QWheelEvent*>(event));
            event->accept();
            return true;
        case QEvent::NativeGesture:
            return native(*static_cast<QNativeGestureEvent*>(event));
        case QEvent::ShortcutOverride:
            // Escape is a shortcut of the window: while a drag is under way it belongs to the drag.
            if (mode_ == Mode::idle || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape) return false;
            event->accept();
            return true;
        case QEvent::KeyPress:
            return key(*static_cast<QKeyEvent*>(event));
        case QEvent::Leave:
            if (mode_ == Mode::idle) emit left();
            return false;
        default:
            return QObject::eventFilter(watched, event);
    }
}

void ChartGestures::press(const QMouseEvent& event) {
    cancel();
    pressed_at_ = last_ = event.position();
    pressed_with_ = event.modifiers();
    if (event.button() == Qt::LeftButton) mode_ = Mode::pressed;
    if (event.button() == Qt::MiddleButton) start_drag(Mode::panning);
}

void ChartGestures::start_drag(Mode mode) {
    mode_ = mode;
    chart_.setCursor(mode == Mode::rectangle ? Qt::CrossCursor : Qt::ClosedHandCursor);
    emit left();
    if (mode == Mode::panning) emit pan_started();
    if (mode == Mode::dot_dragging) emit dot_drag_started(pressed_at_);
}

ChartGestures::Mode ChartGestures::drag_of_press() const {
    if (pressed_with_ & (Qt::ShiftModifier | Qt::ControlModifier)) return Mode::rectangle;
    return grips_ && grips_(pressed_at_) ? Mode::dot_dragging : Mode::panning;
}

void ChartGestures::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (mode_ == Mode::pressed && (at - pressed_at_).manhattanLength() >= QApplication::startDragDistance())
        start_drag(drag_of_press());
    if (mode_ == Mode::panning)
        emit pan_dragged(at - last_);
    else if (mode_ == Mode::dot_dragging)
        emit dot_dragged(at, event.modifiers());
    else if (mode_ == Mode::rectangle)
        emit rectangle_changed(rectangle(at));
    else if (mode_ == Mode::idle)
        emit hovered(at);
    last_ = at;
}

void ChartGestures::release(const QMouseEvent& event) {
    const Mode was = std::exchange(mode_, Mode::idle);
    chart_.unsetCursor();
    if (was == Mode::pressed) {
        if ((pressed_with_ | event.modifiers()) & (Qt::ShiftModifier | Qt::ControlModifier))
            emit toggle_asked(event.position());
        else
            emit clicked(event.position());
    }
    if (was == Mode::dot_dragging) emit dot_dropped();
    if (was == Mode::panning) emit pan_dropped();
    if (was != Mode::rectangle) return;
    if (pressed_with_.testFlag(Qt::ControlModifier))
        emit rectangle_zoomed(rectangle(event.position()));
    else
        emit rectangle_drawn(rectangle(event.position()));
}

void ChartGestures::wheel(const QWheelEvent& event) {
    const QPoint angle = event.angleDelta();
    if (angle.x() != 0 && std::abs(angle.x()) > std::abs(angle.y())) {
        emit panned(-angle.x() / wheel_step * pan_step, 0);
        return;
    }
    if (angle.y() != 0)
        emit zoomed_at(event.position(), std::pow(wheel_zoom_per_step, angle.y() / wheel_step));
}

bool ChartGestures::native(const QNativeGestureEvent& event) {
    if (event.gestureType() != Qt::ZoomNativeGesture) return false;
    emit zoomed_at(event.position(), 1 + event.value());
    return true;
}

/// Only what no action of the window does: its shortcuts never come here.
bool ChartGestures::key(const QKeyEvent& event) {
    if (event.key() == Qt::Key_Escape) return cancel();
    if (event.modifiers().testFlag(Qt::ShiftModifier) && nudge(event)) return true;
    if ((event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) != Qt::NoModifier) return false;
    switch (event.key()) {
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            emit zoomed(zoom_step);
            return true;
        case Qt::Key_Minus:
            emit zoomed(1 / zoom_step);
            return true;
        case Qt::Key_Left:
            emit panned(-pan_step, 0);
            return true;
        case Qt::Key_Right:
            emit panned(pan_step, 0);
            return true;
        case Qt::Key_Up:
            emit panned(0, pan_step);
            return true;
        case Qt::Key_Down:
            emit panned(0, -pan_step);
            return true;
        case Qt::Key_L:
            emit legend_asked();
            return true;
        default:
            return false;
    }
}

bool ChartGestures::nudge(const QKeyEvent& event) {
    const int key = event.key();
    const int right = static_cast<int>(key == Qt::Key_Right) - static_cast<int>(key == Qt::Key_Left);
    const int up = static_cast<int>(key == Qt::Key_Up) - static_cast<int>(key == Qt::Key_Down);
    if (right == 0 && up == 0) return false;
    emit nudged(right, up, event.modifiers().testFlag(Qt::ControlModifier));
    return true;
}

QRectF ChartGestures::rectangle(QPointF to) const {
    return QRectF(pressed_at_, to).normalized();
}

}  // namespace roofwalk
