// SPDX-License-Identifier: GPL-3.0-or-later
// The agent where something does not work: one sentence, then time or silence, and a program that goes on.
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_faults {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

const QStringList program{"context 0", "launch saxpy 4 10", "exit 3"};
const QStringList program_of_two{"context 0", "launch axpy 4 50", "launch saxpy 4 58", "exit 3"};

void run_with(AgentRun& run, const QString& failures, const QStringList& commands = program) {
    run.run(commands, {{"FAKE_CUPTI_FAIL", failures}});
    QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
    QCOMPARE(run.program().exitCode(), 3);
    QVERIFY(run.program().readAllStandardOutput().isEmpty());
    QVERIFY(run.program().readAllStandardError().isEmpty());
    QVERIFY(run.only().end);
}

void verify_one_note(const Heard& heard, int code, const std::string& part) {
    QCOMPARE(heard.notes.size(), std::size_t{1});
    QCOMPARE(heard.notes.front().code.value_or(0), code);
    QVERIFY2(heard.notes.front().what.find(part) != std::string::npos, heard.notes.front().what.c_str());
}

/// Launches with a time.
std::size_t timed(const Heard& heard) {
    const auto count =
        std::count_if(heard.launches.begin(), heard.launches.end(),
                      [](const HeardLaunch& launch) { return launch.duration_ns.has_value(); });
    return static_cast<std::size_t>(count);
}

/// Nothing could be counted from the start: after 100 launches the others are timed.
void verify_left_alone(const Heard& heard, int code, const std::string& part) {
    QCOMPARE(heard.notes.size(), std::size_t{2});
    QCOMPARE(heard.notes.front().code.value_or(0), code);
    QVERIFY2(heard.notes.front().what.find(part) != std::string::npos, heard.notes.front().what.c_str());
    QVERIFY(heard.notes.back().what.find("tried again") != std::string::npos);
    QCOMPARE(timed(heard), std::size_t{8});
}

}  // namespace

class TestAgentFaults : public QObject {
    Q_OBJECT

  private slots:
    void without_cupti_nothing_is_recorded() {
        AgentRun run;
        run.run(program, {{"ROOFWALK_AGENT_CUPTI", "/nowhere/libcupti.so.13"}});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QVERIFY(run.only().notes.front().what.find("/nowhere/libcupti.so.13") != std::string::npos);
        QVERIFY(run.only().launches.empty());
        QVERIFY(run.only().end);
    }

    void what_another_cupti_counts_with_is_not_counted_with() {
        const QTemporaryDir folder;
        const QString helper = folder.filePath("libnvperf_host.so");
        QVERIFY(QFile::copy(QFileInfo(AgentRun::cupti()).path() + "/libnvperf_host.so", helper));
        AgentRun run;
        run.run({"open " + helper, "context 0", "launch saxpy 4", "exit 3"});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(run.only().told(), std::string("saxpy:-"));
        QCOMPARE(timed(run.only()), std::size_t{1});
        verify_one_note(run.only(), 14, "libnvperf_host.so");
        QCOMPARE(run.only().notes.front().where, std::string("libnvperf_host.so"));
    }

    void another_profiler_is_named() {
        AgentRun run;
        run_with(run, "cuptiSubscribe_v2:39");
        verify_one_note(run.only(), 39, "Other Profiler");
        QVERIFY(run.only().launches.empty());
    }

    void a_driver_that_does_not_fit_is_told() {
        for (const int code : {14, 15, 999}) {
            AgentRun run;
            run_with(run, QStringLiteral("cuptiSubscribe_v2:%1").arg(code));
            verify_one_note(run.only(), code, "driver of this machine; nothing is recorded");
            QVERIFY(run.only().launches.empty());
        }
        for (const int code : {1, 8, 26}) {
            AgentRun run;
            run_with(run, QStringLiteral("cuptiSubscribe_v2:%1").arg(code));
            verify_one_note(run.only(), code, "; nothing is recorded.");
        }
    }

    void without_counters_there_are_times_data() {
        QTest::addColumn<QString>("failure");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("part");
        QTest::newRow("privileges") << "cuptiRangeProfilerEnable:35" << 35 << "restricted";
        QTest::newRow("privileges, at the first launch")
            << "cuptiRangeProfilerStart:35" << 35 << "restricted";
        QTest::newRow("privileges, at the availability")
            << "cuptiProfilerGetCounterAvailability:35" << 35 << "restricted";
        QTest::newRow("busy") << "cuptiRangeProfilerEnable:26" << 26 << "holds";
        for (const char* const asked :
             {"cuptiProfilerInitialize:26", "cuptiProfilerDeviceSupported:26", "cuptiDeviceGetChipName:26"})
            QTest::newRow(asked) << asked << 26 << "the performance counters; kernels are only timed.";
        QTest::newRow("MIG") << "cuptiRangeProfilerEnable:43" << 43 << "MIG";
        QTest::newRow("driver") << "cuptiProfilerInitialize:15" << 15
                                << "driver of this machine; kernels are only";
        QTest::newRow("device") << "cuptiProfilerDeviceSupported:27" << 27 << "no counters for this device";
        QTest::newRow("chip") << "support.architecture:1" << 27 << "no counters for this device";
        QTest::newRow("name of the chip")
            << "cuptiDeviceGetChipName:46" << 46 << "no counters for this device";
        for (const char* const call :
             {"cuptiProfilerInitialize", "cuptiProfilerDeviceSupported", "cuptiDeviceGetChipName"})
            for (const int code : {1, 8, 999})
                QTest::addRow("%s:%d", call, code)
                    << QStringLiteral("%1:%2").arg(call).arg(code) << code << "; kernels are only timed.";
        QTest::newRow("vGPU") << "support.vGpu:1" << 33 << "virtual GPUs of this kind";
        QTest::newRow("vGPU, forbidden") << "support.vGpu:2" << 40 << "host of this virtual GPU";
        QTest::newRow("confidential computing") << "support.confidentialCompute:1" << 41 << "confidential";
        QTest::newRow("mining") << "support.cmp:1" << 42 << "mining";
        QTest::newRow("SLI") << "support.sli:1" << 44 << "SLI";
        QTest::newRow("SLI, switched on") << "support.sli:2" << 44 << "SLI";
        QTest::newRow("WSL") << "support.wsl:1" << 45 << "WSL";
    }

    void without_counters_there_are_times() {
        QFETCH(QString, failure);
        QFETCH(int, code);
        QFETCH(QString, part);
        AgentRun run;
        run_with(run, failure);
        verify_one_note(run.only(), code, part.toStdString());
        QCOMPARE(run.only().launches.size(), std::size_t{10});
        QCOMPARE(timed(run.only()), std::size_t{10});
        QCOMPARE(run.only().counts.recorded, std::uint64_t{10});
    }

    void counters_that_another_program_held_are_taken_when_they_are_free() {
        AgentRun run;
        run.start({"context 0", "-"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:26:1:2"}});
        QVERIFY(run.tell("launch early 4 2"));
        QVERIFY(run.pump_until([&] { return timed(run.only()) == 2; }));
        verify_one_note(run.only(), 26, "tried again");
        std::size_t launches = 2;
        QVERIFY(run.pump_until([&] {
            if (!run.tell("launch later 4")) return true;
            ++launches;
            return run.pump_until(
                [&] { return run.only().launches.back().status == wire::LaunchStatus::counted; }, 50);
        }));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.only().notes.size(), std::size_t{2});
        const std::string& what = run.only().notes.back().what;
        QVERIFY2(what.find("for a while: ") != std::string::npos, what.c_str());
        QCOMPARE(run.only().launches.size(), launches);
        QCOMPARE(run.only().launches.front().name, std::string("early"));
        QVERIFY(timed(run.only()) >= 3);
        // What was refused counts for no plan that has failed.
        QVERIFY(std::any_of(run.only().launches.begin(), run.only().launches.end(),
                            [](const HeardLaunch& launch) { return launch.plan == 'A'; }));
    }

    void a_launch_that_ends_with_busy_counters_is_followed_by_others() {
        AgentRun run;
        run.start({"context 0", "-"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStop:26:1:1"}});
        QVERIFY(run.tell("launch early 4 3"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 3; }));
        QVERIFY(run.only().launches.front().status == wire::LaunchStatus::failed);
        QCOMPARE(timed(run.only()), std::size_t{2});
        verify_one_note(run.only(), 26, "tried again");
        QVERIFY(run.pump_until([&] {
            return !run.tell("launch later 4") ||
                   run.pump_until(
                       [&] { return run.only().launches.back().status == wire::LaunchStatus::counted; }, 50);
        }));
        QVERIFY(run.only().notes.back().what.find("for a while") != std::string::npos);
    }

    void privileges_that_lack_at_the_end_of_a_launch_are_said_once() {
        AgentRun run;
        run_with(run, "cuptiRangeProfilerStop:35");
        verify_one_note(run.only(), 35, "restricted");
        QCOMPARE(run.only().launches.size(), std::size_t{10});
        QVERIFY(run.only().launches.front().status == wire::LaunchStatus::failed);
        QCOMPARE(timed(run.only()), std::size_t{9});
        QCOMPARE(run.only().counts.recorded, std::uint64_t{9});
    }

    void launches_of_several_kernels_that_fail_cost_no_other_launch() {
        AgentRun run;
        run.run({"context 0", "launch good 4", "launch one 4", "launch two 4", "launch three 4",
                 "launch four 4", "launch good 4"},
                {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:8:2:5"}});
        QCOMPARE(run.only().told(), std::string("good:A one:- two:- three:- four:- good:C"));
        QCOMPARE(timed(run.only()), std::size_t{0});
        verify_one_note(run.only(), 8, "memory");
    }

    void a_launch_of_a_kind_that_is_not_counted_is_one_launch() {
        for (const int code : {15, 27}) {
            AgentRun run;
            run_with(run, QStringLiteral("cuptiRangeProfilerStart:%1:2:2").arg(code));
            verify_one_note(run.only(), code, "count a launch");
            QVERIFY(run.only().told().starts_with("saxpy:A saxpy:- saxpy:C"));
            QCOMPARE(timed(run.only()), std::size_t{0});
        }
    }

    void a_context_that_cannot_be_counted_once_is_tried_again() {
        AgentRun run;
        run_with(run, "cuptiRangeProfilerEnable:8:1:2");
        QCOMPARE(run.only().told().substr(0, 39), std::string("saxpy:- saxpy:- saxpy:A saxpy:C saxpy:A"));
        QVERIFY(run.only().launches.front().status == wire::LaunchStatus::failed);
        QCOMPARE(run.only().counts.recorded + run.only().counts.sampled_out, std::uint64_t{8});
    }

    void several_kernels_that_fail_first_cost_no_others() {
        AgentRun run;
        run.run({"context 0", "launch odd 4 3", "launch one 4", "launch two 4", "launch good 4 2", "exit 3"},
                {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:8:1:5"}});
        QCOMPARE(run.only().told(), std::string("odd:- odd:- odd:- one:- two:- good:A good:C"));
    }

    void a_device_on_which_all_has_failed_is_tried_again() {
        AgentRun run;
        run.start({"context 0", "-"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:8:1:7"}});
        QVERIFY(run.tell("launch odd 4 110"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 110; }));
        QCOMPARE(timed(run.only()), std::size_t{10});
        QVERIFY(run.pump_until([&] {
            return !run.tell("launch odd 4") ||
                   run.pump_until(
                       [&] { return run.only().launches.back().status == wire::LaunchStatus::counted; }, 50);
        }));
        QCOMPARE(run.only().notes.size(), std::size_t{3});
        QVERIFY(run.only().notes.back().what.find("for a while: ") != std::string::npos);
    }

    void graphs_with_more_kernels_than_can_be_counted_cost_no_other_launch() {
        AgentRun run;
        run.run({"context 0", "graph a b c d e", "run-graph 4", "launch saxpy 4", "exit 3"},
                {{"FAKE_CUPTI_MOST_RANGES", "4"}});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(run.only().launches.size(), std::size_t{21});
        QVERIFY(run.only().launches.back().status == wire::LaunchStatus::counted);
        QCOMPARE(timed(run.only()), std::size_t{0});
    }

    void an_availability_that_fails_is_planned_without() {
        for (const int code : {8, 26, 999}) {
            AgentRun run;
            run_with(run, QStringLiteral("cuptiProfilerGetCounterAvailability:%1").arg(code));
            QVERIFY(run.only().notes.empty());
            QVERIFY(run.only().launches.front().status == wire::LaunchStatus::counted);
        }
    }

    void a_device_that_refuses_takes_no_counters_from_another() {
        AgentRun run;
        run.run({"context 0", "context 1", "current 0", "launch on_zero 4 3", "current 1", "launch on_one 4"},
                {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:43:1:1"}});
        QCOMPARE(run.only().told(), std::string("on_zero:- on_zero:- on_zero:- on_one:A"));
        QCOMPARE(run.only().notes.size(), std::size_t{2});
        QVERIFY(run.only().notes.front().what.find("timed") == std::string::npos);
    }

    void a_device_without_plans_is_timed() {
        AgentRun run;
        run.plan_letters = "";
        run_with(run, "");
        QVERIFY(run.only().notes.empty());
        QCOMPARE(timed(run.only()), std::size_t{10});
    }

    void plans_that_do_not_come_are_waited_for_once() {
        AgentRun run;
        run.sends_plans = false;
        run.run({"context 0", "context 1", "launch saxpy 4 10", "exit 3"});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QVERIFY(run.only().notes.front().what.find("only timed until they do") != std::string::npos);
        QCOMPARE(timed(run.only()), std::size_t{10});
        QCOMPARE(run.only().counts.recorded, std::uint64_t{10});
    }

    void plans_that_come_late_are_taken_when_they_come() {
        AgentRun run;
        run.sends_plans = false;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch early 4 7"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 7; }));
        QCOMPARE(timed(run.only()), std::size_t{7});
        run.send_plans_of(0);
        QVERIFY(run.pump_until([&] { return run.only().tables.size() == 4; }));
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch later 4 2"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.only().told(),
                 std::string("early:- early:- early:- early:- early:- early:- early:- later:A later:C"));
        QCOMPARE(timed(run.only()), std::size_t{7});
        QVERIFY(run.only().launches.back().status == wire::LaunchStatus::counted);
        QCOMPARE(run.only().notes.size(), std::size_t{2});
        const std::string& what = run.only().notes.back().what;
        QVERIFY2(what.find("late: 7 launches") != std::string::npos, what.c_str());
        QCOMPARE(run.only().counts.recorded, std::uint64_t{9});
        QCOMPARE(run.only().counts.seen, std::uint64_t{9});
    }

    void times_that_are_not_told_yet_when_the_plans_come_are_told_later() {
        AgentRun run;
        run.sends_plans = false;
        run.start({"context 0", "-"}, {{"FAKE_CUPTI_FAIL", "timesAreToldAtOnce:1"}});
        QVERIFY(run.tell("launch early 4 3"));
        QVERIFY(run.pump_until([&] { return run.only().awaited.size() == 3; }));
        run.send_plans_of(0);
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch later 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 4; }));
        QVERIFY(run.only().find("later")->status == wire::LaunchStatus::counted);
        QCOMPARE(timed(run.only()), std::size_t{3});
    }

    void a_collector_that_answers_late_is_heard() {
        AgentRun run;
        run.sends_orders = false;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch before 4 3"));
        QVERIFY(run.pump_until([&] { return run.only().notes.size() == 1; }));
        QVERIFY(run.only().notes.front().what.find("not answered in time") != std::string::npos);
        run.send_orders(0);
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch after 4"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.only().told(), std::string("after:A"));
        QCOMPARE(run.only().counts.seen, std::uint64_t{4});
    }

    void plans_that_a_running_program_is_not_sent_are_not_waited_for_without_end() {
        AgentRun run;
        run.sends_plans = false;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.pump_until([&] { return run.attach(); }));
        QVERIFY(run.pump_until([&] { return run.only().times_counted > 0; }));
        QVERIFY(run.tell("launch saxpy 4 5"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 5; }));
        QVERIFY(!run.only().notes.empty());
        QCOMPARE(timed(run.only()), std::size_t{5});
    }

    void a_flush_that_fails_once_ends_no_timing() {
        AgentRun run;
        run.orders.counters = false;
        run.start({"context 0", "launch early 4 3", "-"},
                  {{"FAKE_CUPTI_FAIL", "cuptiActivityFlushAll:999:1:1"}});
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 3; }));
        QVERIFY(run.tell("launch later 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 4; }));
        QCOMPARE(timed(run.only()), std::size_t{4});
        QVERIFY(run.only().notes.empty());
    }

    void a_launch_that_fails_once_is_tried_again() {
        AgentRun run;
        run.orders.work = false;
        run.orders.memory_every = 0;
        run.start({"context 0", "launch saxpy 4", "-"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:8:2"}});
        QVERIFY(run.tell("launch saxpy 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
        verify_one_note(run.only(), 8, "memory");
        QVERIFY(run.only().launches.front().status == wire::LaunchStatus::counted);
        QVERIFY(run.only().launches.back().status == wire::LaunchStatus::failed);
    }

    void after_a_sticky_error_there_is_silence() {
        AgentRun run;
        run_with(run, "cuptiRangeProfilerStop:999:3,cuptiRangeProfilerStart:999:4,cuptiActivityEnable:999");
        QVERIFY(!run.only().notes.empty());
        QVERIFY(run.only().notes.size() <= 2);
        QCOMPARE(run.only().launches.size(), std::size_t{10});
        QVERIFY(run.only().launches[1].status == wire::LaunchStatus::counted);
        QVERIFY(run.only().launches[2].status == wire::LaunchStatus::failed);
        QVERIFY(run.only().launches.back().status == wire::LaunchStatus::timed);
        QVERIFY(!run.only().launches.back().duration_ns);
    }

    void times_that_fail_are_told_where_they_were_wanted() {
        AgentRun run;
        run.orders.counters = false;
        run_with(run, "cuptiActivityEnable:15");
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QCOMPARE(run.only().launches.size(), std::size_t{10});
        QCOMPARE(timed(run.only()), std::size_t{0});
    }

    void a_launch_that_does_not_end_is_told_of() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch waiting 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QVERIFY(run.only().notes.front().what.find("waiting") != std::string::npos);
    }

    void the_end_of_a_launch_whose_begin_was_not_told_is_no_launch() {
        AgentRun run;
        run.run({"context 0", "launch one 4", "launch two 4", "launch three 4", "exit 3"},
                {{"FAKE_CUPTI_FAIL", "anEnterIsTold:1:2:2"}});
        QCOMPARE(run.only().told(), std::string("one:A three:A"));
    }

    void a_metric_that_the_cupti_in_the_program_does_not_know_is_told() {
        AgentRun run;
        run_with(run, "cuptiRangeProfilerGetCounterDataSize:17", program_of_two);
        verify_left_alone(run.only(), 17, "does not know a counter");
    }

    void an_image_that_is_no_plan_is_told() {
        AgentRun run;
        run_with(run, "cuptiRangeProfilerSetConfig:1", program_of_two);
        verify_left_alone(run.only(), 1, "count");
    }
};

}  // namespace tst_agent_faults

ROOFWALK_TEST(tst_agent_faults, TestAgentFaults, QCoreApplication)
#include "tst_agent_faults.moc"
