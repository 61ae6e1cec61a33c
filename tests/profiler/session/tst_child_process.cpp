// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/session/child_process.h"

#include <QTemporaryDir>
#include <QTest>
#include <cerrno>
#include <csignal>

#include "tests/support/qt_strings.h"

using namespace roofwalk;
using namespace std::chrono_literals;

namespace {

constexpr auto long_enough = 60s;

LaunchPlan shell(const std::string& script) {
    return {"/bin/sh", {"sh", "-c", script}, "", {"PATH=/usr/bin:/bin", "COLOUR=dark blue"}};
}

struct Run {
    std::optional<ChildEnd> end;
    std::string output;
    std::string error;

    [[nodiscard]] OnChildText listener() {
        return [this](ChildStream stream, std::string_view text) {
            (stream == ChildStream::output ? output : error) += text;
        };
    }
};

Run run(const LaunchPlan& plan) {
    Run run;
    auto child = ChildProcess::start(plan, ChildProcess::Streams::piped);
    if (child) run.end = child->wait(long_enough, run.listener());
    return run;
}

/// Waits until the program has written `word`.
bool said(ChildProcess& child, Run& run, const std::string& word) {
    for (int i = 0; i < 6000 && run.output.find(word) == std::string::npos; ++i)
        if (child.wait(10ms, run.listener())) break;
    return run.output.find(word) != std::string::npos;
}

}  // namespace

class TestChildProcess : public QObject {
    Q_OBJECT

  private slots:
    void exit_codes_come_back() {
        for (const int code : {0, 1, 42, 127, 255}) {
            const Run ended = run(shell("exit " + std::to_string(code)));
            QVERIFY(ended.end == (ChildEnd{code, std::nullopt}));
            QCOMPARE(ended.end->shell_status(), code);
        }
    }

    void a_program_that_crashes_says_by_which_signal() {
        const Run ended = run(shell("kill -SEGV $$"));
        QVERIFY(ended.end == (ChildEnd{std::nullopt, SIGSEGV}));
        QCOMPARE(ended.end->shell_status(), 128 + SIGSEGV);
    }

    void both_streams_are_kept_apart_and_whole() {
        const Run ended = run(shell("head -c 1000000 /dev/zero; printf oops >&2"));
        QVERIFY(ended.end == (ChildEnd{0, std::nullopt}));
        QCOMPARE(ended.output.size(), std::size_t{1'000'000});
        QCOMPARE(ended.error, std::string("oops"));
    }

    void arguments_environment_and_folder_are_those_of_the_plan() {
        const QTemporaryDir folder;
        LaunchPlan plan = shell("printf '%s|%s|%s|' \"$COLOUR\" \"$0\" \"$1\"; pwd; cat");
        plan.arguments.insert(plan.arguments.end(), {"a b", "*"});
        plan.directory = folder.path().toStdString();
        const Run ended = run(plan);
        const std::string start = "dark blue|a b|*|";
        QVERIFY(ended.output.starts_with(start));
        QVERIFY(ended.output.find(plan.directory.filename().string()) != std::string::npos);
    }

    void a_program_that_cannot_start_is_an_error() {
        LaunchPlan plan = shell("");
        plan.program = "/nowhere/app";
        auto child = ChildProcess::start(plan, ChildProcess::Streams::piped);
        QVERIFY(!child);
        QCOMPARE(child.error().code, ErrorCode::file_not_readable);
        QCOMPARE(child.error().where, std::string("/nowhere/app"));
        plan = shell("");
        plan.directory = "/nowhere";
        QVERIFY(!ChildProcess::start(plan, ChildProcess::Streams::inherited));
    }

    void time_limits_leave_it_running() {
        auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(!child->wait(10ms));
        QVERIFY(!child->wait(0ms));
        QCOMPARE(::kill(child->pid(), 0), 0);
        QVERIFY(child->stop(long_enough) == (ChildEnd{std::nullopt, SIGTERM}));
    }

    void signals_reach_the_whole_group() {
        Run heard;
        auto child = ChildProcess::start(shell("trap 'echo got; kill $!; exit 7' INT; sleep 1000 & echo ready; wait"),
                                         ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(said(*child, heard, "ready"));
        child->pass_on(SIGINT);
        const auto end = child->wait(long_enough, heard.listener());
        QVERIFY(end == (ChildEnd{7, std::nullopt}));
        QVERIFY(heard.output.find("got") != std::string::npos);
        child->pass_on(SIGINT);
    }

    void a_program_that_will_not_end_is_killed() {
        Run heard;
        auto child = ChildProcess::start(shell("trap '' TERM; echo ready; while :; do sleep 1; done"),
                                         ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(said(*child, heard, "ready"));
        QVERIFY(child->stop(50ms, heard.listener()) == (ChildEnd{std::nullopt, SIGKILL}));
    }

    void a_flood_of_text_does_not_hold_up_the_deadline() {
        auto child = ChildProcess::start(shell("exec yes"), ChildProcess::Streams::piped);
        QVERIFY(child);
        QVERIFY(!child->wait(50ms));
        QVERIFY(child->stop(long_enough) == (ChildEnd{std::nullopt, SIGTERM}));
    }

    void children_that_outlive_it_are_not_waited_for() {
        const Run ended = run(shell("sleep 1000 & echo $!"));
        QVERIFY(ended.end == (ChildEnd{0, std::nullopt}));
        ::kill(std::stoi(ended.output), SIGKILL);
    }

    void nothing_is_left_behind() {
        pid_t pid = -1;
        {
            auto child = ChildProcess::start(shell("exec sleep 1000"), ChildProcess::Streams::inherited);
            QVERIFY(child);
            pid = child->pid();
        }
        QCOMPARE(::kill(pid, 0), -1);
        QCOMPARE(errno, ESRCH);
    }
};

QTEST_APPLESS_MAIN(TestChildProcess)
#include "tst_child_process.moc"
