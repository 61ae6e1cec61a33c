// SPDX-License-Identifier: GPL-3.0-or-later
// Programs end as they would alone, whatever the agent was doing: the false CUPTI has objects that it makes
// at their first use, that are gone when exit() has come to them, and that end the program when they are used
// afterwards. ROOFWALK_TEST_ENDS says how many programs end in each mode.
#include <fcntl.h>
#include <sys/resource.h>

#include <QRandomGenerator>
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_exit {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

enum class Mode {
    counted,
    every_launch,
    timed,
    fallen_back,  ///< to times, as counters are forbidden
    dormant,
    attached,
    attached_timed,
    stopped,
    stopped_timed,
    stalled,  ///< by a reader that reads no more
    stalled_timed,
    left,  ///< by a reader that goes
    left_timed,
};

/// Ends after `launches`, about 150 us apart: before the agent has first asked CUPTI for times, after that,
/// with a launch in an exit handler that is older or younger than what CUPTI makes, and by a thread while
/// another launches.
QStringList program_with(QRandomGenerator& random) {
    const int launches = random.bounded(1, 1000);
    const bool early_handler = random.bounded(4) == 0;
    const bool late_handler = random.bounded(4) == 0;
    QStringList commands{"print hello"};
    if (early_handler) commands << "launch-at-exit";
    commands << "context 0" << QStringLiteral("launch saxpy 4 %1 100").arg(launches) << "graph load store"
             << "run-graph";
    if (late_handler) commands << "launch-at-exit";
    if (random.bounded(3) != 0) return commands << "exit 3";
    return commands
           << QStringLiteral("exit-elsewhere 3 %1 %2").arg(random.bounded(100'000)).arg(random.bounded(4))
           << "launch saxpy 4 1000000 100";
}

bool is_one_of(Mode mode, std::initializer_list<Mode> modes) {
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

/// Runs one program to its end, and does meanwhile what the mode says.
void run_once(AgentRun& run, Mode mode, QRandomGenerator& random) {
    using enum Mode;
    run.orders.counters = !is_one_of(mode, {timed, attached_timed, stopped_timed, stalled_timed, left_timed});
    run.orders.memory_every = mode == every_launch ? 1 : 20;
    const QStringList program = program_with(random);
    const int moment_ms = random.bounded(1, 200);
    const auto is_over = [&] { return run.program().state() == QProcess::NotRunning; };
    if (is_one_of(mode, {dormant, attached, attached_timed})) {
        run.start_dormant(program);
        if (mode != dormant) run.pump_until([&] { return is_over() || run.attach(); });
    } else {
        run.start(program, {{"FAKE_CUPTI_FAIL", mode == fallen_back ? "cuptiRangeProfilerEnable:35" : ""}});
    }
    if (is_one_of(mode, {stopped, stopped_timed, stalled, stalled_timed, left, left_timed})) {
        run.pump_until(is_over, moment_ms);
        run.orders.armed = false;
        run.reads = !is_one_of(mode, {stalled, stalled_timed});
        if (!run.sessions().empty() && is_one_of(mode, {stopped, stopped_timed})) run.send_orders(0);
        if (!run.sessions().empty() && is_one_of(mode, {left, left_timed})) run.detach();
    }
    if (is_one_of(mode, {dormant, stalled, stalled_timed, left, left_timed}))
        run.program().waitForFinished();
    else
        run.finish();
}

}  // namespace

class TestAgentExit : public QObject {
    Q_OBJECT

  private slots:
    void programs_end_as_they_would_alone_data() {
        QTest::addColumn<int>("mode");
        const auto add = [](const char* name, Mode mode) { QTest::newRow(name) << static_cast<int>(mode); };
        add("counted", Mode::counted);
        add("every launch", Mode::every_launch);
        add("timed", Mode::timed);
        add("fallen back to times", Mode::fallen_back);
        add("dormant", Mode::dormant);
        add("attached", Mode::attached);
        add("attached, timed", Mode::attached_timed);
        add("stopped", Mode::stopped);
        add("stopped, timed", Mode::stopped_timed);
        add("reader stalled", Mode::stalled);
        add("reader stalled, timed", Mode::stalled_timed);
        add("reader gone", Mode::left);
        add("reader gone, timed", Mode::left_timed);
    }

    void programs_end_as_they_would_alone() {
        QFETCH(int, mode);
        const int programs = qEnvironmentVariable("ROOFWALK_TEST_ENDS", "15").toInt();
        QRandomGenerator random(static_cast<quint32>(mode) + 1);
        for (int at = 0; at < programs; ++at) {
            AgentRun run;
            run_once(run, static_cast<Mode>(mode), random);
            const QByteArray error = run.program().readAllStandardError();
            QVERIFY2(run.program().exitStatus() == QProcess::NormalExit,
                     qPrintable(QStringLiteral("program %1 of %2: signal %3; %4")
                                    .arg(at)
                                    .arg(programs)
                                    .arg(run.program().exitCode())
                                    .arg(run.program().arguments().join(", "))));
            QCOMPARE(run.program().exitCode(), 3);
            QCOMPARE(run.program().readAllStandardOutput(), QByteArray("hello\n"));
            QCOMPARE(error, QByteArray("hello (stderr)\n"));
        }
    }

    void a_program_may_end_while_cupti_makes_its_objects() {
        // Times are first taken after a tenth of a second, and the objects are made in the 60 ms from there
        // on.
        for (int milliseconds = 40; milliseconds <= 200; milliseconds += 20) {
            AgentRun run;
            run.orders.counters = false;
            run.run({"context 0", QStringLiteral("launch saxpy 4 %1 1000").arg(milliseconds), "exit 3"},
                    {{"FAKE_CUPTI_SLOW", "bufferCompleted:60"}});
            QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
            QCOMPARE(run.program().exitCode(), 3);
            QCOMPARE(run.only().launches.size(), static_cast<std::size_t>(milliseconds));
            QVERIFY(run.only().end);
        }
    }

    void another_thread_may_end_it_then_too() {
        for (int milliseconds = 40; milliseconds <= 200; milliseconds += 20) {
            AgentRun run;
            run.orders.counters = false;
            run.run({"context 0", QStringLiteral("exit-elsewhere 3 %1 1").arg(1000 * milliseconds),
                     "launch saxpy 4 1000000 1000"},
                    {{"FAKE_CUPTI_SLOW", "bufferCompleted:60"}});
            QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
            QCOMPARE(run.program().exitCode(), 3);
            QVERIFY(run.only().find("elsewhere") != nullptr);
            QVERIFY(run.only().end);
        }
    }

    /// What the thread that calls exit() has for itself knows nothing of the agent.
    void a_thread_that_launches_nothing_may_end_it_too() {
        for (int milliseconds = 80; milliseconds <= 200; milliseconds += 10) {
            AgentRun run;
            run.orders.counters = false;
            run.run({"context 0", QStringLiteral("exit-elsewhere 3 %1 0").arg(1000 * milliseconds),
                     "launch saxpy 4 1000000 1000"},
                    {{"FAKE_CUPTI_SLOW", "bufferCompleted:60"}});
            QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
            QCOMPARE(run.program().exitCode(), 3);
            QVERIFY(run.only().end);
        }
    }

    /// The objects for times are made when CUPTI has long been in use.
    void times_may_be_taken_after_many_launches_were_counted() {
        AgentRun run;
        run.orders.memory_every = 1;
        run.run({"context 0", "exit-elsewhere 3 400000 1", "launch saxpy 4 1000000 20"},
                {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart:35:40"}});
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 3);
        QVERIFY(run.only().end);
    }

    /// Where there is none for a part of the agent, the others do not go on without it.
    void a_program_that_may_open_few_files_ends_as_ever() {
        for (rlim_t most = 4; most < 12; ++most) {
            AgentRun run;
            run.orders.counters = false;
            run.program().setChildProcessModifier([most] {
                // What this process was given by its parent counts too.
                for (int file = 3; file < 64; ++file)
                    fcntl(file, F_SETFD, FD_CLOEXEC);
                const rlimit files{most, most};
                setrlimit(RLIMIT_NOFILE, &files);
            });
            run.run({"context 0", "launch saxpy 4 3", "exit 3"});
            QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
            QVERIFY2(run.program().exitCode() == 3, qPrintable(QString::number(most)));
        }
    }

    void what_was_timed_before_the_end_is_told() {
        AgentRun run;
        run.orders.counters = false;
        run.run({"context 0", "launch saxpy 4 1500 100", "graph load store", "run-graph", "exit 3"});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(run.only().launches.size(), std::size_t{1502});
        QVERIFY(std::all_of(run.only().launches.begin(), run.only().launches.end(),
                            [](const HeardLaunch& launch) { return launch.duration_ns.has_value(); }));
        QVERIFY(run.only().end);
    }
};

}  // namespace tst_agent_exit

ROOFWALK_TEST(tst_agent_exit, TestAgentExit, QCoreApplication)
#include "tst_agent_exit.moc"
