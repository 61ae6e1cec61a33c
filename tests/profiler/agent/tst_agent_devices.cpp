// SPDX-License-Identifier: GPL-3.0-or-later
// Several devices, contexts, streams and threads in one program.
#include <QTest>
#include <set>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_devices {

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentDevices : public QObject {
    Q_OBJECT

  private slots:
    void each_device_has_its_own_plans() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "context 1", "launch on_one 4", "current 0", "launch on_zero 4"});
        const Heard& heard = run.only();
        QCOMPARE(heard.devices.size(), std::size_t{2});
        QVERIFY((heard.tables == std::vector<std::uint32_t>{0, 1, 2, 3, 10, 11, 12, 13}));
        QCOMPARE(heard.told(), std::string("on_one:A on_zero:A"));
        QCOMPARE(heard.find("on_one")->device, 1U);
        QCOMPARE(heard.find("on_one")->context, 2U);
        QCOMPARE(heard.find("on_one")->table, 10U);
        QCOMPARE(heard.find("on_zero")->device, 0U);
        QCOMPARE(heard.find("on_zero")->table, 0U);
    }

    void a_device_is_told_once() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "launch first 4", "destroy 0", "context 0", "launch second 4", "context 0",
                 "launch third 4"});
        QCOMPARE(run.only().devices.size(), std::size_t{1});
        QCOMPARE(run.only().told(), std::string("first:A second:A third:A"));
        QCOMPARE(run.only().find("third")->context, 3U);
    }

    void what_is_known_of_one_device_stays_when_another_comes() {
        AgentRun run;
        run.orders.memory_first = 1;
        run.orders.memory_every = 0;
        run.run({"context 0", "launch saxpy 4 3", "context 1", "launch saxpy 4", "current 0",
                 "launch saxpy 4 2"});
        QCOMPARE(run.only().told(), std::string("saxpy:A saxpy:C saxpy:- saxpy:A saxpy:- saxpy:-"));
    }

    void a_device_without_counters_takes_none_from_another() {
        AgentRun run;
        run.run({"context 0", "context 1", "current 0", "launch on_zero 4 2", "current 1", "launch on_one 4"},
                {{"FAKE_CUPTI_FAIL", "cuptiProfilerDeviceSupported:27:1:1"}});
        QCOMPARE(run.only().told(), std::string("on_zero:- on_zero:- on_one:A"));
        QVERIFY(!run.only().find("on_zero")->duration_ns);
        QCOMPARE(run.only().notes.size(), std::size_t{2});
        const std::string& what = run.only().notes.back().what;
        QVERIFY2(what.find("Device 0 gives no counters") != std::string::npos, what.c_str());
        QVERIFY(run.only().awaited.empty());
    }

    void a_device_that_comes_after_one_without_counters_is_counted() {
        AgentRun run;
        run.start({"context 0", "-"}, {{"FAKE_CUPTI_FAIL", "cuptiProfilerDeviceSupported:27:1:1"}});
        QVERIFY(run.tell("launch on_zero 4 3"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 3; }));
        QVERIFY(run.only().launches.back().duration_ns);
        QVERIFY(run.tell("context 1"));
        QVERIFY(run.pump_until([&] { return run.only().devices.size() == 2; }));
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch on_one 4"));
        QVERIFY(run.tell("current 0"));
        QVERIFY(run.tell("launch again_on_zero 4"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.only().told(), std::string("on_zero:- on_zero:- on_zero:- on_one:A again_on_zero:-"));
        QVERIFY(!run.only().find("again_on_zero")->duration_ns);
    }

    void streams_are_told_apart() {
        AgentRun run;
        run.run({"context 0", "stream-launch a 4", "launch b 4"});
        QCOMPARE(run.only().find("a")->stream, 8U);
        QCOMPARE(run.only().find("b")->stream, 7U);
    }

    void threads_are_counted_each_for_itself() {
        AgentRun run;
        run.orders.work = false;
        run.orders.memory_first = 50;
        run.run({"context 0", "threads 4 kernel 200", "exit 1"});
        QCOMPARE(run.program().exitCode(), 1);
        const Heard& heard = run.only();
        QCOMPARE(heard.launches.size(), std::size_t{800});
        QCOMPARE(heard.counts.seen, std::uint64_t{800});
        std::set<std::uint64_t> ids;
        std::size_t counted = 0;
        for (const HeardLaunch& launch : heard.launches) {
            ids.insert(launch.id);
            if (launch.status != wire::LaunchStatus::counted) continue;
            ++counted;
            // The image has the name of the kernel that it counted.
            QVERIFY(launch.image.find(launch.name) != std::string::npos);
        }
        QCOMPARE(ids.size(), std::size_t{800});
        QVERIFY(counted >= 200);
        QVERIFY(heard.notes.empty());
    }
};

}  // namespace tst_agent_devices

ROOFWALK_TEST(tst_agent_devices, TestAgentDevices, QCoreApplication)
#include "tst_agent_devices.moc"
