// SPDX-License-Identifier: GPL-3.0-or-later
// Launches that run once for each pass of their counters.
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/profiler/fake_cuda/fake_images.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_replay {

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentReplay : public QObject {
    Q_OBJECT

    static void run(AgentRun& run, const QStringList& launches,
                    const std::map<QString, QString>& environment = {}) {
        run.plan_letters = "ACE";
        run.orders.memory_first = 2;
        run.orders.memory_every = 0;
        run.run(QStringList{"context 0"} + launches + QStringList{"exit 3"}, environment);
        QCOMPARE(run.program().exitCode(), 3);
    }

  private slots:
    void a_kernel_that_is_launched_once_gets_all_in_two_passes() {
        AgentRun once;
        run(once, {"launch init 4", "launch step 4 3", "graph load store", "run-graph"});
        QCOMPARE(once.only().told(), std::string("init:E step:E step:E step:- load:E store:E"));
        const HeardLaunch* const launch = once.only().find("init");
        QVERIFY(launch->status == wire::LaunchStatus::counted);
        QCOMPARE(launch->passes, 2U);
        QCOMPARE(launch->table, 4U);
        QVERIFY(once.only().notes.empty());
    }

    void a_kernel_that_is_launched_twice_gets_types_where_they_take_one_pass() {
        AgentRun twice;
        twice.tensor_passes = 1;
        twice.plan_letters = "ABCDE";
        twice.run({"context 0", "launch step 4 2", "graph load store", "run-graph 2"});
        QCOMPARE(twice.only().told(), std::string("step:E step:B load:E store:E load:B store:B"));
        AgentRun whole;
        whole.tensor_passes = 1;
        whole.replay_counts_types = true;
        whole.plan_letters = "ABCDE";
        whole.run({"context 0", "launch step 4 8"});
        QCOMPARE(whole.only().told(), std::string("step:E step:E step:E step:E step:A step:- step:- step:-"));
    }

    void types_that_take_several_passes_are_had_where_little_memory_would_be_saved() {
        const auto told = [](wire::Replay replay, const QString& used) {
            AgentRun twice;
            twice.plan_letters = "ABCDE";
            twice.orders.replay = replay;
            twice.run({"context 0", "launch step 4", "set FAKE_CUDA_USED_MIB " + used, "launch step 4 2"});
            return twice.only().told();
        };
        QCOMPARE(told(wire::Replay::once, "15360"), std::string("step:E step:B step:A"));
        QCOMPARE(told(wire::Replay::once, "17408"), std::string("step:E step:A step:A"));
        QCOMPARE(told(wire::Replay::always, "17408"), std::string("step:E step:B step:E"));
        QCOMPARE(told(wire::Replay::never, "15360"), std::string("step:A step:C step:A"));
    }

    void where_much_memory_would_be_saved_nothing_is_replayed() {
        AgentRun large;
        run(large, {"launch init 4", "launch step 4 3"}, {{"FAKE_CUDA_USED_MIB", "17408"}});
        QCOMPARE(large.only().told(), std::string("init:A step:A step:C step:A"));
        AgentRun full;
        run(full, {"launch init 4", "launch step 4 3"},
            {{"FAKE_CUDA_USED_MIB", "12288"}, {"FAKE_CUDA_MIB", "24000"}});
        QCOMPARE(full.only().told(), std::string("init:A step:A step:C step:A"));
        AgentRun always;
        always.orders.replay = wire::Replay::always;
        run(always, {"launch init 4", "launch step 4 3"}, {{"FAKE_CUDA_USED_MIB", "17408"}});
        QCOMPARE(always.only().told(), std::string("init:E step:E step:E step:-"));
    }

    void nothing_is_replayed_where_that_is_not_wanted() {
        AgentRun never;
        never.orders.replay = wire::Replay::never;
        run(never, {"launch init 4", "launch step 4 3"});
        QCOMPARE(never.only().told(), std::string("init:A step:A step:C step:A"));
    }

    void a_launch_that_cannot_be_replayed_is_counted_all_the_same() {
        AgentRun refused;
        run(refused, {"launch init 4", "launch step 4 3"}, {{"FAKE_CUPTI_FAIL", "aLaunchIsReplayed:1"}});
        QCOMPARE(refused.only().told(), std::string("init:A step:A step:C step:A"));
        QCOMPARE(refused.only().notes.size(), std::size_t{1});
        QVERIFY(refused.only().notes.front().what.find("replayed") != std::string::npos);
    }

    /// CUPTI gives no error for a set that it was not configured for first, and no values either.
    void each_set_is_counted_by_a_profiler_of_its_own() {
        AgentRun never;
        never.orders.replay = wire::Replay::never;
        run(never, {"launch init 4", "launch step 4 3", "launch init 4"});
        QCOMPARE(never.only().told(), std::string("init:A step:A step:C step:A init:C"));
        for (const HeardLaunch& launch : never.only().launches)
            QCOMPARE(reinterpret_cast<const fake::CounterImage*>(launch.image.data())->has_values, 1U);
    }

    void missing_privileges_are_no_matter_of_replay() {
        AgentRun refused;
        run(refused, {"launch init 4", "launch step 4 3"},
            {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:35"}});
        QCOMPARE(refused.only().notes.size(), std::size_t{1});
        QCOMPARE(refused.only().counts.recorded, std::uint64_t{4});
    }
};

}  // namespace tst_agent_replay

ROOFWALK_TEST(tst_agent_replay, TestAgentReplay, QCoreApplication)
#include "tst_agent_replay.moc"
