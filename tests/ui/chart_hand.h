// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "tests/ui/shown_window.h"
#include "ui/panels/kernel_panel.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk::test {

inline bool near(double a, double b) {
    return std::abs(a / b - 1) < 0.02;  // a pixel of the chart
}

/// The HBM dot of the longest kernel, "stream_add".
inline std::uint32_t hbm_dot(const Scene& scene) {
    for (std::uint32_t i = 0; i < scene.dots.size(); ++i)
        if (scene.dots[i].point == 0 && scene.dots[i].level == MemoryLevel::hbm) return i;
    return 0;
}

/// A window with three kernels and the mouse over its chart.
struct Hand {
    ShownWindow s;
    QPointF at;

    [[nodiscard]] bool ready() { return s.shown && s.open({test::write_three_kernels(s.folder, "a.json")}); }
    [[nodiscard]] QPointF dot() { return s.chart().dot_position(hbm_dot(*s.chart().scene())); }
    [[nodiscard]] double intensity() { return s.chart().scene()->dots[hbm_dot(*s.chart().scene())].x; }
    [[nodiscard]] double performance() { return s.chart().scene()->dots[hbm_dot(*s.chart().scene())].y; }

    void press() {
        at = dot();
        QTest::mousePress(&s.chart(), Qt::LeftButton, {}, at.toPoint());
    }
    void move(QPointF by, Qt::KeyboardModifiers modifiers = {}) {
        at += by;
        // QTest::mouseMove() takes no modifiers.
        QMouseEvent event(QEvent::MouseMove, at, s.chart().mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                          modifiers);
        QCoreApplication::sendEvent(&s.chart(), &event);
    }
    void release() { QTest::mouseRelease(&s.chart(), Qt::LeftButton, {}, at.toPoint()); }
    void drag(QPointF by, Qt::KeyboardModifiers modifiers = {}) {
        press();
        move(by / 2, modifiers);
        move(by / 2, modifiers);
        release();
    }
    /// Pixels of the chart for a factor of the intensity.
    [[nodiscard]] double right(double factor) {
        const Range x = s.chart().x_range();
        return std::log(factor) / std::log(x.hi / x.lo) * s.chart().plot_area().width();
    }
    [[nodiscard]] double up(double factor) {
        const Range y = s.chart().y_range();
        return -std::log(factor) / std::log(y.hi / y.lo) * s.chart().plot_area().height();
    }
    [[nodiscard]] const Scenario& scenario() { return s.document().spec().scenario; }
    /// What stands beside the pointer, empty without a dot in hand.
    [[nodiscard]] QString label() {
        QStringList lines;
        if (s.chart().dragged_kernel())
            for (const std::string& line : s.chart().dragged_kernel()->words)
                lines.append(to_qt(line));
        return lines.join('\n');
    }
    /// The lines of the kernel panel.
    [[nodiscard]] QString panel() {
        QStringList lines;
        for (const QLabel* label : s.window.findChild<KernelPanel*>()->widget()->findChildren<QLabel*>())
            lines.append(label->accessibleName());
        return lines.join('\n');
    }
    [[nodiscard]] bool panel_says(const QString& words) { return panel().contains(words); }
};

}  // namespace roofwalk::test
