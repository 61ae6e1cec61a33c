// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/chart_accessible.h"

#include <QAccessibleWidget>
#include <QPointer>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "ui/chart/roofline_chart.h"

namespace roofwalk {

namespace {

constexpr std::size_t most_children = 200;

/// One dot, valid as long as the chart shows the scene it belongs to.
class DotAccessible : public QAccessibleInterface {
  public:
    DotAccessible(RooflineChart& chart, std::uint32_t dot)
        : chart_(&chart), scene_(chart.scene()), dot_(dot) {}

    bool isValid() const override { return chart_ && chart_->scene() == scene_; }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(chart_); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QString text(QAccessible::Text kind) const override {
        return isValid() && kind == QAccessible::Name ? chart_->dot_title(dot_) : QString();
    }
    QRect rect() const override {
        if (!isValid()) return {};
        const int radius = static_cast<int>(std::ceil(scene_->dots[dot_].radius));
        const QPoint middle = chart_->mapToGlobal(chart_->dot_position(dot_).toPoint());
        return QRect(middle, QSize(1, 1)).adjusted(-radius, -radius, radius, radius);
    }
    QAccessible::State state() const override {
        QAccessible::State state;
        state.selectable = true;
        state.invalid = !isValid();
        state.selected = isValid() && is_selected(scene_->options, scene_->dots[dot_].point);
        return state;
    }

  private:
    QPointer<RooflineChart> chart_;
    std::shared_ptr<const Scene> scene_;
    std::uint32_t dot_;
};

class ChartAccessible : public QAccessibleWidget {
  public:
    explicit ChartAccessible(RooflineChart& chart)
        : QAccessibleWidget(&chart, QAccessible::Chart), chart_(chart) {}
    ~ChartAccessible() override { forget(); }

    int childCount() const override {
        return chart_.scene() ? static_cast<int>(std::min(chart_.scene()->dots.size(), most_children)) : 0;
    }
    QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount()) return nullptr;
        follow_scene();
        QAccessible::Id& id = children_[static_cast<std::size_t>(index)];
        if (id == 0) {
            const auto last = static_cast<std::uint32_t>(chart_.scene()->dots.size() - 1);
            id = QAccessible::registerAccessibleInterface(
                new DotAccessible(chart_, last - static_cast<std::uint32_t>(index)));
        }
        return QAccessible::accessibleInterface(id);
    }
    QAccessibleInterface* childAt(int x, int y) const override {
        for (int i = 0; i < childCount(); ++i)
            if (QAccessibleInterface* dot = child(i); dot->rect().contains(x, y)) return dot;
        return nullptr;
    }
    int indexOfChild(const QAccessibleInterface* wanted) const override {
        for (int i = 0; i < childCount(); ++i)
            if (child(i) == wanted) return i;
        return -1;
    }

  private:
    void follow_scene() const {
        if (scene_ == chart_.scene()) return;
        forget();
        scene_ = chart_.scene();
        children_.assign(static_cast<std::size_t>(childCount()), 0);
    }
    void forget() const {
        for (const QAccessible::Id id : children_)
            if (id != 0) QAccessible::deleteAccessibleInterface(id);
        children_.clear();
    }

    RooflineChart& chart_;
    // Qt asks for children through const functions only.
    mutable std::shared_ptr<const Scene> scene_;
    mutable std::vector<QAccessible::Id> children_;
};

}  // namespace

QAccessibleInterface* make_chart_accessible(const QString&, QObject* object) {
    auto* chart = qobject_cast<RooflineChart*>(object);
    return chart ? new ChartAccessible(*chart) : nullptr;
}

}  // namespace roofwalk
