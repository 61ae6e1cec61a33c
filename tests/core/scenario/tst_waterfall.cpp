// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/move_words.h"

#include <QTest>

#include "tests/core/roofline/profiles.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_waterfall {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Two launches of 4 ms; the moves change the second to 2 ms, and then to 3 ms.
struct Walk {
    Walk() {
        profile = profile_of(
            machine({compute_ceiling(fp32, 1e14)}, {bandwidth_ceiling(Boundary::hbm_dram_rw, 1e12)}),
            {launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}}),
             launch(4e-3, {{fp32, 1e9}}, {{Boundary::hbm_dram_rw, 1e9}})});
        AnalysisOptions options;
        options.group_by = GroupBy::launch;
        analysis = analyse(profile, options);
        for (const double factor : {0.5, 1.5, 1.0}) {
            Move& move = scenario.moves.emplace_back();
            move.kernel = key_of(profile, analysis, analysis.points[1]);
            move.time_rule = MoveTime::factor;
            move.time = factor;
        }
        scenario.moves[0].name = "Faster";
    }
    [[nodiscard]] std::vector<WaterfallBar> bars() const {
        return waterfall(scenario, effect_of(scenario, profile, analysis));
    }

    Profile profile;
    Analysis analysis;
    Scenario scenario;
};

}  // namespace

class TestWaterfall : public QObject {
    Q_OBJECT

  private slots:
    void each_step_begins_where_the_one_before_ends() {
        const Walk walk;
        const std::vector<WaterfallBar> bars = walk.bars();
        QCOMPARE(bars.size(), std::size_t{5});
        QVERIFY(!bars.front().is_step() && !bars.back().is_step());
        for (std::size_t i = 1; i + 1 < bars.size(); ++i) {
            QVERIFY(bars[i].is_step());
            QCOMPARE(bars[i].from.value(), bars[i - 1].to.value());
        }
        QCOMPARE(bars.back().to.value(), bars[3].to.value());
        QCOMPARE(bars.front().title, std::string("as measured"));
        QCOMPARE(bars[1].title, std::string("Faster"));
        QCOMPARE(bars[2].title, std::string("by hand"));
        QCOMPARE(bar_label(bars[0], {}, 24), std::string("as measured"));
        QCOMPARE(bar_label(bars[2], {}, 24), std::string("kernel: by hand"));
        QCOMPARE(bars.back().title, std::string("after 3 moves"));
    }

    void kernels_that_begin_alike_are_told_apart() {
        const WaterfallBar narrow{"Tile", "ampere_sgemm_128x32_sliced1x4_nn", {}, {}};
        const WaterfallBar wide{"Tile", "ampere_sgemm_128x64_sliced1x4_nn", {}, {}};
        const SimilarNames names({narrow.kernel, wide.kernel});
        for (const std::size_t chars : {24U, 20U, 12U})
            QVERIFY(bar_label(narrow, names, chars) != bar_label(wide, names, chars));
    }

    void amounts_have_sign_and_unit() {
        const Walk walk;
        const std::vector<WaterfallBar> bars = walk.bars();
        QCOMPARE(amount_words(bars[0]), std::string("8.00 ms"));
        QCOMPARE(amount_words(bars[1]), std::string("−2.00 ms → 6.00 ms"));
        QCOMPARE(amount_words(bars[2]), std::string("+1.00 ms → 7.00 ms"));
        QCOMPARE(amount_words(bars[3]), std::string("no gain"));
        QCOMPARE(amount_words(bars[4]), std::string("7.00 ms"));
    }

    void all_of_it_can_be_read_aloud() {
        Walk walk;
        walk.scenario.moves.resize(1);
        QCOMPARE(waterfall_words(walk.bars()),
                 std::string("as measured: 8.00 ms; Faster of kernel(float *): −2.00 ms → 6.00 ms; after 1 "
                             "move: 6.00 ms"));
    }

    void moves_that_were_not_made_have_no_bar() {
        Walk walk;
        for (Move& move : walk.scenario.moves)
            move.on = false;
        QVERIFY(walk.bars().empty());
        walk.scenario.moves[1].on = true;
        QCOMPARE(walk.bars().size(), std::size_t{3});
    }
};

}  // namespace tst_waterfall

ROOFWALK_TEST(tst_waterfall, TestWaterfall, NoApplication)
#include "tst_waterfall.moc"
