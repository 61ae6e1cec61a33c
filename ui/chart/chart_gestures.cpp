// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_gestures.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>
#include <QWidget>
#include <cmath>

namespace roofwalk {

namespace {

constexpr double key_zoom = 1.25;
constexpr double key_pan = 0.1;              // of the view
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
    if (was == Mode::panning) emit drag_finished();
    return was == Mode::rectangle || was == Mode::panning;
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
    if (event.button() == Qt::LeftButton)
        mode_ = event.modifiers().testFlag(Qt::ShiftModifier) ? Mode::rectangle : Mode::pressed;
    else if (event.button() == Qt::MiddleButton)
        mode_ = Mode::panning;
    if (mode_ == Mode::rectangle) chart_.setCursor(Qt::CrossCursor);
}

void ChartGestures::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (mode_ == Mode::pressed && (at - pressed_at_).manhattanLength() >= QApplication::startDragDistance()) {
        mode_ = Mode::panning;
        chart_.setCursor(Qt::ClosedHandCursor);
        emit left();
    }
    if (mode_ == Mode::panning)
        emit dragged(at - last_);
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
        if (event.modifiers().testFlag(Qt::ControlModifier))
            emit control_clicked(event.position());
        else
            emit clicked(event.position());
    }
    if (was == Mode::panning) emit drag_finished();
    if (was == Mode::rectangle) emit rectangle_drawn(rectangle(event.position()));
}

void ChartGestures::wheel(const QWheelEvent& event) {
    const QPoint angle = event.angleDelta();
    if (angle.x() != 0 && std::abs(angle.x()) > std::abs(angle.y())) {
        emit panned(-angle.x() / wheel_step * key_pan, 0);
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

bool ChartGestures::key(const QKeyEvent& event) {
    const auto modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    if (modifiers == Qt::ControlModifier && event.key() == Qt::Key_0) {
        emit fit_asked();
        return true;
    }
    if (modifiers == Qt::NoModifier || modifiers == Qt::ControlModifier) {
        const bool nearer = event.key() == Qt::Key_Plus || event.key() == Qt::Key_Equal;
        if (nearer || event.key() == Qt::Key_Minus) {
            emit zoomed(nearer ? key_zoom : 1 / key_zoom);
            return true;
        }
    }
    if (modifiers != Qt::NoModifier) return false;
    switch (event.key()) {
        case Qt::Key_W:
            emit zoomed(key_zoom);
            return true;
        case Qt::Key_S:
            emit zoomed(1 / key_zoom);
            return true;
        case Qt::Key_A:
        case Qt::Key_Left:
            emit panned(-key_pan, 0);
            return true;
        case Qt::Key_D:
        case Qt::Key_Right:
            emit panned(key_pan, 0);
            return true;
        case Qt::Key_Up:
            emit panned(0, key_pan);
            return true;
        case Qt::Key_Down:
            emit panned(0, -key_pan);
            return true;
        case Qt::Key_F:
            emit focus_asked();
            return true;
        case Qt::Key_L:
            emit legend_asked();
            return true;
        case Qt::Key_Escape:
            if (!cancel()) emit escape_pressed();
            return true;
        default:
            return false;
    }
}

QRectF ChartGestures::rectangle(QPointF to) const {
    return QRectF(pressed_at_, to).normalized();
}

}  // namespace roofwalk
