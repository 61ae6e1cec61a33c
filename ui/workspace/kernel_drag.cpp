// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/kernel_drag.h"

#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/chart/scene/scene_ghosts.h"
#include "core/model/kernel_name.h"
#include "ui/chart/roofline_chart.h"
#include "ui/widgets/choice_menu.h"
#include "ui/widgets/plain_text.h"
#include "ui/widgets/qt_text.h"
#include "ui/workspace/document.h"
#include "ui/workspace/spec_change.h"

namespace roofwalk {

namespace {

constexpr std::size_t words_name_chars = 32;

DraggedKernel dragged_kernel(const DragSolver& solver) {
    DraggedKernel kernel{.point = solver.point(),
                         .held = solver.level(),
                         .places = {},
                         .binding = solver.binding_level(),
                         .roof = solver.roof(),
                         .algorithmic = {},
                         .kernel_class = solver.kernel_class(),
                         .by_unit = solver.bound_by_unit(),
                         .class_label = solver.class_label(),
                         .words = solver.words()};
    if (const auto algorithmic = solver.algorithmic()) kernel.algorithmic = algorithmic->value();
    const KernelState& measured = solver.measured();
    const KernelState state = solver.in_program();
    for (const MemoryLevel level : all_levels) {
        const auto from = solver.measured_place(level);
        const auto now = solver.place(level);
        if (from && now)
            kernel.places.push_back(
                {level, from->x, from->y, now->x, now->y,
                 line_of_move(*measured.time / *state.time, *measured.bytes[level] / *state.bytes[level])});
    }
    return kernel;
}

}  // namespace

KernelDrag::KernelDrag(Document& document, RooflineChart& chart, QUndoStack& changes, QObject* parent)
    : QObject(parent), document_(document), chart_(chart), changes_(changes) {
    connect(&chart_, &RooflineChart::dot_taken, this, &KernelDrag::take);
    connect(&chart_, &RooflineChart::dot_dragged, this,
            [this](double intensity, double performance, Qt::KeyboardModifiers modifiers) {
                drag_dot({intensity, performance}, modifiers);
            });
    connect(&chart_, &RooflineChart::dot_dropped, this, &KernelDrag::drop);
    connect(&chart_, &RooflineChart::dot_drag_cancelled, this, &KernelDrag::cancel);
    connect(&chart_, &RooflineChart::nudged, this, &KernelDrag::step);
    connect(&document_, &Document::options_changed, this, [this] {  // undone under the hand, for one
        if (solver_ && solver_->begun_with() != document_.spec().scenario) cancel();
    });
    // A point means nothing in another analysis.
    connect(&document_, &Document::analysis_changed, this, &KernelDrag::cancel);
}

QMenu* KernelDrag::make_mode_menu(QWidget* parent) {
    auto* menu = new ChoiceMenu(tr("&Dragging"), "dragging", parent);
    const auto add = [menu](const QString& text, DragMode mode, const char* name) {
        menu->add_choice(text, static_cast<int>(mode), name);
    };
    add(tr("&Along the roof, keeping the efficiency"), DragMode::keep_efficiency, "drag_keep_efficiency");
    add(tr("&Freely: bytes and time"), DragMode::free, "drag_freely");
    add(tr("&Bytes only, right and left"), DragMode::right_only, "drag_bytes");
    add(tr("&Time only, up and down"), DragMode::up_only, "drag_time");
    menu->set_current(static_cast<int>(mode_));
    connect(menu, &ChoiceMenu::chosen, this, [this, menu](int mode) {
        mode_ = static_cast<DragMode>(mode);
        menu->set_current(mode);
    });
    return menu;
}

std::optional<DragSolver> KernelDrag::begin(std::uint32_t point, MemoryLevel level) const {
    const Profile& profile = *document_.profile();
    const Analysis& analysis = *document_.analysis();
    const Scenario& scenario = document_.spec().scenario;
    const auto& made = document_.result().what_if;
    if (made->scenario == scenario)
        return DragSolver::begin(profile, analysis, scenario, made->effect, point, level);
    return DragSolver::begin(profile, analysis, scenario, effect_of(scenario, profile, analysis), point,
                             level);
}

void KernelDrag::take(std::uint32_t point, MemoryLevel level) {
    solver_ = begin(point, level);
    went_aside_ = false;
    if (!solver_) emit told(tr("This dot cannot be moved: its kernel has no time, work or bytes there."));
}

QString KernelDrag::name_of(std::uint32_t point) const {
    return to_qt(shorten_kernel_name(document_.analysis()->points[point].name, words_name_chars));
}

/// The dot slides along its roof as long as the pointer is on the slide or under it, and rises with it above.
/// A hand that goes straight up trembles: as long as it has not gone aside it changes the time alone.
void KernelDrag::follow(ChartPlace to, bool pass) {
    constexpr double tremble = 8;         // px
    constexpr double straight_ratio = 8;  // px up for each aside that still are straight up
    constexpr double steep = 2;           // the same within the first px
    const QRectF plot = chart_.plot_area();
    const Range x = chart_.x_range();
    const Range y = chart_.y_range();
    const auto px_right = [&](double factor) {
        return std::log(factor) / std::log(x.hi / x.lo) * plot.width();
    };
    const auto px_up = [&](double factor) {
        return std::log(factor) / std::log(y.hi / y.lo) * plot.height();
    };

    const ChartPlace start = *solver_->start(solver_->level());
    const double aside = std::abs(px_right(to.x / start.x));
    const double up = std::abs(px_up(to.y / start.y));
    went_aside_ = went_aside_ || aside > std::max(tremble, up / straight_ratio);
    if (aside <= tremble ? up > steep * aside : !went_aside_) return solver_->to(to, DragMode::up_only, pass);

    // A pointer that goes on along the roof past a stop asks for no time, nor does one along the roof of a
    // level that does not bind, or of a kernel that is promised nothing.
    solver_->to(to, DragMode::keep_efficiency, true);
    double slide = std::max(solver_->place(solver_->level())->y, start.y);
    if (solver_->binding_level()) slide = std::max(slide, start.y * to.x / start.x);
    const double above = px_up(to.y / slide) - tremble;
    solver_->to(to, DragMode::keep_efficiency, pass);
    if (above <= 0) return;
    const double rise = std::pow(y.hi / y.lo, above / plot.height());
    solver_->to({to.x, solver_->place(solver_->level())->y * rise}, DragMode::free, pass);
}

DragMode KernelDrag::locked(ChartPlace to) const {
    const ChartPlace start = *solver_->start(solver_->level());
    return std::abs(std::log(to.x / start.x)) >= std::abs(std::log(to.y / start.y)) ? DragMode::right_only
                                                                                    : DragMode::up_only;
}

void KernelDrag::drag_dot(ChartPlace to, Qt::KeyboardModifiers modifiers) {
    if (!solver_) return;
    const bool pass = modifiers.testFlag(Qt::ControlModifier);
    if (modifiers.testFlag(Qt::ShiftModifier))
        solver_->to(to, locked(to), pass);
    else if (mode_ == DragMode::keep_efficiency)
        follow(to, pass);
    else
        solver_->to(to, mode_, pass);
    DraggedKernel kernel = dragged_kernel(*solver_);
    kernel.words.insert(kernel.words.begin(), name_of(solver_->point()).toStdString());
    chart_.set_dragged_kernel(std::move(kernel));
}

void KernelDrag::drop() {
    if (!solver_) return;
    const DragSolver solver = *std::exchange(solver_, std::nullopt);
    if (solver.scenario() == document_.spec().scenario) return chart_.set_dragged_kernel(std::nullopt);
    keep(solver, {});
    document_.select(solver.point());
}

void KernelDrag::cancel() {
    solver_.reset();
    chart_.set_dragged_kernel(std::nullopt);
}

void KernelDrag::step(int right, int up, bool pass) {
    if (solver_) return;  // one hand is enough
    const auto point = drawn_selection(document_.result(), document_.focus());
    if (!point)
        return emit told(document_.selection()
                             ? tr("The filter hides the selected kernel: the keys do not move it.")
                             : tr("Select a kernel first: Shift and the arrow keys move it."));
    std::vector<MemoryLevel> levels(all_levels.begin(), all_levels.end());
    const auto& binding = document_.analysis()->points[*point].binding;
    if (const Boundary* boundary = binding ? std::get_if<Boundary>(&*binding) : nullptr)
        levels.insert(levels.begin(), level_of(*boundary));
    for (const MemoryLevel level : levels) {
        const bool shown = document_.analysis()->options.levels[level];
        auto solver = shown ? begin(*point, level) : std::nullopt;
        if (!solver) continue;
        const bool keeps = up == 0 && mode_ == DragMode::keep_efficiency;
        const DragMode along = right != 0 ? DragMode::right_only : DragMode::up_only;
        solver->to(stepped(*solver->start(level), right, up), keeps ? DragMode::keep_efficiency : along,
                   pass);
        // Steps one way are one change; those the other way another.
        keep(*solver, QStringLiteral("%1 %2 %3 %4")
                          .arg(*point)
                          .arg(static_cast<int>(level))
                          .arg(right != 0 ? 'x' : 'y')
                          .arg(name_of(*point)));
        QStringList lines{name_of(*point)};
        for (const std::string& line : solver->words())
            lines.append(to_qt(line));
        return emit told(lines.join(QStringLiteral("; ")));
    }
    emit told(tr("This kernel cannot be moved: it has no time, work or bytes."));
}

void KernelDrag::keep(const DragSolver& solver, const QString& series) {
    Scenario scenario = solver.scenario();
    if (scenario == document_.spec().scenario) return;
    // Undo stands in a menu, and a name is no place for shortcuts.
    const QString name = menu_text(name_of(solver.point()));
    changes_.push(new SpecChange(document_, &WorkspaceSpec::scenario, std::move(scenario),
                                 tr("move %1").arg(name), series));
}

}  // namespace roofwalk
