// SPDX-License-Identifier: GPL-3.0-or-later
// Launches of graphs, each kernel of them told by itself.
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_graphs {

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentGraphs : public QObject {
    Q_OBJECT

  private slots:
    void every_kernel_has_its_part_of_the_counters() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load gemm store", "run-graph"});
        const Heard& heard = run.only();
        QCOMPARE(heard.told(), std::string("load:A gemm:A store:A"));
        QVERIFY(heard.notes.empty());
        QVERIFY(!heard.launches[0].image.empty() && !heard.launches[0].image_launch);
        for (std::uint32_t at = 0; at < 3; ++at) {
            QCOMPARE(heard.launches[at].id, std::uint64_t{at});
            QCOMPARE(heard.launches[at].range, at);
            QVERIFY(heard.launches[at].grid == (wire::Extent{2, 1, 1}));
            QVERIFY(heard.launches[at].status == wire::LaunchStatus::counted);
        }
        for (std::size_t at = 1; at < 3; ++at) {
            QVERIFY(heard.launches[at].image.empty());
            QVERIFY(heard.launches[at].image_launch == heard.launches[0].id);
        }
        QCOMPARE(heard.counts.recorded, std::uint64_t{3});
        QCOMPARE(heard.end->launches, std::uint64_t{3});
    }

    void a_captured_graph_is_as_any_other() {
        AgentRun run;
        run.orders.memory_first = 1;
        run.orders.memory_every = 0;
        run.run({"context 0", "capture load gemm", "run-graph 3", "exit 4"});
        QCOMPARE(run.program().exitCode(), 4);
        QCOMPARE(run.only().told(), std::string("load:A gemm:A load:C gemm:C load:- gemm:-"));
        QCOMPARE(run.only().counts.seen, std::uint64_t{6});
        QVERIFY(run.only().launches.front().dynamic_shared == 256U);
    }

    /// They differ in shared memory alone.
    void graphs_of_the_same_kernels_are_sampled_each_for_itself() {
        AgentRun run;
        run.orders.work = false;
        run.orders.memory_first = 1;
        run.orders.memory_every = 0;
        run.run({"context 0", "graph load store", "run-graph 2", "capture load store", "run-graph 2"});
        QCOMPARE(run.only().told(),
                 std::string("load:A store:A load:- store:- load:A store:A load:- store:-"));
    }

    void kernels_of_a_graph_in_a_graph_have_their_part() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load ( gemm ( bias ) gelu ) store", "run-graph"});
        const Heard& heard = run.only();
        QCOMPARE(heard.told(), std::string("load:A gemm:A bias:A gelu:A store:A"));
        QVERIFY(heard.notes.empty());
        QCOMPARE(heard.counts.seen, std::uint64_t{5});
        for (std::uint32_t at = 0; at < 5; ++at)
            QCOMPARE(heard.launches[at].range, at);
    }

    void a_graph_that_is_launched_into_a_capture_is_one_in_a_graph() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph gemm bias", "capture load @ store", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:A gemm:A bias:A store:A"));
        QCOMPARE(run.only().counts.seen, std::uint64_t{4});
    }

    void kernels_of_a_graph_in_a_graph_are_timed() {
        AgentRun run;
        run.orders.counters = false;
        run.run({"context 0", "graph load ( gemm ) store", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:- gemm:- store:-"));
        QCOMPARE(run.only().launches.back().id, std::uint64_t{2});
        QCOMPARE(run.only().counts.seen, std::uint64_t{3});
    }

    void a_graph_that_was_captured_while_nobody_listened_is_told() {
        AgentRun run;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.tell("capture load gemm"));
        QVERIFY(run.pump_until([&] { return run.attach(); }));
        QVERIFY(run.pump_until([&] { return run.only().times_counted > 0; }));
        QVERIFY(run.tell("run-graph"));
        QVERIFY(run.pump_until([&] { return run.only().notes.size() == 1; }));
        QVERIFY(run.only().launches.empty());
        QVERIFY(run.tell("capture load gemm"));
        QVERIFY(run.tell("run-graph"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
        QCOMPARE(run.only().told(), std::string("load:A gemm:A"));
    }

    /// To count them ends the program (nvjet kernels of cuBLAS, CUPTI 13.0).
    void kernels_with_launch_attributes_are_not_counted_in_a_graph() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "capture load started:gemm", "run-graph", "graph cluster_gemm", "run-graph",
                 "graph attributes:store", "run-graph", "capture load gemm", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:- gemm:- cluster_gemm:- store:- load:A gemm:A"));
        QCOMPARE(run.only().notes.size(), std::size_t{1});
    }

    /// The program has made no launch that could have told of the device.
    void a_graph_that_is_instantiated_first_after_an_attach_waits_for_the_plans() {
        AgentRun run;
        run.orders.work = false;
        run.start_dormant({"-"});
        QVERIFY(run.tell("context 0"));
        QVERIFY(run.pump_until([&] { return run.attach(); }));
        QVERIFY(run.pump_until([&] { return run.only().times_counted > 0; }));
        QVERIFY(run.tell("capture load gemm"));
        QVERIFY(run.tell("run-graph"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
        QCOMPARE(run.only().told(), std::string("load:A gemm:A"));
    }

    void after_a_graph_that_could_not_be_counted_none_is() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "capture load gemm", "run-graph 2", "launch after 4"},
                {{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerDecodeData:999:2:2"}});
        QCOMPARE(run.only().told(), std::string("load:- gemm:- load:- gemm:- after:A"));
        QCOMPARE(run.only().notes.size(), std::size_t{2});
    }

    void plans_that_a_kernel_of_a_graph_wants_are_had() {
        AgentRun run;
        run.orders.work = false;
        run.orders.memory_first = 1;
        run.orders.memory_every = 0;
        run.on_launch = [&](const wire::KernelLaunch& launch) {
            if (launch.plan == 'A' && launch.name == "gemm")
                run.send(0, wire::WantPlan{launch.name, launch.device, launch.grid, launch.block,
                                           launch.dynamic_shared.value_or(0), 'D'});
        };
        run.start({"context 0", "graph load gemm", "-"});
        QVERIFY(run.tell("run-graph"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 2; }));
        QVERIFY(run.settle());
        QVERIFY(run.tell("run-graph 2"));
        QVERIFY(run.pump_until([&] { return run.only().launches.size() == 6; }));
        QCOMPARE(run.only().told(), std::string("load:A gemm:A load:D gemm:D load:- gemm:-"));
    }

    /// To make a graph executable while kernels are counted takes as long as another plan.
    void graphs_that_are_made_executable_again_and_again_are_counted_a_few_times() {
        AgentRun run;
        run.orders.work = false;
        run.orders.memory_first = 100;
        QStringList commands{"context 0"};
        for (int time = 0; time < 7; ++time)
            commands += {"graph load", "run-graph"};
        run.run(commands);
        QCOMPARE(run.only().told(), std::string("load:A load:A load:A load:A load:A load:- load:-"));
        QCOMPARE(run.only().notes.size(), std::size_t{1});
    }

    void a_graph_with_a_kernel_to_be_left_alone_runs_as_ever() {
        AgentRun run;
        run.run({"context 0", "graph load ncclDevKernel gemm", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:- gemm:-"));
        QCOMPARE(run.only().counts.filtered, std::uint64_t{1});
    }

    void only_the_kernels_that_are_wanted_are_told() {
        AgentRun run;
        run.orders.kernels = {"gemm"};
        run.run({"context 0", "graph load gemm store", "run-graph"});
        QCOMPARE(run.only().told(), std::string("gemm:A"));
        QCOMPARE(run.only().launches.front().range, 1U);
        QVERIFY(!run.only().launches.front().image.empty());
    }

    void the_handle_of_a_kernel_is_as_good_as_that_of_a_function() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load kernel:gemm cast:store", "run-graph"});
        const Heard& heard = run.only();
        QCOMPARE(heard.told(), std::string("load:A gemm:A store:A"));
        QVERIFY(heard.launches[0].registers == 40U);
        QVERIFY(heard.launches[1].registers == 48U && heard.launches[2].registers == 48U);
        QVERIFY(heard.notes.empty());
    }

    void nodes_that_a_newer_call_makes_are_known() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load v3:gemm", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:A gemm:A"));
        QVERIFY(run.only().notes.empty());
    }

    void a_graph_that_is_captured_anew_is_left_in_peace_and_said() {
        AgentRun run;
        run.run({"context 0", "capture load gemm", "run-graph", "recapture load store", "run-graph",
                 "launch after 4", "exit 4"});
        QCOMPARE(run.program().exitCode(), 4);
        const Heard& heard = run.only();
        QCOMPARE(heard.told(), std::string("load:A gemm:A after:A"));
        QCOMPARE(heard.counts.seen, std::uint64_t{5});
        QCOMPARE(heard.notes.size(), std::size_t{1});
        QVERIFY2(heard.notes[0].what.find("graph") != std::string::npos, heard.notes[0].what.c_str());
    }

    void nodes_that_an_older_call_changes_are_known() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load gemm", "change 1 store", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:A store:A"));
    }

    void a_node_that_is_disabled_runs_nothing() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load gemm store", "disable 1", "run-graph"});
        QCOMPARE(run.only().told(), std::string("load:A store:A"));
        QCOMPARE(run.only().counts.seen, std::uint64_t{2});
    }

    /// No callback had told of the capture: the agent comes while it lasts.
    void a_capture_that_began_before_the_agent_came_survives() {
        AgentRun run;
        run.start_dormant({"-"}, {{"CUDA_INJECTION64_PATH", ""}});
        for (const QString& command : {QStringLiteral("context 0"), QStringLiteral("begin-capture"),
                                       QStringLiteral("load ") + AgentRun::agent()})
            QVERIFY(run.tell(command));
        QVERIFY(run.pump_until([&] { return run.attach(); }));
        QVERIFY(run.pump_until([&] { return run.only().times_counted > 0; }));
        QVERIFY(run.tell("stream-launch first 4"));
        QVERIFY(run.pump_until([&] { return run.only().tables.size() == 4; }));
        QVERIFY(run.settle());
        QVERIFY(run.tell("capture-launch captured"));
        QVERIFY(run.tell("stream-launch beside 4"));
        QVERIFY(run.tell("end-capture"));
        QVERIFY(run.tell("run-graph"));
        QVERIFY(run.tell("stream-launch after 4"));
        QVERIFY(run.pump_until([&] { return run.only().find("after") != nullptr; }));
        // What was captured before the agent came is not known.
        QCOMPARE(run.only().told(), std::string("first:- beside:- after:A"));
        QCOMPARE(run.only().notes.size(), std::size_t{1});
    }

    void nothing_is_counted_while_a_command_list_is_captured() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "begin-graphics-capture", "launch beside 4", "end-graphics-capture",
                 "launch after 4", "exit 4"},
                {{"FAKE_CUPTI_VERSION", "130200"}});
        QCOMPARE(run.program().exitCode(), 4);
        QCOMPARE(run.only().told(), std::string("after:A"));
    }

    void a_stream_that_ends_in_a_capture_takes_it_along() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "begin-capture", "capture-launch load", "destroy-stream", "launch after 4"});
        QCOMPARE(run.only().told(), std::string("after:A"));
    }

    void kernels_of_graphs_are_timed() {
        AgentRun run;
        run.orders.counters = false;
        run.orders.kernels = {"gemm", "store"};
        run.run({"context 0", "graph load gemm store", "run-graph 2"});
        QCOMPARE(run.only().told(), std::string("gemm:- store:- gemm:- store:-"));
        QCOMPARE(run.only().launches.front().id, std::uint64_t{1});
        QCOMPARE(run.only().launches.back().id, std::uint64_t{5});
        QCOMPARE(run.only().launches.front().duration_ns.value_or(0), std::uint64_t{2000});
    }
};

}  // namespace tst_agent_graphs

ROOFWALK_TEST(tst_agent_graphs, TestAgentGraphs, QCoreApplication)
#include "tst_agent_graphs.moc"
