// SPDX-License-Identifier: GPL-3.0-or-later
// What the agent takes of a GPU, and when it gives it back to others.
#include <QTemporaryDir>
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_sharing {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Counters that one context on a device has at a time.
struct SharedGpu {
    QTemporaryDir folder;

    [[nodiscard]] std::map<QString, QString> environment() const {
        return {{"FAKE_CUPTI_LOCK", folder.filePath("device")}};
    }
};

/// Whether the next launch of the program is counted.
bool is_counted(AgentRun& run, const QString& kernel) {
    const std::size_t before = run.only().launches.size();
    return run.tell("launch " + kernel + " 4") &&
           run.pump_until([&] { return run.only().launches.size() > before; }) &&
           run.only().launches.back().status == wire::LaunchStatus::counted;
}

}  // namespace

class TestAgentSharing : public QObject {
    Q_OBJECT

  private slots:
    void counters_that_are_not_used_for_a_while_are_free_for_another_program() {
        const SharedGpu gpu;
        AgentRun first;
        first.start({"context 0", "-"}, gpu.environment());
        QVERIFY(is_counted(first, "a"));
        AgentRun second;
        second.start({"context 0", "-"}, gpu.environment());
        QVERIFY(!is_counted(second, "b"));
        QCOMPARE(second.only().notes.front().code.value_or(0), 26);
        QVERIFY(!first.pump_until([] { return false; }, 2600));
        QVERIFY(second.pump_until([&] { return is_counted(second, "b"); }));
        // Who counted first does so again when the second has finished.
        second.program().closeWriteChannel();
        second.finish();
        QVERIFY(first.pump_until([&] { return is_counted(first, "a"); }));
    }

    void counters_are_kept_while_they_are_used() {
        AgentRun run;
        run.orders.memory_first = 100;
        run.plan_letters = "A";
        run.start({"context 0", "-"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:8:2"}});
        for (int i = 0; i < 25; ++i) {
            QVERIFY(is_counted(run, "a"));
            QTest::qWait(100);
        }
    }

    void counters_are_free_when_counting_ends() {
        const SharedGpu gpu;
        AgentRun first;
        first.start({"context 0", "-"}, gpu.environment());
        QVERIFY(is_counted(first, "a"));
        first.orders.armed = false;
        first.send_orders(0);
        QVERIFY(first.settle());
        AgentRun second;
        second.start({"context 0", "-"}, gpu.environment());
        QVERIFY(is_counted(second, "b"));
    }

    void counters_are_free_when_a_launch_has_ended_that_outlasts_the_recording() {
        for (const bool recorder_goes : {true, false}) {
            const SharedGpu gpu;
            AgentRun first;
            first.start({"context 0", "-"}, gpu.environment());
            QVERIFY(is_counted(first, "a"));
            first.program().write("launch waiting 4\n");
            QTest::qWait(300);
            first.orders.armed = false;
            recorder_goes ? first.detach() : first.send_orders(0);
            AgentRun second;
            second.start({"context 0", "-"}, gpu.environment());
            QVERIFY(!is_counted(second, "b"));
            QVERIFY(second.pump_until([&] { return is_counted(second, "b"); }));
        }
    }

    void contexts_of_a_device_are_counted_one_after_another() {
        const SharedGpu gpu;
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "launch a 4", "context 0", "launch a 4", "current 0", "launch a 4", "context 1",
                 "launch b 4", "current 1", "launch a 4"},
                gpu.environment());
        QCOMPARE(run.only().told(), std::string("a:A a:A a:A b:A a:A"));
        QVERIFY(run.only().notes.empty());
    }

    void what_was_launched_before_is_not_counted_with_a_launch() {
        AgentRun run;
        run.orders.except = {"lingering"};
        run.run({"context 0", "launch lingering 4", "launch saxpy 4", "graph load store",
                 "launch lingering 4", "run-graph"});
        const HeardLaunch* const launch = run.only().find("saxpy");
        const HeardLaunch* const of_graph = run.only().find("load");
        QVERIFY(launch != nullptr && of_graph != nullptr);
        QCOMPARE(run.only().told(), std::string("saxpy:A load:A store:A"));
        QVERIFY(launch->image.find("and others") == std::string::npos);
        QVERIFY(of_graph->image.find("and others") == std::string::npos);
    }

    void ranges_that_do_not_match_are_configured_anew() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "launch saxpy 4 5"}, {{"FAKE_CUPTI_FAIL", "aRangeComes:1:2:2"}});
        QCOMPARE(run.only().told(), std::string("saxpy:A saxpy:- saxpy:A saxpy:A saxpy:A"));
    }

    void a_profiler_that_does_not_stop_is_begun_anew() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "launch saxpy 4 5"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStop:999:2:2"}});
        QCOMPARE(run.only().told(), std::string("saxpy:A saxpy:- saxpy:A saxpy:A saxpy:A"));
    }

    void the_first_launch_is_timed_data() {
        QTest::addColumn<bool>("counters");
        QTest::addColumn<QString>("failure");
        QTest::newRow("time alone") << false << "";
        QTest::newRow("no counters") << true << "cuptiProfilerDeviceSupported:27,";
        QTest::newRow("no privileges") << true << "cuptiProfilerGetCounterAvailability:35,";
    }

    /// Times that are asked for while a launch is made begin with the next one.
    void the_first_launch_is_timed() {
        QFETCH(bool, counters);
        QFETCH(QString, failure);
        AgentRun run;
        run.orders.counters = counters;
        run.run({"context 0", "launch saxpy 4 3"}, {{"FAKE_CUPTI_FAIL", failure + "aCallUnderWayIsTimed:1"}});
        QCOMPARE(run.only().launches.size(), std::size_t{3});
        for (const HeardLaunch& launch : run.only().launches)
            QVERIFY(launch.duration_ns);
    }
};

}  // namespace tst_agent_sharing

ROOFWALK_TEST(tst_agent_sharing, TestAgentSharing, QCoreApplication)
#include "tst_agent_sharing.moc"
