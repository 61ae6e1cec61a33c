// SPDX-License-Identifier: GPL-3.0-or-later
// The agent in programs that run to some end.
#include <QTest>
#include <csignal>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_run {

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentRun : public QObject {
    Q_OBJECT

  private slots:
    void a_program_runs_as_ever_and_every_launch_is_told() {
        AgentRun run;
        run.orders.memory_first = 2;
        run.orders.memory_every = 0;
        run.start({"print hello", "context 0", "launch saxpy 4 5", "exit 7"});
        const auto process = static_cast<std::uint32_t>(run.program().processId());
        run.finish();
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 7);
        QCOMPARE(run.program().readAllStandardOutput(), QByteArray("hello\n"));
        QCOMPARE(run.program().readAllStandardError(), QByteArray("hello (stderr)\n"));
        const Heard& heard = run.only();
        QVERIFY(heard.start && heard.end);
        QCOMPARE(heard.start->process, process);
        QCOMPARE(heard.command.size(), std::size_t{5});
        QCOMPARE(heard.command.at(3), std::string("launch saxpy 4 5"));
        QVERIFY((heard.devices == std::vector<std::pair<std::uint32_t, std::string>>{{0, "GH100"}}));
        QVERIFY((heard.tables == std::vector<std::uint32_t>{0, 1, 2, 3}));
        QCOMPARE(heard.told(), std::string("saxpy:A saxpy:C saxpy:A saxpy:- saxpy:-"));
        QCOMPARE(heard.damages, std::size_t{0});
        QVERIFY(heard.notes.empty());
        QCOMPARE(heard.counts.seen, std::uint64_t{5});
        QCOMPARE(heard.counts.recorded, std::uint64_t{3});
        QCOMPARE(heard.counts.sampled_out, std::uint64_t{2});
        QCOMPARE(heard.counts.dropped, std::uint64_t{0});
        QCOMPARE(heard.end->launches, std::uint64_t{5});
    }

    void the_handle_of_a_kernel_is_launched_as_that_of_a_function() {
        AgentRun run;
        run.run({"context 0", "launch-kernel gemm 4", "context 1", "launch-kernel gemm 4"});
        QCOMPARE(run.only().launches.size(), std::size_t{2});
        // Of one kernel the registers depend on the device.
        QCOMPARE(run.only().launches.front().registers.value_or(0), 48U);
        QCOMPARE(run.only().launches.back().registers.value_or(0), 49U);
        QVERIFY(run.only().notes.empty());
    }

    void a_launch_is_told_whole() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4"});
        const HeardLaunch* const launch = run.only().find("saxpy");
        QVERIFY(launch != nullptr);
        QCOMPARE(launch->id, std::uint64_t{0});
        QVERIFY(launch->grid == (wire::Extent{4, 1, 1}) && launch->block == (wire::Extent{64, 1, 1}));
        QCOMPARE(launch->dynamic_shared.value_or(0), 256U);
        QCOMPARE(launch->registers.value_or(0), 40U);
        QCOMPARE(launch->context, 1U);
        QCOMPARE(launch->stream, 7U);
        QVERIFY(launch->start_ns > run.only().start->start_ns);
        QVERIFY(!launch->duration_ns);
        QVERIFY(launch->status == wire::LaunchStatus::counted);
        QVERIFY(!launch->image.empty());
        QCOMPARE(launch->range, 0U);
    }

    void plans_that_are_wanted_come_next() {
        AgentRun run;
        run.orders.memory_first = 1;
        run.orders.memory_every = 0;
        run.on_launch = [&](const wire::KernelLaunch& launch) {
            if (launch.plan == 'A')
                run.send(0, wire::WantPlan{launch.name, launch.device, launch.grid, launch.block,
                                           launch.dynamic_shared.value_or(0), 'D'});
        };
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch gemm 4 2"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
        QVERIFY(run.settle());
        QVERIFY(run.tell("launch gemm 4 2"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 4; }));
        QCOMPARE(run.only().told(), std::string("gemm:A gemm:C gemm:D gemm:-"));
    }

    void a_program_that_launches_nothing_is_told_of() {
        AgentRun run;
        run.run({"exit 5"});
        QCOMPARE(run.program().exitCode(), 5);
        QVERIFY(run.only().start && run.only().end);
        QVERIFY(run.only().devices.empty() && run.only().launches.empty() && run.only().notes.empty());
    }

    void a_sudden_end_keeps_what_was_before() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4 100", "_exit 6"});
        QCOMPARE(run.program().exitCode(), 6);
        QCOMPARE(run.only().launches.size(), std::size_t{100});
        QVERIFY(!run.only().end);
        QCOMPARE(run.only().damages, std::size_t{0});
    }

    void a_crash_stays_one() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4 100", "crash"});
        QCOMPARE(run.program().exitStatus(), QProcess::CrashExit);
        QCOMPARE(run.program().exitCode(), SIGSEGV);
        QCOMPARE(run.only().launches.size(), std::size_t{100});
        QVERIFY(!run.only().end);
    }

    void nothing_is_lost_by_being_killed() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4 1000", "kill"});
        QCOMPARE(run.program().exitCode(), SIGKILL);
        QCOMPARE(run.only().launches.size(), std::size_t{1000});
        QCOMPARE(run.only().missing, std::uint64_t{0});
        QCOMPARE(run.only().damages, std::size_t{0});
        QVERIFY(!run.only().end);
    }

    void nothing_is_lost_by_being_killed_while_the_reader_stalls() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch first 4"));
        run.reads = false;
        QVERIFY(run.tell("launch saxpy 4 20000"));
        QVERIFY(!run.tell("kill"));
        run.finish();
        QCOMPARE(run.program().exitCode(), SIGKILL);
        QCOMPARE(run.only().launches.size(), std::size_t{20001});
        QCOMPARE(run.only().launches.back().id, std::uint64_t{20000});
        QCOMPARE(run.only().missing, std::uint64_t{0});
        QCOMPARE(run.only().damages, std::size_t{0});
    }

    void what_did_not_fit_is_counted_though_it_is_killed() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch first 4"));
        run.reads = false;
        QVERIFY(run.tell("launch saxpy 4 100000"));
        QVERIFY(!run.tell("kill"));
        run.finish();
        const Heard& heard = run.only();
        QCOMPARE(heard.damages, std::size_t{0});
        QVERIFY(heard.launches.size() < 100001);
        // A shorter record may find room behind those that did not, and tells of them. Counts of launches,
        // which are told ten times a second, may be among them.
        const std::uint64_t dropped = heard.missing + heard.frames - heard.last_frame;
        QVERIFY(dropped >= 100001 - heard.launches.size());
        QVERIFY(dropped < 100101 - heard.launches.size());
    }

    void launches_that_are_timed_are_known_when_it_is_killed() {
        AgentRun run;
        run.orders.counters = false;
        run.run({"context 0", "launch saxpy 4 1000", "graph load gemm", "run-graph", "kill"});
        QCOMPARE(run.program().exitCode(), SIGKILL);
        QCOMPARE(run.only().awaited.size(), std::size_t{1002});
        QCOMPARE(run.only().awaited.back(), std::uint64_t{1001});
        QCOMPARE(run.only().missing, std::uint64_t{0});
    }

    void launches_that_are_filtered_as_they_are_timed_are_not_spoken_of_before() {
        AgentRun run;
        run.orders.counters = false;
        run.orders.kernels = {"gemm"};
        run.orders.count = 1;
        run.run({"context 0", "graph load gemm", "run-graph 2", "launch saxpy 4", "exit 0"});
        QVERIFY(run.only().awaited.empty());
        QCOMPARE(run.only().told(), std::string("gemm:-"));
    }

    void a_child_of_fork_is_left_alone() {
        AgentRun run;
        run.run({"context 0", "launch before 4", "fork 9", "launch after 4", "exit 3"});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(run.sessions().size(), std::size_t{1});
        QCOMPARE(run.only().told(), std::string("before:A after:A"));
        QVERIFY(run.only().end);
    }

    void a_program_that_becomes_another_starts_anew() {
        AgentRun run;
        run.run({"context 0", "launch before 4", "exec"});
        QCOMPARE(run.program().exitCode(), 12);
        QCOMPARE(run.sessions().size(), std::size_t{2});
        QCOMPARE(run.sessions().front().told(), std::string("before:A"));
        QVERIFY(!run.sessions().front().end);
        QCOMPARE(run.sessions().back().told(), std::string("after_exec:A"));
        QVERIFY(run.sessions().back().end);
        QCOMPARE(run.sessions().front().start->process, run.sessions().back().start->process);
    }

    void many_launches_all_arrive() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4 100000", "exit 0"});
        QCOMPARE(run.only().counts.seen, std::uint64_t{100000});
        QCOMPARE(run.only().counts.dropped, std::uint64_t{0});
        QCOMPARE(run.only().launches.size(), std::size_t{100000});
        QCOMPARE(run.only().launches.back().id, std::uint64_t{99999});
    }

    void a_folder_may_have_a_space() {
        AgentRun run(QStringLiteral("my runs"));
        run.run({"context 0", "launch saxpy 4"});
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
    }

    void a_reader_that_stalls_holds_nobody_up() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch first 4"));
        run.reads = false;
        QVERIFY(run.tell("launch saxpy 4 100000"));
        run.reads = true;
        QVERIFY(run.pump_until([&] { return run.only().counts.dropped > 0; }));
        QVERIFY(run.tell("launch last 4"));
        QVERIFY(run.pump_until([&] { return run.only().find("last") != nullptr; }));
        run.program().closeWriteChannel();
        run.finish();
        QVERIFY(run.only().end);
        QCOMPARE(run.only().counts.dropped, run.only().missing);
        QVERIFY(run.only().launches.size() < 100002);
        QCOMPARE(run.only().end->launches, std::uint64_t{100002});
        QCOMPARE(run.only().damages, std::size_t{0});
    }

    void a_reader_that_never_reads_holds_no_exit_up() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch first 4"));
        run.reads = false;
        QVERIFY(run.tell("launch saxpy 4 20000"));
        run.program().closeWriteChannel();
        QVERIFY(run.program().waitForFinished(20000));
        QCOMPARE(run.program().exitCode(), 0);
        // What it did not read then is there afterwards.
        run.finish();
        QCOMPARE(run.only().launches.size(), std::size_t{20001});
        QCOMPARE(run.only().missing, std::uint64_t{0});
        QVERIFY(run.only().end);
    }

    void without_a_collector_nothing_happens() {
        AgentRun run;
        run.run({"print hello", "context 0", "launch saxpy 4 10", "exit 4"},
                {{"ROOFWALK_AGENT_SOCKET", "/nowhere/socket"}});
        QCOMPARE(run.program().exitCode(), 4);
        QCOMPARE(run.program().readAllStandardOutput(), QByteArray("hello\n"));
        QVERIFY(run.sessions().empty());
    }

    void a_collector_that_goes_is_not_missed() {
        AgentRun run;
        run.start({"context 0", "-"});
        QVERIFY(run.tell("launch saxpy 4 10"));
        run.detach();
        QVERIFY(run.tell("launch saxpy 4 1000"));
        QVERIFY(run.tell("print alive") || true);
        run.program().closeWriteChannel();
        QVERIFY(run.program().waitForFinished(20000));
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 0);
    }

    void a_program_that_closes_what_it_does_not_know_goes_on() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4", "close-descriptors", "launch saxpy 4 10", "exit 2"});
        QCOMPARE(run.program().exitCode(), 2);
        QCOMPARE(run.only().launches.size(), std::size_t{1});
        QVERIFY(!run.only().end);
    }

    void what_it_opens_under_the_numbers_that_it_closed_is_its_own() {
        AgentRun run;
        run.start({"context 0", "launch saxpy 4", "close-descriptors", "use-descriptors", "-"});
        QVERIFY(run.tell("launch saxpy 4 10"));
        QVERIFY(run.pump_until([&] { return !run.sessions().empty() && run.only().gone; }));
        QVERIFY(run.tell("check-descriptors"));
        run.program().closeWriteChannel();
        run.finish();
        QCOMPARE(run.program().exitCode(), 0);
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
    }

    void a_launch_that_the_driver_refuses_is_not_recorded() {
        AgentRun run;
        run.run({"context 0", "bad-launch", "launch good 4"});
        QCOMPARE(run.only().told(), std::string("good:A"));
        QVERIFY(run.only().notes.empty());
    }

    void launches_while_the_program_ends_are_told() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4", "launch-at-exit", "exit 8"});
        QCOMPARE(run.program().exitCode(), 8);
        QCOMPARE(run.only().told(), std::string("saxpy:A at_exit:A"));
        QVERIFY(run.only().end);
    }

    void ranks_are_told() {
        AgentRun run;
        run.run({"exit 0"}, {{"OMPI_COMM_WORLD_RANK", "3"}, {"WORLD_SIZE", "8"}});
        QVERIFY((run.only().ranks == std::vector<std::string>{"OMPI_COMM_WORLD_RANK=3", "WORLD_SIZE=8"}));
    }
};

}  // namespace tst_agent_run

ROOFWALK_TEST(tst_agent_run, TestAgentRun, QCoreApplication)
#include "tst_agent_run.moc"
