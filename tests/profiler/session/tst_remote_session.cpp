// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/remote_session.h"

#include <QTest>

#include "profiler/session/live_source.h"
#include "tests/profiler/session/remote_node.h"
#include "tests/support/qt_strings.h"

using namespace roofwalk;
using namespace roofwalk::test;

namespace {

std::string run(RemoteSession& session) {
    std::string words;
    while (!session.over())
        session.step(std::chrono::milliseconds(20),
                     [&](ChildStream, std::string_view text) { words += text; });
    return words;
}

void run_until_launches(RemoteSession& session, std::uint64_t count) {
    while (!session.over() && session.status().seen < count)
        session.step(std::chrono::milliseconds(20), {});
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

const std::string two_with_a_wait_between =
    recording_begins + recorded_launch(0) + "cat\n" + recorded_launch(1) + recording_ends;

}  // namespace

class TestRemoteSession : public QObject {
    Q_OBJECT

  private slots:
    void a_recording_comes_through() {
        const RemoteNode node(recording_begins + recorded_launch(0) + "echo 'the program speaks' >&2\n" +
                              recorded_launch(1) + recording_ends);
        const auto session = node.start();
        QVERIFY(session);
        QCOMPARE(run(*session), std::string("the program speaks\n"));
        QCOMPARE(session->status().phase, RecordingPhase::ended);
        QCOMPARE(session->status().seen, std::uint64_t{2});
        QCOMPARE(session->snapshot().launches.size(), std::size_t{2});
        QCOMPARE(node.file().launches.size(), std::size_t{2});
        QVERIFY(!node.file().sources.at(0).partial);
    }
    void words_arrive_as_they_were_typed() {
        RemoteNode node("for word; do printf '[%s]' \"$word\"; done >\"$(dirname \"$0\")/words\"\n" +
                        std::string(recording_begins) + recorded_launch(0) + recording_ends);
        node.request.launch.command = {"./my app", "it's", "\"$HOME\"",  "a;b",
                                       "",         "*",    "two\nlines", "back\\slash"};
        node.request.launch.environment = {{"NAME", "with space"}};
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        const std::string words = node.text_of("words");
        QVERIFY2(has(words,
                     "[--env][NAME=with space][--][./my app][it's][\"$HOME\"][a;b][][*][two\nlines]"
                     "[back\\slash]"),
                 words.c_str());
    }
    void what_a_shell_says_first_is_no_part_of_it() {
        const RemoteNode node("echo 'Welcome to node'\n" + std::string(recording_begins) +
                              recorded_launch(0) + recording_ends);
        const auto session = node.start();
        QVERIFY(session);
        QCOMPARE(run(*session), std::string("Welcome to node\n"));
        QCOMPARE(node.file().launches.size(), std::size_t{1});
    }
    void the_end_of_its_input_stops_the_other_side() {
        const RemoteNode node(two_with_a_wait_between);
        const auto session = node.start();
        QVERIFY(session);
        run_until_launches(*session, 1);
        QCOMPARE(session->status().phase, RecordingPhase::running);
        QCOMPARE(session->snapshot().launches.size(), std::size_t{1});
        QVERIFY(!session->snapshot().sources.at(0).partial);
        session->stop();
        QCOMPARE(session->status().phase, RecordingPhase::draining);
        run(*session);
        QCOMPARE(session->status().sentence, std::string("The recording was stopped."));
        QCOMPARE(node.file().launches.size(), std::size_t{2});
        QVERIFY(!node.file().sources.at(0).partial);
    }
    void cancel_does_not_wait_for_the_other_side() {
        const RemoteNode node(recording_begins + recorded_launch(0) + "exec sleep 60\n");
        const auto session = node.start();
        QVERIFY(session);
        run_until_launches(*session, 1);
        session->cancel();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::ended);
        QCOMPARE(node.file().launches.size(), std::size_t{1});
        QVERIFY(node.file().sources.at(0).partial);
    }
    void a_machine_that_cannot_be_reached_is_told() {
        const RemoteNode node(
            "", "#!/bin/sh\necho 'ssh: connect to host node port 22: Connection refused' >&2\nexit 255\n");
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        const RecordingStatus status = session->status();
        QCOMPARE(status.phase, RecordingPhase::failed);
        QVERIFY2(has(status.sentence, "could not connect") && has(status.sentence, "Connection refused"),
                 status.sentence.c_str());
        QVERIFY(has(status.hint, "password"));
        QVERIFY(!std::filesystem::exists(node.path("run.jsonl")));
    }
    void a_connection_that_breaks_keeps_what_came() {
        const RemoteNode node(recording_begins + recorded_launch(0) +
                              "echo 'client_loop: send disconnect: Broken pipe' >&2\nexit 255\n");
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::ended);
        QVERIFY2(has(session->status().sentence, "broke"), session->status().sentence.c_str());
        QVERIFY(session->snapshot().sources.at(0).partial);
    }
    void a_program_that_ends_with_the_code_of_ssh_broke_no_connection() {
        const RemoteNode node(recording_begins + recorded_launch(0) +
                              "echo '{\"end\":{\"whole\":true}}'\nexit 255\n");
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QVERIFY2(!has(session->status().sentence, "broke"), session->status().sentence.c_str());
        QVERIFY(!session->snapshot().sources.at(0).partial);
    }
    void a_machine_without_roofwalk_cli_is_told() {
        RemoteNode node("", "#!/bin/sh\nPATH=/nowhere\nshift\n\"$@\"\n");
        node.request.launch.through.pop_back();
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QVERIFY2(has(session->status().sentence, "There is no roofwalk-cli on the PATH"),
                 session->status().sentence.c_str());
        QVERIFY(has(session->status().hint, "/opt/roofwalk/bin/roofwalk-cli"));
    }
    void a_machine_that_cannot_record_says_why() {
        const RemoteNode node("echo 'roofwalk-cli: error: No GPU is here' >&2\nexit 4\n");
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
        QVERIFY2(has(session->status().sentence, "ended with exit code 4") &&
                     has(session->status().sentence, "No GPU is here"),
                 session->status().sentence.c_str());
    }
    void a_prefix_that_is_no_program_is_refused_before_the_start() {
        RemoteNode node("");
        node.request.launch.through = {"no-such-program-here", "node"};
        const auto refused = RemoteSession::start(node.request);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::file_not_found);
    }
    void a_window_reads_it_as_it_grows() {
        const RemoteNode node(two_with_a_wait_between);
        auto source = start_live_source(node.request, {}, "Roofwalk test");
        QVERIFY(source);
        std::size_t launches = 0;
        while (launches < 1) {
            const auto profile = (*source)->read({});
            QVERIFY2(profile, profile ? "" : profile.error().what.c_str());
            launches = (*profile)->launches.size();
        }
        (*source)->stop();
        while (const auto profile = (*source)->read({}))
            launches = (*profile)->launches.size();
        QCOMPARE(launches, std::size_t{2});
        QCOMPARE((*source)->status().phase, RecordingPhase::ended);
    }
};

QTEST_APPLESS_MAIN(TestRemoteSession)
#include "tst_remote_session.moc"
