// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a drag frame that core does, in a program of a million launches.
#include <fmt/format.h>

#include "core/base/text.h"
#include "core/scenario/drag_solver.h"
#include "core/scenario/scenario_effect.h"
#include "tests/bench/bench.h"
#include "tests/bench/made_profile.h"

using namespace roofwalk;
using namespace roofwalk::bench;

namespace {

constexpr int frames = 100'000;

void drag(const Analysis& analysis) {
    const ProgramTotals totals = measured_totals(analysis);
    const KernelModel model = kernel_model(analysis.points[analysis.points.size() / 2], analysis.options);
    const auto start = place_of(model.measured, model.roofs, MemoryLevel::hbm);
    const double all = median_seconds(5, [&] {
        for (int i = 0; i < frames; ++i) {
            const DragTarget target{.mode = i % 2 == 0 ? DragMode::keep_efficiency : DragMode::free,
                                    .pointer = stepped(*start, i % 400 - 100, i % 300 - 100),
                                    .algorithmic = Intensity(start->x * 10)};
            const DragResult walked = solve_drag(model, model.measured, target, analysis.options.thresholds);
            keep(
                with_change(totals, model.measured, walked.state, *model.measured.time - *walked.state.time));
        }
    });
    print_row("walk a dot and the effect on 10^6 launches", format(Seconds(all / frames)), "≤ 4 ms a frame");
}

/// The dot of the last kernel, whose key takes a look at every row before it.
void take_up(const Profile& profile, const Analysis& analysis) {
    const ScenarioEffect nothing = effect_of({}, profile, analysis);
    const auto last = static_cast<std::uint32_t>(analysis.points.size() - 1);
    const double one = median_seconds(
        5, [&] { keep(DragSolver::begin(profile, analysis, {}, nothing, last, MemoryLevel::hbm)); });
    print_row("take up the last dot of 10^6 launches", format(Seconds(one)), "≤ 100 ms");
}

void evaluate(const Profile& profile, const Analysis& analysis) {
    Scenario scenario;
    constexpr std::size_t moves = 100;
    for (std::size_t i = 0; i < moves; ++i) {
        Move& move = scenario.moves.emplace_back();
        const KernelPoint& point = analysis.points[i * analysis.points.size() / moves];
        move.kernel.group_by = analysis.options.group_by;
        move.kernel.name = point.name;
        const Launch& launch =
            profile.at(analysis.grouping.order[analysis.grouping.groups[point.group].first]);
        move.kernel.grid = launch.grid;
        move.kernel.block = launch.block;
        move.bytes[MemoryLevel::hbm] = 0.5;
    }
    const double all = median_seconds(3, [&] { keep(effect_of(scenario, profile, analysis)); });
    print_row(fmt::format("a scenario of {} moves on 10^6 launches", moves), format(Seconds(all)), "");
}

/// What a session with a large selection keeps, and finds again.
void keys_of_many_rows(const Profile& profile, const Analysis& analysis) {
    constexpr std::size_t count = 1000;
    std::vector<std::uint32_t> points;  // all of one kernel
    for (std::uint32_t i = 0; i < analysis.points.size() && points.size() < count; ++i)
        if (analysis.points[i].name == analysis.points.front().name) points.push_back(i);
    std::vector<KernelKey> keys;
    const double making = median_seconds(3, [&] { keys = keys_of(profile, analysis, points); });
    print_row(fmt::format("keys of {} launches of one kernel among 10^6", keys.size()),
              format(Seconds(making)), "");
    std::vector<const KernelKey*> wanted;
    for (const KernelKey& key : keys)
        wanted.push_back(&key);
    const double finding = median_seconds(3, [&] { keep(find_kernels(profile, analysis, wanted)); });
    print_row("find them again", format(Seconds(finding)), "");
}

}  // namespace

int main() {
    const Profile profile = made_profile(1000, 1'000'000);
    AnalysisOptions options;
    options.group_by = GroupBy::launch;
    const Analysis analysis = analyse(profile, options);
    drag(analysis);
    take_up(profile, analysis);
    evaluate(profile, analysis);
    keys_of_many_rows(profile, analysis);
}
