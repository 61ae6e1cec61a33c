// SPDX-License-Identifier: GPL-3.0-or-later
// Which launches a person wants recorded.
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_filters {

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentFilters : public QObject {
    Q_OBJECT

  private slots:
    /// A product has one geometry for every K.
    void calls_of_an_operator_with_other_sizes_are_sampled_each_for_itself() {
        AgentRun run;
        run.orders.work = false;
        run.orders.memory_first = 1;
        run.orders.memory_every = 0;
        QStringList program{"context 0"};
        const auto call = [&](int op, int k, const char* times) {
            program +=
                {QString("push aten::mm, op_id = %1, sizes = [[8, %2], [%2, 8]], input_op_ids = [(0,-1)]")
                     .arg(op)
                     .arg(k),
                 QString("launch gemm 4 ") + times, "pop"};
        };
        call(1, 16, "2");
        call(2, 32, "1");
        call(3, 16, "1");
        for (int k = 3; k <= 19; ++k)
            call(k + 1, k, "1");
        run.run(program);
        // 16 sizes are told apart; those after them are one.
        std::string told = "gemm:A gemm:- gemm:A gemm:-";
        for (int k = 3; k <= 19; ++k)
            told += k == 16 || k == 19 ? " gemm:-" : " gemm:A";
        QCOMPARE(run.only().told(), told);
    }

    void kernels_by_name() {
        AgentRun run;
        run.orders.kernels = {"^sax", "^gemm$"};
        run.run({"context 0", "launch saxpy 4", "launch _Z4gemmPf 4", "launch copy 4 3", "launch my_gemm 4"});
        QCOMPARE(run.only().told(), std::string("saxpy:A _Z4gemmPf:A"));
        QCOMPARE(run.only().counts.filtered, std::uint64_t{4});
        QCOMPARE(run.only().counts.seen, std::uint64_t{6});
        QCOMPARE(run.only().launches.back().id, std::uint64_t{1});
    }

    void what_is_to_be_left_alone_is() {
        AgentRun run;
        run.run({"context 0", "launch ncclDevKernel_AllReduce 4", "launch nvshmem_put 4", "launch saxpy 4"});
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
        QCOMPARE(run.only().counts.filtered, std::uint64_t{2});
    }

    void launches_inside_of_ranges() {
        AgentRun run;
        run.orders.nvtx_ranges = {"^forward"};
        run.run({"context 0", "launch outside 4", "push epoch 1", "push forward pass", "launch inside 4",
                 "pop", "launch between 4", "pop"});
        QCOMPARE(run.only().told(), std::string("inside:A"));
        QVERIFY((run.only().launches.front().nvtx == std::vector<std::string>{"epoch 1", "forward pass"}));
    }

    void ranges_of_domains_have_them_in_their_names() {
        AgentRun run;
        run.orders.nvtx_ranges = {"^trainer/"};
        run.run({"context 0", "push outer", "push-in trainer backward pass", "launch inside 4", "pop",
                 "launch still 4", "pop-in", "launch outside 4"});
        QCOMPARE(run.only().told(), std::string("inside:A still:A"));
        QVERIFY((run.only().launches[0].nvtx == std::vector<std::string>{"outer", "trainer/backward pass"}));
        QVERIFY((run.only().launches[1].nvtx == std::vector<std::string>{"trainer/backward pass"}));
    }

    void launches_inside_of_ranges_that_another_thread_started() {
        AgentRun run;
        run.orders.nvtx_ranges = {"^step"};
        run.run({"context 0", "start step 1", "start load", "push forward", "launch first 4", "end", "pop",
                 "launch second 4", "end", "launch outside 4"});
        QCOMPARE(run.only().told(), std::string("first:A second:A"));
        QVERIFY((run.only().launches[0].nvtx == std::vector<std::string>{"step 1 (start/end)", "forward"}));
        QVERIFY((run.only().launches[1].nvtx == std::vector<std::string>{"step 1 (start/end)"}));
    }

    void started_ranges_of_domains_have_them_in_their_names() {
        AgentRun run;
        run.orders.nvtx_ranges = {"^loader/"};
        run.run({"context 0", "start epoch", "start-in loader batch", "launch inside 4", "end",
                 "launch outside 4"});
        QCOMPARE(run.only().told(), std::string("inside:A"));
        QVERIFY((run.only().launches[0].nvtx == std::vector<std::string>{"loader/batch (start/end)"}));
    }

    void started_ranges_that_nobody_asked_for_are_not_told() {
        AgentRun run;
        run.run({"context 0", "start step 1", "push forward", "launch saxpy 4", "end"});
        QVERIFY((run.only().launches[0].nvtx == std::vector<std::string>{"forward"}));
    }

    void ranges_that_never_end_are_forgotten_at_a_bound_and_that_is_told_once() {
        AgentRun run;
        run.orders.nvtx_ranges = {"^step"};
        run.run({"context 0", "leak-ranges 5000", "start step 1", "launch first 4 3"});
        QCOMPARE(run.only().told(), std::string());
        QCOMPARE(run.only().counts.filtered, std::uint64_t{3});
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QVERIFY(run.only().notes.front().what.find("More than 4096 NVTX ranges") != std::string::npos);
    }

    void some_are_skipped_and_some_are_taken() {
        AgentRun run;
        run.orders.kernels = {"saxpy"};
        run.orders.skip = 2;
        run.orders.count = 3;
        run.orders.work = false;
        run.run({"context 0", "launch copy 4 5", "launch saxpy 4 10"});
        QCOMPARE(run.only().told(), std::string("saxpy:A saxpy:A saxpy:A"));
        QCOMPARE(run.only().launches.front().id, std::uint64_t{7});
        QCOMPARE(run.only().counts.filtered, std::uint64_t{12});
    }

    void the_same_holds_for_launches_that_are_timed() {
        AgentRun run;
        run.orders.counters = false;
        run.orders.kernels = {"saxpy"};
        run.orders.skip = 1;
        run.run({"context 0", "push epoch", "launch copy 4 5", "launch saxpy 4 3"});
        QCOMPARE(run.only().told(), std::string("saxpy:- saxpy:-"));
        const HeardLaunch& launch = run.only().launches.front();
        QCOMPARE(launch.id, std::uint64_t{6});
        QVERIFY(launch.nvtx == std::vector<std::string>{"epoch"});
        QCOMPARE(launch.duration_ns.value_or(0), std::uint64_t{4000});
        QCOMPARE(launch.registers.value_or(0), 40U);
        QVERIFY(launch.grid == (wire::Extent{4, 1, 1}) && launch.block == (wire::Extent{64, 1, 1}));
        // CUPTI has a clock of its own; the record has that of the system.
        QVERIFY(launch.start_ns >= run.only().start->start_ns);
        QVERIFY(launch.start_ns <= run.only().end->end_ns);
    }
};

}  // namespace tst_agent_filters

ROOFWALK_TEST(tst_agent_filters, TestAgentFilters, QCoreApplication)
#include "tst_agent_filters.moc"
