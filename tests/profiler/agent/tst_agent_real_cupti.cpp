// SPDX-License-Identifier: GPL-3.0-or-later
// The agent with the CUPTI of this machine, in a program without a driver.
#include <QTest>

#include "profiler/recording/capability_check.h"
#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_real_cupti {

using namespace roofwalk;
using namespace roofwalk::test;

class TestAgentRealCupti : public QObject {
    Q_OBJECT

  private slots:
    void without_a_driver_it_is_inert() {
        const auto libraries = find_cupti_here();
        if (libraries.empty()) QSKIP("CUPTI is not installed");
        AgentRun run;
        run.run_loader({{"ROOFWALK_AGENT_CUPTI", QString::fromStdString(libraries.front().string())}});
        QCOMPARE(run.program().exitStatus(), QProcess::NormalExit);
        QCOMPARE(run.program().exitCode(), 7);
        QVERIFY(run.program().readAllStandardOutput().isEmpty());
        QVERIFY(run.program().readAllStandardError().isEmpty());
        const Heard& heard = run.only();
        QVERIFY(heard.start && heard.end && heard.launches.empty());
        // On a machine with a GPU, CUPTI brings the driver along and has nothing to complain of.
        if (heard.notes.empty()) return;
        QCOMPARE(heard.notes.size(), std::size_t{1});
        QVERIFY(heard.notes.front().where.starts_with("cuptiSubscribe"));
        QVERIFY(heard.notes.front().what.find("driver") != std::string::npos);
    }
};

}  // namespace tst_agent_real_cupti

ROOFWALK_TEST(tst_agent_real_cupti, TestAgentRealCupti, QCoreApplication)
#include "tst_agent_real_cupti.moc"
