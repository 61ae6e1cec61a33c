// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/drag_solver.h"

#include <QTest>
#include <algorithm>

#include "core/scenario/scenario_effect.h"
#include "tests/core/scenario/random_kernels.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_drag_solver {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// One kernel of 4 GFLOP, 400 MB and 1.6 ms under a ridge at 100 FLOP/byte, a quarter of the HBM roof; and
/// one of 6.4 ms beside it.
struct Program {
    Profile profile =
        profile_of(machine({compute_ceiling(fp32, 100e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
                   {launch(1.6e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 4e8}})});
    Analysis analysis;
    Scenario scenario;
    ScenarioEffect effect;

    Program() {
        profile.kernels.push_back({"other", {}, {}});
        Launch other = launch(6.4e-3, {{fp32, 4e9}}, {{Boundary::hbm_dram_rw, 4e8}});
        other.kernel = KernelIndex{1};
        profile.launches.push_back(std::move(other));
        analysis = analyse(profile, {});
        make({});
    }
    void make(Scenario made) {
        scenario = std::move(made);
        effect = effect_of(scenario, profile, analysis);
    }
    [[nodiscard]] DragSolver taken(MemoryLevel level = MemoryLevel::hbm) const {
        return *DragSolver::begin(profile, analysis, scenario, effect, 0, level);
    }
    /// Takes the dot up, brings it to a place and lets it go.
    void drag(ChartPlace to, DragMode mode = DragMode::keep_efficiency, bool pass = false) {
        DragSolver walk = taken();
        walk.to(to, mode, pass);
        make(walk.scenario());
    }
    [[nodiscard]] const KernelState& state() const { return effect.kernels.front().state; }
};

bool says(const DragSolver& walk, const std::string& words) {
    const std::vector<std::string> lines = walk.words();
    return std::ranges::find(lines, words) != lines.end();
}

}  // namespace

class TestDragSolver : public QObject {
    Q_OBJECT

  private slots:
    void a_drag_becomes_one_move_by_hand() {
        Program program;
        program.drag({20, 1});
        QCOMPARE(program.scenario.moves.size(), 1U);
        const Move& move = program.scenario.moves.front();
        QVERIFY(near(move.bytes[MemoryLevel::hbm], 0.5));
        QCOMPARE(move.time_rule, MoveTime::keep_efficiency);
        QVERIFY(move.preset.empty() && !move.beyond_model);
        QVERIFY(near(program.state().time->value(), 0.8e-3));
    }
    void a_second_drag_goes_on_from_the_first_in_the_same_move() {
        Program program;
        program.drag({20, 1});
        program.drag({40, 1});
        QCOMPARE(program.scenario.moves.size(), 1U);
        QVERIFY(near(program.scenario.moves.front().bytes[MemoryLevel::hbm], 0.25));
        QVERIFY(near(program.state().time->value(), 0.4e-3));
    }
    void right_then_up_keeps_both() {
        Program program;
        program.drag({20, 1});                         // 5 TFLOP/s, the roof at 20 TFLOP/s
        program.drag({20, 10e12}, DragMode::up_only);  // twice as fast
        QCOMPARE(program.scenario.moves.size(), 1U);
        QVERIFY(near(program.state().bytes[MemoryLevel::hbm]->value(), 2e8));
        QVERIFY(near(program.state().time->value(), 0.4e-3));
        program.drag({40, 1});  // keeps the efficiency it has now, not that of the measurement
        QVERIFY(near(program.state().time->value(), 0.2e-3));
    }
    void back_to_where_it_was_measured_leaves_no_move() {
        Program program;
        program.drag({20, 1});
        program.drag({10, 1});
        QVERIFY(program.scenario.moves.empty());
    }
    void a_walk_that_goes_nowhere_leaves_the_scenario() {
        Program program;
        QVERIFY(program.taken().scenario() == program.scenario);
    }
    void a_drag_after_a_preset_is_a_move_of_its_own() {
        Program program;
        Scenario scenario;
        Move preset;
        preset.kernel = key_of(program.profile, program.analysis, program.analysis.points[0]);
        preset.preset = "tile";
        preset.bytes[MemoryLevel::hbm] = 0.5;
        scenario.moves.push_back(preset);
        program.make(scenario);
        program.drag({40, 1});
        QCOMPARE(program.scenario.moves.size(), 2U);
        QVERIFY(program.scenario.moves.front() == preset);
        QVERIFY(near(program.scenario.moves.back().bytes[MemoryLevel::hbm], 0.5));
    }
    void a_move_that_is_off_is_left_alone() {
        Program program;
        program.drag({20, 1});
        Scenario off = program.scenario;
        off.moves.front().on = false;
        program.make(off);
        program.drag({40, 1});
        QCOMPARE(program.scenario.moves.size(), 2U);
        QVERIFY(!program.scenario.moves.front().on);
        QVERIFY(near(program.state().bytes[MemoryLevel::hbm]->value(), 1e8));
    }
    void beyond_the_model_is_said_until_the_dot_is_back_below_the_roof() {
        Program program;
        program.drag({10, 20e12}, DragMode::up_only, true);
        QVERIFY(program.scenario.moves.front().beyond_model);
        program.drag({10, 5e12}, DragMode::up_only);
        QVERIFY(!program.scenario.moves.front().beyond_model);
    }
    void the_arrow_ends_at_the_unit_that_the_words_name() {
        Program program;
        program.profile.launches[0].metrics.push_back(
            {program.profile.texts.intern(metric_of(HardwareUnit::sm)), 50});
        program.analysis = analyse(program.profile, {});
        program.make({});
        DragSolver walk = program.taken();
        walk.to({10, 2.5e12}, DragMode::keep_efficiency, false);  // at a quarter of HBM
        QVERIFY(near(*walk.roof(), 5e12));
        QVERIFY(std::ranges::any_of(walk.words(), [](const std::string& line) {
            return line.find("2.00x below SM") != std::string::npos;
        }));
        walk.to({10, 50e12}, DragMode::up_only, false);
        QVERIFY(says(walk, "stopped at the SM limit"));
        const std::vector<std::string> words = walk.words();
        QCOMPARE(
            std::ranges::count_if(
                words, [](const std::string& line) { return line.find("SM limit") != std::string::npos; }),
            1);
    }
    void words_give_bytes_time_roof_and_program() {
        const Program program;
        DragSolver walk = program.taken();
        walk.to({20, 1}, DragMode::keep_efficiency, false);
        const std::vector<std::string> words = walk.words();
        QCOMPARE(words.size(), 6U);
        QCOMPARE(words[0], std::string("DRAM 400 MB → 200 MB (0.500x)"));
        QCOMPARE(words[1], std::string("AI 20.0 FLOP/byte"));
        QCOMPARE(words[2], std::string("time 1.60 ms → 1.60 ms (unchanged)"));
        QVERIFY(words[3].ends_with(", 8.00x below DRAM (12.5 %)"));
        QCOMPARE(words[4], std::string("program 8.00 ms → 8.00 ms (unchanged)"));
        QCOMPARE(words[5], std::string(label_of(UnpromisedReason::no_roof)));  // at a quarter of the only one
    }
    void a_kernel_that_its_roof_limits_makes_the_program_faster() {
        Program program;
        program.profile.devices[0].ceilings.bandwidth = {bandwidth_ceiling(Boundary::hbm_dram_rw, 3e11)};
        program.analysis = analyse(program.profile, {});
        program.make({});
        DragSolver walk = program.taken();
        walk.to({20, 1}, DragMode::keep_efficiency, false);
        QVERIFY(says(walk, "program 8.00 ms → 7.20 ms (1.11x faster)"));
    }
    void a_stop_is_said() {
        const Program program;
        DragSolver walk = program.taken();
        walk.to({10, 50e12}, DragMode::up_only, false);
        QVERIFY(says(walk, "stopped at the DRAM roof"));
        QVERIFY(near(walk.place(MemoryLevel::hbm)->y, 10e12));
        walk.to({10, 50e12}, DragMode::up_only, true);
        QVERIFY(says(walk, "beyond the model: past the DRAM roof"));
        QVERIFY(near(walk.place(MemoryLevel::hbm)->y, 50e12));
    }
    void what_was_passed_is_said() {
        Program program;
        program.analysis.points[0].target = AlgorithmicTarget{};
        program.analysis.points[0].target->place = Intensity(20);
        DragSolver walk = program.taken();
        walk.to({40, 1}, DragMode::keep_efficiency, true);
        QVERIFY(says(walk, "beyond the model: past what the algorithm needs"));
        QVERIFY(walk.scenario().moves.front().beyond_model);
        walk.to({40, 1}, DragMode::keep_efficiency, false);
        QVERIFY(says(walk, "stopped at what the algorithm needs"));
    }
    void a_kernel_without_a_roof_stays_beyond_the_model_until_it_is_as_slow_as_it_was() {
        Program program;
        program.profile.devices[0].ceilings = {};
        program.analysis = analyse(program.profile, {});
        program.make({});
        program.drag({10, 5e12}, DragMode::up_only, true);
        QVERIFY(program.scenario.moves.front().beyond_model);
        program.drag({10, 4e12}, DragMode::up_only);
        QVERIFY(program.scenario.moves.front().beyond_model);
    }
    void a_move_that_somebody_described_is_not_rewritten() {
        Program program;
        program.drag({20, 1});
        Scenario described = program.scenario;
        described.moves.front().assumption = "tiles stay in L2";
        program.make(described);
        program.drag({40, 1});
        QCOMPARE(program.scenario.moves.size(), 2U);
        QVERIFY(program.scenario.moves.front() == described.moves.front());
    }
    void shared_memory_and_l1_that_holds_it_are_left_as_shown() {
        Program program;
        program.profile = profile_of(
            machine({compute_ceiling(fp32, 100e12)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12),
                                                      bandwidth_ceiling(Boundary::l1_unified, 3e13),
                                                      bandwidth_ceiling(Boundary::smem_wavefronts, 3e13)}),
            {launch(1.6e-3, {{fp32, 4e9}},
                    {{Boundary::hbm_dram_rw, 4e8},
                     {Boundary::l1_unified, 32e8},
                     {Boundary::smem_wavefronts, 16e8}})});
        AnalysisOptions options;
        options.levels[MemoryLevel::l1] = true;
        program.analysis = analyse(program.profile, options);
        for (const auto& order : {std::array{MemoryLevel::smem, MemoryLevel::l1},
                                  std::array{MemoryLevel::l1, MemoryLevel::smem}}) {
            program.make({});
            for (const MemoryLevel level : order) {
                DragSolver walk = program.taken(level);
                walk.to({walk.start(level)->x * 2, 1}, DragMode::right_only, false);
                const double l1 = walk.result().state.bytes[MemoryLevel::l1]->value();
                program.make(walk.scenario());
                QVERIFY(near(program.state().bytes[MemoryLevel::l1]->value(), l1));
            }
            QCOMPARE(program.scenario.moves.size(), 1U);
        }
        program.make({});
        DragSolver far = program.taken(MemoryLevel::l1);
        far.to({far.start(MemoryLevel::l1)->x * 4, 1}, DragMode::right_only, false);
        QVERIFY(far.result().stops.beneath == MemoryLevel::smem);
        QVERIFY(near(far.result().state.bytes[MemoryLevel::l1]->value(), 16e8));
        QCOMPARE(far.words().back(), std::string("stopped at what SMEM moves, which it counts too"));
    }
    void a_dot_that_is_not_on_the_chart_cannot_be_taken() {
        const Program program;
        QVERIFY(
            !DragSolver::begin(program.profile, program.analysis, {}, program.effect, 0, MemoryLevel::smem));
    }
    void what_is_let_go_is_what_was_shown() {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomKernels random(seed);
            const Profile profile = random.profile(6);
            const Analysis analysis = analyse(profile, {});
            Scenario scenario;
            for (int drag = 0; drag < 12; ++drag) {
                const ScenarioEffect effect = effect_of(scenario, profile, analysis);
                const auto point = static_cast<std::uint32_t>(drag % 6);
                const MemoryLevel level = drag % 2 == 0 ? MemoryLevel::hbm : MemoryLevel::l2;
                auto walk = DragSolver::begin(profile, analysis, scenario, effect, point, level);
                if (!walk) continue;
                const ChartPlace start = *walk->start(level);
                walk->to({start.x * random.amount(0.1, 10), start.y * random.amount(0.1, 10)},
                         static_cast<DragMode>(drag % 4), random.one_in(3));
                scenario = walk->scenario();
                const ScenarioEffect let_go = effect_of(scenario, profile, analysis);
                const auto kernel = std::ranges::find(let_go.kernels, point, &MovedKernel::point);
                if (kernel == let_go.kernels.end()) continue;
                QVERIFY(near(kernel->state.time->value(), walk->result().state.time->value()));
                const Analysis drawn = moved_analysis(analysis, let_go);
                QVERIFY(near(drawn.points[point].performance->value(), walk->place(level)->y));
                QVERIFY(
                    near(kernel->state.bytes[level]->value(), walk->result().state.bytes[level]->value()));
            }
        }
    }
};

}  // namespace tst_drag_solver

ROOFWALK_TEST(tst_drag_solver, TestDragSolver, NoApplication)
#include "tst_drag_solver.moc"
