// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/plan/pass_count.h"

#include <QTest>

#include "profiler/agent/launch_sampler.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_sampling_cost {

using namespace roofwalk;

namespace {

/// With a plan E where `both` is more than 0.
ChipPasses passes(std::size_t memory, std::size_t work, std::size_t tensor, std::size_t both = 0) {
    ChipPasses made;
    made.alone = {{{PlanKind::memory}, 20, memory}, {{PlanKind::work}, 17, work}};
    if (both > 0) made.alone.push_back({{PlanKind::replay}, 37, both});
    if (tensor > 0) made.alone.push_back({{PlanKind::tensor}, 20, tensor});
    return made;
}

}  // namespace

class TestSamplingCost : public QObject {
    Q_OBJECT

  private slots:
    void it_is_what_the_agent_does_data() {
        QTest::addColumn<int>("launches");
        QTest::addColumn<int>("replay");
        for (const ReplayPolicy replay : {ReplayPolicy::never, ReplayPolicy::once, ReplayPolicy::always})
            for (const int launches : {0, 1, 2, 3, 7, 8, 26, 27, 28, 1000, 5000})
                QTest::addRow("%d, replay %s", launches, std::string(name_of(replay)).c_str())
                    << launches << static_cast<int>(replay);
    }
    void it_is_what_the_agent_does() {
        QFETCH(int, launches);
        QFETCH(int, replay);
        agent::LaunchSampler sampler({.replay = static_cast<wire::Replay>(replay)}, {'A', 'B', 'C', 'E'});
        const agent::SampleKey shape{"gemm", {}, {}, 0};
        std::uint64_t measured = 0;
        std::uint64_t executions = 0;
        for (int i = 0; i < launches; ++i) {
            const auto plan = sampler.choose(shape);
            if (plan == 'A' || plan == 'E') sampler.want(shape, 'B');
            measured += plan ? 1U : 0U;
            executions += !plan ? 0U : *plan == 'B' ? 3U : *plan == 'E' ? 2U : 1U;
        }
        const SamplingCost cost = cost_of_sampling(passes(1, 1, 3, 2), static_cast<std::uint64_t>(launches),
                                                   false, static_cast<ReplayPolicy>(replay));
        QCOMPARE(cost.measured, measured);
        QCOMPARE(cost.executions, executions);
    }
    void every_launch_is_measured_where_that_is_asked_for() {
        const SamplingCost cost = cost_of_sampling(passes(2, 1, 0, 3), 1000, true, ReplayPolicy::never);
        QCOMPARE(cost.measured, std::uint64_t{1000});
        QCOMPARE(cost.executions, std::uint64_t{1999});
        QCOMPARE(cost_of_sampling(passes(2, 1, 0, 3), 1000, true, ReplayPolicy::once).executions,
                 std::uint64_t{2004});
        QCOMPARE(cost_of_sampling(passes(2, 1, 0, 3), 1000, true, ReplayPolicy::always).executions,
                 std::uint64_t{3000});
    }
    /// Of GH100, where plan E has the types of plan B: five launches are measured before they are thinned
    /// out.
    void types_in_the_replay_need_no_launch_of_their_own() {
        ChipPasses of_hopper = passes(1, 1, 1, 3);
        of_hopper.replay_has_types = true;
        agent::LaunchSampler sampler({.replay_has_tensor = true}, {'A', 'B', 'C', 'E'});
        std::uint64_t executions = 0;
        for (int launch = 0; launch < 1000; ++launch) {
            const auto plan = sampler.choose({});
            executions += !plan ? 0U : *plan == 'E' ? 3U : 1U;
            if (plan) sampler.measured({}, *plan);
        }
        QCOMPARE(cost_of_sampling(of_hopper, 1000, false, ReplayPolicy::once).executions, executions);
    }
    void passes_in_words() {
        QCOMPARE(words_for(passes(1, 1, 3)),
                 std::string("1 pass for time and bytes, 1 for FLOP, 3 for tensor types"));
        ChipPasses of_hopper = passes(1, 1, 1);
        for (const PlanKind plan : warp_tensor_plans)
            of_hopper.alone.push_back({{plan}, 14, 1});
        QCOMPARE(
            words_for(of_hopper),
            std::string("1 pass for time and bytes, 1 for FLOP, 1 for tensor types of warp groups, 3 for "
                        "those of single warps"));
        QCOMPARE(words_for(passes(1, 1, 0, 2)),
                 std::string("1 pass for time and bytes, 1 for FLOP; 2 for a launch that is replayed"));
        QCOMPARE(words_for(passes(2, 1, 0)), std::string("2 passes for time and bytes, 1 for FLOP"));
    }
};

}  // namespace tst_sampling_cost

ROOFWALK_TEST(tst_sampling_cost, TestSamplingCost, NoApplication)
#include "tst_sampling_cost.moc"
