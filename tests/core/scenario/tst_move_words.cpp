// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/move_words.h"

#include <QTest>

#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_move_words {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;
constexpr MemoryLevel l2 = MemoryLevel::l2;

/// 4 ms under an HBM bound of 2 ms.
KernelModel memory_bound() {
    return kernel_model(point_of(profile_of(machine({compute_ceiling(fp32, 1e14)},
                                                    {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
                                            {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}})})),
                        {});
}

}  // namespace

class TestMoveWords : public QObject {
    Q_OBJECT

  private slots:
    void a_move_is_called_by_its_name_else_its_preset_else_by_hand() {
        Move move;
        QCOMPARE(title_of(move), std::string("by hand"));
        move.preset = "tile";
        QCOMPARE(title_of(move), std::string("Tile"));
        move.preset = "of a later version";
        QCOMPARE(title_of(move), std::string("by hand"));
        move.name = "Half the bytes";
        QCOMPARE(title_of(move), std::string("Half the bytes"));
    }

    void the_moves_of_a_kernel_are_told_together() {
        const Profile profile = profile_of(
            machine({compute_ceiling(fp32, 1e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
            {launch(2.5e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}})});
        const Analysis analysis = analyse(profile, {});
        Move half;
        half.kernel = key_of(profile, analysis, analysis.points[0]);
        half.bytes[hbm] = 0.5;
        half.name = "Half the bytes";
        const auto words = [&](const Scenario& scenario) {
            return moves_words(scenario, effect_of(scenario, profile, analysis), 0).first;
        };
        QCOMPARE(words({}), std::string());
        QCOMPARE(words({{}, {half}, {}}), std::string("Half the bytes: 2.00x faster"));
        QCOMPARE(words({{}, {half, half}, {}}),
                 std::string("Half the bytes (2.00x) + Half the bytes (2.00x): 4.00x faster"));
        QCOMPARE(moves_words({{}, {half, half}, {}}, effect_of({{}, {half, half}, {}}, profile, analysis), 0)
                     .second,
                 std::string("2 moves: 4.00x faster"));
        QCOMPARE(words({{}, {half, half, half, half}, {}}), std::string("4 moves: 16.0x faster"));
        Move merged = half;
        merged.launches = 0;
        QCOMPARE(words({{}, {merged}, {}}), std::string("Half the bytes: merged"));
    }

    void a_change_names_levels_work_pipe_and_time() {
        Move move;
        QCOMPARE(change_of(move, MemoryName::dram), std::string("keeps its efficiency"));
        move.bytes[hbm] = 0.5;
        QCOMPARE(change_of(move, MemoryName::dram), std::string("DRAM 0.500x bytes, keeps its efficiency"));
        move.bytes[l2] = 0.25;
        move.work = 2;
        move.time_rule = MoveTime::to_roof;
        QCOMPARE(change_of(move, MemoryName::dram),
                 std::string("DRAM 0.500x, L2 0.250x bytes, work 2.00x, to the roof"));
        move = {};
        move.pipe = PipeChange{fp32, tensor_fp16};
        move.time_rule = MoveTime::factor;
        move.time = 0.8;
        QCOMPARE(change_of(move, MemoryName::dram),
                 label_of(fp32) + " work on " + label_of(tensor_fp16) + ", time 0.800x");
    }

    void the_state_tells_why_a_move_was_not_made() {
        Move move;
        MovedKernel kernel;
        ScenarioStep step;
        QCOMPARE(state_of({.move = &move, .why = "off"}), std::string("off"));
        QCOMPARE(state_of({.move = &move, .step = &step, .kernel = &kernel, .why = {}}),
                 std::string("made, changes nothing"));
        step.after.time = Seconds(1);
        QCOMPARE(state_of({.move = &move, .step = &step, .kernel = &kernel, .why = {}}), std::string("made"));
        move.beyond_model = true;
        QCOMPARE(state_of({.move = &move, .step = &step, .kernel = &kernel, .why = {}}),
                 std::string("made, beyond the model"));
    }

    void a_pace_near_one_is_told_from_one() {
        QCOMPARE(pace_words(1.02), std::string("1.02x faster"));
        QCOMPARE(pace_words(1 / 1.0004), std::string("1.0004x slower"));
        QCOMPARE(pace_words(1), std::string("unchanged"));
        QCOMPARE(pace_factor(12.345), std::string("12.3x"));
    }
    void a_change_of_time_tells_the_pace_either_way() {
        QCOMPARE(changed_time_words(Seconds(6e-3), Seconds(3e-3)),
                 std::string("6.00 ms → 3.00 ms (2.00x faster)"));
        QCOMPARE(changed_time_words(Seconds(3e-3), Seconds(6e-3)),
                 std::string("3.00 ms → 6.00 ms (2.00x slower)"));
        QCOMPARE(changed_time_words(Seconds(3e-3), Seconds(3e-3)),
                 std::string("3.00 ms → 3.00 ms (unchanged)"));
        QCOMPARE(changed_time_words(Seconds(), Seconds(1)), std::string("0 s → 1.00 s"));
    }

    void gains_name_only_the_levels_that_change() {
        VerdictThresholds half_is_use;
        half_is_use.latency = 0.4;
        const KernelModel model = memory_bound();
        Move move;
        move.bytes[hbm] = 0.5;
        const KernelState after = moved(model.measured, model, move);
        const std::vector<std::string> lines = gain_words(move, model, model.measured, after, half_is_use);
        QCOMPARE(lines.size(), std::size_t{3});
        QCOMPARE(lines[0], std::string("DRAM 2.00 GB → 1.00 GB (0.500x)"));
        QCOMPARE(lines[1], std::string("time 4.00 ms → 2.00 ms (2.00x faster)"));
        QVERIFY(lines[2].ends_with(", 2.00x below DRAM (50.0 %)"));
        QCOMPARE(gain_words({}, model, model.measured, model.measured, {}).size(), std::size_t{2});
        KernelState none = model.measured;
        none.bytes[hbm] = Bytes();
        QCOMPARE(gain_words(move, model, none, model.measured, half_is_use).front(),
                 std::string("DRAM 0 B → 2.00 GB"));
    }

    void a_kernel_without_a_roof_says_so() {
        const KernelModel model =
            kernel_model(point_of(profile_of(machine({}, {}),
                                             {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}})})),
                         {});
        QCOMPARE(gain_words({}, model, model.measured, model.measured, {}).back(),
                 std::string("roof not known"));
    }

    void a_kernel_without_a_time_says_so() {
        KernelModel model = memory_bound();
        model.measured.time.reset();
        QCOMPARE(gain_words({}, model, model.measured, model.measured, {}).front(),
                 std::string("time not measured"));
    }
};

}  // namespace tst_move_words

ROOFWALK_TEST(tst_move_words, TestMoveWords, NoApplication)
#include "tst_move_words.moc"
