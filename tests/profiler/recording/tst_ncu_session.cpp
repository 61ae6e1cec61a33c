// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/ncu_session.h"

#include <QTest>
#include <cstdlib>

#include "profiler/recording/live_source.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_ncu_session {

using namespace roofwalk;
using roofwalk::test::MadeRoot;

namespace {

/// Says what ncu says, and writes the file behind --export as a report.
constexpr const char* false_ncu = R"sh(#!/bin/sh
while [ $# -gt 0 ]; do
  if [ "$1" = --export ]; then report="$2.ncu-rep"; fi
  shift
done
echo '==PROF== Connected to process 7'
echo '==PROF== Profiling "saxpy" - 0: 0%....50%....100% - 8 passes'
)sh";

struct Ncu {
    explicit Ncu(const std::string& rest) {
        program("ncu", false_ncu + rest);
        program("app", "#!/bin/sh\n");
        request.launch.command = {(root.path() / "app").string()};
        request.output = (root.path() / "run.ncu-rep").string();
        request.with_ncu = true;
    }
    void program(const std::string& name, const std::string& text) const {
        std::filesystem::permissions(root.write(name, text), std::filesystem::perms::owner_all);
    }
    [[nodiscard]] std::unique_ptr<NcuSession> start(const NcuLimits& limits = {}) const {
        LaunchPlan plan;
        plan.program = root.path() / "ncu";
        plan.arguments = {"ncu", "--export", (root.path() / "run").string()};
        plan.environment = environment_here();
        auto session = NcuSession::start(plan, limits);
        return session ? *std::move(session) : nullptr;
    }

    MadeRoot root;
    ProfileRequest request;
};

std::string run(NcuSession& session) {
    std::string words;
    while (!session.over())
        session.step(std::chrono::milliseconds(20),
                     [&](ChildStream, std::string_view text) { words += text; });
    return words;
}

void run_until_launched(NcuSession& session) {
    while (!session.over() && session.status().counts.recorded == 0)
        session.step(std::chrono::milliseconds(20), {});
}

constexpr const char* writes_report = "echo made >\"$report\"; echo \"==PROF== Report: $report\"\n";

}  // namespace

class TestNcuSession : public QObject {
    Q_OBJECT

  private slots:
    void the_report_is_named_when_the_program_has_ended() {
        const Ncu ncu(writes_report);
        const auto session = ncu.start();
        QVERIFY(session);
        QVERIFY(QString::fromStdString(run(*session)).contains("Connected to process 7"));
        const RecordingStatus status = session->status();
        QCOMPARE(status.phase, RecordingPhase::ended);
        QCOMPARE(status.counts.recorded, std::uint64_t{1});
        QCOMPARE(status.processes, std::uint32_t{1});
        QCOMPARE(status.files, (std::vector<std::string>{ncu.request.output}));
        QCOMPARE(status.sentence, std::string("Nsight Compute ended with exit code 0."));
    }
    void a_program_that_fails_still_has_its_report() {
        const Ncu ncu(std::string(writes_report) + "exit 3\n");
        const auto session = ncu.start();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::ended);
        QCOMPARE(session->status().sentence, std::string("Nsight Compute ended with exit code 3."));
    }
    void without_a_report_its_last_error_says_why() {
        const Ncu ncu("echo '==ERROR== ERR_NVGPUCTRPERM - no permission'; exit 1\n");
        const auto session = ncu.start();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
        QCOMPARE(session->status().sentence,
                 std::string("Nsight Compute ended with exit code 1 and wrote no report: ERR_NVGPUCTRPERM - "
                             "no permission"));
        QVERIFY(session->status().files.empty());
    }
    void a_report_that_is_named_but_not_there_is_none() {
        const Ncu ncu("echo '==PROF== Report: /nowhere/run.ncu-rep'\n");
        const auto session = ncu.start();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
    }
    void stop_lets_it_write_what_it_has() {
        const Ncu ncu(std::string("trap '") + writes_report + "exit 2' INT\nwhile :; do sleep 0.05; done\n");
        const auto session = ncu.start();
        run_until_launched(*session);
        session->stop();
        QCOMPARE(session->status().phase, RecordingPhase::draining);
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::ended);
        QCOMPARE(session->status().sentence, std::string("The recording was stopped."));
        QCOMPARE(session->status().files.size(), std::size_t{1});
    }
    void one_that_does_not_stop_is_ended() {
        const Ncu ncu("trap '' INT TERM\nwhile :; do sleep 0.05; done\n");
        const auto session = ncu.start({.drain = std::chrono::milliseconds(50),
                                        .cancel = std::chrono::minutes(10),
                                        .grace = std::chrono::milliseconds(50)});
        run_until_launched(*session);
        session->stop();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
        QCOMPARE(session->status().sentence,
                 std::string("The recording was stopped before Nsight Compute wrote a report."));
    }
    void cancel_does_not_wait() {
        const Ncu ncu("trap '' INT TERM\nwhile :; do sleep 0.05; done\n");
        const auto session = ncu.start({.drain = std::chrono::minutes(10),
                                        .cancel = std::chrono::milliseconds(50),
                                        .grace = std::chrono::milliseconds(50)});
        run_until_launched(*session);
        session->cancel();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
    }
    void a_cancelled_one_may_still_write_what_it_has() {
        const Ncu ncu(std::string("trap '") + writes_report + "exit 2' INT\nwhile :; do sleep 0.05; done\n");
        const auto session = ncu.start();
        run_until_launched(*session);
        session->cancel();
        run(*session);
        QCOMPARE(session->status().files.size(), std::size_t{1});
    }
    void a_window_starts_the_ncu_that_is_on_the_path() {
        const Ncu ncu(writes_report);
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", QByteArray::fromStdString(ncu.root.path().string()) + ":" + before);
        RecordingOptions choices;
        choices.despite_findings = true;
        choices.warnings.push_back({ErrorCode::not_profiled, "No ranges", "", "Leave -S out."});
        auto source = start_live_source(ncu.request, choices, "test");
        qputenv("PATH", before);
        QVERIFY2(source, source ? "" : source.error().what.c_str());
        QTRY_VERIFY((*source)->status().over());
        QCOMPARE((*source)->status().files, (std::vector<std::string>{ncu.request.output}));
        QVERIFY((*source)->status().problems == choices.warnings);
        QVERIFY((*source)->take_output().find("Profiling \"saxpy\"") != std::string::npos);
        const auto last = (*source)->read({});  // the report is all that there is for the chart
        QVERIFY(!last || (*last)->launches.empty());
    }
};

}  // namespace tst_ncu_session

ROOFWALK_TEST(tst_ncu_session, TestNcuSession, QCoreApplication)
#include "tst_ncu_session.moc"
