// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/kernel_drag.h"

#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/model/kernel_name.h"
#include "ui/chart/roofline_chart.h"
#include "ui/commands/change_scenario.h"
#include "ui/document.h"
#include "ui/qt_text.h"

namespace roofwalk {

namespace {

constexpr std::size_t name_chars = 32;

CarriedKernel carried(const KernelWalk& walk) {
    CarriedKernel kernel{walk.point(), walk.level(), {}, walk.words()};
    for (const MemoryLevel level : all_levels) {
        const auto from = walk.start(level);
        const auto now = walk.place(level);
        if (from && now) kernel.places.push_back({level, from->x, from->y, now->x, now->y});
    }
    return kernel;
}

}  // namespace

KernelDrag::KernelDrag(Document& document, RooflineChart& chart, QUndoStack& changes, QObject* parent)
    : QObject(parent), document_(document), chart_(chart), changes_(changes) {
    connect(&chart_, &RooflineChart::dot_taken, this, &KernelDrag::take);
    connect(&chart_, &RooflineChart::dot_carried, this,
            [this](double intensity, double performance, Qt::KeyboardModifiers modifiers) {
                carry({intensity, performance}, modifiers);
            });
    connect(&chart_, &RooflineChart::dot_let_go, this, &KernelDrag::let_go);
    connect(&chart_, &RooflineChart::dot_put_back, this, &KernelDrag::put_back);
    connect(&chart_, &RooflineChart::nudged, this, &KernelDrag::step);
    connect(&document_, &Document::options_changed, this, [this] {  // undone under the hand, for one
        if (walk_ && walk_->begun_with() != document_.scenario()) put_back();
    });
    // A point means nothing in another analysis.
    connect(&document_, &Document::analysis_changed, this, &KernelDrag::put_back);
}

std::optional<KernelWalk> KernelDrag::begin(std::uint32_t point, MemoryLevel level) const {
    const Profile& profile = *document_.profile();
    const Analysis& analysis = *document_.analysis();
    const Scenario& scenario = document_.scenario();
    const auto& made = document_.what_if();
    if (made->scenario == scenario)
        return KernelWalk::begin(profile, analysis, scenario, made->effect, point, level);
    return KernelWalk::begin(profile, analysis, scenario, effect_of(scenario, profile, analysis), point,
                             level);
}

void KernelDrag::take(std::uint32_t point, MemoryLevel level) {
    walk_ = begin(point, level);
    goes_up_.reset();
    if (!walk_) emit told(tr("This dot cannot be moved: its kernel has no time, work or bytes there."));
}

QString KernelDrag::name_of(std::uint32_t point) const {
    return to_qt(shorten_kernel_name(document_.analysis()->points[point].name, name_chars));
}

/// Along a roof the pointer goes up one decade for each to the right; who sets out well beside that way means
/// the time alone, until the dot is let go: nothing that was moved is thrown away on the way.
bool KernelDrag::goes_up(ChartPlace to) {
    constexpr double steep = 2;
    constexpr double set_out = 1.1;  // factor
    const ChartPlace start = *walk_->start(walk_->level());
    const double up = std::abs(std::log(to.y / start.y));
    const double right = std::abs(std::log(to.x / start.x));
    if (!goes_up_ && std::max(up, right) > std::log(set_out)) goes_up_ = up > steep * right;
    return goes_up_.value_or(up > steep * right);
}

WalkMode KernelDrag::locked(ChartPlace to) const {
    const ChartPlace start = *walk_->start(walk_->level());
    return std::abs(std::log(to.x / start.x)) >= std::abs(std::log(to.y / start.y)) ? WalkMode::right_only
                                                                                    : WalkMode::up_only;
}

void KernelDrag::carry(ChartPlace to, Qt::KeyboardModifiers modifiers) {
    if (!walk_) return;
    const bool time_alone = mode_ == WalkMode::keep_efficiency && goes_up(to);
    const WalkMode mode = modifiers.testFlag(Qt::ShiftModifier) ? locked(to)
                          : time_alone                          ? WalkMode::up_only
                                                                : mode_;
    walk_->to(to, mode, modifiers.testFlag(Qt::ControlModifier));
    CarriedKernel kernel = carried(*walk_);
    kernel.words.insert(kernel.words.begin(), name_of(walk_->point()).toStdString());
    chart_.set_carried(std::move(kernel));
}

void KernelDrag::let_go() {
    if (!walk_) return;
    const KernelWalk walk = *std::exchange(walk_, std::nullopt);
    if (walk.scenario() == document_.scenario()) return chart_.set_carried(std::nullopt);
    keep(walk, {});
    document_.select(walk.point());
}

void KernelDrag::put_back() {
    walk_.reset();
    chart_.set_carried(std::nullopt);
}

void KernelDrag::step(int right, int up, bool pass) {
    if (walk_) return;  // one hand is enough
    const auto point = document_.drawn_selection();
    if (!point)
        return emit told(document_.selection()
                             ? tr("The filter hides the selected kernel: the keys do not move it.")
                             : tr("Select a kernel first: Shift and the arrow keys move it."));
    std::vector<MemoryLevel> levels(all_levels.begin(), all_levels.end());
    const auto& binding = document_.analysis()->points[*point].binding;
    if (const Boundary* boundary = binding ? std::get_if<Boundary>(&*binding) : nullptr)
        levels.insert(levels.begin(), level_of(*boundary));
    for (const MemoryLevel level : levels) {
        const bool shown = document_.analysis()->options.levels[index_of(level)];
        auto walk = shown ? begin(*point, level) : std::nullopt;
        if (!walk) continue;
        const bool keeps = up == 0 && mode_ == WalkMode::keep_efficiency;
        const WalkMode along = right != 0 ? WalkMode::right_only : WalkMode::up_only;
        walk->to(stepped(*walk->start(level), right, up), keeps ? WalkMode::keep_efficiency : along, pass);
        // Steps one way are one change; those the other way another.
        keep(*walk, QStringLiteral("%1 %2 %3 %4")
                        .arg(*point)
                        .arg(static_cast<int>(level))
                        .arg(right != 0 ? 'x' : 'y')
                        .arg(name_of(*point)));
        QStringList lines{name_of(*point)};
        for (const std::string& line : walk->words())
            lines.append(to_qt(line));
        return emit told(lines.join(QStringLiteral("; ")));
    }
    emit told(tr("This kernel cannot be moved: it has no time, work or bytes."));
}

void KernelDrag::keep(const KernelWalk& walk, const QString& series) {
    Scenario scenario = walk.scenario();
    if (scenario == document_.scenario()) return;
    // Undo stands in a menu, and a name is no place for shortcuts.
    const QString name = name_of(walk.point()).replace(QLatin1Char('&'), QStringLiteral("&&"));
    changes_.push(new ChangeScenario(document_, std::move(scenario), tr("move %1").arg(name), series));
}

}  // namespace roofwalk
