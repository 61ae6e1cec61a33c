// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/recording/remote_session.h"

#include <QTest>

#include "profiler/recording/live_source.h"
#include "tests/profiler/recording/remote_node.h"
#include "tests/support/folder_tests.h"
#include "tests/support/qt_strings.h"

namespace tst_remote_session {

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
    while (!session.over() && session.status().counts.seen < count)
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
        QCOMPARE(session->status().counts.seen, std::uint64_t{2});
        QCOMPARE(session->snapshot().launches.size(), std::size_t{2});
        QCOMPARE(node.file().launches.size(), std::size_t{2});
        QVERIFY(!node.file().sources.at(0).partial);
    }
    void each_process_there_has_a_file_here() {
        const auto further = [](const std::string& script) {
            return "{\n" + script + "} | sed 's/.*/{\"part\":1,\"line\":&}/'\n";
        };
        const RemoteNode node(recording_begins + recorded_launch(0) +
                              further(recording_begins + recorded_launch(0) + recorded_launch(1)) +
                              recorded_launch(1) + recording_ends + "echo 'the first is done'\n" +
                              further(recorded_launch(2) + recording_ends) + "echo 'so is the other'\n");
        const auto session = node.start();
        QVERIFY(session);
        QCOMPARE(run(*session), std::string("so is the other\n"));
        const RecordingStatus status = session->status();
        QCOMPARE(status.processes, std::size_t{2});
        QCOMPARE(status.counts.seen, std::uint64_t{5});
        QCOMPARE(status.files.size(), std::size_t{2});
        QCOMPARE(session->snapshot().launches.size(), std::size_t{5});
        QCOMPARE(node.file().launches.size(), std::size_t{2});
        const auto other = open_profile(status.files.at(1), {});
        QVERIFY(other);
        QCOMPARE(other->launches.size(), std::size_t{3});
        QVERIFY(!other->sources.at(0).partial);
    }
    void a_process_that_was_not_heard_of_is_told() {
        const RemoteNode node(recording_begins + recorded_launch(0) +
                              R"(echo '{"part":7,"line":{"end":{"whole":true}}}')"
                              "\n" +
                              recording_ends);
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QCOMPARE(session->status().problems.size(), std::size_t{1});
        QVERIFY(has(session->status().problems[0].what, "not heard of"));
        QCOMPARE(session->snapshot().launches.size(), std::size_t{1});
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
    void what_a_shell_says_on_the_line_of_the_header_is_no_part_of_it() {
        const RemoteNode node("printf 'Welcome. '\n" + std::string(recording_begins) + recorded_launch(0) +
                              recording_ends + "echo Bye\n");
        const auto session = node.start();
        QVERIFY(session);
        QCOMPARE(run(*session), std::string("Welcome. Bye\n"));
        QVERIFY(session->status().problems.empty());
        QCOMPARE(node.file().launches.size(), std::size_t{1});
    }
    void the_counts_are_those_of_the_other_side() {
        const RemoteNode node(std::string(recording_begins) + recorded_launch(7) +
                              R"(echo '{"more":{"counts":{"seen":90,"recorded":1,"filtered":60,)"
                              R"("sampled_out":20,"dropped":9}}}')"
                              "\n" +
                              recording_ends);
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        const RecordingStatus status = session->status();
        QCOMPARE(status.counts.seen, std::uint64_t{90});
        QCOMPARE(status.counts.recorded, std::uint64_t{1});
        QCOMPARE(status.counts.filtered, std::uint64_t{60});
        QCOMPARE(status.counts.sampled_out, std::uint64_t{20});
        QCOMPARE(status.counts.dropped, std::uint64_t{9});
        QVERIFY(session->snapshot().warnings.empty());
        QVERIFY(node.file().warnings.empty());
    }
    void launches_are_counted_where_the_other_side_says_no_counts() {
        const RemoteNode node(recording_begins + recorded_launch(7) + recording_ends);
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QCOMPARE(session->status().counts.seen, std::uint64_t{1});
    }
    void a_line_that_cannot_be_read_is_told_and_left_out() {
        const RemoteNode node(recording_begins + recorded_launch(0) + "echo 'srun: job 7 begins'\n" +
                              "echo '{\"name\":\"saxpy\",\"device\":\"gpu9\",\"launch\":1}'\n" +
                              recorded_launch(2) + recording_ends);
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        const RecordingStatus status = session->status();
        QCOMPARE(status.problems.size(), std::size_t{2});
        QCOMPARE(status.problems[0].code, ErrorCode::bad_json);
        QVERIFY2(has(status.problems[0].where, "line 4"), status.problems[0].where.c_str());
        QCOMPARE(status.problems[1].code, ErrorCode::bad_schema);
        QVERIFY2(has(status.problems[1].where, "device"), status.problems[1].where.c_str());
        QCOMPARE(session->snapshot().launches.size(), std::size_t{2});
        QCOMPARE(session->snapshot().warnings.size(), std::size_t{2});
        QCOMPARE(node.file().launches.size(), std::size_t{2});
        QVERIFY(!node.file().sources.at(0).partial);
    }
    void a_line_without_an_end_is_not_kept() {
        const RemoteNode node(recording_begins + recorded_launch(0) +
                              "head -c 100000 /dev/zero | tr '\\0' x\necho\n" + recorded_launch(1) +
                              recording_ends);
        RemoteLimits limits;
        limits.line = 5000;
        const auto session = node.start(limits);
        QVERIFY(session);
        run(*session);
        const RecordingStatus status = session->status();
        QCOMPARE(status.problems.size(), std::size_t{1});
        QCOMPARE(status.problems[0].code, ErrorCode::too_large);
        QVERIFY(!status.problems[0].hint.empty());
        QCOMPARE(node.file().launches.size(), std::size_t{2});
    }
    void a_recording_of_a_later_release_is_refused_at_once() {
        const RemoteNode node(R"(echo '{"format":"roofwalk-profile","version":9,"recording":true}')"
                              "\necho '{\"strange\":1}'\ncat\n");
        const auto session = node.start();
        QVERIFY(session);
        QCOMPARE(run(*session), std::string());
        const RecordingStatus status = session->status();
        QCOMPARE(status.phase, RecordingPhase::failed);
        QCOMPARE(status.problems.at(0).code, ErrorCode::unsupported_version);
        QVERIFY2(has(status.sentence, "cannot be read") && !status.hint.empty(), status.sentence.c_str());
    }
    void it_has_no_terminal_that_it_could_wait_at() {
        const RemoteNode node("",
                              "#!/bin/sh\n(: </dev/tty) 2>/dev/null && echo terminal\n"
                              "read pid name state parent group session rest </proc/$$/stat\n"
                              "[ $session = $$ ] && echo alone\n");
        const auto session = node.start();
        QVERIFY(session);
        QCOMPARE(run(*session), std::string("alone\n"));
    }
    void long_silence_is_explained() {
        const RemoteNode node("cat\n");
        RemoteLimits limits;
        const auto patient = node.start(limits);
        QVERIFY(patient);
        patient->step(std::chrono::milliseconds(1), {});
        QVERIFY(patient->status().hint.empty());
        limits.silence_limit = std::chrono::milliseconds(0);
        const auto session = node.start(limits);
        QVERIFY(session);
        session->step(std::chrono::milliseconds(1), {});
        QCOMPARE(session->status().phase, RecordingPhase::waiting);
        QVERIFY2(has(session->status().hint, "password"), session->status().hint.c_str());
        session->stop();
        run(*session);
        QVERIFY(session->over());
    }
    void a_command_that_is_stopped_is_told() {
        const RemoteNode node("", "#!/bin/sh\necho here >&2\nkill -STOP $$\nexit 255\n");
        const auto session = node.start();
        QVERIFY(session);
        while (session->status().hint.empty())
            session->step(std::chrono::milliseconds(20), {});
        const std::string hint = session->status().hint;
        QVERIFY2(has(hint, "stopped by signal 19") && has(hint, "kill -CONT"), hint.c_str());
        session->cancel();
        run(*session);
        QCOMPARE(session->status().phase, RecordingPhase::failed);
        QVERIFY(session->status().hint.empty());
    }
    void a_machine_that_wants_a_password_is_told() {
        const RemoteNode node(
            "", "#!/bin/sh\necho 'me@node: Permission denied (publickey,password).' >&2\nexit 255\n");
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QVERIFY2(has(session->status().hint, "ssh-copy-id"), session->status().hint.c_str());
    }
    void a_machine_that_is_not_known_is_told() {
        const RemoteNode node("", "#!/bin/sh\necho 'Host key verification failed.' >&2\nexit 255\n");
        const auto session = node.start();
        QVERIFY(session);
        run(*session);
        QVERIFY2(has(session->status().hint, "accept the key"), session->status().hint.c_str());
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

}  // namespace tst_remote_session

ROOFWALK_TEST(tst_remote_session, TestRemoteSession, NoApplication)
#include "tst_remote_session.moc"
