// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/profile_session.h"

#include <QTest>
#include <csignal>
#include <fstream>
#include <iterator>

#include "core/import/open_profile.h"
#include "profiler/recording/live_source.h"
#include "tests/profiler/recording/made_root.h"
#include "tests/profiler/recording/scripted_agent.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_profile_session {

using namespace roofwalk;
using namespace roofwalk::test;
namespace fs = std::filesystem;

namespace {

ProfileRequest request(const MadeRoot& root, std::vector<std::string> how) {
    ProfileRequest wanted;
    wanted.launch.command = {ROOFWALK_SCRIPTED_PROGRAM};
    wanted.launch.command.insert(wanted.launch.command.end(), how.begin(), how.end());
    wanted.launch.directory = root.path();
    wanted.output = (root.path() / "run.jsonl").string();
    return wanted;
}

RecordingSetup parts(const MadeRoot& root, bool counts = true) {
    RecordingSetup made;
    made.agent = root.write("lib/agent.so", "");
    if (counts) made.planner = std::make_unique<ScriptedPlanner>();
    made.streams = ChildProcess::Streams::piped;
    made.environment = {"PATH=/usr/bin:/bin"};
    made.tool = "Roofwalk test";
    return made;
}

std::unique_ptr<ProfileSession> started(const ProfileRequest& wanted, RecordingSetup made) {
    auto session = ProfileSession::start(wanted, std::move(made));
    if (!session) qWarning("%s", to_line(session.error()).c_str());
    return session ? *std::move(session) : nullptr;
}

void run(ProfileSession& session) {
    while (!session.over())
        session.step(std::chrono::milliseconds(20));
}

Profile file_of(const MadeRoot& root, const std::string& name = "run.jsonl") {
    auto read = open_profile(root.path() / name, {});
    if (!read) qWarning("%s", to_line(read.error()).c_str());
    return read ? *std::move(read) : Profile{};
}

}  // namespace

class TestProfileSession : public QObject {
    Q_OBJECT

  private slots:
    void a_program_is_recorded_to_its_end() {
        const MadeRoot root;
        auto session = started(request(root, {"normal", "5"}), parts(root));
        QVERIFY(session);
        std::string output;
        while (!session->over())
            session->step(std::chrono::milliseconds(20),
                          [&](ChildStream, std::string_view text) { output += text; });
        const RecordingStatus status = session->status();
        QCOMPARE(status.phase, RecordingPhase::ended);
        QCOMPARE(status.counts.seen, std::uint64_t{5});
        QCOMPARE(output, std::string("the program speaks\n"));
        QCOMPARE(session->program_end()->exit_code, std::optional(0));
        const Profile read = file_of(root);
        QCOMPARE(read.launches.size(), std::size_t{5});
        QVERIFY(!read.sources[0].partial);
        QCOMPARE(session->snapshot().launches.size(), std::size_t{5});
    }

    void a_killed_program_leaves_what_it_told() {
        const MadeRoot root;
        auto session = started(request(root, {"killed", "4"}), parts(root));
        QVERIFY(session);
        run(*session);
        QCOMPARE(session->program_end()->signal, std::optional(SIGKILL));
        QVERIFY(session->status().sentence.find("signal 9") != std::string::npos);
        const Profile read = file_of(root);
        QCOMPARE(read.launches.size(), std::size_t{4});
        QVERIFY(read.sources[0].partial);
    }

    void a_program_without_an_agent_is_told() {
        const MadeRoot root;
        auto session = started(request(root, {"silent"}), parts(root));
        QVERIFY(session);
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
        QCOMPARE(session->program_end()->exit_code, std::optional(7));
        QVERIFY(!fs::exists(root.path() / "run.jsonl"));
    }

    void each_process_has_its_file() {
        const MadeRoot root;
        ProfileRequest wanted = request(root, {"children", "2"});
        wanted.output = (root.path() / "run-%p.jsonl").string();
        auto session = started(wanted, parts(root));
        QVERIFY(session);
        run(*session);
        const RecordingStatus status = session->status();
        QCOMPARE(status.files.size(), std::size_t{2});
        for (const std::string& file : status.files)
            QCOMPARE(file_of(root, fs::path(file).filename()).launches.size(), std::size_t{2});
        QCOMPARE(session->snapshot().launches.size(), std::size_t{4});
    }

    void stop_keeps_what_was_recorded_and_ends_the_program() {
        const MadeRoot root;
        auto session = started(request(root, {"waits", "3"}), parts(root));
        QVERIFY(session);
        while (session->status().counts.seen < 3 && !session->over())
            session->step(std::chrono::milliseconds(20));
        session->stop();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::ended);
        QCOMPARE(session->program_end()->signal, std::optional(SIGTERM));
        QVERIFY(!file_of(root).sources.at(0).partial);
    }

    void cancel_does_not_wait() {
        const MadeRoot root;
        auto session = started(request(root, {"waits", "3"}), parts(root));
        QVERIFY(session);
        while (session->status().counts.seen < 3 && !session->over())
            session->step(std::chrono::milliseconds(20));
        session->cancel();
        run(*session);
        const Profile read = file_of(root);
        QCOMPARE(read.launches.size(), std::size_t{3});
        QVERIFY(read.sources[0].partial);
    }

    void without_counters_time_is_recorded() {
        const MadeRoot root;
        auto session = started(request(root, {"normal"}), parts(root, false));
        QVERIFY(session);
        run(*session);
        const Profile read = file_of(root);
        QCOMPARE(read.launches.at(0).duration->value(), 2.5e-6);
        QVERIFY(read.launches[0].traffic.empty());
    }

    void what_cannot_be_written_is_refused_before_anything_starts() {
        const MadeRoot root;
        ProfileRequest wanted = request(root, {"normal"});
        wanted.output = (root.path() / "none/run.jsonl").string();
        const auto refused = ProfileSession::start(wanted, parts(root));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::write_failed);
    }

    void a_process_without_a_waiting_agent_cannot_be_attached_to() {
        const MadeRoot root;
        ProfileRequest wanted = request(root, {});
        wanted.attach_to = static_cast<std::uint32_t>(getpid());
        const auto refused = ProfileSession::start(wanted, parts(root));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::not_profiled);
        QVERIFY(refused.error().what.find("No agent waits") != std::string::npos);
    }

    void a_window_reads_profiles_as_they_grow() {
        const MadeRoot root;
        LiveSource source(started(request(root, {"waits", "3"}), parts(root)));
        std::size_t launches = 0;
        while (launches < 3) {
            const auto profile = source.read({});
            QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
            launches = (*profile)->launches.size();
        }
        QCOMPARE(source.status().phase, RecordingPhase::running);
        source.stop();
        while (source.read({})) {
        }
        QCOMPARE(source.status().phase, RecordingPhase::ended);
        QCOMPARE(source.take_output(), std::string("the program speaks\n"));
        QVERIFY(source.take_output().empty());
    }

    void a_window_that_closes_ends_its_program() {
        const MadeRoot root;
        {
            LiveSource source(started(request(root, {"waits", "3"}), parts(root)));
            for (auto profile = source.read({}); profile && (*profile)->launches.size() < 3;)
                profile = source.read({});
        }
        QCOMPARE(file_of(root).launches.size(), std::size_t{3});
    }
};

}  // namespace tst_profile_session

ROOFWALK_TEST(tst_profile_session, TestProfileSession, NoApplication)
#include "tst_profile_session.moc"
