// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario_effect.h"

#include <QTest>

#include "core/operations/op_binding.h"
#include "core/scenario/move_words.h"
#include "core/scenario/scenario_report.h"
#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_scenario_rows {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr MemoryLevel hbm = MemoryLevel::hbm;

/// A kernel of 4 ms under an HBM bound of 2 ms, whose operation needs a quarter of its bytes, and what moves
/// of it became.
class Rows {
  public:
    explicit Rows(const std::vector<Move>& moves) {
        profile_ = profile_of(
            machine({compute_ceiling(fp32, 1e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
            {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 2e9}})});
        profile_.launches[0].algorithm = profile_.texts.intern("custom flops=1e9 read=5e8");
        AnalysisOptions options;
        options.thresholds.latency = 0.4;  // half of its roof is what limits it here
        options.launch_operations = std::make_shared<const LaunchOperations>(bind_operations(profile_, {}));
        analysis_ = analyse(profile_, options);
        scenario_.moves = moves;
        for (Move& move : scenario_.moves)
            move.kernel = key_of(profile_, analysis_, analysis_.points[0]);
        effect_ = effect_of(scenario_, profile_, analysis_);
        rows_ = scenario_rows(scenario_, effect_);
    }

    [[nodiscard]] const ScenarioRow& at(std::size_t row) const { return rows_.at(row); }
    [[nodiscard]] std::string sentence() const { return scenario_sentence(scenario_, effect_); }

  private:
    Profile profile_;
    Analysis analysis_;
    Scenario scenario_;
    ScenarioEffect effect_;
    std::vector<ScenarioRow> rows_;
};

Move time_by(double factor) {
    Move move;
    move.time_rule = MoveTime::factor;
    move.time = factor;
    return move;
}

Move hbm_by(double factor) {
    Move move;
    move.bytes[hbm] = factor;
    return move;
}

}  // namespace

class TestScenarioRows : public QObject {
    Q_OBJECT

  private slots:
    void a_factor_that_the_roof_does_not_allow_is_said() {
        const Rows rows({time_by(0.1)});
        QVERIFY(rows.at(0).stopped_at == StoppedAt::roof);
        QCOMPARE(*rows.at(0).step->after.time, Seconds(2e-3));
        QCOMPARE(state_of(rows.at(0)), std::string("made, stopped at the DRAM roof"));
        QCOMPARE(move_limit_words(rows.at(0)),
                 std::string("Its factor asks for 400 µs; the DRAM roof allows no less than 2.00 ms."));
        QVERIFY2(rows.sentence().ends_with("; 1 move stops at the roof."), rows.sentence().c_str());
    }
    void what_reaches_its_aim_is_not_stopped() {
        Move to_roof;
        to_roof.time_rule = MoveTime::to_roof;
        for (const Move& whole : {time_by(0.5), time_by(2), hbm_by(0.5), hbm_by(1.5), to_roof}) {
            const Rows rows({whole});
            QVERIFY(!rows.at(0).stopped_at && !rows.at(0).past_algorithm);
            QCOMPARE(state_of(rows.at(0)), std::string("made"));
            QVERIFY(move_limit_words(rows.at(0)).empty());
        }
        Move beyond = time_by(0.1);
        beyond.beyond_model = true;
        QVERIFY(!Rows({beyond}).at(0).stopped_at);
    }
    void bytes_that_end_at_those_needed_are_said() {
        const Rows rows({hbm_by(0.5), hbm_by(0.5)});
        QVERIFY(!rows.at(0).stopped_at);
        QVERIFY(rows.at(1).stopped_at == StoppedAt::algorithm);
        QCOMPARE(state_of(rows.at(1)), std::string("made, stopped at its algorithm"));
        Move preset = hbm_by(0.25);
        preset.preset = "to_algorithm";
        QVERIFY(!Rows({preset}).at(0).stopped_at);
    }
    void bytes_below_those_needed_are_marked() {
        const Rows rows({hbm_by(0.1), hbm_by(0.5)});
        QVERIFY(rows.at(0).past_algorithm);
        QVERIFY(!rows.at(1).past_algorithm);  // it was past it already
        QCOMPARE(state_of(rows.at(0)), std::string("made, past its algorithm"));
        QVERIFY(!move_limit_words(rows.at(0)).empty());
        QVERIFY2(rows.sentence().ends_with("; 1 move leaves fewer DRAM bytes than its algorithm needs."),
                 rows.sentence().c_str());
    }
    void a_fusion_may_pass_what_each_operation_needs() {
        Move fusion = hbm_by(0.1);
        fusion.preset = "fuse";
        QVERIFY(!Rows({fusion}).at(0).past_algorithm);
    }
    void what_the_algorithm_needs_moves_with_it() {
        Move batch = hbm_by(0.1);
        batch.needs.bytes = 0.1;
        const Rows rows({batch});
        QVERIFY(!rows.at(0).stopped_at && !rows.at(0).past_algorithm);
    }
};

}  // namespace tst_scenario_rows

ROOFWALK_TEST(tst_scenario_rows, TestScenarioRows, NoApplication)
#include "tst_scenario_rows.moc"
