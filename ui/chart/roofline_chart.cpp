// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/roofline_chart.h"

#include <fmt/format.h>

#include <QAccessible>
#include <QAccessibleWidget>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QPointF>
#include <QPointer>
#include <QRegularExpression>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/chart/layout/layout_labels.h"
#include "core/chart/scene/nested_dots.h"
#include "ui/chart/chart_canvas.h"
#include "ui/chart/chart_gestures.h"
#include "ui/chart/chart_theme.h"
#include "ui/chart/scene_painter.h"
#include "ui/chart/view_motion.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"

namespace roofwalk {

namespace {

/// A number and its unit stay on one line.
QString with_units(const std::string& words) {
    static const QRegularExpression before_unit(QStringLiteral("(?<=\\d) (?=[A-Za-zµ%/])"));
    return to_qt(words).replace(before_unit, QString(QChar::Nbsp));
}

/// As Qt lays it out: where it wraps, five wide and three high.
QSizeF tooltip_size(const QString& text) {
    constexpr double highest = 4000;  // [px]
    const QSizeF padding(24, 24);
    const QFontMetricsF metrics(QToolTip::font());
    const auto laid_in = [&](double width) {
        return metrics.boundingRect({0, 0, width, highest}, Qt::TextWordWrap, text).size();
    };
    const double widest = 80 * metrics.horizontalAdvance('x');
    const QSizeF wide = laid_in(widest);
    if (!Qt::mightBeRichText(tooltip_text(text))) return wide + padding;
    return laid_in(std::min(widest, std::sqrt(wide.width() * wide.height() * 5 / 3))) + padding;
}

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

/// Gives screen readers a RooflineChart whose children are its largest dots, largest first, each named by its
/// title. For QAccessible::installFactory(); null for every other object.
QAccessibleInterface* make_chart_accessible(const QString&, QObject* object) {
    auto* chart = qobject_cast<RooflineChart*>(object);
    return chart ? new ChartAccessible(*chart) : nullptr;
}

constexpr double reach = 6;  // px from the pointer to a dot's edge

}  // namespace

class RooflineChart::Private {
  public:
    explicit Private(RooflineChart& owner);

    /// With `before` it is a step that can be taken back to it.
    void show(Range x, Range y, const std::optional<View>& before = {});
    /// As show(), of a view that is on its way: at rest the labels are placed anew. Until then it is one
    /// step.
    void move(Range x, Range y);
    void hover(QPointF at);
    void leave();
    void click(QPointF at);
    [[nodiscard]] ChartPart part_at(QPointF at) const;
    void toggle(QPointF at);
    [[nodiscard]] std::string titles_at(std::uint32_t dot) const;
    [[nodiscard]] std::string drag_words(std::uint32_t dot, const Dot* carried) const;
    void toggle_legend();
    void pick(const QRectF& area);
    void zoom_into(const QRectF& area);
    [[nodiscard]] std::optional<std::uint32_t> selected_dot(QPointF at) const;
    [[nodiscard]] const Dot* movable_dot(QPointF at) const;
    void start_dot_drag(QPointF at);
    void drag_dot(QPointF at, Qt::KeyboardModifiers modifiers);
    void zoom_at(QPointF at, double factor);
    void pan_by(QPointF by);
    bool bring_to_middle(std::uint32_t point);
    void show_focus(bool focused);
    void point_at(const PointerMarks& pointer_marks);
    void announce_selection();
    void connect_gestures();

    RooflineChart& chart;
    ScenePainter painter;
    ChartCanvas canvas;
    ChartGestures gestures;
    QTimer settle;
    QTimer rest;
    bool by_hand = false;            // zoomed or panned since everything was shown
    std::optional<View> before_pan;  // while the pointer drags the view
    std::vector<View> back;          // seen before, the last of them at the end
    std::vector<View> forward;
    QPointF grip;  // from the pointer to the middle of the dot it carries [px]
    std::function<DotTitle(std::span<const Dot>)> title_of;
};

RooflineChart::Private::Private(RooflineChart& owner)
    : chart(owner), canvas(owner, painter), gestures(owner) {
    auto* layout = new QVBoxLayout(&chart);
    layout->setContentsMargins({});
    layout->addWidget(&canvas.widget());
    canvas.set_palette(palette_of(Theme::light));
    settle.setSingleShot(true);
    settle.setInterval(250);
    QObject::connect(&settle, &QTimer::timeout, &chart, [this] {
        painter.settle_legend();
        canvas.repaint_later();
    });
    rest.setSingleShot(true);
    rest.setInterval(150);
    QObject::connect(&rest, &QTimer::timeout, &chart, [this] {
        painter.label_search = LabelSearch::thorough;
        canvas.repaint_later();
    });
    connect_gestures();
}

void RooflineChart::Private::connect_gestures() {
    using G = ChartGestures;
    const auto on = [this](auto signal, auto slot) { QObject::connect(&gestures, signal, &chart, slot); };
    on(&G::hovered, [this](QPointF at) { hover(at); });
    on(&G::left, [this] { leave(); });
    on(&G::clicked, [this](QPointF at) { click(at); });
    on(&G::toggle_asked, [this](QPointF at) { toggle(at); });
    on(&G::fit_asked, [this] { chart.fit(); });
    on(&G::zoomed_at, [this](QPointF at, double factor) { zoom_at(at, factor); });
    on(&G::zoomed, [this](double factor) { chart.zoom(factor); });
    on(&G::pan_started, [this] { before_pan = canvas.view(); });
    on(&G::pan_dragged, [this](QPointF by) { pan_by(by); });
    on(&G::pan_dropped, [this] { show(chart.x_range(), chart.y_range(), std::exchange(before_pan, {})); });
    on(&G::pan_cancelled, [this] {
        chart.look_at(before_pan->x, before_pan->y);
        before_pan.reset();
    });
    on(&G::panned, [this](double dx, double dy) { chart.pan(dx, dy); });
    gestures.set_grips([this](QPointF at) { return movable_dot(at) != nullptr; });
    on(&G::dot_drag_started, [this](QPointF at) { start_dot_drag(at); });
    on(&G::dot_dragged, [this](QPointF at, Qt::KeyboardModifiers modifiers) { drag_dot(at, modifiers); });
    on(&G::dot_dropped, [this] { emit chart.dot_dropped(); });
    on(&G::dot_drag_cancelled, [this] { emit chart.dot_drag_cancelled(); });
    on(&G::nudged, [this](int right, int up, bool pass) { emit chart.nudged(right, up, pass); });
    on(&G::rectangle_changed, [this](QRectF area) { point_at({.rectangle = to_core(area)}); });
    on(&G::rectangle_cancelled, [this] { point_at({}); });
    on(&G::rectangle_drawn, [this](QRectF area) { pick(area); });
    on(&G::rectangle_zoomed, [this](QRectF area) { zoom_into(area); });
    on(&G::legend_asked, [this] { toggle_legend(); });
}

void RooflineChart::Private::show(Range x, Range y, const std::optional<View>& before) {
    canvas.set_ranges(limited(x, intensity_limits), limited(y, performance_limits));
    by_hand = true;
    canvas.repaint_later();
    settle.start();
    const View now = canvas.view();
    if (!before || (now.x == before->x && now.y == before->y)) return;
    back.push_back(*before);
    forward.clear();
    emit chart.views_changed(true, false);
}

void RooflineChart::Private::move(Range x, Range y) {
    const bool begins = !rest.isActive() && !before_pan;
    painter.label_search = LabelSearch::quick;
    rest.start();
    show(x, y, begins ? std::optional(canvas.view()) : std::nullopt);
}

void RooflineChart::Private::point_at(const PointerMarks& pointer_marks) {
    painter.pointer_marks = pointer_marks;
    canvas.repaint_overlay();
}

void RooflineChart::Private::hover(QPointF at) {
    const View view = canvas.view();
    const auto& scene = painter.scene();
    if (!scene || !to_qt(view.frame()).contains(at) || painter.legend().place(view).contains(at)) {
        leave();
        if (!painter.is_on_caption(view, to_core(at))) return;
        chart.setCursor(Qt::PointingHandCursor);
        const std::string cut = painter.cut_caption(view);
        const QString text = with_units((cut.empty() ? "" : cut + "\n") + "A click opens the ceilings.");
        return show_tooltip_at(chart.mapToGlobal(at + QPointF(14, 14)).toPoint(), text, chart);
    }
    const auto dot = painter.dot_at(view, to_core(at), reach);
    if (dot) {
        const bool on_line = scene->dots[*dot].rail == Rail::edge;
        const QPointF place = on_line ? at : to_qt(roofwalk::dot_position(scene->dots[*dot], view));
        const Dot* carried = movable_dot(at);
        chart.setCursor(carried ? Qt::OpenHandCursor : Qt::PointingHandCursor);
        if (title_of) {
            const QPointF from_pointer(2, 16);  // to where Qt shows it
            const QString text = with_units(titles_at(*dot) + drag_words(*dot, carried));
            const QPointF corner = painter.free_place(view, place, tooltip_size(text)).topLeft();
            show_tooltip_at(chart.mapToGlobal(corner - from_pointer).toPoint(), text, chart);
        }
    } else if (chart.unsetCursor(); const TargetMark* target = painter.target_at(to_core(at), reach)) {
        const QString text = with_units(figure_text(target->whose, {}, target->label) + "\n" + target->note);
        show_tooltip_at(chart.mapToGlobal(at + QPointF(14, 14)).toPoint(), text, chart);
    } else {
        QToolTip::hideText();
    }
    point_at({.dot = dot, .at = to_core(at)});
    if (!to_qt(view.plot).contains(at)) {
        emit chart.pointer_left();
        return;
    }
    emit chart.pointer_moved(x_axis(view).to_value(at.x()), y_axis(view).to_value(at.y()));
}

void RooflineChart::Private::announce_selection() {
    const auto& scene = painter.scene();
    if (!QAccessible::isActive() || !scene || !scene->options.selected) return;
    const auto dots = painter.shown().field().dots_of(*scene->options.selected);
    QAccessibleEvent event(&chart, QAccessible::Selection);
    const int child = dots.empty() ? -1 : static_cast<int>(scene->dots.size() - 1 - dots.front());
    if (child < QAccessible::queryAccessibleInterface(&chart)->childCount()) event.setChild(child);
    QAccessible::updateAccessibility(&event);
}

void RooflineChart::Private::leave() {
    QToolTip::hideText();
    if (chart.cursor().shape() != Qt::ClosedHandCursor && chart.cursor().shape() != Qt::CrossCursor)
        chart.unsetCursor();
    point_at({});
    emit chart.pointer_left();
}

void RooflineChart::Private::click(QPointF at) {
    const View view = canvas.view();
    const auto& scene = painter.scene();
    if (!scene) return;
    if (painter.legend().heading(view).contains(at)) return toggle_legend();
    if (painter.is_on_caption(view, to_core(at))) return emit chart.caption_clicked();
    const ChartPart place = part_at(at);
    if (place.roof || place.legend_row)
        emit chart.part_clicked(place);
    else if (!painter.legend().place(view).contains(at))
        emit chart.point_clicked(place.point);
}

ChartPart RooflineChart::Private::part_at(QPointF at) const {
    const View view = canvas.view();
    const auto& scene = painter.scene();
    if (!scene) return {};
    if (painter.legend().place(view).contains(at))  // in a drag it has rows of its own
        return painter.dragged() ? ChartPart{} : ChartPart{.legend_row = painter.legend().row_at(view, at)};
    if (const auto dot = painter.dot_at(view, to_core(at), reach)) return {.point = scene->dots[*dot].point};
    constexpr double reach_of_roof = 4;
    return {.roof = painter.roof_at(to_core(at), reach_of_roof)};
}

void RooflineChart::Private::toggle(QPointF at) {
    const View view = canvas.view();
    if (!painter.scene() || painter.legend().place(view).contains(at)) return;
    if (const auto dot = painter.dot_at(view, to_core(at), reach))
        emit chart.point_toggled(painter.scene()->dots[*dot].point);
}

/// Of a kernel with a dot at a place a line, and of others there, the longest first; figures that are the
/// same of several stand once.
std::string RooflineChart::Private::titles_at(std::uint32_t dot) const {
    constexpr double around = 2;  // px
    constexpr std::size_t most_told = 4;
    const Scene& scene = *painter.scene();
    const View view = canvas.view();
    const PointF at = roofwalk::dot_position(scene.dots[dot], view);
    std::vector<std::uint32_t> here =
        painter.shown().index().inside(view, {at.x - around, at.y - around, 2 * around, 2 * around});
    std::vector<DotTitle> titles;
    std::vector<std::uint32_t> told;
    const auto is_told = [&](std::uint32_t index) {
        return std::ranges::find(told, scene.dots[index].point) != told.end();
    };
    const auto tell = [&](std::uint32_t index) {
        if (is_told(index)) return;
        told.push_back(scene.dots[index].point);
        std::vector<Dot> dots;
        for (const std::uint32_t one : dots_together(scene.dots, index, view))
            dots.push_back(scene.dots[one]);
        DotTitle title = title_of(dots);
        const auto same = std::ranges::find(titles, title.figures, &DotTitle::figures);
        if (same == titles.end())
            titles.push_back(std::move(title));
        else if (same->name != title.name)
            same->name += "; " + title.name;
    };
    tell(dot);
    std::ranges::make_heap(here);  // of all the dots at a place only those that are told need an order
    while (!here.empty() && told.size() < most_told) {
        std::ranges::pop_heap(here);
        tell(here.back());
        here.pop_back();
    }
    const auto more = here.size() - static_cast<std::size_t>(std::ranges::count_if(here, is_told));
    std::string text;
    for (const DotTitle& title : titles)
        text += (text.empty() ? "" : "\n") + (titles.size() == 1 ? title.tooltip() : title.text());
    if (more > 0)
        text += fmt::format("\n{} more {} here", format_count(static_cast<double>(more)),
                            more == 1 ? "dot" : "dots");
    return text;
}

/// Which of the dots at a place a drag carries, where that is not the one that is seen first, or why none.
std::string RooflineChart::Private::drag_words(std::uint32_t dot, const Dot* carried) const {
    const std::vector<Dot>& dots = painter.scene()->dots;
    if (!carried)
        return std::string("\nIt cannot be dragged: ") + (dots[dot].rail == Rail::edge
                                                              ? "its intensity is not known."
                                                              : "it has no place on both axes.");
    if (dots_together(dots, dot, canvas.view()).size() < 2 && carried == &dots[dot]) return {};
    const std::vector<LegendRow>& legend = painter.scene()->legend;
    const auto row = std::ranges::find(legend, std::optional(carried->level), &LegendRow::shape);
    return row == legend.end() ? std::string() : "\nA drag carries the " + row->text + " dot.";
}

void RooflineChart::Private::toggle_legend() {
    painter.legend().toggle(canvas.view());
    painter.settle_legend();
    canvas.repaint_later();
}

/// On a rail there is no way to go. Of a kernel's dots on one spot it is that of the farthest level: what it
/// moves less there is a change of the kernel, not only of a cache.
const Dot* RooflineChart::Private::movable_dot(QPointF at) const {
    const View view = canvas.view();
    const auto& scene = painter.scene();
    if (!scene || painter.legend().place(view).contains(at)) return nullptr;
    auto index = painter.shown().index().nearest(view, to_core(at), reach);
    if (const auto selected = selected_dot(at)) index = selected;
    if (!index || scene->dots[*index].rail != Rail::none) return nullptr;
    const QPointF place = to_qt(roofwalk::dot_position(scene->dots[*index], view));
    for (const std::uint32_t other : painter.shown().field().dots_of(scene->dots[*index].point)) {
        const QPointF apart = to_qt(roofwalk::dot_position(scene->dots[other], view)) - place;
        if (scene->dots[other].rail == Rail::none && apart.manhattanLength() < 1) return &scene->dots[other];
    }
    return &scene->dots[*index];
}

/// The dot of the selected kernel that covers a place, whatever lies upon it.
std::optional<std::uint32_t> RooflineChart::Private::selected_dot(QPointF at) const {
    const Scene& scene = *painter.scene();
    if (!scene.options.selected) return std::nullopt;
    for (const std::uint32_t index : painter.shown().field().dots_of(*scene.options.selected)) {
        const Dot& dot = scene.dots[index];
        const QPointF apart = to_qt(roofwalk::dot_position(dot, canvas.view())) - at;
        if (dot.rail == Rail::none && std::hypot(apart.x(), apart.y()) <= static_cast<double>(dot.radius))
            return index;
    }
    return std::nullopt;
}

void RooflineChart::Private::start_dot_drag(QPointF at) {
    const Dot* dot = movable_dot(at);
    if (dot == nullptr) return;
    grip = to_qt(roofwalk::dot_position(*dot, canvas.view())) - at;
    emit chart.dot_taken(dot->point, dot->level);
}

void RooflineChart::Private::drag_dot(QPointF at, Qt::KeyboardModifiers modifiers) {
    const View view = canvas.view();
    const QPointF wanted = at + grip;
    emit chart.dot_dragged(x_axis(view).to_value(wanted.x()), y_axis(view).to_value(wanted.y()), modifiers);
}

void RooflineChart::Private::pick(const QRectF& area) {
    point_at({});
    const auto& scene = painter.scene();
    if (!scene) return;
    std::vector<std::uint32_t> points;
    for (const std::uint32_t dot : painter.shown().index().inside(canvas.view(), to_core(area)))
        points.push_back(scene->dots[dot].point);
    std::ranges::sort(points);
    points.erase(std::unique(points.begin(), points.end()), points.end());
    emit chart.points_picked(points);
}

/// Not into what is hardly more than a line.
void RooflineChart::Private::zoom_into(const QRectF& area) {
    constexpr double least = 4;  // px
    point_at({});
    const View view = canvas.view();
    const QRectF inside = area & to_qt(view.plot);
    if (inside.width() < least || inside.height() < least) return;
    const LogAxis x = x_axis(view);
    const LogAxis y = y_axis(view);
    show({x.to_value(inside.left()), x.to_value(inside.right())},
         {y.to_value(inside.bottom()), y.to_value(inside.top())}, view);
}

void RooflineChart::Private::zoom_at(QPointF at, double factor) {
    const View view = canvas.view();
    const double x = std::clamp(at.x(), view.plot.x, view.plot.right());
    const double y = std::clamp(at.y(), view.plot.y, view.plot.bottom());
    move(zoomed(view.x, x_axis(view).to_value(x), factor, intensity_limits),
         zoomed(view.y, y_axis(view).to_value(y), factor, performance_limits));
}

void RooflineChart::Private::pan_by(QPointF by) {
    const View view = canvas.view();
    chart.pan(-by.x() / view.plot.width, by.y() / view.plot.height);
}

/// Widened on both sides alike until it holds a value.
static Range reaching(Range range, double value) {
    const double mirrored = range.lo * range.hi / value;
    return {std::min({range.lo, value, mirrored}), std::max({range.hi, value, mirrored})};
}

/// Returns false when the kernel is in the middle already, or has no place on the chart.
bool RooflineChart::Private::bring_to_middle(std::uint32_t point) {
    const auto& scene = painter.scene();
    const View view = canvas.view();
    Range x{intensity_limits.hi, intensity_limits.lo};
    Range y{performance_limits.hi, performance_limits.lo};
    for (const std::uint32_t index_of_dot : painter.shown().field().dots_of(point)) {
        const Dot& dot = scene->dots[index_of_dot];
        if (dot.rail != Rail::none) continue;
        x = {std::min(x.lo, dot.x), std::max(x.hi, dot.x)};
        y = {std::min(y.lo, dot.y), std::max(y.hi, dot.y)};
    }
    if (x.lo > x.hi) return false;
    if (const auto& zones = scene->zones) {  // the ridge stays in sight, and the kernel in the middle
        x = reaching(x, zones->peak / zones->bandwidth);
        y = reaching(y, zones->peak);
    }
    const Range new_x = framed(view.x, x, intensity_limits);
    const Range new_y = framed(view.y, y, performance_limits);
    constexpr double no_way = 1e-6;  // decades
    if (decades_apart(new_x, view.x) < no_way && decades_apart(new_y, view.y) < no_way) return false;
    show(new_x, new_y, view);
    return true;
}

void RooflineChart::Private::show_focus(bool focused) {
    painter.focus_frame = focused ? std::optional(chart.palette().color(QPalette::Link)) : std::nullopt;
    canvas.repaint_later();
}

RooflineChart::RooflineChart(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(*this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(320, 240);
    QAccessible::installFactory(make_chart_accessible);
    setAccessibleName(tr("Roofline chart"));
}

RooflineChart::~RooflineChart() = default;

void RooflineChart::set_scene(ChartScene scene, bool keep_view) {
    const std::shared_ptr<const Scene> before = d_->painter.scene();
    d_->leave();
    d_->painter.set_scene(std::move(scene));
    const auto& shown = d_->painter.scene();
    const bool anew =
        !shown || !keep_view || !before || (!d_->by_hand && must_fit(d_->canvas.view(), *before, *shown));
    if (shown) {
        d_->canvas.set_palette(palette_of(shown->options.theme));
        d_->canvas.set_bands(*shown);
        d_->canvas.set_titles(to_qt(shown->x_label), to_qt(shown->y_label));
        d_->canvas.set_caption_lines(d_->painter.caption_lines_in(d_->canvas.view()));
        setAccessibleDescription(to_qt(shown->summary));
        if (anew) look_at(shown->x, shown->y);
        d_->announce_selection();
    }
    if (anew) {
        d_->back.clear();
        d_->forward.clear();
        emit views_changed(false, false);
    }
    d_->painter.settle_legend();
    d_->canvas.repaint_later();
}

bool RooflineChart::seen_by_hand() const {
    return d_->by_hand;
}

const std::shared_ptr<const Scene>& RooflineChart::scene() const {
    return d_->painter.scene();
}

void RooflineChart::set_dragged_kernel(std::optional<DraggedKernel> dragged) {
    if (d_->painter.set_dragged(std::move(dragged), d_->canvas.view()))
        d_->canvas.repaint_later();
    else
        d_->canvas.repaint_overlay();
}

const std::optional<DraggedKernel>& RooflineChart::dragged_kernel() const {
    return d_->painter.dragged();
}

void RooflineChart::set_intensity_mark(std::optional<double> intensity) {
    d_->painter.intensity_mark = intensity;
    d_->canvas.repaint_overlay();
}

std::optional<double> RooflineChart::intensity_mark() const {
    return d_->painter.intensity_mark;
}

void RooflineChart::set_dot_titles(std::function<DotTitle(std::span<const Dot>)> title_of) {
    d_->title_of = std::move(title_of);
}

Range RooflineChart::x_range() const {
    return d_->canvas.view().x;
}

Range RooflineChart::y_range() const {
    return d_->canvas.view().y;
}

std::optional<ChartView> RooflineChart::part_seen() const {
    return scene() && seen_by_hand() ? std::optional(ChartView{x_range(), y_range()}) : std::nullopt;
}

QRectF RooflineChart::plot_area() const {
    return to_qt(d_->canvas.view().plot);
}

QString RooflineChart::dot_title(std::uint32_t dot) const {
    return d_->title_of ? to_qt(d_->title_of(std::span(&scene()->dots.at(dot), 1)).text()) : QString();
}

QPointF RooflineChart::dot_position(std::uint32_t dot) const {
    return to_qt(roofwalk::dot_position(scene()->dots.at(dot), d_->canvas.view()));
}

void RooflineChart::fit() {
    if (!scene()) return;
    d_->show(scene()->x, scene()->y, d_->canvas.view());
    d_->by_hand = false;
}

void RooflineChart::look_at(Range x, Range y) {
    d_->show(x, y);
    d_->by_hand = !scene() || is_out_of_place(d_->canvas.view(), *scene());
}

void RooflineChart::zoom(double factor) {
    d_->zoom_at(plot_area().center(), factor);
}

void RooflineChart::pan(double dx, double dy) {
    d_->move(panned(x_range(), dx, intensity_limits), panned(y_range(), dy, performance_limits));
}

void RooflineChart::go_through_views(bool forward) {
    std::vector<View>& from = forward ? d_->forward : d_->back;
    if (from.empty()) return;
    (forward ? d_->back : d_->forward).push_back(d_->canvas.view());
    look_at(from.back().x, from.back().y);
    from.pop_back();
    emit views_changed(!d_->back.empty(), !d_->forward.empty());
}

void RooflineChart::focus_or_fit(std::optional<std::uint32_t> point) {
    if (!scene() || !point || !d_->bring_to_middle(*point)) fit();
}

void RooflineChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    d_->canvas.set_caption_lines(d_->painter.caption_lines_in(d_->canvas.view()));
}

void RooflineChart::contextMenuEvent(QContextMenuEvent* event) {
    if (!scene()) return;
    ChartPart place = d_->part_at(event->pos());
    if (event->reason() == QContextMenuEvent::Keyboard) place = {.point = scene()->options.selected};
    emit menu_asked(place, event->globalPos());
}

void RooflineChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    d_->show_focus(true);
}

void RooflineChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    d_->show_focus(false);
}

}  // namespace roofwalk
