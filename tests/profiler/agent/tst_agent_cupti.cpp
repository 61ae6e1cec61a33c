// SPDX-License-Identifier: GPL-3.0-or-later
// Which CUPTI the agent uses, by the driver and by what the program has loaded, and that each of them counts
// and times.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include "tests/profiler/agent/agent_run.h"
#include "tests/support/folder_tests.h"

namespace tst_agent_cupti {

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

constexpr std::uint32_t api_of_12_9 = 28;
constexpr std::uint32_t api_of_12_4 = 22;

/// A toolkit that has both, as no real one does.
class MadeToolkit {
  public:
    MadeToolkit() {
        QDir(folder_.path()).mkpath("lib64");
        for (const QString& library : {AgentRun::cupti(), AgentRun::cupti_12()})
            copy(library);
        copy(QFileInfo(AgentRun::cupti()).path() + "/libnvperf_host.so");
    }

    /// Of a program that names none itself, under a driver of this CUDA version.
    [[nodiscard]] std::map<QString, QString> environment(const QString& driver_cuda) const {
        return {
            {"ROOFWALK_AGENT_CUPTI", ""}, {"CUDA_HOME", folder_.path()}, {"FAKE_CUDA_VERSION", driver_cuda}};
    }

  private:
    void copy(const QString& file) const {
        QVERIFY(QFile::copy(file, folder_.filePath("lib64/" + QFileInfo(file).fileName())));
    }

    QTemporaryDir folder_;
};

std::uint32_t version_in(const Heard& heard) {
    return heard.cupti_versions.empty() ? 0 : heard.cupti_versions.front();
}

}  // namespace

class TestAgentCupti : public QObject {
    Q_OBJECT

  private slots:
    void that_of_cuda_12_counts() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "launch saxpy 4 3", "exit 3"},
                {{"ROOFWALK_AGENT_CUPTI", AgentRun::cupti_12()}, {"FAKE_CUDA_VERSION", "12040"}});
        QCOMPARE(run.program().exitCode(), 3);
        QCOMPARE(version_in(run.only()), api_of_12_9);
        QCOMPARE(run.only().told(), std::string("saxpy:A saxpy:A saxpy:A"));
        QVERIFY(run.only().notes.empty());
    }

    /// Its records are shorter: more than one shows where each begins.
    void that_of_cuda_12_times() {
        AgentRun run;
        run.orders.counters = false;
        run.run({"context 0", "launch saxpy 4 3", "launch gemm 7"},
                {{"ROOFWALK_AGENT_CUPTI", AgentRun::cupti_12()}});
        QCOMPARE(run.only().told(), std::string("saxpy:- saxpy:- saxpy:- gemm:-"));
        QCOMPARE(run.only().launches[2].duration_ns.value_or(0), std::uint64_t{4000});
        QCOMPARE(run.only().launches[3].duration_ns.value_or(0), std::uint64_t{7000});
        QCOMPARE(run.only().launches[3].registers.value_or(0), 40U);
    }

    void that_of_cuda_12_follows_graphs() {
        AgentRun run;
        run.orders.work = false;
        run.run({"context 0", "graph load store", "run-graph"},
                {{"ROOFWALK_AGENT_CUPTI", AgentRun::cupti_12()}});
        QCOMPARE(run.only().told(), std::string("load:A store:A"));
    }

    void the_driver_decides_which_is_loaded_data() {
        QTest::addColumn<QString>("driver");
        QTest::addColumn<bool>("newer");
        QTest::newRow("CUDA 12.4") << "12040" << false;
        QTest::newRow("CUDA 13.0") << "13000" << true;
    }
    void the_driver_decides_which_is_loaded() {
        QFETCH(QString, driver);
        QFETCH(bool, newer);
        const MadeToolkit toolkit;
        AgentRun run;
        run.run({"context 0", "launch saxpy 4"}, toolkit.environment(driver));
        QCOMPARE(version_in(run.only()) >= 130000, newer);
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
    }

    void what_the_program_has_loaded_is_used() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4"}, {{"LD_PRELOAD", AgentRun::cupti_12()}});
        QCOMPARE(version_in(run.only()), api_of_12_9);
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
        QVERIFY(run.only().notes.empty());
    }

    void beside_one_of_another_release_none_is_loaded() {
        const QTemporaryDir folder;
        for (const char* const name : {"libcupti.so.11.8", "libcupti-1a2b3c4d.so.12"}) {
            const QString other = folder.filePath(name);
            QVERIFY(QFile::copy(ROOFWALK_SLOW_AGENT, other));
            AgentRun run;
            run.run({"context 0", "launch saxpy 4", "exit 3"}, {{"LD_PRELOAD", other}});
            QCOMPARE(run.program().exitCode(), 3);
            QVERIFY(run.only().launches.empty());
            QCOMPARE(run.only().notes.size(), std::size_t{1});
            QVERIFY(run.only().notes.front().what.find(other.toStdString()) != std::string::npos);
        }
    }

    void one_that_is_too_old_to_count_times_and_says_so() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4"}, {{"LD_PRELOAD", AgentRun::cupti_12_4()}});
        QCOMPARE(version_in(run.only()), api_of_12_4);
        QCOMPARE(run.only().told(), std::string("saxpy:-"));
        QCOMPARE(run.only().launches.front().duration_ns.value_or(0), std::uint64_t{4000});
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QVERIFY(run.only().notes.front().what.find("12.6") != std::string::npos);
        QCOMPARE(run.only().notes.front().where, std::string("cuptiRangeProfilerEnable"));
    }

    /// The loader would find the helper of another toolkit by its name.
    void one_without_its_helper_is_not_counted_with() {
        const QTemporaryDir folder;
        const QString cupti = folder.filePath("libcupti.so.13");
        QVERIFY(QFile::copy(AgentRun::cupti(), cupti));
        AgentRun run;
        run.run(
            {"context 0", "launch saxpy 4"},
            {{"ROOFWALK_AGENT_CUPTI", cupti}, {"LD_LIBRARY_PATH", QFileInfo(AgentRun::cupti_12()).path()}});
        QCOMPARE(run.only().told(), std::string("saxpy:-"));
        QCOMPARE(run.only().launches.front().duration_ns.value_or(0), std::uint64_t{4000});
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QCOMPARE(run.only().notes.front().where, folder.filePath("libnvperf_host.so").toStdString());
    }

    void one_with_its_helper_goes_before_one_without() {
        const QTemporaryDir bare;
        QDir(bare.path()).mkpath("lib64");
        QVERIFY(QFile::copy(AgentRun::cupti(), bare.filePath("lib64/libcupti.so.13")));
        const MadeToolkit whole;
        AgentRun run;
        std::map<QString, QString> environment = whole.environment("13000");
        environment["CUDA_PATH"] = std::exchange(environment["CUDA_HOME"], bare.path());
        run.run({"context 0", "launch saxpy 4"}, environment);
        QCOMPARE(run.only().told(), std::string("saxpy:A"));
        QVERIFY(run.only().notes.empty());
    }

    void another_profiler_is_told_of_by_either() {
        AgentRun run;
        run.run({"context 0", "launch saxpy 4"},
                {{"ROOFWALK_AGENT_CUPTI", AgentRun::cupti_12()}, {"FAKE_CUPTI_FAIL", "cuptiSubscribe:39"}});
        QCOMPARE(run.only().notes.size(), std::size_t{1});
        QCOMPARE(run.only().notes.front().code.value_or(0), 39);
        QCOMPARE(run.only().notes.front().where, std::string("cuptiSubscribe"));
    }
};

}  // namespace tst_agent_cupti

ROOFWALK_TEST(tst_agent_cupti, TestAgentCupti, QCoreApplication)
#include "tst_agent_cupti.moc"
