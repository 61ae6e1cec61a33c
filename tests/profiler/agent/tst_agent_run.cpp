// SPDX-License-Identifier: GPL-3.0-or-later
// The agent in programs that run to some end.
#include <QTest>

#include "tests/profiler/agent/agent_run.h"

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentRun : public QObject {
    Q_OBJECT

  private slots:
    void a_program_runs_as_ever_and_every_launch_is_told() {
        AgentRun run;
        run.orders.memory_first = 2;
        run.orders.memory_every = 0;
        run.run({"print hello", "context 0", "launch saxpy 4 5", "exit 7"});
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 7);
        QCOMPARE(run.program().readAllStandardOutput(), QByteArray("hello\n"));
        QCOMPARE(run.program().readAllStandardError(), QByteArray("hello (stderr)\n"));
        const Heard& heard = run.only();
        QVERIFY(heard.start && heard.end);
        QCOMPARE(heard.start->process, static_cast<std::uint32_t>(heard.start->process));
        QCOMPARE(heard.command.size(), std::size_t{5});
        QCOMPARE(heard.command.at(3), std::string("launch saxpy 4 5"));
        QVERIFY((heard.devices == std::vector<std::pair<std::uint32_t, std::string>>{{0, "GH100"}}));
        QCOMPARE(heard.told(), std::string("saxpy:A saxpy:C saxpy:A saxpy:- saxpy:-"));
        QCOMPARE(heard.damages, std::size_t{0});
        QVERIFY(heard.notes.empty());
        QCOMPARE(heard.counts.seen, std::uint64_t{5});
        QCOMPARE(heard.counts.recorded, std::uint64_t{3});
        QCOMPARE(heard.counts.sampled_out, std::uint64_t{2});
        QCOMPARE(heard.end->launches, std::uint64_t{5});
    }
};

QTEST_APPLESS_MAIN(TestAgentRun)
#include "tst_agent_run.moc"
