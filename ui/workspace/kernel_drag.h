// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "core/scenario/drag_solver.h"

class QMenu;
class QUndoStack;

namespace roofwalk {

class Document;
class RooflineChart;

/// Lets a person move kernels on the chart: a drag of a dot, or steps of the keys, become moves of the
/// document's scenario, each one step of the undo stack.
class KernelDrag : public QObject {
    Q_OBJECT

  public:
    KernelDrag(Document& document, RooflineChart& chart, QUndoStack& changes, QObject* parent);

    /// Where a person chooses what a drag decides when no key is held. Where it would keep the efficiency, a
    /// pointer well above the slide takes less time too, and one straight above or below where the dot was
    /// taken up changes the time alone. Shift decides by the way of the pointer: right or up only.
    [[nodiscard]] QMenu* make_mode_menu(QWidget* parent);
    /// Moves the selected kernel by steps of the keys, by its dot at the level that binds where that is
    /// shown, else the farthest; `pass` lets it past its roof and its algorithm.
    void step(int right, int up, bool pass);

  signals:
    /// What the keys did, or why nothing can be moved: a line for the status bar.
    void told(const QString& words);

  private:
    [[nodiscard]] std::optional<DragSolver> begin(std::uint32_t point, MemoryLevel level) const;
    [[nodiscard]] QString name_of(std::uint32_t point) const;
    [[nodiscard]] DragMode locked(ChartPlace to) const;
    void follow(ChartPlace to, bool pass);
    void take(std::uint32_t point, MemoryLevel level);
    void drag_dot(ChartPlace to, Qt::KeyboardModifiers modifiers);
    void drop();
    void cancel();
    void keep(const DragSolver& solver, const QString& series);

    Document& document_;
    RooflineChart& chart_;
    QUndoStack& changes_;
    DragMode mode_ = DragMode::keep_efficiency;
    std::optional<DragSolver> solver_;
    bool went_aside_ = false;  ///< the pointer has left the way straight up and down
};

}  // namespace roofwalk
