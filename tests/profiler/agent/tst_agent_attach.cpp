// SPDX-License-Identifier: GPL-3.0-or-later
// The agent that waits in a running program until a collector comes.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <map>

#include "profiler/recording/agent_injection.h"
#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_attach {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

/// Comes to a program that waits, and has it armed.
void attach_to(AgentRun& run, bool has_device) {
    QVERIFY(run.pump_until([&] { return run.attach(); }));
    QVERIFY(run.pump_until([&] {
        const Heard& heard = run.sessions().back();
        return heard.times_counted > 0 && heard.devices.empty() != has_device;
    }));
    if (has_device) QVERIFY(run.settle());
}

/// A context that was made before is found at its next launch, which waits for the plans.
void count_from_the_first_launch_on(AgentRun& run) {
    QVERIFY(run.tell("launch first 4"));
    QVERIFY(run.tell("launch second 4"));
    QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
    QCOMPARE(run.only().told(), std::string("first:A second:A"));
}

bool debugger_can_call() {
    const QString probe = QFINDTESTDATA("../../support/debugger_can_call");
    if (probe.isEmpty()) qFatal("no debugger_can_call");
    static const bool can = QProcess::execute(probe, {}) == 0;
    return can;
}

/// Its own threads compute until SIGUSR1 comes, then it ends with 7: what waits is the driver's thread, in
/// poll().
GpuProcess computing_program(AgentRun& run) {
    run.start_dormant({"context 0", "print begun", "busy computing", "exit 7"},
                      {{"CUDA_INJECTION64_PATH", ""}});
    run.program().waitForReadyRead(10'000);
    GpuProcess process;
    process.process = static_cast<pid_t>(run.program().processId());
    return process;
}

}  // namespace

class TestAgentAttach : public QObject {
    Q_OBJECT

  private slots:
    void it_is_armed_and_disarmed() {
        AgentRun run;
        run.orders.memory_first = 100;
        run.orders.work = false;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("launch before 4 10"));
        attach_to(run, false);
        QVERIFY(run.tell("launch during 4 2"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
        QVERIFY(run.only().devices.size() == 1);
        run.orders.armed = false;
        run.send_orders(0);
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch between 4 3"));
        run.orders.armed = true;
        run.send_orders(0);
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch again 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 3; }));
        QCOMPARE(run.only().told(), std::string("during:A during:A again:A"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.program().exitCode(), 0);
        QVERIFY(run.only().end);
    }

    void collectors_may_come_and_go() {
        AgentRun run;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QVERIFY(run.tell("launch first 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
        run.detach();
        QVERIFY(run.tell("launch alone 4 100"));
        attach_to(run, true);
        QVERIFY(run.tell("launch second 4"));
        QVERIFY(run.pump_until([&] { return run.sessions().back().launches.size() == 1; }));
        QCOMPARE(run.sessions().back().told(), std::string("second:A"));
        QCOMPARE(run.sessions().back().missing, std::uint64_t{0});
        QVERIFY(run.sessions().back().start);
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.sessions().back().counts.recorded, std::uint64_t{1});
        QCOMPARE(run.sessions().back().counts.seen, std::uint64_t{1});
    }

    void while_one_collector_is_there_no_other_can_come() {
        AgentRun run;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QVERIFY(!run.attach());
        QVERIFY(run.tell("launch saxpy 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
        run.detach();
        attach_to(run, true);
        QVERIFY(!run.attach());
    }

    void an_agent_whose_collector_has_gone_waits_for_another() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch first 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
        QVERIFY(!run.attach());
        run.detach();
        QVERIFY(run.tell("launch alone 4 100"));
        attach_to(run, true);
        QVERIFY(run.tell("fork 9"));
        QVERIFY(run.tell("launch second 4"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.sessions().size(), std::size_t{2});
        QCOMPARE(run.sessions().back().told(), std::string("second:A"));
        QVERIFY(run.sessions().back().end);
    }

    void kernels_can_be_timed_for_a_while() {
        AgentRun run;
        run.orders.counters = false;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("launch before 4"));
        attach_to(run, false);
        QVERIFY(run.tell("launch during 4 5"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 5; }));
        run.orders.armed = false;
        run.send_orders(0);
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch after 4 5"));
        QTest::qWait(300);
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.only().launches.size(), std::size_t{5});
        QVERIFY(run.only().launches.front().duration_ns);
    }

    void a_program_that_forks_stays_where_it_is_found() {
        AgentRun run;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("fork 9"));
        attach_to(run, false);
        QVERIFY(run.tell("fork 9"));
        QVERIFY(run.tell("launch saxpy 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
    }

    void a_program_that_closes_what_it_does_not_know_is_found_again() {
        AgentRun run;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("close-descriptors"));
        QVERIFY(run.tell("use-descriptors"));
        // Who comes before the agent has noticed is hung up on.
        QVERIFY(run.pump_until([&] {
            const bool came = (!run.sessions().empty() && !run.sessions().back().gone) || run.attach();
            return came && run.sessions().back().times_counted > 0;
        }));
        QVERIFY(run.tell("launch saxpy 4"));
        QVERIFY(run.pump_until([&] { return run.sessions().back().launches.size() == 1; }));
        QVERIFY(run.tell("check-descriptors"));
    }

    void a_program_that_has_no_context_yet_can_be_armed() {
        AgentRun run;
        run.start_dormant({"-"});
        attach_to(run, false);
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("launch saxpy 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
    }

    void a_debugger_can_bring_it_into_a_program_that_runs() {
        AgentRun run;
        run.start_dormant({"-"}, {{"CUDA_INJECTION64_PATH", ""}});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("launch before 4 10"));
        QVERIFY(!run.attach());
        QVERIFY(run.tell("load " + AgentRun::agent()));
        QVERIFY(run.tell("load " + AgentRun::agent()));
        attach_to(run, false);
        count_from_the_first_launch_on(run);
    }

    void a_debugger_harms_no_program_data() {
        QTest::addColumn<QString>("busy_with");
        QTest::addColumn<bool>("has_waiting_thread");
        QTest::newRow("malloc") << "malloc" << true;
        QTest::newRow("a lock") << "lock" << true;
        QTest::newRow("computing") << "computing" << true;
        QTest::newRow("waiting") << "waiting" << true;
        QTest::newRow("malloc, and no thread waits") << "malloc" << false;
        QTest::newRow("a timed lock") << "timed-lock" << true;
        QTest::newRow("a timed lock, and no thread waits") << "timed-lock" << false;
    }

    /// With ROOFWALK_INJECTIONS=N in the environment each N times.
    void a_debugger_harms_no_program() {
        QFETCH(QString, busy_with);
        QFETCH(bool, has_waiting_thread);
        const InjectionTools tools = injection_tools_here();
        if (!debugger_can_call()) QSKIP("needs gdb that can call functions of a process");
        const int times = std::max(1, qEnvironmentVariableIntValue("ROOFWALK_INJECTIONS"));
        for (int time = 0; time < times; ++time) {
            AgentRun run;
            std::map<QString, QString> environment{{"CUDA_INJECTION64_PATH", ""}};
            if (!has_waiting_thread) environment["FAKE_CUDA_WITHOUT_THREAD"] = "1";
            run.start_dormant({"context 0", "print begun", "busy " + busy_with, "launch after 4", "exit 7"},
                              environment);
            QVERIFY(run.program().waitForReadyRead(10'000));
            GpuProcess process;
            process.process = static_cast<pid_t>(run.program().processId());
            const auto taken = inject_agent(process, tools, AgentRun::agent().toStdString(),
                                            AgentRun::cupti().toStdString());
            QCOMPARE(taken.has_value(), has_waiting_thread);
            if (has_waiting_thread) attach_to(run, false);
            kill(process.process, SIGUSR1);
            run.finish();
            QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
            QCOMPARE(run.program().exitCode(), 7);
            if (has_waiting_thread) QVERIFY(run.only().find("after") != nullptr);
        }
    }

    /// In the midst of whatever it does.
    void a_debugger_that_is_made_to_let_go_harms_no_program() {
        const InjectionTools tools = injection_tools_here();
        if (!debugger_can_call()) QSKIP("needs gdb that can call functions of a process");
        for (const int milliseconds : {0, 20, 60, 100, 150, 200, 300, 500}) {
            AgentRun run;
            const GpuProcess process = computing_program(run);
            const std::chrono::milliseconds limit(milliseconds);
            const auto taken =
                inject_agent(process, tools, AgentRun::agent().toStdString(), "", {.debugger = limit});
            const auto there = read_gpu_process(process.process);
            const QByteArray when = QByteArray::number(milliseconds) + " ms: " +
                                    (taken ? "taken" : QByteArray::fromStdString(taken.error().what));
            QVERIFY2(there && !there->stopped && there->traced_by == 0, when.constData());
            kill(process.process, SIGUSR1);
            run.finish();
            QVERIFY2(run.program().exitStatus() == QProcess::NormalExit, when.constData());
            QVERIFY2(run.program().exitCode() == 7, when.constData());
        }
    }

    void an_agent_that_takes_long_to_load_holds_nobody_data() {
        QTest::addColumn<bool>("is_waited_for");
        QTest::newRow("waited for") << true;
        QTest::newRow("given up") << false;
    }

    /// The debugger has gone long before, and the threads of the program go on.
    void an_agent_that_takes_long_to_load_holds_nobody() {
        QFETCH(bool, is_waited_for);
        const InjectionTools tools = injection_tools_here();
        if (!debugger_can_call()) QSKIP("needs gdb that can call functions of a process");
        AgentRun run;
        const GpuProcess process = computing_program(run);
        InjectionLimits limits;
        if (!is_waited_for) limits.loading = std::chrono::milliseconds(100);
        const auto taken = inject_agent(process, tools, ROOFWALK_SLOW_AGENT, "", limits);
        QCOMPARE(taken.has_value(), is_waited_for);
        const auto there = read_gpu_process(process.process);
        QVERIFY(there);
        QVERIFY(!there->stopped);
        QCOMPARE(there->traced_by, 0);
        kill(process.process, SIGUSR1);
        run.finish();
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 7);
    }

    void a_file_that_is_no_agent_is_not_taken() {
        const InjectionTools tools = injection_tools_here();
        if (!debugger_can_call()) QSKIP("needs gdb that can call functions of a process");
        AgentRun run;
        const GpuProcess process = computing_program(run);
        QVERIFY(!inject_agent(process, tools, AgentRun::cupti().toStdString(), ""));
        QVERIFY(!inject_agent(process, tools, "/proc/self/status", ""));
        kill(process.process, SIGUSR1);
        run.finish();
        QCOMPARE(run.program().exitCode(), 7);
    }

    void a_debugger_that_was_there_before_is_no_hindrance() {
        const InjectionTools tools = injection_tools_here();
        if (!debugger_can_call()) QSKIP("needs gdb that can call functions of a process");
        AgentRun run;
        const GpuProcess process = computing_program(run);
        QCOMPARE(QProcess::execute(QString::fromStdString(tools.debugger->string()),
                                   {"-nx", "-batch", "-iex", "set auto-solib-add off", "-p",
                                    QString::number(process.process)}),
                 0);
        QVERIFY(
            inject_agent(process, tools, AgentRun::agent().toStdString(), AgentRun::cupti().toStdString()));
        kill(process.process, SIGUSR1);
        run.finish();
        QCOMPARE(run.program().exitCode(), 7);
    }

    void ranges_that_began_before_it_was_attached_to_are_known() {
        AgentRun run;
        run.orders.nvtx_ranges = {"epoch*"};
        run.start_dormant({"push epoch 3", "-"});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QVERIFY(run.tell("push step"));
        QVERIFY(run.tell("launch inside 4"));
        QVERIFY(run.tell("pop"));
        QVERIFY(run.tell("pop"));
        QVERIFY(run.tell("launch outside 4"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.only().told(), std::string("inside:A"));
        QCOMPARE(run.only().launches.front().nvtx, (std::vector<std::string>{"epoch 3", "step"}));
        QCOMPARE(run.only().counts.filtered, std::uint64_t{1});
    }

    void a_program_that_was_begun_for_a_collector_that_has_gone_waits_for_another() {
        AgentRun run;
        run.start_dormant({"-"}, {{"ROOFWALK_AGENT_SOCKET", "/nowhere/socket"}});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QVERIFY(run.tell("launch saxpy 4"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 1; }));
    }

    void where_it_found_no_cupti_that_of_the_collector_is_taken() {
        AgentRun run;
        run.orders.cupti = AgentRun::cupti().toStdString();
        run.start_dormant({"-"}, {{"ROOFWALK_AGENT_CUPTI", "/nowhere/libcupti.so.13"}});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QVERIFY(run.only().notes.empty());
        count_from_the_first_launch_on(run);
    }

    void a_cupti_of_the_collector_that_cannot_be_loaded_is_told() {
        AgentRun run;
        run.orders.cupti = "/elsewhere/libcupti.so.13";
        run.start_dormant({"-"}, {{"ROOFWALK_AGENT_CUPTI", "/nowhere/libcupti.so.13"}});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QVERIFY(run.only().notes.front().what.find("/elsewhere/libcupti.so.13") != std::string::npos);
        QVERIFY(run.tell("launch saxpy 4"));
    }

    void a_program_that_ends_alone_does_not_mind() {
        AgentRun run;
        run.start_dormant({"print hello", "context 0", "launch saxpy 4 10", "exit 9"});
        QVERIFY(run.program().waitForFinished(20000));
        QCOMPARE(run.program().exitCode(), 9);
        QCOMPARE(run.program().readAllStandardOutput(), QByteArray("hello\n"));
    }

    void a_collector_that_goes_while_cupti_takes_its_time_to_refuse_harms_nobody() {
        AgentRun run;
        run.start_dormant({"-"}, {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable:35"},
                                  {"FAKE_CUPTI_SLOW", "cuptiRangeProfilerEnable:3000"}});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        run.program().write("launch first 4\n");
        run.pump_until([] { return false; }, 500);
        run.detach();
        run.program().closeWriteChannel();
        QVERIFY(run.program().waitForFinished(20000));
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 0);
    }

    void its_thread_takes_no_signal_of_the_program() {
        AgentRun run;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        const QDir threads(QStringLiteral("/proc/%1/task").arg(run.program().processId()));
        QByteArray blocked;
        for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            QFile status(threads.filePath(thread + "/status"));
            QVERIFY(status.open(QIODevice::ReadOnly));
            const QByteArrayList lines = status.readAll().split('\n');
            if (!lines.contains("Name:\troofwalk")) continue;
            for (const QByteArray& line : lines)
                if (line.startsWith("SigBlk:")) blocked = line.mid(7).trimmed();
        }
        // All but SIGKILL and SIGSTOP, which cannot be blocked, and two that the C library keeps for itself
        // and blocks while a thread begins.
        constexpr quint64 all_signals = 0xfffffffe7ffbfeff;
        QCOMPARE(blocked.toULongLong(nullptr, 16) & all_signals, all_signals);
    }

    void trouble_is_told_to_whoever_comes() {
        AgentRun run;
        run.start_dormant({"-"}, {{"FAKE_CUPTI_FAIL", "cuptiSubscribe_v2:39"}});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QCOMPARE(run.only().notes.front().code.value_or(0), 39);
        QVERIFY(run.tell("launch saxpy 4 10"));
        run.detach();
        attach_to(run, false);
        QCOMPARE(run.sessions().back().notes.size(), std::size_t{1});
    }

    void why_a_device_gives_no_counters_is_told_to_whoever_comes_data() {
        QTest::addColumn<QString>("failure");
        QTest::addColumn<int>("code");
        for (const auto& [failure, code] : {std::pair("cuptiProfilerGetCounterAvailability:35", 35),
                                            {"cuptiProfilerInitialize:15", 15},
                                            {"cuptiProfilerDeviceSupported:27", 27},
                                            {"cuptiDeviceGetChipName:26", 26},
                                            {"support.vGpu:1", 33}})
            QTest::newRow(failure) << failure << code;
    }

    void why_a_device_gives_no_counters_is_told_to_whoever_comes() {
        QFETCH(QString, failure);
        QFETCH(int, code);
        AgentRun run;
        run.start_dormant({"-"}, {{"FAKE_CUPTI_FAIL", failure}});
        QVERIFY(run.tell("context 0"));
        for (int time = 0; time < 2; ++time) {
            attach_to(run, time > 0);
            QVERIFY(run.tell("launch saxpy 4 3"));
            QVERIFY(run.pump_until([&] { return run.sessions().back().launches.size() == 3; }));
            const Heard& heard = run.sessions().back();
            QCOMPARE(heard.told(), std::string("saxpy:- saxpy:- saxpy:-"));
            QCOMPARE(heard.notes.size(), std::size_t{1});
            QCOMPARE(heard.notes.front().code.value_or(0), code);
            QVERIFY(heard.notes.front().what.find("only timed") != std::string::npos);
            run.detach();
        }
    }

    void a_cupti_that_has_given_up_stays_so_whoever_comes() {
        AgentRun run;
        run.start_dormant({"-"}, {{"FAKE_CUPTI_FAIL", "noErrorIsFatal:999:2:2"}});
        QVERIFY(run.tell("context 0"));
        attach_to(run, false);
        QVERIFY(run.tell("launch saxpy 4 3"));
        QVERIFY(run.pump_until([&] { return !run.only().notes.empty(); }));
        QVERIFY(run.only().told().starts_with("saxpy:A"));
        run.send_orders(0);
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch ordered 4"));
        run.detach();
        attach_to(run, true);
        QVERIFY(run.tell("launch later 4"));
        run.program().closeWriteChannel();
        run.finish();
        QVERIFY(run.sessions().front().find("ordered") == nullptr);
        QVERIFY(run.sessions().back().launches.empty());
        QCOMPARE(run.sessions().back().notes.size(), std::size_t{1});
        QCOMPARE(run.sessions().back().notes.front().code.value_or(0), 999);
    }
};

}  // namespace tst_agent_attach

ROOFWALK_TEST(tst_agent_attach, TestAgentAttach, QCoreApplication)
#include "tst_agent_attach.moc"
